import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

/// Conditions and orders that follow relationships, while objects and links on the way have unsaved
/// changes (PF-07).
@Suite struct RelatedChangesTests {
  let graph: Graph

  init() throws { graph = try Graph() }

  @Test func `only what unsaved changes can alter is asked in memory`() throws {
    try fill(files: 60)
    let context = graph.context()
    let folders = try context.fetch(
      FetchRequest<ManagedObject>(entityNamed: "Folder", sortedBy: [SortKey("name")]))
    #expect(folders.count == 6)
    try folders[0].setValue("x", for: "name")
    let request = FetchRequest<ManagedObject>(
      entityNamed: "File", where: try FetchPredicate(format: "folder.name == 'x'"))
    #expect(try context.fetch(request).count == 10)
    // The folders, and the files of the one that was changed.
    #expect(context.registeredCount == 16)
    #expect(try context.count(request) == 10)
    #expect(context.registeredCount == 16)
  }

  /// Files in turn in each of six folders.
  private func fill(files: Int) throws {
    let context = graph.context()
    let folders = try (0..<6).map { try make("Folder", "\($0)", in: context) }
    for number in 0..<files {
      try make("File", "\(number)", in: context).set("folder", folders[number % 6])
    }
    try context.save()
  }

  @discardableResult
  private func make(
    _ entity: String, _ name: String, in context: ManagedObjectContext
  ) throws -> ManagedObject {
    let object = try context.insert(entityNamed: entity)
    try object.setValue(name, for: "name")
    return object
  }

  // MARK: - Before and after a save

  @Test(arguments: 0..<60)
  func `any mix of changes of objects and links gives what a save would give`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var player = LinkPlayer(graph: graph, random: random)
    try player.fill()
    try player.change(times: .random(in: 1...10, using: &random))
    let before = try Self.questions.map { try answer($0, player.context) }
    try player.context.save()
    let after = try Self.questions.map { try answer($0, graph.context()) }
    for (index, question) in Self.questions.enumerated() {
      #expect(before[index] == after[index], "seed \(seed), \(question)")
    }
  }

  struct Question: Sendable, CustomStringConvertible {
    let entity: String
    let format: String
    var order: String?
    var limit: Int?

    var description: String { "\(entity) where \(format), \(order ?? "-"), \(limit ?? 0)" }
  }

  private func answer(
    _ question: Question, _ context: ManagedObjectContext
  ) throws -> [ManagedObjectID] {
    let request = FetchRequest<ManagedObject>(
      entityNamed: question.entity, where: try FetchPredicate(format: question.format),
      sortedBy: question.order.map { [SortKey($0), SortKey("name")] } ?? [], limit: question.limit)
    let found = try context.fetchIDs(request)
    #expect(try context.count(request) == found.count, "\(question)")
    return question.order == nil ? found.sorted { "\($0)" < "\($1)" } : found
  }

  private static let questions =
    [
      "folder.name == 'a'", "folder == nil", "list.name > 'b'", "ANY folder.labels.name == 'a'",
      "NONE folder.queue.name == 'b'", "ALL folder.files.name < 'c'", "folder.files.@count > 1",
      "SUBQUERY(folder.files, $f, $f.list.name == 'a').@count > 0",
      "folder.name == list.name OR NOT (folder.name BEGINSWITH 'c')",
    ].map { Question(entity: "File", format: $0) }
    + [
      "ANY files.name == 'a'", "files.@count == 0", "ANY items.folder.name == 'b'",
      "ANY labels.folders.name == 'c'", "NONE labels.name == 'a'", "ALL queue.name < 'c'",
      "SUBQUERY(files, $f, $f.list.name == name).@count >= 1",
    ].map { Question(entity: "Folder", format: $0) }
    + ["ANY folders.files.name == 'a'", "queues.@count > 1", "ANY queues.labels.name == 'd'"]
    .map { Question(entity: "Label", format: $0) }
    + ["ANY marks.name == 'a'", "main.name == 'b'", "order.@count > 1", "main == nil"]
    .map { Question(entity: "Doc", format: $0) }
    + [
      Question(entity: "Part", format: "whole.name == 'a'"),
      Question(entity: "Whole", format: "ANY parts.name == 'b'"),
      Question(entity: "Person", format: "passport.name == 'a' OR passport.owner.name == 'c'"),
      Question(entity: "Passport", format: "owner.name == 'b' OR hook.name == 'a'"),
      Question(entity: "File", format: "TRUEPREDICATE", order: "folder.name"),
      Question(entity: "File", format: "TRUEPREDICATE", order: "folder.name", limit: 4),
      Question(entity: "Photo", format: "list.name >= 'a'", order: "list.name", limit: 2),
    ]
}

/// Fills a graph, then changes it at random without saving.
private struct LinkPlayer {
  let graph: Graph
  let context: ManagedObjectContext
  var random: SeededRandom

  init(graph: Graph, random: SeededRandom) {
    self.graph = graph
    self.random = random
    context = graph.context()
  }

  private static let entities = [
    "Folder", "File", "Photo", "Label", "Person", "Passport", "Whole", "Part", "Doc", "Mark",
  ]

  /// Relationships by their entities: to-one and to-many, with and without inverse.
  private static let links = [
    ("File", "folder", "Folder"), ("File", "list", "Folder"), ("Photo", "folder", "Folder"),
    ("Folder", "files", "File"), ("Folder", "items", "File"), ("Folder", "labels", "Label"),
    ("Folder", "queue", "Label"), ("Label", "folders", "Folder"), ("Label", "queues", "Folder"),
    ("Person", "passport", "Passport"), ("Passport", "hook", "Person"), ("Part", "whole", "Whole"),
    ("Whole", "parts", "Part"), ("Doc", "marks", "Mark"), ("Doc", "order", "Mark"),
    ("Doc", "main", "Mark"),
  ]

  mutating func fill() throws {
    for _ in 0..<24 { try insert() }
    for _ in 0..<40 { try link() }
    try context.save()
  }

  mutating func change(times: Int) throws {
    for _ in 0..<times {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: try insert()
      case 1: if let object = try any(Self.entities[pick(10)]) { try context.delete(object) }
      case 2, 3:
        if let object = try any(Self.entities[pick(10)]) {
          try object.setValue(letter(), for: "name")
        }
      default: try link()
      }
    }
  }

  private mutating func pick(_ count: Int) -> Int { .random(in: 0..<count, using: &random) }

  private mutating func letter() -> String { ["a", "b", "c", "d"][pick(4)] }

  private mutating func any(_ entity: String) throws -> ManagedObject? {
    try context.fetch(
      FetchRequest<ManagedObject>(entityNamed: entity, sortedBy: [SortKey("name")])
    ).randomElement(using: &random)
  }

  private mutating func insert() throws {
    let object = try context.insert(entityNamed: Self.entities[pick(10)])
    try object.setValue(letter(), for: "name")
  }

  /// Sets, adds, removes or clears a link.
  private mutating func link() throws {
    let (owner, name, destination) = Self.links[pick(Self.links.count)]
    guard let object = try any(owner), let other = try any(destination) else { return }
    var members = try object.objects(name)
    let isToMany =
      ["files", "items", "labels", "queue", "folders", "queues", "parts", "marks"]
      .contains(name) || name == "order"
    if let index = members.firstIndex(of: other) {
      members.remove(at: index)
    } else {
      members = isToMany ? members + [other] : [other]
    }
    try object.setObjects(members, for: name)
  }
}
