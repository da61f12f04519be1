import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// What a deletion does to links without inverse that lead to the deleted object, while others save
/// the objects from which they lead.
@Suite struct LinksWithoutInverseTests {
  private let graph: Graph
  private let doc: ManagedObjectID
  private let marks: [ManagedObjectID]

  init() throws {
    graph = try Graph()
    doc = try graph.make("Doc")[0]
    marks = try graph.make("Mark", 2)
  }

  /// Leads an end of the document to marks, in a context of its own.
  private func lead(_ end: String, to places: Int...) throws {
    try graph.elsewhere { context in
      try context.get(doc).setObjects(places.map { try context.get(marks[$0]) }, for: end)
    }
  }

  private func rename(_ id: ManagedObjectID) throws {
    try graph.elsewhere { try $0.get(id).setValue("theirs", for: "name") }
  }

  /// What others do to the document.
  enum Others: CaseIterable {
    case delete, rename, link
  }

  @Test(arguments: Others.allCases, [true, false])
  func `an end that led nowhere is unchanged once its target is deleted, whatever others save`(
    _ others: Others, _ isNew: Bool
  ) throws {
    let context = graph.context()
    let mine = try context.get(doc)
    let mark = isNew ? try context.insert(entityNamed: "Mark") : try context.get(marks[0])
    try mine.set("main", mark)
    try context.delete(mark)
    switch others {
    case .delete: try graph.elsewhere { try $0.delete($0.get(doc)) }
    case .rename: try rename(doc)
    case .link: try lead("main", to: 1)
    }
    try context.save()
    switch others {
    case .delete: #expect(try graph.context().all("Doc") == [])
    case .rename: #expect(try graph.storedName(doc) == "theirs")
    case .link: #expect(try graph.stored(doc, "main") == ["1"])
    }
  }

