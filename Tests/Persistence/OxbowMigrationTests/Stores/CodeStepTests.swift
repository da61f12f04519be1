import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

@Suite struct CodeStepTests {
  let lab: Lab

  init() throws {
    lab = try Lab()
    try lab.add(Models.first, "initial")
    _ = try lab.migrator().apply()
    try lab.run(Models.rows)
    let sequence = try MigrationSequence(folder: lab.migrations)
    _ = try sequence.addCodeStep(named: "tidy", run: "swift run tool migrate apply")
  }

  func migrator(_ steps: CodeStep...) throws -> Migrator {
    try Migrator(lab.backend(), folder: lab.migrations, target: nil, code: steps)
  }

  func kinds() throws -> [String] {
    try lab.rows("SELECT \"_id\", \"_version\", \"name\", \"kind\" FROM \"File\" ORDER BY 1")
  }

  static let upper = CodeStep.batched("tidy", over: "File", size: 2) { file, _ in
    guard case .string(let name)? = try file.value("name") else { return }
    try file.setValue(.string(name.uppercased()), for: "name")
  }

  @Test func `rows are read and written by the names of the model`() throws {
    let step = CodeStep.plain("tidy") { rows in
      let count = try rows.forEach("File") { file in
        guard case .integer(let size)? = try file.value("size") else { return }
        let folder = try file.key(of: "folder")
        try file.setValue(.string("\(size) in \(folder ?? 0)"), for: "kind")
      }
      #expect(count == 3)
      let key = try rows.insert("Folder", ["path": .string("/c")])
      #expect(key == 3)
      #expect(try rows.object("Folder", key: key)?.value("path") == .string("/c"))
      #expect(try rows.object("Folder", key: 9) == nil)
      #expect(try rows.count(of: "Folder") == 3)
      #expect(try rows.run(sql: "UPDATE \"Folder\" SET \"path\" = '/d' WHERE \"_id\" = 3") == 1)
      if let folder = try rows.object("Folder", key: key) { try rows.delete(folder) }
    }
    #expect(try migrator(step).apply().map(\.kind) == [.code])
    #expect(
      try kinds() == ["1|2|'one'|'10 in 1'", "2|5|'two'|'20 in 1'", "3|2|'three'|'30 in 2'"])
    #expect(try lab.rows("SELECT count(*) FROM \"Folder\"") == ["2"])
    #expect(try migrator(step).apply().isEmpty)
    #expect(try migrator(step).status().pending.isEmpty)
  }

  @Test func `a text that gets another form of the same characters is written`() throws {
    try lab.run("UPDATE \"File\" SET \"name\" = 'e' || char(769)")
    let step = CodeStep.plain("tidy") { rows in
      try rows.forEach("File") { try $0.setValue(.string("\u{E9}"), for: "name") }
    }
    _ = try migrator(step).apply()
    #expect(try lab.rows("SELECT DISTINCT hex(\"name\") FROM \"File\"") == ["'C3A9'"])
  }

  @Test func `a step in Swift is not taken back without its folder`() throws {
    _ = try migrator(Self.upper).apply()
    let before = try kinds()
    let alone = try Migrator(lab.backend(), folder: nil, target: Models.first)
    #expect(
      lab.message { _ = try alone.undo() }
        == "the step 0002 'tidy' cannot be taken back: it is a step in Swift; give its folder, in the "
        + "program that has the step")
    #expect(try kinds() == before)
  }

  @Test func `what a row cannot have is refused, and nothing is done`() throws {
    let before = try kinds()
    func message(_ body: @escaping @Sendable (inout MigrationRow) throws -> Void) -> String {
      lab.message {
        let step = CodeStep.plain("tidy") { rows in
          try rows.run(sql: "UPDATE \"File\" SET \"kind\" = 'lost'")
          try rows.forEach("File") { try body(&$0) }
        }
        _ = try migrator(step).apply()
      }
    }
    #expect(
      message { try $0.setValue(nil, for: "name") } == """
        'File.name' is required and cannot be nil
          in: 0002_tidy.code.xml
        """)
    #expect(
      message { try $0.setValue(.string("x"), for: "size") }.hasPrefix(
        "'File.size' is Integer 64 and cannot be"))
    #expect(message { _ = try $0.value("nmae") }.contains("did you mean: 'name'?"))
    #expect(
      message { _ = try $0.value("folder") }.hasPrefix(
        "'File.folder' is not an attribute that the store keeps; it is a relationship, see key(of:)"
      ))
    struct Own: Error {}
    #expect(
      message { _ in throw Own() } == """
        0002_tidy.code.xml threw an error and was rolled back
          error: Own()
        """)
    #expect(try kinds() == before)
    #expect(try lab.migrator().status().pending == ["0002_tidy.code.xml"])
  }

  @Test func `the rules of scripts hold, and links to nothing fail the step`() throws {
    func message(_ sql: String) -> String {
      lab.message { _ = try migrator(.plain("tidy") { try $0.run(sql: sql) }).apply() }
    }
    #expect(
      message("COMMIT").contains("COMMIT is not allowed: each script runs in one transaction"))
    #expect(message("DELETE FROM _oxbow_keys").contains("is Oxbow's own and may only be read"))
    #expect(
      message("DELETE FROM \"Folder\" WHERE \"_id\" = 2").contains(
        "the step would leave references that lead nowhere, and was rolled back"))
    #expect(
      message("ALTER TABLE \"File\" ADD COLUMN \"x\" TEXT").hasPrefix(
        "0002_tidy.code.xml does not leave the tables of the model"))
  }

  @Test func `a program without the step plans it and does not start`() throws {
    let step = try #require(try lab.migrator().plan().steps.first)
    #expect(step.kind == .code)
    #expect(step.run == "swift run tool migrate apply")
    #expect(
      lab.message { _ = try lab.migrator().apply() }
        == "'0002_tidy.code.xml' is a step in Swift ('tidy' version 1), and this program does not "
        + "have it; run: swift run tool migrate apply")
    #expect(
      lab.message { _ = try migrator(.plain("tidy", version: "2") { _ in }).apply() }.contains(
        "and this program has version 2 of it; run: "))
    #expect(try migrator(.plain("tidy") { _ in }).plan().steps.first?.run == nil)
  }

  @Test func `a batched step goes through all rows, and its history has one entry`() throws {
    var seen: [String] = []
    _ = try migrator(Self.upper).apply { progress in
      if case .advanced(_, let objects, let count) = progress { seen.append("\(objects)/\(count)") }
    }
    #expect(seen == ["2/3", "3/3"])
    #expect(
      try lab.rows("SELECT \"name\" FROM \"File\" ORDER BY \"_id\"") == [
        "'ONE'", "'TWO'", "'THREE'",
      ])
    #expect(
      try lab.rows("SELECT id, event, cursor FROM _oxbow_history ORDER BY seq") == [
        "'0001'|'applied'|NULL", "'0002'|'applied'|NULL",
      ])
  }

  @Test func `a batched step that is cut off continues behind its last batch`() throws {
    struct Stop: Error {}
    let calls = Counter()
    let step = CodeStep.batched("tidy", over: "File", size: 1) { file, _ in
      if calls.next() == 2 { throw Stop() }
      try file.setValue(.string("\(file.key)"), for: "kind")
    }
    #expect(throws: PersistenceError.self) { try migrator(step).apply() }
    #expect(
      try lab.rows("SELECT event, cursor FROM _oxbow_history WHERE id = '0002'") == [
        "'progressed'|'1/3'"
      ])
    #expect(try migrator(step).status().pending == ["0002_tidy.code.xml"])
    #expect(
      lab.message { _ = try migrator(step).undo() }.contains(
        "the step 0002 'tidy' behind it is not over; finish it first with 'migrate apply'"))
    #expect(try migrator(step).apply().count == 1)
    #expect(
      try lab.rows("SELECT \"kind\", \"_version\" FROM \"File\" ORDER BY \"_id\"") == [
        "'1'|2", "'2'|5", "'3'|2",
      ])
    #expect(try lab.rows("SELECT count(*) FROM _oxbow_history WHERE id = '0002'") == ["1"])
    #expect(calls.next() == 5)
  }

  @Test func `a batched step that another program has ended meanwhile is not said to be applied`()
    throws
  {
    struct Stop: Error {}
    let calls = Counter()
    let step = CodeStep.batched("tidy", over: "File", size: 1) { _, _ in
      if calls.next() == 2 { throw Stop() }
    }
    #expect(throws: PersistenceError.self) { try migrator(step).apply() }
    try lab.add(sql: "SELECT 1;")
    let other = try migrator(step)
    let backend = DisturbedBackend(base: lab.backend()) { _ = try other.apply(upTo: 2) }
    let late = try Migrator(backend, folder: lab.migrations, target: nil, code: [step])
    #expect(try late.apply().map(\.id) == ["0003"])
  }

  @Test func `what says nothing about a step ends its verification`() throws {
    func verified(_ error: PersistenceError) throws -> [VerifiedStep.Outcome] {
      try migrator(.plain("tidy", undo: { _ in throw error }) { _ in }).verify().map(\.outcome)
    }
    #expect(throws: PersistenceError.self) { try verified(PersistenceError(.storeFull, "full")) }
  }

  @Test func `a stub that was changed while its step is not over is refused`() throws {
    struct Stop: Error {}
    let calls = Counter()
    let step = CodeStep.batched("tidy", over: "File", size: 1) { _, _ in
      if calls.next() == 2 { throw Stop() }
    }
    #expect(throws: PersistenceError.self) { try migrator(step).apply() }
    let text = try lab.folder.text(of: "Migrations/0002_tidy.code.xml")
    try lab.folder.write(
      text.replacing("version=\"1\"", with: "version=\"2\""), to: "Migrations/0002_tidy.code.xml")
    #expect(
      lab.message { _ = try migrator(step).apply() }.contains("was changed after it had begun"))
  }

  @Test func `a step in Swift is taken back by its own undo`() throws {
    let before = try lab.rows("SELECT \"name\" FROM \"File\"")
    let step = CodeStep.batched(
      "tidy", over: "File",
      undo: { rows in try rows.run(sql: "UPDATE \"File\" SET \"name\" = lower(\"name\")") }
    ) { file, _ in try file.setValue(.string("\(file.key)"), for: "kind") }
    #expect(try migrator(step).plan().steps.map(\.reversibility) == [.scripted])
    #expect(try migrator(step).apply().count == 1)
    #expect(
      lab.message { _ = try migrator(Self.upper).undo() }.contains(
        "the step in Swift has no undo; restore a backup"))
    #expect(lab.message { _ = try lab.migrator().undo() }.contains("this program does not have it"))
    _ = try migrator(step).undo()
    #expect(try lab.rows("SELECT \"name\" FROM \"File\"") == before)
    #expect(try migrator(step).status().pending == ["0002_tidy.code.xml"])
  }

  @Test func `a batched step that changes the model is refused before it starts`() throws {
    let text = try lab.folder.text(of: "Migrations/0002_tidy.code.xml")
    try lab.folder.write(
      text.replacing("\"unchanged\"", with: "\"\(Models.second.versionHash)\""),
      to: "Migrations/0002_tidy.code.xml")
    let migrator = try Migrator(
      lab.backend(), folder: lab.migrations, target: Models.second, code: [Self.upper])
    #expect(
      lab.message { _ = try migrator.apply() }.contains(
        "its step in Swift is batched: between two batches the store must have a model"))
  }

  @Test func `objects of a hierarchy come with their own attributes`() throws {
    let lab = try Lab()
    try lab.add(
      ManagedObjectModel(entities: [
        EntityDescription("R", attributes: [AttributeDescription("x", .integer64)]),
        EntityDescription(
          "U", parent: "R", attributes: [AttributeDescription("y", .string, isOptional: true)]),
        EntityDescription("V", parent: "R"),
      ]))
    _ = try MigrationSequence(folder: lab.migrations).addCodeStep(named: "all", run: "x")
    let step = CodeStep.plain("all") { rows in
      try rows.insert("U", ["x": .integer(1), "y": .string("a")])
      try rows.insert("V", ["x": .integer(2)])
      try rows.insert("R", ["x": .integer(3)])
      var seen: [String] = []
      try rows.forEach("R") { row in
        let own = row.entity == "U" ? try row.value("y") : nil
        seen.append("\(row.entity) \(row.key) \(own.map { "\($0)" } ?? "-")")
      }
      #expect(seen.map { $0.prefix(3) } == ["U 1", "V 2", "R 3"])
      #expect(try rows.count(of: "U") == 1)
      #expect(throws: PersistenceError.self) { try rows.insert("V", [:]) }
    }
    _ = try Migrator(lab.backend(), folder: lab.migrations, target: nil, code: [step]).apply()
    #expect(try lab.rows("SELECT count(*) FROM \"R\"") == ["3"])
  }

  @Test func `a statement that ends the transaction ends the step, whatever the step does then`()
    throws
  {
    let before = try kinds()
    let step = CodeStep.plain("tidy") { rows in
      try rows.run(sql: "UPDATE \"File\" SET \"kind\" = 'lost'")
      _ = try? rows.run(sql: "INSERT OR ROLLBACK INTO \"Folder\" VALUES (1, 1, '/z')")
      _ = try? rows.run(sql: "UPDATE \"File\" SET \"kind\" = 'alone' WHERE \"_id\" = 2")
    }
    #expect(
      lab.message { _ = try migrator(step).apply() }.contains(
        "a statement of the step in Swift has failed and taken everything back"))
    #expect(try kinds() == before)
    #expect(try lab.migrator().status().pending == ["0002_tidy.code.xml"])
  }

  @Test func `a step that is not over keeps a program from inferring another one`() throws {
    struct Stop: Error {}
    let calls = Counter()
    let step = CodeStep.batched("tidy", over: "File", size: 1) { file, _ in
      if calls.next() == 2 { throw Stop() }
      guard case .integer(let size)? = try file.value("size") else { return }
      try file.setValue(.integer(size * 100), for: "size")
    }
    #expect(throws: PersistenceError.self) { try migrator(step).apply() }
    #expect(try lab.infer(Models.first).isEmpty)
    #expect(
      lab.message { _ = try lab.infer(Models.second) }
        == "the step 0002 'tidy' of the store 'DIR/store.sqlite' is not over, and would begin again "
        + "behind another one; finish it first with 'migrate apply' and its folder")
    _ = try migrator(step).apply()
    #expect(
      try lab.rows("SELECT \"size\" FROM \"File\" ORDER BY \"_id\"") == ["1000", "2000", "3000"])
    #expect(try lab.infer(Models.second).count == 1)
  }
}

/// Counts calls of one thread.
private final class Counter: @unchecked Sendable {
  // Sendable by argument: a step runs on the thread of its test.
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}
