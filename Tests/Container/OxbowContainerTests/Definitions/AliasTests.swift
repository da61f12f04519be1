import OxbowContainer
import OxbowDocuments
import Testing

@Suite struct AliasTests {
  private final class Bank: Disposable {
    let tally: Tally
    init(tally: Tally) { self.tally = tally }
    func dispose() { tally.end() }
  }

  private func place(_ line: Int) -> OxbowDocuments.SourceLocation {
    OxbowDocuments.SourceLocation(file: "bank.xml", line: line, column: 3)
  }

  @Test func `one object under two names is built once and disposed of once`() throws {
    let builder = ContainerBuilder()
    let tally = Tally()
    let bank = builder.singleton(named: "bank", Bank.init(tally:), Ref.value(tally))
    let ledger = builder.alias("ledger", of: bank)
    builder.alias("book", of: ledger)
    let user = builder.prototype(named: "user", { (bank: Bank) in [bank] }, Ref<Bank>("book"))
    let container = try builder.build()
    let object = try container.object(bank)
    #expect(try container.object(ledger) === object)
    #expect(try container.object("book", as: Bank.self) === object)
    #expect(try container.object(user).first === object)
    #expect(try container.objects(ofType: Bank.self).count == 1)
    #expect(container.contains("ledger"))
    try container.shutDown()
    #expect(tally.endedCount == 1)
  }

  @Test func `an alias is explained as its object`() throws {
    let builder = ContainerBuilder()
    let grail = builder.singleton(named: "grail", Grail.init)
    builder.alias("cup", of: grail)
    builder.prototype(named: "user", { (_: Grail) in 1 }, Ref<Grail>("cup"))
    let container = try builder.build()
    let text = try container.explain("cup").description
    #expect(text.hasPrefix("\"grail\": Grail\n"))
    #expect(text.contains("also called: \"cup\""))
    #expect(text.contains("needed by: \n") || text.contains("\"user\" as initializer argument 1"))
    #expect(container.graph.missingNames.isEmpty)
    #expect(container.graph["user"]?.needs.map(\.target) == ["grail"])
  }

  @Test func `an alias of a lazy object is its proxy, and a patch by either name is one`() throws {
    let builder = ContainerBuilder()
    let tally = Tally()
    let host = builder.singleton(
      named: "host", lazy: GreeterProxy.self, SharedGreeter.init(tally:), Ref.value(tally))
    builder.alias("butler", of: host)
    let container = try builder.build()
    #expect(
      try container.object("butler", as: GreeterProxy.self)
        === container.object("host", as: GreeterProxy.self))
    let grail = ContainerBuilder()
    grail.alias("cup", of: grail.singleton(named: "grail", Grail.init))
    let other = Grail()
    let patched = try grail.build().patched { $0.replace("cup") { other } }
    #expect(try patched.object("grail", as: Grail.self) === other)
    #expect(try patched.object("cup", as: Grail.self) === other)
  }

  @Test func `proxies and factories of files reach objects by their other names`() throws {
    let builder = ContainerBuilder.ofTests()
    builder.add(ObjectDefinition("forge", class: "Forge", scope: "prototype"))
    builder.add(ObjectAlias("smithy", of: "forge"))
    var blade = ObjectDefinition("blade", scope: "prototype")
    blade.factoryComponent = "smithy"
    blade.initializer = InitializerCall(
      MethodName("blade", labels: ["length"]), arguments: [.value("length", "3")])
    builder.add(blade)
    #expect(try builder.build().object("blade", as: Blade.self).length == 3)
  }

  @Test func `aliases that lead nowhere, in a circle or to no name are problems`() {
    let builder = ContainerBuilder.ofTests()
    builder.add(ObjectDefinition("grail", class: "Grail", at: place(1)))
    var noble = ObjectDefinition("noble", class: "Knight", scope: "prototype", at: place(2))
    noble.isAbstract = true
    builder.add(noble)
    builder.add(ObjectAlias("cup", of: "grial", at: place(3)))
    builder.add(ObjectAlias("a", of: "b", at: place(4)))
    builder.add(ObjectAlias("b", of: "a", at: place(5)))
    builder.add(ObjectAlias("peer", of: "noble", at: place(6)))
    builder.add(ObjectAlias("grail", of: "cup", at: place(7)))
    builder.alias("value", of: Ref.value(5), file: "W/App.swift", line: 8)
    let found = builder.check().problems
    #expect(
      found.map(\.message).sorted() == [
        "alias \"a\" is its own alias",
        "alias \"value\": the reference is not a name of a definition",
        "object \"cup\", alias: there is no object named \"grial\"",
        "object \"grail\" is defined twice",
        "object \"peer\", alias: definition \"noble\" makes no object",
      ])
    #expect(found.first { $0.code == .missingReference && $0.nearNames == ["grail"] } != nil)
  }
}
