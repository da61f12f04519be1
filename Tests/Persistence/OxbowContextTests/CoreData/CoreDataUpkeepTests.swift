import Foundation
import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// What a save keeps up beside rows and links: history, files, counts, values of the program.
@Suite struct CoreDataUpkeepTests {
  // MARK: - History

  /// The tables of a history, of which an app has written one save.
  private static let history = """
    \(CoreDataFixture.historyTables)
    CREATE UNIQUE INDEX u ON ATRANSACTIONSTRING (ZNAME);
    INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (7, 16002, 1.5);
    INSERT INTO ATRANSACTIONSTRING VALUES (3, 16003, NULL, 'app');
    INSERT INTO ACHANGE VALUES (20, 16001, NULL, 0, 1, 1, 7, NULL);
    INSERT OR REPLACE INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 20),
      (16002, 'TRANSACTION', 0, 7), (16003, 'TRANSACTIONSTRING', 0, 2)
    """

  private static let changes = """
    SELECT ZTRANSACTIONID || ' ' || ZCHANGETYPE || ' ' || ZENTITY || '/' || ZENTITYPK || ' '
      || hex(ifnull(ZCOLUMNS, '')) FROM ACHANGE WHERE Z_PK > 20 ORDER BY ZENTITY, ZENTITYPK
    """

