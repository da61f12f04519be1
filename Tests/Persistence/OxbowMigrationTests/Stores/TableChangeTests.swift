import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

// Each test changes a filled store and looks at the rows, and that the tables are the same as those
// of a new store of the model.
@Suite struct TableChangeTests {
  let lab: Lab

  init() throws {
    lab = try Lab()
    try lab.fill(Models.first, Models.rows)
  }

  func change(
    to model: ManagedObjectModel, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    _ = try lab.inferBack(model, allowsLoss: true)
    #expect(try lab.differences(from: model) == [], comment, sourceLocation: sourceLocation)
    #expect(try lab.rows("PRAGMA foreign_key_check") == [], sourceLocation: sourceLocation)
    #expect(try lab.rows("PRAGMA integrity_check") == ["'ok'"], sourceLocation: sourceLocation)
  }

  @Test func `an attribute goes, and the others stay`() throws {
    try change(to: Models.first.changing("File") { $0.attributes.remove(at: 1) })
    #expect(
      try lab.rows("SELECT \"_id\", \"name\", \"kind\", \"folder\" FROM \"File\" ORDER BY 1") == [
        "1|'one'|'text'|1", "2|'two'|NULL|1", "3|'three'|'x'|2",
      ])
  }

  @Test func `a parent that is written anew does not empty its children`() throws {
    // Foreign keys are off before the transaction: inside, dropping the old table would delete.
    try change(
      to: Models.first.changing("Folder") {
        $0.attributes[0].isOptional = true
        $0.attributes.append(AttributeDescription("depth", .integer16, defaultValue: .integer(0)))
      })
    #expect(try lab.rows("SELECT count(*) FROM \"File\"") == ["3"])
    #expect(try lab.rows("SELECT \"path\", \"depth\" FROM \"Folder\"") == ["'/a'|0", "'/b'|0"])
  }

  @Test func `an optional attribute becomes required by its default`() throws {
    try change(
      to: Models.first.changing("File") {
        $0.attributes[2].isOptional = false
        $0.attributes[2].defaultValue = .string("it's")
      })
    #expect(
      try lab.rows("SELECT \"kind\" FROM \"File\" ORDER BY \"_id\"") == ["'text'", "'it's'", "'x'"])
  }

  @Test func `rows that cannot follow refuse the migration, with their number`() throws {
    let required = Models.first.changing("File") { $0.attributes[2].isOptional = false }
    #expect(
      lab.message { _ = try lab.infer(required) }
        == "the inferred step was refused: objects of 'File' without a value for 'kind', "
        + "which becomes required: 1; give the attribute a default value, or fill it with a script "
        + "before this step")
    let added = Models.first.changing("File") {
      $0.attributes.append(AttributeDescription("rank", .integer16))
    }
    #expect(
      lab.message { _ = try lab.infer(added) }
        == "the inferred step was refused: objects of 'File' that would have no value for "
        + "the new attribute 'rank', which is required and has no default value: 3; give it a "
        + "default value, or make it optional, fill it, then require it")
    let narrow = Models.first.changing("File") { $0.attributes[1].type = .boolean }
    #expect(
      lab.message { _ = try lab.infer(narrow) }.contains(
        "values of 'File.size' that do not fit as Boolean: 3; "))
    let unique = Models.first.changing("File") { $0.uniquenessConstraints = [["folder"]] }
    #expect(
      lab.message { _ = try lab.infer(unique) }
        == "the inferred step was refused: groups of objects of 'File' with the same "
        + "'folder', which becomes unique: 1; merge or delete them with a script before this step")
    #expect(try lab.differences(from: Models.first).isEmpty)
  }

  @Test func `types change where nothing is lost`() throws {
    try change(to: Models.first.changing("File") { $0.attributes[1].type = .string })
    #expect(
      try lab.rows("SELECT \"size\" FROM \"File\" ORDER BY \"_id\"") == ["'10'", "'20'", "'30'"])
    let message = lab.message {
      _ = try lab.inferBack(Models.first)
    }
    #expect(message.contains("changes from String to Integer 64, and no conversion is safe"))
  }

  @Test func `numbers become wider and narrower`() throws {
    try change(to: Models.first.changing("File") { $0.attributes[1].type = .double })
    #expect(
      try lab.rows("SELECT \"size\" FROM \"File\" ORDER BY \"_id\"") == ["10.0", "20.0", "30.0"])
    let other = try Lab()
    try other.fill(Models.first, Models.rows)
    _ = try other.infer(Models.first.changing("File") { $0.attributes[1].type = .integer16 })
    #expect(try other.rows("SELECT \"size\" FROM \"File\" ORDER BY \"_id\"") == ["10", "20", "30"])
  }

  @Test func `entities change names, also with each other`() throws {
    let swapped = ManagedObjectModel(
      entities: Models.first.entities.map { entity in
        var entity = entity
        let other = entity.name == "File" ? "Folder" : "File"
        entity.renamingIdentifier = entity.name
        entity.name = other
        entity.relationships[0].destination = entity.renamingIdentifier ?? ""
        return entity
      })
    try change(to: swapped)
    #expect(try lab.rows("SELECT \"path\" FROM \"File\" ORDER BY \"_id\"") == ["'/a'", "'/b'"])
    #expect(
      try lab.rows("SELECT \"name\", \"folder\" FROM \"Folder\" ORDER BY \"_id\"") == [
        "'one'|1", "'two'|1", "'three'|2",
      ])
    #expect(
      try lab.rows("SELECT \"name\" FROM _oxbow_entities ORDER BY \"number\"") == [
        "'Folder'", "'File'",
      ])
  }

  @Test func `what holds for the objects that stay need not hold for those that go`() throws {
    let lab = try Lab()
    func text(_ name: String) -> AttributeDescription {
      AttributeDescription(name, .string, isOptional: true)
    }
    let item = EntityDescription(
      "Item", isAbstract: true,
      attributes: [
        text("title"), text("code"), text("note"), AttributeDescription("size", .integer64),
      ])
    let before = ManagedObjectModel(entities: [
      item, EntityDescription("Book", parent: "Item"), EntityDescription("Game", parent: "Item"),
    ])
    let after = before.removing("Game").changing("Item") {
      $0.attributes[0].isOptional = false
      $0.attributes[3].type = .integer16
      $0.attributes.remove(at: 2)
      $0.uniquenessConstraints = [["code"]]
    }
    _ = try lab.infer(before)
    let data = try StoreData(lab, before)
    try lab.run(
      try data.inserting("Book", [1], ["title": "'a'", "code": "'x'", "size": "1"])
        + data.inserting("Game", [2], ["code": "'x'", "note": "'n'", "size": "70000"]))
    #expect(
      lab.message { _ = try lab.infer(after) }.contains(
        "would remove data: objects of 'Game': 1. "))
    _ = try lab.infer(after, allowsLoss: true)
    #expect(try lab.differences(from: after) == [])
    #expect(try lab.rows("SELECT \"_id\", \"title\" FROM \"Item\"") == ["1|'a'"])
  }

  @Test func `a new table refers to entities that exchange their names`() throws {
    let lab = try Lab()
    let before = ManagedObjectModel(entities: [
      EntityDescription("A", relationships: [RelationshipDescription("b", to: "B")]),
      EntityDescription("B"), EntityDescription("R"),
      EntityDescription("L", parent: "R", relationships: [RelationshipDescription("a", to: "A")]),
    ])
    let after = ManagedObjectModel(entities: [
      EntityDescription(
        "B", relationships: [RelationshipDescription("b", to: "A", isToMany: true)],
        renamingIdentifier: "A"),
      EntityDescription("A", renamingIdentifier: "B"), EntityDescription("R"),
      EntityDescription("L", relationships: [RelationshipDescription("a", to: "B")]),
    ])
    _ = try lab.infer(before)
    try lab.run("INSERT INTO \"B\" VALUES (7, 1); INSERT INTO \"A\" VALUES (3, 1, 7);")
    try lab.run(try StoreData(lab, before).inserting("L", [5]) + "UPDATE \"R\" SET \"a\" = 3")
    _ = try lab.infer(after)
    #expect(try lab.differences(from: after) == [])
    #expect(try lab.problems() == [])
    #expect(try lab.rows("SELECT \"owner\", \"member\" FROM \"B_b\"") == ["3|7"])
    #expect(try lab.rows("SELECT \"_id\", \"a\" FROM \"L\"") == ["5|3"])
  }

  @Test func `tables of links change names with each other, and back`() throws {
    let lab = try Lab()
    func model(_ names: [(String, String, String?, String?)]) -> ManagedObjectModel {
      func ends(_ isNote: Bool) -> [RelationshipDescription] {
        names.map { note, tag, oldNote, oldTag in
          RelationshipDescription(
            isNote ? note : tag, to: isNote ? "Tag" : "Note", inverse: isNote ? tag : note,
            isToMany: true, isOrdered: isNote && (oldNote ?? note) == "tags",
            renamingIdentifier: isNote ? oldNote : oldTag)
        }
      }
      return ManagedObjectModel(entities: [
        EntityDescription("Note", relationships: ends(true)),
        EntityDescription("Tag", relationships: ends(false)),
      ])
    }
    let before = model([("tags", "notes", nil, nil), ("marks", "marked", nil, nil)])
    let swapped = model([
      ("marks", "marked", "tags", "notes"), ("tags", "notes", "marks", "marked"),
    ])
    func links() throws -> [[String]] {
      try ["tags", "marks"].map {
        try lab.rows("SELECT \"owner\", \"member\" FROM \"Note_\($0)\" ORDER BY 1, 2")
      }
    }
    try lab.add(before, "initial")
    _ = try lab.migrator().apply()
    try lab.run(
      """
      INSERT INTO "Note" ("_id", "_version") VALUES (1, 1), (2, 1);
      INSERT INTO "Tag" ("_id", "_version") VALUES (1, 1), (2, 1);
      INSERT INTO "Note_tags" ("owner", "member", "member_position") VALUES (1, 1, 10), (1, 2, 5);
      INSERT INTO "Note_marks" ("owner", "member") VALUES (2, 1);
      """)
    let rows = [["1|1", "1|2"], ["2|1"]]
    #expect(try links() == rows)
    try lab.add(swapped, "swapped")
    _ = try lab.migrator().apply()
    #expect(try links() == [rows[1], rows[0]])
    #expect(
      try lab.rows("SELECT \"member_position\" FROM \"Note_marks\" ORDER BY 1") == ["5", "10"])
    #expect(try lab.differences(from: swapped).isEmpty && lab.migrator().rowProblems().isEmpty)
    _ = try lab.migrator().undo()
    #expect(try links() == rows)
    #expect(try lab.differences(from: before).isEmpty)
  }

  @Test func `attributes change names with each other`() throws {
    try change(
      to: Models.first.changing("File") {
        $0.attributes[0].name = "kind"
        $0.attributes[0].renamingIdentifier = "name"
        $0.attributes[2].name = "name"
        $0.attributes[2].renamingIdentifier = "kind"
        $0.fetchIndexes = []
      })
    #expect(
      try lab.rows("SELECT \"name\", \"kind\" FROM \"File\" ORDER BY \"_id\"") == [
        "'text'|'one'", "NULL|'two'", "'x'|'three'",
      ])
  }

  @Test func `an attribute goes and another one gets its name`() throws {
    try change(
      to: Models.first.changing("File") {
        $0.attributes.remove(at: 0)
        $0.attributes[1].name = "name"
        $0.attributes[1].renamingIdentifier = "kind"
      })
    #expect(
      try lab.rows("SELECT \"name\" FROM \"File\" ORDER BY \"_id\"") == ["'text'", "NULL", "'x'"])
  }

  @Test func `an entity goes with its rows and its links`() throws {
    try change(to: Models.second)
    try lab.run(
      "INSERT INTO \"Label\" VALUES (1, 1, 'red'); INSERT INTO \"File_labels\" VALUES (1, 1);")
    try change(
      to: Models.second.removing("Label").changing("File") { $0.relationships.removeLast() })
    #expect(
      try lab.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%abel%'")
        .isEmpty)
    // The keys of an entity that went are not handed out again.
    #expect(try lab.rows("SELECT count(*) FROM _oxbow_keys") == ["3"])
  }

  @Test func `links keep their ends when the other end's name changes`() throws {
    try change(to: Models.second)
    try lab.run(
      "INSERT INTO \"Label\" VALUES (5, 1, 'red'); INSERT INTO \"File_labels\" VALUES (1, 5);")
    let renamed = ManagedObjectModel(
      entities: Models.second.entities.map { entity in
        var entity = entity
        if entity.name == "Label" {
          entity.name = "Badge"
          entity.renamingIdentifier = "Label"
          entity.relationships[0].name = "a_files"
          entity.relationships[0].renamingIdentifier = "files"
        }
        if entity.name == "File" {
          entity.relationships[1].destination = "Badge"
          entity.relationships[1].inverse = "a_files"
        }
        return entity
      })
    try change(to: renamed)
    let table = try #require(
      try lab.rows("SELECT name FROM sqlite_schema WHERE sql LIKE '%\"owner\"%' AND type = 'table'")
        .first
    ).dropFirst().dropLast()
    let columns = table.hasPrefix("File") ? "owner, member" : "member, owner"
    #expect(try lab.rows("SELECT \(columns) FROM \"\(table)\"") == ["1|5"])
  }

  @Test func `a to-one relationship becomes to-many with its links`() throws {
    try change(
      to: Models.first.changing("File") {
        $0.relationships[0].isToMany = true
        $0.relationships[0].isOptional = true
      })
    let table = try #require(
      try lab.rows("SELECT name FROM sqlite_schema WHERE sql LIKE '%\"owner\"%' AND type = 'table'")
        .first
    ).dropFirst().dropLast()
    #expect(try lab.rows("SELECT count(*) FROM \"\(table)\"") == ["3"])
    try lab.run("INSERT INTO \"\(table)\" VALUES (1, 2)")
    #expect(
      lab.message { _ = try lab.inferBack(Models.first) }.contains(
        "links of 'File.folder', which becomes to-one, but the first of each object: 1. "))
    try lab.run("DELETE FROM \"\(table)\" WHERE (owner, member) = (1, 2)")
    try change(to: Models.first)
    #expect(
      try lab.rows("SELECT \"_id\", \"folder\" FROM \"File\" ORDER BY 1") == ["1|1", "2|1", "3|2"])
  }

  @Test func `a hierarchy grows below an entity`() throws {
    try change(
      to: Models.first.adding(
        EntityDescription(
          "Image", parent: "File",
          attributes: [AttributeDescription("width", .integer32, defaultValue: .integer(1))])))
    #expect(
      try lab.rows(
        "SELECT DISTINCT \"_type\" = (SELECT \"number\" FROM _oxbow_entities "
          + "WHERE \"name\" = 'File') FROM \"File\""
      ) == ["1"])
    try lab.run(
      "UPDATE \"File\" SET \"_type\" = (SELECT \"number\" FROM _oxbow_entities "
        + "WHERE \"name\" = 'Image') WHERE \"_id\" = 1"
    )
    #expect(
      lab.message { _ = try lab.inferBack(Models.first) }.contains(
        "would remove data: objects of 'Image': 1. "))
    try change(to: Models.first)
    #expect(try lab.rows("SELECT \"_id\" FROM \"File\" ORDER BY 1") == ["2", "3"])
  }

  @Test func `a sub-entity goes with its rows and the links to them (review M16)`() throws {
    let image = EntityDescription("Image", parent: "File")
    let labels = Models.second.adding(image).changing("Folder") {
      $0.relationships.append(RelationshipDescription("cover", to: "File"))
    }
    try change(to: labels)
    try lab.run(
      "UPDATE \"File\" SET \"_type\" = (SELECT \"number\" FROM _oxbow_entities "
        + "WHERE \"name\" = 'Image') WHERE \"_id\" = 1; "
        + "INSERT INTO \"Label\" VALUES (1, 1, 'red'); "
        + "INSERT INTO \"File_labels\" VALUES (1, 1), (2, 1); "
        + "UPDATE \"Folder\" SET cover = _id, "
        + "_cover_type = (SELECT _type FROM \"File\" WHERE _id = \"Folder\"._id)"
    )
    let without = labels.removing("Image")
    #expect(
      lab.message { _ = try lab.infer(without) }.contains(
        "would remove data: objects of 'Image': 1. "))
    try change(to: without)
    #expect(try lab.rows("SELECT \"_id\" FROM \"File\" ORDER BY 1") == ["2", "3"])
    #expect(try lab.rows("SELECT * FROM \"File_labels\"") == ["2|1"])
    #expect(try lab.rows("SELECT _id, cover FROM \"Folder\" ORDER BY 1") == ["1|NULL", "2|2"])
  }

  @Test func `a required link to an object whose entity goes is refused (review M16)`() throws {
    let image = EntityDescription("Image", parent: "File")
    let model = Models.first.adding(image).adding(
      EntityDescription(
        "Note", relationships: [RelationshipDescription("file", to: "File", isOptional: false)]))
    try change(to: model)
    try lab.run(
      "UPDATE \"File\" SET \"_type\" = (SELECT \"number\" FROM _oxbow_entities "
        + "WHERE \"name\" = 'Image') WHERE \"_id\" = 1; "
        + "INSERT INTO \"Note\" (_id, _version, file, _file_type) "
        + "SELECT 1, 1, _id, _type FROM \"File\" WHERE _id = 1")
    #expect(
      lab.message { _ = try lab.infer(model.removing("Image"), allowsLoss: true) }.contains(
        "links of 'Note.file', which is required, to objects whose entity goes: 1; lead them"))
  }

  @Test func `what ANALYZE found stays with a renamed table (review M31)`() throws {
    try lab.run("CREATE INDEX mine ON \"File\" (kind); ANALYZE")
    try change(
      to: Models.first.changing("File") {
        $0.name = "Document"
        $0.renamingIdentifier = "File"
      }.changing("Folder") { $0.relationships[0].destination = "Document" })
    #expect(
      try lab.rows("SELECT tbl FROM sqlite_stat1 WHERE idx = 'mine'") == ["'Document'"])
  }

  @Test func `the smallest number is a default in place (review M29)`() throws {
    try change(
      to: Models.first.changing("File") {
        $0.attributes.append(
          AttributeDescription("low", .integer64, defaultValue: .integer(.min)))
      })
    #expect(
      try lab.rows("SELECT DISTINCT low, typeof(low) FROM \"File\"") == [
        "-9223372036854775808|'integer'"
      ])
  }

  @Test func `the largest number does not become a floating-point one (review M28)`() throws {
    try lab.run("UPDATE \"File\" SET size = 9223372036854775807 WHERE _id = 1")
    let model = Models.first.changing("File") { $0.attributes[1].type = .double }
    #expect(
      lab.message { _ = try lab.infer(model) }.contains(
        "values of 'File.size' that would be rounded as Double: 1; "))
  }

  @Test func `an order begins as the keys are`() throws {
    try change(to: Models.first.changing("Folder") { $0.relationships[0].isOrdered = true })
    #expect(
      try lab.rows("SELECT \"_id\", \"_folder_position\" FROM \"File\" ORDER BY 1") == [
        "1|2048", "2|3072", "3|2048",
      ])
  }

  @Test func `a change of hierarchy is refused with a way out`() throws {
    let model = Models.first.adding(EntityDescription("Item", isAbstract: true))
      .changing("File") { $0.parent = "Item" }.changing("Folder") { $0.parent = "Item" }
    #expect(
      lab.message { _ = try lab.infer(model) }.hasPrefix(
        "entity 'Folder' moves from the hierarchy of 'Folder' to that of 'Item'; its rows would "
          + "have"
      ))
  }

  @Test func `an entity is put above a root, and goes again (review M17)`() throws {
    try lab.run("UPDATE _oxbow_keys SET last = 40")
    let above = Models.first.changing("File") {
      $0.parent = "Item"
      $0.attributes.removeFirst()
    }.adding(
      EntityDescription(
        "Item", isAbstract: true, attributes: [AttributeDescription("name", .string)]))
    try change(to: above)
    #expect(
      try lab.rows("SELECT \"_id\", \"name\", \"folder\" FROM \"Item\" ORDER BY 1") == [
        "1|'one'|1", "2|'two'|1", "3|'three'|2",
      ])
    let keys =
      "SELECT \"name\", \"last\" FROM _oxbow_keys JOIN _oxbow_entities ON root = number ORDER BY 1"
    #expect(try lab.rows(keys) == ["'File'|40", "'Folder'|40", "'Item'|40"])
    try change(to: Models.first)
    #expect(try lab.rows(keys) == ["'File'|40", "'Folder'|40"])
    #expect(
      try lab.rows("SELECT \"_id\", \"name\", \"size\" FROM \"File\" ORDER BY 1") == [
        "1|'one'|10", "2|'two'|20", "3|'three'|30",
      ])
  }

  @Test func `a name in another form of Unicode is refused`() throws {
    func model(_ entity: String, _ attribute: String) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          entity, attributes: [AttributeDescription(attribute, .string, isOptional: true)])
      ])
    }
    let lab = try Lab()
    try lab.add(model("Caf\u{E9}", "th\u{E9}"))
    _ = try lab.migrator().apply()
    for other in [model("Caf\u{E9}", "the\u{301}"), model("Cafe\u{301}", "th\u{E9}")] {
      let text = "is that of before in another form of Unicode"
      #expect(lab.message { try lab.add(other, "other") }.contains(text))
      #expect(lab.message { _ = try lab.infer(other) }.contains(text))
    }
    #expect(
      try lab.rows("SELECT hex(name) FROM pragma_table_info('Caf\u{E9}') WHERE name LIKE 't%'")
        == ["'7468C3A9'"])
  }
}
