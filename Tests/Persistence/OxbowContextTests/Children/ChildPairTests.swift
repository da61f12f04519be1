import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

/// Children together with undo, composite and derived attributes, and merge policies (PG-10).
@Suite struct ChildPairTests {
  private let graph: Graph
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws {
    graph = try Graph()
    parent = graph.context("parent")
    child = ManagedObjectContext(parent: parent, name: "child")
  }

  /// Where the undo of a child's deletion happens.
  enum Undoing: CaseIterable {
    case beforeSave, afterSave, afterParentSave, inParent, inParentAfterSave
  }

  /// A folder with ordered and other members.
  private func makeFolder() throws -> (
    folder: ManagedObjectID, members: [String: [ManagedObjectID]]
  ) {
    let folder = try graph.make("Folder")[0]
    var members: [String: [ManagedObjectID]] = [:]
    for (name, entity) in [
      ("files", "File"), ("items", "File"), ("labels", "Label"), ("queue", "Label"),
    ] {
      members[name] = try graph.make(entity, 3)
    }
    try graph.elsewhere { context in
      for (name, ids) in members {
        try context.get(folder).setObjects(ids.map(context.get), for: name)
      }
    }
    return (folder, members)
  }

  private static let ends = ["files", "items", "labels", "queue"]

  @Test(arguments: Undoing.allCases, [(false, false), (false, true), (true, false), (true, true)])
  func `an undone deletion of a child has every link and place again (PG-09)`(
    _ undoing: Undoing, _ how: (deletesOwner: Bool, isReordered: Bool)
  ) throws {
    let (deletesOwner, isReordered) = how
    let (folder, members) = try makeFolder()
    parent.isUndoEnabled = true
    child.isUndoEnabled = true
    var expected: [String: [String]] = [:]
    for end in Self.ends { expected[end] = ["0", "1", "2"] }
    if isReordered {
      let mine = try child.get(folder)
      for end in ["items", "queue"] {
        try mine.setObjects(mine.objects(end).reversed(), for: end)
        expected[end] = ["2", "1", "0"]
      }
      if undoing != .beforeSave { try child.save() }
    }
    try child.undoGroup("delete") {
      if deletesOwner {
        try child.delete(child.get(folder))
      } else {
        for ids in members.values { try child.delete(child.get(ids[1])) }
      }
    }
    switch undoing {
    case .beforeSave: try child.undo()
    case .afterSave:
      try child.save()
      try child.undo()
    case .afterParentSave:
      try child.save()
      try parent.save()
      try child.undo()
    case .inParent:
      parent.removeAllUndoActions()
      try child.save()
      try parent.undo()
    case .inParentAfterSave:
      parent.removeAllUndoActions()
      try child.save()
      try parent.save()
      try parent.undo()
    }
    try child.save()
    try child.reset()
    for context in [child, parent] {
      for end in Self.ends {
        #expect(try context.get(folder).names(end) == expected[end], "\(end) \(context.name)")
      }
    }
    try parent.save()
    for end in Self.ends { #expect(try graph.stored(folder, end) == expected[end], "\(end)") }
    #expect(!parent.hasChanges && !child.hasChanges)
  }

  @Test func `what a parent has linked meanwhile is not said where another link is refused`()
    throws
  {
    let folders = try graph.make("Folder", 2)
    let files = try graph.make("File", 2)
    for policy in [MergePolicy.error, .mergeByPropertyStoreTrump] {
      child.mergePolicy = policy
      try child.delete(child.get(folders[0]))
      try child.get(files[1]).set("folder", child.get(folders[1]))
      try parent.get(files[0]).set("folder", parent.get(folders[0]))
      try parent.delete(parent.get(folders[1]))
      if policy == .error {
        let error = #expect(throws: PersistenceError.self) { try child.save() }
        #expect(error?.message.contains("has no '\(folders[1])'") == true, "\(error as Any)")
        #expect(error?.message.contains("others have led") == false)
      } else {
        try child.save()
        // The parent's rules go for what was linked meanwhile.
        #expect(try parent.get(files[0]).objects("folder").isEmpty)
        #expect(try parent.all("Folder").isEmpty)
      }
      try child.rollback()
      try parent.rollback()
      try child.reset()
    }
  }

  @Test(arguments: [DeleteRule.nullify, .cascade, .deny])
  func `what others link to a grandchild's deletion goes by the rules of its parents`(
    _ rule: DeleteRule
  ) throws {
    let (owner, member, end, back) =
      switch rule {
      case .cascade: ("Whole", "Part", "parts", "whole")
      case .deny: ("Room", "Guest", "guests", "room")
      default: ("Folder", "File", "files", "folder")
      }
    let (box, late) = (try graph.make(owner)[0], try graph.make(member)[0])
    let grandchild = ManagedObjectContext(parent: child, name: "grandchild")
    parent.mergePolicy = .mergeByPropertyObjectTrump
    let mine = try grandchild.get(box)
    #expect(try mine.objects(end).isEmpty)
    try grandchild.delete(mine)
    try graph.elsewhere { try $0.get(late).set(back, $0.get(box)) }
    try grandchild.save()
    try child.save()
    if rule == .deny {
      let error = #expect(throws: PersistenceError.self) { try parent.save() }
      #expect(error?.code == .validation)
      try parent.rollback()
      #expect(try graph.stored(box, end) == ["0"])
      return
    }
    try parent.save()
    #expect(try graph.context().all(owner).isEmpty)
    #expect(try graph.context().all(member).count == (rule == .cascade ? 0 : 1))
  }

  @Test func `D-4 transient values reach the parent, alone and beside others`() throws {
    let theirs = try parent.get(try graph.make("File")[0])
    let mine = try child.get(theirs.objectID)
    let new = try child.insert(entityNamed: "File")
    try new.setValue(Int64(7), for: "note")
    try mine.setValue(Int64(1), for: "note")
    try child.save()
    let made = try parent.get(new.objectID)
    #expect(try made.value("note", as: Int64.self) == 7)
    #expect(try theirs.value("note", as: Int64.self) == 1)
    #expect(theirs.hasChanges && !child.hasChanges)
    try parent.save()
    #expect(!parent.hasChanges)

    // Alone, beside a stored value, and as none again.
    try new.setValue(Int64(8), for: "note")
    try child.save()
    #expect(try made.value("note", as: Int64.self) == 8)
    #expect(parent.updatedObjects == [made])
    try new.setValue(Int64(9), for: "note")
    try new.setValue("x", for: "name")
    try child.save()
    #expect(try made.value("note", as: Int64.self) == 9)
    try new.setValue(Int64?.none, for: "note")
    try child.save()
    #expect(try made.value("note", as: Int64.self) == nil)
    #expect(try made.label == "x")
    try parent.save()
    #expect(try graph.storedName(new.objectID) == "x")
  }

  @Test func `D-4 transient values go up each level, and not to what is gone there`() throws {
    let id = try graph.make("File")[0]
    let theirs = try parent.get(id)
    let grandchild = ManagedObjectContext(parent: child, name: "grandchild")
    let mine = try grandchild.get(id)
    try mine.setValue(Int64(3), for: "note")
    try grandchild.save()
    #expect(try child.get(id).value("note", as: Int64.self) == 3)
    #expect(try theirs.value("note", as: Int64.self) == nil)
    try child.save()
    #expect(try theirs.value("note", as: Int64.self) == 3)
    try parent.rollback()
    #expect(try theirs.value("note", as: Int64.self) == nil)

    let other = try child.get(id)
    try parent.delete(theirs)
    try other.setValue(Int64(4), for: "note")
    #expect(throws: PersistenceError.self) { try child.save() }
    #expect(try other.value("note", as: Int64.self) == 4)
  }
}

/// Children of contexts whose objects have composite attributes.
@Suite struct ChildCompositeTests {
  private let coordinator: PersistentStoreCoordinator
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext

