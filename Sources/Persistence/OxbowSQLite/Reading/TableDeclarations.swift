internal import OxbowModel
internal import OxbowRelational

/// How a store's tables are declared, read from SQLite: what a reader need not check in each cell.
struct TableDeclarations: Sendable {
  private struct Column {
    let type: String
    let isRequired: Bool
  }

  private struct Table {
    var isStrict = false
    var columns: [String: Column] = [:]
  }

  private var tables: [String: Table] = [:]
  private let codecs: any CodecSet

  /// The declarations of a mapping that has just been made of the tables as they are, without
  /// reading them again (docs/performance.md, S/open); none of them proves a cell.
  init(madeInto mapping: StoreMapping) {
    codecs = mapping.dialect.codecs
    for table in mapping.tables {
      let columns = table.columns.map {
        ($0.name, Column(type: $0.type.rawValue, isRequired: false))
      }
      tables[table.name] = Table(columns: Dictionary(columns) { first, _ in first })
    }
  }

  /// Reads the declarations of all tables of a mapping.
  init(_ mapping: StoreMapping, _ connection: Connection) throws {
    codecs = mapping.dialect.codecs
    for name in Set(mapping.tables.map(\.name)) {
      var table = Table()
      table.isStrict =
        try connection.integer(
          "SELECT strict FROM pragma_table_list(?) WHERE schema = 'main'", [.text(name)]) == 1
      let rows = try connection.rows(
        "SELECT name, type, \"notnull\" FROM pragma_table_info(?)", [.text(name)])
      for case let row in rows {
        guard case .text(let column) = row[0], case .text(let type) = row[1] else { continue }
        table.columns[column] = Column(type: type, isRequired: row[2] == .integer(1))
      }
      tables[name] = table
    }
  }

  /// Whether each cell of a column must have a value of its type, the only one that it can have.
  func prove(_ column: MappedColumn, of table: String) -> Bool {
    guard let table = tables[table], table.isStrict, let found = table.columns[column.name] else {
      return false
    }
    return found.isRequired
      && codecs.types(of: column.codec).map(\.rawValue) == [found.type.uppercased()]
  }

  /// What a mapping needs and the store does not have, as "table" or "table.column".
  func missing(_ mapping: StoreMapping) -> [String] {
    mapping.tables.flatMap { wanted -> [String] in
      guard let table = tables[wanted.name], !table.columns.isEmpty else { return [wanted.name] }
      return wanted.columns.filter { table.columns[$0.name] == nil }.map {
        "\(wanted.name).\($0.name)"
      }
    }
  }
}
