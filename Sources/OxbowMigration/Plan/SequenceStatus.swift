internal import OxbowModel
internal import OxbowSQL

/// Which steps of a folder a store has had, which are next, and how this is known.
struct SequenceStatus {
  /// How it is known which steps the store has had.
  enum Origin {
    /// There is no store yet.
    case nothing
    /// The store's history.
    case history
    /// The store's model hash; the file is the step that leaves it behind.
    case model(MigrationFile?)
  }

  let origin: Origin

  /// The steps that the store has not had yet, in order.
  let pending: [MigrationFile]

  /// The last step that the store has had.
  let last: MigrationFile?

  init(of state: MigrationState?, in sequence: MigrationSequence) throws(PersistenceError) {
    guard let state else {
      (origin, pending, last) = (.nothing, sequence.files, nil)
      try Self.checkStart(sequence)
      return
    }
    let done = HistoryCheck(state.history)
    if done.isEmpty {
      (origin, pending, last) = try Self.byModel(state, sequence)
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

  private static func byModel(
    _ state: MigrationState, _ sequence: MigrationSequence
  ) throws(PersistenceError) -> (Origin, [MigrationFile], MigrationFile?) {
    if let index = sequence.files.lastIndex(where: { $0.modelAfter == state.modelHash }) {
      let file = sequence.files[index]
      return (.model(file), Array(sequence.files[(index + 1)...]), file)
    }
    if sequence.files.first(where: { $0.modelBefore != nil })?.modelBefore == state.modelHash {
      return (.model(nil), sequence.files, nil)
    }
    throw unknownModel(state, sequence)
  }

  /// The store's model is none of the folder's: names the nearest of them.
  private static func unknownModel(
    _ state: MigrationState, _ sequence: MigrationSequence
  ) -> PersistenceError {
    let start = PersistenceError(
      .modelMismatch,
      "the store's model \(state.modelHash.prefix(12))… is none that the migrations in "
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
