import OxbowContainer
import Testing

/// A container that runs what runs, in order.
@Suite(.timeLimit(.minutes(30))) struct RunTests {
  private let journal = Journal()
  private let builder = ContainerBuilder()

  private func define<W: Employee>(
    _ type: W.Type, _ name: String, _ needs: [String] = [], fault: Fault? = nil
  ) {
    let journal = journal
    builder.singleton(
      named: name, { try W(name, journal, fault) }, file: "Shop.swift", line: 7
    ) { injections in
      for need in needs { injections.set(Ref<Employee>(need)) { $0.needs.append($1) } }
    }
  }

  /// `http` needs `mail`, which needs `store`, and `cache`.
  private func defineShop(mail: Fault? = nil, http: Fault? = nil) {
    define(Server.self, "http", ["mail", "cache"], fault: http)
    define(Server.self, "mail", ["store"], fault: mail)
    define(Waiter.self, "store")
    define(Employee.self, "cache")
  }

  private func comes(_ first: String, before second: String) -> Bool {
    guard let a = journal.index(of: first), let b = journal.index(of: second) else { return false }
    return a < b
  }

  // MARK: - Order

  @Test func `services start when their needs are ready, and stop in reverse`() async throws {
    defineShop()
    let container = try builder.build()
    #expect(await container.run(until: "ready http", in: journal) == nil)
    #expect(journal.all.prefix(4).allSatisfy { $0.hasPrefix("make") })
    #expect(comes("ready store", before: "run mail"))
    #expect(comes("ready store", before: "prepare mail"))
    #expect(comes("ready mail", before: "run http"))
    #expect(comes("end http", before: "stop mail"))
    #expect(comes("end mail", before: "dispose http"))
    let disposed = journal.all.filter { $0.hasPrefix("dispose") }
    #expect(disposed.first == "dispose http")
    #expect(comes("dispose mail", before: "dispose store"))
    #expect(disposed.count == 4)
  }

  @Test func `needs count through objects that are no services, and through providers`()
    async throws
  {
    builder.singleton(named: "top", { [journal] in try Runner("top", journal) }) {
      $0.set(Ref<Employee>("middle").provider) { $0.later.append($1) }
    }
    define(Employee.self, "middle", ["bottom"])
    define(Waiter.self, "bottom")
    let container = try builder.build()
    #expect(await container.run(until: "run top", in: journal) == nil)
    #expect(comes("ready bottom", before: "run top"))
    #expect(!journal.all.contains("make middle"))
  }

  @Test func `in a circle services start in the order of disposal`() async throws {
    define(Server.self, "a", ["b"])
    define(Server.self, "b", ["a"])
    let container = try builder.build()
    let run = Task { try await container.run() }
    for name in ["a", "b"] where journal.index(of: "ready \(name)") == nil {
      await journal.wait(for: "ready \(name)")
    }
    run.cancel()
    #expect(await run.failure == nil)
    let started = journal.all.filter { $0.hasPrefix("ready") }.map { $0.suffix(1) }
    let ended = journal.all.filter { $0.hasPrefix("end") }.map { $0.suffix(1) }
    let disposed = journal.all.filter { $0.hasPrefix("dispose") }.map { $0.suffix(1) }
    #expect(started == ended.reversed())
    #expect(ended == disposed)
  }

  @Test func `only some services run, with what they need`() async throws {
    defineShop()
    builder.alias("post", of: Ref<Server>("mail"))
    var options = RunOptions.late("", at: .zero)
    options.only = ["post"]
    let container = try builder.build()
    #expect(await container.run(options, until: "ready mail", in: journal) == nil)
    #expect(!journal.all.contains { $0.hasSuffix("http") || $0.hasSuffix("cache") })
    #expect(comes("ready store", before: "run mail"))
  }

  // MARK: - What is a service

  @Test func `behind a protocol an object runs if the protocol says so, or if it is built`()
    async throws
  {
    let journal = journal
    for (name, traits) in [("idle", []), ("eager", .eager)]
      as [(String, DefinitionTraits<SharedScope>)]
    {
      builder.singleton(named: name, traits: traits) {
        try Runner(name, journal) as any Disposable
      }
    }
    builder.singleton(named: "known") { try Runner("known", journal) as any RunningObject }
    let both = builder.singleton(named: "both") {
      try Runner("both", journal) as any RunningObject & Disposable
    }
    builder.alias("other", of: both)
    let container = try builder.build()
    let run = Task { try await container.run() }
    for _ in 0..<3 { await journal.waitForRun() }
    run.cancel()
    #expect(await run.failure == nil)
    #expect(
      Set(journal.all.filter { $0.hasPrefix("run") }) == ["run eager", "run known", "run both"])
  }

  @Test func `an object with two names runs once, and who needs the second waits for it`()
    async throws
  {
    define(Server.self, "first")
    builder.singleton(named: "second", { (first: Server) in first }, Ref<Server>("first"))
    define(Runner.self, "user", ["second"])
    let container = try builder.build()
    #expect(await container.run(until: "run user", in: journal) == nil)
    #expect(journal.all.filter { $0 == "run first" }.count == 1)
    #expect(comes("ready first", before: "run user"))
  }

  @Test func `a wrapper that runs replaces what it wraps, any other does not`() async throws {
    define(Server.self, "inner")
    let journal = journal
    for (runs, count) in [(true, 1), (false, 2)] {
      let container = try builder.build().patched {
        if runs {
          $0.wrap("inner", with: { (_: Server) in try Server("outer", journal) })
        } else {
          $0.wrap("inner", with: { (_: Server) in try Employee("outer", journal) })
        }
      }
      let name = runs ? "outer" : "inner"
      #expect(await container.run(until: "ready \(name)", in: journal) == nil)
      #expect(journal.all.filter { $0.hasPrefix("run") }.count == count)
    }
  }

  @Test func `of a wrapper that is wrapped, the outermost runs alone`() async throws {
    define(Server.self, "inner")
    let journal = journal
    var container = try builder.build()
    for name in ["outer", "outermost"] {
      container = try container.patched {
        $0.wrap("inner", with: { (_: Server) in try Server(name, journal) })
      }
    }
    #expect(await container.run(until: "ready outermost", in: journal) == nil)
    #expect(journal.all.filter { $0.hasPrefix("run") } == ["run outermost"])
  }

  @Test func `what is shut down at the moment when it begins to run does one of both`()
    async throws
  {
    for _ in 0..<300 {
      let journal = Journal()
      let builder = ContainerBuilder()
      builder.singleton(named: "a", traits: .eager) { try Runner("a", journal) }
      let container = try builder.build()
      let run = Task { try await container.run() }
      let isShutDown = (try? container.shutDown()) != nil
      run.cancel()
      let failure = await run.failure
      let lines = journal.all
      if isShutDown {
        #expect(lines.last == "dispose a")
        #expect(!lines.contains("run a") || failure == nil)
      }
      #expect(lines.filter { $0 == "dispose a" }.count == 1)
      if let end = lines.firstIndex(of: "dispose a"), let start = lines.firstIndex(of: "run a") {
        #expect(start < end)
      }
    }
  }

  @Test func `a lazy service is built to run`() async throws {
    let journal = journal
    builder.singleton(named: "lazy", lazy: GreeterProxy.self) { try Porter("lazy", journal) }
    builder.singleton(named: "weak", traits: .weak) { try Server("weak", journal) }
    let container = try builder.build()
    let run = Task { try await container.run() }
    for _ in 0..<2 { await journal.waitForRun() }
    run.cancel()
    #expect(await run.failure == nil)
    #expect(journal.all.filter { $0 == "run lazy" }.count == 1)
    #expect(journal.all.contains("end weak"))
    #expect(journal.all.contains("dispose lazy"))
  }

  @Test func `a service of another scope is refused, with the chain that leads to it`() throws {
    let journal = journal
    let worker = builder.prototype(named: "worker", { try Runner("worker", journal) })
    builder.singleton(named: "boss", { (_: Runner) in try Employee("boss", journal) }, worker)
    builder.prototype(named: "store", in: .thread) { try Waiter("store", journal) }
    let report = builder.check()
    #expect(report.problems.map(\.code) == [.serviceScope])
    #expect(
      report.problems.map { $0.at(nil).description } == [
        """
        object "worker" cannot be run by its container
           seen: a Runner, which is a RunningObject, in scope "prototype"
           expected: a singleton, of which there is one to run
           requested by: "boss" → "worker"
           next: give it scope "singleton", or take RunningObject away and run it where it is made
        """
      ])
    #expect(
      report.notes.map(\.text) == [
        "object \"store\" has Readiness, which means nothing in scope \"thread\": nothing waits for "
          + "it"
      ])
  }

  @Test func `what takes long to build is built in its turn, unless a constructor needs it`()
    async throws
  {
    for isNeeded in [false, true] {
      let (builder, journal) = (ContainerBuilder(), Journal())
      builder.singleton(named: "top", { try Server("top", journal) }) {
        $0.set(Ref<Employee>("slow").provider) { $0.later.append($1) }
        if isNeeded { $0.set(Ref<Employee>("slow")) { $0.needs.append($1) } }
      }
      builder.singleton(named: "slow", { try Opened("slow", journal) }) {
        $0.set(Ref<Employee>("base")) { $0.needs.append($1) }
      }
      builder.singleton(named: "base") { try Waiter("base", journal) }
      let container = try builder.build()
      #expect(await container.run(until: "ready top", in: journal) == nil)
      let (slow, base) = (journal.index(of: "make slow"), journal.index(of: "ready base"))
      #expect((slow ?? 0) > (base ?? 0) || isNeeded)
      #expect((slow ?? 0) < (journal.index(of: "run top") ?? 0))
      #expect(journal.all.filter { $0 == "make slow" }.count == 1)
    }
  }

  @Test func `what cannot be built in its turn keeps from starting what needs it`() async throws {
    let journal = journal
    builder.singleton(named: "top", { try Server("top", journal) }) {
      $0.set(Ref<Employee>("slow").provider) { $0.later.append($1) }
    }
    builder.singleton(named: "slow") { try Opened("slow", journal, .construction) }
    let container = try builder.build()
    let error = await Task { try await container.run() }.failure
    #expect(error?.problems.map(\.code) == [.serviceNotReady, .constructionFailed])
    #expect(error?.problems.first?.requestedBy == ["\"top\"", "\"slow\""])
    #expect(journal.all == ["make top", "dispose top"])
  }

  // MARK: - Refusals

  @Test func `a container runs once`() async throws {
    defineShop()
    let container = try builder.build()
    let run = Task { try await container.run() }
    await journal.wait(for: "ready http")
    let second = await Task { try await container.run() }.failure
    #expect(
      second?.description == """
        cannot run the container: the container runs already
           seen: run() while another call of it is at work
           expected: one call of run() for each container
           next: build a container for each run, or wait for the end of the first one
        """)
    let early = #expect(throws: ContainerError.self) { try container.shutDown() }
    #expect(
      early?.description == """
        cannot shut down the container: the container's services run
           seen: shutDown() while run() is at work
           expected: a container that does not run
           next: cancel the task that called run(): it stops the services and shuts down
        """)
    run.cancel()
    #expect(await run.failure == nil)
    try container.shutDown()
    let third = await Task { try await container.run() }.failure
    #expect(third?.message == "the container was run or shut down before")
    let other = try builder.build()
    try other.shutDown()
    let late = await Task { try await other.run() }.failure
    #expect(late?.code == .runRefused)
  }

  @Test func `a container without services says so, and can be used`() async throws {
    define(Employee.self, "cache")
    let container = try builder.build()
    let none = await Task { try await container.run() }.failure
    #expect(
      none?.description == """
        cannot run the container: there is nothing to run
           seen: no singleton that is known to be a RunningObject or to have Readiness
           expected: a service, by its type or already built
           next: conform to RunningObject; where a definition's type is a protocol that does not, \
        give the definition the trait eager
        """)
    #expect(try container.object("cache", as: Employee.self).title == "cache")
    var options = RunOptions()
    options.only = ["cachee", "cache"]
    let unknown = await Task { [options] in try await container.run(options) }.failure
    #expect(unknown?.problems.map(\.message) == ["there is no object named \"cachee\""])
    #expect(unknown?.problems.first?.nearNames == ["cache"])
    try container.shutDown()
  }

  @Test func `a cancellation before the run is not lost, and builds nothing`() async throws {
    defineShop()
    let container = try builder.build()
    let run = Task {
      await cancellation()
      try await container.run()
    }
    run.cancel()
    #expect(await run.failure == nil)
    #expect(journal.all == [])
    let error = #expect(throws: ContainerError.self) {
      try container.object("http", as: Server.self)
    }
    #expect(error?.code == .containerReleased)
  }

  // MARK: - Ends

  @Test func `an error of a constructor is thrown before anything starts`() async throws {
    define(Server.self, "http", ["mail"])
    define(Server.self, "mail", ["store"], fault: .construction)
    define(Waiter.self, "store")
    let container = try builder.build()
    let error = await Task { try await container.run() }.failure
    #expect(error?.code == .constructionFailed)
    #expect(journal.all.filter { !$0.hasPrefix("make") && !$0.hasPrefix("dispose") } == [])
    #expect(journal.all.contains("dispose store"))
  }

  @Test func `a service that ends by itself stops the rest`() async throws {
    defineShop(http: .running)
    builder.singleton(named: "brief") { Brief() }
    let container = try builder.build()
    let error = await Task { try await container.run(.late("", at: .zero)) }.failure
    #expect(error?.code == .serviceEnded)
    #expect(
      error?.problems.first?.at(nil).description == """
        service "brief" has ended
           seen: run() that returned although its task was not cancelled
           expected: run() that goes on until its task is cancelled
           next: wait in run() for the cancellation
        """)
    let ends = journal.all.filter { $0.hasPrefix("end") }.count
    #expect(ends == journal.all.filter { $0.hasPrefix("run") }.count)
    #expect(journal.all.filter { $0.hasPrefix("dispose") }.count == 4)
  }

  @Test func `a start that fails names the path, and ends what ran`() async throws {
    defineShop(mail: .readiness)
    let container = try builder.build()
    let error = await Task { try await container.run() }.failure
    #expect(
      error?.description == """
        cannot run the container: service "mail" could not be started
           at: Shop.swift:7
           seen: mail is shy
           expected: ready() that returns
           requested by: "http" → "mail"
           next: remove the cause and run a new container: this one was shut down
        """)
    #expect(!journal.all.contains("run http"))
    #expect(comes("end mail", before: "dispose mail"))
    #expect(journal.all.filter { $0.hasPrefix("dispose") }.count == 4)
  }

  @Test func `a service that ends before it is ready has not started`() async throws {
    defineShop(mail: .early)
    let container = try builder.build()
    let error = await Task { try await container.run() }.failure
    #expect(error?.problems.map(\.code) == [.serviceNotReady])
    #expect(error?.problems.first?.seen == "run() ended before ready() did: mail is tired")
    #expect(error?.problems.first?.requestedBy == ["\"http\"", "\"mail\""])
  }

  @Test func `a service that is not ready in time stops all`() async throws {
    define(Server.self, "http", ["slow"])
    builder.singleton(named: "slow") { [journal] in try Slow("slow", journal) }
    let container = try builder.build()
    let error = await Task { try await container.run(.late("slow", at: .seconds(1))) }.failure
    #expect(
      error?.problems.map { $0.at(nil).description } == [
        """
        service "slow" could not be started
           seen: ready() that has not returned within 1.0 seconds
           expected: a service that is ready within the limit
           requested by: "http" → "slow"
           next: find out what it waits for, or give it more time: RunOptions.readyWithin
        """
      ])
    #expect(journal.all == ["make slow", "make http", "dispose http", "dispose slow"])
  }

  @Test func `what ignores its cancellation is named, and keeps what it needs`() async throws {
    define(Server.self, "http", ["stubborn"])
    let (journal, gate) = (journal, Gatekeeper())
    builder.singleton(named: "stubborn", { try Stubborn(journal, gate) }) {
      $0.set(Ref<Employee>("store")) { $0.needs.append($1) }
    }
    define(Server.self, "store", ["disk"])
    define(Employee.self, "disk")
    define(Employee.self, "other")
    let container = try builder.build()
    _ = try container.object("other", as: Employee.self)
    let error = await container.run(
      .late("stubborn", at: .seconds(2)), until: "ready http", in: journal)
    #expect(
      error?.problems.map { $0.at(nil).description } == [
        """
        service "stubborn" did not stop in time
           seen: run() or ready() at work 2.0 seconds after its task was cancelled; because it may \
        use them, not disposed of: "stubborn", "store", "disk"
           expected: an end within the limit
           next: end when the task is cancelled, or take more time: RunOptions.stopWithin
        """
      ])
    #expect(error?.code == .shutdownFailed)
    #expect(
      Set(journal.all.filter { $0.hasPrefix("dispose") }) == ["dispose http", "dispose other"])
    #expect(journal.all.contains("end store"))
    await gate.open()
    await journal.wait(for: "end stubborn")
  }
}

