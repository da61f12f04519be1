import Foundation
import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// What saves leave in the tables of a store of Core Data, cell by cell.
@Suite struct CoreDataSavingTests {
  private let copy: CoreDataCopy

  init() throws { copy = try CoreDataCopy.shelves() }

  private func rows(_ sql: String) throws -> [String] { try copy.rows(sql) }

  private func change(_ body: (ManagedObjectContext) throws -> Void) throws {
    try copy.change(body)
  }

  // MARK: - Keys and rows

  @Test func `CD-40 a new row has its number, the first version, and a key that nothing refers to`()
    throws
  {
    try change { context in
      let author = try context.insert(entityNamed: "Author")
      try author.setValue("new", for: "name")
      let film = try context.insert(entityNamed: "Film")
      try film.setValue("f", for: "title")
      // Tags have a number that their rows do not say.
      try context.insert(entityNamed: "Tag").setValue("t", for: "name")
    }
    // A book of the fixture has the author 9, who is not there; rows of links have the item 99.
    #expect(
      try rows("SELECT Z_PK || ' ' || Z_ENT || ' ' || Z_OPT || ' ' || ZNAME FROM ZAUTHOR")
        == ["1 1 4 Ursula", "2 1 1 Iain", "10 1 1 new"])
    #expect(
      try rows("SELECT Z_PK || ' ' || Z_ENT || ' ' || ZTITLE1 FROM ZITEM WHERE Z_PK > 4")
        == ["100 4 f"])
    #expect(try rows("SELECT Z_ENT || ' ' || Z_OPT FROM ZTAG WHERE Z_PK = 4") == ["6 1"])
    #expect(
      try rows("SELECT Z_NAME || ' ' || Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 0 ORDER BY Z_ENT")
        == ["Author 10", "Item 100", "Shelf 2", "Label 4"])
  }

  @Test func `CD-40 the last key is kept before a delete, and none is handed out again`() throws {
    try FixtureDatabase.run(copy.path, "UPDATE Z_PRIMARYKEY SET Z_MAX = -1 WHERE Z_NAME = 'Shelf'")
    try change { try $0.delete(one($0, "Shelf", 2)) }
    #expect(try rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Shelf'") == ["2"])
    try change { _ = try $0.insert(entityNamed: "Shelf") }
    #expect(try rows("SELECT Z_PK FROM ZSHELF") == ["1", "3"])
  }

  @Test func `CD-40 keys that a save has not used are left alone after it`() throws {
    try copy.open { coordinator in
      let context = ManagedObjectContext(coordinator: coordinator)
      for count in [3, 1, 1] {
        for _ in 0..<count { _ = try context.insert(entityNamed: "Shelf") }
        try context.save()
      }
    }
    // One at first, then two; then as many as the save before has used.
    #expect(try rows("SELECT Z_PK FROM ZSHELF") == ["1", "2", "3", "4", "5", "6", "9"])
    #expect(try rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Shelf'") == ["9"])
  }

  // MARK: - Links

  @Test func `CD-40 a key has the number of its object beside it, and a pair has two keys`()
    throws
  {
    try change { context in
      let (low, other) = (try one(context, "Shelf", 1), try one(context, "Shelf", 2))
      try low.setObjects([try one(context, "Book", 1)], for: "favourite")
      try other.setObjects([], for: "favourite")
      try other.setObjects([try one(context, "Author", 1)], for: "owner")
    }
    #expect(
      try rows(
        """
        SELECT Z_PK || ' ' || Z_OPT || ' ' || ifnull(ZFAVOURITE, '-') || ' '
          || ifnull(Z2_FAVOURITE, '-') || ' ' || ifnull(ZOWNER, '-') FROM ZSHELF
        """) == ["1 2 1 3 -", "2 2 - - 1"])
    // The author has gone from one shelf to the other: one save, one version.
    #expect(try rows("SELECT Z_OPT || ' ' || ZSHELF FROM ZAUTHOR WHERE Z_PK = 1") == ["5 2"])
    // Nothing leads back from an item to who likes it.
    #expect(try rows("SELECT Z_OPT FROM ZITEM") == ["1", "2", "1", "1"])
  }

  @Test func `CD-40 the far ends of a key are raised once, whatever a save does to them`() throws {
    try change { context in
      let iain = try one(context, "Author", 2)
      for key: Int64 in [1, 2] { try one(context, "Book", key).setObjects([iain], for: "author") }
      try iain.setValue("Iain M.", for: "name")
    }
    #expect(try rows("SELECT Z_OPT FROM ZAUTHOR") == ["5", "2"])
    #expect(
      try rows(
        "SELECT Z_OPT || ' ' || ZAUTHOR || ' ' || Z_FOK_AUTHOR FROM ZITEM WHERE Z_PK < 3")
        == ["2 2 2048", "3 2 3072"])
  }

  @Test func `CD-40 the context that raises a version knows it, and another one finds it`()
    throws
  {
    try copy.open { coordinator in
      let (mine, other) = (
        ManagedObjectContext(coordinator: coordinator),
        ManagedObjectContext(coordinator: coordinator)
      )
      other.automaticallyMergesChangesFromParent = true
      let (author, theirs) = (try one(mine, "Author", 1), try one(other, "Author", 1))
      for _ in 0..<3 {
        let book = try mine.insert(entityNamed: "Book")
        try book.setValue("b", for: "title")
        try book.setObjects([author], for: "author")
        try mine.save()
        try author.setValue("\(book.objectID.key)", for: "name")
        try mine.save()
      }
      // The last save was merged: its own edit is one of the newest row.
      _ = try other.fetch(FetchRequest<ManagedObject>(entityNamed: "Shelf"))
      #expect(try theirs.objects("books").count == 5)
      try theirs.setValue("theirs", for: "name")
      try other.save()
      // A context that has not read it again must not write over it.
      try author.setValue("mine", for: "name")
      #expect(failure { try mine.save() }?.code == .conflict)
    }
    #expect(try rows("SELECT Z_OPT || ' ' || ZNAME FROM ZAUTHOR WHERE Z_PK = 1") == ["11 theirs"])
  }

  @Test func `CD-40 a link in a row of its own raises both ends and has positions`() throws {
    try change { context in
      let tag = try one(context, "Tag", 3)
      try tag.setObjects(
        [try one(context, "Film", 3), try one(context, "Book", 1)], for: "items")
      try tag.setObjects([try one(context, "Tag", 2)], for: "relatedBy")
    }
    #expect(
      try rows("SELECT Z_2ITEMS || ' ' || Z_FOK_2ITEMS FROM Z_2TAGS WHERE Z_6TAGS1 = 3 ORDER BY 1")
        == ["1 3072", "3 2048"])
    // A row without a version counts as one with 0.
    #expect(try rows("SELECT Z_PK || ' ' || Z_OPT FROM ZTAG") == ["1 2", "2 2", "3 1"])
    #expect(try rows("SELECT Z_OPT FROM ZITEM") == ["2", "2", "2", "1"])
  }

  @Test func `CD-40 a set without inverse is kept by its members, each in one set`() throws {
    try change { context in
      let other = try one(context, "Shelf", 2)
      let mine = try one(context, "Shelf", 1)
      #expect(try mine.objects("contents").count == 2)
      try other.setObjects(
        [try one(context, "Book", 1), try one(context, "Book", 4)], for: "contents")
      try context.save()
      // The book has left the other shelf.
      #expect(try mine.objects("contents").map(\.objectID.key) == [2])
      try other.setObjects([try one(context, "Book", 4)], for: "contents")
    }
    #expect(
      try rows("SELECT Z_PK || ' ' || ifnull(Z5CONTENTS, '-') FROM ZITEM")
        == ["1 -", "2 1", "3 -", "4 2"])
    #expect(try rows("SELECT Z_OPT FROM ZSHELF") == ["2", "3"])
    try change { try $0.delete(one($0, "Shelf", 2)) }
    #expect(try rows("SELECT count(*) || ' ' || count(Z5CONTENTS) FROM ZITEM") == ["4 1"])
  }

  @Test func `CD-40 a row without a version is changed, and has one afterwards`() throws {
    try change { try one($0, "Tag", 3).setValue("newer", for: "name") }
    #expect(try rows("SELECT Z_OPT || ' ' || ZNAME FROM ZTAG WHERE Z_PK = 3") == ["1 newer"])
    try FixtureDatabase.run(copy.path, "UPDATE ZTAG SET Z_OPT = 2147483647")
    let error = failure { try change { try one($0, "Tag", 3).setValue("newest", for: "name") } }
    #expect(error?.code == .invalidStoredValue)
    #expect(
      error?.message == """
        the row of 'x-oxbow://\(CoreDataShelves.identifier)/Tag/p3' has the largest version that \
        Core Data has, 2147483647, so that no save can count it up; nothing was saved: another \
        program wrote it: set Z_OPT to 1
        """)
  }

  // MARK: - Orders

  @Test func `CD-40 moving one member of an order changes its row and its owner, and no other`()
    throws
  {
    try change { context in
      let author = try one(context, "Author", 1)
      var books = try author.objects("books")
      let last = try context.insert(entityNamed: "Book")
      try last.setValue("last", for: "title")
      books.append(last)
      try author.setObjects(books, for: "books")
      try context.save()
      try author.setObjects([books[0], books[2], books[1]], for: "books")
    }
    let sql = "SELECT Z_PK || ' ' || Z_OPT || ' ' || Z_FOK_AUTHOR FROM ZITEM WHERE ZAUTHOR = 1"
    #expect(try rows(sql) == ["1 1 3072", "2 2 2048", "100 2 2560"])
    #expect(try rows("SELECT Z_OPT FROM ZAUTHOR WHERE Z_PK = 1") == ["6"])
    // No number is left between these two.
    try FixtureDatabase.run(copy.path, "UPDATE ZITEM SET Z_FOK_AUTHOR = 2049 WHERE Z_PK = 100")
    try change { context in
      let author = try one(context, "Author", 1)
      let books = try author.objects("books")
      try author.setObjects([books[0], books[2], books[1]], for: "books")
    }
    let positions = try rows(sql).map { $0.split(separator: " ").last.map(String.init) }
    #expect(positions == ["3072", "2048", "4096"])
  }

  @Test(
    arguments: [
      ([nil, nil, nil], [2048, 3072, 4096]), ([2048, 3072, nil], [2048, 3072, 4096]),
      ([3072, 2048], [1024, 2048]), ([2048, nil, 3072], [2048, 2560, 3072]),
      ([nil, nil, 3], [1, 2, 3]), ([nil, nil, nil, 3], [2048, 3072, 4096, 5120]),
      ([5, nil, 6, 7], [2048, 3072, 4096, 5120]), ([4, 9, 5, 6, 7], [4, 9, 10, 11, 12]),
      ([0, -4, 7], [2, 4, 7]), ([], []),
    ] as [([Int64?], [Int64])])
  func `CD-40 an order keeps as many of its numbers as it can`(now: [Int64?], positions: [Int64]) {
    let found = OrderKeys.positions(now: now)
    #expect(found.count == positions.count)
    #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 } && found.allSatisfy { $0 > 0 })
    let kept = zip(found, now).filter { $0 == $1 }.count
    #expect(kept == zip(positions, now).filter { $0 == $1 }.count || now.count == 5)
    if now.count < 5 { #expect(found == positions) }
  }

  // MARK: - Deletes

  @Test func `CD-40 a delete takes rows of links along and raises what it was linked to`() throws {
    try change { try $0.delete(one($0, "Book", 2)) }
    #expect(try rows("SELECT Z_2ITEMS FROM Z_2TAGS ORDER BY 1") == ["1", "3", "99"])
    #expect(try rows("SELECT Z_OPT FROM ZTAG WHERE Z_PK = 1") == ["2"])
    #expect(try rows("SELECT Z_OPT FROM ZAUTHOR") == ["5", "1"])
    #expect(try rows("SELECT Z_PK || ' ' || Z_OPT FROM ZSHELF") == ["1 2", "2 1"])
  }

  @Test func `CD-40 nothing is deleted to which something still refers that was not read`() throws {
    let error = failure {
      try copy.open { coordinator in
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.delete(one(context, "Film", 3))
        try context.save()
      }
    }
    #expect(error?.code == .conflict)
    #expect(
      error?.message == """
        objects that others refer to are not in the store: a row of 'ZSHELF' with Z_PK 1 refers to a \
        missing row of 'ZITEM'; nothing was saved: they were deleted by another context, or are \
        deleted here while objects without an inverse relationship still refer to them
        """)
    #expect(try rows("SELECT count(*) FROM ZITEM") == ["4"])
  }

  @Test func `CD-40 a link to what others have deleted is a conflict`() throws {
    let error = failure {
      try copy.open { coordinator in
        let context = ManagedObjectContext(coordinator: coordinator)
        let tag = try one(context, "Tag", 2)
        try tag.setObjects([try one(context, "Book", 4)], for: "items")
        try FixtureDatabase.run(copy.path, "DELETE FROM ZITEM WHERE Z_PK = 4")
        try context.save()
      }
    }
    #expect(error?.code == .conflict)
    #expect(error?.message.contains("a link leads to a missing row of 'ZITEM' with Z_PK 4") == true)
    #expect(try rows("SELECT count(*) FROM Z_2TAGS") == ["4"])
  }

  @Test func `CD-40 a saved deletion is not taken back, because no key is used again`() throws {
    let error = failure {
      try copy.open { coordinator in
        let context = ManagedObjectContext(coordinator: coordinator)
        context.isUndoEnabled = true
        try context.delete(one(context, "Tag", 2))
        try context.save()
        try context.undo()
        try context.save()
      }
    }
    #expect(error?.code == .unsupported)
    #expect(
      error?.message == """
        'x-oxbow://\(CoreDataShelves.identifier)/Tag/p2' was deleted by a save and cannot be \
        written again: a store of Core Data never uses a key again; nothing was saved: roll back, and \
        insert a new object with its values
        """)
  }

  // MARK: - Values

  @Test func `CD-40 dates and decimals are numbers, bytes have a tag, NULL is nil`() throws {
    try change { context in
      let book = try one(context, "Book", 1)
      try book.setValue(Decimal(string: "10.11"), for: "price")
      try book.setValue(Data([7]), for: "cover")
      let author = try one(context, "Author", 1)
      try author.setValue(Date(timeIntervalSinceReferenceDate: 3), for: "born")
      try one(context, "Book", 2).setAttribute(nil, for: "pages")
    }
    #expect(try rows("SELECT typeof(ZBORN) || ZBORN FROM ZAUTHOR WHERE Z_PK = 1") == ["integer3"])
    #expect(
      try rows("SELECT typeof(ZPRICE) || ZPRICE || hex(ZCOVER) FROM ZITEM WHERE Z_PK = 1")
        == ["real10.110107"])
    #expect(try rows("SELECT typeof(ZPAGES) FROM ZITEM WHERE Z_PK = 2") == ["null"])
  }

  @Test func `CD-40 a decimal that would not come back is refused`() throws {
    let error = failure {
      try change { context in
        try one(context, "Book", 1).setValue(Decimal(string: "1234567890123.4567"), for: "price")
      }
    }
    #expect(error?.code == .validation)
    #expect(
      error?.message == """
        the value of 'price' of 'x-oxbow://\(CoreDataShelves.identifier)/Item/Book/p1' cannot be \
        stored: the column needs an INTEGER or a REAL with a decimal number, of which 15 digits come \
        back; nothing was saved
        """)
    #expect(try rows("SELECT ZPRICE FROM ZITEM WHERE Z_PK = 1") == ["9.5"])
  }

  // MARK: - The file

  @Test(arguments: ["WAL", "DELETE"])
  func `CD-40 a save changes no journal mode and leaves nothing beside the store`(
    journal: String
  ) throws {
    try FixtureDatabase.run(copy.path, "PRAGMA journal_mode = \(journal)")
    let before = try copy.folder.names()
    try copy.open { coordinator in
      #expect(try copy.folder.names().contains("App.sqlite-lock"))
      let context = ManagedObjectContext(coordinator: coordinator)
      try one(context, "Tag", 1).setValue("x", for: "name")
      try context.save()
    }
    #expect(try copy.folder.names() == before)
    #expect(try copy.hasLog == (journal == "WAL"))
    #expect(try rows("SELECT name FROM sqlite_schema WHERE name LIKE '%oxbow%'") == [])
  }

  @Test func `CD-40 the last of several stores removes the lock file`() throws {
    try copy.open { first in
      try copy.open { second in
        let context = ManagedObjectContext(coordinator: second)
        try one(context, "Tag", 1).setValue("x", for: "name")
        try context.save()
        first.close()
      }
    }
    #expect(try copy.folder.names() == ["App.sqlite", "M.xcdatamodel"])
  }

  @Test(
    arguments: [
      (
        "CREATE TABLE ANSCKMETADATAENTRY (Z_PK INTEGER PRIMARY KEY)",
        "it is mirrored to CloudKit (tables ANSCK…), which would not hear of a save; if it is a copy "
          + "that is never synchronized, open it with 'isUnsynchronizedCopy: true'"
      ),
      (
        """
        CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZTOMBSTONE0 BLOB);
        CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY)
        """,
        "its history keeps values of deleted objects (columns ZTOMBSTONE… of ACHANGE), and which "
          + "value is in which column is not known"
      ),
      (
        "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY)",
        "its history lacks the table ATRANSACTION"
      ),
      (
        "CREATE VIRTUAL TABLE Z_Shelf_place USING rtree (Z_PK, a, b)",
        "the index in the table 'Z_Shelf_place' is one of places (R-tree), which Core Data keeps up "
          + "by functions of its own"
      ),
    ])
  func `CD-40 what a save could not keep up is refused before the store is opened`(
    sql: String, reason: String
  ) throws {
    try FixtureDatabase.run(copy.path, sql)
    let before = try copy.folder.names()
    let error = failure { try copy.open { _ in } }
    #expect(error?.code == .unsupported)
    #expect(
      error?.message == """
        the store '\(copy.path)' of Core Data is not written: \(reason); open it with the option \
        'isReadOnly: true', or make a store of Oxbow of it with 'oxbowctl store convert'
        """)
    #expect(try copy.folder.names() == before)
    if sql.contains("ANSCK") {
      try copy.open {
        $0.isUnsynchronizedCopy = true
      } _: { _ in
      }
    }
  }

  @Test(arguments: [
    "UPDATE ZITEM SET Z_FOK_AUTHOR = 9223372036854775807 WHERE Z_PK = 1",
    "UPDATE Z_2TAGS SET Z_FOK_2ITEMS = 9223372036854775000 WHERE Z_2ITEMS = 1",
  ])
  func `CD-40 nothing is appended behind the largest position`(sql: String) throws {
    try FixtureDatabase.run(copy.path, sql)
    let isOfTags = sql.contains("TAGS")
    let error = failure {
      try change { context in
        let book = try context.insert(entityNamed: "Book")
        try book.setValue("new", for: "title")
        if isOfTags {
          try book.setObjects([try one(context, "Tag", 1)], for: "tags")
        } else {
          try book.setObjects([try one(context, "Author", 1)], for: "author")
        }
      }
    }
    #expect(error?.code == .invalidStoredValue)
    #expect(error?.message.contains("no number is left behind it") == true, "\(error as Any)")
  }

  @Test func `CD-40 a history of Oxbow's own is refused`() throws {
    let error = failure {
      try copy.open {
        $0.history = .keys
      } _: { _ in
      }
    }
    #expect(error?.code == .unsupported)
  }

  @Test func `CD-40 what a save has written tells whether it is there`() throws {
    try copy.open { coordinator in
      let store = try #require(coordinator.store as? SQLiteStore)
      let sql = "SELECT Z_OPT FROM ZAUTHOR WHERE Z_PK = ?"
      try store.database.read { connection in
        func isThere(_ key: Int64, _ version: Int64?) -> Bool? {
          store.bookkeeping.isDurable(.row(sql, key: key, version: version), connection)
        }
        #expect([isThere(1, 4), isThere(1, 5), isThere(1, nil)] == [true, false, false])
        #expect([isThere(7, 1), isThere(7, nil)] == [false, true])
        #expect(store.bookkeeping.isDurable(.nothing, connection) == nil)
      }
    }
  }
}