  @Test func `a deletion is a change of what was read and leads there, so others' link conflicts`()
    throws
  {
    try lead("main", to: 0)
    let context = graph.context()
    let mine = try context.get(doc)
    try context.delete(context.get(marks[0]))
    try lead("main", to: 1)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .conflict)
    #expect(error?.conflicts.map(\.contestedProperties) == [["main"]])
    #expect(try graph.stored(doc, "main") == ["1"])
    #expect(try graph.context().all("Mark").count == 2)
    try context.refresh(mine)
    try context.save()
    #expect(try graph.stored(doc, "main") == ["1"])
    #expect(try graph.context().all("Mark").count == 1)
  }

  @Test(arguments: [
    (MergePolicy.mergeByProperty, nil), (.mergeByPropertyStoreTrump, ["1"]), (.rollback, ["1"]),
    (.mergeByPropertyObjectTrump, []), (.overwrite, []),
  ])
  func `a policy decides between a deletion and a link that others moved`(
    _ policy: MergePolicy, _ expected: [String]?
  ) throws {
    try lead("main", to: 0)
    let context = graph.context()
    context.mergePolicy = policy
    let mine = try context.get(doc)
    try context.delete(context.get(marks[0]))
    try lead("main", to: 1)
    guard let expected else {
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.conflicts.map(\.contestedProperties) == [["main"]])
      return
    }
    try context.save()
    #expect(try mine.names("main") == expected)
    #expect(try graph.stored(doc, "main") == expected)
    #expect(try graph.context().all("Mark").count == 1)
    #expect(context.mergedConflicts.map(\.contestedProperties) == [["main"]])
  }

  @Test(arguments: [
    (MergePolicy.mergeByProperty, nil), (.mergeByPropertyStoreTrump, ["0"]), (.rollback, ["0"]),
    (.mergeByPropertyObjectTrump, []), (.overwrite, []),
  ])
  func `a policy decides between a deletion and a new link to what it deletes`(
    _ policy: MergePolicy, _ expected: [String]?
  ) throws {
    let context = graph.context()
    context.mergePolicy = policy
    let mine = try context.get(doc)
    try mine.setValue("mine", for: "name")
    let mark = try context.get(marks[0])
    try context.delete(mark)
    try lead("main", to: 0)
    guard let expected else {
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .conflict)
      #expect(error?.conflicts.map(\.objectID) == [doc])
      #expect(mark.isDeleted)
      #expect(try graph.stored(doc, "main") == ["0"])
      return
    }
    try context.save()
    #expect(try mine.names("main") == expected)
    #expect(try graph.stored(doc, "main") == expected)
    #expect(try graph.context().all("Mark").count == 1 + expected.count)
    #expect(!context.hasChanges)
  }

  @Test(
    arguments: ["main", "marks", "order"],
    [
      (MergePolicy.mergeByPropertyStoreTrump, true), (.mergeByPropertyStoreTrump, false),
      (.rollback, true), (.rollback, false),
    ])
  func `a deletion that a policy takes back gives links without inverse back`(
    _ end: String, _ way: (policy: MergePolicy, fetches: Bool)
  ) throws {
    if end == "main" { try lead(end, to: 1) } else { try lead(end, to: 1, 0) }
    let before = try graph.stored(doc, end)
    let context = graph.context()
    context.mergePolicy = way.policy
    let mine = try context.get(doc)
    #expect(try mine.names(end) == before)
    try context.delete(context.get(marks[1]))
    if way.fetches { _ = try context.all("Doc") }
    try rename(marks[1])
    try context.save()
    let after = before.map { $0 == "1" ? "theirs" : $0 }
    #expect(try mine.names(end) == (end == "marks" ? after.sorted() : after))
    #expect(try graph.stored(doc, end) == (end == "marks" ? after.sorted() : after))
    #expect(!context.hasChanges)
  }

  @Test(arguments: ["main", "marks", "order"], [true, false])
  func `an object that is refreshed instead of deleted has the links that led to it`(
    _ end: String, _ fetches: Bool
  ) throws {
    if end == "main" { try lead(end, to: 1) } else { try lead(end, to: 1, 0) }
    let before = try graph.stored(doc, end)
    let context = graph.context()
    let mine = try context.get(doc)
    #expect(try mine.names(end) == before)
    let mark = try context.get(marks[1])
    try context.delete(mark)
    if fetches { _ = try context.all("Doc") }
    #expect(try mine.names(end) == before.filter { $0 != "1" })
    try context.refresh(mark)
    #expect(try mine.names(end) == before)
    #expect(!context.hasChanges)
    try context.save()
    #expect(try graph.stored(doc, end) == before)
  }

  @Test(arguments: ["main", "marks", "order"], [true, false])
  func `a link that was not saved comes back with a deletion that is taken back`(
    _ end: String, _ isNew: Bool
  ) throws {
    let context = graph.context()
    context.mergePolicy = .mergeByPropertyStoreTrump
    let mine = isNew ? try context.insert(entityNamed: "Doc") : try context.get(doc)
    let mark = try context.get(marks[1])
    try mine.set(end, mark)
    try context.delete(mark)
    _ = try context.all("Doc")
    #expect(try mine.names(end) == [])
    try rename(marks[1])
    try context.save()
    #expect(try mine.names(end) == ["theirs"])
    #expect(try graph.stored(mine.objectID, end) == ["theirs"])
  }

  @Test func `an order that was not saved has a member in its place again`() throws {
    let all = try marks + graph.make("Mark", 2)
    try graph.elsewhere { context in
      try context.get(doc).setObjects(all.map { try context.get($0) }, for: "order")
    }
    let context = graph.context()
    let mine = try context.get(doc)
    let objects = try [3, 1, 0, 2].map { try context.get(all[$0]) }
    try mine.setObjects(objects, for: "order")
    try context.delete(objects[1])
    _ = try context.all("Doc")
    #expect(try mine.objects("order") == [objects[0], objects[2], objects[3]])
    try context.refresh(objects[1])
    #expect(try mine.objects("order") == objects)
    try context.save()
    let reader = graph.context()
    let stored = try reader.get(doc).objects("order")
    #expect(stored.map(\.objectID) == objects.map(\.objectID))
  }

  @Test func `what was led elsewhere since stays there when a deletion is taken back`() throws {
    try lead("main", to: 0)
    let context = graph.context()
    let (mine, mark) = (try context.get(doc), try context.get(marks[0]))
    try context.delete(mark)
    _ = try context.all("Doc")
    try mine.set("main", context.get(marks[1]))
    try context.refresh(mark)
    #expect(try mine.names("main") == ["1"])
    try context.save()
    #expect(try graph.stored(doc, "main") == ["1"])
  }

  @Test(arguments: [true, false])
  func `a refreshed owner has the links of its row when a deletion is taken back`(
    _ isStored: Bool
  ) throws {
    if isStored { try lead("main", to: 0) }
    let context = graph.context()
    let (mine, mark) = (try context.get(doc), try context.get(marks[0]))
    if !isStored { try mine.set("main", mark) }
    try context.delete(mark)
    _ = try context.all("Doc")
    try context.refresh(mine)
    _ = try mine.label
    try context.refresh(mark)
    #expect(try mine.names("main") == (isStored ? ["0"] : []))
    #expect(!context.hasChanges)
  }

  @Test func `after a save that failed, a deletion can be taken back with its links`() throws {
    try lead("main", to: 0)
    let context = graph.context()
    context.mergePolicy = .mergeByProperty
    let (mine, mark) = (try context.get(doc), try context.get(marks[0]))
    try context.delete(mark)
    try rename(marks[0])
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(try mine.one("main") == nil)
    try context.refresh(mark)
    #expect(try mine.names("main") == ["theirs"])
    #expect(!context.hasChanges)
  }

  @Test(arguments: [true, false])
  func `an undone deletion gives each link back once (PG-09)`(_ refreshes: Bool) throws {
    try lead("order", to: 1, 0)
    try lead("main", to: 1)
    let context = graph.context()
    context.isUndoEnabled = true
    let (mine, mark) = (try context.get(doc), try context.get(marks[1]))
    #expect(try mine.names("order") == ["1", "0"])
    try context.delete(mark)
    _ = try context.all("Doc")
    if refreshes { try context.refresh(mark) }
    try context.undo()
    #expect(try mine.names("order") == ["1", "0"])
    #expect(try mine.names("main") == ["1"])
    #expect(!context.hasChanges)
    try context.save()
    #expect(try graph.stored(doc, "order") == ["1", "0"])
  }

  @Test(arguments: [true, false], [[1], [1, 0]])
  func `a group that is undone after others have met its deletion leaves no change (PG-09)`(
    _ deletesOwner: Bool, _ places: [Int]
  ) throws {
    try graph.elsewhere { context in
      try context.get(doc).setObjects(places.map { try context.get(marks[$0]) }, for: "order")
    }
    let context = graph.context()
    context.isUndoEnabled = true
    let mine = try context.get(doc)
    let before = try mine.names("order")
    try context.undoGroup("mark") { try context.delete(context.get(marks[1])) }
    _ = try context.all("Doc")
    if deletesOwner {
      try context.undoGroup("document") { try context.delete(mine) }
      try context.undo()
    }
    #expect(try mine.names("order") == before.filter { $0 != "1" })
    try context.undo()
    #expect(try mine.names("order") == before)
    #expect(!context.hasChanges)
    try context.redo()
    try context.undo()
    #expect(try mine.names("order") == before)
    #expect(!context.hasChanges)
  }

  @Test(arguments: ["main", "marks", "order"], [true, false])
  func `a child's deletion is saved and undone by its parent (PG-09)`(
    _ end: String, _ isUndone: Bool
  ) throws {
    try lead(end, to: 0)
    let context = graph.context()
    context.isUndoEnabled = true
    let mine = try context.get(doc)
    #expect(try mine.names(end) == ["0"])
    let child = ManagedObjectContext(parent: context)
    try child.delete(child.get(marks[0]))
    try child.save()
    #expect(try mine.names(end) == [])
    if isUndone { try context.undo() }
    #expect(try mine.names(end) == (isUndone ? ["0"] : []))
    try context.save()
    #expect(try graph.stored(doc, end) == (isUndone ? ["0"] : []))
    try child.reset()
    #expect(try child.get(doc).names(end) == (isUndone ? ["0"] : []))
  }

  @Test(arguments: ["main", "marks", "order"])
  func `an undone deletion that was saved keeps what others saved since (PG-09)`(
    _ end: String
  ) throws {
    try lead(end, to: 1)
    let context = graph.context()
    context.isUndoEnabled = true
    let mine = try context.get(doc)
    #expect(try mine.names(end) == ["1"])
    try context.delete(context.get(marks[1]))
    try context.save()
    #expect(try graph.stored(doc, end) == [])
    try rename(doc)
    try context.undo()
    context.mergePolicy = .mergeByProperty
    try context.save()
    #expect(try graph.stored(doc, end) == ["1"])
    #expect(try graph.storedName(doc) == "theirs")
  }
}
