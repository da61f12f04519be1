package import OxbowModel

// A store that is copied to another engine. Both have the plain layout, so the copy has the same
// tables, in one order, with the same columns, in one order: engines differ in names, types,
// indexes and the forms of values. Nothing but one row at a time is in memory.

/// A place from which a store is read as a whole, or to which one is written.
package protocol CopyEngine: Sendable {
  /// The store's name, for messages.
  var place: String { get }

  /// Whether it is a file, for which there are other ways of copying.
  var isFile: Bool { get }

  /// Runs `body` with the store as it is at one moment.
  func read<R>(_ body: (any CopySource) throws -> R) throws -> R

  /// Makes a store where there is none, whose rows `body` writes; it is there once `body` has
  /// returned, and whole, or not at all.
  ///
  /// - Throws: ``PersistenceError``: `storeUnreachable` where there is something.
  func make<R>(_ contents: StoreContents, _ body: (any CopyTarget) throws -> R) throws -> R
}

/// A store that is read.
package protocol CopySource: AnyObject {
  var contents: StoreContents { get }

  /// What is not read, because a new store does not have it.
  func leftovers() throws -> CopyLeftovers

  /// The number of rows of a table, by its place.
  func count(of table: Int) throws -> Int

  /// Calls `body` with each row of a table, in the order of keys.
  func rows(of table: Int, _ body: ([SQLValue]) throws -> Void) throws

  var tally: CopyTally { get }
}

/// A store that is written.
package protocol CopyTarget: AnyObject {
  /// Writes the rows of a table, by its place, for which `rows` calls its argument.
  func insert(into table: Int, _ rows: (([SQLValue]) throws -> Void) throws -> Void) throws

  var tally: CopyTally { get }
}

/// What a store has that stays with it.
package struct CopyLeftovers: Sendable {
  /// The saves of its history; `nil` if it keeps none.
  package var historySaves: Int?

  /// The tables of others.
  package var otherTables: [String] = []

  package init() {}
}

/// What has another form in one of the stores.
package struct CopyTally: Sendable {
  /// The values that are in files beside it.
  package var files = 0

  /// The texts that it keeps in a form of their own, because the engine cannot have them.
  package var encodedTexts = 0

  package init() {}
}

// MARK: - Tables

/// A table of a store, as its rows are copied.
package struct CopiedTable: Sendable {
  package let name: String

  /// Whether its rows are links.
  package let isOfLinks: Bool
  package let keys: [String]
  package let columns: [CopiedColumn]

  /// The names of all columns for a statement, as `column` says each.
  package func list(_ column: (CopiedColumn) -> String = { quoted($0.name) }) -> String {
    columns.map(column).joined(separator: ", ")
  }

  /// What puts rows in the order of keys.
  package var order: String { keys.map(quoted).joined(separator: ", ") }

  /// What is said of a row.
  package func place(_ row: [SQLValue]) -> String {
    let keys = zip(columns, row).filter { self.keys.contains($0.0.name) }.map(\.1.description)
    return "the row \(keys.joined(separator: ", ")) of the table '\(name)'"
  }
}

package struct CopiedColumn: Sendable {
  package let name: String
  package let codec: ColumnCodec

  /// Whether a file may have its values.
  package let isExternal: Bool

  /// A cell in the one form that it has in a copy; `nil` for a cell that the column cannot have.
  package func settled(_ cell: SQLValue) -> SQLValue? {
    switch (codec, cell) {
    case (_, .null), (.blob, .blob), (.key, .integer), (.entityNumber, .integer),
      (.position, .integer):
      return cell
    case (.decimalText, _): return codec.decode(cell).flatMap(codec.encode)
    default: return codec.decode(cell) == nil ? nil : cell
    }
  }
}

extension StoreMapping {
  /// The tables with what their columns keep, in the order of all engines.
  package var copiedTables: [CopiedTable] {
    let links = Set(joins.values.map(\.table))
    return tables.map { table in
      let codecs = codecs(of: table.name)
      return CopiedTable(
        name: table.name, isOfLinks: links.contains(table.name), keys: table.primaryKey,
        columns: table.columns.map { codecs[$0.name] ?? Self.ofLinks($0.name, table) })
    }
  }

  private static func ofLinks(_ name: String, _ table: TableSchema) -> CopiedColumn {
    CopiedColumn(
      name: name, codec: table.primaryKey.contains(name) ? .key : .position, isExternal: false)
  }

  private func codecs(of table: String) -> [String: CopiedColumn] {
    var columns: [String: CopiedColumn] = [:]
    for entity in entities where entity.table == table {
      for (name, codec) in [
        (entity.keyColumn, ColumnCodec.key), (entity.versionColumn, .integer64),
        (entity.typeColumn ?? "", .entityNumber),
      ] { columns[name] = CopiedColumn(name: name, codec: codec, isExternal: false) }
      let properties = model.entities[entity.entity].properties
      for column in entity.columns {
        columns[column.name] = CopiedColumn(
          name: column.name, codec: column.codec,
          isExternal: column.role == .attribute && properties[column.property].isExternal)
      }
    }
    return columns
  }
}

// MARK: - Errors

extension PersistenceError {
  /// A cell that the model does not allow.
  package static func uncopied(
    _ column: CopiedColumn, _ expected: String, _ row: String
  ) -> PersistenceError {
    PersistenceError(
      .invalidStoredValue,
      "\(row) has something else than \(expected) in the column '\(column.name)'; nothing was "
        + "copied: another program wrote it, so correct the row in the store")
  }

  /// A store that lacks what its model needs.
  package static func uncopied(_ place: String, lacking missing: [String]) -> PersistenceError {
    PersistenceError(
      .notAStore,
      "the store '\(place)' lacks what its model needs: \(listed(missing)); nothing was copied: "
        + "another program changed its tables, so restore a backup")
  }
}
