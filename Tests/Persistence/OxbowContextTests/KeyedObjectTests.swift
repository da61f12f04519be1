import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Objects of entities without a class, by key (PM-06), with attributes of every type (PM-01) and
/// inheritance (PM-02).
@Suite struct KeyedObjectTests {
  private static let types: [AttributeType] = [
    .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
    .binaryData, .uuid, .uri, .transformable,
  ]

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      "Thing", isAbstract: true,
      attributes: types.map {
        AttributeDescription("a\($0.rawValue.filter { $0 != " " })", $0, isOptional: true)
      } + [
        AttributeDescription("note", .string, isOptional: true, isTransient: true),
        AttributeDescription("rank", .integer32, defaultValue: .integer(7)),
      ],
      relationships: [
        RelationshipDescription(
          "parts", to: "Part", inverse: "thing", isToMany: true, minimumCount: 1, maximumCount: 2)
      ]),
    EntityDescription("Tool", parent: "Thing"),
    EntityDescription("Saw", parent: "Tool"),
    EntityDescription(
      "Part", relationships: [RelationshipDescription("thing", to: "Thing", inverse: "parts")]),
  ])

  private let coordinator: PersistentStoreCoordinator
  private let context: ManagedObjectContext

  init() throws {
    coordinator = try PersistentStoreCoordinator(CompiledModel(Self.model), at: .inMemory)
    context = ManagedObjectContext(coordinator: coordinator, owner: .holder)
  }

  private func reader() -> ManagedObjectContext {
    ManagedObjectContext(coordinator: coordinator, owner: .holder)
  }

  @Test func `PM-01 PM-06 values of every type are kept by key, those at the ends as well`() throws
  {
    let tool = try context.insert(entityNamed: "Tool")
    let large = try #require(Decimal(string: "99999999999999999999999999999999999999"))
    let uuid = UUID()
    let link = try #require(URL(string: "https://example.org/a?b=c#d"))
    try tool.setValue(Int16.min, for: "aInteger16")
    try tool.setValue(Int32.max, for: "aInteger32")
    try tool.setValue(Int64.min, for: "aInteger64")
    try tool.setValue(large, for: "aDecimal")
    try tool.setValue(-Double.infinity, for: "aDouble")
    try tool.setValue(Float.leastNonzeroMagnitude, for: "aFloat")
    try tool.setValue("e\u{301}\0\u{1F600}", for: "aString")
    try tool.setValue(true, for: "aBoolean")
    try tool.setValue(Date(timeIntervalSinceReferenceDate: -1e10), for: "aDate")
    try tool.setValue(Data([0, 255]), for: "aBinary")
    try tool.setValue(uuid, for: "aUUID")
    try tool.setValue(link, for: "aURI")
    try tool.setValue(TransformedData(Data([1])), for: "aTransformable")
    try tool.setValue("here", for: "note")
    try context.save()
    #expect(try tool.value("note") == "here")
    let found = try #require(
      try reader().fetch(FetchRequest<ManagedObject>(entityNamed: "Thing")).first)
    #expect(try found.value("aInteger16") == Int16.min)
    #expect(try found.value("aInteger32") == Int32.max)
    #expect(try found.value("aInteger64") == Int64.min)
    #expect(try found.value("aDecimal") == large)
    #expect(try found.value("aDouble") == -Double.infinity)
    #expect(try found.value("aFloat") == Float.leastNonzeroMagnitude)
    #expect(try found.value("aString") == "e\u{301}\0\u{1F600}")
    #expect(try found.value("aBoolean") == true)
    #expect(try found.value("aDate") == Date(timeIntervalSinceReferenceDate: -1e10))
    #expect(try found.value("aBinary") == Data([0, 255]))
    #expect(try found.value("aUUID") == uuid)
    #expect(try found.value("aURI") == link)
    #expect(try found.value("aTransformable") == TransformedData(Data([1])))
    #expect(try found.value("rank") == Int32(7))
    // What is transient is in the memory of one context.
    #expect(try found.value("note", as: String.self) == nil)
  }

  @Test func `PM-06 a name that is none, and a value of another type, are errors`() throws {
    let tool = try context.insert(entityNamed: "Tool")
    let unknown = #expect(throws: PersistenceError.self) { try tool.setValue(1, for: "rnak") }
    #expect(unknown?.code == .unknownProperty && unknown?.nearNames == ["rank"])
    #expect(throws: PersistenceError.self) { try tool.setValue("x", for: "rank") }
    #expect(throws: PersistenceError.self) { try tool.value("rank", as: String.self) }
    #expect(throws: PersistenceError.self) { try tool.value("parts", as: String.self) }
  }

  @Test func `PM-02 a fetch of an entity returns those below, or leaves them out`() throws {
    for name in ["Tool", "Saw", "Saw"] { _ = try context.insert(entityNamed: name) }
    for saves in [false, true] {
      if saves { try context.save() }
      var request = FetchRequest<ManagedObject>(entityNamed: "Thing")
      #expect(try context.count(request) == 3)
      request.includesSubentities = false
      #expect(try context.count(request) == 0)
      request.entityName = "Tool"
      #expect(try context.fetch(request).map(\.objectID.entityName) == ["Tool"])
      request.includesSubentities = true
      #expect(try context.fetch(request).count == 3)
    }
    let error = #expect(throws: PersistenceError.self) {
      _ = try context.insert(entityNamed: "Thing")
    }
    #expect(error?.message.contains("abstract") == true)
  }

  @Test func `PM-01 the counts of a relationship are rules of a save`() throws {
    let tool = try context.insert(entityNamed: "Tool")
    let parts = try (0..<3).map { _ in try context.insert(entityNamed: "Part") }
    try tool.setObjects(parts, for: "parts")
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .validation && error?.message.contains("'parts'") == true)
    try tool.setObjects([parts[0]], for: "parts")
    try context.save()
  }

  @Test func `PF-01 objects are met by their IDs, read or not`() throws {
    let tool = try context.insert(entityNamed: "Tool")
    try context.save()
    let reader = reader()
    #expect(reader.registeredObject(for: tool.objectID) == nil)
    let fault = try reader.object(with: tool.objectID)
    #expect(fault.isFault && reader.registeredObject(for: tool.objectID) === fault)
    let found: ManagedObject = try reader.existingObject(with: tool.objectID)
    #expect(found === fault && !found.isFault)
    try context.delete(tool)
    try context.save()
    let error = #expect(throws: PersistenceError.self) {
      let _: ManagedObject = try self.reader().existingObject(with: tool.objectID)
    }
    #expect(error?.code == .rowGone)
  }

  @Test func `PF-02 faults are filled, and objects become faults again`() throws {
    let tool = try context.insert(entityNamed: "Tool")
    let part = try context.insert(entityNamed: "Part")
    try tool.setValue(1, for: "rank")
    try part.setObjects([tool], for: "thing")
    try context.save()
    let reader = reader()
    // A to-one fault, filled by touching it.
    let whole = try #require(
      try reader.fetch(FetchRequest<ManagedObject>(entityNamed: "Part")).first?.objects("thing")
        .first)
    #expect(whole.isFault)
    #expect(try whole.value("rank") == Int32(1))
    #expect(!whole.isFault)
    // A to-many fault.
    #expect(try whole.objects("parts").map(\.objectID) == [part.objectID])
    // Refreshed, it is a fault again and has what others saved, without its own changes.
    try tool.setValue(2, for: "rank")
    try context.save()
    try whole.setValue(9, for: "rank")
    try reader.refresh(whole)
    #expect(whole.isFault && !whole.hasChanges)
    #expect(try whole.value("rank") == Int32(2))
    // A reset leaves nothing registered.
    try reader.reset()
    #expect(reader.registeredCount == 0 && whole.context == nil)
  }
}
