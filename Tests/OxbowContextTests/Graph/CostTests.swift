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
