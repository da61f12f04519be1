import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

/// What counts as a change of an attribute or a link, and what does not.
@Suite struct EditTests {
  let graph: Graph

  init() throws { graph = try Graph() }

  @Test func `a value that is changed and changed back is not a change (review G small)`() throws {
    let id = try graph.make("Mark")[0]
    let context = graph.context()
    let mark = try context.get(id)
    try mark.setValue("x", for: "name")
    #expect(context.hasChanges)
    try mark.setValue("0", for: "name")
    #expect(!context.hasChanges)
    #expect(!mark.isUpdated)
    try context.save()
    #expect(context.statistics.saves == 0)

    // No version was raised, so nothing conflicts.
    let other = graph.context()
    let theirs = try other.get(id)
    try mark.setValue("x", for: "name")
    try mark.setValue("0", for: "name")
    try context.save()
    try theirs.setValue("theirs", for: "name")
    try other.save()
    try mark.setValue("y", for: "name")
    #expect(throws: PersistenceError.self) { try context.save() }
  }

  @Test func `a value changed back beside another change is not written`() throws {
    let id = try graph.make("Mark")[0]
    let context = graph.context()
    let mark = try context.get(id)
    try mark.setValue("x", for: "name")
    try mark.setValue(2.0, for: "weight")
    try mark.setValue("0", for: "name")
    #expect(mark.isUpdated)
    try mark.setValue(nil as Double?, for: "weight")
    #expect(!context.hasChanges)
    try mark.setValue("z", for: "name")
    #expect(try context.all("Mark") == [mark])
    try context.save()
    #expect(try graph.storedName(id) == "z")
  }

  @Test func `a link that is changed and changed back is not a change`() throws {
    let (folders, file) = (try graph.make("Folder", 2), try graph.make("File")[0])
    try graph.elsewhere { try $0.get(file).set("folder", try $0.get(folders[0])) }
    let context = graph.context()
    let (mine, member) = (try folders.map(context.get), try context.get(file))
    try member.set("folder", mine[1])
    try member.set("folder", mine[0])
    #expect(!context.hasChanges)
    #expect(try mine.map { try $0.objects("files") } == [[member], []])
    try context.save()
    #expect(context.statistics.saves == 0)
  }

  @Test func `text of other bytes is another text (review S-W7)`() throws {
    let id = try graph.make("Mark")[0]
    try graph.elsewhere { try $0.get(id).setValue("caf\u{e9}", for: "name") }
    try graph.elsewhere { context in
      let mark = try context.get(id)
      try mark.setValue("cafe\u{301}", for: "name")
      #expect(mark.isUpdated)
      try mark.setValue("caf\u{e9}", for: "name")
      #expect(!mark.isUpdated)
      try mark.setValue("cafe\u{301}", for: "name")
    }
    let stored = try #require(try graph.storedName(id))
    #expect(Array(stored.utf8) == Array("cafe\u{301}".utf8))
  }

  @Test func `a negative zero over a zero is a change (review S-W7)`() throws {
    let id = try graph.make("Mark")[0]
    try graph.elsewhere { try $0.get(id).setValue(0.0, for: "weight") }
    let context = graph.context()
    let mark = try context.get(id)
    // SQLite itself keeps no sign of a zero.
    try mark.setValue(-0.0, for: "weight")
    #expect(mark.isUpdated)
    let weight: Double? = try mark.value("weight")
    #expect(weight?.sign == .minus)
    try mark.setValue(0.0, for: "weight")
    #expect(!mark.isUpdated)
  }

  @Test func `a transient value is a change that is kept and not written (review CD-086)`() throws {
    let id = try graph.make("Mark")[0]
    let context = graph.context()
    try context.get(id).setValue(7, for: "note")
    #expect(context.hasChanges)
    context.sweep()
    #expect(try context.get(id).value("note") == 7)
    #expect(try context.get(id).isUpdated)
    let held = try context.get(id)
    try context.save()
    #expect(context.statistics.saves == 0)
    #expect(!context.hasChanges)
    #expect(try held.value("note") == 7)
    try graph.elsewhere { try $0.get(id).setValue("x", for: "name") }

    try held.setValue(8, for: "note")
    try context.rollback()
    #expect(!context.hasChanges)
    #expect(try held.value("note", as: Int.self) == nil)
  }

  @Test func `a look-up of a row that does not exist leaves no object behind (review G small)`()
    throws
  {
    let id = try graph.make("Mark")[0]
    try graph.elsewhere { try $0.delete(try $0.get(id)) }
    let context = graph.context()
    let error = #expect(throws: PersistenceError.self) { try context.get(id) }
    #expect(error?.code == .rowGone)
    #expect(error?.objectIDs == [id])
    #expect(context.registeredObject(for: id) == nil)
    #expect(context.registeredCount == 0)
  }

  @Test func `a stand-in is never saved, and a rollback frees the context (review S-L5)`() throws {
    let library = try Library()
    let setUp = library.context()
    let (gone, kept) = (
      try library.book("gone", pages: 9, in: setUp), try library.book("kept", in: setUp)
    )
    kept.pages = 5
    try setUp.save()
    let context = library.context()
    let ghost = try #require(try context.object(with: gone.objectID) as? Book)
    let book = try context.existingObject(with: kept.objectID, as: Book.self)
    try setUp.delete(gone)
    try setUp.save()
    book.pages = ghost.pages
    for _ in 0..<3 {
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .rowGone)
    }
    _ = try context.fetch(FetchRequest<Book>())
    #expect(throws: PersistenceError.self) { try context.save() }
    try context.rollback()
    #expect(book.pages == 5)
    book.pages = 6
    try context.save()
  }

  @Test func `an error that a call throws at once keeps no save back (review S-L5)`() throws {
    let id = try graph.make("Mark")[0]
    let context = graph.context()
    let ghost = try context.object(with: id)
    try graph.elsewhere { try $0.delete(try $0.get(id)) }
    #expect(throws: PersistenceError.self) { try ghost.label }
    let mark = try context.insert(entityNamed: "Mark")
    try mark.setValue("new", for: "name")
    try context.save()
    #expect(try graph.storedName(mark.objectID) == "new")
  }

  @Test func `a transient value that is set to none is no change after the save (D-4)`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "A",
        attributes: [
          AttributeDescription("name", .string, isOptional: true),
          AttributeDescription(
            "note", .string, isOptional: true, isTransient: true, defaultValue: .string("none")),
        ])
    ])
    let context = ManagedObjectContext(
      coordinator: try PersistentStoreCoordinator(CompiledModel(model), at: .inMemory))
    let object = try context.insert(entityNamed: "A")
    try context.save()
    #expect(try object.value("note", as: String.self) == "none")
    try object.setValue(nil as String?, for: "note")
    #expect(object.isUpdated)
    try context.save()
    try object.setValue("a", for: "name")
    #expect(try object.changedValues().keys.sorted() == ["name"])
    try context.rollback()
    #expect(try object.value("note", as: String.self) == nil)
    #expect(!context.hasChanges)
  }
}
