import Foundation
import Synchronization

/// One measured case: nanoseconds for each row or operation, ours and a baseline's, of the same
/// run.
struct Measurement {
  let suite: String
  let name: String
  let ours: Double
  let baseline: String
  let theirs: Double
  var target = ""

  var line: String {
    let ratio = theirs > 0 ? ours / theirs : 0
    let columns = [
      suite, name, text(ours), baseline, text(theirs), String(format: "%.2f", ratio),
    ]
    return (columns + (target.isEmpty ? [] : [target])).joined(separator: "\t")
  }

  private func text(_ nanoseconds: Double) -> String {
    String(format: nanoseconds < 100 ? "%.1f" : "%.0f", nanoseconds)
  }
}

/// Runs the sides of a comparison in turn, so that a drift of the machine meets all of them, and
/// returns the median of each.
func interleaved(rounds: Int = 7, _ sides: [() throws -> Double]) throws -> [Double] {
  var samples = sides.map { _ in [Double]() }
  for round in 0...rounds {
    for (index, side) in sides.enumerated() {
      let value = try side()
      // The first round warms caches.
      if round > 0 { samples[index].append(value) }
    }
  }
  return samples.map { $0.sorted()[$0.count / 2] }
}

/// Nanoseconds that `body` takes.
func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  let elapsed = try clock.measure(body).components
  return Double(elapsed.seconds) * 1e9 + Double(elapsed.attoseconds) / 1e9
}

/// Nanoseconds until `body` has run on each of some threads.
func nanoseconds(
  onThreads count: Int, _ body: @escaping @Sendable () throws -> Void
) throws -> Double {
  let failures = Mutex<[String]>([])
  let time = nanoseconds {
    let all = DispatchGroup()
    for _ in 0..<count {
      all.enter()
      Thread.detachNewThread {
        do { try body() } catch { failures.withLock { $0.append("\(error)") } }
        all.leave()
      }
    }
    all.wait()
  }
  if let failure = failures.withLock(\.first) { throw BenchmarkFailure(description: failure) }
  return time
}

/// Nanoseconds of processor time that `body` takes on this thread, or on all threads of the
/// process: what others do on the machine at the time counts less than on the clock.
func processorNanoseconds(
  _ clock: clockid_t = CLOCK_THREAD_CPUTIME_ID, _ body: () throws -> Void
) rethrows -> Double {
  let start = processorTime(clock)
  try body()
  return processorTime(clock) - start
}

private func processorTime(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// Keeps the optimiser from dropping work whose result is not used.
@inline(never) func consume<T>(_ value: T) {}

struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String
}
