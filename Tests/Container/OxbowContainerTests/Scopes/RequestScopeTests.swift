import OxbowContainer
import Testing

/// Prototypes and objects of object-graph scope: what is made for one request.
@Suite struct RequestScopeTests {
  @Test func `TY-18 objects of a graph are shared within one request and forgotten after it`()
    throws
  {
    let builder = ContainerBuilder()
    let shared = builder.prototype(named: "shared", in: .objectGraph) { Part("shared") }
    let left = builder.prototype(named: "left", Part.init(_:), shared)
    let right = builder.prototype(named: "right", Part.init(_:), shared)
    let root = builder.prototype(
      named: "root", { (a: Part, b: Part) in Part("root", [a, b]) }, left, right)
    let container = try builder.build()
    let first = try container.object(root)
    let second = try container.object(root)
    #expect(first.parts[0].parts[0] === first.parts[1].parts[0])
    #expect(second.parts[0].parts[0] === second.parts[1].parts[0])
    #expect(first.parts[0].parts[0] !== second.parts[0].parts[0])
  }

  @Test func `TY-19 an object that is asked for itself is a request too`() throws {
    let builder = ContainerBuilder()
    let shared = builder.prototype(named: "shared", in: .objectGraph) { Part("shared") }
    let container = try builder.build()
    let (a, b) = (try container.object(shared), try container.object(shared))
    #expect(a !== b)
  }

  @Test func `a singleton is a request of its own, so that it shares nothing with who asks first`()
    throws
  {
    let builder = ContainerBuilder()
    let shared = builder.prototype(named: "shared", in: .objectGraph) { Part("shared") }
    let single = builder.singleton(named: "single", { (part: Part) in Holder(part) }, shared)
    let root = builder.prototype(
      named: "root", { (holder: Holder, part: Part) in Pair(holder, part) }, single, shared)
    let container = try builder.build()
    let pair = try container.object(root)
    #expect(pair.holder.part !== pair.part)
  }

  @Test func `TY-11 a circle of prototypes leads back to the object on the stack`() throws {
    let builder = ContainerBuilder()
    builder.prototype(named: "c") {
      Part("c")
    } configure: {
      $0.set(Ref<Part>("d")) { $0.parts.append($1) }
      $0.set(Ref<Part>("e")) { $0.parts.append($1) }
    }
    for name in ["d", "e"] {
      builder.prototype(named: name) {
        Part(name)
      } configure: {
        $0.set(Ref<Part>("c")) { $0.parts.append($1) }
      }
    }
    let container = try builder.build()
    let c = try container.object("c", as: Part.self)
    #expect(c.parts.map(\.name) == ["d", "e"])
    #expect(c.parts.allSatisfy { $0.parts[0] === c })
    let d = try container.object("d", as: Part.self)
    #expect(d.parts[0].parts.map(\.name) == ["d", "e"])
    #expect(d.parts[0].parts[0] === d)
    for part in [c, d, d.parts[0]] + c.parts + d.parts[0].parts { part.parts = [] }
  }

  @Test func `TY-11 a circle is closed by its objects where they are known as anything`() throws {
    let builder = ContainerBuilder()
    builder.prototype(named: "a") {
      Part("a") as Any
    } configure: {
      $0.set(Ref<Any>("b")) { a, b in (a as? Part)?.parts = [b as? Part].compactMap(\.self) }
    }
    builder.prototype(named: "b") {
      Part("b") as Any
    } configure: {
      $0.set(Ref<Any>("a")) { b, a in (b as? Part)?.parts = [a as? Part].compactMap(\.self) }
    }
    let a = try #require(builder.build().object("a", as: Any.self) as? Part)
    #expect(a.parts.map(\.name) == ["b"])
    #expect(a.parts.first?.parts.first === a)
    a.parts.first?.parts = []
  }

  @Test func `TY-11 a circle that a constructor and a property close is made from both ends`()
    throws
  {
    let builder = ContainerBuilder()
    builder.prototype(named: "by init", Part.init(_:), Ref<Part>("by property"))
    builder.prototype(named: "by property") {
      Part("by property")
    } configure: {
      $0.set(Ref<Part>("by init")) { $0.parts.append($1) }
    }
    let container = try builder.build()
    let first = try container.object("by init", as: Part.self)
    #expect(first.parts[0].parts[0] === first)
    let second = try container.object("by property", as: Part.self)
    #expect(second.parts[0].parts[0] === second)
    for part in [first, second] { part.parts = [] }
  }

  @Test
  func `TY-11 a circle of a singleton and prototypes does not hand out what is the singleton's`()
    throws
  {
    let builder = ContainerBuilder()
    let single = builder.singleton(named: "single") {
      Node("single")
    } configure: {
      $0.set(Ref<Node>("part")) { $0.neighbours.append($1) }
    }
    let part = builder.prototype(
      named: "part",
      { (single: Node) in
        let part = Node("part")
        part.neighbours = [single]
        return part
      }, Ref<Node>("single"))
    let container = try builder.build()
    let asked = try container.object(part)
    let held = try container.object(single)
    #expect(asked.neighbours[0] === held)
    #expect(held.neighbours[0] !== asked)
    #expect(held.neighbours[0].neighbours[0] === held)
  }

  @Test func `a prototype that refers to itself is its own`() throws {
    let builder = ContainerBuilder()
    builder.prototype(named: "self") {
      Part("self")
    } configure: {
      $0.set(Ref<Part>("self")) { $0.parts.append($1) }
    }
    let part = try builder.build().object("self", as: Part.self)
    #expect(part.parts[0] === part)
    part.parts = []
  }

  @Test func `a circle through an object graph is one object in each request`() throws {
    let builder = ContainerBuilder()
    builder.prototype(named: "a", in: .objectGraph) {
      Part("a")
    } configure: {
      $0.set(Ref<Part>("b")) { $0.parts.append($1) }
    }
    builder.prototype(named: "b", Part.init(_:), Ref<Part>("a"))
    let root = builder.prototype(
      named: "root", { (b: Part, a: Part) in Part("root", [b, a]) }, Ref<Part>("b"), Ref<Part>("a"))
    let container = try builder.build()
    let made = try container.object(root)
    #expect(made.parts[0].parts[0] === made.parts[1])
    #expect(made.parts[1].parts[0].parts[0] === made.parts[1])
    made.parts[1].parts = []
  }

  @Test func `a provider and a factory start requests of their own`() throws {
    let builder = ContainerBuilder()
    let shared = builder.prototype(named: "shared", in: .objectGraph) { Part("shared") }
    let middle = builder.prototype(named: "middle", Part.init(_:), shared)
    let user = builder.prototype(
      named: "user",
      { (p: Provider<Part>, f: any FactoryObject<Part> & Sendable, part: Part) in
        Part("user", [try p(), try f.object(), part])
      }, middle.provider, middle.factory, middle)
    let made = try builder.build().object(user)
    #expect(Set(made.parts.map { ObjectIdentifier($0.parts[0]) }).count == 3)
  }
}

/// Something that is not Sendable and has parts.
final class Part {
  let name: String
  var parts: [Part]
  init(_ name: String, _ parts: [Part] = []) {
    self.name = name
    self.parts = parts
  }
  convenience init(_ part: Part) { self.init("of \(part.name)", [part]) }
}

/// Keeps what it was given.
final class Holder: @unchecked Sendable {
  // Sendable by argument: nothing changes the part.
  let part: Part
  init(_ part: Part) { self.part = part }
}

final class Pair {
  let holder: Holder
  let part: Part
  init(_ holder: Holder, _ part: Part) {
    self.holder = holder
    self.part = part
  }
}
