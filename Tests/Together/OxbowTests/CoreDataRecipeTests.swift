import Foundation
import Oxbow
import OxbowTestSupport
import Testing

// Model → coordinator → context → repository: one recipe, said in five ways.

@Component("notes", .singleton) final class RecipeNotes: Sendable {
  @Inject let context: any ObjectContext & Sendable
  @Inject init(context: any ObjectContext & Sendable) { self.context = context }

  func add(_ text: String) throws {
    try context.insert(entityNamed: "Note").setValue(text, for: "text")
    try context.save()
  }

  func texts() throws -> [String] {
    let request = FetchRequest<ManagedObject>(entityNamed: "Note", sortedBy: [SortKey("text")])
    return try context.fetch(request).map { try $0.value("text", as: String.self) ?? "" }
  }
}

@Component("model", .singleton) final class RecipeModel: FactoryObject {
  @Inject(value: "${recipe.directory}") var directory = ""
  @Inject(value: "Recipe.xcdatamodel") var paths = ""

  func object() throws -> ManagedObjectModel {
    let factory = ModelFactory()
    (factory.directory, factory.paths) = (directory, paths)
    return try factory.object()
  }
}

@Component("coordinator", .singleton) final class RecipeCoordinator: FactoryObject {
  @Inject var model: ManagedObjectModel?
  @Inject(value: "${recipe.directory}/notes.sqlite") var storePath = ""

  func object() throws -> PersistentStoreCoordinator {
    let factory = StoreCoordinatorFactory()
    (factory.model, factory.storePath) = (model, storePath)
    return try factory.object()
  }
}

@Component("threadContext") final class RecipeContext: FactoryObject {
  @Inject var coordinator: PersistentStoreCoordinator?

  func object() throws -> any ObjectContext {
    let factory = ContextFactory()
    factory.coordinator = coordinator
    return try factory.object()
  }
}

@Component("context", .singleton) final class RecipeProxy: FactoryObject {
  @Inject("threadContext") var contexts: (any FactoryObject<any ObjectContext> & Sendable)?

  func object() throws -> ObjectContextProxy {
    let factory = ThreadLocalProxyFactory<ObjectContextProxy>()
    factory.factoryObject = contexts
    return try factory.object()
  }
}

/// A way to say the recipe.
enum RecipeRoute: String, CaseIterable, CustomTestStringConvertible {
  case code, annotations
  case oxenXML = "Oxen XML"
  case typhoonXML = "Typhoon XML"
  case propertyList = "a property list"

  var testDescription: String { rawValue }

  func define(_ builder: ContainerBuilder, modelsIn directory: String) throws {
    builder.placeholders.set("recipe.directory", directory)
    switch self {
    case .code: Self.defineInCode(builder, directory)
    case .annotations:
      builder.add(RecipeModel.self)
      builder.add(RecipeCoordinator.self)
      builder.add(RecipeContext.self)
      builder.add(RecipeProxy.self)
      builder.add(RecipeNotes.self)
    case .oxenXML: try builder.load(text: Self.oxen)
    case .typhoonXML: try builder.load(text: Self.typhoon)
    case .propertyList: try builder.load(text: Self.list)
    }
  }

  private static func defineInCode(_ builder: ContainerBuilder, _ directory: String) {
    let model = builder.singleton(named: "model", factory: ModelFactory.init) {
      $0.set(\.directory, to: directory)
      $0.set(\.paths, to: "Recipe.xcdatamodel")
    }
    let coordinator = builder.singleton(named: "coordinator", factory: StoreCoordinatorFactory.init)
    {
      $0.set(\.model, model)
      $0.set(\.storePath, to: directory + "/notes.sqlite")
    }
    let own = builder.prototype(named: "threadContext", factory: ContextFactory.init) {
      $0.set(\.coordinator, coordinator)
    }
    let context = builder.proxy(
      named: "context", .threadLocal, of: own, as: ObjectContextProxy.self)
    builder.singleton(named: "notes", { RecipeNotes(context: $0) }, context)
  }

  private static let oxen = """
    <container>
      <object id="model" class="ModelFactory">
        <property name="directory" value="${recipe.directory}"/>
        <property name="paths" value="Recipe.xcdatamodel"/>
      </object>
      <object id="coordinator" class="StoreCoordinatorFactory">
        <property name="model" ref="model"/>
        <property name="storePath" value="${recipe.directory}/notes.sqlite"/>
      </object>
      <object id="threadContext" class="ContextFactory" singleton="false">
        <property name="coordinator" ref="coordinator"/>
      </object>
      <object id="context" class="ThreadLocalProxyFactory">
        <property name="factoryObject" ref="threadContext"/>
      </object>
      <object id="notes" class="RecipeNotes"/>
    </container>
    """

  private static let typhoon = """
    <assembly xmlns="http://www.typhoonframework.org/schema/assembly">
      <component key="model" class="ModelFactory" scope="singleton">
        <property name="directory" value="${recipe.directory}"/>
        <property name="paths" value="Recipe.xcdatamodel"/>
      </component>
      <component key="coordinator" class="StoreCoordinatorFactory" scope="singleton">
        <property name="model" ref="model"/>
        <property name="storePath" value="${recipe.directory}/notes.sqlite"/>
      </component>
      <component key="threadContext" class="ContextFactory" scope="prototype">
        <property name="coordinator" ref="coordinator"/>
      </component>
      <component key="context" class="ThreadLocalProxyFactory" scope="singleton">
        <property name="factoryObject" ref="threadContext"/>
      </component>
      <component key="notes" class="RecipeNotes" scope="singleton">
        <initializer selector="initWithContext:">
          <argument parameterName="context" ref="context"/>
        </initializer>
      </component>
    </assembly>
    """

