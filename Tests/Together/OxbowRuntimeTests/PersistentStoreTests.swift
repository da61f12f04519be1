import OxbowRuntime
import OxbowTestSupport
import Testing

/// A store and its contexts, defined in one call.
@Suite struct PersistentStoreTests {
  @Test func `one call wires model, coordinator, and a context for each thread`() throws {
    let builder = ContainerBuilder()
    let context = builder.persistentStore(at: .temporary, types: [Memo.self])
    let memos = builder.singleton(Memos.init(context:), context)
    let container = try builder.build()
    let repository = try container.object(memos)
    try onThreads(4) { try repository.add("\($0)") }
    try onThreads(1) { _ in
      let texts = try repository.texts()
      #expect(texts == ["0", "1", "2", "3"])
    }
    #expect(try container.object("memos", as: Memos.self) === repository)
  }

  @Test func `the definitions have names, and are seen and explained by them`() throws {
    let builder = ContainerBuilder()
    let context = builder.persistentStore(at: .inMemory, types: [Memo.self])
    builder.singleton(Memos.init(context:), context)
    #expect(builder.check().problems.isEmpty)
    #expect(builder.check().notes.isEmpty)
    let container = try builder.build()
    #expect(
      Set(container.graph.definitions.map(\.name))
        == ["model", "coordinator", "threadContext", "context", "memos"])
    let model = try container.object("model", as: ManagedObjectModel.self)
    #expect(model.entities.map(\.name) == ["Memo"])
    let coordinator = try container.object("coordinator", as: PersistentStoreCoordinator.self)
    let proxy = try container.object("context", as: ObjectContextProxy.self)
    try onThreads(1) { _ in
      let own = try proxy.insert(Memo.self) { $0.text = "x" }
      #expect(own.context?.coordinator === coordinator)
      try proxy.rollback()
    }
  }

  @Test func `several stores have names of their own`() throws {
    let builder = ContainerBuilder()
    builder.persistentStore(at: .inMemory, types: [Memo.self])
    builder.persistentStore("archive", at: .inMemory, types: [Memo.self])
    let container = try builder.build()
    #expect(
      Set(container.graph.definitions.map(\.name)) == [
        "model", "coordinator", "threadContext", "context", "archiveModel", "archiveCoordinator",
        "archiveThreadContext", "archiveContext",
      ])
    let first = try container.object("coordinator", as: PersistentStoreCoordinator.self)
    let second = try container.object("archiveCoordinator", as: PersistentStoreCoordinator.self)
    #expect(first !== second)
  }

  @Test func `several stores are behind one context, each with its configuration (PM-08)`() throws {
    let folder = try TemporaryFolder()
    func context() throws -> ObjectContextProxy {
      let builder = ContainerBuilder()
      builder.persistentStore(
        stores: [
          .init(.file(folder.file("notes.sqlite")), configuration: "Notes"),
          .init(.file(folder.file("rest.sqlite"))),
        ], types: [Memo.self, Place.self], configurations: ["Notes": ["Memo"]],
        migrations: StoreMigrations(.automatic))
      return try builder.build().object("context", as: ObjectContextProxy.self)
    }
    let writer = try context()
    try onThreads(1) { _ in
      try writer.insert(Memo.self) { $0.text = "x" }
      try writer.insert(Place.self) { $0.name = "y" }
      try writer.save()
    }
    let reader = try context()
    try onThreads(1) { _ in
      let counts = [try reader.count(Memo.self), try reader.count(Place.self)]
      #expect(counts == [1, 1])
    }
    // The store of a configuration opens alone.
    let model = ManagedObjectModel(types: [Memo.self])
    let alone = try PersistentContainer(
      .file(folder.file("notes.sqlite")), model: model, classes: [Memo.self])
    #expect(try alone.perform { try $0.count(Memo.self) } == 1)
  }

  @Test func `several stores have no folder of migrations (PM-08)`() throws {
    let builder = ContainerBuilder()
    builder.persistentStore(
      stores: [.init(.inMemory, configuration: "Notes"), .init(.inMemory)],
      types: [Memo.self, Place.self], configurations: ["Notes": ["Memo"]],
      migrations: StoreMigrations(.automatic, folder: "Migrations"))
    let container = try builder.build()
    let error = #expect(throws: (any Error).self) {
      try container.object("coordinator", as: PersistentStoreCoordinator.self)
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(
      text.contains(
        "the folder 'Migrations' has the migrations of one store, and there are 2; migrate each"))
  }

  @Test func `a test puts another store or another context in their stead`() throws {
    let builder = ContainerBuilder()
    let context = builder.persistentStore(
      at: .file("/nowhere/at/all.sqlite"), types: [Memo.self])
    let memos = builder.singleton(Memos.init(context:), context)
    let container = try builder.build()
    let store = try PersistentContainer(.temporary, types: [Memo.self])
    let byStore = try container.patched { $0.replace("coordinator", with: { store.coordinator }) }
    try onThreads(1) { _ in try byStore.object(memos).add("stored") }
    let byContext = try container.patched { $0.replace("context", with: { store.contexts }) }
    try onThreads(1) { _ in
      let texts = try byContext.object(memos).texts()
      #expect(texts == ["stored"])
    }
    try onThreads(1) { _ in
      let repository = try container.object(memos)
      #expect(throws: ContainerError.self) { try repository.add("lost") }
    }
  }

  @Test func `documents declare the model where there are some, options and migrations pass`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Note"><attribute name="text" attributeType="String"/></entity>
      </model>
      """, to: "Notes, all.xcdatamodel/contents")
    let builder = ContainerBuilder()
    builder.persistentStore(
      at: .file(folder.file("notes.sqlite")),
      documents: [folder.file("Notes, all.xcdatamodel")],
      options: SQLiteStoreOptions(createsStore: false), migrations: StoreMigrations(.automatic))
    let container = try builder.build()
    let model = try container.object("model", as: ManagedObjectModel.self)
    #expect(model.entities.map(\.name) == ["Note"])
    #expect(throws: (any Error).self) {
      try container.object("coordinator", as: PersistentStoreCoordinator.self)
    }
  }

  @Test func `a container that is shut down closes its store`() throws {
    let builder = ContainerBuilder()
    builder.persistentStore(at: .temporary, types: [Memo.self])
    let container = try builder.build()
    let coordinator = try container.object("coordinator", as: PersistentStoreCoordinator.self)
    try container.shutDown()
    let context = ManagedObjectContext(coordinator: coordinator)
    let error = #expect(throws: PersistenceError.self) { try context.count(Memo.self) }
    #expect(error?.code == .storeClosed)
  }
}

/// An entity as `@Entity` writes it.
final class Memo: ManagedObject, ModelObject {
  var text: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  class var entityName: String { "Memo" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Memo", className: "Memo",
      attributes: [AttributeDescription("text", String.attributeType, isOptional: false)])
  }
  class var _propertyNames: [String] { ["text"] }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { [(\Memo.text, "text")] }
}

/// Another one, for another store.
final class Place: ManagedObject, ModelObject {
  var name: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  class var entityName: String { "Place" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Place", className: "Place",
      attributes: [AttributeDescription("name", String.attributeType, isOptional: false)])
  }
  class var _propertyNames: [String] { ["name"] }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { [(\Place.name, "name")] }
}

/// A repository that takes any context.
final class Memos: Sendable {
  let context: any ObjectContext & Sendable
  init(context: any ObjectContext & Sendable) { self.context = context }

  func add(_ text: String) throws {
    try context.insert(Memo.self) { $0.text = text }
    try context.save()
  }

  func texts() throws -> [String] {
    try context.fetch(Memo.self, sortedBy: [.ascending(\.text)]).map(\.text)
  }
}
