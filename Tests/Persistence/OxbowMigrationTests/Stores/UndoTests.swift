import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

@Suite struct UndoTests {
  let lab: Lab

  init() throws { lab = try Lab() }

  func twoVersions() throws {
    try lab.add(Models.first, "initial")
    _ = try lab.migrator().apply()
    try lab.run(Models.rows)
    try lab.add(Models.second, "labels")
    _ = try lab.migrator().apply()
  }

  func files() throws -> [String] {
    try lab.rows(
      "SELECT \"_id\", \"name\", \"size\", \"kind\", \"folder\" FROM \"File\" ORDER BY 1")
  }

  @Test func `a model step is taken back and applied again`() throws {
    try lab.add(Models.first, "initial")
    _ = try lab.migrator().apply()
    try lab.run(Models.rows)
    let before = try files()
    try lab.add(Models.second, "labels")
    _ = try lab.migrator().apply()
    try lab.run("UPDATE \"File\" SET \"rank\" = 9 WHERE \"_id\" = 2")
    #expect(
      lab.message { _ = try lab.migrator().undo() }
        == "taking back 0002_labels.xml would remove data: values of 'File.rank': 3. Copy what is "
        + "needed before, or allow the loss with --allow-loss")
    let undone = try lab.migrator().undo(allowsLoss: true)
    #expect(undone.id == "0002")
    #expect(try files() == before)
    #expect(try lab.differences(from: Models.first) == [])
    #expect(
      try lab.rows("SELECT id, event FROM _oxbow_history ORDER BY seq") == [
        "'0001'|'applied'", "'0002'|'applied'", "'0002'|'undone'",
      ])
    let status = try lab.migrator().status()
    #expect(status.pending == ["0002_labels.xml"])
    #expect(status.last == "0001_initial.xml")
    #expect(try lab.migrator().apply().map(\.id) == ["0002"])
    #expect(try lab.differences(from: Models.second) == [])
  }

  @Test func `W4: a plan says with which objects a step cannot be taken back`() throws {
    try lab.add(Models.first, "initial")
    _ = try lab.migrator().apply()
    try lab.add(
      Models.first.changing("File") {
        $0.attributes.removeFirst()
        $0.fetchIndexes = []
      }, "less")
    let subject =
      "objects of 'File' that would have no value for the new attribute 'name', which is required and "
      + "has no default value"
    #expect(try lab.migrator().plan().steps.map(\.refusesUndo) == [[subject]])
    _ = try lab.migrator().apply()
    try lab.run(
      """
      INSERT INTO "Folder" ("_id", "_version", "path") VALUES (1, 1, '/a');
      INSERT INTO "File" ("_id", "_version", "size", "folder") VALUES (1, 1, 10, 1);
      """)
    #expect(
      lab.message { _ = try lab.migrator().undo(allowsLoss: true) }
        == "taking back 0002_less.xml was refused: \(subject): 1; what the step removed is not known "
        + "any more; restore a backup that was made before it ('migrate apply --backup' makes one), "
        + "or delete these objects")
    try lab.run("DELETE FROM \"File\"")
    #expect(try lab.migrator().undo().id == "0002")
  }

  @Test func `a name that was given to something new leads back to what it was`() throws {
    let before = ManagedObjectModel(entities: [
      EntityDescription("A", attributes: [AttributeDescription("x", .string, isOptional: true)])
    ])
    let after = ManagedObjectModel(entities: [
      EntityDescription(
        "A",
        attributes: [
          AttributeDescription("x", .string, isOptional: true, renamingIdentifier: "new"),
          AttributeDescription("y", .string, isOptional: true, renamingIdentifier: "x"),
        ])
    ])
    try lab.add(before)
    _ = try lab.migrator().apply()
    try lab.run("INSERT INTO \"A\" (\"_id\", \"_version\", \"x\") VALUES (1, 1, 'old')")
    try lab.add(after)
    _ = try lab.migrator().apply()
    #expect(try lab.rows("SELECT \"x\", \"y\" FROM \"A\"") == ["NULL|'old'"])
    _ = try lab.migrator().undo()
    #expect(try lab.rows("SELECT \"x\" FROM \"A\"") == ["'old'"])
  }

  @Test func `a script is taken back by its section down`() throws {
    try lab.add(Models.first, "initial")
    try lab.folder.write(
      """
      -- oxbow: model unchanged
      -- up
      UPDATE "File" SET "kind" = upper("kind");
      -- down
      UPDATE "File" SET "kind" = lower("kind");
      """, to: "Migrations/0002_upper.sql")
    _ = try lab.migrator().apply(upTo: 1)
    try lab.run(Models.rows)
    let before = try files()
    #expect(try lab.migrator().plan().steps.map(\.reversibility) == [.scripted])
    _ = try lab.migrator().apply()
    #expect(try files() != before)
    _ = try lab.migrator().undo()
    #expect(try files() == before)
  }

  @Test func `a down that does not lead to the model before is rolled back`() throws {
    try lab.add(Models.first, "initial")
    try lab.folder.write(
      """
      -- up
      UPDATE "File" SET "kind" = upper("kind");
      -- down
      ALTER TABLE "File" ADD COLUMN "x" TEXT;
      """, to: "Migrations/0002_upper.sql")
    _ = try lab.migrator().apply()
    let message = lab.message { _ = try lab.migrator().undo() }
    #expect(message.hasPrefix("taking back 0002_upper.sql does not leave the tables of the model"))
    #expect(try lab.differences(from: Models.first) == [])
  }

  @Test func `what cannot be taken back is known when it is planned`() throws {
    try lab.add(Models.first, "initial")
    #expect(try lab.migrator().plan().steps.map(\.reversibility) == [.none])
    try lab.add(sql: "UPDATE \"File\" SET \"kind\" = 'x';")
    try lab.add(
      Models.first.changing("File") { $0.attributes[1] = AttributeDescription("size", .double) })
    // There is no safe way from a Double back to an integer.
    #expect(try lab.migrator().plan().steps.map(\.reversibility) == [.none, .none, .none])
    _ = try lab.migrator().apply()
    #expect(
      lab.message { _ = try lab.migrator().undo() }.hasPrefix(
        "attribute 'size' of entity 'File' changes from Double to Integer 64"))
  }

  @Test func `the first step and a script without a way back say what to do`() throws {
    try lab.add(Models.first, "initial")
    #expect(
      lab.message { _ = try lab.migrator().undo() }
        == "the store has had no step that could be taken back")
    _ = try lab.migrator().apply()
    #expect(
      lab.message { _ = try lab.migrator().undo() }
        == "the step 0001 'initial' cannot be taken back: it made the store; remove the store's "
        + "file when nothing in it is needed")
    try lab.add(sql: "SELECT 1;", "one")
    _ = try lab.migrator().apply()
    #expect(
      lab.message { _ = try lab.migrator().undo() }
        == "the step 0002 'one' cannot be taken back: its script has no section \"down\"; restore a "
        + "backup, or write a step that goes on")
  }

  // MARK: - Several steps

  /// Three steps behind the first: a model step, a script with a way back, a model step.
  ///
  /// - Returns: The files before them.
  @discardableResult
  func fourSteps() throws -> [String] {
    try lab.add(Models.first, "initial")
    _ = try lab.migrator().apply()
    try lab.run(Models.rows)
    let before = try files()
    try lab.add(Models.second, "labels")
    try lab.folder.write(
      """
      -- oxbow: model unchanged
      -- up
      UPDATE "File" SET "kind" = upper("kind");
      -- down
      UPDATE "File" SET "kind" = lower("kind");
      """, to: "Migrations/0003_upper.sql")
    try lab.add(
      Models.second.changing("File") {
        $0.attributes.append(AttributeDescription("note", .string, isOptional: true))
      }, "notes")
    _ = try lab.migrator().apply()
    return before
  }

  @Test func `S: all steps behind a number are taken back, the last one first`() throws {
    let before = try fourSteps()
    let undone = try lab.migrator().undo(to: 1, allowsLoss: true)
    #expect(undone.map(\.id) == ["0004", "0003", "0002"])
    #expect(undone.last?.modelAfter == Models.first.versionHash)
    #expect(undone.allSatisfy { $0.seconds >= 0 })
    #expect(try files() == before)
    #expect(try lab.differences(from: Models.first) == [])
    #expect(try lab.migrator().status().pending.count == 3)
    #expect(try lab.migrator().apply().map(\.id) == ["0002", "0003", "0004"])
    // Down to the middle, twice over the same history.
    #expect(try lab.migrator().undo(to: 2).map(\.id) == ["0004", "0003"])
    #expect(try lab.migrator().apply().map(\.id) == ["0003", "0004"])
    #expect(try lab.migrator().undo(to: 3).map(\.id) == ["0004"])
    #expect(try lab.migrator().undo().id == "0003")
    #expect(try lab.differences(from: Models.second) == [])
  }

  @Test func `S: when one of several steps cannot be taken back, none is`() throws {
    try fourSteps()
    let history = try lab.rows("SELECT id, event FROM _oxbow_history ORDER BY seq")
    let tables = try lab.rows("SELECT name, sql FROM sqlite_schema ORDER BY name")
    #expect(
      lab.message { _ = try lab.migrator().undo(to: 1) }
        == "taking back 0002_labels.xml would remove data: values of 'File.rank': 3. Copy what is "
        + "needed before, or allow the loss with --allow-loss")
    #expect(
      lab.message { _ = try lab.migrator().undo(to: 0, allowsLoss: true) }
        == "the store has not had a step 0, so it cannot be taken back to it; it has had '0001', "
        + "'0002', '0003', '0004'")
    #expect(
      lab.message { _ = try lab.migrator().undo(to: 4) }
        == "the step 0004 'notes' is the last one that the store has had: there is nothing behind it "
        + "to take back")
    #expect(try lab.rows("SELECT id, event FROM _oxbow_history ORDER BY seq") == history)
    #expect(try lab.rows("SELECT name, sql FROM sqlite_schema ORDER BY name") == tables)
    #expect(try lab.migrator().status().pending.isEmpty)
  }

  @Test func `references that led nowhere before do not keep several steps from being taken back`()
    throws
  {
    func note(_ name: String) -> AttributeDescription {
      AttributeDescription(name, .string, isOptional: true)
    }
    let end = RelationshipDescription("to", to: "P")
    let first = ManagedObjectModel(entities: [
      EntityDescription("P"), EntityDescription("A", relationships: [end]),
      EntityDescription("B", relationships: [end]),
    ])
    let second = first.changing("A") { $0.attributes = [note("a")] }
    try lab.add(first)
    try lab.add(second)
    let third = second.changing("B") { $0.attributes = [note("b")] }
    try lab.add(third)
    // What is known of references has the names of the beginning.
    try lab.add(third.changing("A") { ($0.name, $0.renamingIdentifier) = ("C", "A") })
    _ = try lab.migrator().apply()
    try lab.run(
      """
      INSERT INTO "C" ("_id", "_version", "to") VALUES (1, 1, 7);
      INSERT INTO "B" ("_id", "_version", "to") VALUES (1, 1, 8);
      """)
    #expect(try lab.migrator().undo(to: 1).map(\.id) == ["0004", "0003", "0002"])
    #expect(try lab.rows("SELECT \"to\" FROM \"A\"") == ["7"])
    #expect(try lab.rows("SELECT \"to\" FROM \"B\"") == ["8"])
  }

  @Test func `the moment of a derived attribute is not what a step is proved by`() throws {
    try lab.add(Models.first)
    _ = try lab.migrator().apply()
    try lab.run(Models.rows)
    try lab.add(
      Models.first.changing("File") {
        $0.attributes.append(AttributeDescription("saved", .date, derivation: "now()"))
      })
    let steps = try lab.migrator().verify()
    #expect(steps.map(\.outcome) == [.proved], "\(steps)")
  }

  @Test func `each step is proved on a copy`() throws {
    try lab.add(Models.first, "initial")
    _ = try lab.migrator().apply()
    try lab.run(Models.rows)
    try lab.add(Models.second, "labels")
    try lab.folder.write(
      """
      -- up
      UPDATE "File" SET "rank" = "rank" + 1;
      -- down
      SELECT 1;
      """, to: "Migrations/0003_rank.sql")
    try lab.add(sql: "SELECT 1;", "one")
    let steps = try lab.migrator().verify()
    #expect(steps.map(\.outcome) == [.proved, .differs, .irreversible])
    #expect(steps.map(\.reversibility) == [.lossless, .scripted, .none])
    #expect(steps[1].details == ["applied again: the table 'File' has other values"])
  }

  @Test(arguments: 0..<60)
  func `up, down, up is up (random pairs)`(seed: Int) throws {
    let change = PairChange(seed)
    if change.isRefused { return }
    try lab.add(change.before)
    _ = try lab.migrator().apply()
    let data = try StoreData(lab, change.before)
    for (entity, keys) in change.objects { try lab.run(try data.inserting(entity, keys)) }
    let end = try #require(try data.relationship(change.left, "l"))
    try lab.run(data.linking(end, change.links))
    guard change.before.versionHash != change.after.versionHash else { return }
    try lab.add(change.after)
    let steps = try lab.migrator().verify()
    #expect(steps.allSatisfy { $0.outcome != .differs }, "\(change): \(steps)")
  }

  @Test(arguments: 0..<60)
  func `up, down, up is up (random levels of a hierarchy)`(seed: Int) throws {
    let change = LevelChange(seed)
    guard change.before.versionHash != change.after.versionHash else { return }
    try lab.add(change.before)
    _ = try lab.migrator().apply()
    let data = try StoreData(lab, change.before)
    for (entity, values) in change.values {
      let key = LevelChange.key(entity)
      try lab.run(try data.inserting(entity, [key], values.mapValues { "\($0)" }))
    }
    try lab.add(change.after)
    let steps = try lab.migrator().verify()
    #expect(steps.map(\.outcome) == [.proved], "\(change): \(steps)")
  }
}