  private static let list = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict><key>objects</key><dict>
      <key>model</key>
      <dict>
        <key>class</key><string>ModelFactory</string>
        <key>properties</key>
        <dict>
          <key>directory</key><string>${recipe.directory}</string>
          <key>paths</key><string>Recipe.xcdatamodel</string>
        </dict>
      </dict>
      <key>coordinator</key>
      <dict>
        <key>class</key><string>StoreCoordinatorFactory</string>
        <key>properties</key>
        <dict>
          <key>model</key><dict><key>ref</key><string>model</string></dict>
          <key>storePath</key><string>${recipe.directory}/notes.sqlite</string>
        </dict>
      </dict>
      <key>threadContext</key>
      <dict>
        <key>class</key><string>ContextFactory</string>
        <key>scope</key><string>prototype</string>
        <key>properties</key>
        <dict><key>coordinator</key><dict><key>ref</key><string>coordinator</string></dict></dict>
      </dict>
      <key>context</key>
      <dict>
        <key>class</key><string>ThreadLocalProxyFactory</string>
        <key>properties</key>
        <dict><key>factoryObject</key><dict><key>ref</key><string>threadContext</string></dict></dict>
      </dict>
      <key>notes</key>
      <dict><key>class</key><string>RecipeNotes</string></dict>
    </dict></dict></plist>
    """
}

@Suite struct CoreDataRecipeTests {
  /// What a container that follows the recipe is and does.
  private struct Outcome: Equatable, Sendable {
    var names: [String] = []
    var isOneRepository = false
    var areThreadsApart = false
    var texts: [String] = []
  }

  @Test(arguments: RecipeRoute.allCases)
  func `OX-28 the recipe gives the same, however it is said`(route: RecipeRoute) throws {
    #expect(
      try outcome(of: route)
        == Outcome(
          names: ["context", "coordinator", "model", "notes", "threadContext"],
          isOneRepository: true, areThreadsApart: true,
          texts: ["note 0", "note 1", "note 2", "note 3"]))
  }

  @Test func `OX-28 each way reads the rows that each other way wrote`() throws {
    for writer in RecipeRoute.allCases {
      try inFolder { folder in
        let written = try container(writer, in: folder)
        let notes: RecipeNotes = try written.object("notes")
        try onThread { try notes.add(writer.rawValue) }
        try written.shutDown()
        for reader in RecipeRoute.allCases {
          let container = try container(reader, in: folder)
          let notes: RecipeNotes = try container.object("notes")
          #expect(
            try onThread { try notes.texts() } == [writer.rawValue], "\(reader) reads \(writer)")
          try container.shutDown()
        }
      }
    }
  }

  @Test func `OX-28 the five ways are explained as one graph`() throws {
    for route in RecipeRoute.allCases {
      try inFolder { folder in
        let graph = try container(route, in: folder).graph
        let lines = graph.definitions.map { definition in
          "\(definition.name): \(definition.typeName ?? "?"), \(definition.scope), needs "
            + definition.references.sorted().joined(separator: ", ")
        }
        #expect(
          lines.sorted() == [
            "context: ObjectContextProxy, singleton, needs threadContext",
            "coordinator: PersistentStoreCoordinator, singleton, needs model",
            "model: ManagedObjectModel, singleton, needs ",
            "notes: RecipeNotes, singleton, needs context",
            "threadContext: ObjectContext, prototype, needs coordinator",
          ], "\(route)")
        #expect(
          try graph.explain("model").chain
            == ["notes", "context", "threadContext", "coordinator", "model"], "\(route)")
      }
    }
  }

  private func outcome(of route: RecipeRoute) throws -> Outcome {
    try inFolder { try outcome(of: route, in: $0) }
  }

  private func inFolder<R>(_ body: (URL) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory.appending(path: "recipe-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try writeModel(in: folder)
    return try body(folder)
  }

  private func container(_ route: RecipeRoute, in folder: URL) throws -> Container {
    let builder = ContainerBuilder()
    try route.define(builder, modelsIn: folder.path)
    return try builder.build()
  }

  private func outcome(of route: RecipeRoute, in folder: URL) throws -> Outcome {
    let container = try container(route, in: folder)
    defer { container.close() }
    let notes: RecipeNotes = try container.object("notes")
    var outcome = Outcome(names: container.names.sorted())
    outcome.isOneRepository = try container.object("notes", as: RecipeNotes.self) === notes
    for number in [3, 1, 0, 2] {
      _ = try onThread { try notes.add("note \(number)") }
    }
    outcome.areThreadsApart = try onThread {
      _ = try notes.context.insert(entityNamed: "Note")
      defer { try? notes.context.rollback() }
      return try onThread { try !notes.context.hasChanges }
    }
    outcome.texts = try onThread { try notes.texts() }
    return outcome
  }

  private func writeModel(in folder: URL) throws {
    let model = folder.appending(path: "Recipe.xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    try Data(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Note"><attribute name="text" attributeType="String" optional="YES"/></entity>
      </model>
      """.utf8
    ).write(to: model.appending(path: "contents"))
  }
}

/// Runs `body` on a thread of its own, where no task is, and waits.
func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) throws -> R {
  let result = ThreadResult<R>()
  let done = DispatchSemaphore(value: 0)
  Thread {
    result.value = Result { try body() }
    done.signal()
  }.start()
  done.wait()
  return try #require(result.value).get()
}

private final class ThreadResult<R: Sendable>: @unchecked Sendable {
  // Sendable by argument: written before the semaphore is signalled, read after it was waited for.
  var value: Result<R, any Error>?
}
