import Foundation
import OxbowRuntime
import Synchronization

/// Suite H of the checklist: eight threads count on one row, and on twenty.
///
/// Each thread adds 1 to a number, saves, and begins again: with an increment, which the store
/// applies, and by reading, adding and trying again where another was first.
struct SuiteH {
  let directory: URL
  private let threads = 8
  private let saves = 200

  func run() throws {
    let scratch = Scratch(directory: directory, types: [Numbers.self])
    for rows in [1, 20] {
      let medians = try interleaved(
        rounds: 5,
        [
          { try count(scratch, "increments", rows, Self.increment) },
          { try count(scratch, "retries", rows, Self.retry) },
        ])
      print(
        Measurement(
          suite: "H", name: "8 threads on \(rows == 1 ? "1 row" : "\(rows) rows")",
          ours: medians[0], baseline: "retries", theirs: medians[1], target: rows == 1 ? "0.33" : ""
        ).line)
    }
  }

  private static func increment(_ store: PersistentContainer, _ id: ManagedObjectID) throws {
    try store.perform { context in
      let numbers = try context.existingObject(with: id, as: Numbers.self)
      try context.increment("n0", of: numbers, by: .integer(1))
      try context.save()
    }
  }

  private static func retry(_ store: PersistentContainer, _ id: ManagedObjectID) throws {
    try store.perform(retrying: TransactionRetry(attempts: 1000)) { context in
      let numbers = try context.existingObject(with: id, as: Numbers.self)
      numbers.setNumber(0, numbers.number(0) + 1)
      try context.save()
    }
  }

  /// Nanoseconds for each addition.
  private func count(
    _ scratch: Scratch, _ name: String, _ rows: Int,
    _ add: @escaping @Sendable (PersistentContainer, ManagedObjectID) throws -> Void
  ) throws -> Double {
    let store = try scratch.emptyStore(name)
    defer { store.close() }
    let ids = try store.perform { context in
      let all = try (0..<rows).map { _ in
        let numbers = try context.insert(Numbers.self)
        for index in 0..<10 { numbers.setNumber(index, 0) }
        return numbers.objectID
      }
      try context.save()
      return all
    }
    let failures = Mutex<[String]>([])
    let (threads, saves) = (threads, saves)
    let time = nanoseconds {
      let all = DispatchGroup()
      for thread in 0..<threads {
        all.enter()
        Thread.detachNewThread {
          do {
            for number in 0..<saves { try add(store, ids[(thread + number) % rows]) }
          } catch { failures.withLock { $0.append("\(error)") } }
          all.leave()
        }
      }
      all.wait()
    }
    if let failure = failures.withLock(\.first) { throw BenchmarkFailure(description: failure) }
    let sum = try store.perform { context in
      try context.fetch(FetchRequest<Numbers>()).reduce(0) { $0 + $1.number(0) }
    }
    guard sum == threads * saves else { throw BenchmarkFailure(description: "the sum is \(sum)") }
    return time / Double(threads * saves)
  }
}
