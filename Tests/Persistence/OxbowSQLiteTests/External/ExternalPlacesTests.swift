import Foundation
import OxbowModel
import OxbowPlatform
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

#if canImport(Glibc)
  import Glibc
#endif

/// Stores with values in files at paths of any kind, with folders that are missing or in the way,
/// and with several threads and processes.
@Suite struct ExternalPlacesTests {
  private static func open(
    _ path: String, _ kind: StoreKind, isReadOnly: Bool = false
  ) throws -> SQLiteStore {
    try SQLiteStore(
      CompiledModel(albumModel()), at: .file(path),
      options: SQLiteStoreOptions(
        isReadOnly: isReadOnly, usesWriteAheadLog: kind == .file, externalStorageThreshold: 1000))
  }

  private static func add(_ key: Int64, to store: SQLiteStore) throws {
    let photo = try store.model.requireEntity(named: "Photo")
    var changes = ChangeSet()
    changes.inserts = [
      ChangeSet.Insert(
        entity: photo.index, key: key,
        values: ContiguousArray(
          photo.properties.map { property in
            switch property.name {
            case "title": .string("")
            case "image": .data(image(Int(key)))
            default: nil
            }
          }))
    ]
    try store.save(changes)
  }

  private static func has(_ keys: ClosedRange<Int64>, _ store: SQLiteStore) throws -> Bool {
    let photo = try store.model.requireEntity(named: "Photo")
    let property = try photo.requireProperty(named: "image")
    return try keys.allSatisfy { key in
      try store.rows(of: photo.index, keys: [key]).first?.storedValue(0, property)
        == .data(image(Int(key)))
    }
  }

  @Test(arguments: filed, ["a b%20c?d#e", "ä 100%", "f-files", "q'u\"o"])
  func `PG-17 a store is at any path, and behind links to it and to its folder`(
    _ kind: StoreKind, _ name: String
  ) throws {
    let scratch = try Scratch()
    let manager = FileManager.default
    try manager.createDirectory(
      atPath: scratch.file(name), withIntermediateDirectories: true)
    let path = scratch.file(name) + "/" + name + ".sqlite"
    let (link, folder) = (scratch.file("link"), scratch.file("folder"))
    try manager.createSymbolicLink(atPath: link, withDestinationPath: path)
    try manager.createSymbolicLink(atPath: folder, withDestinationPath: scratch.file(name))
    let stores = [
      try Self.open(path, kind), try Self.open(link, kind),
      try Self.open("\(folder)/\(name).sqlite", kind, isReadOnly: true),
    ]
    try Self.add(1, to: stores[0])
    try Self.add(2, to: stores[1])
    for store in stores { #expect(try Self.has(1...2, store)) }
    for store in stores { store.close() }
    #expect(try manager.contentsOfDirectory(atPath: path + "-files").count == 3)
    #expect(!manager.fileExists(atPath: link + "-files"))
    let backup = scratch.file("backup")
    try SQLiteStoreFile(link).backUp(to: backup)
    #expect(try SQLiteStoreFile(backup).check() == [])
    try SQLiteStoreFile(link).restore(from: backup, replacing: true)
    let restored = try Self.open(path, kind)
    #expect(try Self.has(1...2, restored))
    restored.close()
    #expect(try SQLiteStoreFile(link).check() == [])
  }

  @Test(arguments: filed)
  func `PG-17 a folder that is taken away is made again, and what was in it is an error`(
    _ kind: StoreKind
  ) throws {
    let library = try albums(kind)
    try library.addPhoto(1, ["image": .data(image(1))])
    try FileManager.default.removeItem(atPath: library.folder)
    #expect(errorOf { _ = try library.data(1) }?.code == .invalidStoredValue)
    try library.addPhoto(2, ["image": .data(image(2))])
    #expect(try library.data(2) == image(2))
    try library.changePhoto(1, 1, ["image": .data(image(1))])
    #expect(try library.data(1) == image(1))
    try library.tidy()
    #expect(try SQLiteStoreFile(library.store.path).check() == [])
  }

  @Test func `PG-17 a store whose folder cannot be made keeps what fits into rows`() throws {
    let scratch = try Scratch()
    _ = try scratch.write("in the way", to: "store.sqlite-files")
    let library = try albums(in: scratch)
    let error = errorOf { try library.addPhoto(1, ["image": .data(image(1))]) }
    #expect(error?.code == .ioFailure)
    #expect(
      error?.message.hasSuffix(
        "belongs in '\(library.folder)', which must be a folder, but is not; nothing was saved: "
          + "move away what has this name") == true)
    try library.addPhoto(2, ["image": .data(image(2, 100))])
    library.store.close()
    let again = try albums(in: scratch)
    #expect(try again.data(1) == nil)
    #expect(try again.data(2) == image(2, 100))
    let file = SQLiteStoreFile(again.store.path)
    #expect(try file.check() == [])
    try file.compact()
  }

