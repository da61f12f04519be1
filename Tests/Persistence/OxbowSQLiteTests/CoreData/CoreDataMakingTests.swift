import Dispatch
import OxbowModel
import OxbowRelational
import OxbowStore
import OxbowTestSupport
import Synchronization
import Testing

@testable import OxbowSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// New stores in Core Data's layout: their definitions, and files that are whole or not there.
@Suite struct CoreDataMakingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func definitions(_ contents: String) throws -> CoreDataDefinitions {
    try CoreDataLayout.definitions(
      of: CompiledModel(ModelDocument(Array(contents.utf8), file: "m").model))
  }

  private func refusal(_ entities: String) throws -> PersistenceError? {
    do { _ = try definitions("<model>\(entities)</model>") } catch let error as PersistenceError {
      return error
    }
    return nil
  }

  @Test func `CD-35 tables and indexes are those that Core Data writes`() throws {
    let made = try definitions(CoreDataShelves.contents)
    #expect(made.entities.map(\.name) == ["Author", "Item", "Book", "Film", "Shelf", "Tag"])
    #expect(made.entities.map(\.number) == [1, 2, 3, 4, 5, 6])
    #expect(made.entities.map(\.parent) == [0, 0, 2, 2, 0, 0])
    let head: String = "( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
    let tables: [String] = [
      "CREATE TABLE ZAUTHOR \(head) ZSHELF INTEGER, ZBORN TIMESTAMP, ZNAME VARCHAR )",
      "CREATE TABLE ZITEM \(head) Z5CONTENTS INTEGER, ZPAGES INTEGER, ZAUTHOR INTEGER, "
        + "Z_FOK_AUTHOR INTEGER, ZMINUTES INTEGER, ZPRICE DECIMAL, ZCODE VARCHAR, ZTITLE VARCHAR, "
        + "ZTITLE1 VARCHAR, ZCOVER BLOB )",
      "CREATE TABLE Z_2TAGS ( Z_2ITEMS INTEGER, Z_6TAGS INTEGER, Z_FOK_2ITEMS INTEGER, "
        + "PRIMARY KEY (Z_2ITEMS, Z_6TAGS) )",
      "CREATE TABLE ZSHELF \(head) ZFAVOURITE INTEGER, Z2_FAVOURITE INTEGER, ZOWNER INTEGER, "
        + "ZLABEL VARCHAR )",
      "CREATE TABLE ZTAG \(head) ZNAME VARCHAR )",
      "CREATE TABLE Z_6RELATEDBY ( Z_6RELATED INTEGER, Z_6RELATEDBY INTEGER, "
        + "PRIMARY KEY (Z_6RELATED, Z_6RELATEDBY) )",
    ]
    #expect(made.tables == tables)
    let indexes: [String] = [
      "CREATE INDEX Z_2TAGS_Z_6TAGS_INDEX ON Z_2TAGS (Z_6TAGS, Z_2ITEMS)",
      "CREATE INDEX Z_6RELATEDBY_Z_6RELATEDBY_INDEX ON Z_6RELATEDBY (Z_6RELATEDBY, Z_6RELATED)",
      "CREATE INDEX ZAUTHOR_ZSHELF_INDEX ON ZAUTHOR (ZSHELF)",
      "CREATE INDEX ZITEM_Z5CONTENTS_INDEX ON ZITEM (Z5CONTENTS)",
      "CREATE INDEX ZITEM_ZAUTHOR_INDEX ON ZITEM (ZAUTHOR)",
      "CREATE INDEX ZITEM_Z_ENT_INDEX ON ZITEM (Z_ENT)",
      "CREATE INDEX ZSHELF_ZFAVOURITE_INDEX ON ZSHELF (ZFAVOURITE)",
      "CREATE INDEX ZSHELF_ZOWNER_INDEX ON ZSHELF (ZOWNER)",
    ]
    #expect(made.indexes == indexes)
    let note: String =
      "the table of links of 'relatedBy' and 'related' of 'Tag' is named after the former; Core "
      + "Data may look for 'related'"
    #expect(made.notes == [note])
    #expect(made.triggers == [])
  }

  @Test func `CD-35 numbers ignore the case of names, and constraints and indexes have columns`()
    throws
  {
    let made = try definitions(
      """
      <model><entity name="SyncFeature"><attribute name="b" attributeType="UUID"/>
        <attribute name="a" attributeType="Float" indexed="YES"/>
        <compoundIndexes><compoundIndex><index value="a"/><index value="b"/></compoundIndex>
        </compoundIndexes>
        <fetchIndex name="same"><fetchIndexElement property="a" type="Binary" order="ascending"/>
        <fetchIndexElement property="b" type="Binary" order="ascending"/></fetchIndex>
        <fetchIndex name="down"><fetchIndexElement property="b" type="Binary" order="descending"/>
        </fetchIndex></entity>
      <entity name="SyncableSettings" parentEntity="Base"><attribute name="c" optional="YES" \
      attributeType="Boolean"/><uniquenessConstraints><uniquenessConstraint><constraint value="d"/>
        <constraint value="c"/></uniquenessConstraint></uniquenessConstraints></entity>
      <entity name="Base"><attribute name="d" attributeType="URI"/></entity></model>
      """)
    #expect(made.entities.map(\.name) == ["Base", "SyncableSettings", "SyncFeature"])
    let indexes: [String] = [
      "CREATE INDEX ZBASE_Z_ENT_INDEX ON ZBASE (Z_ENT)",
      "CREATE UNIQUE INDEX Z_SyncableSettings_UNIQUE_d_c ON ZBASE "
        + "(ZD COLLATE BINARY ASC, ZC COLLATE BINARY ASC)",
      "CREATE INDEX Z_SyncFeature_same ON ZSYNCFEATURE "
        + "(ZA COLLATE BINARY ASC, ZB COLLATE BINARY ASC)",
      "CREATE INDEX Z_SyncFeature_down ON ZSYNCFEATURE (ZB COLLATE BINARY DESC)",
      "CREATE INDEX Z_SyncFeature_a ON ZSYNCFEATURE (ZA COLLATE BINARY ASC)",
    ]
    #expect(made.indexes == indexes)
  }

  @Test func `CD-35 what is not known of the layout is refused by name`() throws {
    let error = try refusal(
      """
      <entity name="A"><attribute name="place" optional="YES" attributeType="Composite" \
      composite="P"/><attribute name="first" optional="YES" attributeType="Double"/>
      <attribute name="last" optional="YES" attributeType="Double"/>
      <attribute name="changed" optional="YES" attributeType="Date" derived="YES" \
      derivationExpression="now()"/>
      <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" \
      destinationEntity="A" inverseName="friends" inverseEntity="A"/>
      <fetchIndex name="range"><fetchIndexElement property="first" type="RTree"/>
      <fetchIndexElement property="last" type="RTree"/></fetchIndex></entity>
      <entity name="B"><attribute name="name1" optional="YES" attributeType="String"/></entity>
      <entity name="C" parentEntity="B"><attribute name="name" attributeType="String"/></entity>
      <entity name="D" parentEntity="B"><attribute name="name" attributeType="String"/></entity>
      <composite name="P"><attribute name="x" optional="YES" attributeType="Double"/></composite>
      """)
    #expect(error?.code == .unsupported)
    #expect(error?.message == "no store of Core Data is made for this model")
    let problems: [String] = [
      "'friends' of 'A' is its own inverse, and how Core Data keeps the links of such a to-many "
        + "relationship is not known",
      "'place' of 'A' is a composite attribute, whose columns are not known",
      "'name' of 'D' needs the column 'ZNAME1', which the table has already; rename it",
      "the index 'range' of 'A' is one of boxes (RTree)",
      "'changed' of 'A' is a derived attribute other than the count of a to-many relationship of a "
        + "root entity whose inverse is to-one; the triggers of any other are not known",
    ]
    #expect(error?.problems.map(\.message) == problems)
    let none = try refusal("")
    #expect(none?.message == "no store of Core Data is made for this model: it has no entities")
  }

  private func model(_ contents: String) throws -> CoreDataModel {
    try folder.write(contents, to: "M.xcdatamodel/contents")
    return try CoreDataModel(at: folder.file("M.xcdatamodel"))
  }

  @Test func `CD-35 a new store has what Core Data looks for, and is read as one`() throws {
    let path = folder.file("App.sqlite")
    let identifier = try #require(UUID(uuidString: CoreDataShelves.identifier))
    let notes = try NewStore.makeForCoreData(
      path, model: model(CoreDataShelves.contents).document.model,
      version: model(CoreDataShelves.contents).version, identifier: identifier)
    #expect(notes.count == 1)
    #expect(try folder.names() == ["App.sqlite", "M.xcdatamodel"])
    let found = try #require(try CoreDataInspection.at(path))
    #expect(found.identifier == CoreDataShelves.identifier)
    #expect((found.frameworkVersion, found.journalMode) == (519, "wal"))
    #expect(found.versionIdentifiers == ["shelves"])
    let version = try model(CoreDataShelves.contents).version
    #expect(found.hashes == version.hashes)
    #expect(!found.keepsModel)
    #expect(found.history == nil)
    #expect(found.ownKeys.isEmpty)
    let connection = try Connection(path: path, configuration: .init(role: .sole))
    defer { connection.close() }
    let settings = try ["auto_vacuum", "page_size", "user_version"].map {
      try connection.integer("PRAGMA \($0)") ?? -1
    }
    #expect(settings == [2, 4096, 0])
    let numbers = try connection.rows("SELECT * FROM Z_PRIMARYKEY ORDER BY 1")
    #expect(numbers[2] == [.integer(3), .text("Book"), .integer(2), .integer(0)])
    guard case .blob(let list) = try connection.rows("SELECT Z_PLIST FROM Z_METADATA")[0][0] else {
      Issue.record("no metadata")
      return
    }
    let text = String(decoding: list, as: UTF8.self)
    for key in [
      "_NSAutoVacuumLevel", "NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey",
      "NSStoreModelVersionHashesVersion", "SQLite",
    ] { #expect(text.contains(key)) }
  }

  @Test func `CD-20 a column that another program takes away from an open store is named`() throws {
    let path = folder.file("App.sqlite")
    let shelves = try model(CoreDataShelves.contents)
    _ = try NewStore.makeForCoreData(path, model: shelves.document.model, version: shelves.version)
    let model = try CompiledModel(shelves.document.model)
    let store = try SQLiteStore(model, at: .file(path))
    defer { store.close() }
    let author = try #require(model.entities.first { $0.name == "Author" })
    #expect(try store.count(of: StoreFetch(entity: author.index)) == 0)
    let connection = try Connection(path: path, configuration: .init(role: .sole))
    defer { connection.close() }
    try connection.execute("ALTER TABLE ZAUTHOR DROP COLUMN ZBORN")
    let error = #expect(throws: PersistenceError.self) {
      try store.count(of: StoreFetch(entity: author.index))
    }
    #expect(error?.message.contains("lacks what its model needs: 'ZAUTHOR.ZBORN'") == true)
  }

  @Test func `CD-35 a file that came while a store was made is left alone`() throws {
    let path = folder.file("App.sqlite")
    let part = try PartFile(path, permissions: 0o600)
    try part.make()
    try folder.write("mine", to: "App.sqlite")
    #expect {
      try part.settle("it is taken")
    } throws: {
      "\($0)".hasSuffix("nothing was written to '\(path)': it is taken")
    }
    #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
    try FileManager.default.removeItem(atPath: path)
    try part.settle("it is taken")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["App.sqlite"])
  }

  @Test func `CD-35 of eight that make a store at one path at once, one does`() throws {
    let path = folder.file("App.sqlite")
    let model = ManagedObjectModel(entities: [
      EntityDescription("Note", attributes: [AttributeDescription("text", .string)])
    ])
    let made = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      do {
        try NewStore.make(path, model)
        made.withLock { $0 += 1 }
      } catch {
        #expect("\(error)".hasSuffix("'\(path)' exists already; choose another path"))
      }
    }
    #expect(made.withLock { $0 } == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["App.sqlite"])
  }

  @Test func `CD-35 a path that is taken, and a model without hashes, leave what is there`() throws
  {
    let path = folder.file("App.sqlite")
    let shelves = try model(CoreDataShelves.contents)
    for name in ["App.sqlite", ".App_SUPPORT", "App.sqlite-wal"] {
      try folder.write("mine", to: name)
      #expect {
        try NewStore.makeForCoreData(
          path, model: shelves.document.model, version: shelves.version)
      } throws: {
        "\($0)".hasSuffix(
          "nothing was written to '\(path)': '\(folder.file(name))' exists already; choose another "
            + "path")
      }
      try FileManager.default.removeItem(atPath: folder.file(name))
    }
    let derived = try model(
      """
      <model><entity name="A"><attribute name="count" optional="YES" attributeType="Integer 64" \
      derived="YES" derivationExpression="bs.@count"/><relationship name="bs" optional="YES" \
      toMany="YES" deletionRule="Nullify" destinationEntity="B" inverseName="a" inverseEntity="A"/>
      </entity><entity name="B"><relationship name="a" optional="YES" maxCount="1" \
      deletionRule="Nullify" destinationEntity="A" inverseName="bs" inverseEntity="A"/></entity>
      </model>
      """)
    #expect {
      try NewStore.makeForCoreData(
        path, model: derived.document.model, version: derived.version)
    } throws: {
      "\($0)".contains(
        "the version hashes of entities with derived or composite attributes cannot be computed: 'A'; "
          + "give the model as Xcode compiled it (a .momd folder), or a store of the app with this "
          + "version of the model")
    }
    #expect(try folder.names() == ["M.xcdatamodel"])
  }

  @Test func `CD-35 a count is kept by the triggers that Core Data writes`() throws {
    let made = try definitions(CoreDataFixture.document())
    #expect(made.triggers.count == 5)
    let first: String =
      "CREATE TRIGGER Z_DA_ZWORK_Author_bookCount_PARAMETER_INSERT AFTER INSERT ON ZWORK FOR "
      + "EACH ROW WHEN (NEW.ZAUTHOR NOT NULL) BEGIN UPDATE ZAUTHOR SET ZBOOKCOUNT = "
      + "IFNULL(ZBOOKCOUNT, 0) + 1 WHERE Z_PK = NEW.ZAUTHOR; SELECT "
      + "NSCoreDataDATriggerUpdatedAffectedObjectValue('ZAUTHOR', Z_ENT, Z_PK, 'bookCount', "
      + "ZBOOKCOUNT) FROM ZAUTHOR WHERE Z_PK = NEW.ZAUTHOR; END"
    #expect(made.triggers.first == first)
  }
}

