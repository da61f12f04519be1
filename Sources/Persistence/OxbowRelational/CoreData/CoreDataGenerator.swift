internal import OxbowModel
internal import OxbowStore

/// Says in SQL what Core Data's layout keeps of a save beside its rows and links.
package struct CoreDataGenerator {
  private let dialect: any Dialect

  package init(_ dialect: any Dialect) { self.dialect = dialect }

  /// The keys that a statement is about.
  private var keys: String { "(\(dialect.keys(in: dialect.parameter(1))))" }

  private func version(_ entity: EntityMapping) -> String {
    "ifnull(\(quoted(entity.versionColumn)), 0)"
  }

  // MARK: Versions

  /// Raises the version of a row and returns it, then the type where the table has one: the key.
  package func raise(_ entity: EntityMapping) -> String {
    let type = entity.typeColumn.map { ", \(quoted($0))" } ?? ""
    return "\(dialect.update) \(quoted(entity.table)) SET \(quoted(entity.versionColumn)) = "
      + "\(version(entity)) + \(RowVersion.step) WHERE \(quoted(entity.keyColumn)) = ? "
      + "RETURNING \(quoted(entity.versionColumn))\(type)"
  }

  /// Gives a row that has no version the one that it is read with: the key.
  package func fillVersion(_ entity: EntityMapping) -> String {
    "\(dialect.update) \(quoted(entity.table)) SET \(quoted(entity.versionColumn)) = 0 "
      + "WHERE \(quoted(entity.keyColumn)) = ? AND \(quoted(entity.versionColumn)) IS NULL"
  }

  /// The version of a row: the key.
  package func readVersion(_ entity: EntityMapping) -> String {
    "SELECT \(version(entity)) FROM \(quoted(entity.table)) "
      + "WHERE \(quoted(entity.keyColumn)) = ?"
  }

  /// Rows whose version is larger than another one: the keys in JSON.
  package func rows(_ entity: EntityMapping, beyondVersion last: Int64) -> String {
    let key = quoted(entity.keyColumn)
    return "SELECT \(key) FROM \(quoted(entity.table)) WHERE \(key) IN \(keys) "
      + "AND \(quoted(entity.versionColumn)) > \(last) LIMIT 1"
  }

  // MARK: Links

  /// Objects of an end, each with one at the other end: the keys in JSON.
  package func others(_ end: JoinMapping.End) -> String {
    "SELECT \(quoted(end.column)), \(quoted(end.otherColumn)) FROM \(quoted(end.table)) "
      + "WHERE \(quoted(end.column)) IN \(keys) AND \(quoted(end.otherColumn)) IS NOT NULL"
  }

  /// The keys among some that rows have: the keys in JSON.
  package func existing(_ entity: EntityMapping) -> String {
    let key = quoted(entity.keyColumn)
    return "SELECT \(key) FROM \(quoted(entity.table)) WHERE \(key) IN \(keys)"
  }

  // MARK: Orders

  /// The objects of an order and their positions, as they are sorted: the key of its owner.
  package func order(_ end: JoinMapping.End, _ position: String) -> String {
    let other = quoted(end.otherColumn)
    return "SELECT \(other), \(quoted(position)) FROM \(quoted(end.table)) "
      + "WHERE \(quoted(end.column)) = ? ORDER BY \(quoted(position)), \(other)"
  }

  /// Moves an object of an order: the position, the key of the order's owner, the object's.
  package func move(_ end: JoinMapping.End, _ position: String) -> String {
    "\(dialect.update) \(quoted(end.table)) SET \(quoted(position)) = ? "
      + "WHERE \(quoted(end.column)) = ? AND \(quoted(end.otherColumn)) = ?"
  }

  // MARK: Files

  /// The cells of objects that refer to files: the keys in JSON.
  package func files(_ entity: EntityMapping, _ column: Int) -> String {
    "SELECT \(quoted(entity.keyColumn)), \(quoted(entity.columns[column].name)) "
      + "FROM \(quoted(entity.table)) WHERE \(quoted(entity.keyColumn)) IN \(keys) "
      + "AND \(isFile(entity.columns[column].name))"
  }

  /// All cells of a column that refer to files.
  package func files(in table: String, _ column: String) -> String {
    "SELECT \(quoted(column)) FROM \(quoted(table)) WHERE \(isFile(column))"
  }

  /// The same with the keys of the rows.
  package func keyedFiles(in table: String, _ column: String) -> String {
    "SELECT Z_PK, \(quoted(column)) FROM \(quoted(table)) WHERE \(isFile(column))"
  }

  private func isFile(_ column: String) -> String {
    "substr(\(quoted(column)), 1, 1) = x'0\(TaggedCell.fileTag)'"
  }

  /// Sets a cell: the cell, then the key.
  package func setCell(_ entity: EntityMapping, _ column: Int) -> String {
    "\(dialect.update) \(quoted(entity.table)) SET \(quoted(entity.columns[column].name)) = ? "
      + "WHERE \(quoted(entity.keyColumn)) = ?"
  }

  /// A row if an object has a cell: the cell, then the key.
  package func hasCell(_ entity: EntityMapping, _ column: Int) -> String {
    "SELECT 1 FROM \(quoted(entity.table)) WHERE \(quoted(entity.columns[column].name)) = ? "
      + "AND \(quoted(entity.keyColumn)) = ?"
  }

  // MARK: Keys

  /// The last key that was handed out below a root, and the largest that any column has: the root's
  /// number.
  ///
  /// A key that leads nowhere counts too: a new object must not become what it leads to.
  package func lastKeys(_ root: EntityMapping, referring: [JoinMapping.End]) -> String {
    let columns =
      [(root.table, root.keyColumn)] + referring.map { ($0.table, $0.column) }
    let largest = columns.map { table, column in
      "ifnull((SELECT max(\(quoted(column))) FROM \(quoted(table))), 0)"
    }
    return "SELECT ifnull(Z_MAX, 0), max(0, \(largest.joined(separator: ", "))) "
      + "FROM Z_PRIMARYKEY WHERE Z_ENT = ?"
  }

  /// Says which key is the last one that was handed out: the key, then the root's number.
  package var setLastKey: String {
    "\(dialect.update) Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?"
  }

  /// Keeps the largest key of a table from being handed out again: the root's number.
  package func keepLastKey(_ root: EntityMapping) -> String {
    let last = "(SELECT max(\(quoted(root.keyColumn))) FROM \(quoted(root.table)))"
    return "\(dialect.update) Z_PRIMARYKEY SET Z_MAX = \(last) "
      + "WHERE Z_ENT = ? AND ifnull(Z_MAX, 0) < \(last)"
  }
}

