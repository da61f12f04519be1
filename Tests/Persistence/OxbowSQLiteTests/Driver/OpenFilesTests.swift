import Foundation
import OxbowModel
import OxbowStore
import OxbowStoreContract
import Testing

@testable import OxbowSQLite

private func openFiles() -> [Int32] { (0..<1 << 16).filter { fcntl($0, F_GETFD) >= 0 } }

@Suite struct OpenFilesTests {
  /// Opens new stores in a folder until that fails, in a process that may have at least so many
  /// files more open than it has.
  static func openAll(_ room: Int32, _ body: ([SQLiteStore], Scratch) throws -> Void) throws {
    let limit = UInt64((openFiles().last ?? 0) + 1 + room)
    let scratch = try Scratch()
    let model = try CompiledModel(libraryModel())
    var limits = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
    #if canImport(Glibc)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    #else
      setrlimit(RLIMIT_NOFILE, &limits)
    #endif
    var stores: [SQLiteStore] = []
    do {
      while stores.count < limit {
        let path = scratch.file("\(stores.count).sqlite")
        stores.append(try SQLiteStore(model, at: .file(path)))
      }
    } catch {
      #expect(error.code == .tooManyFiles)
      #expect(
        error.message == """
          the store '\(scratch.file("\(stores.count).sqlite"))' needs another open file, and this \
          process may not have more (\(limit)): close stores and files that are not needed, or \
          raise the limit, as 'ulimit -n' does for a process
          """)
    }
    try body(stores, scratch)
  }

  // Each limit ends at another of the files that opening needs.
  @Test(arguments: [30, 31, 32, 33] as [Int32])
  func `a process that may not open more files is given its limit (PS-02)`(room: Int32) async {
    await #expect(processExitsWith: .success) { [room] in
      try OpenFilesTests.openAll(room) { stores, scratch in
        #expect(stores.count >= 5)
        // What was opened goes on, and room that is made is used.
        stores.last?.close()
        _ = try SQLiteStore(CompiledModel(libraryModel()), at: .file(scratch.file("more.sqlite")))
      }
    }
  }

  @Test func `a store that is not read yet has four files open (PS-02)`() async {
    await #expect(processExitsWith: .success) {
      try OpenFilesTests.openAll(50) { stores, _ in
        let before = openFiles().count
        for store in stores { store.close() }
        #expect(before - openFiles().count == stores.count * 4)
      }
    }
  }

  @Test func `a process that opens one store after the other keeps nothing of them (PS-02)`() async
  {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      let notes = try scratch.write("notes", to: "notes")
      let model = try CompiledModel(libraryModel())
      for number in 0..<10 {
        let path = scratch.file("\(number).sqlite")
        let (first, second) = try (
          SQLiteStore(model, at: .file(path)), SQLiteStore(model, at: .file(path))
        )
        first.close()
        #expect(DatabaseRegistry.count == 1)
        second.close()
        #expect(errorOf { _ = try SQLiteStore(model, at: .file(notes)) }?.code == .notAStore)
        #expect(DatabaseRegistry.count == 0)
      }
    }
  }
}
