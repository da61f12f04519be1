import Foundation
import Oxbow
import OxbowTestSupport
import OxbowTesting
import Testing

// Aspects that come with Oxbow.

@Proxied(aspects: true) protocol Lending {
  func rename(_ from: String, to name: String) throws -> Int
  func fail(after name: String) throws
  func both(_ name: String) throws
  func look() throws -> Int
  func shrug(_ name: String) throws
}
extension LendingProxy: LendingForwarding {}

struct StoredLending: Lending {
  let context: any ObjectContext & Sendable
  let inner: (any Lending & Sendable)?

  func rename(_ from: String, to name: String) throws -> Int {
    let found = try context.fetch(Stamp.self, where: .equal("label", from))
    for stamp in found { stamp.label = name }
    if found.isEmpty { try context.insert(Stamp.self) { $0.label = name } }
    return found.count
  }

  func fail(after name: String) throws {
    try context.insert(Stamp.self) { $0.label = name }
    try inner?.fail(after: name)
    throw Refusal()
  }

  func both(_ name: String) throws {
    try context.insert(Stamp.self) { $0.label = name }
    _ = try inner?.rename("none", to: name + " inside")
  }

  func look() throws -> Int {
    try context.insert(Stamp.self) { $0.label = "seen" }
    return try context.count(Stamp.self)
  }
}

extension StoredLending {
  func shrug(_ name: String) throws {
    try context.insert(Stamp.self) { $0.label = name }
    try? inner?.fail(after: name + " inside")
  }
}

/// Calls another one with a context of its own for the thread.
struct ScopedLending: Lending {
  let store: PersistentContainer
  let next: any Lending & Sendable

  func rename(_ from: String, to name: String) throws -> Int {
    try store.scope { try next.rename(from, to: name) }
  }
  func fail(after name: String) throws { try store.scope { try next.fail(after: name) } }
  func both(_ name: String) throws { try store.scope { try next.both(name) } }
  func look() throws -> Int { try store.scope { try next.look() } }
  func shrug(_ name: String) throws { try store.scope { try next.shrug(name) } }
}

@Proxied(aspects: true) protocol Tallying {
  func tally(_ number: inout Int, _ text: String) throws
}
extension TallyingProxy: TallyingForwarding {}

/// Meets other writers twice.
final class Tally: Tallying, Sendable {
  let seen = Journal()

  func tally(_ number: inout Int, _ text: String) throws {
    number += 1
    seen.note("\(number) \(text)")
    if seen.lines.count < 3 { throw PersistenceError(.conflict, "another writer was first") }
  }
}

@Suite struct TransactionalTests {
  private func lending(
    at location: StoreLocation = .temporary, outer: Transactional.Propagation = .required,
    inner: Transactional.Propagation = .required, retry: TransactionRetry = .never
  ) throws -> (container: Container, any Lending & Sendable, any ObjectContext & Sendable) {
    let builder = ContainerBuilder()
    let context = builder.persistentStore(at: location, types: tomeTypes)
    let inside = builder.singleton(
      named: "inner", { StoredLending(context: $0, inner: nil) }, context)
    let proxy = builder.proxy(named: "innerProxy", .lazy, of: inside, as: LendingProxy.self)
    builder.singleton(named: "outer", { StoredLending(context: $0, inner: $1) }, context, proxy)
    builder.transactional(
      named: "inside", on: .objects("innerProxy"), propagation: inner, context: context)
    builder.transactional(
      on: .objects("outer"), propagation: outer, retry: retry, context: context)
    let container = try builder.build()
    return (
      container, try container.object("outer", as: LendingProxy.self),
      try container.object("context", as: ObjectContextProxy.self)
    )
  }

  private func labels(_ context: any ObjectContext & Sendable) throws -> [String] {
    try onThread { try context.fetch(Stamp.self).map(\.label).sorted() }
  }

  @Test func `a call that returns is saved, and one that throws is rolled back`() throws {
    let (container, lending, context) = try lending()
    _ = try onThread { try lending.rename("a", to: "b") }
    #expect(try labels(context) == ["b"])
    #expect(try onThread { try lending.rename("b", to: "c") } == 1)
    #expect(try labels(context) == ["c"])
    #expect(throws: Refusal.self) {
      try onThread {
        defer { #expect((try? context.hasChanges) == false) }
        try lending.fail(after: "d")
      }
    }
    #expect(try labels(context) == ["c"])
    try container.shutDown()
  }

