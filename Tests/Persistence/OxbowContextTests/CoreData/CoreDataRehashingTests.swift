import Foundation
import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// Other version hashes for a store of Core Data.
@Suite struct CoreDataRehashingTests {
  private func change(_ copy: CoreDataCopy, _ old: String, _ new: String) throws
    -> CoreDataRehashing
  {
    let text = CoreDataShelves.contents.replacing(old, with: new)
    try copy.folder.write(text, to: "N.xcdatamodel/contents")
    return try CoreDataRehashing(
      of: copy.path, to: copy.folder.file("N.xcdatamodel"), from: copy.document)
  }

  private static let optional = "name=\"minutes\" optional=\"YES\""

  @Test(arguments: ["wal", "delete"])
  func `CD-45 hashes, digest and checksum change, and nothing else`(journal: String) throws {
    let copy = try CoreDataCopy.shelves(journal: journal)
    let rows = try copy.rows("SELECT sql FROM sqlite_schema ORDER BY 1")
    let change = try change(copy, Self.optional, "name=\"minutes\"")
    #expect(try !change.isDone && change.obstacles() == [])
    try change.apply(to: copy.path)
    let store = try #require(try CoreDataInspection.at(copy.path))
    #expect(store.hashes == change.version.hashes)
    #expect(store.frameworkVersion == 1344)
    #expect(store.ownKeys == ["lastSync"])
    #expect(try copy.rows("SELECT sql FROM sqlite_schema ORDER BY 1") == rows)
    #expect(try copy.hasLog == (journal == "wal"))
    #expect(try !copy.folder.names().contains { $0.hasPrefix("App.sqlite-") })
    let again = try CoreDataRehashing(
      of: copy.path, to: copy.folder.file("N.xcdatamodel"),
      from: copy.folder.file("N.xcdatamodel"))
    #expect(again.isDone)
    let former = failure { try copy.open { _ in } }
    #expect(former?.code == .modelMismatch)
  }

  @Test(
    arguments: [
      ("name=\"pages\"", "name=\"sheets\"", "tables are others"),
      (
        "name=\"Shelf\">", "name=\"Shelf\" parentEntity=\"Tag\">",
        "the numbers of entities are others"
      ),
      (
        "name=\"pages\" optional=\"YES\" attributeType=\"Integer 32\"",
        "name=\"pages\" optional=\"YES\" attributeType=\"Integer 64\"",
        "'pages' of 'Book' keeps other values"
      ),
      (
        " allowsExternalBinaryDataStorage=\"YES\"", "",
        "'cover' of 'Book' keeps other values"
      ),
      (
        "name=\"code\" optional=\"YES\"", "name=\"code\"",
        "'code' of 'Item' is required, and missing in 3 of its objects"
      ),
      ("name=\"favourite\" optional=\"YES\"", "name=\"favourite\"", nil),
      (
        "name=\"pages\" optional=\"YES\"", "name=\"pages\" elementID=\"price\" optional=\"YES\"",
        "'pages' of 'Book' keeps other values"
      ),
      (
        "name=\"minutes\" optional=\"YES\"",
        "name=\"minutes\" elementID=\"former\" optional=\"YES\"",
        nil
      ),
      (
        "name=\"owner\" optional=\"YES\"", "name=\"owner\"",
        "'owner' of 'Shelf' is required, and missing in 1 of its objects"
      ),
      (
        "name=\"contents\" optional=\"YES\"", "name=\"contents\" minCount=\"1\"", nil
      ),
      (
        "name=\"tags\" optional=\"YES\"", "name=\"tags\" minCount=\"1\"",
        "'tags' of 'Item' is required, and missing in 1 of its objects"
      ),
      (
        "name=\"books\" optional=\"YES\"", "name=\"books\" minCount=\"1\"",
        "'books' of 'Author' is required, and missing in 1 of its objects"
      ),
      (
        "<entity name=\"Shelf\">", "<entity name=\"Shelf\" isAbstract=\"YES\">",
        "'Shelf' is abstract, and objects of it would be lost: 2"
      ),
      (
        "<entity name=\"Film\"", "<entity name=\"Film\" isAbstract=\"YES\"",
        "'Film' is abstract, and objects of it would be lost: 1"
      ),
    ] as [(String, String, String?)])
  func `CD-45 what tables, numbers or values depend on is named`(
    old: String, new: String, obstacle: String?
  ) throws {
    let copy = try CoreDataCopy.shelves()
    #expect(CoreDataShelves.contents.contains(old))
    let found = try change(copy, old, new).obstacles()
    #expect(obstacle.map { found.contains($0) } ?? found.isEmpty, "\(found)")
  }

