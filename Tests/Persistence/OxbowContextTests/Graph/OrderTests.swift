import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// The order of ordered relationships, across contexts.
@Suite struct OrderTests {
  let graph: Graph

  init() throws { graph = try Graph() }

  /// A folder with an ordered relationship to three others, and the objects at the other end.
  private func list(_ relationship: String) throws -> (
    folder: ManagedObjectID, members: [ManagedObjectID]
  ) {
    let folder = try graph.make("Folder")[0]
    let members = try graph.make(relationship == "items" ? "File" : "Label", 5)
    try graph.elsewhere { context in
      let three = try members.prefix(3).map(context.get)
      try context.get(folder).setObjects(three, for: relationship)
    }
    return (folder, members)
  }

  private func back(_ relationship: String) -> String {
    relationship == "items" ? "list" : "queues"
  }

  @Test(arguments: ["items", "queue"], [true, false])
  func `a member that is tied from its own end is the last (review S-W2, G-X-3)`(
    _ relationship: String, _ isLoaded: Bool
  ) throws {
    let (folder, members) = try list(relationship)
    try graph.elsewhere { context in
      let mine = try context.get(folder)
      if isLoaded { _ = try mine.objects(relationship) }
      for id in [members[4], members[3]] {
        try context.get(id).add(back(relationship), mine)
      }
      #expect(try mine.names(relationship) == ["0", "1", "2", "4", "3"])
    }
    #expect(try graph.stored(folder, relationship) == ["0", "1", "2", "4", "3"])
  }

  @Test(arguments: ["items", "queue"])
  func `new members of a new list have the order in which they were tied`(_ relationship: String)
    throws
  {
    let members = try graph.make(relationship == "items" ? "File" : "Label", 4)
    var id: ManagedObjectID?
    try graph.elsewhere { context in
      let folder = try context.insert(entityNamed: "Folder")
      id = folder.objectID
      try folder.setObjects(try [2, 0].map { try context.get(members[$0]) }, for: relationship)
      for place in [3, 1] { try context.get(members[place]).add(back(relationship), folder) }
    }
    #expect(try graph.stored(try #require(id), relationship) == ["2", "0", "3", "1"])
  }

  @Test(arguments: ["items", "queue"])
  func `an append does not take back members that others removed or moved (review S-L3)`(
    _ relationship: String
  ) throws {
    let (folder, members) = try list(relationship)
    let other = try graph.make("Folder")[0]
    let context = graph.context()
    let mine = try context.get(folder)
    #expect(try mine.objects(relationship).count == 3)
    try graph.elsewhere { context in
      let theirs = try context.get(folder)
      try theirs.setObjects([try context.get(members[2])], for: relationship)
      try context.get(members[1]).set(back(relationship), try context.get(other))
    }
    try mine.add(relationship, try context.get(members[3]))
    try context.save()
    #expect(try graph.stored(folder, relationship) == ["2", "3"])
    #expect(try graph.stored(other, relationship) == ["1"])
  }

  @Test(arguments: ["items", "queue"])
  func `another order does not take back members that others removed or moved (review S-L3)`(
    _ relationship: String
  ) throws {
    let (folder, members) = try list(relationship)
    let other = try graph.make("Folder")[0]
    let context = graph.context()
    let mine = try context.get(folder)
    let objects = try mine.objects(relationship)
    try graph.elsewhere { context in
      try context.get(folder).setObjects([try context.get(members[2])], for: relationship)
      try context.get(members[1]).set(back(relationship), try context.get(other))
    }
    try mine.setObjects(
      [objects[2], try context.get(members[4]), objects[1], objects[0]], for: relationship)
    try context.save()
    #expect(try graph.stored(folder, relationship) == ["2", "4"])
    #expect(try graph.stored(other, relationship) == ["1"])
  }

  @Test func `what others add survives another order`() throws {
    let (folder, members) = try list("items")
    let context = graph.context()
    let mine = try context.get(folder)
    let objects = try mine.objects("items")
    try graph.elsewhere { try $0.get(members[3]).set("list", try $0.get(folder)) }
    try mine.setObjects(objects.reversed(), for: "items")
    try context.save()
    #expect(try graph.stored(folder, "items").sorted() == ["0", "1", "2", "3"])
    #expect(try graph.stored(folder, "items").filter { $0 != "3" } == ["2", "1", "0"])
  }

