import Foundation
import OxbowRuntime
import Testing

/// Where a store of the program's own can be opened.
struct AtomicStorePlacesTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription("Note", attributes: [AttributeDescription("text", .string)]),
    EntityDescription(
      "Visit", attributes: [AttributeDescription("page", .string)],
      uniquenessConstraints: [["page"]]),
  ]).with(configurations: ["Notes": ["Note"], "Log": ["Visit"]])

  private func add(_ context: ManagedObjectContext) throws {
    try context.insert(entityNamed: "Note").setValue("note", for: "text")
    try context.insert(entityNamed: "Visit").setValue("page", for: "page")
  }

  private func coordinator(_ places: [StoreLocation]) throws -> PersistentStoreCoordinator {
    try PersistentStoreCoordinator(
      CompiledModel(Self.model),
      stores: zip(places, ["Notes", "Log"]).map { SQLiteStoreDescription($0, configuration: $1) })
  }

  @Test func `PS-01 a store of the program's own is one of several`() throws {
    for _ in 0..<8 {  // The identifiers, and so the order, are others each time.
      let store = ScriptedStore()
      let coordinator = try coordinator([.atomic(store), .temporary])
      defer { coordinator.close() }
      let context = ManagedObjectContext(coordinator: coordinator)
      try add(context)
      store.refuse()
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .storeFailed)
      let other = ManagedObjectContext(coordinator: coordinator)
      #expect(try other.count(FetchRequest<ManagedObject>(entityNamed: "Visit")) == 0)
      store.refuse(false)
      try context.save()
      #expect(store.contents?.objects.map(\.id.entity) == ["Note"])
      #expect(try other.count(FetchRequest<ManagedObject>(entityNamed: "Visit")) == 1)
      #expect(store.contents?.metadata.versionHashes.keys.sorted() == ["Note"])
    }
  }

  @Test func `PS-01 a rule that the other store finds broken reaches none`() throws {
    let store = ScriptedStore()
    let coordinator = try coordinator([.atomic(store), .temporary])
    defer { coordinator.close() }
    for isFirst in [true, false] {
      let context = ManagedObjectContext(coordinator: coordinator)
      try add(context)
      let saves = store.saves.count
      if isFirst {
        try context.save()
      } else {
        expectFailure(.uniquenessViolated) { try context.save() }
        #expect(store.saves.count == saves)
      }
    }
  }

  @Test func `PS-01 of two stores of the program's own, one can refuse when the other has saved`()
    throws
  {
    let (one, other) = (ScriptedStore(), ScriptedStore())
    let coordinator = try coordinator([.atomic(one), .atomic(other)])
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    try add(context)
    one.refuse()
    // Which one commits first is a matter of their identifiers.
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    let hasSaved = other.contents?.objects.isEmpty == false
    #expect(error?.code == (hasSaved ? .partlySaved : .storeFailed))
    #expect(one.contents?.objects.isEmpty == true)
  }

  @Test func `PS-01 a container opens a store of the program's own and closes it`() throws {
    let store = ScriptedStore()
    let builder = ContainerBuilder()
    let coordinator = builder.singleton(named: "coordinator", factory: StoreCoordinatorFactory.init)
    {
      $0.set(\.location, to: .atomic(store))
      $0.set(\.model, to: Self.model)
    }
    let container = try builder.build()
    let context = ManagedObjectContext(coordinator: try container.object(coordinator))
    try context.insert(entityNamed: "Note").setValue("kept", for: "text")
    try context.save()
    #expect(store.contents?.objects.map(\.attributes) == [["text": .string("kept")]])
    try container.shutDown()
    #expect(store.closeCount == 1)
  }

  @Test func `PS-01 a store of the program's own is copied into a SQLite file`() throws {
    let store = ScriptedStore()
    let container = try PersistentContainer(.atomic(store), model: Self.model)
    defer { container.close() }
    try container.perform { context in
      try add(context)
      try context.save()
    }
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).sqlite"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try container.coordinator.backUp(to: path)
    let copy = try PersistentContainer(.file(path), model: Self.model)
    defer { copy.close() }
    #expect(copy.coordinator.storeIdentifier == container.coordinator.storeIdentifier)
    #expect(try copy.makeContext().count(FetchRequest<ManagedObject>(entityNamed: "Note")) == 1)
  }
}
