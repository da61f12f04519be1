import CBaseline
import Foundation
import OxbowRuntime
import Synchronization

/// Suite D of the checklist: 1,000 changed objects of 100,000 that are registered are saved, and
/// 10,000 rows that another context has changed are merged.
final class SuiteD: Sendable {
  private let scratch: Scratch
  private let rows = 100_000

  init(directory: URL) { scratch = Scratch(directory: directory, types: [Numbers.self]) }

  func run() throws {
    let store = try scratch.emptyStore("dirty")
    try fill(store)
    store.close()
    try saves()
    try merges()
  }

  /// The last number tells every tenth row, the one before every hundredth.
  private func fill(_ store: PersistentContainer) throws {
    let context = store.makeContext()
    for row in 0..<rows {
      let numbers = try context.insert(Numbers.self)
      for index in 0..<10 { numbers.setNumber(index, row + index) }
      numbers.setNumber(8, row % 100)
      numbers.setNumber(9, row % 10)
    }
    try context.save()
  }

  private func open(_ copy: String) throws -> PersistentContainer {
    try PersistentContainer(.file(try scratch.copy("dirty", as: copy)), types: [Numbers.self])
  }

  // MARK: - Saving

  private func saves() throws {
    let all = try Desk(try open("all"), where: nil)
    let tenth = try Desk(try open("tenth"), where: .equal("n9", 0))
    defer {
      all.store.close()
      tenth.store.close()
    }
    let path = try scratch.copy("dirty", as: "c")
    let keys = all.changing.map(\.objectID.key)
    let medians = try interleaved([
      { try all.save() }, { try tenth.save() },
      {
        try baseline(
          baseline_repeat(
            path,
            "UPDATE Numbers SET n0 = ?2, _version = _version + 1 WHERE _id = ?1 "
              + "AND _version > 0", Int64(keys.count), keys, 1, 0), for: keys.count)
      },
    ])
    emit("1,000 dirty of 100,000, save", medians[0], "C", medians[2], "1.6")
    emit("1,000 dirty of 100,000, save", medians[0], "of 10,000", medians[1], "1.2")
  }

  /// A context that holds objects, every hundredth of all rows among them.
  private final class Desk {
    let store: PersistentContainer
    let context: ManagedObjectContext
    let held: [Numbers]
    let changing: [Numbers]
    private var round = 0

    init(_ store: PersistentContainer, where predicate: FetchPredicate?) throws {
      self.store = store
      context = store.makeContext()
      held = try context.fetch(FetchRequest<Numbers>(where: predicate))
      changing = held.filter { $0.number(8) == 0 }
    }

    /// Changes and saves; nanoseconds for each object.
    func save() throws -> Double {
      round += 1
      return try nanoseconds {
        for (place, numbers) in changing.enumerated() {
          numbers.setNumber(0, -round - place)
        }
        try context.save()
      } / Double(changing.count)
    }
  }

  // MARK: - Merging

  private func merges() throws {
    let store = try open("merging")
    defer { store.close() }
    let reader = store.makeContext()
    let held = try reader.fetch(FetchRequest<Numbers>())
    let writer = store.makeContext()
    let changing = try writer.fetch(FetchRequest<Numbers>(where: .equal("n9", 0)))
    let keys = changing.map(\.objectID.key)
    let event = Mutex<SaveEvent?>(nil)
    let subscription = store.coordinator.onDidSave { saved in event.withLock { $0 = saved } }
    var round = 0
    let columns = Numbers.names.joined(separator: ", ")
    let medians = try interleaved([
      {
        round += 1
        for numbers in changing { numbers.setNumber(0, -round) }
        try writer.save()
        guard let saved = event.withLock({ $0 }) else {
          throw BenchmarkFailure(description: "no event came")
        }
        let elapsed = try nanoseconds { try reader.mergeChanges(from: saved) }
        guard held[0].number(0) == -round else {
          throw BenchmarkFailure(description: "nothing was merged")
        }
        return elapsed / Double(keys.count)
      },
      {
        try baseline(
          baseline_by_key(
            self.scratch.path("merging"),
            "SELECT _id, _version, \(columns) FROM Numbers WHERE _id = ?", Int64(keys.count), keys,
            12), for: keys.count)
      },
    ])
    subscription.cancel()
    emit("10,000 changed rows merged", medians[0], "C", medians[1], "2.0")
  }

  private func emit(
    _ name: String, _ ours: Double, _ baseline: String, _ theirs: Double, _ target: String
  ) {
    print(
      Measurement(
        suite: "D", name: name, ours: ours, baseline: baseline, theirs: theirs, target: target
      ).line)
  }
}
