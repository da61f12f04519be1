import Foundation
import Oxbow
import OxbowTestSupport
import Testing

// The document of the Oxen container, example by example in its order, as a program says it with
// Oxbow.

@Component final class Bulletins: Sendable {
  init() {}
  func latest() -> String { "rain" }
}

@Proxied protocol BoardOwner: Sendable { func title() throws -> String }
extension BoardOwnerProxy: BoardOwnerForwarding {}

/// What an annotated class says of its object: name, scope, laziness and what is injected.
@Component("boardOwner", .singleton, .lazy) final class BoardController: BoardOwner {
  static let built = Journal()
  @Inject("bulletins") let bulletins: Bulletins
  @Inject init(bulletins: Bulletins) {
    self.bulletins = bulletins
    Self.built.note("built")
  }
  func title() -> String { "Today: \(bulletins.latest())" }
}

@Component final class BoardView {
  var owner: (any BoardOwner)?
  var text = ""
}

@Component final class BoardRunner: Sendable {
  let bulletins: Bulletins
  init(bulletins: Bulletins) { self.bulletins = bulletins }
}

/// A factory whose definition is for what it makes.
@Component final class PlacardFactory: FactoryObject {
  var text = ""
  func object() throws -> Placard { Placard(text + "!") }
}

@Component final class Placard {
  let text: String
  init(_ text: String) { self.text = text }
}

/// An object that asks for a factory, and gets the one of the definition that it refers to.
@Component final class PlacardWall {
  var placards: (any FactoryObject<Placard> & Sendable)?
}

@Proxied protocol Counting: Sendable { func next() throws -> Int }
extension CountingProxy: CountingForwarding {}

@Component final class LocalCounter: Counting, @unchecked Sendable {
  // Sendable by argument: each thread has one of its own.
  private var count = 0
  init() {}
  func next() -> Int {
    count += 1
    return count
  }
}

// MARK: - Views and their controllers

@Component class PanelController {
  let nibName: String
  private(set) var steps: [String] = []
  var bulletins: Bulletins?
  var view: PanelView?

  init(nibName: String) { self.nibName = nibName }
  convenience init() { self.init(nibName: "\(Self.self)") }

  func loadView() {
    if view == nil { view = PanelView("nib \(nibName)") }
    steps.append("view loaded, bulletins: \(bulletins != nil)")
  }
}

/// It inherits its initializer: nothing is written for it.
@Component final class MainPanelController: PanelController {}

/// It makes its view by code.
@Component final class DrawnPanelController: PanelController {
  override func loadView() {
    view = PanelView("drawn")
    super.loadView()
  }
}

/// It names its file itself.
@Component final class OtherPanelController: PanelController {
  init() { super.init(nibName: "Other") }
}

@Component final class PanelView {
  let source: String
  weak var owner: PanelController?
  init(_ source: String) { self.source = source }
}

@Component final class NibFactory: FactoryObject {
  var owner: PanelController?
  var name = ""
  func object() throws -> PanelView {
    let view = PanelView("nib \(name)")
    view.owner = owner
    return view
  }
}

@Component final class PanelControllerFactory: FactoryObject {
  var nibName = ""
  func object() throws -> PanelController { PanelController(nibName: nibName) }
}

@Suite("The document of the Oxen container", .serialized) struct OxICDocument {
  private func builder(_ objects: String) throws -> ContainerBuilder {
    let builder = ContainerBuilder()
    try builder.load(text: "<container>\(objects)</container>")
    return builder
  }

  private static let bulletins = #"<object id="bulletins" class="Bulletins"/>"#

  @Test func `A simple example, 1: a container`() throws {
    #expect(try ContainerBuilder().build().names.isEmpty)
  }

  /// The definition of a class by name, with references and values.
  private func simple() throws -> Container {
    let builder = ContainerBuilder()
    builder.add(ObjectDefinition(name: "bulletins", class: "Bulletins"))
    builder.add(
      ObjectDefinition(
        name: "board", class: "BoardView", singleton: false, lazy: false,
        references: ["owner": "boardOwner"], values: ["text": "The weather"]))
    builder.add(className: "BoardController")
    return try builder.build()
  }

