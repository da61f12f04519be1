import Foundation
import OxbowContext
import OxbowModel
import OxbowRelational
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// Damaged stores of Core Data: cells, metadata, pages, schemas and files of values.
///
/// Whatever is asked of one gives values or an error of the store; nothing traps.
///
/// `OXBOW_FUZZ_CASES=100000` damages as many stores, the samples of less than a megabyte among
/// them; `OXBOW_RANDOM_SEED=7` begins with another seed.
@Suite(.timeLimit(.minutes(120))) struct CoreDataDamageTests {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  /// Small samples, where many stores are damaged.
  private static let samples: [String] = {
    guard number("OXBOW_FUZZ_CASES") != nil else { return [] }
    return Samples.paths(below: "stores") { $0.hasSuffix(".sqlite") }.filter { path in
      let facts = try? FileManager.default.attributesOfItem(atPath: path)
      return (facts?[.size] as? Int).map { $0 < 1_000_000 } == true
    }
  }()

  @Test func `CD-13 a damaged store gives values or an error, and nothing traps`() throws {
    let cases = Self.number("OXBOW_FUZZ_CASES") ?? 60
    let first = Self.number("OXBOW_RANDOM_SEED") ?? Int.random(in: 1...1_000_000)
    print("Damaged stores: seed \(first), \(cases) cases")
    var outcomes: [String: Int] = [:]
    for seed in first..<first + cases {
      if Self.number("OXBOW_FUZZ_CASES") != nil { try Data("\(seed)".utf8).write(to: Self.note) }
      for outcome in try play(UInt64(seed)) { outcomes[outcome, default: 0] += 1 }
    }
    print("Damaged stores: \(outcomes.sorted { $0.key < $1.key })")
    #expect(outcomes["read", default: 0] > cases / 10)
    #expect(outcomes.keys.contains { $0.hasPrefix("storeCorrupt") })
  }

  /// Where the seed of the case under way is, for one that ends the process.
  private static let note = FileManager.default.temporaryDirectory.appending(path: "oxbow-damage")

  private func play(_ seed: UInt64) throws -> [String] {
    var random = SeededRandom(seed: seed)
    let copy = try store(&random)
    var damage = CoreDataDamage(copy: copy, random: random)
    for _ in 0..<Int.random(in: 1...4, using: &random) { damage.strike() }
    return [
      outcome("read", seed, damage) {
        try copy.open({ $0.isReadOnly = true }) {
          _ = try coreDataContents(ManagedObjectContext(coordinator: $0))
        }
      },
      outcome("saved", seed, damage) {
        try copy.open({ $0.externalStorageThreshold = 10 }) { coordinator in
          var player = CoreDataPlayer(coordinator, SeededRandom(seed: seed))
          for _ in 0..<3 { _ = try player.save() }
          _ = try coreDataContents(player.context)
        }
      },
      outcome("examined", seed, damage) {
        _ = try CoreDataExamination.of(copy.path, model: copy.document)
      },
    ]
  }

  private func store(_ random: inout SeededRandom) throws -> CoreDataCopy {
    let journal = random.chance(50) ? "wal" : "delete"
    if let sample = Self.samples.randomElement(using: &random), random.chance(60) {
      return try CoreDataCopy(of: sample, journal: journal)
    }
    let history = """
      \(CoreDataFixture.historyTables)
      INSERT OR REPLACE INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0),
        (16002, 'TRANSACTION', 0, 0), (16003, 'TRANSACTIONSTRING', 0, 0)
      """
    let copy = try CoreDataCopy.shelves(
      journal: journal, more: random.chance(50) ? history : "")
    try copy.open({ $0.externalStorageThreshold = 10 }) { coordinator in
      var player = CoreDataPlayer(coordinator, random)
      for _ in 0..<4 { _ = try player.save() }
    }
    return copy
  }

  private func outcome(
    _ name: String, _ seed: UInt64, _ damage: CoreDataDamage, _ body: () throws -> Void
  ) -> String {
    do {
      try body()
      return name
    } catch let error as PersistenceError {
      #expect(!error.message.isEmpty, "seed \(seed): \(damage.strikes)")
      return "\(error.code)"
    } catch {
      Issue.record("seed \(seed), \(name), after \(damage.strikes): \(type(of: error)): \(error)")
      return "\(type(of: error))"
    }
  }
}

/// What damages a closed store.
private struct CoreDataDamage {
  let copy: CoreDataCopy
  var random: SeededRandom
  /// What was done, for messages.
  private(set) var strikes: [String] = []

  init(copy: CoreDataCopy, random: SeededRandom) {
    (self.copy, self.random) = (copy, random)
  }

