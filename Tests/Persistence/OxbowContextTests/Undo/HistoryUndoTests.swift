import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

/// Saves that are taken back by the history of their store.
@Suite struct HistoryUndoTests {
  let graph: Graph

  init() throws { graph = try Graph(history: .values) }

  /// Makes changes in a context of their own.
  ///
  /// - Returns: Their save.
  @discardableResult
  func save(
    _ work: (ManagedObjectContext) throws -> Void
  ) throws -> HistoryTransaction {
    let start = try graph.coordinator.currentHistoryToken()
    try graph.elsewhere(work)
    return try #require(graph.coordinator.saves(after: start).first)
  }

  /// Undoes a save in a context of its own, and saves that.
  @discardableResult
  func undo(_ transaction: HistoryTransaction) throws -> HistoryTransaction {
    try save { try $0.undo(transaction) }
  }

  /// The error of an undo, which has changed nothing.
  func refusal(
    _ transaction: HistoryTransaction, in context: ManagedObjectContext? = nil
  ) throws -> PersistenceError {
    let context = context ?? graph.context()
    let before = context.insertedObjects.count
    var found: PersistenceError?
    do throws(PersistenceError) { try context.undo(transaction) } catch { found = error }
    #expect(context.insertedObjects.count == before && context.deletedObjects.isEmpty)
    return try #require(found)
  }

  func state() throws -> GraphSnapshot { try GraphSnapshot(of: graph.context("reader")) }

  @Test func `PS-11 an insert, an update and a deletion are taken back, and taken back again`()
    throws
  {
    let ids = try graph.make("File", 2)
    let before = try state()
    let change = try save { context in
      try context.insert(entityNamed: "Photo").setValue("new", for: "name")
      try context.get(ids[0]).setValue("changed", for: "name")
      try context.delete(try context.get(ids[1]))
    }
    let after = try state()
    let reversal = try undo(change)
    #expect(try state() == before)
    #expect(reversal.insertedCount == 1 && reversal.deletedCount == 1)
    try undo(reversal)
    #expect(try state() == after)
    try undo(change)
    #expect(try state() == before, "what was changed back does not conflict")
  }

  @Test func `PS-11 links of every cardinality come back`() throws {
    let folders = try graph.make("Folder", 2)
    let files = try graph.make("File", 3)
    let labels = try graph.make("Label", 3)
    let persons = try graph.make("Person", 2)
    let passports = try graph.make("Passport", 2)
    let docs = try graph.make("Doc")
    let marks = try graph.make("Mark", 2)
    func relate(_ turn: Int) throws -> HistoryTransaction {
      try save { context in
        func all(_ ids: [ManagedObjectID]) throws -> [ManagedObject] {
          try ids.map { try context.get($0) }
        }
        let (some, others) = (try all(labels), try all(files))
        try context.get(folders[turn]).setObjects(others, for: "files")
        try context.get(folders[0]).setObjects(Array(some.dropFirst(turn)), for: "labels")
        try context.get(folders[1]).setObjects(Array(some.dropFirst(1 - turn)), for: "queue")
        try context.get(persons[turn]).set("passport", try context.get(passports[1 - turn]))
        let doc = try context.get(docs[0])
        try doc.set("marks", try context.get(marks[turn]))
        try doc.set("main", try context.get(marks[1 - turn]))
      }
    }
    let empty = try state()
    let first = try relate(0)
    let between = try state()
    let second = try relate(1)
    try undo(second)
    #expect(try state().difference(from: between) == nil)
    try undo(first)
    #expect(try state().difference(from: empty) == nil)
  }

  @Test func `PS-11 a cascade and the links that a deletion ended come back`() throws {
    let whole = try graph.make("Whole")[0]
    let parts = try graph.make("Part", 3)
    let mark = try graph.make("Mark")[0]
    let doc = try graph.make("Doc")[0]
    let label = try graph.make("Label")[0]
    let folder = try graph.make("Folder")[0]
    try graph.elsewhere { context in
      try context.get(whole).setObjects(parts.map { try context.get($0) }, for: "parts")
      try context.get(doc).set("marks", try context.get(mark))
      try context.get(folder).set("labels", try context.get(label))
      try context.get(folder).set("queue", try context.get(label))
    }
    let before = try state()
    let deletion = try save { context in
      // The objects at the other ends are not read: the links go in the store.
      for id in [whole, mark, label] { try context.delete(try context.object(with: id)) }
    }
    #expect(deletion.deletedCount == 6)
    try undo(deletion)
    #expect(try state().difference(from: before) == nil)
  }

