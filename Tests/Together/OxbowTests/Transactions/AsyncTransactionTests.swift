import Foundation
import Oxbow
import OxbowTestSupport
import Testing

// Transactions around async methods, in the contexts of tasks.

@Proxied(aspects: true) protocol AsyncWork: Sendable {
  func run(_ body: @escaping @Sendable () async throws -> Void) async throws
  func apart(_ body: @escaping @Sendable () async throws -> Void) async throws
  func read(_ body: @escaping @Sendable () async throws -> Void) async throws
}
extension AsyncWorkProxy: AsyncWorkForwarding {}

struct PlainAsyncWork: AsyncWork {
  func run(_ body: @escaping @Sendable () async throws -> Void) async throws { try await body() }
  func apart(_ body: @escaping @Sendable () async throws -> Void) async throws { try await body() }
  func read(_ body: @escaping @Sendable () async throws -> Void) async throws { try await body() }
}

@Suite struct AsyncTransactionTests {
  private let bench: WorkBench
  private let work: AsyncWorkProxy

  init() throws {
    let bench = try WorkBench()
    let builder = ContainerBuilder()
    let context = builder.singleton(named: "context") {
      bench.store.contexts as any ObjectContext & Sendable
    }
    builder.singleton(named: "work", { PlainAsyncWork() as any AsyncWork })
    for (name, propagation) in [
      ("run", Transactional.Propagation.required), ("apart", .requiresNew), ("read", .readOnly),
    ] {
      builder.transactional(
        named: name, on: .objects("work").methods(name), propagation: propagation,
        retry: TransactionRetry(attempts: 3, delay: .zero), context: context)
    }
    self.bench = bench
    work = try builder.build().object("work", as: AsyncWorkProxy.self)
  }

  private func code(_ body: () async throws -> Void) async -> String? {
    do { try await body() } catch let error as PersistenceError { return error.code.rawValue } catch
    {
      return "\(type(of: error))"
    }
    return nil
  }

  @Test func `an async call is saved when it returns, and rolled back when it throws`() async throws
  {
    try await bench.store.withTaskContext {
      try await work.run { [bench] in
        try bench.insert("a")
        try bench.save()
        await Task.yield()
        #expect(try bench.saved().isEmpty)
      }
      #expect(try bench.saved() == ["a"])
      let error = await code {
        try await work.run { [bench] in
          try bench.insert("b")
          try bench.save()
          await Task.yield()
          throw Refusal()
        }
      }
      #expect(error == "Refusal")
    }
    #expect(try bench.saved() == ["a"])
  }

  @Test func `async calls join, have transactions of their own, and only read`() async throws {
    try await bench.store.withTaskContext {
      let error = await code {
        try await work.run { [bench, work] in
          try bench.insert("outer")
          try await work.run { try bench.insert("joined") }
          try await work.apart { try bench.insert("apart") }
          try bench.work.run { try bench.insert("joined too") }
          throw Refusal()
        }
      }
      #expect(error == "Refusal")
      let refused = await code { try await work.read { [bench] in try bench.insert("read") } }
      #expect(refused == "readOnlyTransaction")
    }
    #expect(try bench.saved() == ["apart"])
  }

  @Test func `an async call that met another writer is made again`() async throws {
    let attempts = Journal()
    try await bench.store.withTaskContext {
      try await work.run { [bench] in try bench.insert("a") }
      try await work.run { [bench] in
        let stamp = try #require(try bench.stamps().first)
        attempts.note("attempt")
        if attempts.lines.count == 1 { try bench.relabelElsewhere(to: "b") }
        stamp.label += "!"
      }
    }
    #expect(attempts.lines.count == 2)
    #expect(try bench.saved() == ["b!"])
  }

  @Test func `an async call in a task without a context says what to bind`() async throws {
    let error = await code { try await work.run {} }
    #expect(error == "insideTask")
  }
}

extension WorkBench {
  func save() throws { try context.save() }

  /// Another writer gives all stamps a label.
  func relabelElsewhere(to label: String) throws {
    try store.perform { other in
      for stamp in try other.fetch(Stamp.self) { stamp.label = label }
      try other.save()
    }
  }

  func stamps() throws -> [Stamp] { try context.fetch(Stamp.self) }
}
