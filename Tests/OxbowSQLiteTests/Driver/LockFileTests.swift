import FoundationEssentials
import OxbowSQLite
import Testing

// Locks belong to the open file description, so two lock files in one process exclude each other
// exactly as those of two processes do.
@Suite struct LockFileTests {
  let scratch: Scratch
  let store: String

  init() throws {
    scratch = try Scratch()
    store = scratch.file()
  }

  func open(_ usage: LockFile.Usage = .shared) throws -> LockFile {
    try LockFile(besideStore: store, usage: usage, milliseconds: 30)
  }

  @Test func `several may have a store open`() throws {
    let first = try open()
    let second = try open()
    #expect(first.others().count == 1)
    #expect(second.others().map(\.process) == [Int(ProcessInfo.processInfo.processIdentifier)])
    second.close()
    #expect(first.others().isEmpty)
  }

  @Test func `one writes at a time, and the other learns who`() throws {
    let first = try open()
    let second = try open()
    try first.withWriteLock(milliseconds: 0) {
      let error = #expect(throws: LockFile.Unavailable.self) {
        try second.withWriteLock(milliseconds: 30) {}
      }
      #expect(error?.purpose == "write to the store")
      #expect(error?.holders.count == 1)
      #expect(error?.path == store + "-lock")
    }
    try second.withWriteLock(milliseconds: 0) {}
  }

  @Test func `a migration waits for all others, and names them`() throws {
    let user = try open()
    let error = #expect(throws: LockFile.Unavailable.self) { try open(.alone) }
    #expect(error?.purpose == "migrate the store")
    #expect(error?.holders.first?.description.hasPrefix("process ") == true)
    user.close()
    let migration = try open(.alone)
    #expect(throws: LockFile.Unavailable.self) { try open() }
    migration.close()
    _ = try open()
  }

  @Test func `the file can be read by people`() throws {
    let lock = try open()
    try lock.withWriteLock(milliseconds: 0) {}
    let text = try String(contentsOf: URL(filePath: lock.path), encoding: .utf8)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines.allSatisfy { $0.hasPrefix("\(ProcessInfo.processInfo.processIdentifier) ") })
  }

  @Test func `a lock file that cannot be made says why`() {
    let error = #expect(throws: LockFile.Unusable.self) {
      try LockFile(
        besideStore: scratch.file("missing/store"), usage: .shared, milliseconds: 0)
    }
    #expect(error?.reason == "No such file or directory")
  }
}