  @Test
  func `A simple example, 2 and 3: a definition by the name of a class, and an annotated class`()
    throws
  {
    let board = try simple().object("board", as: BoardView.self)
    #expect(board.text == "The weather")
    #expect(try board.owner?.title() == "Today: rain")
  }

  @Test func `A simple example, 4: what a class is annotated with`() throws {
    let before = BoardController.built.lines.count
    let container = try simple()
    let owner = try container.object("boardOwner", as: (any BoardOwner).self)
    #expect(BoardController.built.lines.count == before)
    #expect(try owner.title() == "Today: rain")
    #expect(try container.object("boardOwner", as: (any BoardOwner).self).title() != "")
    #expect(BoardController.built.lines.count == before + 1)
  }

  @Test func `A simple example, 5: a container in XML`() throws {
    let builder = ContainerBuilder()
    try builder.load(
      text: """
        <contanier>
          <object id="bulletins" class="Bulletins" lazy="false"/>
          <object id="runner" class="BoardRunner">
            <property name="bulletins" ref="bulletins"/>
          </object>
        </contanier>
        """)
    let container = try builder.build()
    let runner = try container.object("runner", as: BoardRunner.self)
    #expect(try runner.bulletins === container.object("bulletins", as: Bulletins.self))
  }

  @Test func `A simple example, 6: an object that is asked for`() throws {
    let container = try simple()
    let view: BoardView = try container.object("board")
    #expect(view.owner != nil)
    #expect(try container.object("board", as: BoardView.self) !== view)
  }

  @Test func `Custom factories: a definition with the class of a factory is for what it makes`()
    throws
  {
    let container = try builder(
      """
      <object id="placard" class="PlacardFactory" singleton="false">
        <property name="text" value="Fair"/>
      </object>
      """
    ).build()
    #expect(try container.object("placard", as: Placard.self).text == "Fair!")
  }

  @Test func `Custom factories: a property whose type is a factory gets the definition's`() throws {
    let container = try builder(
      """
      <object id="placard" class="PlacardFactory" singleton="false">
        <property name="text" value="Fair"/>
      </object>
      <object id="wall" class="PlacardWall" singleton="false">
        <property name="placards" ref="placard"/>
      </object>
      """
    ).build()
    let wall = try container.object("wall", as: PlacardWall.self)
    let (first, second) = (try wall.placards?.object(), try wall.placards?.object())
    #expect(first?.text == "Fair!")
    #expect(first !== second)
  }

  @Test func `Custom factories: an object for each thread, behind one proxy`() throws {
    let container = try builder(
      """
      <object id="own" class="LocalCounter" scope="prototype"/>
      <object id="counter" class="ThreadLocalProxyFactory">
        <property name="factoryObject" ref="own"/>
        <property name="protocol" value="Counting"/>
      </object>
      """
    ).build()
    let counter = try container.object("counter", as: (any Counting).self)
    #expect(try [counter.next(), counter.next()] == [1, 2])
    #expect(try onThread { try counter.next() } == 1)
  }

  @Test func `Lazy objects: an object is built by its first call`() throws {
    let before = BoardController.built.lines.count
    let container = try builder(
      Self.bulletins + #"<object id="it" class="BoardController" lazy="true"/>"#
    ).build()
    let owner = try container.object("it", as: (any BoardOwner).self)
    #expect(BoardController.built.lines.count == before)
    _ = try owner.title()
    #expect(BoardController.built.lines.count == before + 1)
  }

  @Test func `Lazy objects, the longer way: a proxy is a definition of its own`() throws {
    let before = BoardController.built.lines.count
    let container = try builder(
      Self.bulletins + """
        <object id="real" class="BoardController"/>
        <object id="it" class="LazyProxyFactory"><property name="factoryObject" ref="real"/></object>
        """
    ).build()
    let owner = try container.object("it", as: (any BoardOwner).self)
    #expect(BoardController.built.lines.count == before)
    #expect(try owner.title() == "Today: rain")
  }