  @Test func `CD-45 a property that moves within a hierarchy is named`() throws {
    let price = "<attribute name=\"price\" optional=\"YES\" attributeType=\"Decimal\"/>"
    let item = "<entity name=\"Item\" isAbstract=\"YES\">"
    let above = CoreDataShelves.contents.replacing(price, with: "")
      .replacing(item, with: item + price)
    for (old, new, found) in [
      (
        CoreDataShelves.contents, above,
        [
          "'price' of 'Book' becomes one of another entity",
          "'price' of 'Item' was one of another entity",
        ]
      ),
      (
        above, CoreDataShelves.contents,
        [
          "'price' of 'Book' was one of another entity",
          "'price' of 'Item' becomes one of another entity",
        ]
      ),
    ] {
      let copy = try CoreDataCopy(old) { path in
        let document = try ModelDocument(Array(old.utf8), file: "m")
        try CoreDataShelves.make(path, CoreDataHashes(of: document).values)
      }
      try copy.folder.write(new, to: "N.xcdatamodel/contents")
      let change = try CoreDataRehashing(
        of: copy.path, to: copy.folder.file("N.xcdatamodel"), from: copy.document)
      #expect(try change.obstacles() == found)
    }
  }

  @Test func `CD-45 the archive of a compiled model is kept in the store`() throws {
    let copy = try CoreDataCopy { path in
      let document = try ModelDocument(CoreDataFixture.model(), file: "m")
      try CoreDataFixture.keeping(path, hashes: CoreDataHashes(of: document).values)
    }
    let bytes = CoreDataFixture.model(version: "2")
    try Data(bytes).write(to: URL(filePath: copy.folder.file("N.mom")))
    // The hash of an entity with a derived attribute is not known.
    let unknown = failure {
      _ = try CoreDataRehashing(of: copy.path, to: copy.folder.file("N.mom"))
    }
    #expect(unknown?.code == .unsupported)
    try FileManager.default.createDirectory(
      atPath: copy.folder.file("N.momd"), withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: copy.folder.file("N.momd/N.mom")))
    let ten = Data(repeating: 10, count: 32).base64EncodedString()
    try copy.folder.write(
      """
      <plist><dict><key>NSManagedObjectModel_CurrentVersionName</key><string>N</string>
      <key>NSManagedObjectModel_VersionHashes</key><dict><key>N</key><dict>
      <key>Author</key><data>\(ten)</data></dict></dict></dict></plist>
      """, to: "N.momd/VersionInfo.plist")
    let change = try CoreDataRehashing(of: copy.path, to: copy.folder.file("N.momd"))
    #expect(try change.obstacles() == [])
    try change.apply(to: copy.path)
    let store = try #require(try CoreDataInspection.at(copy.path))
    #expect(store.hashes["Author"] == [UInt8](repeating: 10, count: 32))
    #expect((store.frameworkVersion, store.versionIdentifiers) == (1344, ["2"]))
    #expect(try store.requireModel().model.versionIdentifiers == ["2"])
  }

  @Test func `CD-45 a store that others have open stays as it is`() throws {
    let copy = try CoreDataCopy.shelves()
    let change = try change(copy, Self.optional, "name=\"minutes\"")
    try copy.open { _ in
      #expect(failure { try change.apply(to: copy.path) }?.code == .storeLocked)
    }
    let other = try Connection(path: copy.path, configuration: .init(role: .sole))
    _ = try other.integer("SELECT count(*) FROM ZTAG")
    #expect(failure { try change.apply(to: copy.path) }?.code == .storeLocked)
    other.close()
    // Meanwhile another one has migrated it.
    try change.apply(to: copy.path)
    #expect(failure { try change.apply(to: copy.path) }?.code == .migrationRefused)
  }

  @Test func `CD-45 mirrored stores and those of Oxbow are refused`() throws {
    let copy = try CoreDataCopy.shelves(more: "CREATE TABLE ANSCKEVENT (a)")
    let mirrored = failure { _ = try change(copy, Self.optional, "name=\"minutes\"") }
    #expect(mirrored?.code == .unsupported)
    let plain = copy.folder.file("P.sqlite")
    try NewStore.make(
      plain, ModelDocument(Array(CoreDataShelves.contents.utf8), file: "m").model)
    let own = failure {
      _ = try CoreDataRehashing(of: plain, to: copy.folder.file("N.xcdatamodel"))
    }
    #expect(own?.code == .notAStore)
  }
}
