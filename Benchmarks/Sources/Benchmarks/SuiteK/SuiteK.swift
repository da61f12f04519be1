import CBaseline
import Foundation
import OxbowRuntime

/// Suite K of the checklist: the container, each case beside what it is compared with.
///
/// `K` runs everything, `K/graph` the cases whose names begin so, `K/leaf` the one of that name,
/// `K/graph-code/ours` one side alone, and
/// `K/graph-code/ours/10` ten rounds of it, for a profiler that counts instructions.
struct SuiteK {
  /// One row: two loops of the same length and what their ratio must not exceed.
  struct Case {
    let id: String
    let baseline: String
    let target: String
    /// Makes `count` rounds; a round may do several operations.
    let ours: (_ count: Int) throws -> Void
    let theirs: (_ count: Int) throws -> Void
    /// How many operations a round has.
    var operations = 1.0

    init(
      _ id: String, against baseline: String, target: String, operations: Int = 1,
      ours: @escaping (Int) throws -> Void, theirs: @escaping (Int) throws -> Void
    ) {
      self.id = id
      self.baseline = baseline
      self.target = target
      self.operations = Double(operations)
      self.ours = ours
      self.theirs = theirs
    }
  }

  func run(_ selection: [Substring]) throws {
    let prefix = selection.first ?? ""
    let all = try Self.cases()
    let cases =
      all.contains { $0.id == prefix }
      ? all.filter { $0.id == prefix } : all.filter { $0.id.hasPrefix(prefix) }
    let threads = ThreadScaling.id.hasPrefix(prefix)
    guard selection.count <= 3, !cases.isEmpty || threads else {
      throw BenchmarkFailure(
        description:
          "suite K has no part '\(selection.joined(separator: "/"))'; there are "
          + (all.map(\.id) + [ThreadScaling.id]).joined(separator: ", "))
    }
    switch selection.dropFirst().first {
    case nil:
      for item in cases { try measure(item) }
      if threads { try ThreadScaling().run() }
    case "ours"?: for item in cases { try report(item, alone: item.ours, selection.dropFirst(2)) }
    default: for item in cases { try report(item, alone: item.theirs, selection.dropFirst(2)) }
    }
  }

  private static func cases() throws -> [Case] {
    try graphCases() + hitCases() + proxyCases() + attributeCases() + aspectCases()
      + repositoryCases() + documentCases()
  }

  private func measure(_ item: Case) throws {
    let rounds = try (ours: Self.rounds(item.ours), theirs: Self.rounds(item.theirs))
    let medians = try interleaved(
      rounds: 9,
      [
        { try Self.time(item.ours, rounds.ours) / item.operations },
        { try Self.time(item.theirs, rounds.theirs) / item.operations },
      ])
    print(
      Measurement(
        suite: "K", name: item.id, ours: medians[0], baseline: item.baseline, theirs: medians[1],
        target: item.target
      ).line)
  }

  private func report(
    _ item: Case, alone side: (Int) throws -> Void, _ count: ArraySlice<Substring>
  ) throws {
    if let count = count.first.flatMap({ Int($0) }) { return try side(count) }
    let rounds = try Self.rounds(side) * 20
    for _ in 0..<5 {
      let value = try Self.time(side, rounds) / item.operations
      print("K\t\(item.id)\t" + String(format: "%.1f", value))
    }
  }

  /// Nanoseconds of processor time for one round of `side`.
  private static func time(_ side: (Int) throws -> Void, _ rounds: Int) rethrows -> Double {
    try processorNanoseconds { try side(rounds) } / Double(rounds)
  }

  /// As many rounds as take some twenty milliseconds.
  private static func rounds(_ side: (Int) throws -> Void) rethrows -> Int {
    var count = 1
    while true {
      let elapsed = try nanoseconds { try side(count) }
      if elapsed > 5e6 { return max(1, Int(Double(count) * 20e6 / elapsed)) }
      count *= 4
    }
  }
}

/// Hands an object to C, so that the optimiser has to make it.
@inline(__always) func escape(_ object: AnyObject) {
  baseline_consume(Unmanaged.passUnretained(object).toOpaque())
}
