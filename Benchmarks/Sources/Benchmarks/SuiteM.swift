import CBaseline
import Foundation
import GRDB
import OxbowRuntime

/// Suite M of the checklist: 200,000 rows of a key, three short texts, two integers, two doubles
/// and a Boolean.
///
/// `synchronous=FULL`, warm cache, all sides on the table that Oxbow made.
struct SuiteM {
  let rows: Int
  let directory: URL

  /// The rows, made before any clock starts.
  private let samples: [GRDBMixed]

  init(directory: URL) {
    self.directory = directory
    rows = 200_000
    samples = (0..<200_000).map { GRDBMixed($0) }
  }

  /// Runs all of the suite, or the part that `selection` names, or one side of it.
  func run(_ selection: [Substring]) throws {
    switch selection {
    case []:
      try insert()
      try fetch()
    case ["insert"]: try insert()
    case ["fetch"]: try fetch()
    case ["insert", "ours"]: try report(alone: oursInsert)
    case ["insert", "C"]: try report(alone: baselineInsert)
    case ["fetch", "ours"]:
      let store = try filledStore()
      try report(alone: { try oursFetch(store, touch: true) })
      store.close()
    case ["ids", "ours"]:
      let store = try filledStore()
      try report(alone: { try oursKeys(store) })
      store.close()
    case ["faults", "ours"]:
      let store = try filledStore()
      try report(alone: { try oursFaults(store) })
      store.close()
    case ["again", "ours"]:
      let store = try filledStore()
      try report(alone: { try oursAgain(store) })
      store.close()
    default:
      throw BenchmarkFailure(
        description:
          "suite M has the parts insert, fetch, insert/C, and insert, fetch, ids, faults and again with /ours, not "
          + selection.joined(separator: "/"))
    }
  }

  private func report(alone side: () throws -> Double) throws {
    let rounds = ProcessInfo.processInfo.environment["ROUNDS"].flatMap { Int($0) } ?? 5
    for _ in 0..<rounds { print("M\t\(Int(try side())) ns/row") }
  }

  // MARK: - Insert and save

  private func insert() throws {
    let medians = try interleaved(rounds: 5, [oursInsert, baselineInsert, grdbInsert])
    emit("insert and save", medians)
  }

  private func oursInsert() throws -> Double {
    let store = try openStore("insert-ours")
    defer { store.close() }
    return try nanoseconds { try fill(store) } / Double(rows)
  }

  private func baselineInsert() throws -> Double {
    let path = try emptyFile("insert-c")
    let elapsed = baseline_insert(path, Int64(rows))
    guard elapsed >= 0 else { throw BenchmarkFailure(description: "the C baseline failed") }
    return Double(elapsed) / Double(rows)
  }

  private func grdbInsert() throws -> Double {
    let queue = try grdbQueue(try emptyFile("insert-grdb"))
    let elapsed = try nanoseconds {
      try queue.inTransaction { database in
        for record in samples { try record.insert(database) }
        return .commit
      }
    }
    try queue.close()
    return elapsed / Double(rows)
  }

  private func fill(_ store: PersistentContainer) throws {
    let context = store.makeContext()
    for sample in samples {
      let row = try context.insert(Mixed.self)
      row.set(sample)
    }
    try context.save()
  }

  // MARK: - Fetch

  private func filledStore() throws -> PersistentContainer {
    let store = try openStore("fetch")
    try fill(store)
    return store
  }

  private func fetch() throws {
    let store = try filledStore()
    defer { store.close() }
    let path = file("fetch").path
    emit(
      "fetch only",
      try interleaved([
        { try oursFetch(store, touch: false) }, { try baselineFetch(path, touch: false) },
        { try grdbFetch(path, touch: false) },
      ]))
    emit(
      "fetch and touch all",
      try interleaved([
        { try oursFetch(store, touch: true) }, { try baselineFetch(path, touch: true) },
        { try grdbFetch(path, touch: true) },
      ]))
    // C reads whole rows into its structs, and two of their fields cost it nothing.
    emit(
      "fetch and touch two attributes",
      try interleaved([
        { try oursTouchingTwo(store) }, { try baselineFetch(path, touch: false) },
      ]))
    emit(
      "faults only",
      try interleaved([{ try oursFaults(store) }, { try baselineFetch(path, touch: false) }]))
    emit(
      "IDs only",
      try interleaved([{ try oursKeys(store) }, { try baselineKeys(path) }]))
    emit(
      "again while registered",
      try interleaved([{ try oursAgain(store) }, { try baselineFetch(path, touch: false) }]))
  }