  @Test func `an error of a call that has joined ends the whole, caught or not`() throws {
    let (container, lending, context) = try lending()
    try onThread {
      let error = #expect(throws: PersistenceError.self) { try lending.shrug("x") }
      #expect(error?.code == .transactionFailed)
      #expect(error?.message.contains("Refusal") == true)
    }
    #expect(try labels(context).isEmpty)
    try container.shutDown()
    let apart = try self.lending(inner: .requiresNew)
    try onThread { try apart.1.shrug("x") }
    #expect(try labels(apart.2) == ["x"])
    try apart.container.shutDown()
  }

  @Test func `a call with another context behind the proxy begins its own`() throws {
    let store = try PersistentContainer(.temporary, types: tomeTypes)
    let builder = ContainerBuilder()
    let context = builder.singleton(named: "context") {
      store.contexts as any ObjectContext & Sendable
    }
    let inside = builder.singleton(
      named: "inside", { StoredLending(context: $0, inner: nil) }, context)
    let proxy = builder.proxy(named: "insideProxy", .lazy, of: inside, as: LendingProxy.self)
    builder.singleton(
      named: "outer", { StoredLending(context: $0, inner: ScopedLending(store: store, next: $1)) },
      context, proxy)
    builder.transactional(on: .objects("outer", "insideProxy"), context: context)
    let container = try builder.build()
    let lending = try container.object("outer", as: LendingProxy.self)
    try onThread { try lending.both("x") }
    #expect(try labels(store.contexts) == ["x", "x inside"])
    try container.shutDown()
    store.close()
  }

  @Test func `a call is not made again where that would lose what was unsaved before it`() throws {
    let (container, lending, context) = try lending(retry: TransactionRetry(attempts: 3))
    _ = try onThread { try lending.rename("none", to: "a") }
    try onThread {
      let stamp = try #require(try context.fetch(Stamp.self).first)
      try context.insert(Stamp.self) { $0.label = "before" }
      try onThread { _ = try lending.rename("a", to: "b") }
      #expect(stamp.label == "a")
      stamp.label = "c"
      let error = #expect(throws: PersistenceError.self) { try lending.look() }
      #expect(error?.code == .conflict)
    }
    #expect(try labels(context) == ["b"])
    try container.shutDown()
  }

  @Test func `a call inside of another one joins its transaction`() throws {
    let (container, lending, context) = try lending()
    try onThread {
      try lending.both("x")
      #expect(try context.statistics.saves == 1)
    }
    #expect(try labels(context) == ["x", "x inside"])
    try container.shutDown()
  }

  @Test func `a new transaction is saved though the outer one fails`() throws {
    let (container, lending, context) = try lending(inner: .requiresNew)
    try onThread { try lending.both("x") }
    #expect(try labels(context) == ["x", "x inside"])
    #expect(throws: Refusal.self) { try onThread { try lending.fail(after: "y") } }
    #expect(try labels(context) == ["x", "x inside"])
    try container.shutDown()
  }

  @Test(
    .objectContext {
      try PersistentContainer(.temporary, types: tomeTypes)
    } prepared: { _ in
    })
  func `in a prepared store, a new transaction is saved and the outer one ends as ever (PS-13)`()
    throws
  {
    let (container, lending, context) = try lending(
      at: .file(try ObjectContextTrait.path), inner: .requiresNew)
    try onThread { try lending.both("x") }
    try onThread { try lending.shrug("y") }
    #expect(throws: Refusal.self) { try onThread { try lending.fail(after: "z") } }
    #expect(try labels(context) == ["x", "x inside", "y"])
    try container.shutDown()
    let saved = try ObjectContextTrait.store.perform { try $0.count(Stamp.self) }
    #expect(saved == 3)
  }