  @Test func `PG-17 a backup that lacks a file is not restored, and the store stays`() throws {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(1))])
    let copy = library.scratch.file("copy")
    let file = SQLiteStoreFile(library.store.path)
    try file.backUp(to: copy)
    let name = try #require(library.externalNames.first)
    try FileManager.default.removeItem(atPath: copy + "-files/" + name)
    library.store.close()
    let error = errorOf { try file.restore(from: copy, replacing: true) }
    #expect(error?.code == .invalidStoredValue)
    #expect(error?.message.contains("\(copy)-files/\(name)") == true)
    #expect(try file.check() == [])
    #expect(try library.scratch.files().filter { $0.contains("restoring") } == [])
    #expect(try albums(in: library.scratch).data(1) == image(1))
  }

  @Test func `PG-17 restoring takes the folder of the store away, and brings it back`() throws {
    let plain = try albums(model: albumModel(allowsExternalStorage: false))
    try plain.addPhoto(1, ["image": .data(image(1))])
    let copy = plain.scratch.file("copy")
    let file = SQLiteStoreFile(plain.store.path)
    try file.backUp(to: copy)
    plain.store.close()
    let library = try albums(in: plain.scratch)
    try library.addPhoto(2, ["image": .data(image(2))])
    library.store.close()
    let kept = try #require(try file.restore(from: copy, replacing: true))
    #expect(!FileManager.default.fileExists(atPath: library.folder))
    #expect(try SQLiteStoreFile(kept).check() == [])
    try file.restore(from: kept, replacing: true)
    let again = try albums(in: plain.scratch)
    #expect(try again.data(1) == image(1))
    #expect(try again.data(2) == image(2))
    #expect(try file.check() == [])
  }

  @Test(arguments: [-5, 0, 1])
  func `PG-17 no value and an empty one are in rows, however low the threshold is`(
    _ threshold: Int
  ) throws {
    let library = try albums(threshold: threshold)
    try library.addPhoto(1, ["image": .data(Data())])
    try library.addPhoto(2, ["image": .data(Data([7]))])
    try library.addPhoto(3, ["image": .data(image(3)[5..<100])])
    #expect(try library.data(1) == Data())
    #expect(try library.data(2) == Data([7]))
    #expect(try library.data(3) == Data(image(3)[5..<100]))
    #expect(library.externalNames.count == (threshold < 1 ? 2 : 1))
    try library.changePhoto(2, 1, ["image": nil])
    try library.changePhoto(3, 1, ["image": .data(Data())])
    #expect(try library.data(2) == nil)
    #expect(try library.data(3) == Data())
    try library.tidy()
    #expect(library.externalNames == [])
  }

  @Test func `PG-17 a reader of another program keeps the file that it may need`() throws {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(1))])
    let intruder = try library.intruder()
    try intruder.execute("BEGIN")
    #expect(try intruder.integer("SELECT count(*) FROM Photo") == 1)
    try library.changePhoto(1, 1, ["image": .data(image(2))])
    #expect(try library.tidy() == false)
    library.store.close()
    let again = try albums(in: library.scratch)
    #expect(again.externalNames.count == 2)
    try intruder.execute("COMMIT")
    intruder.close()
    #expect(try again.tidy())
    #expect(again.externalNames.count == 1)
    #expect(try again.data(1) == image(2))
  }

  @Test func `PG-17 stores with and without a log take turns with the same files`() throws {
    let log = try albums(.file)
    try log.addPhoto(1, ["image": .data(image(1))])
    log.store.close()
    let journal = try albums(.rollbackJournal, in: log.scratch)
    try journal.changePhoto(1, 1, ["image": .data(image(2))])
    try journal.tidy()
    #expect(journal.externalNames.count == 1)
    journal.store.close()
    let again = try albums(.file, in: log.scratch)
    #expect(try again.data(1) == image(2))
  }
}

