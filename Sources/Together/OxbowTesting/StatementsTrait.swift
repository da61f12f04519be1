internal import OxbowFoundation
internal import OxbowPlatform
internal import OxbowRuntime
public import Testing

/// Fails a test for the statements that it causes.
///
/// A test that passes with three statements today may need a thousand tomorrow, and no one sees
/// it. These traits see it:
///
/// ```swift
/// @Test(
///   .objectContext { try PersistentContainer(.temporary, types: [Book.self, Author.self]) },
///   .statements(atMost: 2), .noFullScans, .noLoopedFetches)
/// func `a page of books is read at once`() throws { … }
/// ```
///
/// They concern the statements of the test's task and its child tasks, through whatever context,
/// those of `perform` and of saves that share a commit included; other tests are left alone. A
/// statement reads or writes objects: a read that a getter causes is one, and each object of a save
/// may be one. What keeps the store going is not counted: transactions, the schema, keys, history
/// and checkpoints.
///
/// A trait sees what runs inside it: after `.objectContext`, it does not see the store being opened
/// and prepared. What the `init` of a suite does is part of each test.
public struct StatementsTrait: TestTrait, SuiteTrait, TestScoping {
  enum Rule: Sendable {
    case atMost(Int)
    case noFullScans(besides: [String], over: Int)
    case noLoops(over: Int)
    case like(RecordedStatements)
  }

  let rule: Rule

  /// Whether it concerns every test of a suite, each for itself.
  public var isRecursive: Bool { true }

  /// Runs a test and records an issue for each fault of its statements.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let record = StatementRecord(rule.interest)
    defer { rule.judge(record, test) }
    try await StatementRecord.$current.withValue(record) { try await function() }
  }
}

extension StatementsTrait.Rule {
  fileprivate var interest: StatementRecord.Interest {
    switch self {
    case .atMost, .like: StatementRecord.Interest()
    case .noFullScans(_, let limit): StatementRecord.Interest(scannedRows: limit)
    case .noLoops(let limit): StatementRecord.Interest(repetitions: limit)
    }
  }

  fileprivate func judge(_ record: StatementRecord, _ test: Test) {
    switch self {
    case .atMost(let limit): judge(record, atMost: limit, test)
    case .noFullScans(let besides, _):
      for entry in record.entries { judge(entry, besides, test) }
    case .noLoops:
      for entry in record.entries { judgeLoops(entry, test) }
    case .like(let file): file.judge(record, test)
    }
  }

  private func judge(_ record: StatementRecord, atMost limit: Int, _ test: Test) {
    guard record.runs > limit else { return }
    let lines = record.entries.map { "\n  \($0.line)" }.joined()
    test.report("\(record.runs) statements were run, and at most \(limit) may be:\(lines)", at: nil)
  }

  private func judge(_ entry: StatementRecord.Entry, _ besides: [String], _ test: Test) {
    let allowed = Set(besides.map { $0.lowercased() })
    let tables = entry.scannedTables.filter { !allowed.contains($0.lowercased()) }
    guard !tables.isEmpty else { return }
    let names = tables.map { "'\($0)'" }.joined(separator: " and ")
    test.report(
      "a statement reads \(names) from beginning to end; add an index that its condition or order "
        + "can use, or name the table in 'besides': \(entry.text)", at: entry.scanSite)
  }

  private func judgeLoops(_ entry: StatementRecord.Entry, _ test: Test) {
    for loop in entry.loops {
      test.report(
        "the same fetch ran \(loop.runs) times in a loop; fetch what all rounds need before it, or "
          + "use 'prefetching': \(entry.text)", at: loop.site)
    }
  }
}

extension StatementRecord.Entry {
  /// The number of its runs, and the text.
  var line: String { "\(work.runs) × \(text)" }
}

extension Test {
  /// Records an issue at the code that caused it, if that is known.
  func report(_ text: String, at site: CallSite?) {
    guard let site else {
      return _ = Issue.record("\(text)", sourceLocation: sourceLocation)
    }
    let name = site.file.split(separator: "/").last.map(String.init) ?? site.file
    Issue.record(
      "\(text)",
      sourceLocation: SourceLocation(
        fileID: "\(sourceLocation.moduleName)/\(name)", filePath: site.file, line: site.line,
        column: max(1, site.column)))
  }
}

extension Trait where Self == StatementsTrait {
  /// Fails the test when it runs more statements; the issue lists them.
  public static func statements(atMost limit: Int) -> StatementsTrait {
    StatementsTrait(rule: .atMost(limit))
  }

  /// Fails the test when a statement reads a table of more than 100 rows from beginning to end.
  public static var noFullScans: StatementsTrait { .noFullScans() }

  /// Fails the test when a statement reads a large table from beginning to end.
  ///
  /// - Parameters:
  ///   - besides: Tables that may be read so. A table has the name of its root entity, unless the
  ///     model or the file gives another.
  ///   - rows: Up to how many rows a table is small.
  /// - Returns: The trait.
  public static func noFullScans(besides: String..., over rows: Int = 100) -> StatementsTrait {
    StatementsTrait(rule: .noFullScans(besides: besides, over: rows))
  }

  /// Fails the test when the same fetch runs more than five times from the same code.
  ///
  /// A fetch inside a loop, or a relationship that is read for one object after the other. One
  /// statement for many objects is not a loop, nor are the batches of a fetch in batches, nor what
  /// a save has to read. Where the system has no backtraces, all runs of a fetch count, wherever
  /// they come from.
  public static var noLoopedFetches: StatementsTrait { StatementsTrait(rule: .noLoops(over: 5)) }

  /// Fails the test when its statements differ from those in a file beside it.
  ///
  /// The file `NAME.sql` has a line for each statement, in the order of their first runs, with the
  /// number of runs. With `OXBOW_RECORD=1` in the environment it is written, and the test passes;
  /// the issue names that command. All cases of a test with arguments have the same file, and run
  /// the same statements. Exclude such files in `Package.swift`.
  ///
  /// - Parameters:
  ///   - name: The file, without its extension.
  ///   - path: The path of the test's source file.
  /// - Returns: The trait.
  public static func statements(
    like name: String, besideFile path: String = #filePath
  ) -> StatementsTrait {
    StatementsTrait(rule: .like(RecordedStatements(name: name, sourcePath: path)))
  }

  /// Likewise, and says whether the file is written.
  package static func statements(
    like name: String, besideFile path: String, writes: Bool
  ) -> StatementsTrait {
    StatementsTrait(
      rule: .like(RecordedStatements(name: name, sourcePath: path, writes: writes)))
  }
}
