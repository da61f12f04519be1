import Foundation
import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// Copies of stores of Core Data, with their large values.
@Suite struct CoreDataBackupTests {
  private static let value = Data(repeating: 7, count: 100)

  /// A store of which a book has its cover in a file.
  private func store(journal: String = "wal") throws -> CoreDataCopy {
    let copy = try CoreDataCopy.shelves(journal: journal)
    try copy.change(options: { $0.externalStorageThreshold = 10 }) { context in
      try one(context, "Book", 2).setValue(Self.value, for: "cover")
    }
    return copy
  }

  private func cover(_ path: String, _ copy: CoreDataCopy) throws -> Data? {
    let model = try CompiledModel(StoredModel.of(path, document: copy.document))
    let coordinator = try PersistentStoreCoordinator(
      model, at: .file(path), options: SQLiteStoreOptions(isReadOnly: true))
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    return try one(context, "Book", 2).value("cover", as: Data.self)
  }

  private func files(_ copy: CoreDataCopy, _ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(
      atPath: copy.folder.file("\(folder)/_EXTERNAL_DATA"))) ?? []
  }

  private func damages(_ path: String, _ copy: CoreDataCopy) throws -> [String] {
    let found = try CoreDataExamination.of(path, model: copy.document)
    return try #require(found).findings.filter { !$0.isLeftover }.map(\.message)
  }

  @Test(arguments: ["wal", "delete"])
  func `CD-46 a backup has the large values, the journal mode, and nothing beside it`(
    journal: String
  ) throws {
    let copy = try store(journal: journal)
    let names = try copy.folder.names()
    try SQLiteStoreFile(copy.path).backUp(to: copy.folder.file("B.db"))
    #expect(try copy.folder.names() == (names + [".B_SUPPORT", "B.db"]).sorted())
    #expect(files(copy, ".B_SUPPORT") == files(copy, ".App_SUPPORT"))
    #expect(try cover(copy.folder.file("B.db"), copy) == Self.value)
    let connection = try Connection(
      path: copy.folder.file("B.db"), configuration: .init(role: .sole))
    #expect(try connection.journalModeOfHeader() == journal)
    connection.close()
    #expect(try damages(copy.folder.file("B.db"), copy) == damages(copy.path, copy))
  }

  @Test func `CD-46 an open store is copied as it is, and again over the copy`() throws {
    let copy = try store()
    let backup = copy.folder.file("B.sqlite")
    // Another store's, whose name differs in its extension.
    let other = "8A0F9F6C-6B0E-4C7E-9C6C-0123456789AB"
    try copy.folder.write("mine", to: ".B_SUPPORT/_EXTERNAL_DATA/\(other)")
    let first = files(copy, ".App_SUPPORT")
    try copy.open({ $0.externalStorageThreshold = 10 }) { coordinator in
      try coordinator.backUp(to: backup)
      #expect(Set(files(copy, ".B_SUPPORT")) == Set(first + [other]))
      let context = ManagedObjectContext(coordinator: coordinator)
      try one(context, "Book", 2).setValue(Data(repeating: 8, count: 50), for: "cover")
      try context.save()
      let refused = failure { try coordinator.backUp(to: backup) }
      #expect(refused?.code == .storeUnreachable)
      try coordinator.backUp(to: backup, overwriting: true)
    }
    #expect(Set(files(copy, ".B_SUPPORT")) == Set(files(copy, ".App_SUPPORT") + [other]))
    #expect(!files(copy, ".B_SUPPORT").contains(first[0]))
    #expect(try cover(backup, copy) == Data(repeating: 8, count: 50))
  }

  @Test func `CD-46 a value whose file the store has lost does not keep it from being copied`()
    throws
  {
    let copy = try store()
    let lost = copy.folder.file(".App_SUPPORT/_EXTERNAL_DATA/\(files(copy, ".App_SUPPORT")[0])")
    try FileManager.default.removeItem(atPath: lost)
    try SQLiteStoreFile(copy.path).backUp(to: copy.folder.file("B.sqlite"))
    #expect(files(copy, ".B_SUPPORT") == [])
    let found = try CoreDataExamination.of(copy.folder.file("B.sqlite"), model: copy.document)
    #expect(
      found?.findings.map(\.message).contains(
        "ZITEM.ZCOVER: a large value whose file is missing, 1× (2)") == true)
  }

  @Test func `CD-46 restoring brings the large values back, and keeps those that were there`()
    throws
  {
    let copy = try store()
    let backup = copy.folder.file("B.sqlite")
    try SQLiteStoreFile(copy.path).backUp(to: backup)
    try copy.change(options: { $0.externalStorageThreshold = 10 }) { context in
      try one(context, "Book", 2).setValue(Data(repeating: 8, count: 50), for: "cover")
    }
    let refused = failure { try SQLiteStoreFile(copy.path).restore(from: backup) }
    #expect(refused?.code == .storeUnreachable)
    try copy.open { _ in
      let open = failure {
        try SQLiteStoreFile(copy.path).restore(from: backup, replacing: true)
      }
      #expect(open?.code == .storeLocked)
    }
    let kept = try SQLiteStoreFile(copy.path).restore(from: backup, replacing: true)
    #expect(kept == copy.path + ".replaced")
    #expect(try cover(copy.path, copy) == Self.value)
    #expect(try cover(copy.path + ".replaced", copy) == Data(repeating: 8, count: 50))
    #expect(try copy.hasLog)
    #expect(
      try copy.folder.names() == [
        ".App.sqlite_SUPPORT", ".App_SUPPORT", ".B_SUPPORT", "App.sqlite", "App.sqlite.replaced",
        "B.sqlite", "M.xcdatamodel",
      ])
  }

  @Test func `CD-46 what was kept keeps its large values, also under a store of Oxbow`() throws {
    let copy = try store()
    let plain = copy.folder.file("P.sqlite")
    try PersistentStoreCoordinator(model(), at: .file(plain)).close()
    for kept in [".replaced", "-2.replaced"] {
      let path = try SQLiteStoreFile(copy.path).restore(from: plain, replacing: true)
      #expect(path == copy.path + kept)
      #expect(try cover(copy.path + ".replaced", copy) == Self.value)
    }
  }

  @Test func `CD-46 restoring leaves the values of a store that differs in its extension`() throws {
    let copy = try store()
    let (backup, other) = (copy.folder.file("B.sqlite"), copy.folder.file("App.db"))
    try SQLiteStoreFile(copy.path).backUp(to: backup)
    let refused = failure { try SQLiteStoreFile(other).restore(from: backup) }
    #expect(refused?.code == .storeUnreachable)
    #expect(refused?.message.contains("'App.sqlite' has its large values in the same") == true)
    let plain = copy.folder.file("P.sqlite")
    try PersistentStoreCoordinator(model(), at: .file(plain)).close()
    try SQLiteStoreFile(other).restore(from: plain)
    let kept = try SQLiteStoreFile(other).restore(from: plain, replacing: true)
    #expect(kept == other + ".replaced")
    #expect(try cover(copy.path, copy) == Self.value)
    let both = failure { try SQLiteStoreFile(copy.path).restore(from: plain, replacing: true) }
    #expect(both == nil)
    #expect(try cover(copy.path + ".replaced", copy) == Self.value)
  }

  private func model() throws -> CompiledModel {
    try CompiledModel(ModelDocument(Array(CoreDataShelves.contents.utf8), file: "m").model)
  }

  @Test func `CD-46 no copy is made whose folder of large values would be the store's own`() throws
  {
    let copy = try store()
    let (names, other) = (try copy.folder.names(), copy.folder.file("App.backup"))
    let errors = [
      failure { try SQLiteStoreFile(copy.path).backUp(to: other) },
      failure { try SQLiteStoreFile(copy.path).move(to: other) },
      failure { try copy.open { try $0.moveStore(to: other) } },
    ]
    #expect(errors.map { $0?.code } == [.storeUnreachable, .storeUnreachable, .storeUnreachable])
    #expect(errors[0]?.message.contains("a name that differs in more than its extension") == true)
    #expect(try copy.folder.names() == names)
    #expect(try cover(copy.path, copy) == Self.value)
  }

  // MARK: - One folder for two

  /// Another store beside a store, whose values are in the same folder, since only the extensions
  /// of their names differ; all values are old enough to be swept.
  private func twin(_ copy: CoreDataCopy, _ value: UInt8) throws -> (path: String, value: Data) {
    let (other, path) = (try store(), copy.folder.file("App.db"))
    let value = Data(repeating: value, count: 80)
    try other.change(options: { $0.externalStorageThreshold = 10 }) { context in
      try one(context, "Book", 2).setValue(value, for: "cover")
    }
    try FileManager.default.copyItem(atPath: other.path, toPath: path)
    for name in files(other, ".App_SUPPORT") {
      try FileManager.default.copyItem(
        atPath: other.folder.file(".App_SUPPORT/_EXTERNAL_DATA/\(name)"),
        toPath: copy.folder.file(".App_SUPPORT/_EXTERNAL_DATA/\(name)"))
    }
    for name in files(copy, ".App_SUPPORT") {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -4000)],
        ofItemAtPath: copy.folder.file(".App_SUPPORT/_EXTERNAL_DATA/\(name)"))
    }
    return (path, value)
  }

  @Test func `CD-46 opening, changing, moving and removing a store leave the values of its twin`()
    throws
  {
    let copy = try store()
    let twin = try twin(copy, 9)
    #expect(try cover(twin.path, copy) == twin.value)
    try copy.change { try one($0, "Book", 2).setValue(Data?.none, for: "cover") }
    #expect(try cover(twin.path, copy) == twin.value)
    try SQLiteStoreFile(copy.path).move(to: copy.folder.file("N.db"))
    #expect(try cover(twin.path, copy) == twin.value)
    let third = try store()
    try SQLiteStoreFile(self.twin(third, 8).path).remove()
    #expect(try cover(third.path, third) == Self.value)
  }

  @Test func `CD-46 a copy of a store keeps the values that the store no longer has`() throws {
    let copy = try store()
    let same = copy.folder.file("App.db")
    try FileManager.default.copyItem(atPath: copy.path, toPath: same)
    try copy.change(options: { $0.externalStorageThreshold = 10 }) { context in
      try one(context, "Book", 2).setValue(Data(repeating: 8, count: 50), for: "cover")
    }
    #expect(try cover(same, copy) == Self.value)
    try SQLiteStoreFile(copy.path).remove()
    #expect(try cover(same, copy) == Self.value)
  }

  @Test func `CD-46 two copies whose names differ in their extension are not made`() throws {
    let copy = try store()
    let backups = [1, 2].map { copy.folder.file("shop.sqlite.\($0)") }
    try SQLiteStoreFile(copy.path).backUp(to: backups[0])
    let refused = failure { try SQLiteStoreFile(copy.path).backUp(to: backups[1]) }
    #expect(refused?.code == .storeUnreachable)
    #expect(refused?.message.contains("a name that differs in more than its extension") == true)
    #expect(!FileManager.default.fileExists(atPath: backups[1]))
    try SQLiteStoreFile(copy.path).backUp(to: backups[0], overwriting: true)
    #expect(try cover(backups[0], copy) == Self.value)
  }

  @Test func `CD-46 what an interrupted backup has left of a value is written anew`() throws {
    let copy = try store()
    let name = try #require(files(copy, ".App_SUPPORT").first)
    try copy.folder.write("half", to: ".B_SUPPORT/_EXTERNAL_DATA/\(name)")
    try SQLiteStoreFile(copy.path).backUp(to: copy.folder.file("B.sqlite"))
    #expect(try cover(copy.folder.file("B.sqlite"), copy) == Self.value)
  }

  // MARK: - Moving

  @Test func `CD-46 a store without large values moves, and those of another one stay`() throws {
    let copy = try CoreDataCopy.shelves()
    let other = "8A0F9F6C-6B0E-4C7E-9C6C-0123456789AB"
    try copy.folder.write("mine", to: ".App_SUPPORT/_EXTERNAL_DATA/\(other)")
    try SQLiteStoreFile(copy.path).move(to: copy.folder.file("App.db"))
    #expect(files(copy, ".App_SUPPORT") == [other])
  }

  @Test(arguments: ["wal", "delete"])
  func `CD-46 a store moves with its values, and leaves nothing`(journal: String) throws {
    let copy = try store(journal: journal)
    try SQLiteStoreFile(copy.path).move(to: copy.folder.file("N.db"))
    #expect(try copy.folder.names() == [".N_SUPPORT", "M.xcdatamodel", "N.db"])
    #expect(try cover(copy.folder.file("N.db"), copy) == Self.value)
    let taken = failure { try SQLiteStoreFile(copy.folder.file("N.db")).move(to: copy.folder.path) }
    #expect(taken?.code == .storeUnreachable)
    let plain = copy.folder.file("P.sqlite")
    let model = try ModelDocument(Array(CoreDataShelves.contents.utf8), file: "m").model
    try NewStore.make(plain, model)
    try SQLiteStoreFile(plain).move(to: copy.folder.file("Q.sqlite"))
    #expect(!FileManager.default.fileExists(atPath: plain))
    try PersistentStoreCoordinator(
      CompiledModel(model), at: .file(copy.folder.file("Q.sqlite"))
    ).close()
  }

  @Test func `CD-46 a store is removed with its own values, and a damaged one without`() throws {
    let copy = try store()
    let other = "8A0F9F6C-6B0E-4C7E-9C6C-0123456789AB"
    try copy.folder.write("mine", to: ".App_SUPPORT/_EXTERNAL_DATA/\(other)")
    #expect(files(copy, ".App_SUPPORT").count == 2)
    try SQLiteStoreFile(copy.path).remove()
    #expect(files(copy, ".App_SUPPORT") == [other])
    #expect(!FileManager.default.fileExists(atPath: copy.path))
    try copy.folder.write("not a database", to: "D.sqlite")
    try SQLiteStoreFile(copy.folder.file("D.sqlite")).remove()
    #expect(!FileManager.default.fileExists(atPath: copy.folder.file("D.sqlite")))
    #expect(files(copy, ".App_SUPPORT") == [other])
  }

  @Test func `CD-46 a store that another program has open does not move`() throws {
    let copy = try store()
    try copy.open { _ in
      let refused = failure { try SQLiteStoreFile(copy.path).move(to: copy.folder.file("N.db")) }
      #expect(refused?.code == .storeLocked)
    }
    // A program that does not know the lock file.
    let other = try Connection(path: copy.path, configuration: .init(role: .sole))
    _ = try other.integer("SELECT count(*) FROM ZTAG")
    let refused = failure { try SQLiteStoreFile(copy.path).move(to: copy.folder.file("N.db")) }
    #expect(refused?.code == .storeLocked)
    other.close()
    #expect(try cover(copy.path, copy) == Self.value)
    #expect(try !copy.folder.names().contains("N.db"))
  }

  @Test func `CD-46 a program that opens the store while it is copied keeps it from moving`() throws
  {
    let copy = try store()
    // A program that does not know the lock file.
    let other = Lock<Connection?>(nil)
    let refused = failure {
      try SQLiteStoreFile(copy.path).move(to: copy.folder.file("N.db")) { _ in
        other.withLock { connection in
          guard connection == nil else { return }
          connection = try? Connection(path: copy.path, configuration: .init(role: .sole))
          _ = try? connection?.integer("SELECT count(*) FROM ZTAG")
        }
      }
    }
    #expect(other.withLock { $0 != nil })
    #expect(refused?.code == .storeLocked)
    other.withLock { $0?.close() }
    #expect(try cover(copy.path, copy) == Self.value)
    #expect(try !copy.folder.names().contains { $0.contains("N") })
  }

  @Test func `CD-46 an open store moves, and what is saved then is saved there`() throws {
    let copy = try store()
    let moved = copy.folder.file("N.sqlite")
    try copy.open({ $0.externalStorageThreshold = 10 }) { coordinator in
      let context = ManagedObjectContext(coordinator: coordinator)
      let book = try one(context, "Book", 2)
      try coordinator.moveStore(to: moved)
      #expect(try book.value("cover", as: Data.self) == Self.value)
      try book.setValue(Data(repeating: 8, count: 50), for: "cover")
      try context.save()
    }
    #expect(try cover(moved, copy) == Data(repeating: 8, count: 50))
    #expect(try cover(copy.path, copy) == Self.value)
    #expect(
      try copy.folder.names() == [
        ".App_SUPPORT", ".N_SUPPORT", "App.sqlite", "M.xcdatamodel", "N.sqlite",
      ])
    #expect(try damages(moved, copy) == damages(copy.path, copy))
  }
}
