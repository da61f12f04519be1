import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

/// A hierarchy whose parent is taken out (review 2, W6), and what a narrower model cannot keep
/// (E7).
@Suite struct SplitTests {
  let lab: Lab

  static func end(
    _ name: String, _ destination: String, _ inverse: String, many: Bool = false,
    ordered: Bool = false
  ) -> RelationshipDescription {
    RelationshipDescription(
      name, to: destination, inverse: inverse, isToMany: many, isOrdered: ordered)
  }

  static func text(_ name: String) -> AttributeDescription {
    AttributeDescription(name, .string, isOptional: true)
  }

  static func model(isSplit: Bool, isAbstract: Bool = true) -> ManagedObjectModel {
    let own = [text("name")]
    let parent = isSplit ? nil : "Animal"
    return ManagedObjectModel(
      entities: (isSplit
        ? [] : [EntityDescription("Animal", isAbstract: isAbstract, attributes: own)])
        + [
          EntityDescription(
            "Cat", parent: parent, attributes: (isSplit ? own : []) + [text("mood")],
            relationships: [end("enemies", "Dog", "enemies", many: true)],
            uniquenessConstraints: [["mood"]]),
          EntityDescription(
            "Dog", parent: parent, attributes: (isSplit ? own : []) + [text("breed")],
            relationships: [
              end("owner", "Person", "dogs"), end("enemies", "Cat", "enemies", many: true),
              end("mother", "Dog", "puppies"), end("puppies", "Dog", "mother", many: true),
            ]),
          EntityDescription("Puppy", parent: "Dog", attributes: [text("age")]),
          EntityDescription(
            "Person", relationships: [end("dogs", "Dog", "owner", many: true, ordered: true)]),
        ])
  }

  init() throws { lab = try Lab() }

  func fill(_ model: ManagedObjectModel) throws {
    _ = try lab.infer(model)
    try lab.run(
      """
      INSERT INTO "Person" ("_id", "_version") VALUES (1, 1), (2, 1);
      INSERT INTO "Animal" ("_id", "_version", "_type", "name", "mood", "breed", "age", "owner",
        "_owner_position", "mother", "_mother_type")
      SELECT i, i, (SELECT "number" FROM _oxbow_entities WHERE "name" = e), n, m, b, a, o, p, mo,
        CASE WHEN mo IS NOT NULL THEN (SELECT "number" FROM _oxbow_entities WHERE "name" = 'Dog') END
      FROM (SELECT NULL AS i, '' AS e, '' AS n, '' AS m, '' AS b, '' AS a, 1 AS o, 1 AS p, 1 AS mo
        WHERE FALSE
      UNION ALL VALUES (1, 'Cat', 'tom', 'bad', NULL, NULL, NULL, NULL, NULL),
        (2, 'Dog', 'rex', NULL, 'pug', NULL, 1, 20, NULL),
        (3, 'Cat', 'kit', 'good', NULL, NULL, NULL, NULL, NULL),
        (4, 'Puppy', 'pip', NULL, 'pug', 'young', 1, 10, 2));
      UPDATE _oxbow_keys SET "last" = 9;
      INSERT INTO "Cat_enemies" ("owner", "member") VALUES (1, 2), (3, 4);
      """)
  }