  @Test func `PS-11 batches are taken back`() throws {
    let files = try graph.make("File", 3)
    let folder = try graph.make("Folder")[0]
    let labels = try graph.make("Label", 2)
    try graph.elsewhere { context in
      try context.get(folder).setObjects(files.map { try context.get($0) }, for: "files")
      try context.get(folder).setObjects(labels.map { try context.get($0) }, for: "labels")
    }
    let before = try state()
    let start = try graph.coordinator.currentHistoryToken()
    let context = graph.context()
    func all(_ entity: String) -> FetchRequest<ManagedObject> { FetchRequest(entityNamed: entity) }
    _ = try context.batchUpdate(all("File"), [("weight", .value(.attribute(.double(5))))])
    _ = try context.batchDelete(all("Label"))
    _ = try context.batchDelete(all("Folder"))
    let saves = try graph.coordinator.saves(after: start)
    #expect(saves.count == 3)
    for save in saves.reversed() { try undo(save) }
    #expect(try state().difference(from: before) == nil)
  }

  @Test func `PS-11 a link to an object of a sub-entity comes back with what was deleted`() throws {
    func many(_ name: String, _ destination: String, _ inverse: String) -> RelationshipDescription {
      RelationshipDescription(name, to: destination, inverse: inverse, isToMany: true)
    }
    let name = AttributeDescription("name", .string, isOptional: true)
    let model = ManagedObjectModel(entities: [
      EntityDescription("Tag", attributes: [name], relationships: [many("files", "File", "tags")]),
      EntityDescription("File", attributes: [name], relationships: [many("tags", "Tag", "files")]),
      EntityDescription("Photo", parent: "File", attributes: [], relationships: []),
    ])
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(model, classes: []), at: .inMemory, options: .init(history: .values))
    let context = ManagedObjectContext(coordinator: coordinator)
    let tag = try context.insert(entityNamed: "Tag")
    let photo = try context.insert(entityNamed: "Photo")
    try tag.set("files", photo)
    try context.save()
    let start = try coordinator.currentHistoryToken()
    _ = try context.batchDelete(FetchRequest<ManagedObject>(entityNamed: "Tag"))
    let deletion = try #require(try coordinator.saves(after: start).first)
    let fresh = ManagedObjectContext(coordinator: coordinator)
    try fresh.undo(deletion)
    try fresh.save()
    let reader = ManagedObjectContext(coordinator: coordinator)
    #expect(try reader.get(tag.objectID).objects("files").map(\.objectID) == [photo.objectID])
  }

  @Test func `PS-11 with names only, an object that is kept after deletion comes back with links`()
    throws
  {
    let name = AttributeDescription("name", .string, preservesValueInHistoryOnDeletion: true)
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Tag", attributes: [name],
        relationships: [
          RelationshipDescription("others", to: "Tag", inverse: "others", isToMany: true)
        ])
    ])
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(model, classes: []), at: .inMemory, options: .init(history: .keys))
    let context = ManagedObjectContext(coordinator: coordinator)
    let tags = try ["a", "b"].map { name in
      let tag = try context.insert(entityNamed: "Tag")
      try tag.setValue(name, for: "name")
      return tag
    }
    try tags[0].set("others", tags[1])
    try context.save()
    let start = try coordinator.currentHistoryToken()
    _ = try context.batchDelete(
      FetchRequest<ManagedObject>(
        entityNamed: "Tag", where: FetchPredicate(format: "name == 'a'")))
    let fresh = ManagedObjectContext(coordinator: coordinator)
    try fresh.undo(try #require(try coordinator.saves(after: start).first))
    try fresh.save()
    let reader = ManagedObjectContext(coordinator: coordinator)
    #expect(try reader.get(tags[1].objectID).names("others") == ["a"])
  }

  @Test func `PS-11 several saves are taken back one after the other, and saved once`() throws {
    let old = try graph.make("File", 2)
    let before = try state()
    let first = try save { context in
      try context.get(old[0]).setValue("first", for: "name")
      try context.insert(entityNamed: "Folder").setValue("new", for: "name")
    }
    let folder = try #require(first.changes.first { $0.kind == .insert }?.objectID)
    let second = try save { context in
      for id in old { try context.get(id).setValue("second", for: "name") }
      try context.get(old[1]).set("folder", try context.get(folder))
    }
    let third = try save { context in
      for id in old + [folder] { try context.delete(try context.get(id)) }
    }
    try save { context in
      for save in [third, second, first] { try context.undo(save) }
      #expect(context.deletedObjects.isEmpty && context.insertedObjects.count == 2)
    }
    #expect(try state().difference(from: before) == nil)
  }

  @Test func `PS-11 an undo is a group for the context's own undo`() throws {
    let id = try graph.make("File")[0]
    let change = try save { context in
      try context.get(id).setValue("changed", for: "name")
      try context.insert(entityNamed: "Label").setValue("new", for: "name")
    }
    let deletion = try save { try $0.delete(try $0.get(id)) }
    let context = graph.context()
    context.isUndoEnabled = true
    let file = try context.insert(entityNamed: "File")
    try context.undo(deletion)
    #expect(try context.get(id).label == "changed")
    #expect(context.insertedObjects.count == 2)
    try context.undo()
    #expect(context.insertedObjects == [file])
    try context.redo()
    try context.save()
    try context.undo(change)
    #expect(try context.get(id).label == "0")
    try context.undo()
    #expect(try context.get(id).label == "changed" && !context.hasChanges)
  }

  @Test func `PS-11 all conflicts are reported at once, with three values, and nothing changes`()
    throws
  {
    let files = try graph.make("File", 3)
    let change = try save { context in
      for id in files { try context.get(id).setValue("mine", for: "name") }
      try context.insert(entityNamed: "Label").setValue("label", for: "name")
    }
    let label = try #require(change.changes.first { $0.kind == .insert }?.objectID)
    try save { context in
      try context.get(files[0]).setValue("theirs", for: "name")
      try context.get(files[1]).setValue(2.0, for: "weight")
      try context.delete(try context.get(files[2]))
      try context.get(label).setValue("other", for: "name")
    }
    let error = try refusal(change)
    #expect(error.code == .conflict)
    #expect(Set(error.objectIDs) == [files[0], files[2], label])
    let conflicts = Dictionary(uniqueKeysWithValues: error.conflicts.map { ($0.objectID, $0) })
    func text(_ text: String) -> [String: PropertyValue] { ["name": .attribute(.string(text))] }
    let first = try #require(conflicts[files[0]])
    #expect(first.kind == .update && first.base == text("mine") && first.mine == text("0"))
    #expect(first.theirs == text("theirs") && first.contestedProperties == ["name"])
    #expect(conflicts[files[2]]?.kind == .updateOfDeleted)
    let insertion = try #require(conflicts[label])
    #expect(insertion.kind == .deleteOfUpdated && insertion.mine == nil)
    #expect(insertion.base == text("label") && insertion.theirs == text("other"))
    #expect(error.message.contains("'name' of '\(files[0])'"))
  }

  @Test func `PS-11 other attributes of the same row do not conflict`() throws {
    let id = try graph.make("File")[0]
    let change = try save { try $0.get(id).setValue("mine", for: "name") }
    try save { try $0.get(id).setValue(3.0, for: "weight") }
    try undo(change)
    #expect(try graph.storedName(id) == "0")
    let weight = try graph.context().get(id).value("weight", as: Double.self)
    #expect(weight == 3)
  }

  @Test
  func
    `PS-11 a link to a new object since, one that leads elsewhere, and one to what is gone conflict`()
    throws
  {
    let folders = try graph.make("Folder", 2)
    let file = try graph.make("File")[0]
    let insertion = try save { try $0.insert(entityNamed: "Folder").setValue("new", for: "name") }
    let new = try #require(insertion.changes.first?.objectID)
    let move = try save { try $0.get(file).set("folder", try $0.get(folders[0])) }
    try save { try $0.get(file).set("folder", try $0.get(new)) }
    #expect(try refusal(insertion).code == .conflict)
    let error = try refusal(move)
    #expect(error.code == .conflict && error.message.contains("'folder' of '\(file)'"))
    let leaving = try save { try $0.get(file).set("folder", try $0.get(folders[1])) }
    try save { try $0.delete(try $0.get(new)) }
    #expect(try refusal(leaving).message.contains("is gone"))
  }

  @Test func `PS-11 another place in an order leaves the key of a member as it was`() throws {
    let folder = try graph.make("Folder")[0]
    let files = try graph.make("File", 2)
    let change = try save { try $0.get(files[0]).set("list", try $0.get(folder)) }
    for order in [[0, 1], [1, 0]] {
      try save { context in
        let members = try order.map { try context.get(files[$0]) }
        try context.get(folder).setObjects(members, for: "items")
      }
    }
    // The row is not as the change has left it.
    try save { try $0.get(files[0]).setValue("later", for: "name") }
    try undo(change)
    #expect(try graph.stored(files[0], "list") == [])
    #expect(try graph.stored(folder, "items") == ["1"])
    #expect(try graph.storedName(files[0]) == "later")
  }

  @Test func `PS-11 a link that went with one of its objects does not conflict`() throws {
    let folder = try graph.make("Folder")[0]
    let label = try graph.make("Label")[0]
    let link = try save { try $0.get(folder).set("labels", try $0.get(label)) }
    let unlink = try save { try $0.get(folder).set("labels") }
    try undo(unlink)
    try save { try $0.delete(try $0.get(label)) }
    let context = graph.context()
    try context.undo(link)
    #expect(!context.hasChanges)
    #expect(try refusal(unlink).message.contains("'\(label)' is gone"))
  }

  @Test func `PS-11 an object that exists again is a conflict, and an undone insert is not`() throws
  {
    let id = try graph.make("File")[0]
    let deletion = try save { try $0.delete(try $0.get(id)) }
    try undo(deletion)
    #expect(try refusal(deletion).message.contains("exists again"))
    let insertion = try save { try $0.insert(entityNamed: "File").setValue("x", for: "name") }
    try undo(insertion)
    let context = graph.context()
    try context.undo(insertion)
    #expect(!context.hasChanges)
  }

  @Test func `PS-11 unsaved changes of the context count`() throws {
    let id = try graph.make("File")[0]
    let change = try save { try $0.get(id).setValue("mine", for: "name") }
    let context = graph.context()
    try context.get(id).setValue("unsaved", for: "name")
    let error = try refusal(change, in: context)
    #expect(error.conflicts.first?.theirs == ["name": .attribute(.string("unsaved"))])
    #expect(try context.get(id).label == "unsaved")
    let stale = graph.context()
    let old = try stale.get(id)
    try old.setValue(1.0, for: "weight")
    try save { try $0.get(id).setValue("mine again", for: "name") }
    #expect(try refusal(change, in: stale).message.contains("older row"))
  }

  @Test func `PS-11 a clean object that is out of date is read first`() throws {
    let id = try graph.make("File")[0]
    let context = graph.context()
    let file = try context.get(id)
    #expect(try file.label == "0")
    let change = try save { try $0.get(id).setValue("mine", for: "name") }
    try context.undo(change)
    #expect(try context.hasChanges && file.label == "0")
    try context.save()
    #expect(try graph.storedName(id) == "0")
  }

  @Test func `PS-11 a save is undone in a child, and saved by its parent`() throws {
    let id = try graph.make("File")[0]
    let other = try graph.make("File")[0]
    let parent = graph.context()
    #expect(try parent.get(id).label == "0")
    let change = try save { context in
      try context.get(id).setValue("mine", for: "name")
      try context.delete(try context.get(other))
    }
    let child = ManagedObjectContext(parent: parent)
    try child.undo(change)
    try child.save()
    try parent.save()
    #expect(try graph.storedName(id) == "0" && graph.storedName(other) == "0")
    #expect(try refusal(change, in: ManagedObjectContext(parent: parent)).code == .conflict)
  }

  @Test func `PS-11 unsaved changes of the parent count in a child`() throws {
    let id = try graph.make("File")[0]
    let change = try save { try $0.get(id).setValue("mine", for: "name") }
    let parent = graph.context()
    try parent.get(id).setValue("unsaved", for: "name")
    let child = ManagedObjectContext(parent: parent)
    let error = try refusal(change, in: child)
    #expect(error.code == .conflict)
    #expect(error.conflicts.first?.base == ["name": .attribute(.string("mine"))])
    #expect(error.conflicts.first?.theirs == ["name": .attribute(.string("unsaved"))])
    try parent.get(id).setValue("mine", for: "name")
    try ManagedObjectContext(parent: parent).undo(change)
  }

  @Test func `PS-11 what was there before saves that are missing is not known`() throws {
    let folder = try TemporaryFolder()
    let path = StoreLocation.file(folder.file("graph.sqlite"))
    let id: ManagedObjectID
    do {
      let graph = try Graph(history: .values, at: path)
      defer { graph.coordinator.close() }
      id = try graph.make("File")[0]
      try graph.elsewhere { try $0.get(id).setValue("mine", for: "name") }
    }
    do {
      let graph = try Graph(at: path)
      defer { graph.coordinator.close() }
      try graph.elsewhere { try $0.get(id).setValue("theirs", for: "name") }
    }
    let graph = try Graph(history: .values, at: path)
    defer { graph.coordinator.close() }
    for name in ["other", "theirs"] {
      try graph.elsewhere { try $0.get(id).setValue(name, for: "name") }
    }
    var history = try graph.coordinator.history()
    guard case .saves(let saves)? = try history.next() else {
      Issue.record("there are no saves before the gap")
      return
    }
    let change = try #require(saves.last)
    #expect(change.number == 2)
    #expect(try refusal(change, in: graph.context()).code == .conflict)
    #expect(try graph.storedName(id) == "theirs")
  }

  @Test func `PS-11 a filtered save is undone as a whole`() throws {
    let start = try graph.coordinator.currentHistoryToken()
    let before = try state()
    try save { context in
      _ = try context.insert(entityNamed: "File")
      _ = try context.insert(entityNamed: "Label")
    }
    let saves = try graph.coordinator.saves(after: start, where: .entity("Label"))
    try undo(try #require(saves.first))
    #expect(try state() == before)
  }

  @Test func `PS-11 the order of those that stay is not known, and is refused by name`() throws {
    let folder = try graph.make("Folder")[0]
    let files = try graph.make("File", 3)
    try save { context in
      try context.get(folder).setObjects(files.map { try context.get($0) }, for: "items")
    }
    let order = try save { context in
      try context.get(folder).setObjects(files.reversed().map { try context.get($0) }, for: "items")
    }
    let error = try refusal(order)
    #expect(error.code == .undoRefused && error.message.contains("'items'"))
    let removal = try save { context in
      try context.get(folder).setObjects(
        [files[2], files[0]].map { try context.get($0) }, for: "items")
    }
    try undo(removal)
    #expect(try graph.stored(folder, "items") == ["2", "0", "1"], "what comes back comes last")
  }

  @Test func `PS-11 an object that came between others goes again, and they stay`() throws {
    let folder = try graph.make("Folder")[0]
    let files = try graph.make("File", 3)
    func put(_ places: [Int]) throws -> HistoryTransaction {
      try save { context in
        try context.get(folder).setObjects(
          places.map { try context.get(files[$0]) }, for: "items")
      }
    }
    _ = try put([0, 1])
    let order = try put([1, 0])
    let error = try refusal(order)
    #expect(
      error.message
        == "save \(order.number) was not undone: the order of 'items' before is not kept: "
        + "'\(folder)'; nothing was changed: make the changes by hand, or restore a backup")
    try undo(try put([2, 0, 1]))
    #expect(try graph.stored(folder, "items").sorted() == ["0", "1"])
  }

  @Test func `PS-11 a link that others have made or removed meanwhile is no change`() throws {
    let folder = try graph.make("Folder")[0]
    let label = try graph.make("Label")[0]
    let (first, second) = (graph.context("first"), graph.context("second"))
    for isLinked in [true, false] {
      for context in [first, second] {
        let folder = try context.get(folder)
        _ = try folder.objects("labels")
        try folder.setObjects(isLinked ? [context.get(label)] : [], for: "labels")
      }
      let start = try graph.coordinator.currentHistoryToken()
      try first.save()
      try second.save()
      let saves = try graph.coordinator.saves(after: start)
      try #require(saves.map(\.links.count) == [1, 0])
      let context = graph.context()
      try context.undo(saves[1])
      #expect(!context.hasChanges)
      if !isLinked { try undo(saves[0]) }
      #expect(try graph.stored(folder, "labels") == ["0"])
      try first.reset()
      try second.reset()
    }
  }

  @Test func `PS-11 a key that others have written already is not taken back`() throws {
    let (folder, file) = (try graph.make("Folder")[0], try graph.make("File")[0])
    let (person, passport) = (try graph.make("Person")[0], try graph.make("Passport")[0])
    let (first, second) = (graph.context("first"), graph.context("second"))
    for context in [first, second] {
      try context.get(file).set("folder", context.get(folder))
      try context.get(file).set("list", context.get(folder))
      try context.get(person).set("passport", context.get(passport))
      try context.get(file).setValue(context.name, for: "name")
    }
    second.mergePolicy = .overwrite
    try first.save()
    try second.save()
    let last = try #require(graph.coordinator.saves().last)
    try undo(last)
    #expect(try graph.storedName(file) == "first")
    for relationship in ["files", "items"] {
      #expect(try graph.stored(folder, relationship) == ["first"])
    }
    #expect(try graph.stored(passport, "owner") == ["0"])
  }
}
