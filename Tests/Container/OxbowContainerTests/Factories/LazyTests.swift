import OxbowContainer
import Testing

/// Objects that are built when they are first asked for, by a value of their own: OX-05.
@Suite struct LazyTests {
  @Test func `OX-05 a lazy value builds its object once, by the rules of the scope`() throws {
    let (builder, tally) = (ContainerBuilder(), Tally())
    let one = builder.singleton(named: "one") { Stone(tally) }
    let many = builder.prototype(named: "many") { Stone(tally) }
    let user = builder.prototype(named: "user", Heap.init(_:_:), one.lazy, many.lazy)
    let container = try builder.build()
    let (first, second) = (try container.object(user), try container.object(user))
    #expect(tally.count == 0)
    #expect(!first.one.isBuilt)
    #expect(try first.one.value === second.one())
    #expect(try first.one.value === container.object(one))
    #expect(first.one.isBuilt)
    #expect(try first.many.value === first.many.value)
    #expect(try first.many.value !== second.many.value)
    #expect(tally.count == 3)
  }

  @Test func `OX-05 eight threads get one object, and a build that throws is tried again`() throws {
    let (builder, tally) = (ContainerBuilder(), Tally())
    let stone = builder.prototype(named: "stone") { () throws -> Stone in
      if tally.count == 0 {
        tally.add()
        throw Refusal("not yet")
      }
      return Stone(tally)
    }
    let user = builder.prototype(named: "user", { (lazy: Lazy<Stone>) in lazy }, stone.lazy)
    let lazy = try builder.build().object(user)
    #expect(throws: ContainerError.self) { try lazy.value }
    #expect(!lazy.isBuilt)
    let found = Collected<ObjectIdentifier>()
    onThreads(8) { _ in
      if let stone = try? lazy.value { found.append(ObjectIdentifier(stone)) }
    }
    #expect(found.all.count == 8)
    #expect(Set(found.all).count == 1)
    #expect(tally.count == 2)
  }

  @Test func `OX-05 a lazy value opens a circle of initializers`() throws {
    let builder = ContainerBuilder()
    let a = builder.singleton(named: "a", Ring.init(_:), Ref<Ring>("b").lazy)
    builder.singleton(named: "b", Ring.init(_:), Ref<Ring>("a").lazy)
    let container = try builder.build()
    let ring = try container.object(a)
    #expect(try ring.next.value.next.value === ring)
    container.close()
    #expect(try ring.next.value.next.value === ring)
  }

  @Test func `OX-05 a lazy value that a closed container has not built throws`() throws {
    let builder = ContainerBuilder()
    let stone = builder.singleton(named: "stone") { Stone(Tally()) }
    let user = builder.prototype(named: "user", { (lazy: Lazy<Stone>) in lazy }, stone.lazy)
    let container = try builder.build()
    let (built, unbuilt) = (try container.object(user), try container.object(user))
    let object = try built.value
    container.close()
    #expect(try built.value === object)
    let error = #expect(throws: ContainerError.self) { try unbuilt.value }
    #expect(error?.code == .containerReleased)
  }

  @Test func `OX-05 definitions feed lazy properties and parameters, by name and by type`() throws {
    let builder = ContainerBuilder.ofTests()
    builder.register(LazyKnight.componentDescriptor)
    builder.add(ObjectDefinition("grail", class: "Grail"))
    builder.add(
      ObjectDefinition(
        "named", class: "LazyKnight", scope: "prototype",
        properties: [.reference("quest", to: "grail")]))
    builder.add(
      ObjectDefinition(
        "found", class: "LazyKnight", scope: "prototype",
        properties: [PropertyAssignment("quest", to: .byType)]))
    let container = try builder.build()
    for name in ["named", "found"] {
      let knight = try container.object(name, as: LazyKnight.self)
      let quest = try #require(knight.quest)
      #expect(!quest.isBuilt)
      #expect(try quest.value === container.object("grail", as: Grail.self))
    }
    #expect(try container.explain("named").description.contains("built by the first use of a Lazy"))
  }

  @Test func `OX-05 a lazy value by type, and one of a protocol, in code`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "grail") { Grail() }
    builder.prototype(
      named: "typed", { (grail: Lazy<Grail>) in try grail.value.goal }, Ref<Grail>.byType().lazy)
    builder.prototype(
      named: "seen", { (quest: Lazy<any Quest & Sendable>) in try quest.value.goal },
      Ref<any Quest & Sendable>("grail").lazy)
    let container = try builder.build()
    #expect(try container.object("typed", as: String.self) == "grail")
    #expect(try container.object("seen", as: String.self) == "grail")
  }

  @Test func `OX-05 an object of a thread has no lazy value`() throws {
    let builder = ContainerBuilder()
    let own = builder.prototype(named: "own", in: .thread) { Knight() }
    builder.prototype(named: "user", { (_: Lazy<Knight>) in 1 }, own.lazy)
    let error = #expect(throws: ContainerError.self) { try builder.build() }
    #expect(error?.code == .confinedEscapes)
    #expect(error?.problems.first?.seen == "a Lazy of an object of scope \"thread\"")
  }

  @Test func `OX-05 a lazy value made by hand needs no container`() throws {
    let tally = Tally()
    let lazy = Lazy { Stone(tally) }
    #expect(tally.count == 0)
    #expect(try lazy() === lazy.value)
    #expect(tally.count == 1)
  }
}

private final class Stone: Sendable {
  init(_ tally: Tally) { tally.add() }
}

private final class Heap: Sendable {
  let one: Lazy<Stone>
  let many: Lazy<Stone>
  init(_ one: Lazy<Stone>, _ many: Lazy<Stone>) {
    self.one = one
    self.many = many
  }
}

private final class Ring: Sendable {
  let next: Lazy<Ring>
  init(_ next: Lazy<Ring>) { self.next = next }
}

private final class LazyKnight: Component {
  var quest: Lazy<Grail>?

  nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      LazyKnight.self, name: "LazyKnight", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { LazyKnight() }],
      properties: [
        .property(
          "quest", Lazy<Grail>.self, typeName: "Lazy<Grail>?", sendability: .of(),
          isOptional: true, accepts: { $0 is Grail.Type }, set: { $0.quest = $1 })
      ])
  }
}
