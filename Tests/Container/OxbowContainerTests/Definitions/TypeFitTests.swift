import OxbowContainer
import OxbowDocuments
import Testing

/// What is known not to fit is a problem of `check()`, before anything is made (review D2).
@Suite struct TypeFitTests {
  private protocol Unseen: AnyObject {}
  private final class Ghost: Unseen, Sendable {}

  private func place(_ line: Int) -> OxbowDocuments.SourceLocation {
    OxbowDocuments.SourceLocation(file: "fit.xml", line: line, column: 3)
  }

  private func codes(_ define: (ContainerBuilder) -> Void) -> [ContainerError.Code] {
    let builder = ContainerBuilder.ofTests()
    define(builder)
    return builder.check().problems.map(\.code)
  }

  // MARK: - References in code

  @Test func `review D2 VM1, VM4: a value of another type is refused`() {
    let refused: [ContainerError.Code] = [.typeMismatch]
    let text: (ContainerBuilder) -> Void = { $0.singleton(named: "n", { "text" }) }
    #expect(
      codes {
        text($0)
        $0.singleton(named: "u", { (n: Int) in "\(n)" }, Ref<Int>("n"))
      } == refused)
    #expect(
      codes {
        text($0)
        $0.singleton(named: "u", { (n: Int?) in "\(n ?? 0)" }, Ref<Int?>("n"))
      } == refused)
    #expect(
      codes {
        $0.singleton(named: "n", { 5 as Int? })
        $0.singleton(named: "u", { (n: String) in n }, Ref<String>("n"))
      } == refused)
    #expect(
      codes {
        $0.singleton(named: "n", { [5] })
        $0.singleton(named: "u", { (n: [String]) in n }, Ref<[String]>("n"))
      } == refused)
    #expect(
      codes {
        $0.singleton(named: "n", Grail.init)
        $0.singleton(named: "u", { (n: Int) in n }, Ref<Int>("n"))
      } == refused)
  }

  @Test func `review D2: what a cast converts fits`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "n", { 5 })
    builder.singleton(named: "all", { [5, 6] })
    builder.singleton(named: "optional", { (n: Int?) in n ?? 0 }, Ref<Int?>("n"))
    builder.singleton(named: "hashable", { (n: AnyHashable) in "\(n)" }, Ref<AnyHashable>("n"))
    builder.singleton(named: "any", { (n: [Any]) in n.count }, Ref<[Any]>("all"))
    builder.singleton(
      named: "text", { (n: any CustomStringConvertible) in n.description },
      Ref<any CustomStringConvertible>("n"))
    let report = builder.check()
    #expect(report.problems.isEmpty)
    #expect(report.notes.isEmpty)
    let container = try builder.build()
    #expect(try container.object("optional", as: Int.self) == 5)
    #expect(try container.object("hashable", as: String.self) == "5")
    #expect(try container.object("any", as: Int.self) == 2)
    #expect(try container.object("text", as: String.self) == "5")
  }

  @Test func `review D2 H30b, VM5: a protocol that the class lacks is refused`() {
    let builder = ContainerBuilder()
    builder.singleton(named: "grail", { Node("x") }, file: "W/App.swift", line: 1)
    builder.prototype(
      named: "user", { (_: any Quest) in Knight() },
      Ref<any Quest>("grail", file: "W/App.swift", line: 2), file: "W/App.swift",
      line: 2)
    let found = builder.check().problems
    #expect(found.map(\.code) == [.typeMismatch])
    #expect(found.first?.seen == "\"grail\" is a Node")
    #expect(found.first?.location?.file == "W/App.swift")
    #expect(
      codes {
        $0.singleton(named: "n", { 5 })
        $0.prototype(named: "user", { (_: any Quest) in Knight() }, Ref<any Quest>("n"))
      } == [.typeMismatch])
  }

  @Test func `review D2: providers, factories and late references are tested like objects`() {
    #expect(
      codes {
        $0.singleton(named: "n", { 5 })
        $0.prototype(
          named: "user", { (_: Provider<any Quest>) in Knight() }, Ref<any Quest>("n").provider)
      } == [.typeMismatch])
    #expect(
      codes {
        $0.singleton(named: "n", { Node("x") })
        $0.prototype(
          named: "user", { (_: any FactoryObject<any Quest> & Sendable) in Knight() },
          Ref<Node>("n").factory(as: (any Quest).self))
      } == [.typeMismatch])
  }

  // MARK: - Proxies

  @Test func `review D2 PX1, PX2: the target of a proxy has its protocol`() {
    #expect(
      codes { $0.singleton(named: "x", lazy: GreeterProxy.self, Grail.init) } == [.typeMismatch])
    #expect(
      codes {
        let target = $0.prototype(named: "t", in: .thread, Dragon.init)
        $0.proxy(named: "x", .threadLocal, of: target, as: GreeterProxy.self)
      } == [.typeMismatch])
    #expect(codes { $0.singleton(named: "x", lazy: GreeterProxy.self, { 5 }) } == [.typeMismatch])
  }

  // MARK: - Patches

  @Test func `review D2 H30: a patch is tested everywhere its name is used`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "grail", Grail.init)
    builder.prototype(named: "user", { (_: any Quest) in Knight() }, Ref<any Quest>("grail"))
    let container = try builder.build()
    let text = #expect(throws: ContainerError.self) {
      _ = try container.patched { $0.replace("grail") { "no quest" } }
    }
    #expect(text?.problems.map(\.code) == [.typeMismatch])
    #expect(text?.problems.first?.seen == "\"grail\" is a String")
    let node = #expect(throws: ContainerError.self) {
      _ = try container.patched { $0.replace("grail") { Node("no quest") } }
    }
    #expect(node?.problems.map(\.code) == [.typeMismatch])
    let patched = try container.patched { $0.replace("grail") { Grail() } }
    #expect(try patched.object("user", as: Knight.self).age == 20)
  }

  // MARK: - Files

  private func report(_ definitions: [ObjectDefinition]) -> ContainerReport {
    let builder = ContainerBuilder.ofTests()
    builder.singleton(named: "number", { 7 })
    for definition in definitions { builder.add(definition) }
    return builder.check()
  }

  private func company(_ property: String, _ target: String) -> ObjectDefinition {
    ObjectDefinition(
      "company", class: "Company", scope: "prototype",
      properties: [.reference(property, to: target, at: place(4))])
  }

  @Test(arguments: [
    ("leader", "blade"), ("leader", "number"), ("title", "number"), ("captain", "number"),
    ("quests", "number"), ("names", "number"),
  ])
  func `review D2 FT1-FT4: a reference of a file is refused`(_ property: String, _ target: String) {
    let blade = ObjectDefinition("blade", class: "Blade", scope: "prototype")
    let found = report([blade, company(property, target)]).problems
    #expect(found.map(\.code) == [.typeMismatch])
    #expect(found.first?.location == place(4))
  }

  @Test func `an object whose initializer is known is of no subclass`() {
    let knight = ObjectDefinition("knight", class: "Knight", scope: "prototype")
    var king = ObjectDefinition("king", class: "King", scope: "prototype")
    king.properties = [.reference("rival", to: "knight")]
    #expect(report([knight, king]).problems.isEmpty)
    let builder = ContainerBuilder.ofTests()
    builder.add(knight)
    builder.prototype(named: "crown", { (_: King) in 1 }, Ref<King>("knight"))
    #expect(builder.check().problems.map(\.code) == [.typeMismatch])
  }

  // MARK: - What stays unknown

  @Test func `what cannot be judged is a note, of check() and of a delegate`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "ghost", Ghost.init)
    builder.singleton(named: "known", { () -> any Quest & Sendable in Grail() })
    // A protocol that only its file can name, and an object that is known by another protocol.
    builder.prototype(named: "seer", { (_: any Unseen) in 1 }, Ref<any Unseen>("ghost"))
    builder.prototype(named: "namer", { (_: any Named) in 1 }, Ref<any Named>("known"))
    builder.prototype(named: "maybe", { (_: Int) in 1 }, Ref<Int>("number"))
    builder.singleton(named: "number", { 5 as Int? })
    let report = builder.check()
    #expect(report.problems.isEmpty)
    #expect(
      report.notes.map(\.text) == [
        "object \"seer\", initializer argument 1: whether \"ghost\", a Ghost, is a Unseen shows "
          + "when it is injected",
        "object \"namer\", initializer argument 1: whether \"known\", a Quest, is a Named shows "
          + "when it is injected",
        "object \"maybe\", initializer argument 1: whether \"number\", an Optional<Int>, is an Int "
          + "shows when it is injected",
      ])
    let delegate = Listener()
    builder.build(reportingTo: delegate)
    #expect(delegate.notes == report.notes)
    #expect(try delegate.container?.object("seer", as: Int.self) == 1)
  }
}

private final class Listener: ContainerBuildingDelegate {
  var container: Container?
  var notes: [ContainerError.Note] = []

  func containerBuildingFinished(_ container: Container) { self.container = container }
  func containerBuildingFailed(_ error: any Error) {}
  func containerBuildingFinished(_ container: Container, notes: [ContainerError.Note]) {
    containerBuildingFinished(container)
    self.notes = notes
  }
}
