package import OxbowModel

/// The statements by which a step in Swift reads the objects of an entity and of those below it.
package struct EntityRows {
  /// The columns that follow an object's key and the number of its entity.
  package let columns: [String]

  private let root: EntityMapping
  private let condition: String?

  package init(_ entity: CompiledEntity, _ mapping: StoreMapping) {
    root = mapping.entities[entity.root]
    var seen: Set<String> = []
    columns = entity.subtree.flatMap { mapping.entities[$0].columns }.map(\.name)
      .filter { seen.insert($0).inserted }
    let numbers = entity.concrete.map { mapping.entities[$0].number }.sorted()
    condition = root.typeColumn.map { isOne(quoted($0), of: numbers) }
  }

  package var count: String { "SELECT count(*) FROM \(quoted(root.table))\(filter([]))" }

  package var countUpTo: String {
    "SELECT count(*) FROM \(quoted(root.table))\(filter(["\(key) <= ?"]))"
  }

  package var largestKey: String { "SELECT max(\(key)) FROM \(quoted(root.table))" }

  /// The next page of rows after a key, up to another key.
  package var next: String {
    "SELECT \(list) FROM \(quoted(root.table))\(filter(["\(key) > ?", "\(key) <= ?"])) "
      + "ORDER BY \(key) LIMIT ?"
  }

  package var one: String { "SELECT \(list) FROM \(quoted(root.table))\(filter(["\(key) = ?"]))" }

  private var key: String { quoted(root.keyColumn) }

  private var list: String {
    ([key, root.entityNumber] + columns.map(quoted)).joined(separator: ", ")
  }

  private func filter(_ terms: [String]) -> String {
    let all = terms + [condition].compactMap(\.self)
    return all.isEmpty ? "" : " WHERE " + all.joined(separator: " AND ")
  }
}

// MARK: - Writing

extension EntityMapping {
  /// The number of a row's entity as a column of a select.
  fileprivate var entityNumber: String { typeColumn.map(quoted) ?? "\(number)" }

  /// The number of the entity of an object: its key.
  package var readEntity: String {
    "SELECT \(entityNumber) FROM \(quoted(table)) WHERE \(quoted(keyColumn)) = ?"
  }

  /// Adds a row with values in some columns.
  package func add(_ columns: [String]) -> String {
    "INSERT INTO \(quoted(table)) (\(columns.map(quoted).joined(separator: ", "))) "
      + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
  }

  /// Changes columns of a row and raises its version: the values, then the key.
  package func change(_ columns: [String]) -> String {
    assign(columns.map { "\(quoted($0)) = ?" }) + " WHERE \(quoted(keyColumn)) = ?"
  }

  func assign(_ assignments: [String]) -> String {
    let version = quoted(versionColumn)
    let all = assignments + ["\(version) = \(version) + 1"]
    return "UPDATE \(quoted(table)) SET \(all.joined(separator: ", "))"
  }
}
