import OxbowContainer
import Testing

/// Replacements that need other objects, spies around the real one, asynchronous tests: review D17.
@Suite struct WrappingTests {
  @Test func `D17 a replacement has needs like any definition`() throws {
    let (builder, tally) = (ContainerBuilder(), Tally())
    let greeter = builder.singleton(named: "greeter", SharedGreeter.init(tally:), Ref.value(tally))
    builder.singleton(named: "words") { Words("Good day") }
    let patched = try builder.build().patched {
      $0.replace(greeter, with: Polite.init(_:_:), Ref<Words>("words"), Ref.value("!"))
    }
    #expect(try patched.object("greeter", as: Polite.self).greet("Ada") == "Good day Ada!")
    let error = #expect(throws: ContainerError.self) {
      try builder.build().patched {
        $0.replace("greeter", with: { (words: Words) in Polite(words, "") }, Ref<Words>("wrods"))
      }
    }
    #expect(error?.code == .missingReference)
    #expect(error?.problems.first?.nearNames == ["words"])
  }

  @Test func `D17 a spy is put around the real object, in its scope`() throws {
    let (builder, tally, recorder) = (ContainerBuilder(), Tally(), CallRecorder())
    let greeter = builder.singleton(named: "greeter", SharedGreeter.init(tally:), Ref.value(tally))
    builder.singleton(
      named: "user", { (greeter: any Greeter & Sendable) in Host(greeter).greeter },
      Ref<any Greeter & Sendable>("greeter"))
    let container = try builder.build()
    let patched = try container.patched {
      $0.wrap(greeter) { Spy($0, recorder) }
    }
    let user = try patched.object("user", as: (any Greeter & Sendable).self)
    #expect(try user.greet("Ada") == "Hello Ada")
    #expect(recorder.calls.map(\.description) == ["greet(Ada)"])
    #expect(tally.count == 1)
    #expect(patched.names == container.names)
    #expect(try patched.object("greeter", as: Spy.self) === user as AnyObject)
    #expect(try container.object(greeter).greet("Bob") == "Hello Bob")
  }

  @Test func `D17 a wrapper may be wrapped, need others and see the original as a protocol`() throws
  {
    let builder = ContainerBuilder()
    builder.prototype(named: "greeter", { Polite(Words("Hi"), ".") })
    builder.singleton(named: "words") { Words("Dear") }
    let once = try builder.build().patched {
      $0.wrap(
        "greeter",
        with: { (real: any Greeter & Sendable, words: Words) in Before(real, words.text) },
        Ref<Words>("words"))
    }
    #expect(try once.object("greeter", as: Before.self).greet("Ada") == "Dear: Hi Ada.")
    let twice = try once.patched {
      $0.wrap("greeter") { (real: Before) in Before(real, "P.S.") }
    }
    #expect(try twice.object("greeter", as: Before.self).greet("Ada") == "P.S.: Dear: Hi Ada.")
    #expect(try once.explain("greeter").description.contains("original") == false)
    let summary = try once.explain("greeter").definition
    #expect(summary.needs.map(\.target) == ["words"])
  }

  @Test func `D17 of a lazy definition the object behind the proxy is wrapped`() throws {
    let (builder, tally) = (ContainerBuilder(), Tally())
    let greeter = builder.singleton(
      named: "greeter", lazy: GreeterProxy.self, SharedGreeter.init(tally:), Ref.value(tally))
    let patched = try builder.build().patched {
      $0.wrap("greeter") { (real: SharedGreeter) in Before(real, "Psst") }
    }
    let proxy = try patched.object(greeter)
    #expect(tally.count == 0)
    #expect(try proxy.greet("Ada") == "Psst: Hello Ada")
  }

  @Test func `D17 what asks by type finds the wrapper, which the original does not see`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "shared", SharedGreeter.init(tally:), Ref.value(Tally()))
    builder.prototype(
      named: "decorator", { (real: SharedGreeter) in Before(real, "A") },
      Ref<SharedGreeter>.byType())
    builder.prototype(named: "host", { (greeter: Before) in try greeter.greet("Ada") }, .byType())
    let patched = try builder.build().patched {
      $0.wrap("decorator") { (real: Before) in Before(real, "B") }
    }
    #expect(try patched.object("host", as: String.self) == "B: A: Hello Ada")
  }

  @Test func `D17 a wrapper of another type than the original is an error`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "words") { Words("Hi") }
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) {
      try container.patched { $0.wrap("words") { (real: Polite) in real } }
    }
    #expect(error?.code == .typeMismatch)
    let unknown = #expect(throws: ContainerError.self) {
      try container.patched { $0.wrap("wrods") { (real: Words) in real } }
    }
    #expect(unknown?.code == .unknownObject)
  }

  @Test func `D17 an asynchronous body has a patched container until it returns`() async throws {
    let (builder, tally) = (ContainerBuilder(), Tally())
    let greeter = builder.singleton(named: "greeter", SharedGreeter.init(tally:), Ref.value(tally))
    let container = try builder.build()
    let provider = try await container.withPatches({ $0.replace(greeter) { FakeGreeter() } }) {
      patched in
      await Task.yield()
      #expect(try patched.object("greeter", as: FakeGreeter.self).greet("Ada") == "fake")
      return try patched.object("greeter", as: (any Greeter & Sendable).self)
    }
    #expect(try provider.greet("Ada") == "fake")
    let kept = Collected<Container>()
    await #expect(throws: Refusal.self) {
      try await container.withPatches({ _ in }) { patched in
        kept.append(patched)
        await Task.yield()
        throw Refusal("enough")
      }
    }
    let error = #expect(throws: ContainerError.self) { try kept.all[0].object(greeter) }
    #expect(error?.code == .containerReleased)
    // Where nothing waits, nothing has to.
    let text = try syncPatches(container)
    #expect(text == "fake")
  }

  private func syncPatches(_ container: Container) throws -> String {
    try container.withPatches({ $0.replace("greeter") { FakeGreeter() } }) {
      try $0.object("greeter", as: FakeGreeter.self).greet("Ada")
    }
  }

  @Test @MainActor func `D17 an asynchronous body stays on the actor of its caller`() async throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "words") { Words("Hi") }
    var seen = ""
    try await builder.build().withPatches({ $0.replace("words") { Words("Ho") } }) { patched in
      MainActor.assertIsolated()
      await Task.yield()
      seen = try patched.object("words", as: Words.self).text
    }
    #expect(seen == "Ho")
  }

  @Test func `D17 a patched placeholder counts, together with what was patched before`() throws {
    let builder = ContainerBuilder.ofTests()
    builder.placeholders.environment = [:]
    builder.placeholders.set("title", "Sir")
    builder.add(
      ObjectDefinition(
        "knight", class: "Knight", scope: "prototype",
        properties: [.value("title", "${title}"), .reference("quest", to: "grail")]))
    let grail = builder.singleton(named: "grail") { Grail() }
    let container = try builder.build()
    let first = try container.patched { $0.replace("grail") { OtherQuest() } }
    let second = try first.patched { $0.setPlaceholder("title", to: "Dame") }
    let knight = try second.object("knight", as: Knight.self)
    #expect(knight.title == "Dame")
    #expect(knight.quest is OtherQuest)
    #expect(try container.object("knight", as: Knight.self).title == "Sir")
    #expect(try container.patched { $0.setPlaceholder("x", to: "y") }.object(grail).goal == "grail")
    let error = #expect(throws: ContainerError.self) {
      try container.patched { $0.setPlaceholder("title", to: "${nobody}") }
    }
    #expect(error?.problems.isEmpty == false)
  }
}

