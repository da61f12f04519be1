internal import OxbowModel
internal import OxbowRelational

/// Compares a store's history with the steps of a folder.
struct HistoryCheck {
  /// Where steps of many transactions are that are not over.
  private var progress: [Int: HistoryEntry] = [:]

  /// Whether a step is prepared beside programs, and not over.
  var isPreparing: Bool { unfinished?.isOfParts == true }

  /// The last event of each step, by the step's number.
  private var events: [Int: HistoryEntry] = [:]
  private let last: HistoryEntry?

  /// The step of many transactions that is not over.
  let unfinished: HistoryEntry?

  init(_ history: [HistoryEntry]) {
    last = history.last
    unfinished = history.last { $0.happened == .progressed }
    for entry in history {
      guard let number = Int(entry.id) else { continue }
      switch entry.happened {
      case .progressed:
        // What is prepared for a step changes nothing of it, and can be thrown away.
        if !entry.isOfParts { progress[number] = entry }
      case .repaired:
        // The earlier event, with another text.
        events[number]?.checksum = entry.checksum
        events[number]?.algorithm = entry.algorithm
      case let event:
        progress[number] = nil
        events[number] = event == .undone ? nil : entry
      }
    }
  }

  /// The last step that the store has had and that was not taken back, also one without a file.
  static func lastDone(_ history: [HistoryEntry]) -> HistoryEntry? { done(history).last }

  /// The models that the store was migrated away from, and when; not those that it was taken back
  /// from.
  static func left(_ history: [HistoryEntry]) -> [(model: String, until: String)] {
    done(history).compactMap { entry in
      guard let model = entry.modelBefore, model != entry.modelAfter else { return nil }
      return (model, entry.finished)
    }
  }

  /// The steps that the store has had and that were not taken back, also those without a file.
  static func done(_ history: [HistoryEntry]) -> [HistoryEntry] {
    var done: [HistoryEntry] = []
    for entry in history {
      switch entry.happened {
      case .undone:
        if let index = done.lastIndex(where: { $0.id == entry.id && $0.name == entry.name }) {
          done.remove(at: index)
        }
      case .applied, .baselined: done.append(entry)
      default: break
      }
    }
    return done
  }

  /// The number in the history of the place before the first step.
  static let start = "0000"

  var isEmpty: Bool { events.isEmpty && progress.isEmpty }

  func hasApplied(_ id: String) -> Bool {
    Int(id).flatMap { events[$0] }?.happened == .applied
  }

  /// How far a step is that is not over.
  func position(of id: String) -> StepPosition? {
    Int(id).flatMap { progress[$0] }?.cursor.flatMap { StepPosition($0) }
  }

  var model: String? { last?.modelAfter }

  private var lastNumber: Int { events.keys.max() ?? 0 }

  /// The steps up to here count as done without an event of their own.
  private var baseline: Int {
    events.filter { $0.value.happened == .baselined }.keys.max() ?? 0
  }

  /// The steps that were applied with another text than their file has.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationFile` for a file of another name: that is
  ///   another step, which the store has not had.
  func changed(
    in sequence: MigrationSequence
  ) throws(PersistenceError) -> [(file: MigrationFile, entry: HistoryEntry)] {
    let files = sequence.filesByNumber
    var changed: [(file: MigrationFile, entry: HistoryEntry)] = []
    for (number, entry) in events.sorted(by: { $0.key < $1.key }) {
      guard let file = files[number], !file.isSquashed || file.modelAfter != entry.modelAfter,
        Self.isOther(file, entry)
      else { continue }
      guard entry.name == file.name else { throw Self.anotherStep(file, entry, sequence) }
      changed.append((file, entry))
    }
    return changed
  }

  /// Whether a file has another text than the step that the store has had.
  private static func isOther(_ file: MigrationFile, _ entry: HistoryEntry) -> Bool {
    guard let checksum = entry.checksum, entry.algorithm == Checksum.algorithm else { return false }
    return checksum != file.checksum.description
  }

