import Foundation
import OxbowPlatform
import OxbowRuntime
import OxbowTesting
import Testing

// PS-16: tests see the statements that they cause.

@Suite(.objectContext { try PersistentContainer(.inMemory, model: shopModel) })
struct StatementsTraitTests {
  let store: PersistentContainer

  init() throws {
    store = try ObjectContextTrait.store
    try fill(store)
  }

  // MARK: How many

  @Test(.statements(atMost: 400)) func `few statements are no issue (PS-16)`() throws {
    #expect(try store.perform { try $0.fetch(works()).count } == 200)
  }

  @Test func `more statements than a test may run are an issue that lists them (PS-16)`()
    async throws
  {
    let found = try await issues(.statements(atMost: 2)) {
      try store.perform { context in
        for year in [3, 4] { _ = try context.fetch(works(.equal("year", year))) }
        _ = try context.count(works())
      }
    }
    let text = try #require(found.first?.text)
    #expect(found.count == 1)
    #expect(text.hasPrefix("3 statements were run, and at most 2 may be:\n  2 × SELECT "))
    #expect(text.hasSuffix("\n  1 × SELECT count(*) FROM \"Work\" AS t0"))
  }

  @Test func `what keeps a store going is not counted, and a read by a getter is (PS-16)`()
    async throws
  {
    let found = try await issues(.statements(atMost: 0)) {
      try store.perform { context in
        let work = try context.insert(entityNamed: "Work")
        try work.setValue("one more", for: "title")
        try context.save()
      }
      try store.perform { context in
        let work = try context.fetch(works(.equal("title", "work 1")))[0]
        _ = try work.objects("author").first?.value("name", as: String.self)
      }
    }
    let lines = try #require(found.first?.text).split(separator: "\n").dropFirst()
    #expect(
      lines.map { $0.split(separator: " ").prefix(3).joined(separator: " ") } == [
        "1 × INSERT", "1 × SELECT", "1 × SELECT",
      ])
    #expect(!lines.contains { $0.contains("_oxbow_") })
  }

  // MARK: Scans

  @Test(.noFullScans) func `an index and a small table are no full scans (PS-16)`() throws {
    try store.perform { context in
      _ = try context.fetch(works(.equal("title", "work 7")))
      _ = try context.fetch(FetchRequest<ManagedObject>(entityNamed: "Author"))
      let titles = (0..<300).map { "work \($0 * 3)" }
      _ = try context.fetch(works(.oneOf("title", titles)))
    }
  }

  // Filling the store takes 220 statements, and of the slices the last one has two.
  @Test(.statements(atMost: 241), .noFullScans(over: 21))
  func `a slice in the order of an index reads what it returns, wherever it is (PS-16)`() throws {
    try store.perform { context in
      for isAscending in [true, false] {
        let request = FetchRequest<ManagedObject>(
          entityNamed: "Work", sortedBy: [SortKey("title", ascending: isAscending)])
        var (count, token) = (0, nil as PageToken?)
        repeat {
          let slice = try context.slice(request, after: token, limit: 20)
          (count, token) = (count + slice.items.count, slice.next)
        } while token != nil
        #expect(count == 200)
      }
    }
  }

  @Test(.noFullScans(besides: "work")) func `a table may be excepted (PS-16)`() throws {
    #expect(try store.perform { try $0.fetch(works(.equal("year", 3))).count } == 20)
  }

  @Test(.noFullScans(over: 200)) func `a test says which tables are small (PS-16)`() throws {
    #expect(try store.perform { try $0.fetch(works(.equal("year", 3))).count } == 20)
  }

  @Test func `a full scan is an issue at the code that caused it (PS-16)`() async throws {
    let line = #line + 4
    let found = try await issues(.noFullScans) {
      for _ in 0..<3 {
        _ = try store.perform { context in
          try context.fetch(works(.equal("year", 3))).count
        }
      }
    }
    #expect(found.count == 1)
    let issue = try #require(found.first)
    #expect(
      issue.text.hasPrefix(
        "a statement reads 'Work' from beginning to end; add an index that its condition or order "
          + "can use, or name the table in 'besides': SELECT "))
    #if os(Linux)
      #expect(issue.line == line)
    #endif
  }

  @Test func `an index that SQLite makes for one statement is a full scan (PS-16)`() async throws {
    let sql: SQLText = """
      SELECT count(*) FROM "Work" AS a JOIN "Work" AS b ON a."year" = b."pages"
      """
    let found = try await issues(.noFullScans) {
      try store.perform { _ = try $0.fetchRows(sql: sql) }
    }
    #expect(found.map { $0.text.contains("reads 'Work' from") } == [true])
  }

  // MARK: Loops

  @Test(.noLoopedFetches) func `five rounds, cohorts, batches and saves are no loops (PS-16)`()
    throws
  {
    try store.perform { context in
      for year in 0..<5 { _ = try context.count(works(.equal("year", year))) }
      for work in try context.fetch(works()) {
        _ = try work.objects("author").first?.value("name", as: String.self)
      }
      try context.reset()
      for author in try context.fetch(FetchRequest<ManagedObject>(entityNamed: "Author")) {
        _ = try author.objects("works").count
      }
      try context.reset()
      for work in try context.fetch(works(), batchSize: 10) {
        _ = try work.value("title", as: String.self)
      }
      for number in 0..<10 {
        try context.insert(entityNamed: "Author").setValue("new \(number)", for: "name")
        try context.save()
      }
    }
  }

  @Test(.noLoopedFetches) func `the same fetch from different code is not a loop (PS-16)`() throws {
    try store.perform { context in
      _ = try context.fetch(works(.equal("title", "a")))
      _ = try context.fetch(works(.equal("title", "b")))
      _ = try context.fetch(works(.equal("title", "c")))
      _ = try context.fetch(works(.equal("title", "d")))
      _ = try context.fetch(works(.equal("title", "e")))
      _ = try context.fetch(works(.equal("title", "f")))
      _ = try context.fetch(works(.equal("title", "g")))
    }
  }

  @Test(arguments: [false, true])
  func `a fetch that runs six times in a loop is an issue at its line (PS-16)`(
    isInAnotherRecord: Bool
  ) async throws {
    let line = #line + 5
    let loop: @Sendable () throws -> Void = {
      try store.perform { context in
        let authors = try context.fetch(FetchRequest<ManagedObject>(entityNamed: "Author"))
        for author in authors.prefix(6) {
          _ = try context.fetch(works(.equal("author", author.objectID)))
        }
      }
    }
    let found = try await issues(.noLoopedFetches) {
      guard isInAnotherRecord else { return try loop() }
      try StatementRecord.$current.withValue(StatementRecord(), operation: loop)
    }
    try expectLoop(found, of: 6, at: line)
  }

  @Test func `a loop over asynchronous units of work is one (PS-16)`() async throws {
    let line = #line + 4
    let found = try await issues(.noLoopedFetches) {
      for number in 0..<20 {
        _ = try await store.perform { context in
          try context.fetch(works(.equal("title", "work \(number)"))).count
        }
      }
    }
    try #require(!found.isEmpty)
    #if os(Linux)
      #expect(found.allSatisfy { $0.line == line })
    #endif
  }

  private func expectLoop(_ found: [FoundIssue], of runs: Int, at line: Int) throws {
    let issue = try #require(found.first)
    #expect(found.count == 1)
    #expect(
      issue.text.hasPrefix(
        "the same fetch ran \(runs) times in a loop; fetch what all rounds need before it, or use "
          + "'prefetching': SELECT "))
    #if os(Linux)
      #expect(issue.line == line)
    #endif
  }

  // MARK: Other tests

  @Test(.timeLimit(.minutes(30)))
  func `tests that run at once do not see each other's statements (PS-16)`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    let store = try PersistentContainer(.file(file.path + "/shop.sqlite"), model: shopModel)
    defer { store.close() }
    let records = try await withThrowingTaskGroup(of: (Int, StatementRecord).self) { group in
      for number in 1...64 {
        group.addTask { (number, try await record(number, in: store)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for (number, record) in records {
      let counts = record.entries.map { ($0.text.prefix(6), $0.work.runs, $0.work.rows) }
      #expect(counts.map(\.0) == ["INSERT", "SELECT"])
      #expect(counts.map(\.1) == [number, number % 5 + 1], "of task \(number)")
      #expect(counts.map(\.2) == [0, (number % 5 + 1) * number], "of task \(number)")
    }
  }

  /// Saves so many objects at once, and reads them some times.
  private func record(_ number: Int, in store: PersistentContainer) async throws -> StatementRecord
  {
    let record = StatementRecord()
    try await StatementRecord.$current.withValue(record) {
      try await store.perform { context in
        for _ in 0..<number {
          let work = try context.insert(entityNamed: "Work")
          try work.setValue("of \(number)", for: "title")
        }
        try context.save()
      }
      for _ in 0...(number % 5) {
        let count = try await store.perform { context in
          try context.fetch(works(.equal("title", "of \(number)"))).count
        }
        #expect(count == number)
      }
    }
    return record
  }

  // MARK: Recorded

  @Test func `statements are recorded beside a test and compared (PS-16)`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let trait = { (writes: Bool) in
      StatementsTrait.statements(like: "page", besideFile: folder.path + "/T.swift", writes: writes)
    }
    let count = { @Sendable in try self.store.perform { _ = try $0.count(works()) } }
    let missing = try await issues(trait(false), count)
    #expect(
      missing.first?.text.hasPrefix("the file '\(folder.path)/page.sql' does not exist") == true)
    #expect(try await issues(trait(true), count).isEmpty)
    let file = try String(contentsOf: folder.appending(path: "page.sql"), encoding: .utf8)
    #expect(file == "1 × SELECT count(*) FROM \"Work\" AS t0\n")
    #expect(try await issues(trait(false), count).isEmpty)
    let other = try await issues(trait(false)) {
      try count()
      try count()
    }
    #expect(
      other.first?.text == """
        the statements are not those in '\(folder.path)/page.sql':
        - 1 × SELECT count(*) FROM "Work" AS t0
        + 2 × SELECT count(*) FROM "Work" AS t0
        if they are right, run OXBOW_RECORD=1 swift test --filter \
        'statements are recorded beside a test and compared .PS.16.'
        """)
  }

  @Test(arguments: [1])
  func `recorded statements of a test with arguments are those of all its cases (PS-16)`(
    _ argument: Int
  ) async throws {
    let found = try await issues(.statements(like: "none", besideFile: "/none/T.swift")) {}
    #expect(
      found.first?.text.hasSuffix(
        "; all cases of the test have this file, so cases with other statements need a test of their "
          + "own") == true)
  }
}

