import Foundation
import OxbowRuntime

/// Suite R: what a history costs, by the same store without one.
///
/// 200,000 mixed rows are saved, then a thousand of them changed, then all deleted, each in one
/// save; and eight threads save one object each, again and again, until it is on the medium.
struct SuiteR {
  let directory: URL
  private static let rows = 200_000

  /// Runs all of the suite, or only the eight threads.
  func run(_ selection: [Substring]) throws {
    guard selection.isEmpty || selection == ["threads"] else {
      throw BenchmarkFailure(
        description: "suite R has the part threads, not \(selection.joined(separator: "/"))")
    }
    let kinds: [HistoryRecording] = [.off, .keys, .values]
    if selection.isEmpty {
      try emit("insert 200,000", ["≤ 1.08", "≤ 1.12"], kinds.map { kind in { try insert(kind) } })
      try emit("change 1,000", ["≤ 1.10", ""], kinds.map { kind in { try change(kind) } })
      try emit("delete 200,000", ["", ""], kinds.map { kind in { try delete(kind) } })
    }
    try emit(
      "durable saves of 8 threads", ["≤ 1.10", ""], kinds.map { kind in { try threads(kind) } },
      rounds: 31)
  }

  private func emit(
    _ name: String, _ targets: [String], _ sides: [() throws -> Double], rounds: Int = 7
  ) throws {
    let medians = try interleaved(rounds: rounds, sides)
    for (kind, side) in [("keys", 1), ("values", 2)] {
      print(
        Measurement(
          suite: "R", name: "\(name), \(kind)", ours: medians[side], baseline: "no history",
          theirs: medians[0], target: targets[side - 1]
        ).line)
    }
  }

  // MARK: - One thread

  private func insert(_ kind: HistoryRecording) throws -> Double {
    let store = try open(kind)
    defer { store.close() }
    return try nanoseconds { try fill(store) } / Double(Self.rows)
  }

  private func change(_ kind: HistoryRecording) throws -> Double {
    let store = try open(kind)
    defer { store.close() }
    try fill(store)
    let context = store.makeContext()
    let objects = try context.fetch(FetchRequest<Mixed>())
    var turn = 0
    let time = try nanoseconds {
      for start in stride(from: 0, to: 100_000, by: 5000) {
        turn += 1
        for index in 0..<1000 { objects[start + index * 5 % 5000].large = -turn - index }
        try context.save()
      }
    }
    return time / Double(turn * 1000)
  }

  private func delete(_ kind: HistoryRecording) throws -> Double {
    let store = try open(kind)
    defer { store.close() }
    try fill(store)
    let context = store.makeContext()
    let objects = try context.fetch(FetchRequest<Mixed>())
    return try nanoseconds {
      for object in objects { try context.delete(object) }
      try context.save()
    } / Double(Self.rows)
  }

  private func fill(_ store: PersistentContainer) throws {
    let context = store.makeContext()
    for number in 0..<Self.rows { set(try context.insert(Mixed.self), number) }
    try context.save()
  }

  private func set(_ mixed: Mixed, _ number: Int) {
    (mixed.name, mixed.city, mixed.note) = ("a name of \(number)", "city", "a note of many")
    (mixed.small, mixed.large) = (7, number)
    (mixed.latitude, mixed.longitude, mixed.flag) = (0.5, 0.25, true)
  }

  // MARK: - Many threads

  private func threads(_ kind: HistoryRecording) throws -> Double {
    let (count, saves) = (8, 250)
    let store = try open(kind)
    defer { store.close() }
    let time = try nanoseconds(onThreads: count) {
      let context = store.makeContext()
      for number in 0..<saves {
        set(try context.insert(Mixed.self), number)
        try context.save()
      }
    }
    return time / Double(count * saves)
  }

  private func open(_ kind: HistoryRecording) throws -> PersistentContainer {
    let path = directory.appending(path: "history.sqlite").path
    for suffix in ["", "-wal", "-shm", "-lock"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    return try PersistentContainer(
      .file(path), types: [Mixed.self], options: SQLiteStoreOptions(history: kind))
  }
}
