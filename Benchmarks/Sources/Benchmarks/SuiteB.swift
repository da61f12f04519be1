import CBaseline
import Foundation
import OxbowRuntime

/// Suite B of the checklist: the live bytes of the heap for each of 1,000,000 registered objects,
/// and for each of as many faults.
struct SuiteB {
  let directory: URL
  let rows = 1_000_000

  func run(_ selection: [Substring]) throws {
    let path = directory.appending(path: "objects.sqlite").path
    let store = try PersistentContainer(.file(path), types: [Mixed.self])
    defer { store.close() }
    try fill(store)
    var count = Int64(rows)
    let raw = Double(baseline_fetch_bytes(path, &count)) / Double(rows)
    guard count == rows else { throw BenchmarkFailure(description: "C read \(count) rows") }
    let objects = try bytes(store) { try $0.fetch(Mixed.self) }
    print(
      Measurement(
        suite: "B", name: "bytes for each object", ours: objects, baseline: "C", theirs: raw,
        target: "1.2"
      ).line)
    let faults = try bytes(store) { context in
      try context.fetchIDs(FetchRequest<Mixed>()).map { try context.object(with: $0) }
    }
    print("B\tbytes for each fault\t\(Int(faults))\t-\t-\t-\t80")
  }

  private func fill(_ store: PersistentContainer) throws {
    for part in 0..<10 {
      let context = store.makeContext()
      for row in (part * rows / 10)..<((part + 1) * rows / 10) {
        let mixed = try context.insert(Mixed.self)
        mixed.name = "name number \(row)"
        mixed.city = "city \(row % 1000)"
        mixed.note = "a note about \(row)"
        (mixed.small, mixed.large, mixed.flag) = (row % 100, row, row % 2 == 0)
        (mixed.latitude, mixed.longitude) = (Double(row), -Double(row))
      }
      try context.save()
    }
  }

  /// The bytes that objects take, beside the array that holds them.
  private func bytes(
    _ store: PersistentContainer, _ objects: (ManagedObjectContext) throws -> [ManagedObject]
  ) throws -> Double {
    let context = store.makeContext()
    _ = try context.fetch(Mixed.self, limit: 1)
    let before = baseline_live_bytes()
    let held = try objects(context)
    let taken = withExtendedLifetime(held) { baseline_live_bytes() - before }
    guard held.count == rows else {
      throw BenchmarkFailure(description: "there are \(held.count) objects")
    }
    return Double(Int(taken) - rows * MemoryLayout<ManagedObject>.stride) / Double(rows)
  }
}
