import Foundation
import Oxbow
import Testing

// IV: aspects, through the proxies that `@Proxied(aspects: true)` writes.

@Proxied(aspects: true) protocol Walker {
  func walk(to place: String, steps: Int) throws -> String
  func rest() throws
  func count() throws -> Int
  func fetch(_ name: String) async throws -> String
  func each(_ body: (Int) -> Void) throws
}
extension WalkerProxy: WalkerForwarding {}

@Proxied(aspects: true) protocol Runner: Walker {
  func run(_ distance: Int) throws -> Int
}
extension RunnerProxy: RunnerForwarding {}

final class Ada: Runner, Sendable {
  func walk(to place: String, steps: Int) throws -> String {
    if steps < 0 { throw Refusal() }
    return "\(place) in \(steps)"
  }
  func rest() throws { try _ = walk(to: "bed", steps: 1) }
  func count() -> Int { 7 }
  func fetch(_ name: String) async throws -> String { "a \(name)" }
  func each(_ body: (Int) -> Void) throws { body(1) }
  func run(_ distance: Int) throws -> Int { distance * 2 }
}

/// Without aspects.
@Proxied protocol Sitter {
  func sit() throws
}
extension SitterProxy: SitterForwarding {}

final class Grace: Sitter, Sendable {
  func sit() {}
}

struct Refusal: Error {}

/// What aspects note.
final class Journal: @unchecked Sendable {
  // Sendable by argument: behind its lock.
  private let lock = NSLock()
  private var noted: [String] = []
  var lines: [String] { lock.withLock { noted } }
  func note(_ line: String) { lock.withLock { noted.append(line) } }
}

/// Notes each step.
final class Steps: NonThrowingAspect, AsyncAspect {
  private let name: String
  private let journal: Journal
  init(name: String, journal: Journal) {
    self.name = name
    self.journal = journal
  }
  func before(_ call: Invocation) { journal.note("\(name) before \(call)") }
  func afterReturning(_ call: Invocation) { journal.note("\(name) returning") }
  func after(_ call: Invocation) { journal.note("\(name) after") }
}

/// Does what a closure says.
final class Around: Aspect {
  private let body: @Sendable (Invocation, () throws -> Void) throws -> Void
  init(_ body: @escaping @Sendable (Invocation, () throws -> Void) throws -> Void) {
    self.body = body
  }
  func around(_ call: Invocation, proceed: () throws -> Void) throws { try body(call, proceed) }
}

/// Notes errors, and replaces them.
final class Translating: Aspect {
  func afterThrowing(_ error: any Error, _ call: Invocation) throws {
    throw CancellationError()
  }
}

/// Async alone.
final class Waiting: AsyncAspect {}

private let woven = Pointcut.objects("ada")

@Suite struct AspectTests {
  private func walker(
    _ define: (ContainerBuilder) -> Void
  ) throws -> (container: Container, ada: any Runner & Sendable) {
    let builder = ContainerBuilder()
    builder.singleton(named: "ada", { Ada() })
    define(builder)
    let container = try builder.build()
    return (container, try container.object("ada", as: RunnerProxy.self))
  }

  private func stepped(_ pointcuts: [Pointcut]) throws -> (any Runner & Sendable, Journal) {
    let journal = Journal()
    let (_, ada) = try walker { builder in
      for (number, pointcut) in pointcuts.enumerated() {
        builder.aspect(
          named: "s\(number)", on: pointcut, { Steps(name: "s\(number)", journal: journal) })
      }
    }
    return (ada, journal)
  }

  @Test func `IV-13 an aspect sees calls before and after, with their arguments`() throws {
    let (ada, journal) = try stepped([woven.methods("walk")])
    #expect(try ada.walk(to: "Rome", steps: 3) == "Rome in 3")
    #expect(journal.lines == ["s0 before walk(to: Rome, steps: 3)", "s0 returning", "s0 after"])
    #expect(try ada.count() == 7)
    #expect(journal.lines.count == 3)
  }

  @Test func `IV-13 arguments and results can be changed`() throws {
    let (_, ada) = try walker {
      $0.aspect(named: "change", on: woven.methods("walk")) {
        Around { call, proceed in
          #expect(call.arguments.map { "\($0)" } == ["Rome", "3"])
          try call.setArgument(0, to: "Paris")
          try call.setArgument(1, to: 4)
          try proceed()
          #expect(call.result as? String == "Paris in 4")
          try call.setResult("done")
        }
      }
    }
    #expect(try ada.walk(to: "Rome", steps: 3) == "done")
  }

