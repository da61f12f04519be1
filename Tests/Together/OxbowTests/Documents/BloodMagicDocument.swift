import Oxbow
import OxbowNodes
import OxbowTestSupport
import Synchronization
import Testing

// BloodMagic's document, example by example in its order, as a program says it with Oxbow.

private protocol Progressing: AnyObject, Sendable { var title: String { get } }

@Suite("The document of BloodMagic") struct BloodMagicDocument {
  final class Service: Sendable {
    static let made = Atomic<Int>(0)
    let title: String
    init() {
      title = "plain"
      Self.made.add(1, ordering: .relaxed)
    }
    init(for screen: Screen) { title = "of \(screen.title)" }
  }

  final class Board: Progressing { let title = "board" }

  final class Client: Sendable {}

  final class Header: ViewNode {}

  /// An attribute of the program's own.
  struct Trimmed: PropertyAttribute {
    func set(_ access: inout AttributeAccess<String>) {
      access.value = access.value?.filter { $0 != " " }
    }
  }

  /// Every attribute of the first example.
  final class Everything: PartialOwner {
    let nodeEnvironment: NodeEnvironment
    @Lazy var progress: Service
    @Attributed(Partial<Header>()) var header: Header?
    @Final var almostConstant: String?
    @Preference("token") var token: String = ""
    @Injected var client: Client
    @Attributed(Trimmed()) var anything: String = "any thing"

    init(_ environment: NodeEnvironment) { nodeEnvironment = environment }
  }

  class Screen {
    let title: String
    @Injected var service: Service
    init(_ title: String = "screen") { self.title = title }
  }

  final class WideScreen: Screen {}

