import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// What a program does after a deletion that a merge takes back (PG-11).
@Suite struct TakenBackDeletionTests {
  private let graph: Graph
  private let context: ManagedObjectContext

  init() throws {
    graph = try Graph()
    context = graph.context()
    context.mergePolicy = .mergeByPropertyStoreTrump
  }

  /// Links two saved objects, and returns the IDs of the owner, the member, and another owner.
  private func make(
    _ entity: String, _ relationship: String, _ destination: String
  ) throws -> (owner: ManagedObjectID, member: ManagedObjectID, other: ManagedObjectID) {
    let owners = try graph.make(entity, 2)
    let member = try graph.make(destination)[0]
    try graph.elsewhere { context in
      try context.get(owners[0]).set(relationship, context.get(member))
    }
    return (owners[0], member, owners[1])
  }

  private func rename(_ id: ManagedObjectID) throws {
    try graph.elsewhere { try $0.get(id).setValue("theirs", for: "name") }
  }

  @Test(arguments: [
    ("Folder", "files", "File", "folder"), ("Folder", "items", "File", "list"),
    ("Person", "passport", "Passport", "owner"),
  ])
  func `what leads elsewhere since a deletion stays there`(
    _ entity: String, _ relationship: String, _ destination: String, _ back: String
  ) throws {
    let (owner, member, other) = try make(entity, relationship, destination)
    let (mine, one, two) = (
      try context.get(member), try context.get(owner), try context.get(other)
    )
    try context.delete(one)
    try mine.set(back, two)
    try rename(owner)
    try context.save()
    #expect(!one.isDeleted && !context.hasChanges)
    #expect(try one.label == "theirs")
    #expect(try mine.objects(back) == [two])
    #expect(try graph.stored(member, back) == ["1"])
    #expect(try graph.stored(owner, relationship) == [])
    #expect(try graph.stored(other, relationship) == ["0"])
  }

  @Test func `a deletion that a refresh took back is not taken back by a merge`() throws {
    let (owner, member, _) = try make("Folder", "files", "File")
    let (mine, one) = (try context.get(member), try context.get(owner))
    try context.delete(one)
    try context.refresh(one)
    #expect(try mine.objects("folder").isEmpty)
    try context.delete(one)
    try rename(owner)
    try context.save()
    #expect(!one.isDeleted && !context.hasChanges)
    #expect(try mine.objects("folder").isEmpty)
    #expect(try graph.stored(member, "folder") == [])
  }

  @Test func `an object that a refresh took out of a cascade has a deletion of its own`() throws {
    let (whole, part, _) = try make("Whole", "parts", "Part")
    let (one, mine) = (try context.get(whole), try context.get(part))
    try context.delete(one)
    try context.refresh(mine)
    #expect(one.isDeleted && !mine.isDeleted)
    try context.delete(mine)
    try rename(whole)
    try context.save()
    #expect(!one.isDeleted && !context.hasChanges)
    #expect(try graph.context().all("Part").isEmpty)
    #expect(try graph.stored(whole, "parts") == [])
  }
}