// MARK: - Threads and processes

extension ExternalPlacesTests {
  /// Adds photos on eight threads.
  ///
  /// - Returns: What was saved, and the codes of the errors.
  private static func addOnThreads(
    _ count: Int, to library: Library, meanwhile: (Lock<[Int64]>) -> Void = { _ in }
  ) -> (saved: [Int64], codes: Set<PersistenceError.Code>) {
    let threads = DispatchGroup()
    let saved = Lock<[Int64]>([])
    let codes = Lock<Set<PersistenceError.Code>>([])
    for thread in 0..<8 {
      threads.enter()
      Thread.detachNewThread {
        for turn in 0..<count {
          let key = Int64(thread * 100 + turn + 1)
          let number = turn % 3 == 0 ? Int64(turn) : key + 10_000
          let error = errorOf {
            try library.addPhoto(
              key, ["number": .integer(number), "image": .data(image(Int(key)))])
          }
          if let error {
            codes.withLock { _ = $0.insert(error.code) }
          } else {
            saved.withLock { $0.append(key) }
          }
        }
        threads.leave()
      }
    }
    meanwhile(saved)
    threads.wait()
    return (saved.withLock(\.self), codes.withLock(\.self))
  }

  @Test(arguments: filed)
  func `PG-17 saves that share a commit leave the files of those that succeed (PS-06)`(
    _ kind: StoreKind
  ) throws {
    let library = try albums(kind)
    let (saved, codes) = Self.addOnThreads(30, to: library)
    // Every third has a number that those of the other threads have too.
    #expect(saved.count == 8 * 20 + 10)
    #expect(codes == [.uniquenessViolated])
    #expect(library.incomingNames == [])
    #expect(library.externalNames.count == saved.count)
    #expect(try SQLiteStoreFile(library.store.path).check() == [])
  }

