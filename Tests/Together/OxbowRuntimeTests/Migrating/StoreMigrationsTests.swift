import OxbowRuntime
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct StoreMigrationsTests {
  let folder: TemporaryFolder
  let store: String

  /// The notes, with one attribute renamed and one added.
  let second = ManagedObjectModel(entities: [
    EntityDescription(
      "Note",
      attributes: [
        AttributeDescription("body", .string, renamingIdentifier: "text"),
        AttributeDescription("stars", .integer16, defaultValue: .integer(3)),
      ])
  ])

  init() throws {
    folder = try TemporaryFolder()
    store = folder.file("notes.sqlite")
    try folder.write("", to: "M/.keep")
  }

  var migrations: String { folder.file("M") }

  func makeFirst() throws {
    let container = try PersistentContainer(.file(store), model: notesModel)
    try container.perform { context in
      try context.insert(entityNamed: "Note").setValue("kept", for: "text")
      try context.save()
    }
    container.close()
  }

  func open(_ policy: MigrationPolicy, folder: String? = nil) throws -> PersistentContainer {
    try PersistentContainer(
      coordinator: PersistentStoreCoordinator(
        CompiledModel(second), at: .file(store), migrations: StoreMigrations(policy, folder: folder)
      ))
  }

  func values(_ container: PersistentContainer) throws -> [String] {
    try container.perform { context in
      try context.fetch(FetchRequest<ManagedObject>(entityNamed: "Note")).map { note in
        let body = try note.value("body", as: String.self) ?? ""
        return "\(body) \(try note.value("stars", as: Int.self) ?? 0)"
      }
    }
  }

  func steps() throws {
    _ = try MigrationSequence(folder: migrations).addModelStep(named: "first", to: notesModel)
    _ = try MigrationSequence(folder: migrations).addModelStep(named: "second", to: second)
  }

  @Test func `automatic infers the step from the store's own model`() throws {
    try makeFirst()
    let container = try open(.automatic)
    #expect(try values(container) == ["kept 3"])
    container.close()
    try open(.requireUpToDate).close()
  }

  @Test func `a program applies exactly the plan that somebody looked at`() throws {
    try makeFirst()
    let migrator = try StoreMigrations(.never).migrator(store, for: second)
    let plan = try JSONDecoder().decode(
      MigrationPlan.self, from: JSONEncoder().encode(migrator.plan()))
    #expect(plan.steps.first?.operations.contains { $0.table == "Note" } == true)
    #expect(try migrator.apply(approved: plan).map(\.kind) == [.inferred])
    #expect(try migrator.status().history.last?.event == "applied")
    let error = #expect(throws: PersistenceError.self) { try migrator.apply(approved: plan) }
    #expect(error?.code == .migrationRefused)
  }

  @Test func `automatic removes data only when it may`() throws {
    try makeFirst()
    let empty = ManagedObjectModel(entities: [EntityDescription("Note")])
    var migrations = StoreMigrations(.automatic)
    let error = #expect(throws: PersistenceError.self) { try migrations.prepare(store, for: empty) }
    #expect(error?.code == .migrationRefused)
    #expect(error?.message.contains("would remove data: values of 'Note.text': 1. ") == true)
    migrations.allowsLoss = true
    try migrations.prepare(store, for: empty)
    try PersistentContainer(.file(store), model: empty).close()
  }

  @Test func `a step of a folder removes data only when it may`() throws {
    try makeFirst()
    let empty = ManagedObjectModel(entities: [EntityDescription("Note")])
    _ = try MigrationSequence(folder: self.migrations).addModelStep(named: "a", to: notesModel)
    _ = try MigrationSequence(folder: self.migrations).addModelStep(named: "b", to: empty)
    var migrations = StoreMigrations(.automatic, folder: self.migrations)
    let error = #expect(throws: PersistenceError.self) { try migrations.prepare(store, for: empty) }
    #expect(error?.code == .migrationRefused)
    #expect(
      error?.message.hasPrefix("'0002_b.xml' would remove data: values of 'Note.text': 1. ") == true
    )
    #expect(error?.message.contains("(in a program: allowsLoss)") == true)
    migrations.allowsLoss = true
    try migrations.prepare(store, for: empty)
    try PersistentContainer(.file(store), model: empty).close()
  }

  @Test func `steps in Swift read and write values of Swift types`() throws {
    try makeFirst()
    try steps()
    _ = try MigrationSequence(folder: migrations).addCodeStep(named: "shout", run: "x")
    let shout = CodeStep.batched("shout", over: "Note") { note, _ in
      let body = try note.value("body", as: String.self) ?? ""
      try note.setValue(body.uppercased(), for: "body")
      // As in the guide: the last word only.
      let parts = try note.value("body", as: String.self)?.split(separator: " ") ?? []
      try note.setValue(parts.last.map(String.init), for: "body")
      try note.setValue(try note.value("stars", as: Int16.self).map { $0 + 1 }, for: "stars")
      #expect(throws: PersistenceError.self) { try note.value("body", as: Int.self) }
    }
    #expect(throws: PersistenceError.self) { try open(.automatic, folder: migrations) }
    try StoreMigrations(.automatic, folder: migrations, steps: [shout]).prepare(store, for: second)
    let container = try open(.requireUpToDate, folder: migrations)
    #expect(try values(container) == ["KEPT 4"])
    container.close()
  }

  @Test func `automatic applies the steps of a folder`() throws {
    try makeFirst()
    try steps()
    let container = try open(.automatic, folder: migrations)
    #expect(try values(container) == ["kept 3"])
    container.close()
  }

  @Test func `a store that is not there yet is made by the steps`() throws {
    try steps()
    try open(.requireUpToDate, folder: migrations).close()
    let container = try open(.never)
    #expect(try values(container) == [])
    container.close()
  }

  @Test func `a folder of steps makes no store where none may be made`() throws {
    try steps()
    let error = #expect(throws: PersistenceError.self) {
      try PersistentStoreCoordinator(
        CompiledModel(second), at: .file(store), options: SQLiteStoreOptions(createsStore: false),
        migrations: StoreMigrations(.automatic, folder: migrations))
    }
    #expect(error?.code == .storeUnreachable)
    #expect(!FileManager.default.fileExists(atPath: store))
  }

  @Test func `other programs see a new store with all its steps, or none`() throws {
    try steps()
    let migrations = StoreMigrations(.requireUpToDate, folder: migrations)
    var seen: [String] = []
    try migrations.prepare(store, for: second) { progress in
      if case .finished(let step) = progress { seen.append("finished \(step.id)") }
      guard case .began(_, let number, let count) = progress else { return }
      let model = Result { try migrations.migrator(store, for: second).status().model }
      seen.append("began \(number) of \(count)" + ((try? model.get()) == nil ? "" : ", in part"))
    }
    #expect(seen == ["began 1 of 2", "began 2 of 2", "finished 0001", "finished 0002"])
  }

  @Test func `a new store is at the folder's end, and opens again`() throws {
    try steps()
    try script("UPDATE \"Note\" SET \"stars\" = \"stars\" + 1;")
    for policy in [.requireUpToDate, .automatic, .requireUpToDate] as [MigrationPolicy] {
      let container = try open(policy, folder: migrations)
      try container.perform { context in
        try context.insert(entityNamed: "Note").setValue("new", for: "body")
        try context.save()
      }
      container.close()
    }
    let container = try open(.never)
    #expect(try values(container) == ["new 3", "new 3", "new 3"])
    container.close()
  }

  func script(_ sql: String) throws {
    let id = try MigrationSequence(folder: migrations).nextID
    try folder.write("-- oxbow: model unchanged\n\(sql)\n", to: "M/\(id)_script.sql")
  }

  @Test(arguments: [MigrationPolicy.automatic, .requireUpToDate])
  func `a store that a program made without the folder is not migrated twice`(
    policy: MigrationPolicy
  ) throws {
    try steps()
    try script("UPDATE \"Note\" SET \"stars\" = \"stars\" * 100;")
    let made = try open(.never)
    try made.perform { context in
      try context.insert(entityNamed: "Note").setValue("new", for: "body")
      try context.save()
    }
    made.close()
    let error = #expect(throws: PersistenceError.self) { try open(policy, folder: migrations) }
    #expect(error?.code == .migrationRefused)
    #expect(
      error?.details.map(\.text).last
        == "oxbowctl migrate baseline --store \(store) --migrations \(migrations) --up-to 3")
    let container = try open(.never)
    #expect(try values(container) == ["new 3"])
    container.close()
  }

  @Test func `D7: a program that requires makes a new store without the steps in Swift`() throws {
    try steps()
    _ = try MigrationSequence(folder: migrations).addCodeStep(
      named: "shout", run: "swift run notesctl migrate apply")
    try script("UPDATE \"Note\" SET \"stars\" = \"stars\" * 100;")
    try open(.requireUpToDate, folder: migrations).close()
    try open(.automatic, folder: migrations).close()
  }

  @Test func `D7: a new store with objects does not skip a step in Swift`() throws {
    try steps()
    try script(
      "INSERT INTO \"Note\" (\"_id\", \"_version\", \"body\", \"stars\") VALUES (1, 1, 'seed', 1);")
    _ = try MigrationSequence(folder: migrations).addCodeStep(
      named: "shout", run: "swift run notesctl migrate apply")
    let error = #expect(throws: PersistenceError.self) {
      try open(.requireUpToDate, folder: migrations)
    }
    #expect(
      error?.message.hasSuffix("does not have it; run: swift run notesctl migrate apply") == true)
  }

  @Test func `D7: a store that is behind names the tool that has the steps`() throws {
    try makeFirst()
    try steps()
    _ = try MigrationSequence(folder: migrations).addCodeStep(
      named: "shout", run: "swift run notesctl migrate apply")
    let error = #expect(throws: PersistenceError.self) {
      try open(.requireUpToDate, folder: migrations)
    }
    #expect(
      error?.message
        == "the store '\(store)' has not had '0002_second.xml', '0003_shout.code.xml' yet; run: "
        + "swift run notesctl migrate apply")
  }

  @Test func `W1: an older program that is automatic does not take the store back`() throws {
    try makeFirst()
    for _ in 1...2 {
      try open(.automatic).close()
      let error = #expect(throws: PersistenceError.self) {
        try PersistentContainer(
          .file(store), model: notesModel, migrations: StoreMigrations(.automatic))
      }
      #expect(error?.code == .modelMismatch)
      #expect(error?.message.contains("This program is older than the store") == true)
    }
  }

  @Test func `W8: a container of a model without classes takes migrations`() throws {
    try makeFirst()
    let container = try PersistentContainer(
      .file(store), model: second, migrations: StoreMigrations(.automatic))
    #expect(try values(container) == ["kept 3"])
    container.close()
  }

  @Test func `require names what is pending and the command`() throws {
    try makeFirst()
    try steps()
    let error = #expect(throws: PersistenceError.self) {
      try open(.requireUpToDate, folder: migrations)
    }
    #expect(error?.code == .modelMismatch)
    #expect(
      error?.message
        == "the store '\(store)' has not had '0002_second.xml' yet; run: oxbowctl migrate apply "
        + "--store \(store) --migrations \(migrations)")
    try FileManager.default.moveItem(atPath: migrations, toPath: migrations + " 2")
    let quoted = #expect(throws: PersistenceError.self) {
      try open(.requireUpToDate, folder: migrations + " 2")
    }
    #expect(quoted?.message.hasSuffix("--store \(store) --migrations '\(migrations) 2'") == true)
  }

  @Test func `refuse opens a store of exactly this model`() throws {
    try makeFirst()
    let error = #expect(throws: PersistenceError.self) { try open(.never) }
    #expect(error?.code == .modelMismatch)
  }

  @Test func `a folder that leads elsewhere is refused`() throws {
    _ = try MigrationSequence(folder: migrations).addModelStep(named: "first", to: notesModel)
    let error = #expect(throws: PersistenceError.self) { try open(.automatic, folder: migrations) }
    #expect(error?.message.contains("write the step that is missing: oxbowctl migrate new") == true)
  }

  // Acceptance 4: a writer that was open during the migration learns it, and writes nothing.
  @Test func `a container that is open during a migration gets storeWasMigrated`() throws {
    try makeFirst()
    let container = try PersistentContainer(.file(store), model: notesModel)
    _ = try container.perform { try $0.count(allNotes()) }
    try StoreMigrations(.automatic, sharesStore: true).prepare(store, for: second)
    let error = #expect(throws: PersistenceError.self) {
      try container.perform { context in
        try context.insert(entityNamed: "Note").setValue("lost", for: "text")
        try context.save()
      }
    }
    #expect(error?.code == .storeWasMigrated)
    container.close()
    let after = try open(.never)
    #expect(try values(after) == ["kept 3"])
    after.close()
  }

  @Test func `wiring files name the policy`() throws {
    let factory = StoreCoordinatorFactory()
    factory.storePath = store
    factory.model = second
    factory.migrate = "automatik"
    let error = #expect(throws: PersistenceError.self) { try factory.object() }
    #expect(
      error?.description == """
        'automatik' of "migrate" is not one of 'automatic', 'never', 'requireUpToDate'
          did you mean: 'automatic'?
        """)
    try makeFirst()
    factory.migrate = "automatic"
    try factory.object().close()
  }
}
