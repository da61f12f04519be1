import Foundation
import OxbowContext
import OxbowCoreData
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// What is found to be wrong with stores of Core Data.
@Suite struct CoreDataExaminationTests {
  /// A store without a fault, which a test spoils by statements.
  private func store(_ spoiling: String, whileOpen body: () throws -> Void = {}) throws
    -> CoreDataCopy
  {
    let copy = try CoreDataCopy(CoreDataShelves.contents) { path in
      let document = try ModelDocument(Array(CoreDataShelves.contents.utf8), file: "m")
      _ = try NewStore.makeForCoreData(
        path, model: document.model, version: CoreDataVersion(of: document))
    }
    try FixtureDatabase.run(copy.path, Self.rows + spoiling, whileOpen: body)
    return copy
  }

  private static let rows = """
    UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT IN (1, 5, 6);
    UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_ENT = 2;
    INSERT INTO ZAUTHOR VALUES (1, 1, 1, 1, 12, 'Ursula'), (2, 1, 1, NULL, NULL, 'Iain');
    INSERT INTO ZITEM VALUES
      (1, 3, 1, 1, 117, 1, 2048, NULL, 9.5, 'a', 'Rocannon', NULL, x'01c0ffee'),
      (2, 3, 1, 1, 113, 1, 3072, NULL, 12, NULL, 'Planet', NULL, NULL),
      (3, 4, 1, 2, NULL, NULL, NULL, 105, NULL, NULL, NULL, 'Lathe', NULL);
    INSERT INTO ZSHELF VALUES (1, 5, 1, 3, 4, 1, 'low'), (2, 5, 1, 1, 3, NULL, NULL);
    INSERT INTO ZTAG VALUES (1, 6, 1, 'sf'), (2, 6, 1, 'old');
    INSERT INTO Z_2TAGS VALUES (1, 1, 2048), (2, 1, 3072), (3, 2, 2048);
    INSERT INTO Z_6RELATEDBY VALUES (2, 1);
    """

  private static let history = """
    \(CoreDataFixture.historyTables)
    INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHORTS) VALUES (7, 16002, 1.5, 3);
    INSERT INTO ATRANSACTIONSTRING VALUES (3, 16003, NULL, 'app');
    INSERT INTO ACHANGE VALUES (20, 16001, NULL, 0, 1, 1, 7, NULL),
      (21, 16001, NULL, 1, 3, 2, 7, x'80'), (22, 16001, NULL, 2, 6, 9, 7, NULL);
    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 22), (16002, 'TRANSACTION', 0, 7),
      (16003, 'TRANSACTIONSTRING', 0, 3);
    """

  private func findings(_ copy: CoreDataCopy) throws -> [CoreDataExamination.Finding] {
    try #require(try CoreDataExamination.of(copy.path, model: copy.document)).findings
  }

  @Test func `CD-44 nothing is wrong with a store that was made here, with a history or without`()
    throws
  {
    #expect(try findings(store("")) == [])
    #expect(try findings(store(Self.history)) == [])
  }

  // MARK: - Damage

