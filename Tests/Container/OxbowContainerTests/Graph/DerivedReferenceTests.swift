import OxbowContainer
import OxbowDocuments
import Testing

/// References that are no names can be asked for like any other (review D20).
@Suite struct DerivedReferenceTests {
  @Test func `review RF1-RF4: a container answers references that deliver something else`() throws {
    let builder = ContainerBuilder()
    let grail = builder.singleton(named: "grail", Grail.init)
    let dragon = builder.prototype(named: "dragon", Dragon.init)
    let container = try builder.build()
    #expect(try container.object(grail.provider)() === container.object(grail))
    let dragons = try container.object(dragon.factory)
    #expect(try dragons.object() !== dragons.object())
    #expect(try container.object(Ref<Grail>.byType()) === container.object(grail))
    #expect(try container.object(Ref.value(5)) == 5)
    #expect(try container.object(Ref<Container>.container).names == ["grail", "dragon"])
    #expect(try container.object(Ref.all((any Quest).self)).map(\.goal) == ["grail", "dragon"])
    #expect(try container.object(Ref<Castle>("castle").optional) == nil)
    #expect(try container.object(Ref<Grail>("grail").optional) === container.object(grail))
  }

  @Test func `what may not leave stays, and what is missing is said`() throws {
    let builder = ContainerBuilder()
    let dragon = builder.prototype(named: "dragon", in: .thread, Dragon.init)
    let container = try builder.build()
    let code = { (body: () throws -> Void) in
      #expect(throws: ContainerError.self) { try body() }?.code
    }
    #expect(code { _ = try container.object(dragon.provider) } == .confinedEscapes)
    #expect(code { _ = try container.object(Ref<Dragon>.byType()) } == .confinedEscapes)
    #expect(code { _ = try container.object(Ref<Grail>.byType()) } == .noObjectOfType)
    #expect(code { _ = try container.object(Ref<Grail>("x").provider) } == .unknownObject)
  }

  @Test func `review TR3-TR5: references of references can be injected`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "grail", Grail.init)
    builder.prototype(
      named: "all", { (quests: Provider<[any Quest]>) in try quests().map(\.goal) },
      Ref.all((any Quest).self).provider)
    builder.prototype(
      named: "value", { (number: Provider<Int>) in try number() }, Ref.value(5).provider)
    builder.prototype(
      named: "made", { (numbers: any FactoryObject<Int> & Sendable) in try numbers.object() },
      Ref.value(6).factory)
    let container = try builder.build()
    #expect(try container.object("all", as: [String].self) == ["grail"])
    #expect(try container.object("value", as: Int.self) == 5)
    #expect(try container.object("made", as: Int.self) == 6)
  }

  @Test func `review TR1: a proxy finds its target by type, and needs an object`() throws {
    let builder = ContainerBuilder()
    let tally = Tally()
    builder.singleton(named: "host", SharedGreeter.init(tally:), Ref.value(tally))
    builder.proxy(named: "proxy", .lazy, of: Ref<SharedGreeter>.byType(), as: GreeterProxy.self)
    let proxy = try builder.build().object("proxy", as: GreeterProxy.self)
    #expect(try proxy.greet("Kay") == "Hello Kay")
    let wrong = ContainerBuilder()
    wrong.singleton(named: "host", SharedGreeter.init(tally:), Ref.value(tally))
    wrong.proxy(
      named: "proxy", .lazy, of: Ref<SharedGreeter>("host").provider, as: GreeterProxy.self,
      file: "W/App.swift", line: 3)
    let found = wrong.check().problems
    #expect(
      found.map(\.message) == [
        "object \"proxy\", proxy: the reference is not a name of a definition"
      ])
    #expect(found.first?.location?.line == 3)
  }
}
