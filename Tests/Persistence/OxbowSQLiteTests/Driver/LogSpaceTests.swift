import FoundationEssentials
import OxbowRelational
import OxbowSQLite
import Testing

/// The zeros that the file of the write-ahead log has behind its last page.
@Suite struct LogSpaceTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  func open(_ change: (inout Database.Configuration) -> Void = { _ in }) throws -> Database {
    var configuration = Database.Configuration()
    change(&configuration)
    let database = try DatabaseRegistry.acquire(scratch.file(), configuration)
    try database.write { try $0.execute("CREATE TABLE IF NOT EXISTS t(v INTEGER)") }
    return database
  }

  func add(_ number: Int, to database: Database) throws {
    try database.write { connection in
      try connection.transaction(.write) {
        try connection.run("INSERT INTO t VALUES (?)", [.integer(Int64(number))])
      }
    }
  }

  func logBytes() throws -> Int {
    let file = try FileManager.default.attributesOfItem(atPath: scratch.file("store.sqlite-wal"))
    return try #require(file[.size] as? Int)
  }

  @Test func `the log's file is made longer for many commits at once`() throws {
    let database = try open()
    defer { DatabaseRegistry.release(database) }
    var lengths: Set<Int> = []
    for number in 0..<200 {
      try add(number, to: database)
      let pages = try database.write { $0.writeAheadLogPages }
      #expect(try logBytes() >= 32 + pages * 4120)
      lengths.insert(try logBytes())
    }
    #expect(lengths.count < 12)
  }

  @Test(arguments: [512, 4096, 65536])
  func `what is behind the log's end is not part of it, with pages of any size`(
    _ pageSize: Int
  ) throws {
    let maker = try Connection(path: scratch.file(), configuration: .init(role: .sole))
    try maker.execute("PRAGMA page_size = \(pageSize); VACUUM")
    maker.close()
    let database = try open()
    defer { DatabaseRegistry.release(database) }
    for number in 0..<100 { try add(number, to: database) }
    // As a program would find it that starts after a power failure.
    for ending in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: scratch.file("store.sqlite" + ending), toPath: scratch.file("copy" + ending))
    }
    let copy = try Connection(path: scratch.file("copy"), configuration: .init(role: .sole))
    defer { copy.close() }
    #expect(try copy.integer("PRAGMA page_size") == Int64(pageSize))
    #expect(try copy.integer("SELECT sum(v) FROM t") == 4950)
    #expect(try copy.text("PRAGMA integrity_check") == "ok")
  }

  @Test func `a program that knows nothing of the zeros adds to the same log`() throws {
    let database = try open()
    defer { DatabaseRegistry.release(database) }
    let other = try Connection(path: scratch.file(), configuration: .init(role: .writer))
    defer { other.close() }
    for number in 0..<300 {
      try add(number, to: database)
      if number % 3 == 0 {
        try other.run("INSERT INTO t VALUES (?)", [.integer(Int64(-number))])
      }
      if number % 100 == 50 {
        _ = try other.checkpoint(number % 200 == 50 ? .truncate : .restart)
      }
    }
    #expect(try database.read { try $0.integer("SELECT count(*) FROM t") } == 400)
    #expect(try database.read { try $0.text("PRAGMA integrity_check") } == "ok")
  }

  @Test func `the file does not grow with every checkpoint`() throws {
    let database = try open { $0.checkpointPages = 100 }
    defer { DatabaseRegistry.release(database) }
    for number in 0..<2000 { try add(number, to: database) }
    #expect(try logBytes() < 160 * 4120)
    _ = try database.checkpoint()
    #expect(try logBytes() == 0)
    for number in 0..<100 { try add(number, to: database) }
    #expect(try database.read { try $0.integer("SELECT count(*) FROM t") } == 2100)
  }
}
