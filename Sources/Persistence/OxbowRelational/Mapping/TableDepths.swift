/// How many tables are behind a table, one after the other, as its foreign keys lead.
struct TableDepths {
  private let tables: [String: TableSchema]
  private var known: [String: Int] = [:]

  /// The tables whose depth is being found: what leads back to them is a circle and counts nothing.
  private var open: Set<String> = []

  init(of tables: [TableSchema]) {
    self.tables = Dictionary(
      tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func depth(of table: String) -> Int {
    if let depth = known[table] { return depth }
    open.insert(table)
    defer { open.remove(table) }
    var depth = 0
    for key in tables[table]?.foreignKeys ?? [] where !open.contains(key.table) {
      depth = max(depth, 1 + self.depth(of: key.table))
    }
    known[table] = depth
    return depth
  }
}