  @Test(
    arguments: [
      ("UPDATE Z_METADATA SET Z_VERSION = 2", "Z_METADATA.Z_VERSION: not 1, 1× (2)"),
      (
        "CREATE TABLE ZX (a ANY) STRICT",
        "tables: STRICT or without row IDs, as Core Data makes none, 1× (ZX)"
      ),
      (
        "CREATE TABLE ZX (a REFERENCES ZTAG)",
        "tables: with foreign keys, as Core Data makes none, 1× (ZX)"
      ),
      (
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 'x' WHERE Z_ENT = 1",
        "Z_PRIMARYKEY: Z_ENT, Z_SUPER or Z_MAX is not a whole number, 1× (Author)"
      ),
      (
        "INSERT INTO Z_PRIMARYKEY VALUES (7, 'Tag', 0, 0)",
        "Z_PRIMARYKEY: an entity twice, 1× (Tag)"
      ),
      (
        "INSERT INTO Z_PRIMARYKEY VALUES (9, 'Other', 0, 0)",
        "Z_PRIMARYKEY: a number that is left out before it, 1× (Other)"
      ),
      (
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_ENT = 3",
        "Z_PRIMARYKEY: a last key of an entity below another, 1× (Book)"
      ),
      (
        "UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_ENT = 3",
        "Z_PRIMARYKEY: another number than the order of names gives, or another parent, 1× (Book)"
      ),
      (
        "ALTER TABLE ZTAG ADD COLUMN ZMORE INTEGER",
        "ZTAG: a column of nothing in the model, 1× (ZMORE)"
      ),
      (
        "ALTER TABLE ZTAG RENAME TO ZT; CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER NOT NULL, ZNAME VARCHAR); INSERT INTO ZTAG SELECT * FROM ZT; DROP TABLE ZT",
        "ZTAG: a column is NOT NULL or has a default, 1× (Z_OPT)"
      ),
      (
        "ALTER TABLE ZTAG RENAME TO ZT; CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME BLOB); INSERT INTO ZTAG SELECT * FROM ZT; DROP TABLE ZT",
        "ZTAG: a column is declared with another type, 1× (ZNAME)"
      ),
      (
        "ALTER TABLE ZTAG RENAME TO ZT; CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_OPT INTEGER, Z_ENT INTEGER, ZNAME VARCHAR); INSERT INTO ZTAG SELECT Z_PK, Z_OPT, Z_ENT, ZNAME FROM ZT; DROP TABLE ZT",
        "ZTAG: does not begin with Z_PK, Z_ENT and Z_OPT, 2× (Z_OPT, Z_ENT)"
      ),
      (
        "ALTER TABLE Z_2TAGS ADD COLUMN Z_7 INTEGER",
        "Z_2TAGS: a column of nothing in the model, 1× (Z_7)"
      ),
      (
        "UPDATE ZTAG SET Z_OPT = NULL WHERE Z_PK = 1",
        "ZTAG: Z_ENT or Z_OPT is not a whole number, 1× (1)"
      ),
      ("UPDATE ZTAG SET Z_OPT = 0", "ZTAG: the version is below 1, 2× (1, 2)"),
      ("INSERT INTO ZTAG VALUES (-1, 6, 1, 'x')", "ZTAG: the key is below 1, 1× (-1)"),
      (
        "UPDATE ZITEM SET Z_ENT = 5 WHERE Z_PK = 3",
        "ZITEM: the number of no entity of the table, 1× (3)"
      ),
      (
        "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT) VALUES (4, 2, 1)",
        "ZITEM: an object of an abstract entity, 1× (4)"
      ),
      ("UPDATE ZTAG SET ZNAME = x'00' WHERE Z_PK = 2", "ZTAG.ZNAME: not of type text, 1× (2)"),
      (
        "UPDATE ZAUTHOR SET ZBORN = 'x' WHERE Z_PK = 2",
        "ZAUTHOR.ZBORN: not of type integer or real, 1× (2)"
      ),
      (
        "UPDATE ZITEM SET ZPAGES = 1 << 40 WHERE Z_PK = 1",
        "ZITEM.ZPAGES: more than 32 bits, 1× (1)"
      ),
      (
        "UPDATE ZITEM SET ZCOVER = x'c0ffee' WHERE Z_PK = 1",
        "ZITEM.ZCOVER: a large value without its tag, 1× (1)"
      ),
      (
        "UPDATE ZITEM SET ZCOVER = CAST(x'02' || 'abc' AS BLOB) WHERE Z_PK = 1",
        "ZITEM.ZCOVER: a large value without its tag, 1× (1)"
      ),
      (
        "UPDATE ZAUTHOR SET ZSHELF = 'x' WHERE Z_PK = 2",
        "ZAUTHOR.ZSHELF: not a whole number, 1× (2)"
      ),
      (
        "UPDATE ZSHELF SET Z2_FAVOURITE = 3 WHERE Z_PK = 1",
        "ZSHELF.Z2_FAVOURITE: not the entity of what 'ZFAVOURITE' leads to, 1× (1)"
      ),
      (
        "UPDATE ZSHELF SET Z2_FAVOURITE = NULL WHERE Z_PK = 1",
        "ZSHELF.Z2_FAVOURITE: not the entity of what 'ZFAVOURITE' leads to, 1× (1)"
      ),
      (
        "UPDATE ZSHELF SET ZOWNER = NULL",
        "ZAUTHOR.ZSHELF: leads to a row that does not lead back, 1× (1)"
      ),
      (
        "UPDATE ZITEM SET Z_FOK_AUTHOR = NULL WHERE Z_PK = 1",
        "ZITEM.Z_FOK_AUTHOR: set without an owner, or missing with one, 1× (1)"
      ),
      (
        "UPDATE ZITEM SET ZAUTHOR = NULL WHERE Z_PK = 1",
        "ZITEM.Z_FOK_AUTHOR: set without an owner, or missing with one, 1× (1)"
      ),
      (
        "UPDATE ZITEM SET Z_FOK_AUTHOR = 0 WHERE Z_PK = 1",
        "ZITEM.Z_FOK_AUTHOR: not a whole number above 0, 1× (1)"
      ),
      (
        "UPDATE ZITEM SET Z_FOK_AUTHOR = 2048 WHERE Z_PK = 2",
        "ZITEM.Z_FOK_AUTHOR: twice in one order, 1× (1)"
      ),
      (
        "UPDATE Z_2TAGS SET Z_FOK_2ITEMS = 2048",
        "Z_2TAGS.Z_FOK_2ITEMS: twice in one order, 1× (1-1)"
      ),
      (
        "UPDATE Z_2TAGS SET Z_FOK_2ITEMS = NULL WHERE Z_2ITEMS = 3",
        "Z_2TAGS.Z_FOK_2ITEMS: set without an owner, or missing with one, 1× (3-2)"
      ),
      (
        "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0)",
        "history: numbers of a history without its tables, 1× (CHANGE)"
      ),
    ] as [(String, String)])
  func `CD-44 what Core Data alone does not write is found, and where`(
    statement: String, message: String
  ) throws {
    let found = try findings(store(statement))
    // What leads to the row may be wrong then too.
    #expect(found.first { !$0.isLeftover }?.message == message, "\(statement)")
  }