// MARK: - Help

private let shopModel = ManagedObjectModel(entities: [
  EntityDescription(
    "Author", attributes: [AttributeDescription("name", .string, isOptional: true)],
    relationships: [
      RelationshipDescription("works", to: "Work", inverse: "author", isToMany: true)
    ]),
  EntityDescription(
    "Work",
    attributes: [
      AttributeDescription("title", .string, isOptional: true),
      AttributeDescription("year", Int.attributeType, isOptional: true),
      AttributeDescription("pages", Int.attributeType, isOptional: true),
    ],
    relationships: [RelationshipDescription("author", to: "Author", inverse: "works")],
    fetchIndexes: [
      FetchIndexDescription("byTitle", elements: [FetchIndexDescription.Element("title")])
    ]),
])

private func works(_ condition: FetchPredicate? = nil) -> FetchRequest<ManagedObject> {
  FetchRequest(entityNamed: "Work", where: condition)
}

/// Saves 20 authors with ten works each.
private func fill(_ store: PersistentContainer) throws {
  try store.perform { context in
    for number in 0..<20 {
      let author = try context.insert(entityNamed: "Author")
      try author.setValue("author \(number)", for: "name")
      for part in 0..<10 {
        let work = try context.insert(entityNamed: "Work")
        try work.setValue("work \(number * 10 + part)", for: "title")
        try work.setValue(part, for: "year")
        try work.setValue(number, for: "pages")
        try work.setObjects([author], for: "author")
      }
    }
    try context.save()
  }
}

private struct FoundIssue: Sendable {
  let text: String
  let line: Int?
}

/// The issues that a trait records for `body`.
private func issues(
  _ trait: StatementsTrait, _ body: @Sendable () async throws -> Void
) async throws -> [FoundIssue] {
  let test = try #require(Test.current)
  let testCase = try #require(Test.Case.current)
  let found = Lock<[FoundIssue]>([])
  try await withKnownIssue(isIntermittent: true) {
    try await withoutActuallyEscaping(body) { body in
      try await trait.provideScope(for: test, testCase: testCase) { try await body() }
    }
  } matching: { issue in
    let text = issue.comments.map { "\($0)" }.joined()
    found.withLock { $0.append(FoundIssue(text: text, line: issue.sourceLocation?.line)) }
    return true
  }
  return found.withLock(\.self)
}
