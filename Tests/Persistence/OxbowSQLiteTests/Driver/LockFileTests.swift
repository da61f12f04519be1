import OxbowPlatform
import Testing

@testable import OxbowSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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

  @Test(.timeLimit(.minutes(30)))
  func `an opening that waited for a file which is removed has the next one`() throws {
    let holder = try LockFile(
      besideStore: store, usage: .alone, milliseconds: 30, isRemoved: true)
    let result = Monitor<Result<LockFile, any Error>?>(nil)
    let path = store
    _ = runInBackground {
      let opened = Result {
        try LockFile.current(besideStore: path, usage: .shared, milliseconds: 3_600_000)
      }
      result.update { $0 = opened }
    }
    // It has opened the file and waits.
    while openings(of: store + "-lock") < 2 { sched_yield() }
    holder.close()
    let opened = try result.wait(for: \.self).get()
    #expect(opened.isAtItsPath)
    #expect(throws: (any Error).self) { try open(.alone) }
    opened.close()
  }

  /// How many descriptors of this process are of a file.
  private func openings(of path: String) -> Int {
    var named = stat()
    guard stat(path, &named) == 0 else { return 0 }
    return (0..<Int32(4096)).count { descriptor in
      var status = stat()
      return fstat(descriptor, &status) == 0
        && (status.st_dev, status.st_ino) == (named.st_dev, named.st_ino)
    }
  }

  private func attributes(_ path: String) throws -> [FileAttributeKey: Any] {
    try FileManager.default.attributesOfItem(atPath: path)
  }

  @Test(arguments: [0o600, 0o660, 0o666])
  func `those who may use the store may use its lock`(mode: Int) throws {
    func allow(_ mode: Int) throws {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: store)
    }
    #expect(FileManager.default.createFile(atPath: store, contents: nil))
    try allow(mode)
    try open().close()
    #expect(try attributes(store + "-lock")[.posixPermissions] as? Int == mode)
    // The superuser leaves a file that is there as it is: the name may be a link.
    try allow(0o640)
    try open().close()
    let expected = geteuid() == 0 ? mode : 0o640
    #expect(try attributes(store + "-lock")[.posixPermissions] as? Int == expected)
  }

  @Test(.enabled(if: geteuid() == 0, "only the superuser may give a file away"))
  func `a lock that the superuser makes belongs to the store's owner`() throws {
    #expect(FileManager.default.createFile(atPath: store, contents: nil))
    #expect(chown(store, 1234, 2345) == 0)
    try open().close()
    let found = try attributes(store + "-lock")
    #expect(found[.ownerAccountID] as? Int == 1234)
    #expect(found[.groupOwnerAccountID] as? Int == 2345)
  }

  @Test(.enabled(if: geteuid() == 0, "only the superuser may give a file away"))
  func `the superuser gives away no file that a link leads to`() throws {
    #expect(FileManager.default.createFile(atPath: store, contents: nil))
    #expect(chown(store, 1234, 2345) == 0)
    let other = scratch.file("other")
    #expect(FileManager.default.createFile(atPath: other, contents: nil))
    let owner = try attributes(other)[.ownerAccountID] as? Int
    #expect(symlink(other, store + "-lock") == 0)
    try open().close()
    #expect(try attributes(other)[.ownerAccountID] as? Int == owner)
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

  @Test(.timeLimit(.minutes(30))) func `a touch is a write that changes nothing`() async throws {
    let lock = try open()
    try lock.withWriteLock(milliseconds: 0) {}
    let before = try Data(contentsOf: URL(filePath: lock.path))
    let (looks, found) = AsyncStream.makeStream(of: Void.self)
    let watch = FileWatch(lock.path) {
      found.yield()
      return .found
    }
    lock.touch()
    for await _ in looks { break }
    #expect(try Data(contentsOf: URL(filePath: lock.path)) == before)
    withExtendedLifetime(watch) {}
  }

  @Test func `a lock file that cannot be made says why`() {
    let error = #expect(throws: LockFile.Unusable.self) {
      try LockFile(
        besideStore: scratch.file("missing/store"), usage: .shared, milliseconds: 0)
    }
    #expect(error?.reason == "No such file or directory")
  }
}
