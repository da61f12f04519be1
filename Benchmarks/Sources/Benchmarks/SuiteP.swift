import CBaseline
import Foundation
import GRDB
import Oxbow

/// Suite P: one row of 20,000, asked for again and again, as a server does.
///
/// By a unique text in one context, by the same in a context for each question, by a `#Predicate`,
/// by its ID, a unit of work without a question, and one that saves a row. `P/text` runs that case,
/// `P/pred` those whose
/// names begin so, `P/text/ours` and `P/text/C` one side alone, and `P/text/ours/1200` so many
/// questions of it, for a profiler that counts instructions. Times are of the processor, on all
/// threads.
struct SuiteP {
  private struct Case {
    let id: String
    let target: String
    /// Runs so many questions, and returns nanoseconds.
    let ours: (_ count: Int) throws -> Double
    /// What it is compared with, by name; each runs so many questions, and returns nanoseconds.
    let baselines: [(name: String, run: (_ count: Int) throws -> Double)]
    var count = SuiteP.questions
  }

  private let path: String
  private let store: PersistentContainer
  private let pool: DatabasePool
  private let directory: URL
  private static let rows = 20_000
  private static let questions = 4000

  init(directory parent: URL) throws {
    // The suite may be named several times, with a part each.
    directory = parent.appending(path: "P-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    path = directory.appending(path: "points.sqlite").path
    store = try PersistentContainer(.file(path), types: [Volume.self])
    try store.perform { context in
      for number in 0..<Self.rows {
        try context.insert(Volume.self) { volume in
          (volume.code, volume.title) = (Self.code(number), "a title of some length \(number)")
          (volume.year, volume.price) = (number, 1.5)
        }
      }
      try context.save()
    }
    pool = try DatabasePool(path: path)
  }

  func run(_ selection: [Substring]) throws {
    defer { store.close() }
    let (all, wanted) = (try cases() + saveCases(), selection.first ?? "")
    let exact = all.filter { $0.id == wanted }
    let chosen = exact.isEmpty ? all.filter { $0.id.hasPrefix(wanted) } : exact
    guard !chosen.isEmpty, selection.count <= 3 else {
      throw BenchmarkFailure(
        description: "suite P has no part '\(selection.joined(separator: "/"))'")
    }
    for item in chosen {
      guard selection.count > 1 else {
        try measure(item)
        continue
      }
      try report(item, side: String(selection[1]), selection.dropFirst(2).first)
    }
  }

  /// Runs one side alone.
  private func report(_ item: Case, side: String, _ count: Substring?) throws {
    let count = count.flatMap { Int($0) } ?? 20 * item.count
    let sides = [("ours", item.ours)] + item.baselines.map { ($0.name, $0.run) }
    for (name, run) in sides where name == side {
      print("P\t\(item.id)\t\(side)\t\(Int(try run(count) / Double(count))) ns")
    }
  }

  private func measure(_ item: Case) throws {
    let count = item.count
    let medians = try interleaved(
      rounds: 9,
      [{ try item.ours(count) }]
        + item.baselines.map { baseline in { try baseline.run(count) } })
    for (baseline, time) in zip(item.baselines, medians.dropFirst()) {
      print(
        Measurement(
          suite: "P", name: item.id, ours: medians[0] / Double(count), baseline: baseline.name,
          theirs: time / Double(count), target: baseline.name == "GRDB" ? "" : item.target
        ).line)
    }
  }

  private static func code(_ number: Int) -> String { "code\(number)" }

  /// The number of the row that a question is about.
  private static func row(_ question: Int) -> Int { question &* 7919 % rows }

  private func cases() throws -> [Case] {
    let ids = try store.perform { context in try context.fetch(Volume.self).map(\.objectID) }
    return [
      Case(
        id: "text", target: "2.0", ours: time(textInOneContext),
        baselines: [("C", time(cByText)), ("GRDB", time(grdbInOneRead))]),
      Case(
        id: "text-perform", target: "2.5", ours: time(text),
        baselines: [("C", time(cByText)), ("GRDB", time(grdb))]),
      Case(
        id: "predicate", target: "≤ 1 µs more", ours: time(predicateInOneContext),
        baselines: [(".equal", time(textInOneContext))]),
      Case(
        id: "predicate-perform", target: "≤ 1 µs more", ours: time(predicate),
        baselines: [(".equal", time(text))]),
      Case(
        id: "id-perform", target: "2.0", ours: time { try byID($0, ids) },
        baselines: [("C", time(cByKey)), ("GRDB", time(grdbByKey))]),
      Case(
        id: "perform", target: "", ours: time(nothing), baselines: [("GRDB", time(grdbNothing))]),
    ]
  }

  private func time(_ side: @escaping (Int) throws -> Void) -> (Int) throws -> Double {
    { count in try processorNanoseconds(CLOCK_PROCESS_CPUTIME_ID) { try side(count) } }
  }

  // MARK: - Saves

  /// One row in each save: by processor time where a commit waits for nothing, and on the clock
  /// where it is on the medium.
  private func saveCases() throws -> [Case] {
    try [(id: "save", isDurable: false, target: "1.5"), ("save-durable", true, "1.25")].map {
      item in
      let options = SQLiteStoreOptions(synchronous: item.isDurable ? .full : .normal)
      func open(_ name: String) throws -> PersistentContainer {
        let path = directory.appending(path: "\(item.id)-\(name).sqlite").path
        return try PersistentContainer(.file(path), types: [Volume.self], options: options)
      }
      let store = try open("ours")
      // C writes into a table that Oxbow made.
      try open("C").close()
      let path = directory.appending(path: "\(item.id)-C.sqlite").path
      var (first, firstOfC) = (1, 1)
      return Case(
        id: item.id, target: item.target,
        ours: { count in
          defer { first += count }
          let saves = { try save(first..<first + count, in: store) }
          return try item.isDurable
            ? nanoseconds(saves) : processorNanoseconds(CLOCK_PROCESS_CPUTIME_ID, saves)
        },
        baselines: [
          (
            "C",
            { count in
              defer { firstOfC += count }
              let time = baseline_saves(path, Int64(firstOfC), Int64(count), item.isDurable ? 1 : 0)
              guard time >= 0 else { throw BenchmarkFailure(description: "the C baseline failed") }
              return Double(time)
            }
          )
        ], count: item.isDurable ? 300 : Self.questions)
    }
  }

  private func save(_ numbers: Range<Int>, in store: PersistentContainer) throws {
    for number in numbers {
      try store.perform { context in
        try context.insert(Volume.self) { volume in
          (volume.code, volume.title) = (Self.code(number), "a title")
          (volume.year, volume.price) = (number, 1.5)
        }
        try context.save()
      }
    }
  }

  // MARK: - Oxbow

  private func textInOneContext(_ count: Int) throws {
    let context = store.makeContext()
    for question in 0..<count {
      let code = Self.code(Self.row(question))
      let found = try context.fetch(Volume.self, where: .equal("code", code), limit: 1).first
      try check(found?.year, question)
    }
  }

  private func text(_ count: Int) throws {
    for question in 0..<count {
      let code = Self.code(Self.row(question))
      let year = try store.perform { context in
        try context.fetch(Volume.self, where: .equal("code", code), limit: 1).first?.year
      }
      try check(year, question)
    }
  }

  private func predicateInOneContext(_ count: Int) throws {
    let context = store.makeContext()
    for question in 0..<count {
      let code = Self.code(Self.row(question))
      let found = try context.fetch(Volume.self, where: #Predicate { $0.code == code }, limit: 1)
      try check(found.first?.year, question)
    }
  }

  private func predicate(_ count: Int) throws {
    for question in 0..<count {
      let code = Self.code(Self.row(question))
      let year = try store.perform { context in
        try context.fetch(Volume.self, where: #Predicate { $0.code == code }, limit: 1).first?.year
      }
      try check(year, question)
    }
  }

  private func byID(_ count: Int, _ ids: [ManagedObjectID]) throws {
    for question in 0..<count {
      let id = ids[Self.row(question)]
      let year = try store.perform { try $0.existingObject(with: id, as: Volume.self).year }
      try check(year, question)
    }
  }

  private func nothing(_ count: Int) throws {
    for _ in 0..<count { try store.perform { consume($0.statistics.fetches) } }
  }

  private func check(_ year: Int?, _ question: Int) throws {
    guard year == Self.row(question) else {
      throw BenchmarkFailure(
        description: "the row \(Self.row(question)) has the year \(year ?? -1)")
    }
  }

  // MARK: - C and GRDB

  private func cByText(_ count: Int) throws { try c("code = ? LIMIT 1", count, byText: 1) }
  private func cByKey(_ count: Int) throws { try c("_id = ?", count, byText: 0) }

  private func c(_ condition: String, _ count: Int, byText: Int32) throws {
    let sql = "SELECT _id, _version, code, title, year, price FROM Volume WHERE \(condition)"
    var sum: Int64 = 0
    let elapsed = baseline_points(path, sql, Int64(count), Int64(Self.rows), byText, &sum)
    guard elapsed >= 0, sum == (0..<count).reduce(0, { $0 + Int64(Self.row($1)) }) else {
      throw BenchmarkFailure(description: "C found other rows, with the sum \(sum)")
    }
  }

  private func grdbInOneRead(_ count: Int) throws {
    try pool.read { database in
      for question in 0..<count { try grdb(question, database) }
    }
  }

  private func grdb(_ count: Int) throws {
    for question in 0..<count { try pool.read { try grdb(question, $0) } }
  }

  private func grdb(_ question: Int, _ database: Database) throws {
    let code = Self.code(Self.row(question))
    try check(try GRDBVolume.filter(Column("code") == code).fetchOne(database)?.year, question)
  }

  private func grdbByKey(_ count: Int) throws {
    for question in 0..<count {
      let key = Self.row(question) + 1
      try check(try pool.read { try GRDBVolume.fetchOne($0, key: key)?.year }, question)
    }
  }

  private func grdbNothing(_ count: Int) throws {
    for _ in 0..<count { try pool.read { consume($0.isInsideTransaction) } }
  }
}

@Entity(unique: [["code"]]) final class Volume: ManagedObject {
  var code: String
  var title: String
  var year: Int = 0
  var price: Double = 0
}

/// The same row as GRDB's guides have a fast record.
private struct GRDBVolume: FetchableRecord, TableRecord {
  static let databaseTableName = "Volume"
  static var databaseSelection: [any SQLSelectable] {
    ["_id", "_version", "code", "title", "year", "price"].map { Column($0) }
  }

  let key: Int64
  let version: Int64
  let code: String
  let title: String
  let year: Int
  let price: Double

  init(row: Row) {
    key = row[0]
    version = row[1]
    code = row[2]
    title = row[3]
    year = row[4]
    price = row[5]
  }
}
