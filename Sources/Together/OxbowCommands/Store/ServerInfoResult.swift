internal import OxbowMigration
internal import OxbowModel
internal import OxbowRelational

/// What is said of a store on a server.
struct ServerInfoResult: ToolResult {
  struct TableRows: Encodable {
    let name: String
    let rows: Int
    let bytes: Int
  }

  let path: String
  let engine: String
  let identifier: String
  let layout: String
  let layoutVersion: Int
  let model: String
  let keepsModel: Bool
  let tables: [TableRows]
  let history: [HistoryEntry]

  init(_ server: ServerStore) throws {
    let backend = try server.backend()
    path = server.shown
    tables = try backend.read { try Self.tables($0) }
    guard let state = try backend.state() else {
      throw PersistenceError(
        .notAStore, "there is no store at '\(path)'; check the location and its schema")
    }
    engine = backend.engine
    (identifier, layout, layoutVersion) = (state.identifier, state.layout, state.layoutVersion)
    (model, keepsModel, history) = (state.modelHash, state.model != nil, state.history)
  }

  private static func tables(_ store: any MigrationReading) throws -> [TableRows] {
    try store.bytesByTable().sorted { $0.key < $1.key }.map { name, bytes in
      TableRows(name: name, rows: try store.rowCount(of: name) ?? 0, bytes: bytes)
    }
  }

  var lines: [String] {
    var facts = Table()
    facts.add("store", path)
    facts.add("identifier", identifier)
    facts.add("model", model)
    facts.add("layout", "\(layout) \(layoutVersion)")
    facts.add("server", engine)
    facts.add("history", history.map { "\($0.id) \($0.name): \($0.event) \($0.finished)" })
    var rows = Table()
    for table in tables {
      rows.add(table.name, "\(counted(table.rows, "row")), \(byteCount(table.bytes))")
    }
    return facts.lines() + ["tables"] + rows.lines(indentation: 2)
  }
}
