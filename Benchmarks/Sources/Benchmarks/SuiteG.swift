import Foundation
import OxbowRuntime

/// Suite G of the checklist: 200,000 rows of ten whole numbers are fetched, and every number is
/// touched.
struct SuiteG {
  let directory: URL
  let rows = 200_000

  func run(_ selection: [Substring]) throws {
    let path = directory.appending(path: "numbers.sqlite").path
    let store = try PersistentContainer(.file(path), types: [Numbers.self])
    defer { store.close() }
    try fill(store)
    let sum = rows * (rows - 1) / 2 * 10 + 45 * rows
    let baseline = ColumnBaseline(path: path, entity: "Numbers", integers: 10, texts: 0)
    let medians = try interleaved([
      { try ours(store, sum: sum) }, { try baseline.run(limit: rows, sum: sum) },
    ])
    print(
      Measurement(
        suite: "G", name: "ten integers, fetch and touch all", ours: medians[0], baseline: "C",
        theirs: medians[1], target: "1.4"
      ).line)
  }

  private func fill(_ store: PersistentContainer) throws {
    let context = store.makeContext()
    for row in 0..<rows {
      let numbers = try context.insert(Numbers.self)
      for index in 0..<10 { numbers.setNumber(index, row + index) }
    }
    try context.save()
  }

  private func ours(_ store: PersistentContainer, sum expected: Int) throws -> Double {
    try nanoseconds {
      var sum = 0
      for numbers in try store.makeContext().fetch(Numbers.self) {
        for index in 0..<10 { sum += numbers.number(index) }
      }
      guard sum == expected else { throw BenchmarkFailure(description: "the sum is \(sum)") }
    } / Double(rows)
  }
}
