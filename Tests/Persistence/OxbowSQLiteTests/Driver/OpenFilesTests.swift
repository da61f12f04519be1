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

  #if canImport(Glibc)
    /// Runs `body` while the process may have so many files more open.
    private static func withRoom(_ room: Int, _ body: () throws -> Void) -> PersistenceError? {
      var limits = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
      let usual = limits.rlim_cur
      limits.rlim_cur = rlim_t((openFiles().last ?? 0) + 1)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
      // The numbers between those of open files.
      let gaps = Array(sequence(first: dup(0)) { $0 < 0 ? nil : dup(0) }.dropLast())
      limits.rlim_cur += rlim_t(room)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
      defer {
        for descriptor in gaps { close(descriptor) }
        limits.rlim_cur = usual
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
      }
      return errorOf(body)
    }

    @Test func `a backup for which no file can be opened is refused, and leaves the older (PS-02)`()
      async
    {
      await #expect(processExitsWith: .success) {
        let scratch = try Scratch()
        let library = try albums(in: scratch)
        try library.addPhoto(1, ["image": .data(image(1))])
        let (store, copy) = (SQLiteStoreFile(library.store.path), scratch.file("copy"))
        try store.backUp(to: copy)
        try library.addPhoto(2, ["image": .data(image(2))])
        var room = 0
        while let error = Self.withRoom(room, { try store.backUp(to: copy, overwriting: true) }) {
          #expect(error.code == .tooManyFiles, "\(room): \(error)")
          #expect(try SQLiteStoreFile(copy).check() == [], "\(room)")
          room += 1
        }
        #expect(room > 3)
      }
    }

    @Test func `PG-17 a value whose file cannot be opened names the limit (PS-02)`() async {
      await #expect(processExitsWith: .success) {
        let library = try albums()
        try library.addPhoto(1, ["image": .data(image(1))])
        #expect(try library.data(1) == image(1))
        for body in [
          { _ = try library.data(1) }, { try library.addPhoto(2, ["image": .data(image(2))]) },
        ] as [() throws -> Void] {
          let error = Self.withRoom(0, body)
          #expect(error?.code == .tooManyFiles)
          #expect(
            error?.message.contains(
              "which needs another open file, and this process may not have more (") == true)
        }
        #expect(try library.data(1) == image(1))
      }
    }
  #endif

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