  @Test func `W6: entities whose parent is taken out keep rows, keys and links`() throws {
    try fill(Self.model(isSplit: false))
    #expect(try lab.infer(Self.model(isSplit: true)).count == 1)
    #expect(try lab.differences(from: Self.model(isSplit: true)).isEmpty)
    #expect(
      try lab.rows("SELECT \"_id\", \"_version\", \"name\", \"mood\" FROM \"Cat\" ORDER BY 1") == [
        "1|1|'tom'|'bad'", "3|3|'kit'|'good'",
      ])
    #expect(
      try lab.rows(
        """
        SELECT d."_id", e."name", d."name", "breed", "age", "owner", "_owner_position", "mother"
        FROM "Dog" d JOIN _oxbow_entities e ON e."number" = d."_type" ORDER BY 1
        """) == ["2|'Dog'|'rex'|'pug'|NULL|1|20|NULL", "4|'Puppy'|'pip'|'pug'|'young'|1|10|2"])
    #expect(
      try lab.rows("SELECT \"owner\", \"member\" FROM \"Cat_enemies\" ORDER BY 1") == [
        "1|2", "3|4",
      ])
    #expect(try lab.rows("PRAGMA foreign_key_check").isEmpty)
    #expect(try lab.migrator().rowProblems().isEmpty)
    #expect(
      try lab.rows(
        """
        SELECT e."name", "last" FROM _oxbow_keys JOIN _oxbow_entities e ON "root" = "number"
        WHERE e."name" IN ('Cat', 'Dog') ORDER BY 1
        """) == ["'Cat'|9", "'Dog'|9"])
    #expect(
      try lab.rows(
        "SELECT name FROM sqlite_schema WHERE name = 'Animal' OR name GLOB '_oxbow_new*'"
      )
      .isEmpty)
    #expect(
      lab.message {
        _ = try Migrator(lab.backend(), target: Self.model(isSplit: false)).undo()
      }.contains("moves from the hierarchy of"))
  }

  @Test func `W6: objects of the parent itself are counted`() throws {
    let before = Self.model(isSplit: false, isAbstract: false)
    try fill(before)
    try lab.run(
      """
      INSERT INTO "Animal" ("_id", "_version", "_type", "name")
      SELECT 7, 1, "number", 'it' FROM _oxbow_entities WHERE "name" = 'Animal'
      """)
    #expect(
      lab.message { _ = try lab.infer(Self.model(isSplit: true)) }.contains(
        "would remove data: objects of 'Animal': 1. "))
    #expect(try lab.infer(Self.model(isSplit: true), allowsLoss: true).count == 1)
    #expect(try lab.rows("SELECT count(*) FROM \"Cat\"") == ["2"])
    #expect(try lab.rows("SELECT count(*) FROM \"Dog\"") == ["2"])
  }

  @Test func `W6: an entity leaves a hierarchy that stays`() throws {
    let before = Self.model(isSplit: false)
    try fill(before)
    let after = before.changing("Cat") {
      $0.parent = nil
      $0.attributes.insert(Self.text("name"), at: 0)
    }
    #expect(try lab.infer(after).count == 1)
    #expect(try lab.differences(from: after).isEmpty)
    #expect(try lab.rows("SELECT \"name\" FROM \"Cat\" ORDER BY 1") == ["'kit'", "'tom'"])
    #expect(try lab.rows("SELECT \"name\" FROM \"Animal\" ORDER BY 1") == ["'pip'", "'rex'"])
    #expect(try lab.rows("PRAGMA foreign_key_check").isEmpty)
  }

  @Test func `E7: objects of an entity that becomes abstract go with consent`() throws {
    let before = Self.model(isSplit: false, isAbstract: false)
    try fill(before)
    let after = before.changing("Dog") { $0.isAbstract = true }
    #expect(
      lab.message { _ = try lab.infer(after) }.contains(
        "would remove data: objects of 'Dog', which becomes abstract: 1. "))
    #expect(try lab.infer(after, allowsLoss: true).count == 1)
    #expect(
      try lab.rows("SELECT \"_id\", \"mother\" FROM \"Animal\" ORDER BY 1") == [
        "1|NULL", "3|NULL", "4|NULL",
      ])
    #expect(try lab.rows("SELECT \"owner\", \"member\" FROM \"Cat_enemies\"") == ["3|4"])
    #expect(try lab.migrator().rowProblems().isEmpty)
  }

  @Test func `E7: an entity of its own that becomes abstract is empty with consent`() throws {
    let before = ManagedObjectModel(entities: [EntityDescription("A", attributes: [Self.text("x")])]
    )
    try lab.fill(before, "INSERT INTO \"A\" (\"_id\", \"_version\") VALUES (1, 1), (2, 1)")
    let after = before.changing("A") { $0.isAbstract = true }
      .adding(EntityDescription("B", parent: "A"))
    #expect(
      lab.message { _ = try lab.infer(after) }.contains(
        "objects of 'A', which becomes abstract: 2. "))
    _ = try lab.infer(after, allowsLoss: true)
    #expect(try lab.rows("SELECT count(*) FROM \"A\"") == ["0"])
  }

  static func tagged(many: Bool, ordered: Bool = false) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        "Note", relationships: [end("tags", "Tag", "notes", many: many, ordered: ordered)]),
      EntityDescription("Tag", relationships: [end("notes", "Note", "tags", many: true)]),
    ])
  }

  @Test(arguments: [false, true])
  func `E7: a relationship that becomes to-one keeps the first link with consent`(
    isOrdered: Bool
  ) throws {
    let position = isOrdered ? ", \"member_position\"" : ""
    func row(_ owner: Int, _ member: Int, _ place: Int) -> String {
      "(\(owner), \(member)\(isOrdered ? ", \(place)" : ""))"
    }
    try lab.fill(
      Self.tagged(many: true, ordered: isOrdered),
      """
      INSERT INTO "Note" ("_id", "_version") VALUES (1, 1), (2, 1), (3, 1);
      INSERT INTO "Tag" ("_id", "_version") VALUES (1, 1), (2, 1);
      INSERT INTO "Note_tags" ("owner", "member"\(position))
      VALUES \(row(1, 1, 20)), \(row(1, 2, 10)), \(row(2, 2, 5));
      """)
    let after = Self.tagged(many: false)
    #expect(
      lab.message { _ = try lab.infer(after) }.contains(
        "links of 'Note.tags', which becomes to-one, but the first of each object: 1"))
    _ = try lab.infer(after, allowsLoss: true)
    #expect(
      try lab.rows("SELECT \"_id\", \"tags\" FROM \"Note\" ORDER BY 1") == [
        isOrdered ? "1|2" : "1|1", "2|2", "3|NULL",
      ])
  }
}