  private func environment() throws -> (NodeEnvironment, TemporaryFolder) {
    let folder = try TemporaryFolder()
    try folder.write(#"{"Node": {"alpha": 0.5}}"#, to: "Header.json")
    var environment = NodeEnvironment(files: NodeFiles(root: folder.path))
    environment.classes.register("Header", Header.init)
    return (environment, folder)
  }

  @Test func `The attributes: each of the list, and one of the program's own`() throws {
    let (environment, folder) = try environment()
    defer { withExtendedLifetime(folder) {} }
    let initializers = PropertyInitializers()
    initializers.register(Client.self) { _ in Client() }
    let object = Everything(environment)
    try initializers.inject(into: object)
    #expect(object.progress.title == "plain")
    #expect(object.header?.alpha == 0.5)
    object.almostConstant = "once"
    Preferences.$taskStore.withValue(MemoryPreferenceStore()) {
      object.token = "abc"
      #expect(object.token == "abc")
    }
    #expect(object.client === object.client)
    object.anything = "a b c"
    #expect(object.anything == "abc")
  }

  // MARK: - Lazy initialization

  final class LazyScreen: Sendable { @Lazy var service: Service }

  @Test func `Lazy initialization: the first reader has the object made`() {
    let before = Service.made.load(ordering: .relaxed)
    let screen = LazyScreen()
    #expect(!screen.$service.isMade)
    let service = screen.service
    #expect(screen.service === service)
    #expect(Service.made.load(ordering: .relaxed) > before)
  }

  @Test func `Lazy initialization: so has the reader by name`() throws {
    let screen = NamedLazyScreen()
    #expect(!screen.$service.isMade)
    let service = try screen[property: "service"] as? NamedService
    #expect(service != nil)
    #expect(screen.service === service)
  }

  // MARK: - Dependency injection

  private func screen<S: Screen>(
    _ type: S.Type, _ make: @escaping @Sendable () -> S, _ initializers: PropertyInitializers
  ) throws -> S {
    let builder = ContainerBuilder()
    builder.add(initializers)
    builder.prototype(named: "screen", make)
    return try builder.build().object("screen", as: type)
  }

  @Test func `Dependency injection: an initializer for a class of properties and of their owners`()
    throws
  {
    let initializers = PropertyInitializers()
    initializers.register(Service.self, owner: Screen.self) { Service(for: $0.owner) }
    let screen = try screen(Screen.self, { Screen("main") }, initializers)
    #expect(screen.service.title == "of main")
  }

  @Test func `Dependency injection: an initializer for a derived class goes before its base's`()
    throws
  {
    let initializers = PropertyInitializers()
    initializers.register(Service.self, owner: Screen.self) { _ in Service() }
    initializers.register(Service.self, owner: WideScreen.self) { Service(for: $0.owner) }
    let wide = try screen(WideScreen.self, { WideScreen("wide") }, initializers)
    #expect(wide.service.title == "of wide")
    let plain = try screen(Screen.self, { Screen("main") }, initializers)
    #expect(plain.service.title == "plain")
  }

  @Test func `Dependency injection: one object for all who need it`() throws {
    let initializers = PropertyInitializers()
    initializers.register(Service.self, scope: .shared) { _ in Service() }
    let builder = ContainerBuilder()
    builder.add(initializers)
    builder.prototype(named: "screen", { Screen() })
    let container = try builder.build()
    let (first, second) = (
      try container.object("screen", as: Screen.self),
      try container.object("screen", as: Screen.self)
    )
    #expect(first.service === second.service)
  }

  final class BoardScreen { @Injected fileprivate var board: any Progressing }

  @Test func `Dependency injection: an initializer for a protocol`() throws {
    let initializers = PropertyInitializers()
    initializers.register(protocols: [(any Progressing).self]) { _ in Board() }
    let screen = BoardScreen()
    try initializers.inject(into: screen)
    #expect(screen.board.title == "board")
  }

  final class HookedScreen {
    var seen = ""
    @Injected(didInject: HookedScreen.serviceInjected) var service: Service
    func serviceInjected(_ service: Service) { seen = service.title }
  }

  @Test func `Injection hooks: the owner hears what was injected`() throws {
    let initializers = PropertyInitializers()
    initializers.register(Service.self) { _ in Service() }
    let screen = HookedScreen()
    try initializers.inject(into: screen)
    #expect(screen.seen == "")
    _ = screen.service
    #expect(screen.seen == "plain")
  }

  // MARK: - Partial views

  final class Cell: PartialOwner {
    let nodeEnvironment: NodeEnvironment
    @Attributed(Partial<Header>()) var header: Header?
    init(_ environment: NodeEnvironment) { nodeEnvironment = environment }
  }

  final class Profile: ViewNode { @Attributed(Partial<Header>()) var header: Header? }

  @Test func `Partial views: one file for two owners, each with a view of its own`() throws {
    var (environment, folder) = try environment()
    defer { withExtendedLifetime(folder) {} }
    environment.classes.register("Profile", Profile.init)
    try folder.write(#"{"Node": {"Class": "Profile"}}"#, to: "profile.json")
    let cell = Cell(environment)
    let tree = try NodeTree.launch("profile.json", in: environment)
    let profile = try #require(tree.root as? Profile)
    #expect(cell.header?.alpha == 0.5)
    #expect(profile.header?.alpha == 0.5)
    #expect(cell.header !== profile.header)
    #expect(cell.header === cell.header)
  }

  // MARK: - Assign-once properties

  final class Fixed: Sendable { @Final var text: String? }

  @Test func `Assign-once properties: a second assignment is refused`() throws {
    let fixed = Fixed()
    fixed.text = "first"
    #expect(throws: (any Error).self) { try fixed.$text.trySet("second") }
    #expect(fixed.text == "first")
  }

  // MARK: - Preferences

  struct Settings { @Preference("nickname") var nickname: String? }

  @Test func `Preferences: a value is kept under the name of its property`() throws {
    let store = MemoryPreferenceStore()
    Preferences.$taskStore.withValue(store) {
      let settings = Settings()
      settings.nickname = "Ada"
      #expect(Settings().nickname == "Ada")
      #expect(store.text(forKey: "nickname") == #""Ada""#)
    }
  }
}

final class NamedService: Sendable {
  init() {}
}

@Component final class NamedLazyScreen: Sendable {
  @Lazy var service: NamedService
  init() {}
}
