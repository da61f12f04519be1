internal import OxbowModel
internal import OxbowSQL

/// Compares a store's history with the steps of a folder.
struct HistoryCheck {
  /// Where steps of many transactions are that are not over.
  private var progress: [Int: HistoryEntry] = [:]

  /// The last event of each step, by the step's number.
  private var events: [Int: HistoryEntry] = [:]
  private let last: HistoryEntry?

  init(_ history: [HistoryEntry]) {
    last = history.last
    for entry in history {
      guard let number = Int(entry.id) else { continue }
      guard entry.event != HistoryEntry.Event.progressed.rawValue else {
        progress[number] = entry
        continue
      }
      if entry.event == HistoryEntry.Event.repaired.rawValue {
        // The event of before, with another text.
        events[number]?.checksum = entry.checksum
        events[number]?.algorithm = entry.algorithm
        continue
      }
      progress[number] = nil
      events[number] = entry.event == HistoryEntry.Event.undone.rawValue ? nil : entry
    }
  }

  /// The last step that the store has had and that was not taken back, also one without a file.
  static func lastDone(_ history: [HistoryEntry]) -> HistoryEntry? {
    var done: [HistoryEntry] = []
    for entry in history {
      switch HistoryEntry.Event(rawValue: entry.event) {
      case .undone:
        if let index = done.lastIndex(where: { $0.id == entry.id && $0.name == entry.name }) {
          done.remove(at: index)
        }
      case .applied, .baselined: done.append(entry)
      default: break
      }
    }
    return done.last
  }

  var isEmpty: Bool { events.isEmpty && progress.isEmpty }

  /// The name of a step that is not over.
  var unfinished: HistoryEntry? { progress.values.first }

  func hasApplied(_ id: String) -> Bool {
    Int(id).flatMap { events[$0] }?.event == HistoryEntry.Event.applied.rawValue
  }

  /// The last key that a step that is not over has done.
  func position(of id: String) -> Int64? {
    Int(id).flatMap { progress[$0] }?.cursor.flatMap { Int64($0) }
  }

  /// The model of the store after the last event.
  var model: String? { last?.modelAfter }

  private var lastNumber: Int { events.keys.max() ?? 0 }

  /// The steps up to here count as done without an event of their own.
  private var baseline: Int {
    events.filter { $0.value.event == HistoryEntry.Event.baselined.rawValue }.keys.max() ?? 0
  }

  /// The steps that were applied with another text than their file has.
  func changed(in sequence: MigrationSequence) -> [(file: MigrationFile, entry: HistoryEntry)] {
    let files = sequence.filesByNumber
    return events.sorted { $0.key < $1.key }.compactMap { number, entry in
      guard let file = files[number], !file.isSquashed || file.modelAfter != entry.modelAfter,
        let checksum = entry.checksum,
        entry.algorithm == Checksum.algorithm,
        checksum != file.checksum.description
      else { return nil }
      return (file, entry)
    }
  }

  /// Checks that the folder has what was applied, unchanged; returns the last step.
  func verify(against sequence: MigrationSequence) throws(PersistenceError) -> MigrationFile? {
    var problems: [PersistenceError] = []
    let all = events.merging(progress) { first, _ in first }
    let squashed = sequence.files.first.flatMap { $0.isSquashed ? $0 : nil }
    if let squashed, lastNumber < squashed.number {
      throw PersistenceError(
        .migrationRefused,
        "'\(squashed.fileName)' in '\(sequence.folder)' stands for all steps up to "
          + "\(squashed.number), and the store has had those up to \(lastNumber) only; apply the "
          + "folder as it was before they were put together, then this one")
    }
    let files = sequence.filesByNumber
    for (number, entry) in all.sorted(by: { $0.key < $1.key }) {
      if let squashed, number < squashed.number { continue }
      if let squashed, number == squashed.number, entry.modelAfter == squashed.modelAfter {
        continue
      }
      guard let file = files[number] else {
        problems.append(
          .migrationFile(
            "the step \(entry.id) '\(entry.name)' was applied to the store and is not in "
              + "'\(sequence.folder)'; get the folder that belongs to the store"))
        continue
      }
      guard let checksum = entry.checksum, entry.algorithm == Checksum.algorithm,
        checksum != file.checksum.description
      else { continue }
      let advice =
        events[number] == nil
        ? "was changed after it had begun on \(entry.finished), and it is not over; restore its text, "
          + "mend what it does under the same version, and apply again: it goes on where it was"
        : "was changed after it was applied to the store on \(entry.finished); restore its text, and "
          + "put the change into a new step. When only a comment changed, 'oxbowctl migrate repair' "
          + "accepts the new text"
      problems.append(
        .migrationFile("'\(file.fileName)' in '\(sequence.folder)' \(advice)"))
    }
    guard problems.isEmpty else {
      throw .collecting(
        .migrationFile, "the folder '\(sequence.folder)' does not fit the store's history", problems
      )
    }
    return files[lastNumber]
  }

  func pending(in sequence: MigrationSequence) throws(PersistenceError) -> [MigrationFile] {
    let missing = sequence.files.filter { events[$0.number] == nil && $0.number > baseline }
    if let late = missing.first(where: { $0.number < lastNumber }) {
      throw PersistenceError(
        .migrationRefused,
        "'\(late.fileName)' in '\(sequence.folder)' comes before the step \(lastNumber) that the "
          + "store has had already; give it a number after the last one")
    }
    return missing
  }
}

extension MigrationSequence {
  fileprivate var filesByNumber: [Int: MigrationFile] {
    Dictionary(files.map { ($0.number, $0) }) { first, _ in first }
  }
}
