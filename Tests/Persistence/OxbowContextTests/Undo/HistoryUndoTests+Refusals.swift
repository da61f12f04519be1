import OxbowContext
import OxbowMigration
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

extension HistoryUndoTests {
  @Test func `PS-11 values of the program's own, and names only, are refused by name`() throws {
    let setting = try save { context in
      try context.setMetadata(1, for: "cursor")
      _ = try context.insert(entityNamed: "File")
    }
    let error = try refusal(setting)
    #expect(error.code == .undoRefused && error.message.contains("'cursor'"))
    let names = try Graph(history: .keys)
    let id = try names.make("File")[0]
    let start = try names.coordinator.currentHistoryToken()
    try names.elsewhere { try $0.get(id).setValue("x", for: "name") }
    try names.elsewhere { try $0.delete(try $0.get(id)) }
    for save in try names.coordinator.saves(after: start) {
      let error = try refusal(save, in: names.context())
      #expect(error.code == .undoRefused && error.message.contains("history: .keys"))
    }
    let insertion = try #require(try names.coordinator.saves().first)
    // The object is gone already.
    try names.context().undo(insertion)
  }

  @Test func `PS-11 a save that has changed what has no history is refused as a whole`() throws {
    let name = AttributeDescription("name", .string, isOptional: true)
    let files = RelationshipDescription("files", to: "File", inverse: "folder", isToMany: true)
    let folder = RelationshipDescription("folder", to: "Folder", inverse: "files")
    let model = ManagedObjectModel(entities: [
      EntityDescription("Folder", attributes: [name], relationships: [files]),
      EntityDescription("File", attributes: [name], relationships: [folder]),
      EntityDescription(
        "Log", attributes: [name], relationships: [], userInfo: ["history": "off"]),
    ])
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(model, classes: []), at: .inMemory, options: .init(history: .values))
    let context = ManagedObjectContext(coordinator: coordinator)
    let objects = try ["Folder", "File", "Log"].map { try context.insert(entityNamed: $0) }
    try context.save()
    // The folder, of which only a link changes, counts for as much as the entry.
    try objects[1].set("folder", objects[0])
    try objects[2].setValue("moved", for: "name")
    try context.save()
    try objects[1].setValue("alone", for: "name")
    try context.save()
    let saves = try coordinator.saves()
    #expect(saves.map(\.isPartial) == [true, true, false])
    for save in saves.prefix(2) {
      let error = try refusal(save, in: ManagedObjectContext(coordinator: coordinator))
      #expect(error.code == .undoRefused && error.message.contains("have no history"))
    }
    try ManagedObjectContext(coordinator: coordinator).undo(saves[2])
  }

  @Test func `PS-11 a save is undone in the store that was restored since, whose restoring is not`()
    throws
  {
    let folder = try TemporaryFolder()
    let (path, backup) = (folder.file("graph.sqlite"), folder.file("backup.sqlite"))
    let id: ManagedObjectID
    do {
      let graph = try Graph(history: .values, at: .file(path))
      defer { graph.coordinator.close() }
      id = try graph.make("File")[0]
      try graph.elsewhere { try $0.get(id).setValue("changed", for: "name") }
      try SQLiteStoreFile(path).backUp(to: backup)
    }
    try SQLiteStoreFile(path).restore(from: backup, replacing: true)
    let graph = try Graph(history: .values, at: .file(path))
    defer { graph.coordinator.close() }
    try graph.elsewhere { try $0.get(id).setValue(2.0, for: "weight") }
    let saves = try graph.coordinator.saves()
    #expect(saves.map(\.kind) == [.save, .save, .migration, .save])
    let context = graph.context()
    let error = #expect(throws: PersistenceError.self) { try context.undo(saves[2]) }
    #expect(error?.code == .undoRefused)
    #expect(error?.message.contains("was restored from a backup") == true)
    try context.undo(saves[1])
    #expect(try context.get(id).label == "0")
  }

  @Test func `PS-11 a large value is refused by name`() throws {
    let id = try graph.make("File")[0]
    try save { try $0.get(id).setValue(String(repeating: "x", count: 70_000), for: "name") }
    let change = try save { try $0.get(id).setValue("short", for: "name") }
    let error = try refusal(change)
    #expect(error.code == .undoRefused && error.message.contains("'name' of 'File'"))
  }

  @Test func `PS-11 a save that was purged, of another store, and in a pinned view is refused`()
    throws
  {
    let change = try save { _ = try $0.insert(entityNamed: "File") }
    try save { _ = try $0.insert(entityNamed: "File") }
    let other = try Graph(history: .values)
    #expect(try refusal(change, in: other.context()).code == .historyForeign)
    try graph.coordinator.deleteHistory(before: change.token)
    #expect(try refusal(change).code == .historyMissed)
  }

  @Test func `PS-11 an undo that a hook fails leaves nothing in the program's group`() throws {
    let garden = try Garden(history: .values)
    let writer = garden.context("writer")
    let fern = try writer.insert(Plant.self) { $0.name = "fern" }
    let gone = try writer.insert(Plant.self) { $0.name = "gone" }
    try writer.save()
    let start = try garden.coordinator.currentHistoryToken()
    fern.name = "changed"
    _ = try writer.insert(Plant.self) { $0.name = "moss" }
    try writer.save()
    let change = try #require(garden.coordinator.saves(after: start).first)
    let context = garden.context()
    context.isUndoEnabled = true
    let ghost = try context.object(with: gone.objectID)
    try writer.delete(gone)
    try writer.save()
    let script = Script()
    script.actions["prepareForDeletion"] = { _ in _ = (ghost as? Plant)?.name }
    let own = try context.insert(Plant.self) { $0.name = "own" }
    try context.undoGroup {
      _ = try context.insert(Plant.self) { $0.name = "in the group" }
      let error = #expect(throws: PersistenceError.self) {
        try Script.$bound.withValue(script) { try context.undo(change) }
      }
      #expect(error?.code != .undoRefused && error?.code != .conflict)
    }
    try context.undo()
    #expect(context.insertedObjects == [own] && context.updatedObjects.isEmpty)
    try context.redo()
    #expect(context.insertedObjects.count == 2 && context.updatedObjects.isEmpty)
  }

  @Test func `PS-11 what was deleted does not come back if its entity is abstract by now`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("notes.sqlite")
    func open(isAbstract: Bool) throws -> PersistentStoreCoordinator {
      let model = ManagedObjectModel(entities: [EntityDescription("Note", isAbstract: isAbstract)])
      _ = try Migrator(SQLiteMigrationBackend(path: path), target: model).apply()
      return try PersistentStoreCoordinator(
        CompiledModel(model, classes: []), at: .file(path), options: .init(history: .values))
    }
    do {
      let coordinator = try open(isAbstract: false)
      defer { coordinator.close() }
      let context = ManagedObjectContext(coordinator: coordinator)
      let note = try context.insert(entityNamed: "Note")
      try context.save()
      try context.delete(note)
      try context.save()
    }
    let coordinator = try open(isAbstract: true)
    defer { coordinator.close() }
    let deletion = try #require(coordinator.saves().first { $0.deletedCount == 1 })
    let error = try refusal(deletion, in: ManagedObjectContext(coordinator: coordinator))
    #expect(error.code == .undoRefused)
    #expect(error.message.contains("a migration has made 'Note' abstract"))
  }
}
