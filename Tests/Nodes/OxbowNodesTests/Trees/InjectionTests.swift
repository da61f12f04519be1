import OxbowContainer
import OxbowDocuments
import OxbowNodes
import OxbowTestSupport
import Testing

/// What nodes need from outside.
final class Greeter: Sendable {
  func greeting(_ name: String) -> String { "Hello, \(name)" }
}

/// A node that cannot be made without a dependency.
final class Welcome: ViewNode {
  private let greeter: Greeter
  var text = ""

  init(greeter: Greeter) {
    self.greeter = greeter
    super.init()
  }

  override func apply(_ attributes: NodeAttributes) throws {
    try super.apply(attributes)
    text = greeter.greeting(try attributes.required("to"))
  }
}

/// A node that reads its definition and is injected.
final class Guest: Node, NodeConstructible {
  let name: String
  var greeter: Greeter?

  init(node: NodeValue) throws {
    name = node["guest"]?.text ?? ""
    super.init()
  }

  init(plain name: String) {
    self.name = name
    super.init()
  }

  override func apply(_ attributes: NodeAttributes) throws {
    try super.apply(attributes)
    _ = attributes["guest"]
  }
}

@Suite struct InjectionTests {
  private func container(_ define: (ContainerBuilder, Ref<Greeter>) -> Void) throws -> Container {
    let builder = ContainerBuilder()
    define(builder, builder.singleton(named: "greeter", { Greeter() }))
    return try builder.build()
  }

  @Test func `SC-12 the container makes the nodes whose class it has a definition for`() throws {
    var fixture = try Fixture()
    fixture.environment.classes.register("Welcome") { () throws -> Welcome in throw Refusal() }
    fixture.environment.container = try container { builder, greeter in
      builder.prototype(named: "welcome", Welcome.init(greeter:), greeter)
    }
    let tree = try fixture.launch(
      views: #"{"Class": "Welcome", "to": "Ada"}, {"Class": "Welcome", "to": "Eve"}"#)
    let nodes = tree.root?.children.compactMap { $0 as? Welcome } ?? []
    #expect(nodes.map(\.text) == ["Hello, Ada", "Hello, Eve"])
    let error = fixture.error(views: #"{"Class": "Welcome", "too": "Ada"}"#)
    #expect(error?.code == .missingArgument)
    #expect(error?.nearNames == ["to"])
  }

  @Test func `SC-12 a node that read its definition is injected`() throws {
    var fixture = try Fixture()
    fixture.environment.classes.register(Guest.self)
    fixture.environment.container = try container { builder, greeter in
      builder.prototype(named: "guest", { Guest(plain: "unused") }) { $0.set(\.greeter, greeter) }
    }
    let tree = try fixture.launch(#"{"Class": "Guest", "guest": "Ada"}"#)
    let guest = try #require(tree.root as? Guest)
    #expect(guest.name == "Ada")
    #expect(guest.greeter?.greeting(guest.name) == "Hello, Ada")
  }

  @Test func `SC-12 two definitions of one class of nodes are an error`() throws {
    var fixture = try Fixture()
    fixture.environment.classes.register("Welcome") { Welcome(greeter: Greeter()) }
    fixture.environment.container = try container { builder, greeter in
      builder.prototype(named: "first", Welcome.init(greeter:), greeter)
      builder.prototype(named: "second", Welcome.init(greeter:), greeter)
    }
    let error = fixture.error(views: #"{"Class": "Welcome", "to": "Ada"}"#)
    #expect(error?.code == .setUpFailed)
    #expect(error?.message.contains("first, second") == true)
  }

  @Test func `SC-41 a tree is an object of the container that makes its nodes`() throws {
    var environment = try Fixture().environment
    environment.classes.register("Welcome") { () throws -> Welcome in throw Refusal() }
    let container = try container { [environment] builder, greeter in
      builder.prototype(named: "welcome", Welcome.init(greeter:), greeter)
      builder.prototype(
        named: "tree",
        { (container: Container) in
          var environment = environment
          environment.container = container
          return try NodeTree.launch(
            node: ["subviews": [["Class": "Welcome", "to": "Ada"]]], in: environment)
        }, .container)
    }
    let tree = try container.object("tree", as: NodeTree.self)
    #expect((tree.root?.children.first as? Welcome)?.text == "Hello, Ada")
  }
}
