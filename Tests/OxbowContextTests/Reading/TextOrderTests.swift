import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

@Suite struct TextOrderTests {
  private func sorted(
    _ texts: [String?], _ order: TextOrder, ascending: Bool = true, saves: Bool
  ) throws -> [String?] {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "A",
        attributes: [
          AttributeDescription("text", .string, isOptional: true),
          AttributeDescription("number", .integer64, defaultValue: .integer(0)),
        ])
    ])
    let coordinator = try PersistentStoreCoordinator(CompiledModel(model), at: .inMemory)
    let context = ManagedObjectContext(coordinator: coordinator, owner: .holder)
    for text in texts { try context.insert(entityNamed: "A").setValue(text, for: "text") }
    if saves { try context.save() }
    let keys: [SortKey<ManagedObject>] = [
      SortKey("text", ascending: ascending, comparing: order),
      SortKey("text", comparing: []),
    ]
    return try context.fetch(FetchRequest(entityNamed: "A", sortedBy: keys)).map {
      try $0.value("text", as: String.self)
    }
  }

  @Test(arguments: [false, true]) func `texts sort by case, marks and number (PF-07)`(
    saves: Bool
  ) throws {
    #expect(try sorted(["b", "A", "a", "B"], [], saves: saves) == ["A", "B", "a", "b"])
    #expect(
      try sorted(["b", "A", "a", nil, "B"], .caseInsensitive, saves: saves)
        == [nil, "A", "a", "B", "b"])
    #expect(
      try sorted(["f", "é", "E", "z"], [.caseInsensitive, .diacriticInsensitive], saves: saves)
        == ["E", "é", "f", "z"])
    let files = ["file 10", "file 9", "file 09b", "file", "file 9a", "file x", "10", "9"]
    #expect(
      try sorted(files, .numeric, saves: saves)
        == ["9", "10", "file", "file 9", "file 9a", "file 09b", "file 10", "file x"])
    #expect(
      try sorted(
        ["a2", "A10", "a1"], [.caseInsensitive, .numeric], ascending: false, saves: saves)
        == ["A10", "a2", "a1"])
    let long = ["1" + String(repeating: "0", count: 300), "9", String(repeating: "9", count: 300)]
    #expect(try sorted(long, .numeric, saves: saves) == [long[1], long[2], long[0]])
  }

  @Test(arguments: [false, true]) func `rows sort by case, marks and number (PF-07)`(
    saves: Bool
  ) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "A",
        attributes: [
          AttributeDescription("text", .string, isOptional: true),
          AttributeDescription("number", .integer64, isOptional: true),
        ])
    ])
    let coordinator = try PersistentStoreCoordinator(CompiledModel(model), at: .inMemory)
    let context = ManagedObjectContext(coordinator: coordinator, owner: .holder)
    for text in ["b10", "B9", nil, "a", "É", "e", "A", "a"] {
      try context.insert(entityNamed: "A").setValue(text, for: "text")
    }
    if saves { try context.save() }
    func texts(_ columns: [FetchColumn], _ order: [RowOrder], _ isDistinct: Bool = false) throws
      -> [String?]
    {
      var request = RowRequest("A", columns, sortedBy: order)
      request.returnsDistinctResults = isDistinct
      return try context.fetchRows(request).map { try $0.value("text", as: String.self) }
    }
    let folded: TextOrder = [.caseInsensitive, .diacriticInsensitive, .numeric]
    #expect(
      try texts(["text"], [.ascending("text", comparing: folded)])
        == [nil, "a", "A", "a", "B9", "b10", "É", "e"])
    // What the options overlook is decided by bytes where rows differ by their columns.
    #expect(
      try texts(["text", "count() as n"], [.descending("text", comparing: folded)])
        == ["e", "É", "b10", "B9", "A", "a", nil])
    #expect(
      try texts(["text"], [.ascending("text", comparing: folded), .descending("text")], true)
        == [nil, "a", "A", "B9", "b10", "É", "e"])
    let number = #expect(throws: PersistenceError.self) {
      try texts(["text", "number"], [.ascending("number", comparing: .numeric)])
    }
    #expect(
      number?.message
        == "'number' is no text, so a sort key cannot say how its texts compare; leave out "
        + "'comparing'")
    let localized = #expect(throws: PersistenceError.self) {
      try texts(["text"], [.ascending("text", comparing: .localized)])
    }
    #expect(localized?.message.hasPrefix("texts cannot be compared as 'localized' here") == true)
  }

  @Test(arguments: [false, true]) func `what a store cannot compare by is named (PF-07)`(
    saves: Bool
  ) throws {
    let localized = #expect(throws: PersistenceError.self) {
      try sorted(["a"], .localizedStandard, saves: saves)
    }
    #expect(localized?.code == .invalidPredicate)
    #expect(
      localized?.message
        == "texts cannot be compared as 'localizedStandard' here: that order belongs to the locale of "
        + "a process, and a store has none; use [.caseInsensitive, .diacriticInsensitive, .numeric], "
        + "or sort the fetched objects")
  }

  @Test func `an order of texts is of texts only (PF-07)`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription("A", attributes: [AttributeDescription("n", .integer64)])
    ])
    let coordinator = try PersistentStoreCoordinator(CompiledModel(model), at: .inMemory)
    let context = ManagedObjectContext(coordinator: coordinator, owner: .holder)
    let key = SortKey<ManagedObject>("n", comparing: .numeric)
    let error = #expect(throws: PersistenceError.self) {
      try context.fetch(FetchRequest(entityNamed: "A", sortedBy: [key]))
    }
    #expect(
      error?.message
        == "'n' is no text, so a sort key cannot say how its texts compare; leave out 'comparing'")
  }
}