// MARK: - What refers

extension StoreMapping {
  /// The columns that have keys of objects below a root, each with the objects that have them.
  package func keyColumns(toRoot root: Int) -> [JoinMapping.End] {
    var found: [JoinMapping.End] = []
    var known: Set<String> = []
    for entity in entities {
      for column in entity.columns where column.role == .key {
        let relationship = model.entities[entity.entity].properties[column.property].relationship
        guard let relationship, model.entities[relationship.destination].root == root,
          known.insert("\(entity.table).\(column.name)").inserted
        else { continue }
        found.append(entity.end(fromColumn: column.name))
      }
    }
    return found
  }

  /// These, and the columns of links that have such keys.
  package func columns(referringToRoot root: Int) -> [JoinMapping.End] {
    keyColumns(toRoot: root) + joinEnds(ofRoot: root)
  }
}

extension EntityMapping {
  /// The objects that have a key, seen from those that the key leads to.
  package func end(fromColumn name: String, position: String? = nil) -> JoinMapping.End {
    JoinMapping.End(
      table: table, column: name, otherColumn: keyColumn, positionColumn: position,
      isMemberKey: true)
  }

  /// What a key leads to, seen from the objects that have it.
  package func end(toColumn name: String) -> JoinMapping.End {
    JoinMapping.End(
      table: table, column: keyColumn, otherColumn: name, positionColumn: nil, isMemberKey: true)
  }
}