  @Test func `a read-only transaction refuses changes`() throws {
    let (container, lending, context) = try lending(outer: .readOnly)
    #expect {
      try onThread { try lending.look() }
    } throws: {
      ($0 as? PersistenceError)?.code == .readOnlyTransaction
    }
    #expect(try labels(context).isEmpty)
    try container.shutDown()
  }

  @Test func `a conflict in another store is thrown as it is`() throws {
    let other = try PersistentContainer(.temporary, types: tomeTypes)
    let id = try other.perform { context in
      let stamp = try context.insert(Stamp.self) { $0.label = "a" }
      try context.save()
      return stamp.objectID
    }
    let attempts = Journal()
    let builder = ContainerBuilder()
    let context = builder.persistentStore(at: .temporary, types: tomeTypes)
    builder.singleton(named: "outer", { StoredLending(context: $0, inner: nil) }, context)
    builder.transactional(
      on: .objects("outer"), retry: TransactionRetry(attempts: 3, delay: .zero), context: context)
    builder.aspect(named: "beside", on: .objects("outer").methods("rename")) {
      Around { _, proceed in
        try proceed()
        attempts.note("attempt")
        try other.perform { mine in
          let stamp = try mine.existingObject(with: id, as: Stamp.self)
          try other.perform { theirs in
            try theirs.existingObject(with: id, as: Stamp.self).label = "theirs"
            try theirs.save()
          }
          stamp.label = "mine"
          try mine.save()
        }
      }
    }
    let container = try builder.build()
    let lending = try container.object("outer", as: LendingProxy.self)
    let error = #expect(throws: PersistenceError.self) {
      try onThread { _ = try lending.rename("a", to: "b") }
    }
    #expect(error?.code == .conflict)
    #expect(attempts.lines == ["attempt"])
    try container.shutDown()
  }

  @Test func `a conflict is met again, with a longer pause each time`() throws {
    let pauses = Journal()
    let box = Journal()
    let retry = TransactionRetry(attempts: 3, delay: .milliseconds(2)) { pauses.note("\($0)") }
    let builder = ContainerBuilder()
    let context = builder.persistentStore(at: .temporary, types: tomeTypes)
    builder.singleton(named: "outer", { StoredLending(context: $0, inner: nil) }, context)
    builder.transactional(on: .objects("outer"), retry: retry, context: context)
    builder.aspect(named: "race", on: .objects("outer").methods("rename")) {
      Around { _, proceed in
        try proceed()
        box.note("attempt")
        // Another writer changes the same row before the save, twice.
        if box.lines.count <= 2 { try Race.run() }
      }
    }
    let container = try builder.build()
    let lending = try container.object("outer", as: LendingProxy.self)
    let contexts = try container.object("context", as: ObjectContextProxy.self)
    try onThread {
      try contexts.insert(Stamp.self) { $0.label = "a" }
      try contexts.save()
    }
    Race.action.set {
      try onThread {
        for label in ["z", "a"] {
          for stamp in try contexts.fetch(Stamp.self) { stamp.label = label }
          try contexts.save()
        }
      }
    }
    #expect(try onThread { try lending.rename("a", to: "b") } == 1)
    #expect(box.lines.count == 3)
    #expect(pauses.lines == ["0.002 seconds", "0.004 seconds"])
    #expect(try labels(contexts) == ["b"])
    try container.shutDown()
  }

  @Test func `each attempt begins with the arguments of the call`() throws {
    let tally = Tally()
    let builder = ContainerBuilder()
    let context = builder.persistentStore(at: .temporary, types: tomeTypes)
    let target = builder.singleton(named: "target", { tally })
    builder.proxy(named: "tally", .lazy, of: target, as: TallyingProxy.self)
    builder.transactional(
      on: .objects("tally"), retry: TransactionRetry(attempts: 3) { _ in }, context: context)
    builder.aspect(named: "change", on: .objects("tally"), order: 1) {
      Around { call, proceed in
        try call.setArgument(1, to: "\(call.argument(1))!")
        try proceed()
      }
    }
    let container = try builder.build()
    let proxy = try container.object("tally", as: TallyingProxy.self)
    try onThread {
      var number = 4
      try proxy.tally(&number, "a")
      #expect(number == 5)
    }
    #expect(tally.seen.lines == ["5 a!", "5 a!", "5 a!"])
    try container.shutDown()
  }

  @Test func `calls are logged, and those that throw as warnings`() throws {
    let recorder = LogRecorder()
    let builder = ContainerBuilder()
    builder.singleton(named: "ada", { Ada() })
    builder.logging(on: .objects("ada").methods("walk", "count"), to: recorder.statementLogger)
    let ada = try builder.build().object("ada", as: RunnerProxy.self)
    _ = try ada.walk(to: "Rome", steps: 3)
    _ = try ada.count()
    #expect(throws: Refusal.self) { try ada.walk(to: "Rome", steps: -1) }
    #expect(
      recorder.all.map { "\($0.level) \($0.message)" } == [
        "debug Walker.walk(to:steps:)", "debug Walker.count()", "warning Walker.walk(to:steps:)",
      ])
  }
}

/// What another writer does, set by a test.
private enum Race {
  static let action = Action()

  static func run() throws { try action.run() }

  final class Action: @unchecked Sendable {
    // Sendable by argument: behind its lock.
    private let lock = NSLock()
    private var body: (@Sendable () throws -> Void)?
    func set(_ body: @escaping @Sendable () throws -> Void) { lock.withLock { self.body = body } }
    func run() throws { try lock.withLock { body }?() }
  }
}
