import Foundation
import OxbowRuntime

/// Suite F of the checklist: one row, 100 and 1,000 rows of twenty columns are fetched by a new
/// context, and every value touched.
struct SuiteF {
  let directory: URL

  func run(_ selection: [Substring]) throws {
    let path = directory.appending(path: "wide.sqlite").path
    let store = try PersistentContainer(.file(path), types: [Wide.self])
    defer { store.close() }
    try fill(store)
    let baseline = ColumnBaseline(path: path, entity: "Wide", integers: 10, texts: 10)
    for (rows, repeats, target) in [(1, 2000, ""), (100, 200, ""), (1000, 50, "1.3")] {
      let sum = rows * (rows - 1) / 2 * 10 + rows * 10 * 12
      let medians = try interleaved([
        { try ours(store, rows, repeats, sum: sum) },
        { try baseline.run(limit: rows, repeats: repeats, sum: sum) },
      ])
      print(
        Measurement(
          suite: "F", name: "twenty columns, \(rows) rows", ours: medians[0], baseline: "C",
          theirs: medians[1], target: target
        ).line)
    }
  }

  private func fill(_ store: PersistentContainer) throws {
    let context = store.makeContext()
    for row in 0..<1000 {
      let wide = try context.insert(Wide.self)
      for index in 0..<10 {
        wide.setNumber(index, row)
        wide.setText(index, String(100_000_000_000 + row))
      }
    }
    try context.save()
  }

  private func ours(
    _ store: PersistentContainer, _ rows: Int, _ repeats: Int, sum expected: Int
  ) throws -> Double {
    try nanoseconds {
      for _ in 0..<repeats {
        var sum = 0
        for wide in try store.makeContext().fetch(Wide.self, limit: rows) {
          for index in 0..<10 { sum += wide.number(index) + wide.text(index).utf8.count }
        }
        guard sum == expected else { throw BenchmarkFailure(description: "the sum is \(sum)") }
      }
    } / Double(rows * repeats)
  }
}
