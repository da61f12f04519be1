package import OxbowModel
internal import OxbowRelational

/// Rows of a store that refer to rows that are not there.
package struct DanglingRows: Hashable, Sendable, CustomStringConvertible {
  package var table: String
  package var parent: String
  package var column: String
  package var count: Int

  /// The keys of the first of them; none of a table of links.
  package var keys: [Int64]

  /// The statement that lets them refer to nothing, or deletes them where they cannot.
  package var statement: String

  package var description: String {
    "'\(table).\(column)' of \(count) rows refers to rows of '\(parent)' that are not there"
  }

  /// Which rows they are and how to go on.
  package var advice: String {
    let more = count > keys.count ? " …" : ""
    let rows = keys.map(String.init).joined(separator: ", ")
    return (keys.isEmpty ? "" : "the rows \(rows)\(more); ")
      + "put back what they refer to, or write a script with: \(statement)"
  }
}

extension SQLiteStoreFile {
  /// The rows that refer to rows that are not there; reads only.
  package func danglingRows() throws(PersistenceError) -> [DanglingRows] {
    try look { try $0.danglingRows(limit: 100) }
  }

  /// What ``check()`` finds of search indexes and of boxes, which compacting mends; reads only.
  package func indexFindings() throws(PersistenceError) -> [String] {
    try look { try $0.searchFindings() + $0.boxFindings() }
  }

  private func look<R>(_ body: (Connection) throws -> R) throws(PersistenceError) -> R {
    try perform("checking") {
      try withDatabase(isReadOnly: true) { database in
        try database.read { connection in try connection.transaction(.read) { try body(connection) }
        }
      }
    }
  }
}

extension Connection {
  /// For each reference of a table, the rows where it leads nowhere; at most so many of these.
  func danglingRows(limit: Int) throws -> [DanglingRows] {
    let found = try rows(
      "SELECT \"table\", parent, fkid, count(*) FROM pragma_foreign_key_check "
        + "GROUP BY 1, 2, 3 LIMIT \(limit)")
    guard !found.isEmpty else { return [] }
    let mapping = StoreInspection.mapping(of: try MigratedStore(self).state())
    return try found.compactMap { row in
      guard case .text(let table) = row[0], case .text(let parent) = row[1],
        case .integer(let number) = row[2], case .integer(let count) = row[3],
        let column = try text(
          "SELECT \"from\" FROM pragma_foreign_key_list(?) WHERE id = ?",
          [.text(table), .integer(number)])
      else { return nil }
      return DanglingRows(
        table: table, parent: parent, column: column, count: Int(count),
        keys: try integers(
          "SELECT rowid FROM pragma_foreign_key_check(?) WHERE fkid = ? AND rowid IS NOT NULL "
            + "ORDER BY 1 LIMIT 10", [.text(table), .integer(number)]),
        statement: try repair(table, column, parent, mapping))
    }
  }

  private func repair(
    _ table: String, _ column: String, _ parent: String, _ mapping: StoreMapping?
  ) throws -> String {
    let key = try self.table(parent).primaryKey.first ?? PlainLayout.keyColumn
    let condition =
      "WHERE \(quoted(column)) NOT IN (SELECT \(quoted(key)) FROM \(quoted(parent)));"
    let isRequired = try self.table(table).columns.contains {
      $0.name == column && $0.isRequired
    }
    guard !isRequired else { return "DELETE FROM \(quoted(table)) \(condition)" }
    let owner = mapping?.entities.first { entity in
      entity.table == table && entity.columns.contains { $0.name == column && $0.role == .key }
    }
    // The columns beside the key are cleared with it.
    let property = owner?.columns.first { $0.name == column }?.property
    let beside = owner?.columns.filter { $0.property == property && $0.name != column } ?? []
    let columns = [column] + beside.map(\.name)
    let version =
      owner.map { ", \(quoted($0.versionColumn)) = \(quoted($0.versionColumn)) + 1" } ?? ""
    return "UPDATE \(quoted(table)) SET "
      + columns.map { "\(quoted($0)) = NULL" }.joined(separator: ", ") + "\(version) \(condition)"
  }
}
