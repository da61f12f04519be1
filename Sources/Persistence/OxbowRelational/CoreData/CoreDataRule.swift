package import OxbowModel

/// A rule that stores keep which Core Data writes, as a statement that finds what breaks it.
package struct CoreDataRule: Sendable {
  /// What is looked at: "ZBOOK.ZAUTHOR".
  package let subject: String

  /// What is wrong with it: "leads to no row".
  package let problem: String

  /// Whether stores break it that Core Data alone has written: bugs and migrations of before have
  /// left that behind, and apps and Oxbow read such stores.
  package let isLeftover: Bool

  /// A statement whose only column says where the rule is broken: keys of rows, names.
  package let query: String

  /// The function that says whether a number is one of 32 bits.
  package static let isSingle = "oxbow_is_single"

  /// All rules of a store: of its tables and numbers first, then of its rows and its history.
  package static func all(of store: CoreDataTables, _ mapping: StoreMapping) -> [CoreDataRule] {
    ofFile + ofNumbers(mapping) + ofTables(store, mapping) + ofRows(mapping) + ofLinks(mapping)
      + ofHistory(store, mapping)
  }

  static func damage(_ subject: String, _ problem: String, _ query: String) -> CoreDataRule {
    CoreDataRule(subject: subject, problem: problem, isLeftover: false, query: query)
  }

  static func leftover(_ subject: String, _ problem: String, _ query: String) -> CoreDataRule {
    CoreDataRule(subject: subject, problem: problem, isLeftover: true, query: query)
  }
}

// MARK: - Parts of statements

extension StoreMapping {
  /// The objects that lack a value or an object; `nil` for a property that is not kept.
  package func rows(without property: CompiledProperty, of entity: CompiledEntity) -> String? {
    let table = entities[entity.index]
    if let relationship = property.relationship, relationship.isToMany {
      return members(of: relationship).map { end in
        rows(
          of: entity,
          where: "NOT EXISTS (SELECT 1 FROM \(quoted(end.table)) AS x "
            + "WHERE x.\(quoted(end.column)) = r.\(quoted(table.keyColumn)))")
      }
    }
    return table.column(ofProperty: property.index).map {
      rows(of: entity, where: "r.\(quoted(table.columns[$0].name)) IS NULL")
    }
  }

  /// The statement that counts the rows of an entity, without those of entities below it.
  package func countRows(ofOnly entity: CompiledEntity) -> String {
    let table = entities[entity.index]
    let type = table.typeColumn.map { " WHERE \(quoted($0)) = \(table.number)" } ?? ""
    return "SELECT count(*) FROM \(quoted(table.table))\(type)"
  }

  /// The numbers of some entities, as a list of SQL.
  func numbers(_ indices: [Int]) -> String {
    "(\(indices.map { "\(entities[$0].number)" }.joined(separator: ", ")))"
  }

  /// The rows of an entity and of those below it, of which a condition is true; `r` is the row.
  func rows(of entity: CompiledEntity, where condition: String) -> String {
    let table = entities[entity.index]
    let type = table.typeColumn.map { "r.\(quoted($0)) IN \(numbers(entity.subtree)) AND " } ?? ""
    return "SELECT r.\(quoted(table.keyColumn)) FROM \(quoted(table.table)) AS r "
      + "WHERE \(type)(\(condition))"
  }

  /// Whether there is a row with a key, of an entity or one below it, or of others; `x` is the row.
  func exists(
    _ key: String, of entity: CompiledEntity, isOther: Bool? = nil, and more: String = "1"
  ) -> String {
    let table = entities[entity.index]
    let type = table.typeColumn.flatMap { column in
      isOther.map { " AND x.\(quoted(column)) \($0 ? "NOT " : "")IN \(numbers(entity.subtree))" }
    }
    guard type != nil || isOther != true else { return "0" }
    return "EXISTS (SELECT 1 FROM \(quoted(table.table)) AS x "
      + "WHERE x.\(quoted(table.keyColumn)) = \(key)\(type ?? "") AND \(more))"
  }
}

extension CoreDataRule {
  /// What is the matter with positions in an order: where some rows are members.
  ///
  /// - Parameters:
  ///   - subject: The name of the column of positions.
  ///   - table: The table.
  ///   - place: What says where a row is.
  ///   - owner: The column of what has the order.
  ///   - position: The column of positions.
  ///   - condition: Which rows these are; `r` is the row.
  /// - Returns: The rules.
  static func positions(
    _ subject: String, _ table: String, _ place: String, owner: String, _ position: String,
    _ condition: String
  ) -> [CoreDataRule] {
    let (owner, position) = ("r.\(quoted(owner))", "r.\(quoted(position))")
    let rows = "SELECT \(place) FROM \(quoted(table)) AS r WHERE \(condition) AND "
    return [
      damage(
        subject, "set without an owner, or missing with one",
        rows + "(\(owner) IS NULL) <> (\(position) IS NULL)"),
      damage(
        subject, "not a whole number above 0",
        rows + "\(position) IS NOT NULL AND (typeof(\(position)) <> 'integer' OR \(position) < 1)"),
      damage(
        subject, "twice in one order",
        "SELECT min(\(place)) FROM \(quoted(table)) AS r WHERE \(condition) AND "
          + "\(owner) IS NOT NULL AND \(position) IS NOT NULL "
          + "GROUP BY \(owner), \(position) HAVING count(*) > 1"),
    ]
  }
}
