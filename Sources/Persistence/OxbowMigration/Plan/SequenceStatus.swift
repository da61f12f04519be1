internal import OxbowModel
internal import OxbowRelational

/// Which steps of a folder a store has had, which are next, and how this is known.
struct SequenceStatus {
  let origin: MigrationStatus.Origin

  /// The steps that the store may be behind, when there are several; `nil` for the place before the
  /// first.
  private(set) var places: [MigrationFile?] = []

  /// The steps that the store has not had yet, in order; those behind the first of several places.
  let pending: [MigrationFile]

  let last: MigrationFile?

  init(of state: MigrationState?, in sequence: MigrationSequence) throws(PersistenceError) {
    guard let state else {
      (origin, pending, last) = (.nothing, sequence.files, nil)
      try Self.checkStart(sequence)
      return
    }
    let done = HistoryCheck(state.history)
    if done.isEmpty {
      let found = sequence.places(of: state.modelHash)
      guard let first = found.first else { throw Self.unknownModel(state, sequence) }
      let files = found.map { $0 < 0 ? nil : sequence.files[$0] }
      pending = Array(sequence.files[(first + 1)...])
      last = files[0]
      origin = files.count == 1 ? .model : .several
      places = files.count == 1 ? [] : files
    } else {
      last = try done.verify(against: sequence)
      (origin, pending) = (.history, try done.pending(in: sequence))
      try Self.checkModel(state, done)
    }
  }

  private static func checkStart(_ sequence: MigrationSequence) throws(PersistenceError) {
    guard let first = sequence.files.first, first.modelBefore != "" else { return }
    throw PersistenceError(
      .migrationRefused,
      "there is no store yet, and '\(first.fileName)' in '\(sequence.folder)' does not begin with "
        + "one: the first step must be a model step with from=\"-\"")
  }

  private static func checkModel(
    _ state: MigrationState, _ done: HistoryCheck
  ) throws(PersistenceError) {
    guard let expected = done.model, expected != state.modelHash else { return }
    throw PersistenceError(
      .migrationDrift,
      "the store's history says that its model is \(expected.prefix(12))…, but the store says "
        + "\(state.modelHash.prefix(12))…; something else than a migration changed the store")
  }

  /// Refuses a store that may be at several places of the line: a step that changed its data
  /// already would change it twice.
  func requirePlace(
    _ state: MigrationState?, in sequence: MigrationSequence, of store: String
  ) throws(PersistenceError) {
    guard let state, origin == .several else { return }
    let command =
      "oxbowctl migrate baseline --store \(store.shellWord) "
      + "--migrations \(sequence.folder.shellWord)"
    throw PersistenceError(
      .migrationRefused,
      "which steps of '\(sequence.folder)' the store '\(store)' has had is not known: it has no "
        + "history of them, and its model \(state.modelHash.prefix(12))… is that of \(places.count) "
        + "places. Steps that its data has had already would change the data again, so say once where "
        + "it is. A store that a program of today made, without the folder, is at the last of them",
      details: places.map { file in
        PersistenceError.Detail(
          label: file.map { "behind '\($0.fileName)'" } ?? "before the first step",
          text: "\(command) --up-to \(file?.number ?? 0)")
      })
  }

  /// Reports a model that is not in the folder, with the nearest one that is.
  private static func unknownModel(
    _ state: MigrationState, _ sequence: MigrationSequence
  ) -> PersistenceError {
    let start = PersistenceError(
      .modelMismatch,
      "the store's model \(state.modelHash.prefix(12))… is not one that the migrations in "
        + "'\(sequence.folder)' lead through")
    guard let text = state.model,
      let model = try? ModelDocument(Array(text.utf8), file: "the store").model
    else { return start }
    let nearest = sequence.files.compactMap { file -> (MigrationFile, ModelDifference)? in
      file.modelAfter.flatMap { sequence.models[$0] }
        .map { (file, ModelDifference(from: model, to: $0)) }
    }.min { $0.1.changes.count < $1.1.changes.count }
    guard let (file, difference) = nearest else { return start }
    let shown = difference.changes.prefix(5).map(\.description).joined(separator: "; ")
    let more = difference.changes.count > 5 ? "; and \(difference.changes.count - 5) more" : ""
    return start.adding("nearest", "the model behind '\(file.fileName)'")
      .adding("differences", shown + more)
  }
}