extension Journal {
  /// Returns when something has begun to run.
  fileprivate func waitForRun() async { await wait(until: { $0.hasPrefix("run") }) }
}

private final class Opened: Employee, BuiltInTurn, @unchecked Sendable {}

private struct Brief: RunningObject {
  func run() async throws {}
}

private final class Slow: Employee, Readiness, @unchecked Sendable {
  func ready() async throws { await cancellation() }
}

/// A greeter behind a lazy proxy that runs.
private final class Porter: Employee, Greeter, RunningObject, @unchecked Sendable {
  var count: Int { 0 }
  func name() throws -> String { title }
  func greet(_ guest: String) throws -> String { guest }
  func run() async throws {
    journal.note("run \(title)")
    await cancellation()
  }
}

/// Lets go when it is opened.
private actor Gatekeeper {
  private var waiting: CheckedContinuation<Void, Never>?
  private var isOpen = false

  func wait() async {
    if !isOpen { await withCheckedContinuation { waiting = $0 } }
  }

  func open() {
    isOpen = true
    waiting?.resume()
  }
}

private final class Stubborn: Employee, RunningObject, @unchecked Sendable {
  private var gate: Gatekeeper?

  convenience init(_ journal: Journal, _ gate: Gatekeeper) throws {
    try self.init("stubborn", journal)
    self.gate = gate
  }

  func run() async throws {
    await gate?.wait()
    journal.note("end stubborn")
  }
}
