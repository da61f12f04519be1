import Foundation
import OxbowModel
import OxbowPlatform
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// Backups, restoring, compaction and the check of stores with values in files.
@Suite struct ExternalBackupTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != "incoming" }.sorted()
  }

  /// The image of a photo in a store elsewhere.
  private func data(_ key: Int64, at path: String) throws -> Data? {
    let store = try SQLiteStore(
      CompiledModel(albumModel()), at: .file(path), options: .init(isReadOnly: true))
    defer { store.close() }
    let photo = try store.model.requireEntity(named: "Photo")
    guard let slab = try store.rows(of: photo.index, keys: [key]).first,
      case .data(let data)? = slab.storedValue(0, try photo.requireProperty(named: "image"))
    else { return nil }
    return data
  }

  private func allow(_ permissions: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
  }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test(arguments: [0o600, 0o640])
  func `PG-17 a backup is as private as its store, and so is what is restored`(_ mode: Int) throws {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(1))])
    let (store, copy) = (library.store.path, scratch.file("copy"))
    try allow(mode, store)
    try SQLiteStoreFile(store).backUp(to: copy)
    let name = try #require(try names(copy + "-files").first)
    #expect(try permissions(copy) == mode)
    #expect(try permissions("\(copy)-files/\(name)") == mode)
    // What somebody closed further stays closed.
    try allow(0o600, copy)
    try SQLiteStoreFile(store).backUp(to: copy, overwriting: true)
    #expect(try permissions(copy) == 0o600)
    library.store.close()
    try allow(0o644, copy)
    try SQLiteStoreFile(store).restore(from: copy, replacing: true)
    #expect(try permissions(store) == mode)
    #expect(try permissions("\(store)-files/\(name)") == mode)
    try SQLiteStoreFile(scratch.file("new")).restore(from: copy)
    #expect(try permissions(scratch.file("new")) == 0o644)
  }

  @Test func `a backup of a store that may only be read can be written`() throws {
    let library = try albums()
    library.store.close()
    try allow(0o444, library.store.path)
    try SQLiteStoreFile(library.store.path).backUp(to: scratch.file("copy"))
    #expect(try permissions(scratch.file("copy")) == 0o644)
  }

  @Test(arguments: filed)
  func `PG-17 a backup has the files of its moment, and restoring brings them back`(
    _ kind: StoreKind
  ) throws {
    let library = try albums(kind)
    for key in 1...3 as ClosedRange<Int64> {
      try library.addPhoto(key, ["image": .data(image(Int(key)))])
    }
    try library.changePhoto(3, 1, ["image": .data(image(30))])
    let copy = scratch.file("copy")
    try SQLiteStoreFile(library.store.path).backUp(to: copy)
    #expect(try names(copy + "-files").count == 3)
    try library.changePhoto(1, 1, ["image": .data(image(4))])
    try library.deletePhoto(2, 1)
    library.store.close()
    #expect(try SQLiteStoreFile(copy).check() == [])
    #expect(try data(1, at: copy) == image(1))
    #expect(try data(2, at: copy) == image(2))
    #expect(try data(3, at: copy) == image(30))
    let file = SQLiteStoreFile(library.store.path)
    let kept = try #require(try file.restore(from: copy, replacing: true))
    #expect(try data(1, at: file.path) == image(1))
    #expect(try data(2, at: file.path) == image(2))
    #expect(try data(1, at: kept) == image(4))
    #expect(try file.check() == [])
    #expect(try SQLiteStoreFile(kept).check() == [])
    #expect(
      try library.scratch.files().filter { $0.contains("restoring") } == [])
  }

  @Test func `PG-17 a backup over an older one copies what is new, and removes what is gone`()
    throws
  {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(1))])
    try library.addPhoto(2, ["image": .data(image(2))])
    let copy = scratch.file("copy")
    try SQLiteStoreFile(library.store.path).backUp(to: copy)
    let before = try names(copy + "-files")
    try library.deletePhoto(1, 1)
    try library.addPhoto(3, ["image": .data(image(3))])
    try SQLiteStoreFile(library.store.path).backUp(to: copy, overwriting: true)
    let after = try names(copy + "-files")
    #expect(after.count == 2)
    #expect(Set(before).intersection(after).count == 1)
    #expect(try data(2, at: copy) == image(2))
    #expect(try data(3, at: copy) == image(3))
    #expect(try SQLiteStoreFile(copy).check() == [])
  }

  @Test func `PG-17 a backup that fails leaves no files`() throws {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(1))])
    let copy = scratch.file("copy")
    _ = try scratch.write("in the way", to: "copy-files")
    #expect(
      errorOf { try SQLiteStoreFile(library.store.path).backUp(to: copy) }?.code == .ioFailure)
    #expect(try scratch.files() == ["copy-files"])
  }

  @Test func `PG-17 a coordinator of a temporary store backs up its files too`() throws {
    let library = try albums(.temporary)
    try library.addPhoto(1, ["image": .data(image(1))])
    let copy = scratch.file("copy")
    try PersistentStoreCoordinator(store: library.store).backUp(to: copy)
    #expect(try data(1, at: copy) == image(1))
  }

  @Test(arguments: filed)
  func `PG-17 the check finds what is wrong, and compacting removes what no row has`(
    _ kind: StoreKind
  ) throws {
    let library = try albums(kind)
    try library.addPhoto(1, ["image": .data(image(1)), "proof": .data(image(2))])
    try library.addPhoto(2, ["image": .data(image(3))])
    let file = SQLiteStoreFile(library.store.path)
    #expect(try file.check() == [])
    let orphan = library.folder + "/" + UUID().uuidString
    try image(9).write(to: URL(filePath: orphan))
    try image(9).write(to: URL(filePath: library.folder + "/incoming/" + UUID().uuidString))
    try image(9).write(to: URL(filePath: library.folder + "/notes.txt"))
    let intruder = try library.intruder()
    try intruder.execute("UPDATE Photo SET proof = NULL WHERE _id = 1")
    intruder.close()
    #expect(
      try file.check() == [
        "1 files in '\(library.folder)' belong to no value; compacting removes them",
        "1 files of '_oxbow_files' belong to no value; compacting removes them",
      ])
    try file.compact()
    #expect(try file.check() == [])
    #expect(library.incomingNames == [])
    #expect(library.externalNames.count == 3)
    #expect(library.externalNames.contains("notes.txt"))
    #expect(try library.data(1) == image(1))
    #expect(try library.data(2) == image(3))
  }

  @Test func `PG-17 a cell that another program has copied gets a file of its own by compacting`()
    throws
  {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(1))])
    try library.addPhoto(2, [:])
    let intruder = try library.intruder()
    try intruder.execute(
      "UPDATE Photo SET image = (SELECT image FROM Photo WHERE _id = 1) WHERE _id = 2")
    intruder.close()
    try SQLiteStoreFile(library.store.path).compact()
    #expect(library.externalNames.count == 2)
    #expect(try library.data(1) == image(1))
    try library.deletePhoto(1)
    try library.tidy()
    #expect(try library.data(2) == image(1))
    #expect(try SQLiteStoreFile(library.store.path).check() == [])
  }

  @Test func `PG-17 backups to one place at the same time leave a whole one`() throws {
    let library = try albums()
    let keys: Range<Int64> = 1..<21
    for key in keys { try library.addPhoto(key, ["image": .data(image(Int(key)))]) }
    let copy = scratch.file("copy")
    for round in 0..<8 as Range<Int64> {
      let threads = DispatchGroup()
      let errors = Lock<[PersistenceError]>([])
      for thread in 0..<4 as Range<Int64> {
        threads.enter()
        Thread.detachNewThread {
          let key = 1 + (4 * round + thread) % 20
          let error = errorOf {
            try library.deletePhoto(key)
            try library.addPhoto(key, ["image": .data(image(Int(key)))])
            try SQLiteStoreFile(library.store.path).backUp(to: copy, overwriting: true)
          }
          if let error { errors.withLock { $0.append(error) } }
          threads.leave()
        }
      }
      threads.wait()
      #expect(errors.withLock { $0.map(\.message) } == [])
      try #require(try SQLiteStoreFile(copy).check() == [])
    }
  }

  @Test(arguments: ["BLOB", "LONGBLOB", "TEXT", "NUMERIC"])
  func `PG-17 a table of another program keeps its copy of a value, whatever its column's type`(
    _ type: String
  ) throws {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(1))])
    let intruder = try library.intruder()
    try intruder.execute(
      "CREATE TABLE archive (id INTEGER PRIMARY KEY, data \(type)); "
        + "INSERT INTO archive SELECT _id, image FROM Photo")
    intruder.close()
    let file = SQLiteStoreFile(library.store.path)
    try file.compact()
    try library.deletePhoto(1)
    try library.tidy()
    let rows = try library.store.rows(of: SQLText("SELECT data FROM archive"))
    #expect(try rows[0].value("data", as: Data.self) == image(1))
    #expect(try file.check() == [])
  }

  @Test func `PG-17 compacting keeps a file that came with its row from elsewhere`() throws {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(1))])
    let copy = scratch.file("copy")
    try SQLiteStoreFile(library.store.path).backUp(to: copy)
    try library.deletePhoto(1)
    try library.tidy()
    // Somebody brings the row back from the backup by hand, twice.
    let name = try #require(try names(copy + "-files").first)
    try FileManager.default.copyItem(
      atPath: copy + "-files/" + name, toPath: library.folder + "/" + name)
    let intruder = try library.intruder()
    try intruder.execute("ATTACH '\(copy)' AS old; INSERT INTO Photo SELECT * FROM old.Photo")
    try intruder.execute(
      "INSERT INTO Photo (_id, _version, title, image) SELECT 2, 1, title, image FROM Photo")
    intruder.close()
    let file = SQLiteStoreFile(library.store.path)
    #expect(
      try file.check() == [
        "1 values of 'image' in 'Photo' are in files that '_oxbow_files' does not have; compacting "
          + "adds them"
      ])
    try file.compact()
    #expect(try file.check() == [])
    #expect(try library.data(1) == image(1))
    #expect(try library.data(2) == image(1))
    #expect(library.externalNames.count == 2)
    try library.deletePhoto(1)
    try library.tidy()
    #expect(try library.data(2) == image(1))
    #expect(library.externalNames.count == 1)
  }

  @Test func `PG-17 the check names the file that a row from elsewhere came without`() throws {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(1))])
    let name = try #require(library.externalNames.first)
    let intruder = try library.intruder()
    try intruder.execute("DELETE FROM _oxbow_files")
    intruder.close()
    try FileManager.default.removeItem(atPath: library.folder + "/" + name)
    let file = SQLiteStoreFile(library.store.path)
    let finding = "the file '\(library.folder)/\(name)' of a value is missing"
    #expect(try file.check() == [finding])
    try file.compact()
    #expect(try file.check() == [finding])
  }

  @Test func `PG-17 a store that closes removes no file of the copy that took its place`() throws {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(1))])
    let (store, copy) = (library.store.path, scratch.file("copy"))
    try SQLiteStoreFile(store).backUp(to: copy)
    // For the open store, the former value belongs to no row any more.
    try library.changePhoto(1, 1, ["image": .data(image(2))])
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: store + suffix)
    }
    try FileManager.default.moveItem(atPath: copy, toPath: store)
    library.store.close()
    #expect(try data(1, at: store) == image(1))
  }
}