/// The definitions of models in stores, compared with the stores.
@Suite(.enabled(if: Samples.folder != nil, Comment(rawValue: Samples.absence)))
struct CoreDataMakingSampleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A store's migrations leave names of their own: 2.98 of this app.
  private static let migrated = "store2-98-0"

  /// `OXBOW_ALL_SAMPLES=1` compares all.
  @Test func `CD-35 the schema of a store follows from its model to the character`() throws {
    let paths = Samples.paths(below: "stores") {
      ($0.hasSuffix(".sqlite") || $0.hasSuffix(".wiredatabase")) && !$0.contains(Self.migrated)
    }
    let takesAll = ProcessInfo.processInfo.environment["OXBOW_ALL_SAMPLES"] != nil
    var compared = 0
    for (number, path) in paths.enumerated() where takesAll || number % 5 == 0 {
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
        try FileManager.default.copyItem(
          atPath: path + suffix, toPath: folder.file("\(number)\(suffix)"))
      }
      guard let store = try CoreDataInspection.at(folder.file("\(number)")),
        store.frameworkVersion >= 1044
      else { continue }
      let made = try CoreDataLayout.definitions(of: CompiledModel(store.requireModel().model))
      let connection = try Connection(
        path: folder.file("\(number)"), configuration: .init(role: .sole))
      let found = try connection.texts(
        "SELECT sql FROM sqlite_schema WHERE sql NOT NULL AND name NOT LIKE 'A%' AND name NOT IN "
          + "('Z_PRIMARYKEY', 'Z_METADATA', 'Z_MODELCACHE') AND name NOT LIKE 'Z_TRANSACTION%'")
      connection.close()
      #expect(found.sorted() == (made.tables + made.indexes + made.triggers).sorted(), "\(path)")
      compared += 1
    }
    #expect(takesAll ? compared == 25 : compared > 3)
  }
}