  @Test(arguments: ["items", "queue"], [true, false])
  func `a member that goes and comes back is the last in the store too (review S-W2)`(
    _ relationship: String, _ isLoaded: Bool
  ) throws {
    let (folder, members) = try list(relationship)
    try graph.elsewhere { context in
      let mine = try context.get(folder)
      if isLoaded { _ = try mine.objects(relationship) }
      let member = try context.get(members[0])
      try member.set(back(relationship))
      try member.set(back(relationship), mine)
      try context.get(members[3]).add(back(relationship), mine)
      if isLoaded { #expect(try mine.names(relationship) == ["1", "2", "0", "3"]) }
    }
    #expect(try graph.stored(folder, relationship) == ["1", "2", "0", "3"])
  }

  @Test(arguments: ["items", "queue"])
  func `a list that is loaded after its changes has what came in the order in which it came`(
    _ relationship: String
  ) throws {
    let (folder, members) = try list(relationship)
    try graph.elsewhere { context in
      let mine = try context.get(folder)
      try context.get(members[3]).add(back(relationship), mine)
      let member = try context.get(members[0])
      try member.set(back(relationship))
      try member.set(back(relationship), mine)
      try context.get(members[4]).add(back(relationship), mine)
      #expect(try mine.names(relationship) == ["1", "2", "3", "0", "4"])
    }
    #expect(try graph.stored(folder, relationship) == ["1", "2", "3", "0", "4"])
  }

  @Test func `a member that comes back does not take itself from where others moved it`() throws {
    let (folder, members) = try list("items")
    let other = try graph.make("Folder")[0]
    let context = graph.context()
    let mine = try context.get(folder)
    let file = try context.get(members[0])
    try file.set("list")
    try file.set("list", mine)
    try graph.elsewhere { try $0.get(members[0]).set("list", try $0.get(other)) }
    try context.save()
    #expect(try graph.stored(folder, "items") == ["1", "2"])
    #expect(try graph.stored(other, "items") == ["0"])
  }

  @Test func `tying what is tied already leaves its place in the other order (review S-W2)`() throws
  {
    let (folder, labels) = (try graph.make("Folder")[0], try graph.make("Label", 2))
    let late = graph.context()
    let label = try late.get(labels[0])
    let theirs = try late.get(folder)
    try label.add("queues", theirs)
    try graph.elsewhere { context in
      try context.get(folder).setObjects(try labels.map(context.get), for: "queue")
    }
    try late.save()
    #expect(try graph.stored(folder, "queue") == ["0", "1"])
  }

  @Test func `reordering costs no version and conflicts with no edits`() throws {
    let (folder, members) = try list("items")
    let context = graph.context()
    let mine = try context.get(folder)
    let objects = try mine.objects("items")
    try graph.elsewhere { try $0.get(members[0]).setValue("x", for: "name") }
    try mine.setObjects(objects.reversed(), for: "items")
    try context.save()
    #expect(try graph.stored(folder, "items") == ["2", "1", "x"])
  }

  @Test(arguments: ["items", "queue"], [MergePolicy.mergeByPropertyStoreTrump, .rollback])
  func `a member whose deletion a policy takes back has its place (PG-03, PG-11)`(
    _ relationship: String, _ policy: MergePolicy
  ) throws {
    let (folder, members) = try list(relationship)
    let context = graph.context()
    context.mergePolicy = policy
    let mine = try context.get(folder)
    #expect(try mine.names(relationship) == ["0", "1", "2"])
    try context.delete(context.get(members[0]))
    try graph.elsewhere { try $0.get(members[0]).setValue("x", for: "name") }
    try context.save()
    #expect(try mine.names(relationship) == ["x", "1", "2"])
    #expect(try graph.stored(folder, relationship) == ["x", "1", "2"])
    #expect(!context.hasChanges)
  }
}
