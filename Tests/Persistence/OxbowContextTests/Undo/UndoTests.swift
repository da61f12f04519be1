import OxbowModel
import OxbowStore
import Testing

@testable import OxbowContext

/// Undo and redo (PG-09), one kind of change after the other.
@Suite struct UndoTests {
  let graph: Graph
  let context: ManagedObjectContext

  init() throws {
    graph = try Graph()
    context = graph.context()
    context.isUndoEnabled = true
  }

  private func insert(_ entity: String, _ name: String) throws -> ManagedObject {
    let object = try context.insert(entityNamed: entity)
    try object.setValue(name, for: "name")
    return object
  }

  private func folder(_ names: String..., relationship: String = "items") throws -> ManagedObject {
    let folder = try insert("Folder", "folder")
    try folder.setObjects(names.map { try insert("File", $0) }, for: relationship)
    return folder
  }

  @Test func `without undo nothing is recorded, and asking for it says what to do`() throws {
    let context = graph.context()
    _ = try context.insert(entityNamed: "File")
    #expect(!context.canUndo)
    let error = #expect(throws: PersistenceError.self) { try context.undo() }
    #expect(error?.code == .undoRefused)
    #expect(error?.message.contains("isUndoEnabled = true") == true)
  }

  @Test func `values go back and forth, and a value that is back is not a change`() throws {
    let file = try insert("File", "a")
    try file.setValue(5, for: "note")
    try context.save()
    try file.setValue("b", for: "name")
    try file.setValue(2.5, for: "weight")
    try file.setValue(6, for: "note")
    #expect(try context.undo())
    #expect(try file.label == "a")
    #expect(try file.value("weight", as: Double.self) == nil)
    #expect(try file.value("note", as: Int.self) == 5)
    #expect(!context.hasChanges)
    #expect(try context.redo())
    #expect(try file.label == "b")
    #expect(try file.value("note", as: Int.self) == 6)
    #expect(!context.canRedo)
    try context.save()
    #expect(try graph.storedName(file.objectID) == "b")
  }

  @Test func `an undo after the save is a change for the next one`() throws {
    let file = try insert("File", "a")
    try context.save()
    try file.setValue("b", for: "name")
    try context.save()
    try context.undo()
    #expect(context.updatedObjects == [file])
    try context.save()
    #expect(try graph.storedName(file.objectID) == "a")
    try context.redo()
    try context.save()
    #expect(try graph.storedName(file.objectID) == "b")
  }

  @Test func `an insert that is undone leaves nothing, and comes back as the same object`() throws {
    let folder = try folder("a", "b")
    let files = try folder.objects("items")
    try context.undo()
    #expect(!context.hasChanges)
    #expect(folder.context == nil)
    #expect(try context.all("File").isEmpty)
    try context.redo()
    #expect(folder.context === context)
    #expect(try folder.objects("items") == files)
    #expect(try folder.names("items") == ["a", "b"])
    try context.save()
    #expect(try graph.stored(folder.objectID, "items") == ["a", "b"])
  }

  @Test(arguments: [false, true])
  func `an insert that was saved is deleted, and inserted again`(isSavedBetween: Bool) throws {
    let folder = try folder("a", "b")
    try context.save()
    try context.undo()
    #expect(context.deletedObjects.count == 3)
    if isSavedBetween {
      try context.save()
      #expect(try graph.context().all("Folder").isEmpty)
    }
    try context.redo()
    #expect(try folder.names("items") == ["a", "b"])
    try context.save()
    #expect(try graph.stored(folder.objectID, "items") == ["a", "b"])
  }

