internal import OxbowRelational

/// Compiles every view and every trigger of a database, to see which do not work.
///
/// SQLite notices a broken view or trigger only when it is used, so a migration looks before
/// and after: what was broken before is left alone, what breaks is undone.
struct SchemaProbe {
  /// SQLite's message for each view and trigger that does not work, by kind, name and statement.
  let broken: [String: String]

  init(_ connection: Connection) throws {
    var broken: [String: String] = [:]
    for row in try connection.rows(
      "SELECT type, name, tbl_name FROM sqlite_schema WHERE type IN ('view', 'trigger')")
    {
      guard case .text(let type) = row[0], case .text(let name) = row[1],
        case .text(let table) = row[2]
      else { continue }
      let statements =
        type == "view"
        ? ["SELECT * FROM \(quoted(name))"] : try Self.firing(table, connection)
      for (index, statement) in statements.enumerated() {
        do { try connection.prepareOnly(statement) } catch let error as SQLiteError {
          broken["\(type) '\(name)'#\(index)"] = error.message
        }
      }
    }
    self.broken = broken
  }

  /// Statements that make SQLite compile all triggers of a table or view.
  private static func firing(_ table: String, _ connection: Connection) throws -> [String] {
    let columns = try connection.texts(
      "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", [.text(table)])
    let name = quoted(table)
    let assignments = columns.map { "\(quoted($0)) = \(quoted($0))" }.joined(separator: ", ")
    let values = columns.map { _ in "NULL" }.joined(separator: ", ")
    return [
      "INSERT INTO \(name) (\(columns.map(quoted).joined(separator: ", "))) VALUES (\(values))",
      "UPDATE \(name) SET \(assignments)", "DELETE FROM \(name)",
    ]
  }

  /// Describes what does not work any more.
  func newlyBroken(since before: SchemaProbe) -> [String] {
    words(broken.filter { before.broken[$0.key] == nil })
  }

  var brokenParts: [String] { words(broken) }

  private func words(_ broken: [String: String]) -> [String] {
    Set(broken.map { "\($0.key.split(separator: "#").first ?? ""): \($0.value)" }).sorted()
  }
}

extension Connection {
  func prepareOnly(_ sql: String) throws { _ = try Statement(sql, of: self).finalize() }
}
