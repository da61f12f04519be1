internal import OxbowRelational

/// Keeps what is known of a database's tables, views and triggers until they change.
///
/// A migration looks at all of them before and after each step, and most steps leave them alone.
/// SQLite counts a number up with each change of the schema.
final class SchemaCache {
  private let connection: Connection
  private var version: Int64?
  private var known = Known()

  private struct Known {
    var names: [String]?
    var tables: [String: TableSchema] = [:]
    var probe: SchemaProbe?
    var references: TableReferences?
    var referencing: ReferencingColumns?
  }

  init(_ connection: Connection) { self.connection = connection }

  /// Forgets everything: a transaction was rolled back, and its numbers will be used again.
  func clear() { (version, known) = (nil, Known()) }

  /// Returns what is known, or finds it out.
  private func value<Value>(
    _ path: WritableKeyPath<Known, Value?>, _ find: (Connection) throws -> Value
  ) throws -> Value {
    let now = try connection.integer("PRAGMA schema_version")
    if now != version { (version, known) = (now, Known()) }
    if let value = known[keyPath: path] { return value }
    let found = try find(connection)
    known[keyPath: path] = found
    return found
  }

  func tableNames() throws -> [String] { try value(\.names) { try $0.tableNames() } }

  func table(_ name: String) throws -> TableSchema {
    try value(\.tables[name]) { try $0.table(name) }
  }

  func schemaProbe() throws -> SchemaProbe { try value(\.probe, SchemaProbe.init) }

  func tableReferences() throws -> TableReferences {
    try value(\.references, TableReferences.init)
  }

  func referencingColumns() throws -> ReferencingColumns {
    try value(\.referencing, ReferencingColumns.init)
  }
}
