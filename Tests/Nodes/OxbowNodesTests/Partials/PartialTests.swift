import OxbowAttributes
import OxbowContainer
import OxbowNodes
import OxbowTestSupport
import Testing

/// Properties that are built from node files, as `@Attributed(Partial<Panel>())` writes them.
struct PartialTests {
  /// An object that says which environment its properties are built with.
  private final class Desk: PartialOwner {
    let nodeEnvironment: NodeEnvironment
    private let slot: AttributedSlot<Partial<Panel>>

    init(_ environment: NodeEnvironment, _ attribute: Partial<Panel> = Partial()) {
      nodeEnvironment = environment
      slot = AttributedSlot(attribute, "panel", of: Desk.self, as: Panel?.self, initial: nil)
    }

    var panel: Panel? {
      get { slot._get(self, "panel", of: Desk.self) }
      set { slot._set(newValue, self, "panel", of: Desk.self) }
    }
  }

  /// A node with such a property: its tree has the environment.
  private final class Shelf: ViewNode {
    private let panelSlot = AttributedSlot(
      Partial<Panel>(replacing: ["text": "of a shelf"]), "panel", of: Shelf.self, as: Panel?.self,
      initial: nil)

    var panel: Panel? { panelSlot._get(self, "panel", of: Shelf.self) }
  }

  /// An object that says nothing.
  private final class Stranger {
    private let slot: AttributedSlot<Partial<Panel>>

    init(_ attribute: Partial<Panel>) {
      slot = AttributedSlot(attribute, "panel", of: Stranger.self, as: Panel?.self, initial: nil)
    }

    var panel: Panel? { slot._get(self, "panel", of: Stranger.self) }
  }