  mutating func strike() {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<55: strikeCell()
    case 55..<70: strikeBytes(of: copy.path)
    case 70..<75: strikeSize(of: copy.path)
    case 75..<90: strikeSchema()
    default: strikeFile()
    }
  }

  private mutating func choice<T>(_ items: [T]) -> T? { items.randomElement(using: &random) }

  // MARK: Cells

  private static let expressions = [
    "NULL", "-1", "0", "9223372036854775807", "-9223372036854775808", "1e999", "-1e999", "0.5",
    "'x'", "''", "'NaN'", "x''", "x'01'", "x'02'", "x'0002'", "zeroblob(1000)", "CAST(C AS BLOB)",
    "CAST(C AS TEXT)", "CAST(C AS INTEGER)", "CAST(x'FFFE80' AS TEXT)", "C + 1", "-C", "C || C",
    "x'01' || CAST(C AS BLOB)", "x'02' || CAST(C AS BLOB) || x'00'", "substr(C, 2)",
    "substr(C, 1, length(C) / 2)", "char(0) || C",
  ]

  private mutating func strikeCell() {
    try? onConnection { connection, damage in
      guard let table = try damage.table(connection),
        let column = damage.choice(
          try connection.rows("SELECT name FROM pragma_table_info('\(table)')"))?.first,
        case .text(let name) = column,
        let key = damage.choice(try connection.rows("SELECT rowid FROM \"\(table)\" LIMIT 200"))?
          .first
      else { return }
      let place = "\(table).\(name) of \(key)"
      if damage.random.chance(30),
        case .blob(var bytes)? = try connection.rows(
          "SELECT \"\(name)\" FROM \"\(table)\" WHERE rowid = ?", [key]
        ).first?.first
      {
        damage.flip(&bytes)
        damage.strikes.append("flipped bits of \(place)")
        return try connection.run(
          "UPDATE \"\(table)\" SET \"\(name)\" = ? WHERE rowid = ?", [.blob(bytes), key])
      }
      if damage.random.chance(10) {
        damage.strikes.append("deleted \(place)")
        return try connection.run("DELETE FROM \"\(table)\" WHERE rowid = ?", [key])
      }
      let value = (damage.choice(Self.expressions) ?? "NULL")
        .replacingOccurrences(of: "C ", with: "\"\(name)\" ")
        .replacingOccurrences(of: "(C", with: "(\"\(name)\"")
        .replacingOccurrences(of: "-C", with: "-\"\(name)\"")
        .replacingOccurrences(of: "|| C", with: "|| \"\(name)\"")
      damage.strikes.append("\(place) = \(value)")
      try connection.run("UPDATE \"\(table)\" SET \"\(name)\" = \(value) WHERE rowid = ?", [key])
    }
  }

  private mutating func table(_ connection: Connection) throws -> String? {
    let own = ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"]
    if random.chance(25) { return choice(own) }
    let names = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
    guard case .text(let name)? = choice(names)?.first else { return nil }
    return name
  }

  private mutating func onConnection(
    _ body: (Connection, inout CoreDataDamage) throws -> Void
  ) throws {
    let connection = try Connection(path: copy.path, configuration: .init(role: .sole))
    defer { connection.close() }
    try connection.registerTriggerFunctions()
    try body(connection, &self)
  }

  private mutating func flip(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return bytes.append(UInt8.random(in: 0...255, using: &random)) }
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      bytes[Int.random(in: bytes.indices, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
    }
  }

  // MARK: Schema

  private mutating func strikeSchema() {
    try? onConnection { connection, damage in
      guard let table = try damage.table(connection) else { return }
      let columns = try connection.rows("SELECT name FROM pragma_table_info('\(table)')")
      guard case .text(let column)? = damage.choice(columns)?.first else { return }
      let statements = [
        "DROP TABLE \"\(table)\"", "ALTER TABLE \"\(table)\" RENAME TO ZOTHER",
        "ALTER TABLE \"\(table)\" DROP COLUMN \"\(column)\"",
        "ALTER TABLE \"\(table)\" RENAME COLUMN \"\(column)\" TO ZOTHER",
        "DELETE FROM \"\(table)\"",
        "CREATE TRIGGER T AFTER UPDATE ON \"\(table)\" BEGIN DELETE FROM \"\(table)\"; END",
        "CREATE UNIQUE INDEX U ON \"\(table)\" (\"\(column)\")",
      ]
      let statement = damage.choice(statements) ?? ""
      damage.strikes.append(statement)
      try connection.execute(statement)
    }
  }

  // MARK: Files

  private mutating func strikeBytes(of path: String) {
    guard var bytes = (try? Data(contentsOf: URL(filePath: path))).map(Array.init), !bytes.isEmpty
    else { return }
    let page = Int.random(in: 0..<max(1, bytes.count / 4096), using: &random) * 4096
    var part = Array(bytes[page..<min(bytes.count, page + 4096)])
    flip(&part)
    bytes.replaceSubrange(page..<page + part.count, with: part)
    strikes.append("flipped bits at \(page) of a file of \(bytes.count) bytes")
    try? Data(bytes).write(to: URL(filePath: path))
  }

  private mutating func strikeSize(of path: String) {
    guard let bytes = try? Data(contentsOf: URL(filePath: path)) else { return }
    let count = Int.random(in: 0...bytes.count, using: &random)
    strikes.append("cut a file of \(bytes.count) bytes at \(count)")
    try? bytes.prefix(count).write(to: URL(filePath: path))
  }

  private mutating func strikeFile() {
    let folder = copy.folder.file(".App_SUPPORT/_EXTERNAL_DATA")
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    guard let name = choice(names) else { return strikeCell() }
    if random.chance(50) { return strikeBytes(of: "\(folder)/\(name)") }
    if random.chance(50) { return strikeSize(of: "\(folder)/\(name)") }
    strikes.append("removed a file of a value")
    try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
  }
}
