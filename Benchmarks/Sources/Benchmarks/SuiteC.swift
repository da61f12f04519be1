import CBaseline
import Foundation
import Logging
import OxbowRuntime
import Synchronization

/// Suite C of the checklist: many threads save one object each, again and again, and wait until it
/// is on the medium.
///
/// C commits as many rows together, in one thread, as a commit of ours had on average; it commits
/// what as many threads hand over, with a leader; and it commits each row by itself.
struct SuiteC {
  let directory: URL

  func run(_ selection: [Substring]) throws {
    for (threads, saves) in [(8, 250), (32, 100)] {
      let path = directory.appending(path: "commits-\(threads).sqlite").path
      let count = Int64(threads * saves)
      let commits = CommitCounter()
      _ = try ours(path + "-counted", threads, saves, logger: commits.logger)
      let group = Double(count) / Double(commits.count)
      var theirGroup = 0.0
      let medians = try interleaved([
        { try ours(path, threads, saves) },
        { try raw(path, count, group: group) },
        { try rawThreads(path, threads, saves, group: &theirGroup) },
        { try raw(path, count, group: 1) },
      ])
      for (name, theirs, target) in [
        ("groups of \(decimal(group))", medians[1], "1.67"),
        ("threads and groups of \(decimal(theirGroup))", medians[2], "1.67"),
        ("a commit for each", medians[3], ""),
      ] {
        print(
          Measurement(
            suite: "C", name: "\(threads) threads, C with \(name)", ours: medians[0],
            baseline: "C", theirs: theirs, target: target
          ).line)
      }
    }
  }

  private func decimal(_ number: Double) -> String { String(format: "%.1f", number) }

  /// Nanoseconds for a save.
  private func ours(
    _ path: String, _ threads: Int, _ saves: Int, logger: Logger? = nil
  ) throws -> Double {
    let store = try PersistentContainer(
      .file(path), types: [Mixed.self], options: SQLiteStoreOptions(logger: logger))
    defer { store.close() }
    return try nanoseconds(onThreads: threads) { try save(saves, in: store) }
      / Double(threads * saves)
  }

  private func save(_ saves: Int, in store: PersistentContainer) throws {
    let context = store.makeContext()
    for number in 0..<saves {
      try context.insert(Mixed.self) { mixed in
        (mixed.name, mixed.city, mixed.note) = ("a name", "city", "a note of many")
        (mixed.small, mixed.large) = (7, number)
        (mixed.latitude, mixed.longitude, mixed.flag) = (0.5, 0.25, true)
      }
      try context.save()
    }
  }

  private func rawThreads(
    _ path: String, _ threads: Int, _ saves: Int, group: inout Double
  ) throws -> Double {
    let time = baseline_group_commits(path, Int32(threads), Int64(saves), &group)
    guard time >= 0 else { throw BenchmarkFailure(description: "the C baseline failed") }
    return Double(time) / Double(threads * saves)
  }

  private func raw(_ path: String, _ count: Int64, group: Double) throws -> Double {
    let time = baseline_commits(path, count, group)
    guard time >= 0 else { throw BenchmarkFailure(description: "the C baseline failed") }
    return Double(time) / Double(count)
  }
}

/// Counts the commits of a store by the statements that it logs.
private final class CommitCounter: Sendable {
  private let commits = Atomic(0)

  var count: Int { commits.load(ordering: .relaxed) }

  var logger: Logger {
    var logger = Logger(label: "commits") { _ in Handler(counter: self) }
    logger.logLevel = .debug
    return logger
  }

  private struct Handler: LogHandler {
    let counter: CommitCounter
    var logLevel = Logger.Level.debug
    var metadata = Logger.Metadata()

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      if "\(event.message)" == "COMMIT" { counter.commits.add(1, ordering: .relaxed) }
    }
  }
}
