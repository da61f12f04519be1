import Foundation
import OxbowPlatform
import OxbowRelational
import Testing

@testable import OxbowSQLite

/// Who commits changes that many threads ask for: decision 0136.
@Suite struct LeadingCommitTests {
  let scratch: Scratch
  let database: Database

  init() throws {
    scratch = try Scratch()
    var configuration = Database.Configuration()
    configuration.busyMilliseconds = 50
    database = try Database(path: scratch.file(), configuration: configuration)
    try database.write { try $0.execute("CREATE TABLE t(v INTEGER PRIMARY KEY)") }
  }

  private struct Results: Sendable {
    var writers: [ObjectIdentifier] = []
    var errors: [any Error] = []
  }

  /// Commits numbers, each on a thread of its own and asked for while the one before is written.
  ///
  /// - Returns: The threads that wrote the numbers, and what each commit threw.
  private func commitOneAfterTheOther(_ numbers: [Int]) throws -> Results {
    let results = Lock(Results())
    let threads = DispatchGroup()
    @Sendable func commit(_ place: Int) {
      threads.enter()
      Thread.detachNewThread { [database] in
        do {
          try database.commit { connection in
            results.withLock { $0.writers.append(ObjectIdentifier(Thread.current)) }
            if place + 1 < numbers.count {
              commit(place + 1)
              while database.waitingCommits == 0 { sched_yield() }
            }
            try connection.run("INSERT INTO t VALUES (?)", [.integer(Int64(numbers[place]))])
          } isDurable: { _ in
            nil
          }
        } catch { results.withLock { $0.errors.append(error) } }
        threads.leave()
      }
    }
    commit(0)
    threads.wait()
    return results.withLock { $0 }
  }

  private func numbers() throws -> [Int64] {
    try database.read { try $0.rows("SELECT v FROM t ORDER BY v") }.map {
      if case .integer(let number) = $0[0] { number } else { -1 }
    }
  }

  @Test func `who leads commits what came meanwhile, four times, and then another one (PS-06)`()
    throws
  {
    let results = try commitOneAfterTheOther(Array(1...10))
    let writers = results.writers
    #expect(results.errors.isEmpty)
    #expect(try numbers() == Array(1...10))
    for (place, writer) in writers.enumerated() {
      #expect(writer == writers[place / 4 * 4])
    }
    #expect(writers[0] != writers[4])
    #expect(writers[4] != writers[8])
  }

  @Test func `a change that fails fails alone, whatever thread leads (PS-06)`() throws {
    // The second and the sixth break the key.
    let errors = try commitOneAfterTheOther([1, 1, 2, 3, 4, 4, 5]).errors
    #expect(errors.count == 2)
    #expect(try numbers() == Array(1...5))
  }

  @Test func `a change that waits in vain fails, and later ones do not (PS-06)`()
    throws
  {
    let other = try Connection(path: scratch.file(), configuration: .init(role: .writer))
    try other.execute("BEGIN IMMEDIATE")
    let errors = try commitOneAfterTheOther([1]).errors
    #expect(errors.count == 1)
    #expect(database.waitingCommits == 0)
    try other.execute("COMMIT")
    other.close()
    let later = try commitOneAfterTheOther([2, 3])
    #expect(later.errors.isEmpty)
    #expect(try numbers() == [2, 3])
  }

  @Test(arguments: ["BEGIN IMMEDIATE", "BEGIN; SELECT * FROM t"], [1, 3])
  func `a database that others keep locked refuses all at once, each tried once (PS-06)`(
    _ lock: String, _ count: Int
  ) throws {
    // Of a rollback journal, a reader keeps the lock that a commit needs.
    let path = scratch.file("journal.sqlite")
    let connection = try Connection(path: path, configuration: .init(role: .sole))
    connection.setBusyTime(milliseconds: 10)
    try connection.execute("CREATE TABLE t(v INTEGER PRIMARY KEY)")
    let other = try Connection(path: path, configuration: .init(role: .sole))
    try other.execute("INSERT INTO t VALUES (100); \(lock)")
    let tried = Lock<[Int]>([])
    let changes = (0..<count).map { number in
      SharedCommit { connection in
        tried.withLock { $0.append(number) }
        try connection.run("INSERT INTO t VALUES (?)", [.integer(Int64(number))])
      } isDurable: { _ in
        nil
      }
    }
    #expect(other.isInTransaction)
    #expect(!CommitGroup(connection: connection).run(changes))
    for change in changes {
      let error = #expect(throws: SQLiteError.self) { try change.outcome()?.get() }
      #expect(error?.code.primary == .busy)
    }
    #expect(tried.withLock(\.self) == (lock == "BEGIN IMMEDIATE" ? [] : Array(0..<count)))
    try other.execute("COMMIT")
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
    other.close()
    connection.close()
  }
}
