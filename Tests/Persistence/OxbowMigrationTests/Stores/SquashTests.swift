import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

@Suite struct SquashTests {
  let lab: Lab

  init() throws {
    lab = try Lab()
    try lab.add(Models.first, "initial")
    try lab.add(sql: "UPDATE \"File\" SET \"kind\" = 'x';")
    try lab.add(Models.second, "labels")
  }

  func squash() throws {
    _ = try MigrationSequence(folder: lab.migrations).squash(upTo: 3, named: "all")
  }

  @Test func `a store that has had all steps goes on, and a new one is made at once`() throws {
    _ = try lab.migrator().apply()
    try squash()
    #expect(
      try lab.folder.names().filter { $0.contains("Migrations/") || $0.hasSuffix(".xml") }.count
        <= 2)
    #expect(try MigrationSequence(folder: lab.migrations).files.map(\.fileName) == ["0003_all.xml"])
    #expect(try lab.migrator().apply().isEmpty)
    #expect(try lab.migrator().changedFiles().isEmpty)
    try lab.add(sql: "SELECT 1;")
    #expect(try lab.migrator().apply().map(\.id) == ["0004"])
    let new = try Lab()
    let migrator = try Migrator(new.backend(), folder: lab.migrations, target: nil)
    #expect(try migrator.apply().map(\.id) == ["0003", "0004"])
    #expect(try migrator.differences(to: lab.migrator()) == [])
  }

  @Test func `a store that has had some of the steps only is refused`() throws {
    _ = try lab.migrator().apply(upTo: 2)
    try squash()
    #expect(
      lab.message { _ = try lab.migrator().apply() }
        == "'0003_all.xml' in 'DIR/Migrations' replaces all steps up to 3, and the store has had "
        + "those up to 2 only; apply the folder as it was before they were put together, then this "
        + "one")
  }

  @Test func `a step that was put together with others cannot be taken back`() throws {
    _ = try lab.migrator().apply()
    try squash()
    #expect(
      lab.message { _ = try lab.migrator().undo() }
        == "the step 0003 'labels' cannot be taken back: '0003_all.xml' replaces several steps, and "
        + "the store has had them one by one; use the folder as it was before they were put together, "
        + "or restore a backup")
  }

  @Test func `one step is nothing to put together`() throws {
    let sequence = try MigrationSequence(folder: lab.migrations)
    #expect(
      lab.message { _ = try sequence.squash(upTo: 1, named: "all") }
        == "there are no two steps up to 1 in 'DIR/Migrations'; it has '0001', '0002', '0003'")
  }

  @Test func `views and triggers of scripts are among what stores are compared by`() throws {
    try lab.add(
      sql: """
        CREATE VIEW names AS SELECT "name" FROM "File";
        CREATE TRIGGER noted AFTER INSERT ON "File" BEGIN SELECT 1; END;
        """)
    _ = try lab.migrator().apply()
    let new = try Lab()
    let migrator = try Migrator(new.backend(), folder: lab.migrations, target: nil)
    _ = try migrator.apply(upTo: 3)
    #expect(
      try migrator.differences(to: lab.migrator()) == [
        "the table 'File' has other triggers", "the view 'names' is one too many",
      ])
    _ = try migrator.apply()
    #expect(try migrator.differences(to: lab.migrator()) == [])
  }

  @Test func `steps that were left behind when they were put together are named`() throws {
    let old = try lab.folder.text(of: "Migrations/0002_script.sql")
    try squash()
    try lab.folder.write(old, to: "Migrations/0002_script.sql")
    try lab.folder.write(old, to: "Migrations/0003_labels.sql")
    let text = "is one of the steps that '0003_all.xml' replaces; remove it"
    #expect(
      lab.message { _ = try lab.migrator().status() } == """
        the migrations in 'DIR/Migrations' have 2 problems
        - '0002_script.sql' in 'DIR/Migrations' \(text)
        - '0003_labels.sql' in 'DIR/Migrations' \(text)
        """)
  }
}