  private let place: CompositeValue = [
    "title": .string("Rome"), "point.x": .double(1), "point.y": .double(2),
  ]

  init() throws {
    coordinator = try PersistentStoreCoordinator(
      CompiledModel(CompositeAttributeTests.model), at: .inMemory)
    parent = ManagedObjectContext(coordinator: coordinator)
    child = ManagedObjectContext(parent: parent)
  }

  private func insert(_ context: ManagedObjectContext) throws -> ManagedObject {
    let shop = try context.insert(entityNamed: "Shop")
    try shop.setValue("one", for: "name")
    try shop.setComposite(["x": .double(3)], for: "origin")
    try shop.setComposite(place, for: "place")
    return shop
  }

  @Test(arguments: [true, false])
  func `a composite value goes to the parent and comes from it, as a whole and by part (PG-10)`(
    _ isSaved: Bool
  ) throws {
    let mine = try insert(child)
    try child.save()
    let theirs = try parent.get(mine.objectID)
    #expect(try theirs.composite("place") == place)
    #expect(try theirs.composite("origin") == ["x": .double(3)])
    if isSaved { try parent.save() }
    try theirs.setValue(9.0, for: "place.point.y")
    try child.refresh(mine)
    #expect(try mine.value("place.point.y") == 9.0)
    #expect(try child.all("Shop", where: .equal("place.point.y", 9.0)) == [mine])
    try mine.setComposite(nil, for: "place")
    try child.save()
    #expect(try theirs.composite("place") == nil)
    #expect(try theirs.composite("origin") == ["x": .double(3)])
    try parent.save()
    let reader = ManagedObjectContext(coordinator: coordinator)
    #expect(try reader.get(mine.objectID).composite("place") == nil)
    #expect(try reader.get(mine.objectID).composite("origin") == ["x": .double(3)])
  }

