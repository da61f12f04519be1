internal import OxbowModel
internal import OxbowSQL

/// Where a store stands in a line: what is done, what is next, and by what this is known.
struct StorePosition {
  /// By what the position is known.
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

  init(of state: MigrationState?, in line: MigrationLine) throws(PersistenceError) {
    guard let state else {
      (origin, pending, last) = (.nothing, line.files, nil)
      try Self.checkStart(line)
      return
    }
    let done = HistoryReading(state.history)
    if done.isEmpty {
      (origin, pending, last) = try Self.byModel(state, line)
    } else {
      last = try done.verify(against: line)
      (origin, pending) = (.history, try done.pending(in: line))
      try Self.checkModel(state, done)
    }
  }

  private static func checkStart(_ line: MigrationLine) throws(PersistenceError) {
    guard let first = line.files.first, first.modelBefore != "" else { return }
    throw PersistenceError(
      .migrationRefused,
      "there is no store yet, and '\(first.fileName)' in '\(line.folder)' does not begin with one: "
        + "the first step must be a model step with from=\"-\"")
  }

  private static func checkModel(
    _ state: MigrationState, _ done: HistoryReading
  ) throws(PersistenceError) {
    guard let expected = done.model, expected != state.modelHash else { return }
    throw PersistenceError(
      .migrationDrift,
      "the store's history says that its model is \(expected.prefix(12))…, but the store says "
        + "\(state.modelHash.prefix(12))…; something else than a migration changed the store")
  }

  private static func byModel(
    _ state: MigrationState, _ line: MigrationLine
  ) throws(PersistenceError) -> (Origin, [MigrationFile], MigrationFile?) {
    if let index = line.files.lastIndex(where: { $0.modelAfter == state.modelHash }) {
      let file = line.files[index]
      return (.model(file), Array(line.files[(index + 1)...]), file)
    }
    if line.files.first(where: { $0.modelBefore != nil })?.modelBefore == state.modelHash {
      return (.model(nil), line.files, nil)
    }
    throw unknownModel(state, line)
  }

  /// The store's model is none of the line's: names the nearest of them.
  private static func unknownModel(
    _ state: MigrationState, _ line: MigrationLine
  ) -> PersistenceError {
    let start = PersistenceError(
      .modelMismatch,
      "the store's model \(state.modelHash.prefix(12))… is none that the migrations in "
        + "'\(line.folder)' lead through")
    guard let text = state.model,
      let model = try? ModelDocument(Array(text.utf8), file: "the store").model
    else { return start }
    let nearest = line.files.compactMap { file -> (MigrationFile, ModelDifference)? in
      file.modelAfter.flatMap { line.models[$0] }
        .map { (file, ModelDifference(from: model, to: $0)) }
    }.min { $0.1.changes.count < $1.1.changes.count }
    guard let (file, difference) = nearest else { return start }
    let shown = difference.changes.prefix(5).map(\.description).joined(separator: "; ")
    let more = difference.changes.count > 5 ? "; and \(difference.changes.count - 5) more" : ""
    return start.adding("Nearest", "the model behind '\(file.fileName)'")
      .adding("Differences", shown + more)
  }
}

/// What a history says of the steps of a line.
struct HistoryReading {
  /// The last event of each step, by the step's number.
  private var events: [Int: HistoryEntry] = [:]
  private let last: HistoryEntry?

  init(_ history: [HistoryEntry]) {
    last = history.last
    for entry in history {
      guard let number = Int(entry.id) else { continue }
      events[number] = entry.event == HistoryEntry.Event.undone.rawValue ? nil : entry
    }
  }

  var isEmpty: Bool { events.isEmpty }

  /// The model of the store after the last event.
  var model: String? { last?.modelAfter }

  private var lastNumber: Int { events.keys.max() ?? 0 }

  /// The steps up to here count as done without an event of their own.
  private var baseline: Int {
    events.filter { $0.value.event == HistoryEntry.Event.baselined.rawValue }.keys.max() ?? 0
  }

  /// Checks that what was applied is what stands in the folder; returns the last step.
  func verify(against line: MigrationLine) throws(PersistenceError) -> MigrationFile? {
    var problems: [PersistenceError] = []
    for (number, entry) in events.sorted(by: { $0.key < $1.key }) {
      guard let file = line.files.first(where: { $0.number == number }) else {
        problems.append(
          .migrationFile(
            "the step \(entry.id) '\(entry.name)' was applied to the store and is not in "
              + "'\(line.folder)'; get the folder that belongs to the store"))
        continue
      }
      guard let checksum = entry.checksum, entry.algorithm == Checksum.algorithm,
        checksum != file.checksum.description
      else { continue }
      problems.append(
        .migrationFile(
          "'\(file.fileName)' in '\(line.folder)' was changed after it was applied to the store on "
            + "\(entry.finished); restore its text, and put the change into a new step"))
    }
    guard problems.isEmpty else {
      throw .collecting(
        .migrationFile, "the folder '\(line.folder)' does not fit the store's history", problems)
    }
    return line.files.first { $0.number == lastNumber }
  }

  func pending(in line: MigrationLine) throws(PersistenceError) -> [MigrationFile] {
    let missing = line.files.filter { events[$0.number] == nil && $0.number > baseline }
    if let late = missing.first(where: { $0.number < lastNumber }) {
      throw PersistenceError(
        .migrationRefused,
        "'\(late.fileName)' in '\(line.folder)' comes before the step \(lastNumber) that the store "
          + "has had already; give it a number after the last one")
    }
    return missing
  }
}
