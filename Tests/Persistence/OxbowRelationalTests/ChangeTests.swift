import OxbowModel
import OxbowRelational
import Testing

@Suite struct ChangeTests {
  let mapping: StoreMapping
  let tag: EntityMapping
  let person: EntityMapping
  let join: JoinMapping
  let generator: ChangeGenerator

  init() throws {
    mapping = try libraryMapping()
    generator = ChangeGenerator(mapping.dialect)
    tag = mapping.entities[try mapping.model.requireEntity(named: "Tag").index]
    person = mapping.entities[try mapping.model.requireEntity(named: "Writer").index]
    join = try #require(mapping.joins.values.first { $0.table == "Book_tags" })
  }

  @Test func `an insert names all columns of its entity and no other`() {
    #expect(
      generator.insert(person) == """
        INSERT OR ABORT INTO "Person" ("_id", "_version", "_type", "name", "spouse", \
        "_spouse_type", "spouseOf", "_spouseOf_type", "Writer_Note") \
        VALUES (?, 1, 4, ?, ?, ?, ?, ?, ?)
        """)
  }

  @Test func `an update names what changed, and the version when it counts`() {
    #expect(
      generator.update(tag, .init(columns: [0], hasVersion: true)) == """
        UPDATE OR ABORT "Tag" SET "label" = ?, "_version" = "_version" + 1 \
        WHERE "_id" = ? AND "_version" = ?
        """)
    #expect(
      generator.update(tag, .init(columns: [], hasVersion: true)) == """
        UPDATE OR ABORT "Tag" SET "_version" = "_version" + 1 WHERE "_id" = ? AND "_version" = ?
        """)
    #expect(
      generator.update(person, .init(columns: [1, 2], hasVersion: false)) == """
        UPDATE OR ABORT "Person" SET "spouse" = ?, "_spouse_type" = ? WHERE "_id" = ?
        """)
    #expect(
      generator.clear(person, [1, 2], key: 1) == """
        UPDATE OR ABORT "Person" SET "spouse" = NULL, "_spouse_type" = NULL \
        WHERE "_id" = ? AND "spouse" = ?
        """)
    #expect(
      generator.delete(tag, hasVersion: true)
        == "DELETE FROM \"Tag\" WHERE \"_id\" = ? AND \"_version\" = ?")
  }

  @Test func `links are tied, moved and untied`() {
    #expect(
      generator.link(join, moving: [0]) == """
        INSERT OR ABORT INTO "Book_tags" ("owner", "member", "member_position") VALUES (?, ?, ?) \
        ON CONFLICT ("owner", "member") DO UPDATE SET "member_position" = \
        excluded."member_position"
        """)
    #expect(
      generator.link(join, moving: []) == """
        INSERT OR ABORT INTO "Book_tags" ("owner", "member", "member_position") VALUES (?, ?, ?) \
        ON CONFLICT ("owner", "member") DO NOTHING
        """)
    #expect(
      generator.setPosition(join, position: "member_position") == """
        UPDATE OR ABORT "Book_tags" SET "member_position" = ? WHERE "owner" = ? AND "member" = ?
        """)
    #expect(
      generator.lastPosition(in: "Book_tags", position: "member_position", of: "owner")
        == "SELECT MAX(\"member_position\") FROM \"Book_tags\" WHERE \"owner\" = ?")
    #expect(
      generator.unlink(join)
        == "DELETE FROM \"Book_tags\" WHERE \"owner\" = ? AND \"member\" = ?")
    let ends = mapping.joinEnds(ofRoot: tag.root).map(generator.unlinkAll)
    #expect(
      ends == [
        "DELETE FROM \"Book_tags\" WHERE \"member\" = ?",
        "DELETE FROM \"Tag_related\" WHERE \"owner\" = ?",
        "DELETE FROM \"Tag_related\" WHERE \"member\" = ?",
      ])
  }

  @Test func `keys are taken above all that the table has`() {
    #expect(
      MetadataTables.readKeys(table: tag.table, keyColumn: tag.keyColumn) == """
        SELECT "last", coalesce((SELECT max("_id") FROM "Tag"), 0) FROM "_oxbow_keys" \
        WHERE "root" = ?
        """)
    #expect(
      MetadataTables.metadata.definition(in: SQLiteDialect()) == """
        CREATE TABLE "_oxbow_metadata" (
          "name" TEXT PRIMARY KEY,
          "value" ANY NOT NULL
        ) STRICT
        """)
  }

  @Test func `values that a column cannot have are not encoded`() {
    #expect(ColumnCodec.double.encode(.double(.nan)) == nil)
    #expect(ColumnCodec.integer16.encode(.integer(40_000)) == nil)
    #expect(ColumnCodec.integer16.encode(.string("1")) == nil)
    #expect(ColumnCodec.integer32.encode(.integer(40_000)) == .integer(40_000))
    #expect(ColumnCodec.boolean.encode(.boolean(true)) == .integer(1))
  }
}
