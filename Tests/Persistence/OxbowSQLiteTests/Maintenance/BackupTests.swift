import OxbowModel
import OxbowPlatform
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Backup, restoring, compaction and the check of stores (PS-14).
@Suite struct BackupTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A store with so many tags.
  private func library(_ kind: StoreKind = .file, tags: Int64 = 3) throws -> Library {
    let library = try Library(kind)
    try library.save { changes in
      for key in 1...tags {
        changes.inserts.append(try library.insert("Tag", key, ["label": .string("tag \(key)")]))
      }
    }
    return library
  }

  private func tags(at path: String) throws -> Int {
    let store = try SQLiteStore(
      CompiledModel(libraryModel()), at: .file(path), options: .init(createsStore: false))
    defer { store.close() }
    return try store.count(of: StoreFetch(entity: store.model.requireEntity(named: "Tag").index))
  }

  @Test(arguments: StoreKind.allCases)
  func `a backup of an open store is a whole store in one file (PS-14)`(_ kind: StoreKind) throws {
    let library = try library(kind)
    let coordinator = PersistentStoreCoordinator(store: library.store)
    nonisolated(unsafe) var seen: [StoreProgress] = []
    try coordinator.backUp(to: scratch.file("copy")) { seen.append($0) }
    #expect(seen.last?.fraction == 1)
    #expect(try scratch.files() == ["copy"])
    try library.save { $0.inserts.append(try library.insert("Tag", 99)) }
    #expect(try tags(at: scratch.file("copy")) == 3)
    #expect(try library.keys("Tag").count == 4)
  }

  @Test func `a backup is of one moment while others save (PS-14)`() async throws {
    let library = try library(tags: 2000)
    let shelf = try library.entity("Shelf").index
    let writer = Task.detached {
      // Each save adds a tag and a shelf: a copy with unequal numbers is of two moments.
      for key in Int64(10_000)..<10_400 {
        try library.save { changes in
          changes.inserts.append(try library.insert("Tag", key))
          changes.inserts.append(try library.insert("Shelf", key))
        }
      }
    }
    for number in 0..<5 {
      let path = scratch.file("copy \(number)")
      try SQLiteStoreFile(library.store.path).backUp(to: path)
      let copy = try SQLiteStore(library.model, at: .file(path))
      defer { copy.close() }
      let shelves = try copy.count(of: StoreFetch(entity: shelf))
      #expect(try copy.count(of: try library.fetch("Tag")) == 2000 + shelves)
    }
    try await writer.value
  }

  @Test func `a backup does not go over a file that came while it was made (PS-14)`() throws {
    let library = try library()
    let file = SQLiteStoreFile(library.store.path)
    let path = scratch.file("copy")
    let error = errorOf {
      try file.backUp(to: path) { _ in _ = try? scratch.write("notes", to: "copy") }
    }
    #expect("\(error!)".contains("it exists already; choose another path"))
    #expect(FileManager.default.contents(atPath: path) == Data("notes".utf8))
    try file.backUp(to: path, overwriting: true) { _ in _ = try? scratch.write("new", to: "copy") }
    #expect(FileManager.default.contents(atPath: path) != Data("new".utf8))
  }

  @Test func `a backup does not go over a file, itself or a database in use (PS-14)`() throws {
    let library = try library()
    let file = SQLiteStoreFile(library.store.path)
    let taken = try scratch.write("notes", to: "taken")
    let error = errorOf { try file.backUp(to: taken) }
    #expect(error?.code == .storeUnreachable)
    #expect("\(error!)".contains("it exists already"))
    #expect(
      "\(errorOf { try file.backUp(to: file.path, overwriting: true) }!)"
        .contains("it is the store itself"))
    let other = try self.library()
    #expect(
      "\(errorOf { try file.backUp(to: other.store.path, overwriting: true) }!)"
        .contains("it is a store that is open in process"))
    // The log of a database that is gone would be worked into the copy.
    _ = try scratch.write("left", to: "gone-wal")
    #expect(
      "\(errorOf { try file.backUp(to: scratch.file("gone")) }!)"
        .contains("belongs to a database that is gone"))
    try file.backUp(to: taken, overwriting: true)
    #expect(try tags(at: taken) == 3)
    #expect("\(errorOf { try file.backUp(to: scratch.file("no/copy")) }!)".contains("no/copy"))
    #expect(try scratch.files().filter { $0.contains(".part-") } == [])
  }

  @Test func `what is not a store is not backed up, and a damaged one gives no copy (PS-14)`()
    throws
  {
    let notes = try scratch.write("notes", to: "notes")
    #expect(
      errorOf { try SQLiteStoreFile(notes).backUp(to: scratch.file("copy")) }?.code
        == .notAStore)
    let missing = SQLiteStoreFile(scratch.file("missing"))
    #expect(errorOf { try missing.backUp(to: scratch.file("copy")) }?.code == .storeUnreachable)
    let damaged = try self.damaged()
    let error = errorOf { try SQLiteStoreFile(damaged).backUp(to: scratch.file("copy")) }
    #expect(error?.code == .storeCorrupt)
    #expect(try !SQLiteStoreFile(damaged).check().isEmpty)
    #expect(try scratch.files().contains("copy") == false)
  }

  /// A store of which a page in the middle of a table was overwritten.
  private func damaged() throws -> String {
    let path = scratch.file("damaged")
    let store = try SQLiteStore(try CompiledModel(libraryModel()), at: .file(path))
    let tag = try store.model.requireEntity(named: "Tag")
    var changes = ChangeSet()
    changes.inserts = (1...2000).map { key in
      ChangeSet.Insert(
        entity: tag.index, key: key,
        values: ContiguousArray(
          tag.properties.map { $0.attribute == nil ? nil : .string("tag number \(key)") }))
    }
    try store.save(changes)
    store.close()
    var bytes = try Data(contentsOf: URL(filePath: path))
    let middle = bytes.count / 4096 / 2 * 4096
    bytes.replaceSubrange(middle..<middle + 4096, with: Data(repeating: 0xa5, count: 4096))
    try bytes.write(to: URL(filePath: path))
    return path
  }

  @Test func `restoring gives back the store of the backup and keeps the other (PS-14)`() throws {
    let path = scratch.file("store.sqlite")
    let copy = scratch.file("copy")
    let model = try CompiledModel(libraryModel())
    let tag = try model.requireEntity(named: "Tag")
    func add(_ keys: ClosedRange<Int64>) throws {
      let store = try SQLiteStore(model, at: .file(path))
      defer { store.close() }
      var changes = ChangeSet()
      changes.inserts = keys.map { key in
        ChangeSet.Insert(
          entity: tag.index, key: key,
          values: ContiguousArray(tag.properties.map { $0.attribute == nil ? nil : .string("t") }))
      }
      try store.save(changes)
    }
    try add(1...3)
    try SQLiteStoreFile(path).backUp(to: copy)
    try add(4...9)
    let file = SQLiteStoreFile(path)
    #expect("\(errorOf { try file.restore(from: copy) }!)".contains("it exists"))
    let kept = try file.restore(from: copy, replacing: true)
    #expect(try tags(at: path) == 3)
    #expect(try tags(at: try #require(kept)) == 9)
    #expect(try file.restore(from: copy, replacing: true)?.hasSuffix(".replaced-2") == true)
    #expect(try SQLiteStoreFile(scratch.file("new")).restore(from: copy) == nil)
    #expect(try tags(at: scratch.file("new")) == 3)
  }

  @Test func `the log that a killed program has left goes with its store (PS-14)`() throws {
    let library = try library(tags: 5)
    let copy = scratch.file("copy")
    try SQLiteStoreFile(library.store.path).backUp(to: copy)
    try library.save { $0.inserts.append(try library.insert("Tag", 99)) }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: library.store.path + suffix, toPath: scratch.file("left" + suffix))
    }
    // A restoring that was killed has left its journal.
    _ = try scratch.write("left", to: "left.restoring.copy-journal")
    let kept = try SQLiteStoreFile(scratch.file("left")).restore(from: copy, replacing: true)
    let names = try scratch.files()
    #expect(names == ["copy", "left", "left-lock", "left.replaced"])
    #expect(try tags(at: try #require(kept)) == 6)
    #expect(try tags(at: scratch.file("left")) == 5)
  }

  @Test func `at no moment of a restoring is there no store at the path (PS-14)`() throws {
    let library = try library()
    let (path, copy) = (library.store.path, scratch.file("copy"))
    try SQLiteStoreFile(path).backUp(to: copy)
    library.store.close()
    let state = Monitor((isOver: false, missed: 0, hasEnded: false))
    let runs = runInBackground {
      while !state.update({ $0.isOver }) {
        if !FileManager.default.fileExists(atPath: path) { state.update { $0.missed += 1 } }
      }
      state.update { $0.hasEnded = true }
    }
    try #require(runs)
    for _ in 0..<20 { try SQLiteStoreFile(path).restore(from: copy, replacing: true) }
    state.update { $0.isOver = true }
    state.wait { $0.hasEnded ? () : nil }
    #expect(state.update { $0.missed } == 0)
  }

  @Test(arguments: [StoreKind.file, .rollbackJournal])
  func `a backup does not go over a store that is open and has no log (PS-14)`(
    _ kind: StoreKind
  ) throws {
    let library = try library()
    let file = SQLiteStoreFile(library.store.path)
    let other = try self.library(kind, tags: 7)
    _ = try SQLiteStoreFile(other.store.path).compact()
    let error = errorOf { try file.backUp(to: other.store.path, overwriting: true) }
    #expect(error?.code == .storeLocked)
    #expect("\(error!)".contains("close it, or choose another path"))
    #expect(try other.keys("Tag").count == 7)
    other.store.close()
    try file.backUp(to: other.store.path, overwriting: true)
    #expect(try tags(at: other.store.path) == 3)
  }

  @Test func `copies that killed programs have left go after a day (PS-14)`() throws {
    let library = try library()
    let old = Date(timeIntervalSinceNow: -2 * 24 * 3600)
    for name in ["copy.part-12-34", "copy.part-12-34-journal", "copy.part-notes", "copy.part-1-2"] {
      let path = try scratch.write("left", to: name)
      guard name != "copy.part-1-2" else { continue }
      try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
    }
    try SQLiteStoreFile(library.store.path).backUp(to: scratch.file("copy"))
    #expect(try scratch.files() == ["copy", "copy.part-1-2", "copy.part-notes"])
  }

  @Test func `a backup that waits for another one to its place holds nothing of the store (PS-14)`()
    throws
  {
    let library = try library(.rollbackJournal)
    let folder = scratch.file("copy-files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let descriptor = open(folder, O_RDONLY)
    try #require(flock(descriptor, LOCK_EX) == 0)
    let path = (library.store.path, scratch.file("copy"))
    let state = Monitor((hasBegun: false, isDone: false))
    let runs = runInBackground {
      state.update { $0.hasBegun = true }
      try? SQLiteStoreFile(path.0).backUp(to: path.1)
      state.update { $0.isDone = true }
    }
    try #require(runs)
    state.wait { $0.hasBegun ? () : nil }
    for key in Int64(50)..<90 {
      try library.save { $0.inserts.append(try library.insert("Tag", key)) }
    }
    #expect(state.update { !$0.isDone })
    close(descriptor)
    state.wait { $0.isDone ? () : nil }
    #expect(try tags(at: path.1) == 43)
  }

  @Test func `a store that is open, or a backup that is none, is not restored (PS-14)`() throws {
    let library = try library()
    let file = SQLiteStoreFile(library.store.path)
    try file.backUp(to: scratch.file("copy"))
    let error = errorOf { try file.restore(from: scratch.file("copy"), replacing: true) }
    #expect(error?.code == .storeLocked)
    #expect("\(error!)".contains("process \(ProcessInfo.processInfo.processIdentifier)"))
    library.store.close()
    let notes = try scratch.write("notes", to: "notes")
    #expect(errorOf { try file.restore(from: notes, replacing: true) }?.code == .notAStore)
    let damaged = try self.damaged()
    #expect(errorOf { try file.restore(from: damaged, replacing: true) }?.code == .storeCorrupt)
    #expect(try tags(at: file.path) == 3)
    #expect(try library.scratch.files().filter { $0.contains("restoring") } == [])
  }

  @Test(arguments: [StoreKind.file, .rollbackJournal])
  func `an open store is compacted, and its contexts go on (PS-14)`(_ kind: StoreKind) throws {
    let library = try library(kind, tags: 4000)
    try library.save { changes in
      for key in Int64(1)...3900 { changes.deletes.append(try library.delete("Tag", key)) }
    }
    let (before, after) = try SQLiteStoreFile(library.store.path).compact()
    #expect(after < before)
    #expect(try library.keys("Tag").count == 100)
    try library.save { $0.inserts.append(try library.insert("Tag", 5000)) }
    #expect(try library.keys("Tag").count == 101)
    let mode = try library.intruder().text("PRAGMA journal_mode")
    #expect(mode == (kind == .file ? "wal" : "delete"))
  }

  @Test func `the check finds rows that lead nowhere and what is missing (PS-14)`() throws {
    let library = try library()
    let file = SQLiteStoreFile(library.store.path)
    #expect(try file.check() == [])
    let intruder = try library.intruder()
    try intruder.execute(
      """
      PRAGMA foreign_keys = OFF;
      INSERT INTO Book (_id, _version, title, pages, shelf) VALUES (1, 1, 'Emma', 1, 77);
      """)
    #expect(
      try file.check() == ["'Book.shelf' of 1 rows refers to rows of 'Shelf' that are not there"])
    try intruder.execute("DELETE FROM Book; ALTER TABLE Tag DROP COLUMN label")
    #expect(try file.check().contains { $0.contains("label") })
    intruder.close()
  }

  @Test func `what a killed writer left in a journal is undone before the backup (PS-14)`() throws {
    let hot = try HotJournalTests()
    try hot.crash()
    let file = SQLiteStoreFile(hot.scratch.file())
    try file.backUp(to: scratch.file("copy"))
    #expect(try file.check() == [])
    let copy = try Connection(path: scratch.file("copy"), configuration: .init(role: .sole))
    defer { copy.close() }
    let torn = try copy.integer("SELECT count(*) FROM Tag WHERE label LIKE 'never%'")
    #expect(torn == 0)
    #expect(try tags(at: scratch.file("copy")) == HotJournalTests.count)
  }

  @Test func `a backup does not go over an older one that was opened while it was made (PS-14)`()
    throws
  {
    let library = try library(tags: 2000)
    let (store, copy) = (SQLiteStoreFile(library.store.path), scratch.file("copy"))
    try store.backUp(to: copy)
    nonisolated(unsafe) var opened: Library?
    let error = errorOf {
      try store.backUp(to: copy, overwriting: true) { _ in
        guard opened == nil else { return }
        opened = try? Library(SQLiteStore(library.model, at: .file(copy)))
      }
    }
    #expect(error?.code == .storeLocked)
    #expect(
      error?.message.contains(
        "'\(copy)': it is a store that is open in process \(ProcessInfo.processInfo.processIdentifier)"
      ) == true)
    let older = try #require(opened)
    try older.save { $0.inserts.append(try older.insert("Tag", 5000)) }
    older.store.close()
    #expect(try tags(at: copy) == 2001)
    #expect(try scratch.files() == ["copy", "copy-lock"])
    try store.backUp(to: copy, overwriting: true)
    #expect(try tags(at: copy) == 2000)
  }

  @Test(arguments: [StoreKind.file, .rollbackJournal])
  func `a store that moves while a backup waits is backed up from where it is (PS-14)`(
    _ kind: StoreKind
  ) throws {
    let folder = scratch.file("copy-files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let descriptor = open(folder, O_RDONLY)
    try #require(flock(descriptor, LOCK_EX) == 0)
    let state = Monitor((isArmed: false, isWaiting: false, isDone: false))
    let recorder = LogRecorder { entry in
      guard entry.message == FilesTable.exists else { return }
      state.update { if $0.isArmed { $0.isWaiting = true } }
    }
    let library = try Library(
      kind, options: SQLiteStoreOptions(logger: recorder.statementLogger))
    try library.save { $0.inserts.append(try library.insert("Tag", 1)) }
    let coordinator = PersistentStoreCoordinator(store: library.store)
    let copy = scratch.file("copy")
    state.update { $0.isArmed = true }
    let error = Lock<PersistenceError?>(nil)
    let runs = runInBackground {
      let found = errorOf { try coordinator.backUp(to: copy) }
      error.withLock { $0 = found }
      state.update { $0.isDone = true }
    }
    try #require(runs)
    state.wait { $0.isWaiting ? () : nil }
    try coordinator.moveStore(to: scratch.file("moved"))
    try library.save { $0.inserts.append(try library.insert("Tag", 2)) }
    close(descriptor)
    state.wait { $0.isDone ? () : nil }
    #expect(error.withLock { $0 } == nil)
    #expect(try tags(at: copy) == 2)
  }
}
