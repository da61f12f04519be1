import Foundation
import OxbowRuntime

/// How much more eight threads make than one, ours over by hand: a container that takes locks or counts
/// references to shared things scales worse than the graph it builds.
struct ThreadScaling {
  static let id = "threads"

  private static let threads = 8
  private static let graphs = 40_000

  func run() throws {
    let yard = try Shipyard()
    let file = try Shipyard.fromFile()
    try emit("threads-code", try scaling { try yard.container.object(yard.ship) })
    try emit("threads-file", try scaling { try file.object("ship", as: Ship.self) })
  }

  private func emit(_ name: String, _ scaling: (ours: Double, theirs: Double)) throws {
    print(
      [
        "K", name, String(format: "%.2f", scaling.ours), "scaling by hand",
        String(format: "%.2f", scaling.theirs),
        String(format: "%.2f", scaling.ours / scaling.theirs), "≥ 0.85",
      ].joined(separator: "\t"))
  }

  /// The throughput of eight threads over that of one, for both sides.
  private func scaling(
    _ make: @escaping @Sendable () throws -> Ship
  ) throws -> (ours: Double, theirs: Double) {
    let ours: @Sendable (Int) -> Void = { count in
      for _ in 0..<count {
        do { escape(try make()) } catch { fatalError("\(error)") }
      }
    }
    let theirs: @Sendable (Int) -> Void = { count in
      for _ in 0..<count { escape(makeShip()) }
    }
    let medians = try interleaved(
      rounds: 9,
      [
        { rate(1, ours) }, { rate(Self.threads, ours) },
        { rate(1, theirs) }, { rate(Self.threads, theirs) },
      ])
    return (medians[1] / medians[0], medians[3] / medians[2])
  }

  /// Graphs for each nanosecond.
  private func rate(_ threads: Int, _ work: @escaping @Sendable (Int) -> Void) -> Double {
    let group = DispatchGroup()
    let share = Self.graphs * (threads == 1 ? 2 : 1)
    return Double(share * threads)
      / nanoseconds {
        for _ in 0..<threads {
          group.enter()
          Thread {
            work(share)
            group.leave()
          }.start()
        }
        group.wait()
      }
  }
}
