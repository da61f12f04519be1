internal import OxbowRelational

/// What is known of a database's tables, views and triggers, until they change.
///
/// A migration looks at all of them before and after each step, and most steps leave them alone.
/// The number that SQLite counts up with each change of the schema tells.
final class SchemaCache {
  private let connection: Connection
  private var version: Int64?

  private var names: [String]?
  private var tables: [String: TableSchema] = [:]
  private var probe: SchemaProbe?
  private var references: TableReferences?
  private var referencing: ReferencingColumns?

  init(_ connection: Connection) { self.connection = connection }

  /// Forgets everything: a transaction was rolled back, and its numbers count again.
  func clear() {
    version = nil
    names = nil
    tables = [:]
    (probe, references, referencing) = (nil, nil, nil)
  }

  private func renew() throws {
    let now = try connection.integer("PRAGMA schema_version")
    guard now != version else { return }
    clear()
    version = now
  }

  func tableNames() throws -> [String] {
    try renew()
    if let names { return names }
    let found = try connection.tableNames()
    names = found
    return found
  }

  func table(_ name: String) throws -> TableSchema {
    try renew()
    if let table = tables[name] { return table }
    let table = try connection.table(name)
    tables[name] = table
    return table
  }

  func schemaProbe() throws -> SchemaProbe {
    try renew()
    if let probe { return probe }
    let found = try SchemaProbe(connection)
    probe = found
    return found
  }

  func tableReferences() throws -> TableReferences {
    try renew()
    if let references { return references }
    let found = try TableReferences(connection)
    references = found
    return found
  }

  func referencingColumns() throws -> ReferencingColumns {
    try renew()
    if let referencing { return referencing }
    let found = try ReferencingColumns(connection)
    referencing = found
    return found
  }
}