  private let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    try fixture.write(
      #"{"caption": "of ${text:a file}", "subviews": [{"Class": "Label", "text": "in it"}]}"#,
      to: "Panel.json")
  }

  @Test func `BM-16 the first reader has the file of the type's name built`() throws {
    let desk = Desk(fixture.environment)
    let panel = try #require(desk.panel)
    #expect(panel.caption == "of a file")
    #expect((panel.children.first as? Label)?.text == "in it")
    #expect(panel.tree?.root === panel)
    #expect(desk.panel === panel)
    #expect(Desk(fixture.environment).panel !== panel)
  }

  @Test func `BM-16 nothing is built before the property is read`() throws {
    let log = Log()
    let desk = Desk(fixture.environment, Partial { log.note("\($0.code)") })
    try fixture.write(#"{"caption": "written later"}"#, to: "Panel.json")
    #expect(desk.panel?.caption == "written later")
    #expect(log.lines == [])
  }

  @Test func `BM-16 of several objects in a file the last one is built`() throws {
    try fixture.write(
      #"{"objects": [{"Class": "Label"}, {"Class": "Panel", "caption": "last"}]}"#,
      to: "Panel.json")
    #expect(Desk(fixture.environment).panel?.caption == "last")
    let tree = try NodeTree.launch(Panel.self, in: fixture.environment)
    #expect(tree.root?.subtree.count == 1)
  }

  @Test func `BM-16 a property list goes before JSON`() throws {
    try fixture.folder.write(
      """
      <plist version="1.0"><dict><key>Node</key><dict>
      <key>caption</key><string>listed</string></dict></dict></plist>
      """, to: "Panel.plist")
    #expect(Desk(fixture.environment).panel?.caption == "listed")
  }

  @Test func `BM-16 what is assigned stays, and nil has the next reader build again`() throws {
    let desk = Desk(fixture.environment)
    let own = try Panel(node: [:])
    desk.panel = own
    #expect(desk.panel === own)
    desk.panel = nil
    let built = try #require(desk.panel)
    #expect(built !== own)
    desk.panel = built
    #expect(built.tree != nil)
    desk.panel = nil
    #expect(desk.panel !== built)
    // The property kept the tree.
    #expect(built.tree == nil)
  }

  @Test func `BM-16 the property of a node is built with the environment of its tree`() throws {
    var environment = fixture.environment
    environment.classes.register("Shelf") { Shelf() }
    let tree = try NodeTree.launch(node: ["Class": "Shelf"], in: environment)
    let shelf = try #require(tree.root as? Shelf)
    #expect(shelf.panel?.caption == "of of a shelf")
  }

  @Test func `BM-16 an environment can be given to the attribute`() throws {
    let stranger = Stranger(Partial(in: fixture.environment))
    #expect(stranger.panel?.caption == "of a file")
  }

  @Test func `BM-16 the container makes what is built`() throws {
    let builder = ContainerBuilder()
    let log = builder.singleton(named: "log", { Log() })
    builder.prototype(named: "badge", { Badge(log: $0) }, log)
    let container = try builder.build()
    var environment = fixture.environment
    environment.classes.register("Badge") { Badge(log: Log()) }
    environment.container = container
    try fixture.write("{}", to: "Badge.json")
    let badge = try NodeTree.launch(Badge.self, in: environment).root as? Badge
    #expect(try badge?.log === container.object("log", as: Log.self))
  }

  private final class Badge: ViewNode {
    let log: Log
    init(log: Log) {
      self.log = log
      super.init()
    }
  }

  // MARK: - Failures

  /// What is reported to a property that nothing can be built for, which is nil.
  private func reported(_ environment: NodeEnvironment) -> NodeError? {
    var reported: [NodeError] = []
    let desk = Desk(environment, Partial { reported.append($0) })
    #expect(desk.panel == nil)
    #expect(reported.count == 1)
    return reported.first
  }

  @Test func `BM-16 a missing file is named, with what a typo may have meant`() throws {
    let fixture = try Fixture()
    try fixture.write("{}", to: "Panle.json")
    let error = reported(fixture.environment)
    #expect(error?.code == .unreadableFile)
    #expect(error?.message.hasPrefix("there is no Panel.plist, Panel.json, Panel.js in") == true)
    #expect(error?.nearNames == ["Panle.json"])
  }

  @Test func `BM-16 a node of another class is refused, with its place`() throws {
    try fixture.write(#"{"Class": "Label"}"#, to: "Panel.json")
    let error = reported(fixture.environment)
    #expect(error?.code == .invalidDefinition)
    #expect(error?.message == "the node is a Label; a Panel is expected")
    #expect(error?.location?.file.hasSuffix("Panel.json") == true)
  }

  @Test func `BM-16 objects that are none are refused`() throws {
    for objects in ["[]", "3", "[4]"] {
      try fixture.write("{\"objects\": \(objects)}", to: "Panel.json")
      #expect(reported(fixture.environment)?.code == .invalidDefinition)
    }
  }

  @Test func `BM-16 an object without an environment learns how to give one`() {
    var reported: [NodeError] = []
    #expect(Stranger(Partial { reported.append($0) }).panel == nil)
    #expect(reported.first?.code == .setUpFailed)
    #expect(reported.first?.message.contains("let Stranger conform to PartialOwner") == true)
  }

  /// A node that reads the property which it is built for.
  private final class Mirror: ViewNode {
    let hall: Hall
    var sawNothing = false

    init(_ hall: Hall) {
      self.hall = hall
      super.init()
    }

    override func didSetUp() { sawNothing = hall.mirror == nil }
  }

  private final class Hall: @unchecked Sendable {
    // Sendable by argument: one test uses it.
    var environment: NodeEnvironment?
    var reported: [NodeError] = []
    private lazy var slot = AttributedSlot(
      Partial<Mirror>(in: environment) { [unowned self] in reported.append($0) }, "mirror",
      of: Hall.self, as: Mirror?.self, initial: nil)

    var mirror: Mirror? { slot._get(self, "mirror", of: Hall.self) }
  }

  @Test func `BM-16 a property that needs itself while it is built is nil there`() throws {
    let hall = Hall()
    var environment = fixture.environment
    environment.classes.register("Mirror") { Mirror(hall) }
    hall.environment = environment
    try fixture.write("{}", to: "Mirror.json")
    #expect(hall.mirror?.sawNothing == true)
    #expect(hall.reported.map(\.message) == ["'Hall.mirror' needs itself while it is built"])
    hall.environment = nil
  }
}
