package import OxbowModel

/// Where tables and columns go, as the user says: `book=Book`, `book.isbn=Book.number`,
/// `book.note=-`.
package struct ForeignMap: Sendable {
  struct Entry {
    let text: String
    let table: String
    let column: String?

    /// The entity; `nil` for what has no target.
    let entity: String?
    let property: String?
  }

  let entries: [Entry]

  /// Reads lines `TABLE=Entity`, `TABLE.COLUMN=Entity.property`, `TABLE=Entity.relationship`; `-`
  /// behind the sign for what has no target.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationRefused` for a line of another form.
  package init(_ lines: [String] = []) throws(PersistenceError) {
    entries = try lines.map { line throws(PersistenceError) in try Self.entry(line) }
  }

  private static func entry(_ line: String) throws(PersistenceError) -> Entry {
    let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let from = parts(sides[0])
    let to = sides.count == 2 ? parts(sides[1]) : []
    guard let table = from.first, !table.isEmpty, from.last?.isEmpty == false,
      let entity = to.first, !entity.isEmpty, to.last?.isEmpty == false,
      from.count == 1 || to.count == 2 || entity == "-"
    else {
      throw PersistenceError(
        .migrationRefused,
        "'\(line)' does not say where something goes; write TABLE=Entity, TABLE.COLUMN=Entity.property, "
          + "TABLE=Entity.relationship for a table of links, or TABLE.COLUMN=- for what has no target"
      )
    }
    return Entry(
      text: line, table: table, column: from.count == 2 ? from[1] : nil,
      entity: entity == "-" ? nil : entity, property: to.count == 2 ? to[1] : nil)
  }

  private static func parts(_ text: Substring) -> [String] {
    text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  }

  func entry(of table: String) -> Entry? {
    entries.first { $0.column == nil && $0.table.lowercased() == table.lowercased() }
  }

  func entry(of table: String, _ column: String) -> Entry? {
    entries.first {
      $0.table.lowercased() == table.lowercased() && $0.column?.lowercased() == column.lowercased()
    }
  }
}

/// Names of tables and columns compared with those of a model: `author_id` is `authorId`.
enum ForeignName {
  /// The name in small letters, without what separates words.
  static func plain(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != "." && $0 != " " }
  }

  /// Whether a name is one of a list, or the renaming identifier that goes with it.
  static func fits(_ name: String, _ candidates: String?...) -> Bool {
    candidates.contains { $0.map(plain) == plain(name) }
  }

  /// Whether a table has the plural of an entity's name.
  static func isPlural(_ table: String, of entity: String) -> Bool {
    let (many, one) = (plain(table), plain(entity))
    return [one + "s", one + "es", one.dropLast() + "ies"].contains(many)
  }
}
