import Foundation
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
        == "'number' is not text, so a sort key cannot say how its texts compare; leave out "
        + "'comparing'")
    let german = TextOrder.localizedStandard(in: Locale(identifier: "de_DE"))
    #expect(
      try texts(["text"], [.ascending("text", comparing: german), .descending("text")], true)
        == [nil, "a", "A", "B9", "b10", "e", "É"])
  }

  @Test(arguments: [false, true]) func `texts sort by the rules of a language (PF-07)`(
    saves: Bool
  ) throws {
    let words = ["zebra", "Äpfel", nil, "apfel", "Zebra", "oel", "Öl", "ångström"]
    func sorted(_ order: TextOrder, ascending: Bool = true) throws -> [String?] {
      try self.sorted(words, order, ascending: ascending, saves: saves)
    }
    let (german, swedish) = (Locale(identifier: "de_DE"), Locale(identifier: "sv_SE"))
    #expect(
      try sorted(.localized(in: german))
        == [nil, "ångström", "apfel", "Äpfel", "oel", "Öl", "zebra", "Zebra"])
    #expect(
      try sorted(.localized(in: swedish))
        == [nil, "apfel", "oel", "zebra", "Zebra", "ångström", "Äpfel", "Öl"])
    #expect(
      try sorted(.localized(in: swedish), ascending: false)
        == ["Öl", "Äpfel", "ångström", "Zebra", "zebra", "oel", "apfel", nil])
    // Equal under the options: the next key decides, by bytes.
    #expect(
      try sorted([.localized(in: german), .caseInsensitive]).suffix(2) == ["Zebra", "zebra"])
    #expect(try sorted(.localized).first == .some(nil))
    let files = ["File 10", "file 9", "file 1"]
    #expect(
      try self.sorted(files, .localizedStandard, saves: saves) == ["file 1", "file 9", "File 10"])
    #expect(
      try self.sorted(files, [.localized(in: german), .numeric], saves: saves)
        == ["file 1", "file 9", "File 10"])
  }

  @Test(arguments: [false, true]) func `what is not a locale is said (PF-07)`(saves: Bool) throws {
    let order = TextOrder.localized(in: Locale(identifier: "日本"))
    let error = #expect(throws: PersistenceError.self) {
      try sorted(["a", "b"], order, saves: saves)
    }
    #expect(error?.message.contains("is not an identifier of a locale") == true)
  }

  @Test func `options keep the locale of their set (PF-07)`() {
    let german = Locale(identifier: "de_DE")
    let order: TextOrder = [.numeric, .localized(in: german), .caseInsensitive]
    #expect(order == [.localized(in: german), .numeric, .caseInsensitive])
    #expect(order != [.localized, .numeric, .caseInsensitive])
    #expect(order.contains(.numeric) && order.contains(.localized))
    #expect(order.union(.numeric) == order)
    #expect(Set([order, order.union(.localized(in: Locale(identifier: "sv_SE")))]).count == 2)
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
        == "'n' is not text, so a sort key cannot say how its texts compare; leave out 'comparing'")
  }
}
