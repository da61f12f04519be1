import CBaseline
import Foundation
import OxbowRuntime

/// Suite L of the checklist: 10,000, 100,000 and 1,000,000 rows of suite M are inserted, and what a
/// row costs is compared with what it costs in the smallest of them, on both sides.
struct SuiteL {
  let directory: URL

  func run() throws {
    let scratch = Scratch(directory: directory, types: [Mixed.self])
    var first: [Double] = []
    for rows in [10_000, 100_000, 1_000_000] {
      let samples = (0..<rows).map { GRDBMixed($0) }
      let medians = try interleaved(
        rounds: 3,
        [
          { try ours(scratch, samples) },
          { try baseline(baseline_insert(try scratch.emptyFile("c"), Int64(rows)), for: rows) },
        ])
      if first.isEmpty { first = medians }
      print(
        Measurement(
          suite: "L", name: "insert \(rows) rows", ours: medians[0], baseline: "C",
          theirs: medians[1]
        ).line)
      // The quotient of quotients: how much faster than C's our cost grows.
      print(
        Measurement(
          suite: "L", name: "growth to \(rows) rows, in hundredths",
          ours: medians[0] / first[0] * 100, baseline: "C", theirs: medians[1] / first[1] * 100,
          target: "1.1"
        ).line)
    }
  }

  private func ours(_ scratch: Scratch, _ samples: [GRDBMixed]) throws -> Double {
    let store = try scratch.emptyStore("ours")
    defer { store.close() }
    return try nanoseconds {
      let context = store.makeContext()
      for sample in samples {
        let row = try context.insert(Mixed.self)
        row.set(sample)
      }
      try context.save()
    } / Double(samples.count)
  }
}
