import Foundation
import Logging
import OxbowModel
import OxbowPlatform
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// A store of Core Data that stays open: what is beside it is never made, changed or removed.
@Suite struct CoreDataFilesTests {
  private let folder: TemporaryFolder
  private let model: CompiledModel
  private let hashes: [String: [UInt8]]

  init() throws {
    folder = try TemporaryFolder()
    let document = try ModelDocument(Array(CoreDataShelves.contents.utf8), file: "m")
    model = try CompiledModel(document.model)
    hashes = try CoreDataHashes(of: document).values
  }

  private var path: String { folder.file("App.sqlite") }

  private func make(
    journal: String = "wal", more: String = "", whileOpen body: () throws -> Void = {}
  ) throws {
    try CoreDataShelves.make(path, hashes, journal: journal, more: more, whileOpen: body)
  }

  private func open(
    _ path: String? = nil, _ options: SQLiteStoreOptions = SQLiteStoreOptions(isReadOnly: true)
  ) throws(PersistenceError) -> SQLiteStore {
    try SQLiteStore(model, at: .file(path ?? self.path), options: options)
  }

  private func tags(_ store: SQLiteStore) throws -> Int {
    try store.count(of: StoreFetch(entity: try #require(model.entity(named: "Tag")).index))
  }

  /// The names, sizes and times of all files.
  private func trace() throws -> [String] {
    try folder.names().map { name in
      let facts = try FileManager.default.attributesOfItem(atPath: folder.file(name))
      return "\(name) \(facts[.size] ?? "") \(facts[.modificationDate] ?? "")"
    }
  }

  private func error(_ body: () throws -> Void) -> PersistenceError? {
    do { try body() } catch { return error as? PersistenceError }
    return nil
  }

  private static let more = "INSERT INTO ZTAG VALUES (4, 6, 1, 'fresh')"

  // MARK: - Ways

  @Test(arguments: ["wal", "delete"])
  func `CD-32 a store without a log is read as it is, and again when it has changed`(
    journal: String
  ) throws {
    try make(journal: journal)
    let before = try trace()
    let store = try open()
    #expect(try tags(store) == 3)
    #expect(try tags(store) == 3)
    #expect(try trace() == before)
    // The app comes, writes and stays; then it writes again, and ends.
    try FixtureDatabase.run(path, Self.more) {
      let names = try folder.names()
      #expect(try tags(store) == 4)
      #expect(try folder.names() == names)
      try FixtureDatabase.run(path, "DELETE FROM ZTAG WHERE Z_PK > 2")
      #expect(try tags(store) == 2)
    }
    #expect(try tags(store) == 2)
    let after = try trace()
    store.close()
    #expect(try trace() == after)
  }

  @Test func `CD-34 a store that changes while it is converted is converted as it is then`() throws
  {
    try make()
    try folder.write(CoreDataShelves.contents, to: "M.xcdatamodeld/M.xcdatamodel/contents")
    let destination = folder.file("Plain.sqlite")
    let conversion = CoreDataConversion(of: path, model: folder.file("M.xcdatamodeld"))
    var isChanged = false
    _ = try conversion.write(to: destination, allowsLoss: true) { _, _, _ in
      if !isChanged {
        do { try FixtureDatabase.run(path, Self.more) } catch { Issue.record(error) }
      }
      isChanged = true
      return true
    }
    #expect(isChanged)
    let store = try open(destination)
    #expect(try tags(store) == 4)
    store.close()
    #expect(try folder.names().allSatisfy { !$0.contains(".part-") })
  }

  @Test func `CD-32 a log that a program has open is read under its locks`() throws {
    try make {
      let before = try folder.names()
      #expect(before == ["App.sqlite", "App.sqlite-shm", "App.sqlite-wal"])
      let store = try open()
      #expect(try tags(store) == 3)
      try FixtureDatabase.run(path, Self.more)
      #expect(try tags(store) == 4)
      store.close()
      #expect(try folder.names() == before)
    }
  }

  @Test func `CD-32 a log without an index is read from a copy, which goes with the store`() throws
  {
    try make {
      try FileManager.default.copyItem(atPath: path, toPath: folder.file("C.sqlite"))
      try FileManager.default.copyItem(atPath: path + "-wal", toPath: folder.file("C.sqlite-wal"))
    }
    let before = try trace()
    let recorder = LogRecorder()
    var options = SQLiteStoreOptions(isReadOnly: true)
    options.logger = recorder.logger(.notice)
    let store = try open(folder.file("C.sqlite"), options)
    #expect(try tags(store) == 3)
    #expect(try trace() == before)
    let copy = try #require(recorder.all.first?.metadata["copy"])
    #expect(FileManager.default.fileExists(atPath: copy))
    store.close()
    #expect(!FileManager.default.fileExists(atPath: copy))
    #expect(try trace() == before)
  }

  @Test func `CD-32 the journal of a program that ended is worked in on a copy`() throws {
    try make(
      journal: "delete",
      more: """
        WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO ZTAG SELECT i, 6, 1, 'committed' FROM n;
        PRAGMA cache_size = 5; PRAGMA cache_spill = 1; BEGIN IMMEDIATE;
        UPDATE ZTAG SET ZNAME = 'never committed'; INSERT INTO ZTAG SELECT Z_PK + 5000, 6, 1, 'more'
        FROM ZTAG;
        """
    ) {
      try FileManager.default.copyItem(atPath: path, toPath: folder.file("C.sqlite"))
      try FileManager.default.copyItem(
        atPath: path + "-journal", toPath: folder.file("C.sqlite-journal"))
    }
    let before = try trace()
    let store = try open(folder.file("C.sqlite"))
    #expect(try tags(store) == 1994)
    store.close()
    #expect(try trace() == before)
  }

  @Test func `CD-32 the log of another store is refused`() throws {
    try make { try FileManager.default.copyItem(atPath: path + "-wal", toPath: path + "2") }
    try FixtureDatabase.run(
      path, "UPDATE Z_METADATA SET Z_UUID = 'other'; PRAGMA journal_mode = DELETE")
    try FileManager.default.moveItem(atPath: path + "2", toPath: path + "-wal")
    let error = error { _ = try open() }
    #expect(error?.code == .storeCorrupt)
    #expect(
      error?.message.hasPrefix("the log '\(path)-wal' does not belong to the store '\(path)'")
        == true)
    #expect(try folder.names() == ["App.sqlite", "App.sqlite-wal"])
  }

  @Test func `CD-32 the log of another store is refused with its index too`() throws {
    try make {
      for suffix in ["-wal", "-shm"] {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: folder.file("2\(suffix)"))
      }
    }
    try FixtureDatabase.run(
      path, "UPDATE Z_METADATA SET Z_UUID = 'other'; PRAGMA journal_mode = DELETE")
    try FixtureDatabase.run(path, "PRAGMA journal_mode = WAL")
    for suffix in ["-wal", "-shm"] {
      try FileManager.default.moveItem(atPath: folder.file("2\(suffix)"), toPath: path + suffix)
    }
    let refused = [
      error { _ = try open() }, error { _ = try CoreDataInspection.at(path) },
    ]
    for error in refused {
      #expect(error?.code == .storeCorrupt)
      #expect(
        error?.message
          == "the log '\(path)-wal' does not belong to the store '\(path)': with it the file is the "
          + "store \(CoreDataShelves.identifier), without it other; put the log beside it that was "
          + "copied with it, or give a copy of the file without a log, which lacks the last saves")
    }
    #expect(try folder.names() == ["App.sqlite", "App.sqlite-shm", "App.sqlite-wal"])
  }

  // MARK: - Nothing is left

  @Test func `CD-32 no log is made where a program has just removed its own`() throws {
    try make()
    var configuration = Connection.Configuration(role: .reader)
    (configuration.isReadOnly, configuration.leavesNoTrace) = (true, true)
    #expect(throws: Connection.LogIsGone.self) {
      _ = try Connection(path: path, configuration: configuration)
    }
    #expect(try folder.names() == ["App.sqlite"])
    // With a log, the connection keeps it from being removed.
    try FixtureDatabase.run(path, Self.more) {
      let connection = try Connection(path: path, configuration: configuration)
      #expect(try connection.integer("SELECT count(*) FROM ZTAG") == 4)
    }
  }

  @Test(arguments: [0, 1, 3, 255] as [UInt8])
  func `CD-32 no log is made for a file whose header is half of one with a log`(
    byte: UInt8
  ) throws {
    try make()
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    bytes[18] = byte
    try Data(bytes).write(to: URL(filePath: path))
    let store = try open()
    #expect(try tags(store) == 3)
    store.close()
    #expect(try folder.names() == ["App.sqlite"])
  }

  @Test func `CD-32 the log of a file without content is not removed`() throws {
    try make {
      for suffix in ["-wal", "-shm"] {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: folder.file("E\(suffix)"))
      }
    }
    try folder.write("", to: "E")
    let before = try trace()
    #expect(try CoreDataInspection.at(folder.file("E")) == nil)
    #expect(try trace() == before)
  }

  #if os(Linux)
    @Test func `CD-32 looking at a store leaves the locks that this process has on it`() throws {
      let store = try SQLiteStore(model, at: .file(path))
      _ = try tags(store)
      let file = try #require(System.fileID(path))
      // The system gives its list in pages, of which `Data(contentsOf:)` reads the first alone; and
      // between two pages others take and release locks.
      func locks() throws -> Int {
        try (0..<20).map { _ in
          try lines("/proc/locks").count {
            $0.contains(" \(System.processID) ") && $0.contains(":\(file.inode) ")
          }
        }.max() ?? 0
      }
      let before = try locks()
      #expect(before > 0)
      #expect(try StoredModel.ofCoreData(path) == nil)
      #expect(try locks() == before)
      store.close()
    }

    private func lines(_ path: String) throws -> [Substring] {
      let file = try #require(fopen(path, "r"))
      defer { fclose(file) }
      var (bytes, page) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
      while case let count = fread(&page, 1, page.count, file), count > 0 {
        bytes += page.prefix(count)
      }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
  #endif

  @Test(.timeLimit(.minutes(30)), arguments: ["wal", "delete"])
  func `CD-32 eight threads read while a program writes, and no read is torn`(
    journal: String
  ) async throws {
    try make(journal: journal)
    let store = try open()
    let tag = try #require(model.entity(named: "Tag"))
    try FixtureDatabase.run(path, "UPDATE ZTAG SET ZNAME = '0'")
    let name = try #require(tag.property(named: "name"))
    let isDone = Lock(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          while !isDone.withLock(\.self) {
            try readWhole(store, tag, name)
            await Task.yield()
          }
        }
      }
      defer { isDone.withLock { $0 = true } }
      for number in 1...40 {
        try FixtureDatabase.run(
          path, "PRAGMA busy_timeout = 20000; UPDATE ZTAG SET ZNAME = '\(number)'")
        await Task.yield()
      }
    }
    #expect(try tags(store) == 3)
    store.close()
  }

  /// Reads all names, which one statement has written; a file that changes at each attempt is not
  /// read.
  private func readWhole(
    _ store: SQLiteStore, _ entity: CompiledEntity, _ name: CompiledProperty
  ) throws {
    do throws(PersistenceError) {
      let slabs = try store.rows(of: StoreFetch(entity: entity.index))
      let names = slabs.flatMap { slab in
        (0..<slab.count).compactMap { slab.storedValue($0, name) }.map { "\($0)" }
      }
      #expect(names.count == 3)
      #expect(Set(names).count == 1)
    } catch { #expect(error.code == .storeLocked, "\(error)") }
  }

  // MARK: - Refusals

  @Test func `CD-32 what is meant for stores of Oxbow is refused, and leaves nothing`() throws {
    try make2()
    let logged = try trace()
    let file = SQLiteStoreFile(folder.file("C.sqlite"))
    #expect(error { _ = try file.digest() }?.code == .notAStore)
    // What is wrong with it can be said.
    _ = try file.check()
    #expect(try trace() == logged)
  }

  /// A store with a log that has no index.
  private func make2() throws {
    try make {
      try FileManager.default.copyItem(atPath: path, toPath: folder.file("C.sqlite"))
      try FileManager.default.copyItem(atPath: path + "-wal", toPath: folder.file("C.sqlite-wal"))
    }
  }

  @Test func `CD-32 what would write, and what a file of another program cannot do, is refused`()
    throws
  {
    try make()
    let store = try open()
    #expect(store.isReadOnly)
    #expect(error { _ = try store.reserveKeys(root: 0, count: 1) }?.code == .storeReadOnly)
    var update = ChangeSet.Update(entity: 0, key: 1, version: 4, values: [])
    update.checksVersion = false
    var changes = ChangeSet()
    changes.updates = [update]
    #expect(error { _ = try store.save(changes) }?.code == .storeReadOnly)
    #expect(
      error { _ = try store.requireHistory() }?.message
        == "the store '\(path)' is one of Core Data, whose history of saves is not read; 'oxbowctl store "
        + "info' says whether it has one")
    #expect(
      error { _ = try store.pinned(PinnedViewLimits()) }?.message
        == "one moment of the store '\(path)' cannot be kept for a reader: it is Core Data's, and no "
        + "file beside it may be held; read a copy of the store, which does not change")
    #expect(try store.metadataKeys() == ["lastSync"])
    #expect(try store.metadata("lastSync", .string) == .string("yesterday"))
    #expect(try store.metadata("none", .string) == nil)
  }

  @Test func `CD-32 a model that is not the store's is refused with what differs`() throws {
    try make()
    func open(_ old: String, _ new: String) throws {
      let text = CoreDataShelves.contents.replacing(old, with: new)
      let document = try ModelDocument(Array(text.utf8), file: "m")
      // In code, so that version hashes are not asked before the tables.
      let model = try CompiledModel(ManagedObjectModel(entities: document.model.entities))
      _ = try SQLiteStore(model, at: .file(path), options: SQLiteStoreOptions(isReadOnly: true))
    }
    let renamed = error { try open("\"Film\"", "\"Movie\"") }
    #expect(renamed?.code == .modelMismatch)
    #expect(
      renamed?.details.map(\.text) == ["'Movie' is not in the store", "'Film' is not in the model"])
    let column = error { try open("name=\"label\"", "name=\"labels\"") }
    #expect(column?.code == .modelMismatch)
    #expect(column?.nearNames == ["ZLABEL"])
  }
}
