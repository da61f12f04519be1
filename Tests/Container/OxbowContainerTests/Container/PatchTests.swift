import OxbowContainer
import Testing

@Suite struct PatchTests {
  @Test func `TY-30 a patched container has the replacement, the first one never changes`() throws {
    let (container, greeter, user) = try makeContainers()
    let patched = try container.patched { $0.replace(greeter) { SharedGreeter(tally: Tally()) } }
    let (before, after) = (try container.object(greeter), try patched.object(greeter))
    #expect(before !== after)
    #expect(try patched.object(user).greeter === after)
    #expect(try container.object(user).greeter === before)
  }

  @Test func `TY-30 the scope is kept, and the replacement may have another type that fits`() throws
  {
    let builder = ContainerBuilder()
    builder.singleton(named: "greeter") { SharedGreeter(tally: Tally()) }
    builder.prototype(
      named: "host", { (greeter: any Greeter & Sendable) in Host(greeter) },
      Ref<any Greeter & Sendable>("greeter"))
    let container = try builder.build()
    try container.withPatches {
      $0.replace("greeter") { FakeGreeter() }
    } _: { patched in
      let (a, b) = (
        try patched.object("host", as: Host.self), try patched.object("host", as: Host.self)
      )
      #expect(a.greeter is FakeGreeter)
      #expect(a.greeter as AnyObject === b.greeter as AnyObject)
    }
  }

  @Test func `a reference to an object whose type was patched is refused, not misread`() throws {
    let (container, greeter, _) = try makeContainers()
    let patched = try container.patched {
      $0.replace("greeter") { FakeGreeter() }
      $0.replace("user") { 7 }
    }
    let error = #expect(throws: ContainerError.self) { try patched.object(greeter) }
    #expect(error?.code == .typeMismatch)
  }

  @Test
  func `a replacement that does not fit, or is not Sendable, or has no name there, is an error`()
    throws
  {
    let (container, _, _) = try makeContainers()
    let misfit = #expect(throws: ContainerError.self) {
      try container.patched { $0.replace("greeter") { Castle2() } }
    }
    #expect(misfit?.code == .typeMismatch)
    let unsafe = #expect(throws: ContainerError.self) {
      try container.patched { $0.replace("user") { Part("user") } }
    }
    #expect(unsafe?.code == .sharedNotSendable)
    let unknown = #expect(throws: ContainerError.self) {
      try container.patched { $0.replace("greter") { FakeGreeter() } }
    }
    #expect(unknown?.code == .unknownObject)
    #expect(unknown?.problems.first?.nearNames == ["greeter"])
  }

  @Test func `what takes the place of a primary object is primary`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "words", traits: .primary) { Node("words") }
    builder.singleton(named: "others") { Node("others") }
    builder.singleton(named: "user", { (node: Node) in node.name }, .byType())
    let container = try builder.build()
    let replaced = try container.patched { $0.replace("words") { Node("new") } }
    #expect(try replaced.object("user", as: String.self) == "new")
    #expect(try replaced.object(ofType: Node.self).name == "new")
    let wrapped = try container.patched {
      $0.wrap("words") { (real: Node) in Node("around \(real.name)") }
    }
    #expect(try wrapped.object("user", as: String.self) == "around words")
  }

  @Test func `what was made for a replaced object is not run, built or checked`() async throws {
    let (builder, journal) = (ContainerBuilder.ofTests(), Journal())
    builder.singleton(named: "server") { try Server("real", journal) }
    builder.prototype(named: "quest") { Grail() }
    let knight = ObjectDefinition(
      "", class: "Knight", properties: [.reference("quest", to: "quest")])
    builder.add(
      ObjectDefinition(
        "company", class: "Company", scope: "prototype",
        properties: [PropertyAssignment("captain", to: .definition(knight))]))
    let patched = try builder.build().patched {
      $0.wrap("server") { (real: Server) in try Server("around \(real.title)", journal) }
    }.patched {
      $0.replace("server") { try Server("fake", journal) }
      $0.replace("company") { Company() }
      $0.replace("quest") { 7 }
    }
    #expect(await patched.run(until: "run fake", in: journal) == nil)
    #expect(journal.all.filter { $0.hasPrefix("make") } == ["make fake"])
  }

  @Test func `of a lazy definition the object behind the proxy is replaced`() throws {
    let builder = ContainerBuilder()
    let greeter = builder.singleton(
      named: "greeter", lazy: GreeterProxy.self, SharedGreeter.init(tally:), Ref.value(Tally()))
    let container = try builder.build()
    let patched = try container.patched { $0.replace("greeter") { FakeGreeter() } }
    #expect(try patched.object(greeter).greet("Ada") == "fake")
    #expect(try container.object(greeter).greet("Ada") == "Hello Ada")
  }

  @Test func `eight threads patch, resolve and shut down at once`() throws {
    let (container, greeter, user) = try makeContainers()
    let faults = Collected<String>()
    onThreads(8) { number in
      for _ in 0..<100 {
        do {
          let patched = try container.patched {
            $0.replace(greeter) { SharedGreeter(tally: Tally()) }
          }
          let own = try patched.object(user).greeter
          if try container.object(greeter) === own { faults.append("leaked") }
          if try patched.object(greeter) !== own { faults.append("not patched") }
          try patched.shutDown()
        } catch {
          faults.append("\(error)")
        }
      }
    }
    #expect(faults.all.isEmpty)
  }

  private func makeContainers() throws -> (Container, Ref<SharedGreeter>, Ref<User>) {
    let builder = ContainerBuilder()
    let greeter = builder.singleton(
      named: "greeter", SharedGreeter.init(tally:), Ref.value(Tally()))
    let user = builder.singleton(
      named: "user", { (greeter: SharedGreeter) in User(greeter) }, greeter)
    return (try builder.build(), greeter, user)
  }
}

final class FakeGreeter: Greeter, Sendable {
  var count: Int { 0 }
  func name() throws -> String { "fake" }
  func greet(_ guest: String) throws -> String { "fake" }
}

final class Host {
  let greeter: any Greeter & Sendable
  init(_ greeter: any Greeter & Sendable) { self.greeter = greeter }
}

final class Castle2: Sendable {}
