import OxbowContainer
import Testing

@Suite struct FactoryTests {
  @Test func `OX-15 a factory's product is shared, the factory is made anew and never shared`()
    throws
  {
    final class CastleFactory: FactoryObject {
      var name = ""
      let tally: Tally
      init(tally: Tally) {
        self.tally = tally
        tally.add()
      }
      deinit { tally.end() }
      func object() throws -> Castle { Castle(name: name, quest: Grail()) }
    }
    let tally = Tally()
    let builder = ContainerBuilder()
    let castle = builder.singleton(
      named: "castle", factory: { CastleFactory(tally: tally) },
      configure: { $0.set(\.name, to: "Camelot") })
    let hut = builder.prototype(
      named: "hut", factory: { CastleFactory(tally: tally) },
      configure: { $0.set(\.name, to: "hut") })
    let container = try builder.build()
    #expect(try container.object(castle) === container.object(castle))
    #expect(try container.object(castle).name == "Camelot")
    #expect(tally.count == 1)
    #expect(tally.endedCount == 1)
    #expect(try container.object(hut) !== container.object(hut))
    #expect(tally.count == 3)
  }

  @Test func `OX-16 the product is injected, too`() throws {
    let builder = ContainerBuilder()
    let sword = builder.prototype(
      named: "sword", factory: SwordFactory.init, configure: { $0.set(\.smith, to: "Wayland") },
      product: { $0.set(\.owner, to: "Arthur") })
    let container = try builder.build()
    let made = try container.object(sword)
    #expect(made.smith == "Wayland")
    #expect(made.owner == "Arthur")
  }

  @Test func `OX-23 an injected factory makes new objects, a provider follows the scope`() throws {
    let builder = ContainerBuilder()
    let herald = builder.singleton(named: "herald", Herald.init)
    let sword = builder.prototype(named: "sword") { Sword(smith: "anyone") }
    let armory = builder.prototype(named: "armory", Armory.init) {
      $0.set(\.swords, sword.factory)
      $0.set(\.herald, herald.provider)
    }
    let heralds = builder.prototype(
      named: "heralds", { (factory: any FactoryObject<Herald> & Sendable) in factory },
      herald.factory)
    let container = try builder.build()
    let made = try container.object(armory)
    let swords = try #require(made.swords)
    #expect(try swords.object() !== swords.object())
    let provider = try #require(made.herald)
    #expect(try provider() === container.object(herald))
    let factory = try container.object(heralds)
    #expect(try factory.object() !== container.object(herald))
  }

  @Test func `a factory is an initializer's need: it must be complete before its product`() throws {
    let builder = ContainerBuilder()
    final class Loop: FactoryObject {
      var node: Node?
      func object() throws -> Node { Node("product") }
    }
    builder.singleton(named: "a", factory: Loop.init, configure: { $0.set(\.node, Ref<Node>("b")) })
    builder.singleton(named: "b", factory: Loop.init, configure: { $0.set(\.node, Ref<Node>("a")) })
    let error = #expect(throws: ContainerError.self) { try builder.build() }
    #expect(error?.code == .cyclicInitializers)
  }

  @Test func `a factory that throws names its definition and the error`() throws {
    final class Broken: FactoryObject {
      func object() throws -> Grail { throw Refusal("the forge is cold") }
    }
    let builder = ContainerBuilder()
    builder.singleton(named: "sword", factory: Broken.init)
    builder.singleton(
      named: "castle", Castle.init(name:quest:), Ref.value("Camelot"), Ref<Grail>("sword"))
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) {
      try container.object("castle", as: Castle.self)
    }
    #expect(error?.task == "get object \"castle\"")
    #expect(error?.problems.first?.message == "object \"sword\": its constructor failed")
    #expect(error?.problems.first?.seen == "the forge is cold")
    #expect(error?.problems.first?.requestedBy == ["\"castle\""])
  }

  @Test func `OX-17 a default factory and an erased one make products`() throws {
    let factory = DefaultFactory { Sword(smith: "Weyland") }
    #expect(try factory.object() !== factory.object())
    let erased = AnyFactoryObject(factory)
    #expect(ObjectIdentifier(erased.productType) == ObjectIdentifier(Sword.self))
    #expect((try erased.object() as? Sword)?.smith == "Weyland")
  }

  @Test func `a factory keeps its container until that is closed`() throws {
    let builder = ContainerBuilder()
    let sword = builder.prototype(named: "sword") { Sword(smith: "anyone") }
    let armory = builder.prototype(named: "armory", Armory.init) { $0.set(\.swords, sword.factory) }
    let container = try builder.build()
    let made = try container.object(armory)
    #expect(try builder.build().object(armory).swords?.object().smith == "anyone")
    container.close()
    let error = #expect(throws: ContainerError.self) { try made.swords?.object() }
    #expect(error?.code == .containerReleased)
  }

  @Test func `a provider made by hand needs no container`() throws {
    let provider = Provider { Sword(smith: "Wayland") }
    #expect(try provider().smith == "Wayland")
  }

  @Test func `OX-17 an injected default factory constructs anew and injects through the container`()
    throws
  {
    let builder = ContainerBuilder.ofTests()
    builder.add(ObjectDefinition("grail", class: "Grail"))
    builder.add(
      ObjectDefinition(
        "knight", class: "Knight", scope: "prototype",
        properties: [.reference("quest", to: "grail")]))
    let factories = builder.prototype(
      named: "factories", { (factory: any FactoryObject<Knight> & Sendable) in factory },
      Ref<Knight>("knight").factory)
    let factory = try builder.build().object(factories)
    #expect(factory is DefaultFactory<Knight>)
    let (first, second) = (try factory.object(), try factory.object())
    #expect(first !== second)
    #expect(first.quest is Grail)
    #expect(first.quest === second.quest)
  }
}
