import OxbowModel
import OxbowRelational
import OxbowSQLite
import OxbowTestSupport
import Testing

/// Which table and column of a store of Core Data has what of a model.
@Suite struct CoreDataLayoutTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let shelves = Array(CoreDataShelves.contents.utf8)

  private func mapping(
    _ contents: [UInt8] = shelves, more: String = ""
  ) throws -> StoreMapping {
    let path = folder.file("App-\(try folder.names().count).sqlite")
    try CoreDataShelves.make(path, [:], more: more)
    let connection = try Connection(path: path, configuration: .init(role: .sole))
    defer { connection.close() }
    let model = try CompiledModel(try ModelDocument(contents, file: "m").model)
    let tables = try #require(try CoreDataTables.read(connection))
    return try CoreDataLayout.mapping(
      of: model, tables, path: "App.sqlite")
  }

  private func error(
    _ contents: [UInt8] = shelves, _ more: String = ""
  ) throws -> PersistenceError? {
    do { _ = try mapping(contents, more: more) } catch let error as PersistenceError {
      return error
    }
    return nil
  }

  private func entity(_ name: String, _ mapping: StoreMapping) throws -> EntityMapping {
    mapping.entities[try #require(mapping.model.entity(named: name)).index]
  }

  @Test func `CD-31 columns are found by the names, numbers and collisions of the format`() throws {
    let mapping = try mapping()
    let (book, film) = (try entity("Book", mapping), try entity("Film", mapping))
    #expect(book.table == "ZITEM")
    #expect((book.keyColumn, book.versionColumn, book.typeColumn) == ("Z_PK", "Z_OPT", "Z_ENT"))
    #expect(
      book.columns.map(\.name)
        == ["ZCODE", "ZAUTHOR", "Z_FOK_AUTHOR", "ZCOVER", "ZPAGES", "ZPRICE", "ZTITLE"])
    #expect(
      book.columns.map(\.role)
        == [.attribute, .key, .position] + [MappedColumn.Role](repeating: .attribute, count: 4))
    #expect(film.columns.map(\.name) == ["ZCODE", "ZMINUTES", "ZTITLE1"])
    let shelf = try entity("Shelf", mapping)
    #expect(shelf.columns.map(\.name) == ["ZFAVOURITE", "Z2_FAVOURITE", "ZLABEL", "ZOWNER"])
    #expect(shelf.typeColumn == nil)
    #expect([book.number, film.number, shelf.number] == [3, 4, 5])
    // The name that it had before is in the table of numbers.
    let tag = try entity("Tag", mapping)
    #expect((tag.number, tag.table, tag.typeColumn) == (6, "ZTAG", nil))
  }

  @Test func `CD-31 links are found by names, whatever their table is called after`() throws {
    let mapping = try mapping()
    let joins = mapping.joins.values.sorted { $0.table < $1.table }
    #expect(joins.map(\.table) == ["ZITEM", "Z_2TAGS", "Z_6RELATEDBY"])
    #expect(joins.map(\.ownerColumn) == ["Z5CONTENTS", "Z_2ITEMS", "Z_6RELATEDBY"])
    #expect(joins.map(\.memberColumn) == ["Z_PK", "Z_6TAGS1", "Z_6RELATED"])
    #expect(joins.map(\.memberPositionColumn) == [nil, nil, nil])
    #expect(joins.map(\.ownerPositionColumn) == [nil, "Z_FOK_2ITEMS", nil])
  }

  @Test(
    arguments: [
      (
        "ALTER TABLE ZITEM RENAME COLUMN ZPAGES TO ZPAGE",
        "the column 'ZPAGES' of 'pages' of 'Book' in the table 'ZITEM'", "ZPAGE"
      ),
      (
        "ALTER TABLE ZITEM RENAME COLUMN Z_FOK_AUTHOR TO Z_FOK_AUTOR",
        "the column 'Z_FOK_AUTHOR' of 'author' of 'Book' in the table 'ZITEM'", "Z_FOK_AUTOR"
      ),
      (
        "ALTER TABLE ZSHELF RENAME COLUMN Z2_FAVOURITE TO Z3_FAVOURITE",
        "the column 'Z2_FAVOURITE' of 'favourite' of 'Shelf' in the table 'ZSHELF'", "Z3_FAVOURITE"
      ),
      (
        "ALTER TABLE ZITEM RENAME COLUMN Z5CONTENTS TO Z4CONTENTS",
        "the column 'Z5CONTENTS' of 'contents' of 'Shelf' in the table 'ZITEM'", "Z4CONTENTS"
      ),
      (
        "ALTER TABLE ZSHELF RENAME TO ZSHELVES", "the table 'ZSHELF' of the entity 'Shelf'", nil
      ),
      (
        "ALTER TABLE Z_2TAGS RENAME TO Z_3TAGS",
        "the table 'Z_2TAGS' of the links of 'tags' of 'Item'", "Z_3TAGS"
      ),
      (
        "ALTER TABLE Z_2TAGS RENAME COLUMN Z_FOK_2ITEMS TO Z_FOK",
        "the column 'Z_FOK_2ITEMS' of the order of 'items' of 'Tag' in the table 'Z_2TAGS'", nil
      ),
      (
        "ALTER TABLE ZTAG RENAME COLUMN Z_OPT TO Z_OPS",
        "the column 'Z_OPT' of the table 'ZTAG'", "Z_OPS"
      ),
    ] as [(String, String, String?)])
  func `CD-31 what the model needs and the store lacks is named, with near names`(
    change: String, missing: String, near: String?
  ) throws {
    let error = try error(Self.shelves, change)
    #expect(error?.code == .modelMismatch)
    #expect(
      error?.message
        == "the store 'App.sqlite' lacks \(missing); give the version of the model that it was written "
        + "for")
    #expect(near.map { error?.nearNames.contains($0) == true } ?? true, "\(error?.nearNames ?? [])")
  }

  @Test func `CD-31 two properties whose names lead to one column are refused`() throws {
    let contents = CoreDataShelves.contents.replacing(
      "<attribute name=\"minutes\"",
      with: "<attribute name=\"title1\" attributeType=\"String\"/><attribute name=\"minutes\"")
    let error = try error(Array(contents.utf8))
    #expect(error?.code == .unsupported)
    #expect(
      error?.message
        == "the store 'App.sqlite' has one column, 'ZITEM.ZTITLE1', for 'title' of 'Film' and for "
        + "'title1' of 'Film', and which of them Core Data keeps there is not known; rename one in a "
        + "new version of the app's model")
  }

  @Test func `CD-31 an unknown entity and a table made anew are refused`() throws {
    let unknown = try error(
      Self.shelves, "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Shel' WHERE Z_ENT = 5")
    #expect(
      unknown?.message
        == "the store 'App.sqlite' has no entity 'Shelf' in Z_PRIMARYKEY; give the version of the model "
        + "that it was written for")
    #expect(unknown?.nearNames == ["Shel"])
    let remade = try error(
      Self.shelves, "DROP TABLE ZTAG; CREATE TABLE ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME)")
    #expect(remade?.code == .storeCorrupt)
    #expect(
      remade?.message
        == "'App.sqlite': the table ZTAG was made anew by another tool: its column Z_PK is not an "
        + "INTEGER PRIMARY KEY, so Core Data does not open the store")
    let own = CoreDataShelves.contents.replacing(
      "inverseName=\"relatedBy\"", with: "inverseName=\"related\"")
    #expect(
      try error(Array(own.utf8))?.message
        == "the relationship 'related' of 'Tag' is its own inverse, and how Core Data keeps the links "
        + "of such a to-many relationship is not known")
  }
}
