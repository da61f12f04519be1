import Foundation
import OxbowRuntime
import Synchronization

/// Suite J: jobs of tasks.
///
/// Durable saves of 8 and 64 tasks by `await perform`, and of as many
/// threads by `perform`; how late a task comes that sleeps for a millisecond meanwhile; and a query
/// of one row by one task.
struct SuiteJ {
  let directory: URL

  func run() throws {
    for (callers, saves) in [(8, 250), (64, 50)] {
      let path = directory.appending(path: "tasks-\(callers).sqlite").path
      let store = try PersistentContainer(.file(path), types: [Mixed.self])
      defer { store.close() }
      let delays = Delays()
      let medians = try interleaved([
        { try tasks(callers, delays: delays) { try await save(saves, in: store) } },
        { try nanoseconds(onThreads: callers) { try save(saves, in: store) } },
      ]).map { $0 / Double(callers * saves) }
      print(
        Measurement(
          suite: "J", name: "\(callers) tasks, a durable save", ours: medians[0],
          baseline: "as many threads", theirs: medians[1], target: "≤ 1.5"
        ).line)
      let late = delays.sorted
      print(
        Measurement(
          suite: "J", name: "\(callers) tasks, a timer of 1 ms late, 99 of 100",
          ours: late[late.count * 99 / 100], baseline: "median", theirs: late[late.count / 2]
        ).line)
    }
    try queries()
  }

  /// A query of one row by its key, by one task and by a thread.
  private func queries() throws {
    let path = directory.appending(path: "tasks-one.sqlite").path
    let store = try PersistentContainer(.file(path), types: [Mixed.self])
    defer { store.close() }
    let id = try store.perform { try fill($0, 0) }
    let count = 20_000
    let medians = try interleaved([
      {
        try tasks(1, delays: nil) {
          for _ in 0..<count {
            consume(
              try await store.perform { try $0.existingObject(with: id, as: Mixed.self).small })
          }
        }
      },
      {
        try nanoseconds {
          for _ in 0..<count {
            consume(try store.perform { try $0.existingObject(with: id, as: Mixed.self).small })
          }
        }
      },
    ]).map { $0 / Double(count) }
    print(
      Measurement(
        suite: "J", name: "one task, a row by its key", ours: medians[0], baseline: "a thread",
        theirs: medians[1]
      ).line)
  }

  private func fill(
    _ context: ManagedObjectContext, _ number: Int
  ) throws -> ManagedObjectID {
    let mixed = try context.insert(Mixed.self) { mixed in
      (mixed.name, mixed.city, mixed.note) = ("a name", "city", "a note of many")
      (mixed.small, mixed.large) = (7, number)
      (mixed.latitude, mixed.longitude, mixed.flag) = (0.5, 0.25, true)
    }
    try context.save()
    return mixed.objectID
  }

  private func save(_ saves: Int, in store: PersistentContainer) throws {
    for number in 0..<saves { _ = try store.perform { try fill($0, number) } }
  }

  private func save(_ saves: Int, in store: PersistentContainer) async throws {
    for number in 0..<saves { _ = try await store.perform { try fill($0, number) } }
  }

  /// Nanoseconds until `body` has run in each of some tasks; `delays` gets how late a task came
  /// meanwhile that slept for a millisecond.
  private func tasks(
    _ count: Int, delays: Delays?, _ body: @escaping @Sendable () async throws -> Void
  ) throws -> Double {
    let outcome = Mutex<Result<Double, any Error>?>(nil)
    let end = DispatchSemaphore(value: 0)
    Task {
      let ticker = Task { await delays?.measure() }
      do {
        let clock = ContinuousClock()
        let time = try await clock.measure {
          try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask(operation: body) }
            try await group.waitForAll()
          }
        }
        outcome.withLock { $0 = .success(time / .nanoseconds(1)) }
      } catch { outcome.withLock { $0 = .failure(error) } }
      ticker.cancel()
      await ticker.value
      end.signal()
    }
    end.wait()
    return try outcome.withLock { try $0?.get() } ?? 0
  }
}

/// How late a task comes that sleeps for a millisecond, in nanoseconds.
private final class Delays: Sendable {
  private let delays = Mutex<[Double]>([])

  var sorted: [Double] { delays.withLock { $0.sorted() } }

  func measure() async {
    let clock = ContinuousClock()
    while !Task.isCancelled {
      let time = await clock.measure { try? await Task.sleep(for: .milliseconds(1)) }
      delays.withLock { $0.append(time / .nanoseconds(1) - 1e6) }
    }
  }
}
