import OxbowMigration
import OxbowModel
import OxbowPlatform
import OxbowRelational
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite struct MigratorTests {
  let lab: Lab

  init() throws { lab = try Lab() }

  func twoVersions() throws {
    try lab.add(Models.first, "initial")
    try lab.add(Models.second, "labels")
  }

  @Test func `a folder makes a store and applies all its steps`() throws {
    try twoVersions()
    #expect(try lab.migrator().status().pending == ["0001_initial.xml", "0002_labels.xml"])
    #expect(try lab.migrator().status().origin == .nothing)
    let applied = try lab.migrator().apply()
    #expect(applied.map(\.id) == ["0001", "0002"])
    #expect(try lab.differences(from: Models.second).isEmpty)
    let status = try lab.migrator().status()
    #expect(status.pending.isEmpty)
    #expect(status.origin == .history)
    #expect(status.model == Models.second.versionHash)
    #expect(try lab.rows("PRAGMA integrity_check") == ["'ok'"])
    // A store made by steps is opened as any other.
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(Models.second), at: .file(lab.store))
    coordinator.close()
  }

  @Test func `a plan that somebody looked at comes back from JSON, and only it is applied`() throws
  {
    try lab.add(Models.first, "initial")
    try lab.add(Models.first.changing("File") { $0.attributes.remove(at: 2) }, "less")
    _ = try lab.migrator().apply(upTo: 1)
    try lab.run(Models.rows)
    let plan = try lab.migrator().plan()
    let approved = try JSONDecoder().decode(
      MigrationPlan.self, from: JSONEncoder().encode(plan))
    #expect(approved == plan)
    #expect(plan.differences(from: approved).isEmpty)
    try lab.run("DELETE FROM \"File\" WHERE \"_id\" = 3")
    #expect(
      try lab.migrator().plan().differences(from: approved).contains(
        "step 0002: it would remove values of 'File.kind': 1, and not 2"))
    let error = #expect(throws: PersistenceError.self) {
      try lab.migrator().apply(allowsLoss: true, approved: approved)
    }
    #expect(error?.code == .migrationRefused)
    #expect(try lab.migrator().status().pending == ["0002_less.xml"])
    let now = try lab.migrator().plan(upTo: 2, countsRows: false)
    #expect(try lab.migrator().apply(allowsLoss: true, approved: now).map(\.id) == ["0002"])
  }

  @Test func `a status comes back from JSON, with the history as the store keeps it`() throws {
    try twoVersions()
    _ = try lab.migrator().apply(upTo: 1)
    let status = try lab.migrator().status()
    #expect(status.history.map(\.event) == ["applied"])
    #expect(status.history.first?.engine.hasPrefix("SQLite ") == true)
    #expect(
      try JSONDecoder().decode(MigrationStatus.self, from: JSONEncoder().encode(status)) == status)
  }

  @Test func `a rename keeps its data, and a new attribute has its default`() throws {
    try twoVersions()
    _ = try lab.migrator().apply(upTo: 1)
    try lab.run(Models.rows)
    _ = try lab.migrator().apply()
    #expect(
      try lab.rows(
        "SELECT \"_id\", \"_version\", \"name\", \"byteCount\", \"kind\", \"folder\", \"rank\" "
          + "FROM \"File\" ORDER BY 1") == [
          "1|1|'one'|10|'text'|1|7", "2|4|'two'|20|NULL|1|7", "3|1|'three'|30|'x'|2|7",
        ])
  }

  @Test func `applying twice does nothing the second time`() throws {
    try twoVersions()
    _ = try lab.migrator().apply()
    let before = try lab.rows("SELECT * FROM _oxbow_history")
    #expect(try lab.migrator().apply().isEmpty)
    #expect(try lab.rows("SELECT * FROM _oxbow_history") == before)
    #expect(before.count == 2)
  }

  @Test func `the history tells what was done, by whom and when`() throws {
    try twoVersions()
    try lab.add(sql: "UPDATE \"File\" SET \"kind\" = 'x';", "fill")
    _ = try lab.migrator().apply()
    #expect(
      try lab.rows(
        "SELECT seq, id, name, kind, event, algorithm, model_before IS NULL, cursor, plan, tool "
          + "FROM _oxbow_history") == [
          "1|'0001'|'initial'|'model'|'applied'|'sha256-lines-1'|1|NULL|NULL|'oxbow'",
          "2|'0002'|'labels'|'model'|'applied'|'sha256-lines-1'|0|NULL|NULL|'oxbow'",
          "3|'0003'|'fill'|'sql'|'applied'|'sha256-lines-1'|0|NULL|NULL|'oxbow'",
        ])
    #expect(
      try lab.rows(
        "SELECT count(*) FROM _oxbow_history WHERE engine LIKE 'SQLite 3%' AND host <> '' AND "
          + "\"user\" <> '' AND started LIKE '20__-__-__T%' AND finished >= started") == ["3"])
  }

  @Test func `a plan writes nothing and says everything`() throws {
    try twoVersions()
    _ = try lab.migrator().apply(upTo: 1)
    try lab.run(Models.rows)
    let before = try lab.folder.names()
    let plan = try lab.migrator().plan()
    #expect(try lab.folder.names() == before)
    let step = try #require(plan.steps.first)
    #expect(plan.steps.count == 1)
    #expect(step.operations.map(\.kind) == [.rename, .alter, .create, .create, .index])
    #expect(
      step.operations[0].statements == [
        "ALTER TABLE \"File\" RENAME COLUMN \"size\" TO \"byteCount\""
      ])
    #expect(
      step.operations[1].statements == [
        "ALTER TABLE \"File\" ADD COLUMN \"rank\" INTEGER NOT NULL DEFAULT 7"
      ])
    #expect(step.rows == 0)
    #expect(!step.isDestructive)
    #expect(step.reversibility == .lossless)
  }

  @Test func `a plan of a rebuild counts its rows`() throws {
    try lab.add(Models.first)
    _ = try lab.migrator().apply()
    try lab.run(Models.rows)
    try lab.add(Models.first.changing("File") { $0.attributes.removeLast() })
    let step = try #require(try lab.migrator().plan().steps.first)
    #expect(step.operations.first { $0.kind == .rebuild }?.rows == 3)
    #expect(step.isDestructive)
    #expect(step.reversibility == .lossy)
  }

  @Test func `what a script writes is not counted before it has run`() throws {
    try lab.add(Models.first)
    _ = try lab.migrator().apply()
    try lab.run(Models.rows + "UPDATE \"File\" SET \"kind\" = NULL;")
    try lab.add(sql: "UPDATE \"File\" SET \"kind\" = 'x';")
    try lab.add(Models.first.changing("File") { $0.attributes.removeLast() })
    let step = try #require(try lab.migrator().plan().steps.last)
    #expect(step.isDestructive)
    #expect(step.losses.map(\.count) == [nil])
    #expect(step.operations.first { $0.kind == .rebuild }?.rows == nil)
    #expect(step.rows == nil)
    #expect((step.bytes ?? 0) > 0)
  }

  @Test func `a store without history enters by its model`() throws {
    try lab.fill(Models.first, Models.rows)
    try lab.run("DROP TABLE _oxbow_history")
    try twoVersions()
    let status = try lab.migrator().status()
    #expect(status.origin == .model)
    #expect(status.last == "0001_initial.xml")
    _ = try lab.migrator().apply()
    #expect(
      try lab.rows("SELECT id, event FROM _oxbow_history ORDER BY seq") == [
        "'0001'|'baselined'", "'0002'|'applied'",
      ])
    #expect(try lab.migrator().apply().isEmpty)
  }

  @Test func `a store that the program made enters by its model`() throws {
    let compiled = try CompiledModel(Models.first)
    try PersistentStoreCoordinator(compiled, at: .file(lab.store)).close()
    try twoVersions()
    _ = try lab.migrator().apply()
    #expect(try lab.differences(from: Models.second).isEmpty)
  }

  @Test func `a model that the folder does not know is compared with the nearest`() throws {
    try lab.fill(Models.first.changing("File") { $0.attributes[2].name = "sort" }, "")
    try lab.run("DROP TABLE _oxbow_history")
    try twoVersions()
    let message = lab.message { _ = try lab.migrator().apply() }
    #expect(message.contains("is not one that the migrations in 'DIR/Migrations' lead through"))
    #expect(message.contains("nearest: the model behind '0001_initial.xml'"))
    #expect(message.contains("differences: add attribute 'File.kind' (String, optional); "))
  }

  @Test func `a file that was changed after it was applied is refused`() throws {
    try lab.add(Models.first)
    let script = try lab.add(sql: "SELECT 1;")
    _ = try lab.migrator().apply()
    try lab.folder.write(
      "-- oxbow: model unchanged\r\nSELECT 1; \r\n", to: "Migrations/0002_script.sql")
    #expect(try lab.migrator().apply().isEmpty, "line endings do not count")
    try lab.folder.write("SELECT 2;", to: "Migrations/0002_script.sql")
    let message = lab.message { _ = try lab.migrator().apply() }
    #expect(
      message.hasPrefix("'0002_script.sql' in 'DIR/Migrations' was changed after it was applied"))
    #expect(script.hasSuffix("0002_script.sql"))
  }

  @Test func `a file that is gone, and one that comes late, are refused`() throws {
    try lab.add(Models.first)
    try lab.folder.write("SELECT 1;", to: "Migrations/0003_c.sql")
    _ = try lab.migrator().apply()
    try lab.folder.write("SELECT 1;", to: "Migrations/0002_b.sql")
    #expect(
      lab.message { _ = try lab.migrator().apply() }
        == "'0002_b.sql' in 'DIR/Migrations' comes before the step 3 that the store has had "
        + "already; give it a number after the last one")
    let other = try Lab()
    try other.add(Models.first)
    let message = lab.message {
      _ = try Migrator(
        lab.backend(), folder: other.migrations, target: nil
      ).apply()
    }
    #expect(message.contains("the step 0003 'c' was applied to the store and is not in"))
  }

  @Test func `a code step stops everything before it starts`() throws {
    try twoVersions()
    try lab.folder.write(
      "<code name=\"split\" version=\"2\" model=\"unchanged\" run=\"swift run catalog-migrate\"/>",
      to: "Migrations/0003_split.code.xml")
    #expect(
      lab.message { _ = try lab.migrator().apply() }
        == "'0003_split.code.xml' is a step in Swift ('split' version 2), and this program does "
        + "not have it; run: swift run catalog-migrate")
    #expect(try !lab.folder.names().contains("store.sqlite"))
    #expect(try lab.migrator().apply(upTo: 2).count == 2)
  }

  @Test func `a number that the folder does not have is named`() throws {
    try twoVersions()
    #expect(
      lab.message { _ = try lab.migrator().apply(upTo: 9) }
        == "the folder 'DIR/Migrations' has no step 9; it has '0001', '0002'")
  }

  @Test func `a store in use is refused with its holder`() throws {
    try twoVersions()
    _ = try lab.migrator().apply(upTo: 1)
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(Models.first), at: .file(lab.store))
    let error = #expect(throws: PersistenceError.self) { try lab.migrator(wait: 20).apply() }
    #expect(error?.code == .storeLocked)
    #expect(error?.message.contains("could not migrate the store within 20 ms: process ") == true)
    coordinator.close()
    #expect(try lab.migrator().apply().count == 1)
  }

  @Test func `who finds the steps applied by a program that has the store open is done`() throws {
    try twoVersions()
    let model = try CompiledModel(Models.second)
    let opened = Lock<PersistentStoreCoordinator?>(nil)
    let overtaken = Overtaken(backend: lab.backend(wait: 20)) { [lab] in
      _ = try lab.migrator().apply()
      let coordinator = try PersistentStoreCoordinator(model, at: .file(lab.store))
      opened.withLock { $0 = coordinator }
    }
    let migrator = try Migrator(overtaken, folder: lab.migrations, target: nil)
    #expect(try migrator.apply() == [])
    opened.withLock { $0?.close() }
  }

  @Test func `a file that another program has made meanwhile is not removed`() throws {
    try twoVersions()
    let lock = try LockFile(besideStore: lab.store, usage: .shared, milliseconds: 0)
    try lab.folder.write("", to: "store.sqlite")
    let error = #expect(throws: PersistenceError.self) { try lab.migrator(wait: 20).apply() }
    #expect(error?.code == .storeLocked)
    #expect(FileManager.default.fileExists(atPath: lab.store))
    lock.close()
  }

  @Test func `tables that are not the model's are found before anything starts`() throws {
    try twoVersions()
    _ = try lab.migrator().apply(upTo: 1)
    try lab.run("ALTER TABLE \"File\" ADD COLUMN \"extra\" TEXT")
    #expect(
      lab.message { _ = try lab.migrator().apply() } == """
        the store's tables are not those of its model, so 0002_labels.xml cannot start
          difference: table 'File': the column 'extra' is one too many
        """)
  }

  @Test func `a database of something else is left alone`() throws {
    try twoVersions()
    try lab.run("CREATE TABLE x (a)")
    #expect(
      lab.message { _ = try lab.migrator().apply() }
        == "'DIR/store.sqlite' is an SQLite database, but not an Oxbow store: it has the tables 'x'; "
        + "check the path")
  }

  @Test func `an empty file that was there stays, also when nothing becomes of it (review M6)`()
    throws
  {
    try lab.folder.write("", to: "store.sqlite")
    try lab.add(sql: "SELECT 1;")
    #expect(lab.message { _ = try lab.migrator().apply() }.contains("there is no store yet"))
    let required = ManagedObjectModel(entities: [
      EntityDescription("A", attributes: [AttributeDescription("a", .string)])
    ])
    #expect(throws: (any Error).self) {
      try lab.backend().exclusively { session in
        try session.transaction { _ in throw PersistenceError(.migration, "nothing is done") }
      }
    }
    #expect(FileManager.default.fileExists(atPath: lab.store))
    _ = try lab.infer(required)
    #expect(try lab.differences(from: required) == [])
  }

  @Test func `names that somebody else has are found before anything starts (review M19)`() throws {
    try lab.fill(Models.first, Models.rows)
    try lab.run(
      "CREATE VIEW \"label\" AS SELECT 1; CREATE INDEX \"File_kind_unique\" ON \"File\" (kind)")
    let model = Models.second.changing("File") { $0.uniquenessConstraints = [["kind"]] }
    let migrator = Migrator(lab.backend(), target: model)
    for body in [{ _ = try migrator.plan() }, { _ = try migrator.apply() }] as [() throws -> Void] {
      let message = lab.message(body)
      #expect(
        message.contains("the name 'Label' of a new table is that of the view 'label', which"))
      #expect(
        message.contains(
          "the name 'File_kind_unique' of a new index is that of the index 'File_kind_unique' on "
            + "the table 'File', which is not Oxbow's; drop or rename it with a script"))
    }
  }

  @Test func `uniqueness over values that are made anew is counted before (review M19)`() throws {
    try lab.fill(Models.first, Models.rows)
    let model = Models.first.changing("File") {
      $0.attributes.append(AttributeDescription("rank", .integer32, defaultValue: .integer(7)))
      $0.uniquenessConstraints = [["rank"]]
    }
    #expect(
      lab.message { _ = try lab.infer(model) }.contains(
        "groups of objects of 'File' with the same 'rank', which becomes unique: 1; merge"))
  }

  @Test func `uniqueness that moves to the root is counted for all rows (review M19)`() throws {
    func model(_ root: [[String]], _ child: [[String]]) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          "R", attributes: [AttributeDescription("x", .integer64)], uniquenessConstraints: root),
        EntityDescription("U", parent: "R", uniquenessConstraints: child),
      ])
    }
    try lab.fill(model([], [["x"]]), "")
    let data = try StoreData(lab, model([], [["x"]]))
    try lab.run(try data.inserting("R", [1, 2], ["x": "5"]))
    #expect(
      lab.message { _ = try lab.infer(model([["x"]], [])) }.contains(
        "groups of objects of 'R' with the same 'x', which becomes unique: 1; merge"))
  }

  @Test func `tables that something else changed are drift (review M27)`() throws {
    try lab.fill(Models.first, Models.rows)
    let migrator = Migrator(lab.backend(), target: Models.first)
    #expect(try migrator.drift() == [])
    try lab.run("DROP TABLE \"File\"")
    #expect(try migrator.drift() == ["table 'File' is missing"])
  }

  @Test func `what is not a file is refused and left alone (review M6)`() throws {
    let pipe = lab.folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let backend = SQLiteMigrationBackend(path: pipe)
    for body in [
      { _ = try backend.state() }, { try backend.exclusively { _ in } },
    ] as [() throws -> Void] {
      #expect(
        lab.message(body) == "the store 'DIR/pipe' cannot be opened: it is not a regular file")
    }
    #expect(FileManager.default.fileExists(atPath: pipe))
    #expect(!FileManager.default.fileExists(atPath: pipe + "-lock"))
  }

  @Test func `a link to nothing is not a store to migrate, and its target is named`() throws {
    let link = lab.folder.file("link")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "nowhere.sqlite")
    #expect(
      lab.message { _ = try SQLiteMigrationBackend(path: link).state() }
        == "the store 'DIR/link' cannot be opened: it is a symbolic link to 'nowhere.sqlite', "
        + "which does not exist; remove the link, or create that file or the store there")
  }

  @Test func `a migration of text in UTF-16 is refused before it starts`() throws {
    try lab.run("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(a); DROP TABLE t")
    #expect(
      lab.message { _ = try Migrator(lab.backend(), target: Models.first).status() }
        .contains("keeps its text in UTF-16le, and Oxbow needs UTF-8"))
  }

  @Test func `without a folder the step is inferred, and loss is refused`() throws {
    try lab.fill(Models.first, Models.rows)
    #expect(try lab.infer(Models.second).map(\.kind) == [.inferred])
    #expect(try lab.infer(Models.second).isEmpty)
    try lab.run(
      "INSERT INTO \"Label\" VALUES (1, 1, 'red'), (2, 1, 'blue'); "
        + "INSERT INTO \"File_labels\" VALUES (1, 1), (2, 1), (3, 2);")
    let without = Models.second.removing("Label").changing("File") {
      $0.relationships.removeLast()
    }
    let message = lab.message { _ = try lab.infer(without) }
    #expect(
      message.hasPrefix(
        "the step to the model given would remove data: links of 'File.labels': 3; objects of "
          + "'Label': 2. Write it"))
    #expect(message.hasSuffix("allow the loss with --allow-loss (in a program: allowsLoss)"))
    #expect(try lab.differences(from: Models.second).isEmpty)
    let plan = try Migrator(lab.backend(), target: without).plan()
    #expect(
      plan.steps[0].losses.map { "\($0.subject) \($0.count ?? -1)" } == [
        "links of 'File.labels' 3", "objects of 'Label' 2",
      ])
  }
}

/// A store that another program has changed by the time that this one has it alone.
private struct Overtaken: MigrationBackend {
  let backend: SQLiteMigrationBackend
  let meanwhile: @Sendable () throws -> Void

  var store: String { backend.store }
  var engine: String { backend.engine }

  func state() throws -> MigrationState? { try backend.state() }

  func read<R>(_ body: (any MigrationReading) throws -> R) throws -> R { try backend.read(body) }

  func statements(of migration: TableMigration) -> [MigrationOperation] {
    backend.statements(of: migration)
  }

  func exclusively<R>(_ body: (any MigrationSession) throws -> R) throws -> R {
    try meanwhile()
    return try backend.exclusively(body)
  }
}