  @Test(arguments: filed)
  func `PG-17 a store that is closed under many saves has those that succeeded (PS-06)`(
    _ kind: StoreKind
  ) throws {
    for round in 0..<5 {
      let library = try albums(kind)
      let (saved, codes) = Self.addOnThreads(20, to: library) { saved in
        while saved.withLock(\.count) < 3 + round * 8 { sched_yield() }
        library.store.close()
      }
      #expect(codes.isSubset(of: [.storeClosed, .uniquenessViolated]))
      #expect(library.incomingNames == [])
      let again = try albums(kind, in: library.scratch)
      for key in saved { #expect(try again.data(key) == image(Int(key))) }
      #expect(again.externalNames.count == saved.count)
      #expect(try SQLiteStoreFile(again.store.path).check() == [])
    }
  }

  @Test(arguments: filed)
  func `PG-17 backups, checks and compaction go on while four threads save`(
    _ kind: StoreKind
  ) throws {
    let library = try albums(kind)
    let isDone = Lock(false)
    let errors = Lock<[String]>([])
    let threads = DispatchGroup()
    for thread in 0..<4 as Range<Int64> {
      threads.enter()
      Thread.detachNewThread {
        var turn: Int64 = 0
        while !isDone.withLock(\.self) {
          turn += 1
          let key = thread * 100 + turn % 7 + 1
          let error = errorOf {
            guard try library.data(key) == nil else { return try library.deletePhoto(key) }
            try library.addPhoto(key, ["image": .data(image(Int(key)))])
          }
          if let error { errors.withLock { $0.append("\(error)") } }
        }
        threads.leave()
      }
    }
    let copy = library.scratch.file("copy")
    let file = SQLiteStoreFile(library.store.path)
    for round in 0..<15 {
      let error = errorOf {
        try file.backUp(to: copy, overwriting: true)
        #expect(try SQLiteStoreFile(copy).check() == [])
        #expect(try file.check() == [])
        if round % 5 == 4 { try file.compact() }
      }
      if let error { errors.withLock { $0.append("\(error)") } }
    }
    isDone.withLock { $0 = true }
    threads.wait()
    #expect(errors.withLock(\.self) == [])
    try library.tidy()
    #expect(library.incomingNames == [])
    #expect(try file.check() == [])
  }

  @Test(arguments: filed)
  func `PG-17 four processes write, replace and remove files of one store`(
    _ kind: StoreKind
  ) async throws {
    let scratch = try Scratch()
    try albums(kind, in: scratch).store.close()
    let (path, mode) = (scratch.path, kind.rawValue)
    func write(_ number: Int64) async {
      let result = await #expect(processExitsWith: .success) {
        [path = path as String, mode = mode as String, number = number as Int64] in
        let kind = try #require(StoreKind(rawValue: mode))
        let library = try albums(kind, in: Scratch(path: path))
        for key in number..<number + 25 {
          try library.addPhoto(key, ["image": .data(image(Int(key)))])
          if key % 3 == 0 {
            try library.changePhoto(key, 1, ["image": .data(image(Int(key) + 50))])
          }
          if key % 5 == 4 { try library.deletePhoto(key) }
          if key % 7 == 0 { try library.tidy() }
          // Reads all files, which others are replacing.
          _ = try library.store.rows(of: library.fetch("Photo"))
        }
        library.store.close()
      }
      #expect(result != nil)
    }
    async let first: Void = write(100)
    async let second: Void = write(200)
    async let third: Void = write(300)
    async let fourth: Void = write(400)
    _ = await (first, second, third, fourth)
    let library = try albums(kind, in: scratch)
    try library.tidy()
    #expect(library.externalNames.count == 80)
    #expect(library.incomingNames == [])
    #expect(try SQLiteStoreFile(library.store.path).check() == [])
  }

  #if canImport(Glibc)
    @Test(arguments: [40, 100, 200, 333])
    func `PG-17 a log that cannot grow loses no save that was acknowledged (PS-06)`(
      _ kilobytes: Int
    ) async throws {
      let scratch = try Scratch()
      let result = await #expect(processExitsWith: .success) {
        [path = scratch.path as String, kilobytes = kilobytes as Int] in
        signal(SIGXFSZ, SIG_IGN)
        let library = try albums(in: Scratch(path: path))
        let size = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        var limit = rlimit(rlim_cur: UInt(kilobytes) << 10, rlim_max: .max)
        #expect(setrlimit(size, &limit) == 0)
        let (saved, codes) = Self.addOnThreads(40, to: library)
        #expect(codes.isSubset(of: [.ioFailure, .uniquenessViolated, .commitUnknown]))
        #expect(codes.contains(.ioFailure))
        limit.rlim_cur = .max
        #expect(setrlimit(size, &limit) == 0)
        try library.addPhoto(10_000, ["image": .data(image(2))])
        #expect(library.incomingNames == [])
        library.store.close()
        let again = try albums(in: Scratch(path: path))
        for key in saved { #expect(try again.data(key) == image(Int(key))) }
        try again.tidy()
        #expect(again.incomingNames == [])
        // A commit of which it is not known may be there.
        let isKnown = !codes.contains(.commitUnknown)
        #expect(again.externalNames.count >= saved.count + 1)
        #expect(again.externalNames.count == saved.count + 1 || !isKnown)
        #expect(try SQLiteStoreFile(again.store.path).check() == [])
      }
      #expect(result != nil)
    }
  #endif
}
