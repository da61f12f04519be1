import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// Orders that were not saved, and members whose deletion or removal is taken back (PG-03, PG-11).
@Suite struct TakenBackOrderTests {
  private let graph: Graph
  private let folder: ManagedObjectID

  init() throws {
    graph = try Graph()
    folder = try graph.make("Folder")[0]
  }

  /// Members of an ordered relationship in the store.
  private func fill(_ relationship: String, _ count: Int = 5) throws -> [ManagedObjectID] {
    let members = try graph.make(relationship == "items" ? "File" : "Label", count)
    try graph.elsewhere { context in
      try context.get(folder).setObjects(members.map(context.get), for: relationship)
    }
    return members
  }

  private func rename(_ ids: ManagedObjectID...) throws {
    try graph.elsewhere { context in
      for object in try ids.map(context.get) {
        try object.setValue("x" + (object.label ?? ""), for: "name")
      }
    }
  }

  private func expectSaved(
    _ object: ManagedObject, _ relationship: String, _ names: [String],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let context = try #require(object.context)
    try context.save()
    #expect(try object.names(relationship) == names, sourceLocation: location)
    #expect(
      try graph.stored(object.objectID, relationship) == names, sourceLocation: location)
    #expect(!context.hasChanges, sourceLocation: location)
  }

  @Test(arguments: ["items", "queue"], [MergePolicy.mergeByPropertyStoreTrump, .rollback])
  func `a member is in its place of a new order again`(
    _ relationship: String, _ policy: MergePolicy
  ) throws {
    let members = try fill(relationship)
    let context = graph.context()
    context.mergePolicy = policy
    let mine = try context.get(folder)
    try mine.setObjects([4, 0, 3, 1, 2].map { try context.get(members[$0]) }, for: relationship)
    try context.delete(context.get(members[0]))
    try rename(members[0])
    try expectSaved(mine, relationship, ["4", "x0", "3", "1", "2"])
  }

  @Test(arguments: ["items", "queue"], [[0, 1], [1, 0]])
  func `members that went one after the other are all in their places`(
    _ relationship: String, _ order: [Int]
  ) throws {
    let members = try fill(relationship)
    let context = graph.context()
    context.mergePolicy = .mergeByPropertyStoreTrump
    let mine = try context.get(folder)
    try mine.setObjects([4, 0, 1, 3, 2].map { try context.get(members[$0]) }, for: relationship)
    for index in order { try context.delete(context.get(members[index])) }
    try context.delete(context.get(members[2]))
    try rename(members[0], members[1])
    try expectSaved(mine, relationship, ["4", "x0", "x1", "3"])
  }

  @Test(arguments: ["items", "queue"])
  func `a place is kept among the others when these get another order`(
    _ relationship: String
  ) throws {
    let members = try fill(relationship)
    let context = graph.context()
    context.mergePolicy = .mergeByPropertyStoreTrump
    let mine = try context.get(folder)
    let objects = try members.map(context.get)
    try mine.setObjects(objects.reversed(), for: relationship)
    try context.delete(objects[2])
    try mine.setObjects([0, 1, 3, 4].map { objects[$0] }, for: relationship)
    try rename(members[2])
    try expectSaved(mine, relationship, ["0", "1", "x2", "3", "4"])
  }

  @Test(arguments: ["items", "queue"], [true, false])
  func `what came is in the order in which it came`(
    _ relationship: String, _ isLoaded: Bool
  ) throws {
    let members = try fill(relationship, 2)
    let others = try graph.make(relationship == "items" ? "File" : "Label", 3)
    let context = graph.context()
    context.mergePolicy = .mergeByPropertyStoreTrump
    let mine = try context.get(folder)
    if isLoaded { _ = try mine.objects(relationship) }
    let back = relationship == "items" ? "list" : "queues"
    for id in [others[2], others[0], others[1]] { try context.get(id).add(back, mine) }
    try context.delete(context.get(others[0]))
    // One that went and came back.
    let first = try context.get(members[0])
    try first.setObjects([], for: back)
    try first.set(back, mine)
    try rename(others[0])
    try expectSaved(mine, relationship, ["1", "2", "x0", "1", "0"])
  }

  @Test(arguments: ["items", "queue"])
  func `a member of a new object's list is in its place`(_ relationship: String) throws {
    let members = try fill(relationship)
    let context = graph.context()
    context.mergePolicy = .mergeByPropertyStoreTrump
    let mine = try context.insert(entityNamed: "Folder")
    try mine.setObjects([3, 1, 2].map { try context.get(members[$0]) }, for: relationship)
    try context.delete(context.get(members[1]))
    try rename(members[1])
    try expectSaved(mine, relationship, ["3", "x1", "2"])
  }

  @Test(arguments: ["items", "queue"])
  func `an owner whose deletion is taken back has its order`(_ relationship: String) throws {
    let members = try fill(relationship, 300)
    let context = graph.context()
    context.mergePolicy = .mergeByPropertyStoreTrump
    let mine = try context.get(folder)
    let objects = try members.map(context.get)
    try mine.setObjects(objects.reversed(), for: relationship)
    try context.delete(mine)
    try rename(folder)
    try expectSaved(mine, relationship, (0..<300).reversed().map { "\($0)" })
  }

  @Test(arguments: ["items", "queue"], [true, false])
  func `a member whose removal is taken back is in its place`(
    _ relationship: String, _ comesBackLast: Bool
  ) throws {
    let members = try fill(relationship, 3)
    let context = graph.context()
    let mine = try context.get(folder)
    let objects = try members.map(context.get)
    try mine.setObjects([2, 0, 1].map { objects[$0] }, for: relationship)
    let back = relationship == "items" ? "list" : "queues"
    if comesBackLast {
      // The program's own doing, which a later removal goes by.
      try objects[0].setObjects([], for: back)
      try objects[0].set(back, mine)
    }
    try objects[0].setObjects([], for: back)
    #expect(try mine.names(relationship) == ["2", "1"])
    try context.refresh(objects[0])
    try expectSaved(mine, relationship, comesBackLast ? ["2", "1", "0"] : ["2", "0", "1"])
  }

  @Test(arguments: [[0, 2], [2, 0]])
  func `members without inverse that went one after the other are all in their places`(
    _ order: [Int]
  ) throws {
    let doc = try graph.make("Doc")[0]
    let marks = try graph.make("Mark", 4)
    let context = graph.context()
    let mine = try context.get(doc)
    let objects = try marks.map(context.get)
    try mine.setObjects(objects, for: "order")
    for index in [0, 2] {
      try context.delete(objects[index])
      _ = try context.all("Doc")
    }
    #expect(try mine.names("order") == ["1", "3"])
    for index in order { try context.refresh(objects[index]) }
    try expectSaved(mine, "order", ["0", "1", "2", "3"])
  }

  @Test(arguments: [true, false])
  func `a deleted member without inverse keeps its place when the others are ordered`(
    _ fetches: Bool
  ) throws {
    let doc = try graph.make("Doc")[0]
    let marks = try graph.make("Mark", 3)
    try graph.elsewhere { context in
      try context.get(doc).setObjects(marks.map(context.get), for: "order")
    }
    let context = graph.context()
    let mine = try context.get(doc)
    let objects = try mine.objects("order")
    try context.delete(objects[1])
    try mine.setObjects([objects[0], objects[2]], for: "order")
    #expect(!mine.hasChanges)
    try mine.setObjects([objects[2], objects[0]], for: "order")
    if fetches { _ = try context.all("Doc") }
    #expect(try mine.names("order") == ["2", "0"])
    try context.refresh(objects[1])
    try expectSaved(mine, "order", ["2", "1", "0"])
  }

  @Test(arguments: ["items", "queue"])
  func `a draft's member is in its place, in its parent and in the store (PG-10)`(
    _ relationship: String
  ) throws {
    let members = try fill(relationship, 3)
    let parent = graph.context()
    let child = ManagedObjectContext(parent: parent)
    child.mergePolicy = .mergeByPropertyStoreTrump
    let mine = try child.get(folder)
    let objects = try members.map(child.get)
    try mine.setObjects([2, 0, 1].map { objects[$0] }, for: relationship)
    try child.delete(objects[0])
    try parent.get(members[0]).setValue("x0", for: "name")
    try child.save()
    #expect(try mine.names(relationship) == ["2", "x0", "1"])
    try expectSaved(parent.get(folder), relationship, ["2", "x0", "1"])
  }

  @Test(arguments: ["items", "queue"])
  func `an undo after a policy took a deletion back gives the order before (PG-09)`(
    _ relationship: String
  ) throws {
    let members = try fill(relationship, 3)
    let context = graph.context()
    context.mergePolicy = .mergeByPropertyStoreTrump
    context.isUndoEnabled = true
    let mine = try context.get(folder)
    let objects = try members.map(context.get)
    try context.undoGroup("order") {
      try mine.setObjects([2, 0, 1].map { objects[$0] }, for: relationship)
    }
    try context.undoGroup("delete") { try context.delete(objects[0]) }
    try rename(members[0])
    try expectSaved(mine, relationship, ["2", "x0", "1"])
    while context.canUndo { try context.undo(overwriting: true) }
    try expectSaved(mine, relationship, ["x0", "1", "2"])
  }
}