  @Test(
    arguments: [
      ("DROP TABLE ATRANSACTIONSTRING", "history: a table is missing, 1× (ATRANSACTIONSTRING)"),
      (
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_ENT = 16001",
        "Z_PRIMARYKEY.Z_MAX: behind the largest key of 'ACHANGE', 1× (CHANGE)"
      ),
      (
        "UPDATE Z_PRIMARYKEY SET Z_NAME = 'X' WHERE Z_ENT = 16002",
        "Z_PRIMARYKEY: not the number of 'TRANSACTION', 1× (16002)"
      ),
      ("UPDATE ATRANSACTION SET Z_ENT = 1", "ATRANSACTION: Z_ENT is not 16002, 1× (7)"),
      (
        "UPDATE ACHANGE SET ZTRANSACTIONID = 8 WHERE Z_PK = 20",
        "ACHANGE: of no transaction, 1× (20)"
      ),
      (
        "UPDATE ACHANGE SET ZCHANGETYPE = 3 WHERE Z_PK = 20",
        "ACHANGE: neither an insertion nor an update nor a deletion, 1× (20)"
      ),
      (
        "UPDATE ACHANGE SET ZCOLUMNS = NULL",
        "ACHANGE: an update without its properties, or properties of no update, 1× (21)"
      ),
      ("UPDATE ATRANSACTION SET ZTIMESTAMP = NULL", "ATRANSACTION: without a time, 1× (7)"),
      (
        "UPDATE ACHANGE SET ZENTITY = 12 WHERE Z_PK = 22",
        "ACHANGE: of an entity that is not in the model, 1× (22)"
      ),
      (
        "UPDATE ATRANSACTION SET ZAUTHORTS = 4",
        "ATRANSACTION.ZAUTHORTS: leads to no string, 1× (7)"
      ),
      (
        "INSERT INTO ATRANSACTIONSTRING VALUES (2, 16003, NULL, 'app')",
        "ATRANSACTIONSTRING: a string twice, 1× (app)"
      ),
      (
        "UPDATE ACHANGE SET ZENTITYPK = 2 WHERE Z_PK = 22",
        "ZTAG: the last change in the history does not agree with the row, 1× (2)"
      ),
      (
        "UPDATE ACHANGE SET ZENTITY = 4 WHERE Z_PK = 21",
        "ZITEM: the history has another entity, 1× (2)"
      ),
    ] as [(String, String)])
  func `CD-44 what is wrong with a history is found`(statement: String, message: String) throws {
    let found = try findings(store(Self.history + statement))
    #expect(found.filter { !$0.isLeftover }.map(\.message) == [message], "\(statement)")
  }

