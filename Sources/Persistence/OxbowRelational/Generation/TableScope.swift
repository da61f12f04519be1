import OxbowModel

/// The tables of one select: the table it is about and those that it joins along to-one paths.
struct TableScope {
  /// A table of the select, under its alias.
  struct JoinedTable {
    let entity: CompiledEntity
    let mapping: EntityMapping
    let alias: String

    /// A column under the alias.
    func column(_ name: String) -> String { "\(alias).\(quoted(name))" }

    var key: String { column(mapping.keyColumn) }
  }

  let root: JoinedTable
  private let mapping: StoreMapping
  private let prefix: String
  private var joined: [[String]: JoinedTable] = [:]
  private var joins: [String] = []
  private let head: String

  /// The text behind `FROM`.
  var from: String { ([head] + joins).joined(separator: " ") }

  /// Whether a path has led to another table.
  var hasJoins: Bool { !joins.isEmpty }

  /// Creates a scope about an entity.
  ///
  /// Its tables are called `prefix0`, `prefix1` and so on; `head` is the text before the joins,
  /// when it is not the table alone.
  init(_ mapping: StoreMapping, entity: CompiledEntity, prefix: String, head: String? = nil) {
    self.mapping = mapping
    self.prefix = prefix
    let table = mapping.entities[entity.index]
    root = JoinedTable(entity: entity, mapping: table, alias: prefix + "0")
    self.head = head ?? "\(quoted(table.table)) AS \(prefix)0"
  }

  /// The table at the end of a path of to-one relationships.
  mutating func table(at path: ArraySlice<String>) throws(PersistenceError) -> JoinedTable {
    guard let last = path.last else { return root }
    if let known = joined[Array(path)] { return known }
    let from = try table(at: path.dropLast())
    let property = try from.entity.requireProperty(named: last)
    guard let relationship = property.relationship, !relationship.isToMany,
      let column = from.mapping.column(ofProperty: property.index)
    else { throw .notToOne(last, of: from.entity.name) }
    let limit = mapping.dialect.capability.joins
    guard joins.count < limit else {
      throw PersistenceError(
        .invalidPredicate,
        "the condition and the order follow more than \(limit) to-one paths, and a store "
          + "follows up to \(limit) at once; fetch in several parts")
    }
    let entity = mapping.model.entities[relationship.destination]
    let table = JoinedTable(
      entity: entity, mapping: mapping.entities[entity.index],
      alias: "\(prefix)\(joins.count + 1)")
    joins.append(
      "LEFT JOIN \(quoted(table.mapping.table)) AS \(table.alias) ON \(table.key) = "
        + from.column(from.mapping.columns[column].name))
    joined[Array(path)] = table
    return table
  }
}

extension PersistenceError {
  /// A path that continues after something that is not a to-one relationship.
  static func notToOne(_ name: String, of entity: String) -> PersistenceError {
    PersistenceError(
      .invalidPredicate,
      "the path continues after '\(name)' of '\(entity)', which is not a to-one relationship; a path "
        + "to many objects needs 'any', 'all' or 'count'")
  }
}
