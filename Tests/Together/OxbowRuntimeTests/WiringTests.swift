import Foundation
import OxbowRuntime
import Testing

@Suite struct WiringTests {
  @Test func `model, coordinator, context and repository are wired in code (OX-28)`() throws {
    let builder = ContainerBuilder()
    let model = builder.singleton(named: "model", { notesModel })
    let coordinator = builder.singleton(named: "coordinator", factory: StoreCoordinatorFactory.init)
    {
      $0.set(\.storePath, to: ":memory:")
      $0.set(\.model, model)
    }
    let threadContext = builder.prototype(named: "threadContext", factory: ContextFactory.init) {
      $0.set(\.coordinator, coordinator)
    }
    let context = builder.proxy(
      named: "context", .threadLocal, of: threadContext, as: ObjectContextProxy.self)
    let notes = builder.singleton(named: "notes", Notes.init(context:), context)
    let container = try builder.build()

    let repository = try container.object(notes)
    try onThreads(8) { thread in
      try repository.add("\(thread)")
      try repository.save()
    }
    try onThreads(1) { _ in
      let count = try repository.texts().count
      #expect(count == 8)
    }
    #expect(try container.object(notes) === repository)
  }

  @Test func `a factory without its model says so`() throws {
    let builder = ContainerBuilder()
    let coordinator = builder.singleton(named: "coordinator", factory: StoreCoordinatorFactory.init)
    {
      $0.set(\.storePath, to: ":memory:")
    }
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) { try container.object(coordinator) }
    #expect("\(error!)".contains("model"))
  }
}

extension WiringTests {
  @Test func `model, coordinator, context and repository are wired in Oxen XML (OX-24, OX-28)`()
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "oxbow-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = folder.appending(path: "Notes.xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    try Data(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Note"><attribute name="text" attributeType="String"/></entity>
      </model>
      """.utf8
    ).write(to: model.appending(path: "contents"))
    let builder = ContainerBuilder()
    try builder.load(
      text: """
        <container>
          <object id="model" class="ModelFactory">
            <property name="directory" value="\(folder.path)"/>
            <property name="paths" value="Notes.xcdatamodel"/>
          </object>
          <object id="coordinator" class="StoreCoordinatorFactory">
            <property name="storePath" value=":memory:"/>
            <property name="model" ref="model"/>
          </object>
          <object id="threadContext" class="ContextFactory" singleton="false">
            <property name="coordinator" ref="coordinator"/>
          </object>
          <object id="context" class="ThreadLocalProxyFactory">
            <property name="factoryObject" ref="threadContext"/>
          </object>
        </container>
        """)
    let container = try builder.build()
    let context = try container.object("context", as: ObjectContextProxy.self)
    let notes = Notes(context: context)
    try onThreads(8) { thread in
      try notes.add("\(thread)")
      try notes.save()
    }
    try onThreads(1) { _ in
      let count = try notes.texts().count
      #expect(count == 8)
    }
  }

  @Test func `one definition of a file is a whole store, and its parts have names`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "entities", { notesModel })
    try builder.load(
      text: """
        <container>
          <object id="context" class="PersistentStoreFactory">
            <property name="storePath" value=":memory:"/>
            <property name="model" ref="entities"/>
            <property name="name" value="notes"/>
          </object>
        </container>
        """)
    let notes = builder.singleton(
      Notes.init(context:), Ref<any ObjectContext & Sendable>("context"))
    let container = try builder.build()
    let repository = try container.object(notes)
    try onThreads(8) { thread in
      try repository.add("\(thread)")
      try repository.save()
    }
    try onThreads(1) { _ in
      let count = try repository.texts().count
      #expect(count == 8)
    }
    let names = container.graph.definitions.map(\.name).sorted()
    #expect(names == ["context", "coordinator", "entities", "notes", "threadContext"])
    let coordinator: PersistentStoreCoordinator = try container.object("coordinator")
    try container.shutDown()
    #expect(throws: PersistenceError.self) {
      try ManagedObjectContext(coordinator: coordinator).fetch(allNotes())
    }
  }

  @Test func `a store whose model is given has no property for documents`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "entities", { notesModel })
    try builder.load(
      text: """
        <container>
          <object id="context" class="PersistentStoreFactory">
            <property name="storePath" value=":memory:"/>
            <property name="model" ref="entities"/>
            <property name="paths" value="a.xcdatamodel"/>
          </object>
        </container>
        """)
    #expect(
      builder.check().problems.map(\.message) == [
        "object \"coordinator\": class \"StoreCoordinatorFactory\" has no property named \"paths\""
      ])
  }

  @Test func `a property list and code have a store in one definition, too`() throws {
    let builder = ContainerBuilder()
    try builder.load(
      text: """
        <plist version="1.0"><dict><key>objects</key><dict><key>archiveContext</key><dict>
          <key>class</key><string>PersistentStoreFactory</string>
          <key>properties</key><dict><key>paths</key><string>a.xcdatamodel</string>
          <key>storePth</key><string>a</string></dict>
        </dict></dict></dict></plist>
        """)
    builder.add(
      ObjectDefinition(
        name: "store", class: "PersistentStoreFactory", values: ["storePath": ":memory:"]))
    let report = builder.check()
    #expect(
      report.problems.map(\.message) == [
        "object \"archiveCoordinator\": class \"StoreCoordinatorFactory\" has no property named "
          + "\"storePth\""
      ])
    #expect(
      report.graph.definitions.map(\.name).filter { $0.hasPrefix("store") }.sorted()
        == ["store", "storeCoordinator", "storeModel", "storeThreadContext"])
  }
}
