/// A connection to a database, as far as every engine has one.
///
/// Loops over the rows of objects are not written with it: they stay in their engine.
package protocol Session {
  var dialect: any Dialect { get }

  /// The name of the database, for messages.
  var path: String { get }

  /// Runs one statement to its end, with values.
  func run(_ sql: String, _ values: [SQLValue]) throws

  /// Runs statements without values, one after the other, and keeps none of them.
  func execute(_ sql: String) throws

  /// Returns all rows of a statement; for small results only.
  func rows(_ sql: String, _ values: [SQLValue]) throws -> [[SQLValue]]

  /// Returns the text in the first column of the first row, or `nil`.
  func text(_ sql: String, _ values: [SQLValue]) throws -> String?

  /// The store's facts by name, and what writes one of them: engines keep a value of any type in
  /// ways of their own.
  func facts() throws -> [String: SQLValue]
  func writeFact(_ name: String, _ value: SQLValue) throws
}

extension Session {
  package func facts() throws -> [String: SQLValue] {
    var values: [String: SQLValue] = [:]
    for row in try rows(MetadataTables.readFacts, []) {
      if case .text(let name) = row[0] { values[name] = row[1] }
    }
    return values
  }

  package func writeFact(_ name: String, _ value: SQLValue) throws {
    try run(MetadataTables.writeFact, [.text(name), value])
  }

  /// Returns the texts in the first column of all rows.
  package func texts(_ sql: String, _ values: [SQLValue] = []) throws -> [String] {
    try rows(sql, values).compactMap { if case .text(let text)? = $0.first { text } else { nil } }
  }

  /// Returns the whole numbers in the first column of all rows.
  package func integers(_ sql: String, _ values: [SQLValue] = []) throws -> [Int64] {
    try rows(sql, values).compactMap {
      if case .integer(let number)? = $0.first { number } else { nil }
    }
  }

  /// Makes tables with their indexes.
  package func create(_ tables: [TableSchema]) throws {
    for definition in tables.flatMap({ $0.definitions(in: dialect) }) { try execute(definition) }
  }
}

/// What a database says of its tables.
package protocol Catalogue {
  /// The names of all tables but the engine's own, sorted.
  func tableNames() throws -> [String]

  /// All these tables with their columns and primary keys, and nothing else.
  func tableColumns() throws -> [TableSchema]

  /// Refuses a database that keeps text in another encoding than UTF-8, by whose bytes predicates
  /// and orders compare.
  func requireUTF8() throws
}