  private static func anotherStep(
    _ file: MigrationFile, _ entry: HistoryEntry, _ sequence: MigrationSequence
  ) -> PersistenceError {
    .migrationFile(
      "the store has had another step \(entry.id), '\(entry.name)', since \(entry.finished), and not "
        + "'\(file.fileName)' of '\(sequence.folder)'. When the folder is right, take '\(entry.name)' "
        + "back with the folder of its branch ('oxbowctl migrate undo'); when the store is right, give "
        + "'\(file.fileName)' a number after the last one. When it is the same step under a new name, "
        + "give it back its name")
  }

  /// Checks that the folder has what was applied, unchanged; returns the last step.
  func verify(against sequence: MigrationSequence) throws(PersistenceError) -> MigrationFile? {
    let squashed = sequence.files.first.flatMap { $0.isSquashed ? $0 : nil }
    if let squashed, lastNumber < squashed.number {
      throw PersistenceError(
        .migrationRefused,
        "'\(squashed.fileName)' in '\(sequence.folder)' replaces all steps up to "
          + "\(squashed.number), and the store has had those up to \(lastNumber) only; apply the "
          + "folder as it was before they were put together, then this one")
    }
    let files = sequence.filesByNumber
    let all = events.merging(progress) { first, _ in first }.sorted { $0.key < $1.key }
    let problems = all.compactMap { number, entry -> PersistenceError? in
      let isReplaced = squashed.map { squashed in
        number < squashed.number
          || number == squashed.number && entry.modelAfter == squashed.modelAfter
      }
      return number > 0 && isReplaced != true
        ? problem(entry, files[number], isOver: events[number] != nil, sequence) : nil
    }
    guard problems.isEmpty else {
      throw .collecting(
        .migrationFile, "the folder '\(sequence.folder)' does not fit the store's history", problems
      )
    }
    return files[lastNumber]
  }

  /// What is wrong with the file of a step that the store has had.
  private func problem(
    _ entry: HistoryEntry, _ file: MigrationFile?, isOver: Bool, _ sequence: MigrationSequence
  ) -> PersistenceError? {
    guard let file else {
      return .migrationFile(
        "the step \(entry.id) '\(entry.name)' was applied to the store and is not in "
          + "'\(sequence.folder)'; get the folder that belongs to the store")
    }
    guard Self.isOther(file, entry) else { return nil }
    guard entry.name == file.name else { return Self.anotherStep(file, entry, sequence) }
    let advice =
      isOver
      ? "was changed after it was applied to the store on \(entry.finished); restore its text, and "
        + "put the change into a new step. When only a comment changed, 'oxbowctl migrate repair' "
        + "accepts the new text"
      : "was changed after it had begun on \(entry.finished), and it is not over; restore its text, "
        + "mend what it does under the same version, and apply again: it goes on where it was"
    return .migrationFile("'\(file.fileName)' in '\(sequence.folder)' \(advice)")
  }

  func pending(in sequence: MigrationSequence) throws(PersistenceError) -> [MigrationFile] {
    let missing = sequence.files.filter { events[$0.number] == nil && $0.number > baseline }
    let begun = max(lastNumber, progress.keys.max() ?? 0)
    if let late = missing.first(where: { $0.number < begun }) {
      throw PersistenceError(
        .migrationRefused,
        "'\(late.fileName)' in '\(sequence.folder)' comes before the step \(begun) that the "
          + "store has \(begun > lastNumber ? "begun" : "had already"); give it a number after the last one"
      )
    }
    return missing
  }
}

extension HistoryEntry {
  /// What happened; `nil` for an event of a newer version.
  var happened: Event? { Event(rawValue: event) }
}

extension MigrationSequence {
  fileprivate var filesByNumber: [Int: MigrationFile] {
    Dictionary(files.map { ($0.number, $0) }) { first, _ in first }
  }
}