  @Test(arguments: [false, true], ["items", "files"])
  func `a deletion comes back with its links and places`(isSaved: Bool, relationship: String)
    throws
  {
    let folder = try folder("a", "b", "c", relationship: relationship)
    try context.save()
    let file = try folder.objects(relationship)[1]
    try context.delete(file)
    if isSaved { try context.save() }
    try context.undo()
    #expect(!file.isDeleted)
    #expect(try folder.names(relationship) == ["a", "b", "c"])
    if !isSaved { #expect(!context.hasChanges) }
    try context.save()
    #expect(try graph.stored(folder.objectID, relationship) == ["a", "b", "c"])
    try context.redo()
    #expect(try folder.names(relationship) == ["a", "c"])
    try context.save()
    #expect(try graph.stored(folder.objectID, relationship) == ["a", "c"])
  }

  @Test(arguments: [false, true])
  func `a cascade comes back as a whole`(isSaved: Bool) throws {
    let whole = try insert("Whole", "whole")
    try whole.setObjects([try insert("Part", "a"), try insert("Part", "b")], for: "parts")
    try context.save()
    context.sweep()
    try context.delete(whole)
    if isSaved { try context.save() }
    try context.undo()
    #expect(try whole.names("parts") == ["a", "b"])
    try context.save()
    #expect(try graph.stored(whole.objectID, "parts") == ["a", "b"])
  }

  @Test func `a one-to-one that was taken over goes back to both`() throws {
    let (ann, bob) = (try insert("Person", "ann"), try insert("Person", "bob"))
    let (first, second) = (try insert("Passport", "1"), try insert("Passport", "2"))
    try ann.set("passport", first)
    try bob.set("passport", second)
    try context.save()
    try ann.set("passport", second)
    #expect(try bob.one("passport") == nil)
    try context.undo()
    #expect(try ann.names("passport") == ["1"])
    #expect(try bob.names("passport") == ["2"])
    #expect(!context.hasChanges)
    try context.redo()
    try context.save()
    #expect(try graph.stored(ann.objectID, "passport") == ["2"])
    #expect(try graph.stored(bob.objectID, "passport") == [])
  }

  @Test func `an undo that overwrites takes a one-to-one end at both ends from others`() throws {
    let person = try insert("Person", "ann")
    let (first, second) = (try insert("Passport", "1"), try insert("Passport", "2"))
    try person.set("passport", first)
    try context.save()
    try person.set("passport", second)
    try context.save()
    let third = try graph.make("Passport")[0]
    try graph.elsewhere { try $0.get(person.objectID).set("passport", $0.get(third)) }
    try context.refresh(person)
    #expect(throws: PersistenceError.self) { try context.undo() }
    try context.undo(overwriting: true)
    try context.save()
    #expect(try graph.stored(third, "owner") == [])
    #expect(try graph.stored(first.objectID, "owner") == ["ann"])
    #expect(try graph.stored(person.objectID, "passport") == ["1"])
  }

  @Test func `a member that left an unread ordered relationship has its place again`() throws {
    let id = try graph.make("Folder")[0]
    let ids = try graph.make("File", 4)
    try graph.elsewhere { context in
      try context.get(id).setObjects(try ids.map { try context.get($0) }, for: "items")
    }
    try context.get(ids[1]).set("list")
    try context.undo()
    #expect(try context.get(id).names("items") == ["0", "1", "2", "3"])
    try context.redo()
    try context.save()
    #expect(try graph.stored(id, "items") == ["0", "2", "3"])
    try context.undo()
    try context.save()
    #expect(try graph.stored(id, "items") == ["0", "1", "2", "3"])
  }

  @Test func `an order goes back and forth`() throws {
    let folder = try folder("a", "b", "c")
    try context.save()
    try folder.setObjects(folder.objects("items").reversed(), for: "items")
    try context.undo()
    #expect(try folder.names("items") == ["a", "b", "c"])
    #expect(!context.hasChanges)
    try context.redo()
    #expect(try folder.names("items") == ["c", "b", "a"])
    try context.save()
    #expect(try graph.stored(folder.objectID, "items") == ["c", "b", "a"])
  }

  @Test func `what led to a deleted object without inverse leads to it again`() throws {
    let doc = try insert("Doc", "doc")
    let marks = try ["a", "b", "c"].map { try insert("Mark", $0) }
    try doc.setObjects(marks, for: "order")
    try doc.set("main", marks[1])
    try context.save()
    try context.delete(marks[1])
    try context.save()
    #expect(try doc.names("order") == ["a", "c"])
    try context.undo()
    #expect(try doc.names("order") == ["a", "b", "c"])
    #expect(try doc.one("main") === marks[1])
    try context.save()
    #expect(try graph.stored(doc.objectID, "order") == ["a", "b", "c"])
  }

  @Test func `what a deletion leaves alone leads to the object that came back`() throws {
    let person = try insert("Person", "person")
    let passport = try insert("Passport", "passport")
    try passport.set("hook", person)
    try context.save()
    try context.delete(person)
    try context.save()
    try context.undo()
    try context.save()
    #expect(try graph.stored(person.objectID, "hooks") == ["passport"])
  }

  // MARK: Groups

  @Test func `groups nest, have names and end with the outermost`() throws {
    let file = try insert("File", "a")
    try context.save()
    try context.undoGroup("Rename") {
      try context.undoGroup("Inner") { try file.setValue("b", for: "name") }
      try file.setValue(1.0, for: "weight")
    }
    try file.setValue("c", for: "name")
    context.setUndoActionName("Again")
    #expect(context.undoActionName == "Again")
    try context.undo()
    #expect(try file.label == "b")
    #expect(context.undoActionName == "Rename")
    #expect(context.redoActionName == "Again")
    try context.undo()
    #expect(try file.label == "a")
    #expect(try file.value("weight", as: Double.self) == nil)
    #expect(context.redoActionName == "Rename")
  }

  @Test func `undo inside a group, and the end of none, are refused with advice`() throws {
    try context.beginUndoGroup("Long")
    _ = try insert("File", "a")
    let error = #expect(throws: PersistenceError.self) { try context.undo() }
    #expect(error?.code == .undoRefused)
    #expect(error?.message.contains("end the group first") == true)
    try context.endUndoGroup()
    #expect(throws: PersistenceError.self) { try context.endUndoGroup() }
    #expect(try context.undo())
    #expect(try !context.undo())
  }

  @Test func `a group that changed nothing in the end is none`() throws {
    let file = try insert("File", "a")
    try context.save()
    try context.undoGroup {
      try file.setValue("b", for: "name")
      try file.setValue("a", for: "name")
      try context.delete(try context.insert(entityNamed: "File"))
    }
    #expect(context.canUndo)
    try context.undo()
    #expect(try context.all("File").isEmpty)
    #expect(!context.canUndo)
  }

  @Test func `older groups are forgotten beyond the limit`() throws {
    context.undoLevels = 2
    let file = try insert("File", "0")
    try context.save()
    for name in ["1", "2", "3"] {
      try context.undoGroup { try file.setValue(name, for: "name") }
    }
    #expect(try context.undo())
    #expect(try context.undo())
    #expect(try !context.undo())
    #expect(try file.label == "1")
  }

  @Test func `a change after an undo ends what could be redone`() throws {
    let file = try insert("File", "a")
    try context.save()
    try context.undoGroup { try file.setValue("b", for: "name") }
    try context.undo()
    try file.setValue("c", for: "name")
    #expect(!context.canRedo)
    #expect(try !context.redo())
    #expect(try file.label == "c")
  }

  @Test func `nothing is recorded where the program says so`() throws {
    let file = try insert("File", "a")
    try context.save()
    context.removeAllUndoActions()
    try context.withoutUndoRegistration { try file.setValue("b", for: "name") }
    #expect(!context.canUndo)
    try context.undoGroup { try file.setValue("c", for: "name") }
    try context.undo()
    #expect(try file.label == "b")
  }

  // MARK: Others

  @Test func `an undo does not overwrite what others changed since, unless it is to`() throws {
    let file = try insert("File", "a")
    try context.save()
    try context.undoGroup("Rename") { try file.setValue("b", for: "name") }
    try context.save()
    try graph.elsewhere { try $0.get(file.objectID).setValue("c", for: "name") }
    try context.refresh(file)
    let error = #expect(throws: PersistenceError.self) { try context.undo() }
    #expect(error?.code == .conflict)
    #expect(error?.objectIDs == [file.objectID])
    #expect(error?.message.hasPrefix("the undo 'Rename' was not made") == true)
    #expect(try file.label == "c")
    #expect(!context.hasChanges)
    try context.undo(overwriting: true)
    #expect(try file.label == "a")
    try context.save()
    try context.redo()
    #expect(try file.label == "b")
  }

  @Test func `what came from elsewhere while a group was open is not overwritten`() throws {
    let file = try insert("File", "a")
    try context.save()
    // Changed here, saved by another, read anew.
    try file.setValue("b", for: "name")
    try graph.elsewhere { try $0.get(file.objectID).setValue("c", for: "name") }
    try context.refresh(file)
    let error = #expect(throws: PersistenceError.self) { try context.undo() }
    #expect(error?.code == .conflict)
    #expect(try file.label == "c")
    context.removeAllUndoActions()
    // Set back, and changed by another since: nothing is left to undo.
    try file.setValue("d", for: "name")
    try file.setValue("c", for: "name")
    try graph.elsewhere { try $0.get(file.objectID).setValue("e", for: "name") }
    try context.refresh(file)
    #expect(try file.label == "e")
    #expect(!context.canUndo)
    // Set where nothing is recorded.
    try file.setValue("f", for: "name")
    try context.withoutUndoRegistration { try file.setValue("g", for: "name") }
    #expect(throws: PersistenceError.self) { try context.undo() }
    #expect(try file.label == "g")
  }

  @Test func `an order that another has saved since is not overwritten`() throws {
    let files = try ["1", "2", "3"].map { try insert("File", $0) }
    let folder = try insert("Folder", "folder")
    try folder.setObjects(files, for: "items")
    try context.save()
    context.removeAllUndoActions()
    try folder.setObjects([files[2], files[1], files[0]], for: "items")
    try context.save()
    try graph.elsewhere { other in
      let theirs = try other.get(folder.objectID)
      let items = try [files[1], files[0], files[2]].map { try other.get($0.objectID) }
      try theirs.setObjects(items, for: "items")
    }
    try context.refresh(folder)
    let error = #expect(throws: PersistenceError.self) { try context.undo() }
    #expect(error?.message.contains("the order of 'items'") == true)
    #expect(try context.undo(overwriting: true))
  }

  @Test func `a group that was ended twice does not keep the next from being undone`() throws {
    let file = try insert("File", "a")
    try context.save()
    context.undoLevels = 7
    try context.undoGroup {
      try file.setValue("b", for: "name")
      try context.endUndoGroup()
    }
    #expect(try context.undo())
    #expect(try file.label == "a")
    context.isUndoEnabled = false
    context.isUndoEnabled = true
    #expect(context.undoLevels == 7)
  }

  @Test func `an undo of another's row that was not read conflicts when it is saved`() throws {
    let file = try insert("File", "a")
    try context.save()
    try file.setValue("b", for: "name")
    try context.save()
    try graph.elsewhere { try $0.get(file.objectID).setValue(1.0, for: "weight") }
    try context.undo()
    #expect(throws: PersistenceError.self) { try context.save() }
    context.mergePolicy = .mergeByProperty
    try context.save()
    #expect(try graph.storedName(file.objectID) == "a")
    #expect(try file.value("weight", as: Double.self) == 1)
  }

  @Test func `an object that others use since does not go`() throws {
    let folder = try insert("Folder", "folder")
    try context.save()
    let id = folder.objectID
    try graph.elsewhere { context in
      let file = try context.insert(entityNamed: "File")
      try file.setValue("theirs", for: "name")
      try file.set("folder", try context.get(id))
    }
    try context.refresh(folder)
    let error = #expect(throws: PersistenceError.self) { try context.undo() }
    #expect(error?.message.contains("'files'") == true)
    #expect(!folder.isDeleted)
    try context.undo(overwriting: true)
    try context.save()
    let reader = graph.context("reader")
    #expect(try reader.all("File").map { try $0.one("folder") } == [nil])
  }

  @Test func `a row that was deleted and written again is no row that others have read`() throws {
    let file = try insert("File", "a")
    try context.save()
    let other = graph.context("other")
    let theirs = try other.get(file.objectID)
    try context.delete(file)
    try context.save()
    try context.undo()
    try context.save()
    try theirs.setValue("b", for: "name")
    let error = #expect(throws: PersistenceError.self) { try other.save() }
    #expect(error?.code == .conflict)
    #expect(try graph.storedName(file.objectID) == "a")
  }

  @Test func `a rollback and a reset forget what was recorded`() throws {
    let file = try insert("File", "a")
    try context.save()
    try file.setValue("b", for: "name")
    try context.rollback()
    #expect(!context.canUndo)
    try file.setValue("c", for: "name")
    #expect(context.canUndo)
    try context.reset()
    #expect(!context.canUndo)
    _ = try context.insert(entityNamed: "File")
    #expect(try context.undo())
    #expect(!context.hasChanges)
  }

  @Test(arguments: [false, true])
  func `a transactional call that fails keeps what could be undone before it`(
    _ hasChanges: Bool
  ) throws {
    let file = try insert("File", "a")
    try context.save()
    try file.setValue("b", for: "name")
    try context.save()
    if hasChanges { try file.setValue(1.5, for: "weight") }
    #expect(throws: CancellationError.self) {
      try context.withTransaction(readOnly: false) {
        try file.setValue("c", for: "name")
        throw CancellationError()
      }
    }
    #expect(try file.label == "b" && context.hasChanges == hasChanges)
    if hasChanges { #expect(try context.undo()) }
    #expect(try context.undo())
    #expect(try file.label == "a")
  }

  @Test func `a refresh takes its object out of the group`() throws {
    let file = try insert("File", "a")
    let other = try insert("File", "b")
    try context.save()
    try file.setValue("x", for: "name")
    try other.setValue("y", for: "name")
    try context.refresh(file)
    try context.undo()
    #expect(try file.label == "a")
    #expect(try other.label == "b")
    #expect(!context.hasChanges)
  }

  @Test func `a new object's values are not recorded one by one`() throws {
    let file = try insert("File", "a")
    try file.setValue(1.0, for: "weight")
    try context.save()
    let record = try #require(context.undoLog?.undoable.last)
    #expect(record.attributes.isEmpty)
    #expect(record.appeared.map(\.object) == [file])
  }
}
