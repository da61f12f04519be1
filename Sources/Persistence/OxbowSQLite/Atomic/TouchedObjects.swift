internal import OxbowModel
internal import OxbowRelational

/// The objects whose rows or links a transaction has written, as triggers of the connection note
/// them.
///
/// The table has a row for each time that an object was touched, because a trigger could not say
/// what to do with a second one: the statement that fires it decides. The triggers and their table
/// are temporary, and not in the schema.
enum TouchedObjects {
  private static let table = "_oxbow_touched"

  /// An object: the root of its entity, its key, and its own number if its row was written.
  static let read =
    "SELECT \"root\", \"key\", max(\"type\") FROM temp.\(quoted(table)) "
    + "GROUP BY \"root\", \"key\" ORDER BY \"root\", \"key\""

  /// The keys of a root entity.
  static func keys(of root: Int) -> String {
    "(SELECT \"key\" FROM temp.\(quoted(table)) WHERE \"root\" = \(root))"
  }

  /// Forgets all of them.
  static func forget(_ connection: Connection) throws {
    try connection.run("DELETE FROM temp.\(quoted(table))")
  }

  /// Begins to note them.
  static func observe(_ mapping: StoreMapping, _ connection: Connection) throws {
    try connection.execute(
      "CREATE TEMP TABLE \(quoted(table)) (\"root\" INTEGER, \"key\" INTEGER, \"type\" INTEGER)")
    for trigger in mapping.roots.flatMap({ triggers($0, mapping) }) + joins(mapping) {
      try connection.execute(trigger)
    }
  }

  // MARK: Rows of objects

  private static func triggers(_ root: EntityMapping, _ mapping: StoreMapping) -> [String] {
    let links = links(from: root, mapping)
    func row(_ side: String) -> String {
      let type = root.typeColumn.map { "\(side).\(quoted($0))" } ?? "\(root.number)"
      return note("\(root.root), \(side).\(quoted(root.keyColumn)), \(type)")
    }
    func others(_ side: String, _ isUpdate: Bool = false) -> [String] {
      links.map { link in
        let column = "\(side).\(quoted(link.column))"
        let condition = isUpdate ? " AND (\(link.isOther))" : ""
        return note("\(link.root), \(column), NULL", "\(column) IS NOT NULL\(condition)")
      }
    }
    return [
      trigger("INSERT", root.table, [row("NEW")] + others("NEW")),
      trigger("DELETE", root.table, [row("OLD")] + others("OLD")),
      trigger("UPDATE", root.table, [row("NEW")] + others("OLD", true) + others("NEW", true)),
    ]
  }

  /// A column with the key of an object whose relationship leads back.
  private struct LinkColumn: Hashable {
    let column: String
    let position: String?
    let root: Int

    /// Whether an update leads to another object, or to another place in its order.
    var isOther: String {
      ([column] + (position.map { [$0] } ?? [])).map {
        "OLD.\(quoted($0)) IS NOT NEW.\(quoted($0))"
      }
      .joined(separator: " OR ")
    }
  }

  private static func links(from root: EntityMapping, _ mapping: StoreMapping) -> [LinkColumn] {
    var links: [LinkColumn] = []
    for entity in mapping.model.entities[root.entity].subtree.map({ mapping.entities[$0] }) {
      for column in entity.columns where column.role == .key {
        let property = mapping.model.entities[entity.entity].properties[column.property]
        guard property.declaringEntity == entity.entity, let relationship = property.relationship,
          mapping.model.inverse(of: relationship) != nil
        else { continue }
        let position = entity.column(.position, ofProperty: column.property)
        links.append(
          LinkColumn(
            column: column.name, position: position.map { entity.columns[$0].name },
            root: mapping.model.entities[relationship.destination].root))
      }
    }
    return links
  }

  // MARK: Rows of links

  private static func joins(_ mapping: StoreMapping) -> [String] {
    mapping.joins.values.sorted { $0.table < $1.table }.flatMap { join in
      func ends(_ side: String) -> [String] {
        [
          note("\(join.ownerRoot), \(side).\(quoted(join.ownerColumn)), NULL"),
          note("\(join.memberRoot), \(side).\(quoted(join.memberColumn)), NULL"),
        ]
      }
      return [
        trigger("INSERT", join.table, ends("NEW")), trigger("DELETE", join.table, ends("OLD")),
        trigger("UPDATE", join.table, ends("OLD") + ends("NEW")),
      ]
    }
  }

  // MARK: Text

  private static func note(_ values: String, _ condition: String? = nil) -> String {
    "INSERT INTO \(quoted(table)) SELECT \(values)\(condition.map { " WHERE \($0)" } ?? "");"
  }

  private static func trigger(_ event: String, _ table: String, _ actions: [String]) -> String {
    let name = quoted("_oxbow_\(event.lowercased())_\(table)")
    return "CREATE TEMP TRIGGER \(name) AFTER \(event) ON main.\(quoted(table)) BEGIN "
      + actions.joined(separator: " ") + " END"
  }
}
