import Foundation
import OxbowPlatform
import OxbowRelational
import OxbowSQLite
import Testing

@Suite struct DatabaseTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  func acquire(
    _ name: String = "store.sqlite", _ change: (inout Database.Configuration) -> Void = { _ in }
  ) throws -> Database {
    var configuration = Database.Configuration()
    configuration.busyMilliseconds = 50
    change(&configuration)
    return try DatabaseRegistry.acquire(scratch.file(name), configuration)
  }

  @Test func `two that open one file share its writer, by links too`() throws {
    let first = try acquire()
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("link"), withDestinationPath: scratch.file())
    let second = try acquire("link")
    #expect(first === second)
    DatabaseRegistry.release(first)
    #expect(try second.read { try $0.integer("SELECT 1") } == 1)
    DatabaseRegistry.release(second)
    #expect(throws: (any Error).self) { try second.read { try $0.integer("SELECT 1") } }
    let third = try acquire()
    #expect(third !== first)
    DatabaseRegistry.release(third)
  }

  @Test func `a file that is replaced while it is opened is opened anew`() throws {
    for name in ["store.sqlite", "new"] { DatabaseRegistry.release(try acquire(name)) }
    let database = try acquire { configuration in
      // This comes before the lock, for which an opening may wait.
      configuration.examine = { [scratch] _ in
        guard try scratch.files().contains("new") else { return }
        try FileManager.default.removeItem(atPath: scratch.file())
        try FileManager.default.moveItem(atPath: scratch.file("new"), toPath: scratch.file())
      }
    }
    defer { DatabaseRegistry.release(database) }
    #expect(try !scratch.files().contains("new"))
    try database.write { try $0.execute("CREATE TABLE t(v INTEGER)") }
    let second = try acquire()
    #expect(second === database)
    DatabaseRegistry.release(second)
  }

  @Test(arguments: [true, false])
  func `a log is not worked into the file that took the place of its own`(_ isMoved: Bool) throws {
    let new = try acquire("new")
    try new.write { try $0.execute("CREATE TABLE t(v INTEGER); INSERT INTO t VALUES (2)") }
    DatabaseRegistry.release(new)
    let old = try acquire()
    try old.write { try $0.execute("CREATE TABLE t(v INTEGER); INSERT INTO t VALUES (1)") }
    if isMoved {
      try FileManager.default.moveItem(atPath: scratch.file(), toPath: scratch.file("old"))
    }
    #expect(rename(scratch.file("new"), scratch.file()) == 0)
    DatabaseRegistry.release(old)
    #expect(
      try scratch.files().filter { !$0.hasSuffix("-lock") }
        == (isMoved ? ["old", "store.sqlite"] : ["store.sqlite"]))
    for (name, value) in isMoved ? [("store.sqlite", 2), ("old", 1)] : [("store.sqlite", 2)] {
      let database = try acquire(name)
      #expect(try database.read { try $0.integer("SELECT v FROM t") } == Int64(value))
      DatabaseRegistry.release(database)
    }
  }

  @Test func `a log that is another's stays where it is`() throws {
    let new = try acquire("new")
    try new.write { try $0.execute("CREATE TABLE t(v INTEGER); INSERT INTO t VALUES (2)") }
    let old = try acquire()
    try old.write { try $0.execute("CREATE TABLE t(v INTEGER); INSERT INTO t VALUES (1)") }
    for suffix in ["-shm", "-wal", ""] {
      try FileManager.default.removeItem(atPath: scratch.file() + suffix)
    }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: scratch.file("new") + suffix, toPath: scratch.file() + suffix)
    }
    DatabaseRegistry.release(old)
    let database = try acquire()
    #expect(try database.read { try $0.integer("SELECT v FROM t") } == 2)
    DatabaseRegistry.release(database)
    DatabaseRegistry.release(new)
  }

  @Test func `closing leaves the database alone, without log`() throws {
    let database = try acquire()
    try database.write { try $0.execute("CREATE TABLE t(v INTEGER)") }
    #expect(try scratch.files().contains("store.sqlite-wal"))
    DatabaseRegistry.release(database)
    #expect(try scratch.files() == ["store.sqlite", "store.sqlite-lock"])
  }

  @Test func `the log is checkpointed by the writer when it has grown`() throws {
    let database = try acquire { $0.checkpointPages = 20 }
    defer { DatabaseRegistry.release(database) }
    try database.write { try $0.execute("CREATE TABLE t(v BLOB)") }
    for _ in 0..<50 {
      try database.write { try $0.run("INSERT INTO t VALUES (randomblob(9000))") }
    }
    let pages = try database.write { $0.writeAheadLogPages }
    #expect(pages < 40)
    #expect(try database.read { try $0.integer("SELECT count(*) FROM t") } == 50)
  }

  @Test func `readers see whole commits while one writes`() async throws {
    let database = try acquire { $0.synchronous = .off }
    defer { DatabaseRegistry.release(database) }
    try database.write { try $0.execute("CREATE TABLE t(v INTEGER)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for round in 0..<200 {
          try database.write { writer in
            try writer.transaction(.write) {
              try writer.run("INSERT INTO t VALUES (?)", [.integer(Int64(round))])
              try writer.run("INSERT INTO t VALUES (?)", [.integer(Int64(-round))])
            }
          }
        }
      }
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<200 {
            let row = try database.read { try $0.rows("SELECT count(*), sum(v) FROM t")[0] }
            guard case .integer(let count) = row[0] else { return }
            #expect(count % 2 == 0)
            #expect(count == 0 || row[1] == .integer(0))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a pool without a free reader says so`() throws {
    let database = try acquire { $0.maximumReaders = 1 }
    defer { DatabaseRegistry.release(database) }
    let error = #expect(throws: (any Error).self) {
      try database.read { _ in try database.read { _ in } }
    }
    #expect(String(describing: error).contains("Exhausted"))
  }

  /// Reads on as many threads, each of which waits for the one reader before the next begins.
  ///
  /// `note` is called while a thread has the reader, or with what it got instead.
  private func readOneAfterTheOther(
    _ count: Int, _ database: Database, _ note: @escaping @Sendable (Int, (any Error)?) -> Void
  ) {
    for number in 0..<count {
      _ = runInBackground {
        do { try database.read { _ in note(number, nil) } } catch { note(number, error) }
      }
      while database.waitingReaders <= number { sched_yield() }
    }
  }

  @Test(.timeLimit(.minutes(30)))
  func `readers are lent in the order of asking, also to one that comes back (PS-02)`() throws {
    let database = try acquire { ($0.maximumReaders, $0.busyMilliseconds) = (1, 3_600_000) }
    defer { DatabaseRegistry.release(database) }
    let order = Lock<[Int]>([])
    try database.read { _ in
      readOneAfterTheOther(6, database) { number, _ in order.withLock { $0.append(number) } }
    }
    #expect(try database.read { _ in order.withLock(\.self) } == Array(0..<6))
  }

  @Test(.timeLimit(.minutes(30)))
  func `a database that is closed refuses those that wait for a reader (PS-02)`() throws {
    let database = try acquire { ($0.maximumReaders, $0.busyMilliseconds) = (1, 3_600_000) }
    let failures = Monitor<[String]>([])
    try database.read { _ in
      readOneAfterTheOther(3, database) { _, error in
        failures.update { $0.append(error.map(String.init(describing:)) ?? "") }
      }
      database.close()
    }
    let texts = failures.wait { $0.count == 3 ? $0 : nil }
    #expect(texts.allSatisfy { $0.contains("Closed") })
    DatabaseRegistry.release(database)
  }

  @Test func `a rollback journal and memory have one connection`() throws {
    let journal = try acquire { $0.usesWriteAheadLog = false }
    #expect(journal.journalMode == "delete")
    #expect(journal.hasOneConnection)
    try journal.write { try $0.execute("CREATE TABLE t(v INTEGER)") }
    #expect(try journal.read { try $0.integer("SELECT count(*) FROM t") } == 0)
    DatabaseRegistry.release(journal)
    let memory = try Database.inMemory()
    #expect(memory.journalMode == "memory")
    #expect(memory.hasOneConnection)
    memory.close()
  }

  @Test func `a read-only database refuses to write and leaves no files`() throws {
    let writer = try acquire { $0.usesWriteAheadLog = false }
    try writer.write { try $0.execute("CREATE TABLE t(v INTEGER); INSERT INTO t VALUES (7)") }
    DatabaseRegistry.release(writer)
    let reader = try acquire { $0.isReadOnly = true }
    defer { DatabaseRegistry.release(reader) }
    #expect(try reader.read { try $0.integer("SELECT v FROM t") } == 7)
    #expect(throws: (any Error).self) { try reader.write { try $0.run("DELETE FROM t") } }
    #expect(throws: SQLiteError.self) { try reader.read { try $0.run("DELETE FROM t") } }
  }

  @Test func `what cannot be a database is refused by name`() throws {
    let text = try scratch.write("this is not a database, and long enough", to: "text")
    let error = #expect(throws: SQLiteError.self) { try acquire("text") }
    #expect(error?.code == .notADatabase)
    #expect(error?.path == text)
    #expect(throws: DatabaseRegistry.Unreachable.self) { try acquire("missing/store") }
    #expect(throws: DatabaseRegistry.Unreachable.self) { try acquire("") }
    #expect(throws: DatabaseRegistry.Unreachable.self) {
      try acquire("nowhere") { $0.isReadOnly = true }
    }
  }
}
