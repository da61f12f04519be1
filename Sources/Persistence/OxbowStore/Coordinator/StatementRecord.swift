package import OxbowPlatform
internal import Synchronization

/// Notes the statements that a task and its children cause.
///
/// The traits of `OxbowTesting` judge a test by it. A record inside another one notes for both.
package final class StatementRecord: Sendable {
  /// The record of the current task.
  @TaskLocal package static var current: StatementRecord?

  /// Whether the task reads parts of something larger, or saves: what it repeats is not a loop of
  /// the caller's.
  @TaskLocal private static var isPlanned = false

  private static let live = Atomic(0)

  /// Whether any task records: without one, nothing else is asked.
  package static var isNeeded: Bool { live.load(ordering: .relaxed) > 0 }

  /// Whether the task records: the same calls then cause the same statements in the same way, so
  /// that loops are found.
  package static var isRecording: Bool { isNeeded && current != nil }

  /// What is looked for, beside the statements themselves.
  package struct Interest: Sendable {
    /// A run that looks at more rows one after the other is judged by the tables that it scans.
    package var scannedRows: Int?
    /// A read that the same calls cause more often is a loop.
    package var repetitions: Int?

    package init(scannedRows: Int? = nil, repetitions: Int? = nil) {
      self.scannedRows = scannedRows
      self.repetitions = repetitions
    }
  }

  /// What a statement has done since it was lent.
  package struct Work: Sendable {
    package var runs: Int
    /// The rows that it gave.
    package var rows: Int
    /// The rows that it looked at because no index led to them.
    package var scannedRows: Int
    /// The rows of indexes that SQLite has made for it, which reads whole tables.
    package var indexedRows: Int

    package init(runs: Int, rows: Int, scannedRows: Int, indexedRows: Int) {
      self.runs = runs
      self.rows = rows
      self.scannedRows = scannedRows
      self.indexedRows = indexedRows
    }

    fileprivate static func += (sum: inout Work, one: Work) {
      sum.runs += one.runs
      sum.rows += one.rows
      sum.scannedRows += one.scannedRows
      sum.indexedRows += one.indexedRows
    }
  }

  /// What is known of one text.
  package struct Entry: Sendable {
    package let text: String
    package fileprivate(set) var work: Work
    /// The tables that were scanned.
    package fileprivate(set) var scannedTables: [String] = []
    /// The most rows of a run for which no such table was found.
    fileprivate var harmlessRows = -1
    /// The code that caused the scan, if known.
    package fileprivate(set) var scanSite: CallSite?
    package fileprivate(set) var loops: [Loop] = []
    fileprivate var stacks: [Int: Int] = [:]
  }

  /// A read that the same calls cause again and again.
  package struct Loop: Sendable {
    package fileprivate(set) var runs: Int
    /// The code that caused it, if known.
    package let site: CallSite?
    fileprivate let stack: Int
  }

  private struct State {
    var places: [String: Int] = [:]
    var entries: [Entry] = []

    /// Adds to the entry of a text, and returns its place.
    mutating func add(_ text: String, _ work: Work) -> Int {
      if let place = places[text] {
        entries[place].work += work
        return place
      }
      places[text] = entries.count
      entries.append(Entry(text: text, work: work))
      return entries.count - 1
    }
  }

  private let interest: Interest
  private let parent = StatementRecord.current
  private let state = Lock(State())

  package init(_ interest: Interest = Interest()) {
    self.interest = interest
    Self.live.wrappingAdd(1, ordering: .relaxed)
  }

  deinit { Self.live.wrappingSubtract(1, ordering: .relaxed) }

  /// The statements in the order of their first runs.
  package var entries: [Entry] { state.withLock(\.entries) }

  /// How many statements were run.
  package var runs: Int { entries.reduce(0) { $0 + $1.work.runs } }
}

// MARK: - Noting

extension StatementRecord {
  /// Notes a statement for this record, in which there are `depth` others, and those around it;
  /// `scannedTables` gives the tables of more rows than its argument that the statement scans, or
  /// nil if that cannot be known.
  package func note(
    _ text: String, isReading: Bool, _ work: Work, depth: Int = 0,
    scannedTables: (Int) -> [String]?
  ) {
    let place = state.withLock { $0.add(text, work) }
    if let limit = interest.scannedRows,
      work.indexedRows > 0 || work.scannedRows / max(1, work.runs) > limit
    {
      noteScan(
        place, (work.scannedRows + work.indexedRows) / max(1, work.runs), limit, scannedTables)
    }
    if isReading, !Self.isPlanned, let limit = interest.repetitions {
      noteStack(place, limit, depth)
    }
    parent?.note(
      text, isReading: isReading, work, depth: depth + 1, scannedTables: scannedTables)
  }

  /// Looks for the tables that a run of so many rows has scanned; again where tables have grown.
  private func noteScan(
    _ place: Int, _ rows: Int, _ limit: Int, _ scannedTables: (Int) -> [String]?
  ) {
    let entry = state.withLock { $0.entries[place] }
    guard entry.scannedTables.isEmpty, rows > entry.harmlessRows,
      let tables = scannedTables(limit)
    else { return }
    // A save may run on the thread of another task.
    let site = tables.isEmpty || Self.isPlanned ? nil : Self.callSite()
    state.withLock { state in
      state.entries[place].scannedTables = tables
      state.entries[place].harmlessRows = rows
      state.entries[place].scanSite = site
    }
  }

  private func noteStack(_ place: Int, _ limit: Int, _ depth: Int) {
    let stack = CallSite.stack(offset: Self.driverCalls + depth)
    let count = state.withLock { $0.entries[place].add(stack) }
    guard count == limit + 1 else { return }
    let site = Self.callSite()
    state.withLock { state in
      let runs = state.entries[place].stacks[stack] ?? count
      state.entries[place].loops.append(Loop(runs: runs, site: site, stack: stack))
    }
  }

  /// The calls between the loan of a statement and its note in the innermost record.
  ///
  /// They differ for the first run, which prepares it. Optimized code has fewer, and more above
  /// them before those of the caller.
  private static let driverCalls = 8

  private static func callSite() -> CallSite? { CallSite.nearest(outside: ownModules) }

  /// The modules whose code is not the code that asked.
  package static let ownModules = [
    "OxbowContext", "OxbowContainer", "OxbowRuntime", "OxbowPlatform", "OxbowModel", "OxbowStore",
    "OxbowRelational", "OxbowSQLite",
  ]
}

extension StatementRecord.Entry {
  /// Counts a run, and returns how many the same calls have caused.
  fileprivate mutating func add(_ stack: Int) -> Int {
    let count = stacks[stack, default: 0] + 1
    stacks[stack] = count
    for index in loops.indices where loops[index].stack == stack { loops[index].runs = count }
    return count
  }
}

// MARK: - What is noted where

extension StatementRecord {
  /// Runs `body`, whose statements are noted for another task: the one that waits for it.
  package static func noting<R>(for record: StatementRecord?, _ body: () throws -> R) rethrows -> R
  {
    guard isNeeded else { return try body() }
    return try $current.withValue(record, operation: body)
  }

  /// Runs `body`, which may repeat a statement and is not a loop of the caller's: a save, or a part
  /// of a result that is read in parts.
  package static func planned<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    guard isNeeded else { return try body() }
    return try $isPlanned.withValue(true) { () -> Result<R, E> in
      do throws(E) { return .success(try body()) } catch { return .failure(error) }
    }.get()
  }
}
