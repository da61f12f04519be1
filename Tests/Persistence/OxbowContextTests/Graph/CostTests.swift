import OxbowModel
import OxbowStore
import Testing

@testable import OxbowContext

/// What changing a link costs where there are many (review S-W12).
///
/// No clock: what is counted is whether the lists of a collection were copied or moved.
@Suite struct CostTests {
  let graph: Graph

  init() throws { graph = try Graph() }

  private func reference(_ key: Int64) -> ObjectReference { ObjectReference(entity: 0, key: key) }

  @Test(arguments: [("files", "folder"), ("items", "list"), ("labels", "folders")])
  func `tying and untying members one by one copies no list`(_ many: String, _ back: String) throws
  {
    let context = graph.context()
    let folder = try context.insert(entityNamed: "Folder")
    let property = try folder.entity.requireProperty(named: many)
    let entity = many == "labels" ? "Label" : "File"
    let members = try (0..<500).map { _ in try context.insert(entityNamed: entity) }
    var copies = 0
    func watching(_ change: () throws -> Void) rethrows {
      let before = folder.collection(property)?.members?.identity
      try change()
      if folder.collection(property)?.members?.identity != before { copies += 1 }
    }
    for member in members { try watching { try member.set(back, folder) } }
    // The first makes the list.
    #expect(copies <= 1)
    copies = 0
    for member in members.prefix(200) { try watching { try member.set(back) } }
    for member in members.dropFirst(200).prefix(200) { try watching { try context.delete(member) } }
    #expect(copies == 0)
    #expect(try folder.objects(many).count == 100)
  }

  @Test(arguments: [("files", "folder"), ("items", "list"), ("labels", "folders")], [false, true])
  func `S-2 one member comes and goes without a copy of the others, in memory and by merging`(
    _ ends: (many: String, back: String), isObserved: Bool
  ) throws {
    let entity = ends.many == "labels" ? "Label" : "File"
    let ids = try graph.make(entity, 60)
    let folderID = try graph.make("Folder")[0]
    try graph.elsewhere { context in
      try context.get(folderID).setObjects(ids.map(context.get), for: ends.many)
    }
    let context = graph.context()
    context.isObservable = isObserved
    context.automaticallyMergesChangesFromParent = true
    let folder = try context.get(folderID)
    let property = try folder.entity.requireProperty(named: ends.many)
    let members = try folder.objects(ends.many)
    func list() -> ObjectIdentifier? { folder.collection(property)?.members?.identity }
    let before = list()
    for member in members.prefix(20) { try folder.remove(member, from: ends.many) }
    for member in members.prefix(10) { try folder.add(member, to: ends.many) }
    for member in members.prefix(10) { try folder.add(member, to: ends.many) }
    #expect(list() == before)
    #expect(try folder.objects(ends.many).count == 50)
    #expect(try folder.contains(members[3], in: ends.many))
    #expect(try !folder.contains(members[15], in: ends.many))
    #expect(try Set(folder.objects(ends.many)) == Set(members.prefix(10) + members.dropFirst(20)))
    #expect(Set(try members[3].objects(ends.back)) == [folder])
    #expect(try members[15].objects(ends.back).isEmpty)
    let expected = try folder.names(ends.many)
    try context.save()
    #expect(try graph.stored(folderID, ends.many) == expected)
  }

  @Test(arguments: [false, true])
  func `S-1 members that others move here are added where the list is`(isObserved: Bool) throws {
    let ids = try graph.make("File", 40)
    let folderID = try graph.make("Folder")[0]
    let context = graph.context()
    context.isObservable = isObserved
    context.automaticallyMergesChangesFromParent = true
    let folder = try context.get(folderID)
    let first = try context.get(ids[0])
    try first.set("folder", folder)
    try context.save()
    #expect(try folder.objects("files").count == 1)
    let property = try folder.entity.requireProperty(named: "files")
    let before = folder.collection(property)?.members?.identity
    try graph.elsewhere { context in
      for id in ids.dropFirst() { try context.get(id).set("folder", context.get(folderID)) }
    }
    try context.load([])
    #expect(folder.collection(property)?.members?.identity == before)
    #expect(try folder.objects("files").count == 40)
    try graph.elsewhere { context in
      for id in ids.prefix(30) { try context.get(id).set("folder") }
    }
    try context.load([])
    #expect(try folder.objects("files").count == 10)
    #expect(folder.collection(property)?.members?.identity == before)
  }

  @Test func `S-2 what one member cannot be, and where there is none, is said`() throws {
    let context = graph.context()
    let folder = try context.insert(entityNamed: "Folder")
    let file = try context.insert(entityNamed: "File")
    let label = try context.insert(entityNamed: "Label")
    let foreign = try graph.context("other").insert(entityNamed: "File")
    func code(_ body: () throws -> Void) -> PersistenceError.Code? { refusal(body) }
    #expect(code { try folder.add(label, to: "files") } == .classMismatch)
    #expect(code { try folder.add(foreign, to: "files") } == .foreignObject)
    #expect(code { try folder.remove(foreign, from: "files") } == .foreignObject)
    #expect(code { try file.add(folder, to: "folder") } == .unknownProperty)
    #expect(code { try folder.add(file, to: "name") } == .unknownProperty)
    #expect(code { try folder.add(file, to: "nothing") } == .unknownProperty)
    #expect(try !folder.contains(foreign, in: "files"))
    try folder.remove(file, from: "files")
    try folder.add(file, to: "items")
    try folder.add(file, to: "items")
    #expect(try folder.objects("items") == [file])
    try context.delete(file)
    #expect(code { try folder.add(file, to: "files") } == .foreignObject)
    #expect(try folder.objects("items").isEmpty)
  }

  @Test func `a list moves no more elements than were added, however many it has`() {
    for count: Int64 in [1000, 4000, 16000] {
      var list = MemberList((0..<count).map(reference))
      #expect(list.movedElements == 0)
      for key in 0..<count { list.remove(reference(key)) }
      #expect(list.movedElements <= count)
      #expect(list.isEmpty)
    }
  }

  @Test func `a list keeps its order over gaps, and each object once`() {
    var list = MemberList((0..<100).map { reference($0) })
    for key: Int64 in stride(from: 0, to: 100, by: 3) { list.remove(reference(key)) }
    let removedTwice = list.remove(reference(0))
    #expect(!removedTwice)
    list.append(reference(3))
    list.append(reference(4))
    let expected: [Int64] = (0..<100).filter { $0 % 3 != 0 } + [3]
    #expect(list.map(\.key) == expected)
    #expect(list.count == expected.count)
    let copy = list
    for key: Int64 in 0..<100 { list.remove(reference(key)) }
    #expect(list.isEmpty)
    #expect(copy.map(\.key) == expected)
    for key: Int64 in 0..<20 { list.append(reference(key)) }
    #expect(list.map(\.key) == Array<Int64>(0..<20))
    #expect(list.contains(reference(19)))
  }
}