private final class Words: Sendable {
  let text: String
  init(_ text: String) { self.text = text }
}

private final class Polite: Greeter, Sendable {
  let words: Words
  let end: String
  init(_ words: Words, _ end: String) {
    self.words = words
    self.end = end
  }
  var count: Int { 0 }
  func name() throws -> String { "polite" }
  func greet(_ guest: String) throws -> String { "\(words.text) \(guest)\(end)" }
}

private final class Before: Greeter, Sendable {
  let real: any Greeter & Sendable
  let text: String
  init(_ real: any Greeter & Sendable, _ text: String) {
    self.real = real
    self.text = text
  }
  var count: Int { 0 }
  func name() throws -> String { try real.name() }
  func greet(_ guest: String) throws -> String { "\(text): \(try real.greet(guest))" }
}

private final class Spy: Greeter, Sendable {
  let real: SharedGreeter
  let recorder: CallRecorder
  init(_ real: SharedGreeter, _ recorder: CallRecorder) {
    self.real = real
    self.recorder = recorder
  }
  var count: Int { 0 }
  func name() throws -> String { try real.name() }
  func greet(_ guest: String) throws -> String {
    recorder.willCall(ForwardedCall("greet(_:)", of: "Greeter", .call, [.of(guest)]))
    return try real.greet(guest)
  }
}

private final class OtherQuest: Quest, Sendable {
  var goal: String { "another" }
}
