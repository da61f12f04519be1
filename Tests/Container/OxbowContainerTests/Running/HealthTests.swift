import Foundation
import OxbowTestSupport
import Testing

@testable import OxbowContainer

/// How the objects of a container are, as a tree.
@Suite(.timeLimit(.minutes(30))) struct HealthTests {
  private let journal = Journal()
  private let builder = ContainerBuilder()

  /// `http` needs `mail` and `cache`, which both need `store`; `cache` reports, `idle` is not used.
  private func container(cache health: Health = .up, store: Fault? = nil) throws -> Container {
    let journal = journal
    func needs(_ names: String...) -> (inout Injections<Server>) -> Void {
      { for name in names { $0.set(Ref<Employee>(name)) { $0.needs.append($1) } } }
    }
    builder.singleton(
      named: "http", { try Server("http", journal) }, file: "Shop.swift", line: 1,
      configure: needs("mail", "cache"))
    builder.singleton(
      named: "mail", { try Server("mail", journal) }, file: "Shop.swift", line: 2,
      configure: needs("store"))
    builder.singleton(
      named: "cache", { try Cache("cache", journal, health) }, file: "Shop.swift", line: 3
    ) { $0.set(Ref<Employee>("store")) { $0.needs.append($1) } }
    builder.singleton(
      named: "store", { try Waiter("store", journal, store) }, file: "Shop.swift", line: 4)
    builder.singleton(
      named: "idle", { try Cache("idle", journal, .up) }, file: "Shop.swift", line: 5)
    return try builder.build()
  }

  private func json(_ tree: HealthTree) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(tree), as: UTF8.self)
  }

  @Test func `before a run services are down, and what is not built is left out`() async throws {
    let container = try container()
    #expect(
      await container.health()
        == HealthTree(
          "container", Health(.down),
          [
            HealthTree(
              "http", place: "Shop.swift:1", .down("not started"),
              [
                HealthTree(
                  "mail", place: "Shop.swift:2", .down("not started"),
                  [HealthTree("store", place: "Shop.swift:4", .down("not started"))])
              ])
          ]))
    #expect(journal.all == [])
  }

  @Test func `an object is asked unless an open question is late, whatever was answered`() throws {
    let (questions, start) = (HealthQuestions(), ContinuousClock.now)
    func ask(at second: Int) -> Int? {
      questions.begin(1, within: .seconds(5), at: start + .seconds(second))
    }
    let first = try #require(ask(at: 0))
    let second = try #require(ask(at: 4))
    questions.end(first, to: 1)
    #expect(ask(at: 8) != nil)
    #expect(ask(at: 9) == nil)
    questions.end(second, to: 1)
    #expect(ask(at: 9) != nil)
    #expect(ask(at: 13) == nil)
  }

  @Test func `the tree is JSON with names, places and what is reported`() async throws {
    var health = Health.degraded("the cache is half full")
    health.details = ["entries": "5"]
    let container = try container(cache: health)
    let run = Task { try await container.run() }
    await journal.wait(for: "ready http")
    var tree = await container.health()
    // The container hears of it after the journal does.
    try await wait {
      tree = await container.health()
      return tree.children.first?.health.status != .down
    }
    let text = try json(tree)
    #expect(
      text == """
        {
          "children" : [
            {
              "children" : [
                {
                  "children" : [
                    {
                      "name" : "store",
                      "place" : "Shop.swift:4",
                      "status" : "up"
                    }
                  ],
                  "name" : "mail",
                  "place" : "Shop.swift:2",
                  "status" : "up"
                },
                {
                  "details" : {
                    "entries" : "5"
                  },
                  "name" : "cache",
                  "place" : "Shop.swift:3",
                  "status" : "degraded",
                  "text" : "the cache is half full"
                }
              ],
              "name" : "http",
              "place" : "Shop.swift:1",
              "status" : "up"
            }
          ],
          "name" : "container",
          "status" : "degraded"
        }
        """)
    #expect(try JSONDecoder().decode(HealthTree.self, from: Data(text.utf8)) == tree)
    run.cancel()
    #expect(await run.failure == nil)
    let after = await container.health()
    #expect(after.health.status == .down)
    #expect(after.children.map(\.health) == [.down("ended")])
  }

  @Test func `a service that is not ready yet is down, and those above have not started`()
    async throws
  {
    let container = try container(store: .early)
    let run = Task { try await container.run(.late("", at: .zero)) }
    await journal.wait(for: "prepare store")
    let mail = await container.health().children.first?.children.first
    #expect(mail?.health == .down("not started"))
    #expect(mail?.children.map(\.health) == [.down("starting")])
    run.cancel()
    #expect(await run.failure == nil)
  }

  @Test func `an object that does not answer in time is down, and is not asked again until it has`()
    async throws
  {
    let (news, tell) = AsyncStream.makeStream(of: Void.self)
    let slow = Slow(answers: news)
    builder.singleton(named: "slow", { slow })
    builder.singleton(named: "quick", { [journal] in try Cache("quick", journal, .up) })
    let container = try builder.build()
    _ = try container.object("slow", as: Slow.self)
    _ = try container.object("quick", as: Cache.self)
    for _ in 0..<3 {
      let tree = await container.health(within: .milliseconds(20))
      #expect(tree.health.status == .down)
      let own = tree.children.map { "\($0.name): \($0.health.status)" }
      #expect(own == ["slow: down", "quick: up"])
    }
    #expect(slow.questions.all.count == 1)
    tell.yield()
    // Its answer was too late, and the next one counts.
    try await wait { slow.answersGiven.all.count == 1 }
    tell.yield()
    try await wait { await container.health(within: .seconds(60)).health.status == .up }
  }

  @Test func `an object that hangs is not asked by probes that are given up, either`() async throws
  {
    let (news, tell) = AsyncStream.makeStream(of: Void.self)
    let slow = Slow(answers: news)
    builder.singleton(named: "slow", { slow })
    let container = try builder.build()
    _ = try container.object("slow", as: Slow.self)
    for _ in 0..<3 {
      let probe = Task { await container.health(within: .milliseconds(20)) }
      try await wait { !slow.questions.all.isEmpty }
      probe.cancel()
      #expect(await probe.value.health.status == .down)
      _ = await container.health(within: .milliseconds(20))
    }
    // The first was asked twice at most: by the probe, and before its time was over.
    #expect(slow.questions.all.count <= 2)
    tell.finish()
  }

  @Test func `a container that was closed is down, though it has no services`() async throws {
    builder.singleton(named: "cache", { [journal] in try Cache("cache", journal, .up) })
    let container = try builder.build()
    _ = try container.object("cache", as: Cache.self)
    #expect(await container.health().health.status == .up)
    container.close()
    #expect(await container.health() == HealthTree("container", .down("closed")))
  }

  @Test func `after its end a container is down`() async throws {
    let container = try builder.build()
    try container.shutDown()
    #expect(await container.health().health.status == .down)
  }

  @Test func `statuses are ordered, the worst last`() {
    #expect(Health.Status.allCases.sorted() == [.up, .degraded, .down])
    #expect(Health.Status.allCases.max() == .down)
  }
}

/// Something that waits before it says how it is.
private final class Slow: HealthReporting, Sendable {
  let questions = Collected<Int>()
  let answersGiven = Collected<Int>()
  private let answers: AsyncStream<Void>

  init(answers: AsyncStream<Void>) { self.answers = answers }

  func health() async -> Health {
    questions.append(1)
    // It does not hear that it is not waited for any more.
    let answers = answers
    await Task.detached { for await _ in answers { return } }.value
    answersGiven.append(1)
    return .up
  }
}

/// Something that reports its health and does not run.
private final class Cache: Employee, HealthReporting, @unchecked Sendable {
  private var own = Health.up

  convenience init(_ name: String, _ journal: Journal, _ health: Health) throws {
    try self.init(name, journal)
    own = health
  }

  func health() async -> Health { own }
}
