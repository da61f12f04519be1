import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

// The traps of writing a table anew (docs/decisions/0052).
@Suite struct RebuildTests {
  let lab: Lab

  init() throws {
    lab = try Lab()
    try lab.fill(Models.first, Models.rows)
  }

  /// Makes File be written anew.
  let anew = Models.first.changing("File") { $0.attributes[0].isOptional = true }

  func objects() throws -> [String] {
    try lab.rows(
      "SELECT type, name FROM sqlite_schema WHERE name LIKE 'my\\_%' ESCAPE '\\' ORDER BY 2")
  }

  @Test func `indexes and triggers of others on the table come back`() throws {
    try lab.run(
      """
      CREATE INDEX my_index ON "File" (lower("name")) WHERE "size" > 3;
      CREATE TRIGGER my_trigger AFTER DELETE ON "File" BEGIN
        UPDATE "Folder" SET "_version" = "_version" + 1 WHERE "_id" = OLD."folder"; END;
      CREATE TRIGGER my_other AFTER DELETE ON "Folder" BEGIN DELETE FROM "File"; END;
      CREATE VIEW my_view AS SELECT "name" FROM "File";
      CREATE TRIGGER my_view_insert INSTEAD OF INSERT ON my_view BEGIN SELECT 1; END;
      """)
    _ = try lab.infer(anew)
    #expect(
      try objects() == [
        "'index'|'my_index'", "'trigger'|'my_other'", "'trigger'|'my_trigger'", "'view'|'my_view'",
        "'trigger'|'my_view_insert'",
      ])
    #expect(try lab.rows("SELECT * FROM my_view ORDER BY 1") == ["'one'", "'three'", "'two'"])
    try lab.run("DELETE FROM \"File\" WHERE \"_id\" = 3")
    #expect(try lab.rows("SELECT \"_version\" FROM \"Folder\" WHERE \"_id\" = 2") == ["2"])
  }

  @Test func `a view that would break stops the step and keeps the column`() throws {
    try lab.run("CREATE VIEW my_view AS SELECT \"kind\" FROM \"File\"")
    let message = lab.message {
      _ = try lab.infer(
        Models.first.changing("File") { $0.attributes.removeLast() }, allowsLoss: true)
    }
    #expect(message.hasPrefix("views or triggers of the store would not work any more; drop them"))
    #expect(message.contains("broken: view 'my_view': no such column: kind"))
    #expect(try lab.rows("SELECT * FROM my_view").count == 3)
  }

  @Test func `an index of others on a column that goes stops the step`() throws {
    try lab.run("CREATE INDEX my_index ON \"File\" (\"kind\")")
    let message = lab.message {
      _ = try lab.infer(
        Models.first.changing("File") { $0.attributes.removeLast() }, allowsLoss: true)
    }
    #expect(
      message.hasPrefix("the index 'my_index' on the table 'File' is not Oxbow's and does not fit"))
  }

  @Test func `a view that was broken before is left alone`() throws {
    try lab.run("CREATE VIEW my_view AS SELECT \"none\" FROM \"nowhere\"")
    _ = try lab.infer(anew)
    #expect(try objects() == ["'view'|'my_view'"])
  }

  @Test func `rows that led nowhere before do not stop the step`() throws {
    try lab.run("UPDATE \"File\" SET \"folder\" = 77 WHERE \"_id\" = 1")
    _ = try lab.infer(anew)
    #expect(try lab.rows("SELECT \"folder\" FROM \"File\" WHERE \"_id\" = 1") == ["77"])
  }

  @Test func `statistics survive`() throws {
    try lab.run("ANALYZE")
    let before = try lab.rows("SELECT tbl, idx, stat FROM sqlite_stat1 ORDER BY 1, 2")
    _ = try lab.infer(anew)
    #expect(try lab.rows("SELECT tbl, idx, stat FROM sqlite_stat1 ORDER BY 1, 2") == before)
    #expect(!before.isEmpty)
  }

  @Test func `a table that refers to itself keeps its references`() throws {
    let tree = ManagedObjectModel(entities: [
      EntityDescription(
        "Node", attributes: [AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("parent", to: "Node", inverse: "children"),
          RelationshipDescription("children", to: "Node", inverse: "parent", isToMany: true),
        ])
    ])
    let other = try Lab()
    try other.fill(
      tree,
      "INSERT INTO \"Node\" (\"_id\", \"_version\", \"name\", \"parent\") "
        + "VALUES (1, 1, 'a', NULL), (2, 1, 'b', 1)")
    let changed = tree.changing("Node") { $0.attributes[0].isOptional = true }
    _ = try other.infer(changed)
    #expect(try other.differences(from: changed) == [])
    #expect(try other.rows("SELECT \"table\" FROM pragma_foreign_key_list('Node')") == ["'Node'"])
    #expect(try other.rows("SELECT \"parent\" FROM \"Node\"") == ["NULL", "1"])
  }

  @Test func `the reserved name is checked`() throws {
    try lab.run("CREATE TABLE \"_oxbow_new_File\" (a)")
    #expect(
      lab.message { _ = try lab.infer(anew) }
        == "the table '_oxbow_new_File' exists, and its name is reserved; drop it")
  }
}

// MARK: - Progress

extension RebuildTests {
  @Test func `a table that is written anew tells how many of its rows are`() throws {
    try lab.run(
      """
      WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO "File" ("_id", "_version", "name", "size", "folder") SELECT i, 1, 'x', i, 1 FROM n;
      """)
    var seen: [Int] = []
    _ = try Migrator(lab.backend(), target: anew).apply { progress in
      guard case .copied("the inferred step", "File", let rows, 2994) = progress else { return }
      seen.append(rows)
    }
    #expect(seen.count > 3)
    #expect(seen == seen.sorted())
    #expect(try lab.rows("SELECT count(*) FROM File") == ["2994"])
  }

  @Test func `a script tells how much of it has run`() throws {
    try lab.add(Models.first, "initial")
    try lab.add(sql: "-- up\nSELECT 1;\nSELECT 2;\n-- the end")
    try lab.migrator().baseline(upTo: 1)
    var seen: [(bytes: Int, count: Int)] = []
    _ = try lab.migrator().apply { progress in
      if case .ran("0002_script.sql", let bytes, let count) = progress {
        seen.append((bytes, count))
      }
    }
    #expect(seen.map(\.bytes) == seen.map(\.bytes).sorted())
    #expect(seen.count >= 2)
    #expect(seen.last.map { $0.bytes == $0.count } == true)
  }

  @Test func `a view that keeps a name from being changed is named`() throws {
    let renamed = Models.first.changing("File") {
      $0.attributes[1].name = "length"
      $0.attributes[1].renamingIdentifier = "size"
    }
    let start = "a view or trigger of the store does not work, or would not, and SQLite renames"
    try lab.run("CREATE VIEW my_view AS SELECT \"none\" FROM \"nowhere\"")
    let broken = lab.message { _ = try lab.infer(renamed) }
    #expect(broken.hasPrefix(start), "\(broken)")
    #expect(broken.contains("broken: error in view my_view: no such table: main.nowhere"))
    try lab.run("DROP VIEW my_view; CREATE VIEW my_view AS SELECT \"path\" FROM \"Folder\"")
    let other = renamed.removing("Folder").changing("File") { $0.relationships = [] }
    let breaking = lab.message { _ = try lab.infer(other, allowsLoss: true) }
    #expect(breaking.hasPrefix(start), "\(breaking)")
    #expect(try lab.rows("SELECT count(*) FROM my_view") == ["2"])
  }
}