  @Test func `CD-44 metadata that contradict themselves are found`() throws {
    let document = try ModelDocument(Array(CoreDataShelves.contents.utf8), file: "m")
    let copy = try store("")
    func found(_ values: [(key: String, value: StoreProperties.OwnValue?)]) throws -> [String] {
      let bytes = try CoreDataVersion(of: document).properties.bytes()
      let list = try StoreProperties.changing(bytes, values, file: "f")
      let digits = list.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      try FixtureDatabase.run(copy.path, "UPDATE Z_METADATA SET Z_PLIST = x'\(digits)'")
      return try findings(copy).map { ($0.isLeftover ? "note " : "") + $0.message }
    }
    #expect(try found([]) == [])
    #expect(
      try found([("NSStoreModelVersionHashesDigest", .text("x"))]) == [
        "metadata: NSStoreModelVersionHashesDigest does not fit the version hashes"
      ])
    #expect(
      try found([("NSStoreModelVersionChecksumKey", .text("x"))]) == [
        "metadata: NSStoreModelVersionChecksumKey does not fit the version hashes"
      ])
    #expect(
      try found([("NSStoreType", .text("XML"))]) == ["metadata: NSStoreType is not 'SQLite'"])
    let missing = try found([
      ("NSPersistenceFrameworkVersion", .integer(1344)), ("NSStoreModelVersionChecksumKey", nil),
    ])
    #expect(
      missing == [
        "note metadata: NSStoreModelVersionChecksumKey is missing, which framework 1344 writes",
        "metadata: the model is missing, which framework 1344 keeps",
      ])
    let list = CoreDataFixture.properties(["Author": [1]]).map {
      ($0 < 16 ? "0" : "") + String($0, radix: 16)
    }
    try FixtureDatabase.run(
      copy.path, "UPDATE Z_METADATA SET Z_PLIST = x'\(list.joined())'")
    let broken = try findings(copy)
    #expect(broken.count == 1)
    #expect(
      broken.first?.message.hasSuffix("the version hash of \"Author\" is not 32 bytes") == true)
  }

  // MARK: - Leftovers

  @Test(
    arguments: [
      (
        "PRAGMA user_version = 3",
        "user_version or application_id: set, as Core Data leaves them, 1× (3)"
      ),
      ("CREATE TABLE MINE (a)", "tables: of nothing in the model, 1× (MINE)"),
      ("DROP INDEX ZITEM_ZAUTHOR_INDEX", "ZITEM.ZAUTHOR: without an index, 1× (ZAUTHOR)"),
      ("DROP INDEX ZITEM_Z_ENT_INDEX", "ZITEM.Z_ENT: without an index, 1× (Z_ENT)"),
      (
        "DROP INDEX Z_2TAGS_Z_6TAGS_INDEX",
        "Z_2TAGS: without an index from the members, 1× (Z_6TAGS)"
      ),
      (
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 2",
        "Z_PRIMARYKEY.Z_MAX: behind the largest key of 'ZITEM', 1× (Item)"
      ),
      (
        "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Label' WHERE Z_ENT = 6",
        "Z_PRIMARYKEY: under the name that it had before a migration, 1× (Label)"
      ),
      (
        "UPDATE ZTAG SET Z_ENT = 9",
        "ZTAG: the number of another entity, at which Core Data does not look, 2× (1, 2)"
      ),
      (
        "UPDATE ZITEM SET ZTITLE = 'x' WHERE Z_PK = 3",
        "ZITEM.ZTITLE: set in rows of other entities, where it is not read, 1× (3)"
      ),
      (
        "UPDATE ZTAG SET ZNAME = NULL WHERE Z_PK = 1",
        "ZTAG.ZNAME: null where the model needs a value, 1× (1)"
      ),
      (
        "UPDATE ZITEM SET ZPRICE = 'NaN' WHERE Z_PK = 1",
        "ZITEM.ZPRICE: not a number (NaN), which cannot be read, 1× (1)"
      ),
      ("UPDATE ZITEM SET ZAUTHOR = 9 WHERE Z_PK = 1", "ZITEM.ZAUTHOR: leads to no row, 1× (1)"),
      (
        "UPDATE ZITEM SET Z5CONTENTS = 9 WHERE Z_PK = 1",
        "ZITEM.Z5CONTENTS: leads to no row, 1× (1)"
      ),
      (
        "INSERT INTO Z_2TAGS VALUES (9, 1, 9000)",
        "Z_2TAGS: links a row that is not there, 1× (9-1)"
      ),
      (
        "UPDATE ZITEM SET ZCOVER = CAST(x'02' || '8A0F9F6C-6B0E-4C7E-9C6C-0123456789AB' || x'00' AS BLOB) WHERE Z_PK = 2",
        "ZITEM.ZCOVER: a large value whose file is missing, 1× (2)"
      ),
    ] as [(String, String)])
  func `CD-44 what bugs and migrations of apps leave behind is told apart`(
    statement: String, message: String
  ) throws {
    let found = try findings(store(statement))
    #expect(found == [.init(message: message, isLeftover: true)], "\(statement)")
  }

  @Test func `CD-44 a file that no row refers to is named, and nothing changes beside the store`()
    throws
  {
    let name = "8A0F9F6C-6B0E-4C7E-9C6C-0123456789AB"
    let copy = try store("")
    try copy.folder.write("left", to: ".App_SUPPORT/_EXTERNAL_DATA/\(name)")
    let names = try copy.folder.names()
    #expect(
      try findings(copy) == [
        .init(message: "large values: a file that no row refers to, 1× (\(name))", isLeftover: true)
      ])
    #expect(try copy.folder.names() == names)
    let without = try #require(try CoreDataExamination.of(copy.path))
    #expect(
      without.findings == [
        .init(
          message: "the store does not keep its model, so rows were not looked at: give --model",
          isLeftover: true)
      ])
  }

  @Test func `CD-44 damaged pages and tables that do not fit the model are findings`() throws {
    let copy = try store("ALTER TABLE ZTAG RENAME COLUMN ZNAME TO ZLABEL")
    #expect(
      try findings(copy).map(\.message) == [
        "the store '\(copy.path)' lacks the column 'ZNAME' of 'name' of 'Tag' in the table 'ZTAG'; give "
          + "the version of the model that it was written for"
      ])
    let other = try store(
      "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = "
        + "(SELECT rootpage FROM sqlite_schema WHERE name = 'ZTAG') WHERE name = 'ZAUTHOR'")
    #expect(try findings(other).contains { !$0.isLeftover })
    let plain = other.folder.file("Plain.sqlite")
    try NewStore.make(
      plain, ModelDocument(Array(CoreDataShelves.contents.utf8), file: "m").model)
    #expect(try CoreDataExamination.of(plain) == nil)
  }

  // MARK: - Samples

  @Test(.enabled(if: Samples.folder != nil, Comment(rawValue: Samples.absence)))
  func `CD-44 nothing that only Core Data has written is damaged`() throws {
    let documents = [
      "RKSeedDatabase.sqlite": "models/RestKit__RestKit/RKTwitterCoreData.xcdatamodel",
      "SurfJournalModel.sqlite":
        "stores/raywenderlich__cdt-materials/model/SurfJournalModel.xcdatamodel",
    ]
    for path in Samples.paths(
      below: "stores",
      where: {
        ($0.hasSuffix(".sqlite") || $0.hasSuffix(".wiredatabase"))
          && !$0.contains("LPAR-development")
      })
    {
      let document = documents[path.split(separator: "/").last.map(String.init) ?? ""]
        .map { (Samples.folder ?? "") + "/" + $0 }
      let copy = try CoreDataCopy(of: path, document: document, journal: "WAL")
      let found = try #require(try CoreDataExamination.of(copy.path, model: document))
      #expect(found.findings.filter { !$0.isLeftover } == [], "\(path)")
    }
  }

  @Test func `CD-44 a sound store whose tables are not known is not damaged`() throws {
    let contents = CoreDataShelves.contents.replacing(
      "inverseName=\"relatedBy\"", with: "inverseName=\"related\"")
    let copy = try CoreDataCopy(contents) { path in
      let document = try ModelDocument(Array(contents.utf8), file: "m")
      try CoreDataShelves.make(path, CoreDataHashes(of: document).values)
    }
    let found = try findings(copy).filter { $0.message.contains("'related' of 'Tag'") }
    #expect(found.map(\.isLeftover) == [true])
    #expect(found.allSatisfy { $0.message.hasPrefix("rows were not looked at: the relationship ") })
  }

  @Test func `CD-44 a store of many entities is looked at`() throws {
    let contents = "<model>\((1...501).map { "<entity name=\"E\($0)\"/>" }.joined())</model>"
    let copy = try CoreDataCopy(contents) { path in
      let document = try ModelDocument(Array(contents.utf8), file: "m")
      _ = try NewStore.makeForCoreData(
        path, model: document.model, version: CoreDataVersion(of: document))
    }
    #expect(try findings(copy) == [])
  }
}