  @Test func `IV-13 an argument that a method does not have is none`() throws {
    let (_, ada) = try walker {
      $0.aspect(named: "first", on: woven.methods("walk", "count", "run")) {
        Around { call, proceed in
          if let place = call.argument(0, as: String.self) {
            try call.setArgument(0, to: place.uppercased())
          }
          try proceed()
        }
      }
    }
    #expect(try ada.walk(to: "Rome", steps: 3) == "ROME in 3")
    #expect(try ada.count() == 7)
    #expect(try ada.run(2) == 4)
  }

  @Test func `IV-13 what has another type is refused`() throws {
    let (_, ada) = try walker {
      $0.aspect(named: "change", on: woven.methods("walk")) {
        Around { call, _ in try call.setArgument(1, to: "four") }
      }
      $0.aspect(named: "result", on: woven.methods("run")) {
        Around { call, _ in try call.setResult("four") }
      }
      $0.aspect(named: "nothing", on: woven.methods("rest")) { Around { _, _ in } }
      $0.aspect(named: "none", on: woven.methods("walk", "run"), order: -1) {
        Around { call, proceed in
          if call.name == "walk(to:steps:)", call.argument(1, as: Int.self) == 0 { return }
          try proceed()
        }
      }
    }
    #expect(throws: ContainerError.self) { try ada.walk(to: "Rome", steps: 3) }
    #expect(throws: ContainerError.self) { try ada.run(3) }
    #expect { try ada.walk(to: "Rome", steps: 0) } throws: {
      ($0 as? ContainerError)?.code == .noResult
    }
    try ada.rest()
  }

  @Test func `IV-19 aspects nest in the order of their definitions, unless they have an order`()
    throws
  {
    let journal = Journal()
    let (_, ada) = try walker { builder in
      for (name, order) in [("a", 0), ("b", 0), ("c", -1)] {
        builder.aspect(named: name, on: woven.methods("run"), order: order) {
          Steps(name: name, journal: journal)
        }
      }
    }
    #expect(try ada.run(1) == 2)
    #expect(
      journal.lines == [
        "c before run(1)", "a before run(1)", "b before run(1)", "b returning", "b after",
        "a returning", "a after", "c returning", "c after",
      ])
  }

  @Test func `IV-20 an aspect that matches twice runs once`() throws {
    let (ada, journal) = try stepped([woven.methods("run", "run(_:)")])
    #expect(try ada.run(1) == 2)
    #expect(journal.lines.count == 3)
  }

  @Test func `IV-21 calls of an object to itself are not seen`() throws {
    let (ada, journal) = try stepped([woven])
    try ada.rest()
    #expect(journal.lines.first == "s0 before rest()")
    #expect(journal.lines.count == 3)
  }

  @Test func `IV-22 after throwing, and after in any case`() throws {
    let journal = Journal()
    let (_, ada) = try walker { builder in
      builder.aspect(named: "translate", on: woven.methods("walk")) { Translating() }
      builder.aspect(named: "steps", on: woven.methods("walk")) {
        Steps(name: "s", journal: journal)
      }
    }
    #expect(throws: CancellationError.self) { try ada.walk(to: "Rome", steps: -1) }
    #expect(journal.lines == ["s before walk(to: Rome, steps: -1)", "s after"])
  }

  @Test func `IV-27 an aspect around a call may call the target again`() throws {
    let journal = Journal()
    let (_, ada) = try walker {
      $0.aspect(named: "retry", on: woven.methods("walk")) {
        Around { call, proceed in
          do { try proceed() } catch {
            journal.note("again")
            try call.setArgument(1, to: 5)
            try proceed()
          }
        }
      }
    }
    #expect(try ada.walk(to: "Rome", steps: -1) == "Rome in 5")
    #expect(journal.lines == ["again"])
  }

  @Test func `async methods have aspects that fit`() async throws {
    let (ada, journal) = try stepped([woven.methods("fetch", "count")])
    #expect(try await ada.fetch("stick") == "a stick")
    #expect(try ada.count() == 7)
    #expect(
      journal.lines.filter { $0.contains("before") } == [
        "s0 before fetch(stick)", "s0 before count()",
      ])
  }

  @Test func `IV-12 aspects are components, and are injected`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "ada", { Ada() })
    let journal = builder.singleton(named: "journal", { Journal() })
    builder.aspect(
      named: "steps", on: .objects(of: (any Walker).self).methods("run"),
      { Steps(name: "s", journal: $0) }, journal)
    let container = try builder.build()
    #expect(try container.object("ada", as: RunnerProxy.self).run(2) == 4)
    #expect(try container.object(journal).lines.count == 3)
  }

  @Test func `a proxy can have aspects too, and stays what it is`() throws {
    let journal = Journal()
    let builder = ContainerBuilder()
    let ada = builder.singleton(named: "ada", { Ada() })
    builder.proxy(named: "lazy", .lazy, of: ada, as: RunnerProxy.self)
    builder.aspect(named: "steps", on: .objects("lazy")) { Steps(name: "s", journal: journal) }
    let container = try builder.build()
    #expect(try container.object("lazy", as: RunnerProxy.self).run(2) == 4)
    #expect(try container.object("ada", as: Ada.self).run(2) == 4)
    #expect(journal.lines.count == 3)
  }

  // MARK: - What is found when the container is built

  private func report(_ define: (ContainerBuilder) -> Void) -> ContainerReport {
    let builder = ContainerBuilder()
    builder.singleton(named: "ada", { Ada() })
    define(builder)
    return builder.check()
  }

  @Test func `IV-14 an aspect must fit the method`() {
    let found = report { builder in
      builder.aspect(named: "around", on: woven.methods("run", "fetch")) {
        Around { _, p in try p() }
      }
      builder.aspect(named: "waiting", on: woven.methods("run")) { Waiting() }
      builder.aspect(named: "each", on: woven.methods("each")) { Around { _, p in try p() } }
    }
    #expect(found.problems.map(\.code) == Array(repeating: .invalidAspect, count: 3))
    #expect(
      Set(found.problems.map(\.message)) == [
        "aspect \"around\" cannot run around 'fetch(_:)' of object \"ada\": the method is async, "
          + "and the aspect is not",
        "aspect \"waiting\" cannot run around 'run(_:)' of object \"ada\": the method is not "
          + "async, and the aspect is",
        "aspect \"each\" cannot run around 'each(_:)' of object \"ada\"",
      ])
  }

  @Test func `IV-16 what matches nothing is noted with near names`() {
    let found = report { builder in
      builder.aspect(named: "a", on: .objects("adda").methods("walk")) { Translating() }
      builder.aspect(named: "b", on: woven.methods("wlak", "run(_:)")) { Translating() }
    }
    #expect(found.problems.map(\.description) == [])
    #expect(
      found.notes.map(\.text) == [
        "aspect \"a\": there is no object named \"adda\"; did you mean \"ada\"?",
        "aspect \"b\": no method is called \"wlak\"; did you mean \"walk\"?",
      ])
  }

  @Test func `an object with aspects needs a protocol`() {
    let found = report { builder in
      builder.singleton(named: "plain", { Journal() })
      builder.aspect(named: "a", on: .objects("plain")) { Translating() }
    }
    #expect(found.problems.map(\.code) == [.noProxy])
  }

  @Test func `an aspect that no proxy of its object can run is refused`() throws {
    let found = report { builder in
      builder.singleton(named: "grace", { Grace() })
      builder.aspect(named: "a", on: .objects("grace")) { Translating() }
      builder.aspect(named: "b", on: .objects(of: (any Sitter).self).methods("sit")) {
        Translating()
      }
    }
    let problem = try #require(found.problems.first)
    #expect(found.problems.count == 1 && problem.code == .noProxy)
    #expect(
      problem.message
        == "object \"grace\" has aspects, and no protocol of class \"Grace\" lets them run")
    #expect(problem.seen == "protocol \"Sitter\", marked @Proxied without 'aspects: true'")
    #expect(found.notes.map(\.text) == [])
  }

  @Test func `an aspect of all objects that runs around no method is noted`() {
    let builder = ContainerBuilder()
    builder.singleton(named: "grace", { Grace() })
    builder.aspect(named: "a", on: .everything) { Translating() }
    builder.aspect(named: "b", on: .everything.methods("sit")) { Translating() }
    let found = builder.check()
    #expect(found.problems.map(\.description) == [])
    #expect(
      found.notes.map(\.text) == [
        "aspect \"a\" runs around nothing: no object that its pointcut selects has such methods in "
          + "a protocol marked @Proxied(aspects: true) or in a @Woven class",
        "aspect \"b\": no method is called \"sit\"",
      ])
  }
}
