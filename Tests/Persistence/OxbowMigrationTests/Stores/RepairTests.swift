import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

@Suite struct RepairTests {
  let lab: Lab

  init() throws {
    lab = try Lab()
    try lab.add(Models.first, "initial")
    try lab.add(sql: "SELECT 1;")
  }

  @Test func `a comment that was corrected is accepted, and nothing is run (review M36)`() throws {
    _ = try lab.migrator().apply()
    #expect(try lab.migrator().changedFiles().isEmpty)
    try lab.folder.write("-- better\nSELECT 1;\n", to: "Migrations/0002_script.sql")
    #expect(
      lab.message { _ = try lab.migrator().apply() }.hasSuffix(
        "When only a comment changed, 'oxbowctl migrate repair' accepts the new text"))
    #expect(try lab.migrator().changedFiles().map(\.name) == ["0002_script.sql"])
    #expect(try lab.migrator().acceptChangedFiles().map(\.name) == ["0002_script.sql"])
    #expect(try lab.migrator().changedFiles().isEmpty)
    #expect(try lab.migrator().apply().isEmpty)
    #expect(try lab.rows("SELECT event FROM _oxbow_history WHERE seq = 3") == ["'repaired'"])
    #expect(lab.message { _ = try lab.migrator().undo() }.contains("has no section \"down\""))
  }

  @Test func `a file that leads elsewhere now is not accepted`() throws {
    _ = try lab.migrator().apply()
    let other = try Lab()
    try other.add(Models.second, "initial")
    try lab.folder.write(
      try other.folder.text(of: "Migrations/0001_initial.xml"), to: "Migrations/0001_initial.xml")
    #expect(
      lab.message { _ = try lab.migrator().acceptChangedFiles() }.hasPrefix(
        "'0001_initial.xml' leads to the model \(Models.second.versionHash.prefix(12))…, and what"))
  }

  @Test func `W5: another step under the number of one that was applied is no repair`() throws {
    _ = try lab.migrator().apply()
    try lab.folder.rename("Migrations/0002_script.sql", to: "Migrations/0002_other.sql")
    try lab.folder.write("-- oxbow: model unchanged\nSELECT 2;\n", to: "Migrations/0002_other.sql")
    let start = "the store has had another step 0002, 'script', since "
    let end = """
      and not '0002_other.sql' of 'DIR/Migrations'. When the folder is right, take 'script' back with \
      the folder of its branch ('oxbowctl migrate undo'); when the store is right, give \
      '0002_other.sql' a number after the last one. When it is the same step under a new name, give \
      it back its name
      """
    for message in [
      lab.message { _ = try lab.migrator().apply() },
      lab.message { _ = try lab.migrator().changedFiles() },
      lab.message { _ = try lab.migrator().acceptChangedFiles() },
    ] {
      #expect(message.hasPrefix(start))
      #expect(message.hasSuffix(end))
    }
    #expect(try lab.rows("SELECT count(*) FROM _oxbow_history") == ["2"])
  }

  @Test func `W5: a file that only has another name is the same step`() throws {
    _ = try lab.migrator().apply()
    try lab.folder.rename("Migrations/0002_script.sql", to: "Migrations/0002_renamed.sql")
    #expect(try lab.migrator().status().pending.isEmpty)
    #expect(try lab.migrator().changedFiles().isEmpty)
  }

  @Test func `steps count as done in a store that has their model`() throws {
    try lab.fill(Models.first, Models.rows)
    try lab.run("DROP TABLE _oxbow_history")
    #expect(try lab.migrator().status().pending == ["0002_script.sql"])
    #expect(
      lab.message { try lab.migrator().baseline(upTo: 7) }.hasSuffix(
        "has no step 7; it has '0001', '0002'"))
    #expect(try lab.migrator().baseline() == "0002_script.sql")
    #expect(try lab.migrator().status().pending.isEmpty)
    #expect(try lab.migrator().baseline() == nil)
    #expect(
      lab.message { _ = try lab.migrator().undo() }.contains(
        "the store had its model already when the folder was first used with it"))
  }

  @Test func `a store of another model, or with other tables, gets no baseline`() throws {
    try lab.fill(Models.second, "DROP TABLE _oxbow_history")
    #expect(lab.message { try lab.migrator().baseline() }.hasSuffix("lead to another one"))
    let other = try Lab()
    try other.add(Models.first)
    try other.fill(Models.first, "DROP TABLE _oxbow_history; DROP TABLE \"File\"")
    #expect(
      other.message { try other.migrator().baseline() }.contains(
        "difference: table 'File' is missing"))
  }

  @Test func `a script whose header says another model now is not accepted`() throws {
    let model = Models.first.changing("File") {
      $0.attributes.append(AttributeDescription("extra", .string, isOptional: true))
    }
    try lab.add(
      sql: "ALTER TABLE \"File\" ADD COLUMN \"extra\" TEXT;", "extra", model: model.versionHash)
    let migrator = try Migrator(lab.backend(), folder: lab.migrations, target: model)
    _ = try migrator.apply()
    let text = try lab.folder.text(of: "Migrations/0003_extra.sql")
    try lab.folder.write(
      text.replacing(model.versionHash, with: "unchanged"), to: "Migrations/0003_extra.sql")
    #expect(
      lab.message { _ = try lab.migrator().acceptChangedFiles() }.hasPrefix(
        "'0003_extra.sql' leads to the model \(Models.first.versionHash.prefix(12))…, and what"))
  }
}
