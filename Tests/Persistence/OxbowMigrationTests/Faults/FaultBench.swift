import OxbowMigration
import OxbowModel
import OxbowRelational
import OxbowSQLite
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A migration that can be run again and again from the same store, and the states that the store
/// may have afterwards.
struct FaultBench {
  let lab: Lab
  let migration: FaultCase
  private let original: String?

  /// What the store has before, after each batch and step, and at the end.
  let states: [[String]]

  init(_ migration: FaultCase, journalMode: String) throws {
    lab = try Lab()
    self.migration = migration
    try migration.prepare(lab)
    if FileManager.default.fileExists(atPath: lab.store) {
      try lab.run("PRAGMA journal_mode = \(journalMode)")
      original = lab.folder.file("original")
      try FileManager.default.copyItem(atPath: lab.store, toPath: lab.folder.file("original"))
    } else {
      original = nil
    }
    var states = [try Self.contents(lab)]
    let lab = lab
    try migration.run(lab) { (try? Self.contents(lab)).map { states.append($0) } }
    states.append(try Self.contents(lab))
    self.states = states
  }

  /// Puts the store back to what it was before.
  func reset() throws {
    let files = FileManager.default
    for suffix in ["", "-wal", "-shm", "-journal", "-lock"] {
      try? files.removeItem(atPath: lab.store + suffix)
    }
    if let original { try files.copyItem(atPath: original, toPath: lab.store) }
  }

  /// The state that the store is in; `nil` when it is none that it may have, with the report.
  func state() throws -> (index: Int?, report: [String]) {
    let contents = try Self.contents(lab)
    guard let index = states.lastIndex(of: contents) else {
      let old = Set(states[0])
      return (nil, contents.filter { !old.contains($0) })
    }
    return (index, [])
  }

  var lastState: Int { states.count - 1 }

  /// The schema and all rows, without what is different in each run.
  private static func contents(_ lab: Lab) throws -> [String] {
    guard FileManager.default.fileExists(atPath: lab.store) else { return [] }
    let connection = try Connection(path: lab.store, configuration: .init(role: .sole))
    defer { connection.close() }
    var lines = try connection.rows("PRAGMA integrity_check").map { "\($0)" }
      .filter { !$0.contains("ok") }
    lines += try connection.rows("PRAGMA foreign_key_check").map { "no reference: \($0)" }
    let schema = try connection.rows(
      "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name")
    lines += schema.map { "\($0)" }
    let tables = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    for table in tables.compactMap(\.first).compactMap(\.text) {
      lines += try connection.rows(query(table)).map { "\(table) \($0)" }.sorted()
    }
    return lines
  }

  private static func query(_ table: String) -> String {
    switch table {
    case "_oxbow_history":
      "SELECT seq, id, name, kind, event, checksum, model_before, model_after, cursor FROM \(table)"
    // A step that goes on does not know what it wrote, and notes the last keys of all tables.
    case "_oxbow_keys": "SELECT * FROM \(table) WHERE false"
    case "_oxbow_metadata": "SELECT * FROM \(table) WHERE name <> 'store_uuid'"
    default: "SELECT * FROM \"\(table)\""
    }
  }
}

extension SQLValue {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}
