import Foundation
import OxbowRuntime
import OxbowTestSupport
import Testing

/// The command that shows a store's history (PS-11).
@Suite struct StoreHistoryTests {
  let tool: Tool
  let model = ManagedObjectModel(entities: [
    EntityDescription("Note", attributes: [AttributeDescription("text", .string)]),
    EntityDescription("Label", attributes: [AttributeDescription("name", .string)]),
  ])

  init() throws { tool = try Tool() }

  /// Opens the store, saves as somebody, and closes it.
  func save(
    as author: String?, history: HistoryRecording = .values,
    _ body: (ManagedObjectContext) throws -> Void
  ) throws {
    var options = SQLiteStoreOptions()
    options.history = history
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(model), at: .file(tool.folder.file("s.sqlite")), options: options)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    context.transactionAuthor = author
    try body(context)
    try context.save()
  }

  func insert(_ entity: String, _ context: ManagedObjectContext) throws {
    let property = entity == "Note" ? "text" : "name"
    try context.insert(entityNamed: entity).setValue("old", for: property)
  }

  func fill() throws {
    try save(as: "desk") { context in
      try insert("Note", context)
      try insert("Note", context)
    }
    try save(as: "import") { try insert("Label", $0) }
    try save(as: "desk") { context in
      let request = FetchRequest<ManagedObject>(entityNamed: "Note")
      try #require(context.fetch(request).first).setValue("new", for: "text")
    }
  }

  /// The words of each line: columns are as wide as what is in them.
  func words(_ text: String) -> [[Substring]] {
    text.split(separator: "\n").map { $0.split(separator: " ") }
  }

  @Test func `PS-11 after a number that there is not yet there are no saves`() throws {
    try fill()
    let shown = try tool.run("store", "history", "s.sqlite", "--after", "99")
    #expect(shown.code == 0, "\(shown.err)")
    #expect(shown.out == "no saves\n")
  }

  @Test func `PS-11 the doctor names a save in the history that cannot be read`() throws {
    try fill()
    #expect(try tool.run("store", "doctor", "s.sqlite").code == 0)
    try FixtureDatabase.run(
      tool.folder.file("s.sqlite"), "UPDATE _oxbow_saves SET changes = x'0128' WHERE number = 2")
    let found = try tool.run("store", "doctor", "s.sqlite")
    #expect(found.code == 2)
    #expect(found.out.contains("save 2 in the history"))
  }

  @Test func `PS-11 a history is shown to people, by author, entity and number`() throws {
    try fill()
    let all = try tool.run("store", "history", "s.sqlite")
    #expect(all.code == 0, "\(all.err)")
    let counts = all.out.split(separator: "\n").map { $0.suffix(8) }
    #expect(counts == ["+2 ~0 -0", "+1 ~0 -0", "+0 ~1 -0"])
    let desk = try tool.run("store", "history", "s.sqlite", "--author", "desk").out
    #expect(desk.split(separator: "\n").count == 2)
    #expect(!desk.contains("import"))
    let labels = try tool.run("store", "history", "s.sqlite", "--entity", "Label").out
    #expect(labels.split(separator: "\n").count == 1)
    #expect(labels.contains("import"))
    let first = try tool.run("store", "history", "s.sqlite", "--limit", "1").out
    #expect(words(first) == Array(words(all.out).prefix(1)))
    let number = try #require(first.split(separator: " ").first.map(String.init))
    let later = try tool.run("store", "history", "s.sqlite", "--after", number).out
    #expect(words(later) == Array(words(all.out).dropFirst()))
  }

  @Test func `PS-11 a history is shown to programs, with what was before`() throws {
    try fill()
    let result = try #require(
      try tool.json("store", "history", "s.sqlite")["result"] as? [String: Any])
    let saves = try #require(result["saves"] as? [[String: Any]])
    #expect(saves.map { $0["author"] as? String } == ["desk", "import", "desk"])
    let change = try #require((saves.last?["changes"] as? [[String: Any]])?.first)
    #expect(change["kind"] as? String == "update")
    #expect(change["properties"] as? [String] == ["text"])
    #expect((change["before"] as? [String: String])?["text"]?.contains("old") == true)
  }

  @Test
  func `PS-11 saves without a history are shown as missing, and a store without one is refused`()
    throws
  {
    try save(as: nil, history: .off) { try insert("Note", $0) }
    let absent = try tool.run("store", "history", "typo.sqlite")
    #expect(absent.code == 69)
    #expect(absent.err.contains("typo.sqlite"))
    let none = try tool.run("store", "history", "s.sqlite")
    #expect(none.code == 1)
    #expect(none.err.contains("has no history"))
    try fill()
    try save(as: nil, history: .off) { try insert("Note", $0) }
    try save(as: "desk") { try insert("Note", $0) }
    let missing = try tool.run("store", "history", "s.sqlite")
    #expect(missing.code == 2)
    #expect(missing.out.contains(" is missing\n"))
  }
}