  /// Fetches, touches if asked, and releases everything: context, objects, rows.
  private func oursFetch(_ store: PersistentContainer, touch: Bool) throws -> Double {
    try oursFetch(store) { touch ? sum(of: $0) : 0 }
  }

  private func oursFetch(_ store: PersistentContainer, read: ([Mixed]) -> Double) throws -> Double {
    try nanoseconds {
      let context = store.makeContext()
      let objects = try context.fetch(FetchRequest<Mixed>())
      guard objects.count == rows else {
        throw BenchmarkFailure(description: "fetched \(objects.count) rows")
      }
      consume(read(objects))
    } / Double(rows)
  }

  private func oursTouchingTwo(_ store: PersistentContainer) throws -> Double {
    try oursFetch(store) { objects in
      objects.reduce(0) { $0 + Double($1.small) + Double($1.name.utf8.count) }
    }
  }

  /// An object for each row, without the rows' values.
  private func oursFaults(_ store: PersistentContainer) throws -> Double {
    try nanoseconds {
      let context = store.makeContext()
      var request = FetchRequest<Mixed>()
      request.includesPropertyValues = false
      let objects = try context.fetch(request)
      guard objects.count == rows else {
        throw BenchmarkFailure(description: "found \(objects.count) rows")
      }
    } / Double(rows)
  }

  private func sum(of objects: [Mixed]) -> Double {
    var sum = 0.0
    for row in objects {
      sum += Double(row.small) + Double(row.large) + row.latitude + row.longitude
      sum += row.flag ? 1 : 0
      sum += Double(row.name.utf8.count + row.city.utf8.count + row.note.utf8.count)
    }
    return sum
  }

  private func oursKeys(_ store: PersistentContainer) throws -> Double {
    try nanoseconds {
      let context = store.makeContext()
      consume(try context.fetchIDs(FetchRequest<Mixed>()).count)
    } / Double(rows)
  }

  private func oursAgain(_ store: PersistentContainer) throws -> Double {
    let context = store.makeContext()
    let held = try context.fetch(FetchRequest<Mixed>())
    // Nothing else keeps the objects from being swept before the second fetch.
    let elapsed = try withExtendedLifetime(held) {
      try nanoseconds { consume(try context.fetch(FetchRequest<Mixed>()).count) }
    }
    return elapsed / Double(rows)
  }

  private func baselineFetch(_ path: String, touch: Bool) throws -> Double {
    var count: Int64 = 0
    var sum = 0.0
    let elapsed = baseline_fetch(path, touch ? 1 : 0, &count, &sum)
    guard elapsed >= 0, count == rows else {
      throw BenchmarkFailure(description: "the C baseline failed")
    }
    return Double(elapsed) / Double(rows)
  }

  private func baselineKeys(_ path: String) throws -> Double {
    var count: Int64 = 0
    let elapsed = baseline_keys(path, &count)
    guard elapsed >= 0 else { throw BenchmarkFailure(description: "the C baseline failed") }
    return Double(elapsed) / Double(rows)
  }

  private func grdbFetch(_ path: String, touch: Bool) throws -> Double {
    let queue = try grdbQueue(path)
    let elapsed = try nanoseconds {
      let all = try queue.read { try GRDBMixed.fetchAll($0, sql: GRDBMixed.selection) }
      var sum = 0.0
      if touch {
        for row in all {
          sum += Double(row.small) + Double(row.large) + row.latitude + row.longitude
          sum += row.flag ? 1 : 0
          sum += Double(row.name.utf8.count + row.city.utf8.count + row.note.utf8.count)
        }
      }
      consume(sum)
    }
    try queue.close()
    return elapsed / Double(rows)
  }

  // MARK: - Stores

  private func file(_ name: String) -> URL { directory.appending(path: "\(name).sqlite") }

  private func openStore(_ name: String) throws -> PersistentContainer {
    for suffix in ["", "-wal", "-shm", "-lock"] {
      try? FileManager.default.removeItem(atPath: file(name).path + suffix)
    }
    return try PersistentContainer(.file(file(name).path), types: [Mixed.self])
  }

  /// A file with the tables of an Oxbow store and no rows.
  private func emptyFile(_ name: String) throws -> String {
    try openStore(name).close()
    return file(name).path
  }

  private func grdbQueue(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous=FULL") }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  private func emit(_ name: String, _ medians: [Double]) {
    for (baseline, value) in zip(["C", "GRDB"], medians.dropFirst()) {
      print(
        Measurement(suite: "M", name: name, ours: medians[0], baseline: baseline, theirs: value)
          .line)
    }
  }
}
