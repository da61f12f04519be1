internal import OxbowPlatform
internal import OxbowRuntime
internal import Testing

/// The stores that tests of one trait have in turn, each prepared once.
///
/// They are made when a test needs them, and closed when nothing that has the trait runs any more.
final class PreparedStores: Sendable {
  /// A store, and what contexts on it are like.
  private struct Prepared: Sendable {
    let store: PreparedStore
    let contexts: ContextOptions
  }

  private struct State {
    /// The suites, tests and cases that run.
    var users = 0
    /// The stores that exist or are being made.
    var count = 0
    var idle: [Prepared] = []
    var waiting: [CheckedContinuation<Prepared?, Never>] = []
  }

  private let copies: Int
  private let open: @Sendable () throws -> PersistentContainer
  private let prepare: @Sendable (PersistentContainer) async throws -> Void
  private let state = Lock(State())

  init(
    _ copies: Int, _ open: @escaping @Sendable () throws -> PersistentContainer,
    _ prepare: @escaping @Sendable (PersistentContainer) async throws -> Void
  ) {
    self.copies = max(1, copies)
    self.open = open
    self.prepare = prepare
  }

  /// Keeps the stores while `body` runs.
  func stay(_ body: () async throws -> Void) async throws {
    state.withLock { $0.users += 1 }
    defer { leave() }
    try await body()
  }

  private func leave() {
    let unused = state.withLock { state in
      state.users -= 1
      guard state.users == 0 else { return [Prepared]() }
      defer { (state.idle, state.count) = ([], 0) }
      return state.idle
    }
    for prepared in unused { prepared.store.close() }
  }

  /// Lends a store to a test, and rolls back what that saved.
  ///
  /// An error that has ended the test's transaction is an issue of the test.
  func lend(
    to test: Test, _ body: (PersistentContainer, _ path: String) async throws -> Void
  ) async throws {
    let prepared = try await take()
    var isUsable = false
    defer {
      if !isUsable { prepared.store.close() }
      giveBack(isUsable ? prepared : nil)
    }
    let coordinator = try prepared.store.begin()
    let container = try PersistentContainer(coordinator: coordinator, contexts: prepared.contexts)
    defer {
      container.close()
      do {
        try prepared.store.end()
        isUsable = true
      } catch { Issue.record(error, sourceLocation: test.sourceLocation) }
    }
    try await body(container, prepared.store.path)
  }

  /// Waits for a store without blocking a thread.
  private func take() async throws -> Prepared {
    let prepared: Prepared? = await withCheckedContinuation { continuation in
      state.withLock { state in
        if let prepared = state.idle.popLast() { return continuation.resume(returning: prepared) }
        guard state.count < copies else { return state.waiting.append(continuation) }
        state.count += 1
        continuation.resume(returning: nil)
      }
    }
    if let prepared { return prepared }
    do { return try await make() } catch {
      giveBack(nil)
      throw error
    }
  }

  private func make() async throws -> Prepared {
    let container = try open()
    do {
      try await prepare(container)
      return Prepared(
        store: try PreparedStore(container.coordinator), contexts: container.options)
    } catch {
      container.close()
      throw error
    }
  }

  /// Gives the next test a store, or, without one, the right to make one.
  private func giveBack(_ prepared: Prepared?) {
    state.withLock { state in
      if !state.waiting.isEmpty {
        state.waiting.removeFirst().resume(returning: prepared)
      } else if let prepared {
        state.idle.append(prepared)
      } else {
        state.count -= 1
      }
    }
  }
}