  @Test func `a part that both changed is a conflict, another one is merged (PG-10, PG-11)`()
    throws
  {
    let theirs = try insert(parent)
    try parent.save()
    let mine = try child.get(theirs.objectID)
    try mine.setValue("Oslo", for: "place.title")
    try theirs.setValue(5.0, for: "place.point.x")
    child.mergePolicy = .mergeByProperty
    try child.save()
    #expect(
      try theirs.composite("place")
        == ["title": .string("Oslo"), "point.x": .double(5), "point.y": .double(2)])
    #expect(try mine.composite("place") == theirs.composite("place"))
    try mine.setValue("Bern", for: "place.title")
    try theirs.setValue("Graz", for: "place.title")
    let error = #expect(throws: PersistenceError.self) { try child.save() }
    #expect(error?.conflicts.first?.contestedProperties == ["place.title"])
  }

  @Test func `an undone deletion has its composite value again (PG-09, PG-10)`() throws {
    let theirs = try insert(parent)
    try parent.save()
    child.isUndoEnabled = true
    let id = theirs.objectID
    try child.delete(child.get(id))
    try child.save()
    try parent.save()
    try child.undo()
    try child.save()
    try parent.save()
    let reader = ManagedObjectContext(coordinator: coordinator)
    #expect(try reader.get(id).composite("place") == place)
    #expect(try reader.get(id).composite("origin") == ["x": .double(3)])
  }
}

/// Children of contexts whose objects have derived attributes.
@Suite struct ChildDerivedTests {
  @Test func `a child's derived values are those of its parent, and changes of them no conflict`()
    throws
  {
    let shelf = try Shelf()
    let parent = shelf.context("parent")
    let child = ManagedObjectContext(parent: parent)
    child.automaticallyMergesChangesFromParent = true
    let author = try child.insert(entityNamed: "Author")
    try author.setValue("Änne", for: "name")
    let book = try child.insert(entityNamed: "Novel")
    try book.setValue(Int32(100), for: "pages")
    try book.setObjects([author], for: "author")
    try child.save()
    try parent.save()
    _ = try child.all("Author")
    #expect(try author.value("upper", as: String.self) == "ÄNNE")
    #expect(try author.value("bookCount", as: Int16.self) == 1)
    #expect(try book.value("writer", as: String.self) == "Änne")
    try author.setValue("Bo", for: "name")
    let other = try parent.insert(entityNamed: "Book")
    try other.setValue(Int32(11), for: "pages")
    try other.setObjects([parent.get(author.objectID)], for: "author")
    try parent.save()
    try child.save()
    try parent.save()
    _ = try child.all("Author")
    #expect(try author.value("pages", as: Int64.self) == 111)
    #expect(try book.value("writer", as: String.self) == "Bo")
  }
}
