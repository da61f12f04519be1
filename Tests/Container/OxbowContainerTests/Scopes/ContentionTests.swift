import OxbowContainer
import Testing

@Suite struct ContentionTests {
  @Test func `eight threads that ask first get one singleton, built once`() throws {
    for _ in 0..<50 {
      let tally = Tally()
      let builder = ContainerBuilder()
      let greeter = builder.singleton(
        named: "greeter", SharedGreeter.init(tally:), Ref.value(tally))
      let container = try builder.build()
      let seen = Collected<ObjectIdentifier>()
      onThreads(8) { _ in
        if let greeter = try? container.object(greeter) { seen.append(ObjectIdentifier(greeter)) }
      }
      #expect(seen.all.count == 8)
      #expect(Set(seen.all).count == 1)
      #expect(tally.count == 1)
    }
  }

  @Test func `threads that enter a circle of properties from every end do not wait for ever`()
    throws
  {
    for _ in 0..<50 {
      let builder = ContainerBuilder()
      for number in 0..<8 {
        builder.singleton(named: "\(number)") {
          Node("\(number)")
        } configure: {
          $0.set(Ref<Node>("\((number + 1) % 8)")) { $0.neighbours.append($1) }
        }
      }
      let container = try builder.build()
      let faults = Collected<String>()
      onThreads(8) { number in
        do {
          let node = try container.object("\(number)", as: Node.self)
          if node.neighbours.count != 1 { faults.append("\(number) is half-injected") }
        } catch {
          faults.append("\(error)")
        }
      }
      #expect(faults.all.isEmpty)
    }
  }

  @Test func `a constructor that throws fails for all who wait, and the next request tries again`()
    throws
  {
    let attempts = Tally()
    let builder = ContainerBuilder()
    let greeter = builder.singleton(named: "greeter") {
      attempts.add()
      if attempts.count == 1 { throw Refusal("not yet") }
      return SharedGreeter(tally: Tally())
    }
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) { try container.object(greeter) }
    #expect(error?.code == .constructionFailed)
    #expect(error?.underlying is Refusal)
    _ = try container.object(greeter)
    #expect(attempts.count == 2)
  }

  @Test func `members of a circle are forgotten together when one fails`() throws {
    let made = Tally()
    let failures = Tally()
    let builder = ContainerBuilder()
    builder.singleton(named: "a") {
      made.add()
      return Node("a")
    } configure: {
      $0.set(Ref<Node>("b")) { $0.neighbours.append($1) }
    }
    builder.singleton(
      named: "b",
      { (a: Node) in
        failures.add()
        if failures.count == 1 { throw Refusal("b") }
        return Node("b")
      }, Ref<Node>("a"))
    let container = try builder.build()
    #expect(throws: ContainerError.self) { try container.object("a", as: Node.self) }
    let a = try container.object("a", as: Node.self)
    #expect(a.neighbours.count == 1)
    #expect(made.count == 2)
  }

  @Test func `two constructors that ask for each other through providers do not hang`()
    throws
  {
    let gate = StartGate(2)
    let builder = ContainerBuilder()
    let a = Ref<Node>("a")
    let b = Ref<Node>("b")
    for (name, other) in [("a", b), ("b", a)] {
      builder.singleton(
        named: name,
        { (provider: Provider<Node>) in
          gate.wait()
          return Node("\(name) \(try provider().name)")
        }, other.provider)
    }
    let container = try builder.build()
    let texts = Collected<String>()
    onThreads(2) { number in
      do {
        _ = try container.object(number == 0 ? "a" : "b", as: Node.self)
      } catch {
        texts.append("\(error)")
        #expect(ContainerError.Code.constructionDeadlock ~= error)
      }
    }
    // One thread gets it; the other gets the failure of what it waited for.
    #expect(!texts.all.isEmpty)
    let heard = texts.all.joined(separator: "\n")
    #expect(heard.contains("this thread asks for"))
    #expect(heard.contains("the other thread asks for"))
  }

  @Test func `a constructor that asks for what it makes gets an error`() throws {
    let builder = ContainerBuilder()
    builder.singleton(
      named: "a", { (provider: Provider<Node>) in Node(try provider().name) },
      Ref<Node>("a").provider)
    builder.prototype(
      named: "p", { (provider: Provider<Node>) in Node(try provider().name) },
      Ref<Node>("p").provider)
    let container = try builder.build()
    for name in ["a", "p"] {
      let error = #expect(throws: ContainerError.self) {
        try container.object(name, as: Node.self)
      }
      #expect(error?.problems.first?.code == .constructionDeadlock)
    }
  }

  @Test func `singletons end with their container, circles of definitions included`() throws {
    final class Mortal: Sendable {
      let tally: Tally
      init(tally: Tally, partner: Provider<Node>) { self.tally = tally }
      deinit { tally.end() }
    }
    let tally = Tally()
    do {
      let builder = ContainerBuilder()
      let mortal = builder.singleton(
        named: "mortal", Mortal.init(tally:partner:), Ref.value(tally), Ref<Node>("node").provider)
      builder.singleton(named: "node") {
        Node("node")
      } configure: {
        $0.set(Ref<Node>("node")) { _, _ in }
        $0.set(mortal) { _, _ in }
      }
      let container = try builder.build()
      _ = try container.object("node", as: Node.self)
    }
    #expect(tally.endedCount == 1)
  }

  @Test func `singletons that files define end with their container and what it handed out`() throws
  {
    weak var herald: Herald?
    do {
      let builder = ContainerBuilder.ofTests()
      builder.register(Armory.self)
      builder.add(
        ObjectDefinition(
          "armory", class: "Armory", scope: "prototype",
          properties: [
            .reference("swords", to: "sword"), PropertyAssignment("herald", to: .byType),
          ]))
      builder.add(
        ObjectDefinition(
          "sword", class: "SwordFactory", scope: "prototype",
          properties: [.reference("herald", to: "herald"), .value("smith", "Wayland")]))
      builder.add(ObjectDefinition("herald", class: "Herald"))
      let armory = try builder.build().object("armory", as: Armory.self)
      herald = try armory.herald?()
      #expect(herald != nil)
      #expect(try armory.swords?.object().smith == "Wayland")
    }
    #expect(herald == nil)
  }

  @Test func `a closed container lets go of singletons that hold it`() throws {
    final class Holder: @unchecked Sendable {  // written while it is built, read after
      let tally: Tally
      var provider: Provider<Holder>?
      init(tally: Tally) { self.tally = tally }
      deinit { tally.end() }
    }
    let tally = Tally()
    let builder = ContainerBuilder()
    let holder = builder.singleton(named: "holder", Holder.init(tally:), Ref.value(tally)) {
      $0.set(\.provider, Ref<Holder>("holder").provider)
    }
    do {
      let container = try builder.build()
      let provider = try container.object(holder).provider
      #expect(try provider?() === container.object(holder))
      container.close()
      #expect(throws: ContainerError.self) { try provider?() }
      #expect(throws: ContainerError.self) { try container.object(holder) }
    }
    #expect(tally.endedCount == 1)
  }
}