  @Test func `CD-42 a save is one transaction of the history, with a change for each object`()
    throws
  {
    let copy = try CoreDataCopy.shelves(more: Self.history)
    try copy.open { coordinator in
      let context = ManagedObjectContext(coordinator: coordinator, name: "app")
      context.transactionAuthor = "me"
      let (book, author) = (try one(context, "Book", 1), try one(context, "Author", 2))
      try book.setValue("T", for: "title")
      try book.setObjects([author], for: "author")
      try context.insert(entityNamed: "Tag").setValue("t", for: "name")
      try context.delete(one(context, "Shelf", 2))
      try context.save()
      #expect(failure { try context.save() } == nil)
    }
    // Bits of a Book: author, code, cover, pages, price, tags, title; of an Author: books, born,
    // name, shelf. The author before lost a book; the film lost the shelf that it does not know of.
    let changes = try copy.rows(Self.changes)
    #expect(
      changes == ["8 1 1/1 80", "8 1 1/2 80", "8 1 3/1 82", "8 1 4/3 00", "8 2 5/2 ", "8 0 6/4 "])
    #expect(
      try copy.rows(
        """
        SELECT Z_PK || ' ' || Z_ENT || ' ' || ZAUTHORTS || ' ' || ZCONTEXTNAMETS || ' '
          || (ZBUNDLEIDTS = ZPROCESSIDTS) || ' ' || (ZTIMESTAMP > 1e8) FROM ATRANSACTION
        WHERE Z_PK > 7
        """) == ["8 16002 4 3 1 1"])
    #expect(
      try copy.rows("SELECT Z_PK || ' ' || Z_ENT FROM ATRANSACTIONSTRING")
        == ["3 16003", "4 16003", "5 16003"])
    let keys = try copy.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT")
    #expect(keys == ["26", "8", "5"])
  }

  @Test func `CD-42 a batch is in the history too, and raises versions`() throws {
    let copy = try CoreDataCopy.shelves(more: Self.history)
    try copy.open { coordinator in
      let context = ManagedObjectContext(coordinator: coordinator)
      let request = FetchRequest<ManagedObject>(
        entityNamed: "Book", where: try FetchPredicate(format: "pages > 100"))
      _ = try context.batchUpdate(
        request, [(name: "pages", value: .value(.attribute(.integer(5))))])
      let refused = failure {
        _ = try context.batchUpdate(request, [(name: "cover", value: .value(.null))])
      }
      #expect(refused?.code == .unsupported)
    }
    #expect(try copy.rows("SELECT Z_OPT FROM ZITEM") == ["2", "3", "1", "1"])
    #expect(try copy.rows(Self.changes) == ["8 1 3/1 10", "8 1 3/2 10"])
  }

  @Test func `CD-42 a history whose last key is the largest number takes no save`() throws {
    let copy = try CoreDataCopy.shelves(
      more: Self.history
        + "; UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775806 WHERE Z_ENT > 16000")
    let error = failure { try copy.change { try one($0, "Tag", 1).setValue("x", for: "name") } }
    #expect(error?.code == .invalidStoredValue)
    #expect(error?.message.contains("has no key left for a row of its history") == true)
    #expect(try copy.rows("SELECT ZNAME FROM ZTAG WHERE Z_PK = 1") == ["sf"])
  }

  // MARK: - Counts

  /// Triggers as Core Data makes them for a count.
  private static let triggers = """
    CREATE TRIGGER Z_DA_ZWORK_Author_bookCount_PARAMETER_INSERT AFTER INSERT ON ZWORK FOR EACH ROW
      WHEN (NEW.ZAUTHOR NOT NULL) BEGIN
      UPDATE ZAUTHOR SET ZBOOKCOUNT = IFNULL(ZBOOKCOUNT, 0) + 1 WHERE Z_PK = NEW.ZAUTHOR;
      SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZAUTHOR', Z_ENT, Z_PK, 'bookCount',
        ZBOOKCOUNT) FROM ZAUTHOR WHERE Z_PK = NEW.ZAUTHOR; END;
    CREATE TRIGGER Z_DA_ZWORK_Author_bookCount_PARAMETER_DELETE AFTER DELETE ON ZWORK FOR EACH ROW
      WHEN (OLD.ZAUTHOR NOT NULL) BEGIN
      UPDATE ZAUTHOR SET ZBOOKCOUNT = ZBOOKCOUNT - 1 WHERE Z_PK = OLD.ZAUTHOR;
      SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZAUTHOR', Z_ENT, Z_PK, 'bookCount',
        ZBOOKCOUNT) FROM ZAUTHOR WHERE Z_PK = OLD.ZAUTHOR; END;
    CREATE TRIGGER Z_DA_ZAUTHOR_Author_bookCount_SOURCE_INSERT AFTER INSERT ON ZAUTHOR FOR EACH ROW
      BEGIN
      UPDATE ZAUTHOR SET ZBOOKCOUNT = (SELECT COUNT(*) FROM ZWORK WHERE ZAUTHOR = NEW.Z_PK)
        WHERE Z_PK = NEW.Z_PK;
      SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZAUTHOR', Z_ENT, Z_PK,
        'bookCount', ZBOOKCOUNT) FROM ZAUTHOR WHERE Z_PK = NEW.Z_PK; END;
    """

  private func counting(_ triggers: String) throws -> CoreDataCopy {
    try CoreDataCopy { path in
      let document = try ModelDocument(CoreDataFixture.model(), file: "m")
      try CoreDataFixture.keeping(
        path, hashes: CoreDataHashes(of: document).values,
        more: """
          UPDATE ZAUTHOR SET ZBOOKCOUNT = 3 - Z_PK;
          UPDATE ZWORK SET ZID = randomblob(16), ZPAGES = Z_PK, ZAUTHOR = Z_PK / 3 + 1,
            Z_FOK_AUTHOR = Z_PK; \(triggers)
          """)
    }
  }

  @Test func `CD-42 a count is kept by the store's triggers, and read back`() throws {
    let copy = try counting(Self.triggers)
    try copy.open { coordinator in
      let context = ManagedObjectContext(coordinator: coordinator)
      let author = try one(context, "Author", 1)
      #expect(try author.value("bookCount", as: Int64.self) == 2)
      let new = try context.insert(entityNamed: "Author")
      try new.setValue("New", for: "name")
      for (title, owner) in [("One", author), ("Two", new)] {
        let book = try context.insert(entityNamed: "Book")
        try book.setValue(title, for: "title")
        try book.setValue(UUID(), for: "id")
        try book.setObjects([owner], for: "author")
      }
      try context.save()
      #expect(try author.value("bookCount", as: Int64.self) == 3)
      #expect(try new.value("bookCount", as: Int64.self) == 1)
      try context.delete(one(context, "Book", 1))
      try context.save()
      #expect(try author.value("bookCount", as: Int64.self) == 2)
      try author.setValue("Changed", for: "name")
      try context.save()
    }
    #expect(
      try copy.rows("SELECT Z_OPT || ' ' || ZBOOKCOUNT FROM ZAUTHOR") == ["4 2", "1 1", "1 1"])
  }

  @Test func `CD-42 a count that no trigger keeps is refused for writing`() throws {
    let copy = try counting("")
    let error = failure { try copy.open { _ in } }
    #expect(error?.code == .unsupported)
    #expect(
      error?.message.contains(
        "'bookCount' of 'Author' is derived from 'books.@count', and has no triggers that keep it")
        == true)
  }

  // MARK: - Files

  private static let cells = "SELECT substr(hex(ZCOVER), 1, 2) FROM ZITEM WHERE ZCOVER IS NOT NULL"

  private func files(_ copy: CoreDataCopy) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: copy.folder.file(".App_SUPPORT/_EXTERNAL_DATA"))
    return (names ?? []).sorted()
  }

  @Test(arguments: ["WAL", "DELETE"])
  func `CD-42 large values are in files, which go with their values`(journal: String) throws {
    let copy = try CoreDataCopy.shelves(journal: journal)
    func change(_ body: (ManagedObjectContext) throws -> Void) throws {
      try copy.change(options: { $0.externalStorageThreshold = 10 }, body)
    }
    let large = Data(repeating: 7, count: 11)
    try change { context in
      try one(context, "Book", 1).setValue(large, for: "cover")
      try one(context, "Book", 2).setValue(Data(repeating: 8, count: 10), for: "cover")
      let new = try context.insert(entityNamed: "Book")
      try new.setValue("new", for: "title")
      try new.setValue(Data(repeating: 9, count: 4000), for: "cover")
    }
    #expect(try copy.rows(Self.cells) == ["02", "01", "02"])
    let first = files(copy)
    #expect(first.count == 2)
    let name = try copy.rows("SELECT CAST(substr(ZCOVER, 2, 36) AS TEXT) FROM ZITEM WHERE Z_PK = 1")
    let path = copy.folder.file(".App_SUPPORT/_EXTERNAL_DATA/\(name.first ?? "")")
    #expect(try Data(contentsOf: URL(filePath: path)) == large)
    try copy.open { coordinator in
      let context = ManagedObjectContext(coordinator: coordinator)
      #expect(try one(context, "Book", 1).value("cover", as: Data.self) == large)
      let new = try one(context, "Book", 100)
      #expect(try new.value("cover", as: Data.self)?.count == 4000)
    }
    // A value is replaced, another deleted with its object.
    try change { context in
      try one(context, "Book", 1).setValue(Data(repeating: 1, count: 12), for: "cover")
      try context.delete(one(context, "Book", 100))
    }
    #expect(files(copy).count == 1)
    #expect(Set(files(copy)).isDisjoint(with: first))
    try change { try one($0, "Book", 1).setAttribute(nil, for: "cover") }
    #expect(files(copy) == [])
  }

  @Test func `CD-42 a save that fails leaves no file, and old files of no value are swept`() throws
  {
    let copy = try CoreDataCopy.shelves()
    let error = failure {
      try copy.change(options: { $0.externalStorageThreshold = 10 }) { context in
        try one(context, "Book", 1).setValue(Data(repeating: 7, count: 11), for: "cover")
        // To which a shelf refers.
        try context.delete(one(context, "Film", 3))
      }
    }
    #expect(error?.code == .conflict)
    #expect(files(copy) == [])
    let orphan = "7E0F4E2B-5B0A-4B1E-9D0C-0123456789AB"
    try copy.folder.write("x", to: ".App_SUPPORT/_EXTERNAL_DATA/\(orphan)")
    try copy.folder.write("x", to: ".App_SUPPORT/_EXTERNAL_DATA/note")
    try copy.open { _ in }
    // It may be of a save that is under way.
    #expect(files(copy) == [orphan, "note"])
    for name in [orphan, "note"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -4000)],
        ofItemAtPath: copy.folder.file(".App_SUPPORT/_EXTERNAL_DATA/\(name)"))
    }
    try copy.open { _ in }
    #expect(files(copy) == ["note"])
  }

  @Test(arguments: [true, false])
  func `CD-42 a sweep waits until a loss of power cannot bring former values back`(
    isLogged: Bool
  ) throws {
    let copy = try CoreDataCopy.shelves(journal: isLogged ? "wal" : "delete")
    let orphan = "7E0F4E2B-5B0A-4B1E-9D0C-0123456789AB"
    try copy.folder.write("x", to: ".App_SUPPORT/_EXTERNAL_DATA/\(orphan)")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -4000)],
      ofItemAtPath: copy.folder.file(".App_SUPPORT/_EXTERNAL_DATA/\(orphan)"))
    try copy.open({ $0.synchronous = .off }, { _ in })
    #expect(files(copy) == [orphan])
    if isLogged {
      // The save that has replaced the value is in the log alone while there is a reader.
      try FixtureDatabase.run(copy.path, "BEGIN; SELECT * FROM ZTAG") {
        try FixtureDatabase.run(copy.path, "UPDATE ZTAG SET ZNAME = 'new'")
        try copy.open { _ in }
        #expect(files(copy) == [orphan])
      }
    }
    try copy.open { _ in }
    #expect(files(copy) == [])
  }

  @Test func `CD-42 files that are referred to do not make an opening wait for a writer`() throws {
    let copy = try CoreDataCopy.shelves()
    let name = "7E0F4E2B-5B0A-4B1E-9D0C-0123456789AB"
    try FixtureDatabase.run(
      copy.path,
      "UPDATE ZITEM SET ZCOVER = CAST(x'02' || CAST('\(name)' AS BLOB) || x'00' AS BLOB) "
        + "WHERE Z_PK = 1")
    try copy.folder.write("large", to: ".App_SUPPORT/_EXTERNAL_DATA/\(name)")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -4000)],
      ofItemAtPath: copy.folder.file(".App_SUPPORT/_EXTERNAL_DATA/\(name)"))
    try FixtureDatabase.run(copy.path, "BEGIN IMMEDIATE") {
      try copy.open({ $0.busyMilliseconds = 20 }) { coordinator in
        let context = ManagedObjectContext(coordinator: coordinator)
        let cover = try one(context, "Book", 1).value("cover", as: Data.self)
        #expect(cover == Data("large".utf8))
      }
    }
    #expect(files(copy) == [name])
  }

  @Test(arguments: ["BLOB", "VARCHAR", ""])
  func `CD-42 a sweep leaves the files of values that the model says nothing about`(
    type: String
  ) throws {
    let copy = try CoreDataCopy.shelves()
    let name = "7E0F4E2B-5B0A-4B1E-9D0C-0123456789AB"
    let cell = "x'02' || CAST('\(name)' AS BLOB) || x'00'"
    try FixtureDatabase.run(
      copy.path,
      """
      CREATE TABLE ZOLD (Z_PK INTEGER PRIMARY KEY, ZBYTES \(type));
      INSERT INTO ZOLD VALUES (1, CAST(\(cell) AS BLOB))
      """)
    try copy.folder.write("large", to: ".App_SUPPORT/_EXTERNAL_DATA/\(name)")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -4000)],
      ofItemAtPath: copy.folder.file(".App_SUPPORT/_EXTERNAL_DATA/\(name)"))
    try copy.open { _ in }
    #expect(files(copy) == [name])
    try FixtureDatabase.run(copy.path, "DELETE FROM ZOLD")
    try copy.open { _ in }
    #expect(files(copy) == [])
  }

  // MARK: - Values of the program

  @Test func `CD-42 values of the program are kept in the metadata, beside Core Data's own`() throws
  {
    let copy = try CoreDataCopy.shelves()
    let moment = Date(timeIntervalSinceReferenceDate: 12.5)
    let id = UUID()
    try copy.change { context in
      try context.setMetadata("now", for: "lastSync")
      try context.setMetadata(moment, for: "moment")
      try context.setMetadata(id, for: "id")
      try context.setMetadata(Int64(-7), for: "number")
      try context.setMetadata(true, for: "truth")
      try context.setMetadata(Data([1, 2]), for: "bytes")
    }
    try copy.open { coordinator in
      let context = ManagedObjectContext(coordinator: coordinator)
      #expect(try context.metadata("lastSync", as: String.self) == "now")
      #expect(try context.metadata("moment", as: Date.self) == moment)
      #expect(try context.metadata("id", as: UUID.self) == id)
      #expect(try context.metadata("number", as: Int64.self) == -7)
      #expect(try context.metadata("truth", as: Bool.self) == true)
      #expect(try context.metadata("bytes", as: Data.self) == Data([1, 2]))
      try context.setMetadata(nil as String?, for: "lastSync")
      try context.save()
      #expect(
        try coordinator.metadataKeys() == ["bytes", "id", "moment", "number", "truth"])
      try context.setMetadata("x", for: "NSStoreUUID")
      let error = failure { try context.save() }
      #expect(error?.code == .validation)
      #expect(
        error?.message == """
          'NSStoreUUID' is a key of Core Data's own, under which a program keeps nothing; nothing was \
          saved
          """)
    }
    let inspection = try #require(try CoreDataInspection.at(copy.path))
    #expect(inspection.frameworkVersion == 1344)
    #expect(inspection.hashes.count == 6)
  }

  @Test func `CD-42 setting a value leaves each bit of the dates beside it`() throws {
    let copy = try CoreDataCopy.shelves()
    // Seconds since 1970 have fewer digits behind the point.
    let moments = [0.1, 700_000_000.123_456_7, -1e-9, 123.456_789_012_345].map {
      Date(timeIntervalSinceReferenceDate: $0)
    }
    try copy.change { context in
      for (index, moment) in moments.enumerated() {
        try context.setMetadata(moment, for: "moment \(index)")
      }
    }
    try copy.change { try $0.setMetadata("other", for: "lastSync") }
    try copy.open { coordinator in
      for (index, moment) in moments.enumerated() {
        let kept = try coordinator.metadata("moment \(index)", as: Date.self)
        #expect(kept == moment)
      }
    }
  }
}
