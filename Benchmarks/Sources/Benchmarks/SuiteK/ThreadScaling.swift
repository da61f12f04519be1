import Foundation
import OxbowRuntime

/// How much more eight threads make than one, ours over by hand: a container that takes locks or
/// counts references to shared things scales worse than the graph it builds.
struct ThreadScaling {
  static let id = "threads"

  private static let threads = 8
  private static let graphs = 60_000
  private static let rounds = 15

  /// What one round found: the throughput of eight threads over that of one, for both sides.
  private struct Round {
    let ours: Double
    let theirs: Double
    var ratio: Double { ours / theirs }
  }

  func run() throws {
    let yard = try Shipyard()
    let file = try Shipyard.fromFile()
    emit("threads-code", scaling { try yard.container.object(yard.ship) })
    emit("threads-file", scaling { try file.object("ship", as: Ship.self) })
  }

  /// Medians of the rounds; the ratio's is that of the rounds' ratios, because a machine that is
  /// slow for a moment is slow for both sides of a round.
  private func emit(_ name: String, _ rounds: [Round]) {
    let columns = [
      median(rounds.map(\.ours)), median(rounds.map(\.theirs)), median(rounds.map(\.ratio)),
    ]
    .map { String(format: "%.2f", $0) }
    print(
      ["K", name, columns[0], "scaling by hand", columns[1], columns[2], "≥ 0.85"]
        .joined(separator: "\t"))
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private func scaling(_ make: @escaping @Sendable () throws -> Ship) -> [Round] {
    let ours: @Sendable (Int) -> Void = { count in
      for _ in 0..<count {
        do { escape(try make()) } catch { fatalError("\(error)") }
      }
    }
    let theirs: @Sendable (Int) -> Void = { count in
      for _ in 0..<count { escape(makeShip()) }
    }
    return (0..<Self.rounds).map { _ in
      Round(
        ours: rate(Self.threads, ours) / rate(1, ours),
        theirs: rate(Self.threads, theirs) / rate(1, theirs))
    }
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