  @Test func `Core Data: model, coordinator and context are three definitions`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Pin"><attribute name="text" attributeType="String" optional="YES"/></entity>
      </model>
      """, to: "Pins.xcdatamodel/contents")
    let builder = ContainerBuilder()
    try builder.load(
      text: """
        <container>
          <object id="managedObjectModel" class="ModelFactory">
            <property name="directory" value="\(folder.path)"/>
            <property name="paths" value="Pins.xcdatamodel"/>
          </object>
          <object id="persistentStoreCoordinator" class="StoreCoordinatorFactory">
            <property name="managedObjectModel" ref="managedObjectModel"/>
            <property name="storeUrl" value="\(folder.path)/notes.sqlite"/>
          </object>
          <object id="threadContext" class="ContextFactory" singleton="false">
            <property name="persistentStoreCoordinator" ref="persistentStoreCoordinator"/>
          </object>
          <object id="managedObjectContext" class="ThreadLocalProxyFactory">
            <property name="factoryObject" ref="threadContext"/>
          </object>
        </container>
        """)
    let container = try builder.build()
    let context = try container.object(
      "managedObjectContext", as: (any ObjectContext & Sendable).self)
    try onThread {
      try context.insert(entityNamed: "Pin").setValue("bread", for: "text")
      try context.save()
    }
    let count = try onThread {
      try context.fetch(FetchRequest<ManagedObject>(entityNamed: "Pin")).count
    }
    #expect(count == 1)
    try container.shutDown()
  }

  @Test func `The failed experiment, 1: a factory makes the view of a file for a controller`()
    throws
  {
    let container = try builder(
      """
      <object id="view" class="NibFactory" scope="objectGraph">
        <property name="owner" ref="controller"/>
        <property name="name" value="Main"/>
      </object>
      <object id="controller" class="MainPanelController" scope="objectGraph"
        after-injection="loadView">
        <property name="view" ref="view"/>
      </object>
      """
    ).build()
    let controller = try container.object("controller", as: PanelController.self)
    #expect(controller.view?.source == "nib Main")
    #expect(controller.view?.owner === controller)
    #expect(controller.steps == ["view loaded, bulletins: false"])
  }

  @Test
  func `The failed experiment, 2: a factory makes the controller, and its product is injected`()
    throws
  {
    let container = try builder(
      Self.bulletins + """
        <object id="controller" class="PanelControllerFactory" singleton="false">
          <property name="nibName" value="Main"/>
          <product><property name="bulletins" ref="bulletins"/></product>
        </object>
        """
    ).build()
    let controller = try container.object("controller", as: PanelController.self)
    #expect(controller.nibName == "Main")
    #expect(controller.bulletins != nil)
  }

  @Test
  func `The failed experiment, 3: the initializer is named, and the view loaded after injection`()
    throws
  {
    let container = try builder(
      Self.bulletins + """
        <object id="controller" class="MainPanelController" singleton="false"
          after-injection="loadView">
          <initializer method="init(nibName:)"><argument name="nibName" value="Main"/></initializer>
          <property name="bulletins" ref="bulletins"/>
        </object>
        """
    ).build()
    let controller = try container.object("controller", as: MainPanelController.self)
    #expect(controller.view?.source == "nib Main")
    #expect(controller.steps == ["view loaded, bulletins: true"])
  }

  @Test(arguments: [
    ("MainPanelController", "nib MainPanelController"), ("DrawnPanelController", "drawn"),
    ("OtherPanelController", "nib Other"),
  ])
  func `The failed experiment, the three rules: by the class's name, by code, by another name`(
    className: String, source: String
  ) throws {
    let container = try builder(
      """
      <object id="controller" class="\(className)" singleton="false" after-injection="loadView"/>
      """
    ).build()
    let controller = try container.object("controller", as: PanelController.self)
    #expect(controller.view?.source == source)
  }
}
