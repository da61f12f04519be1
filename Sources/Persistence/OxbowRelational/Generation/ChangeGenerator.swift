internal import OxbowStore

/// Says inserts, updates, deletes and links in SQL.
package struct ChangeGenerator {
  package let dialect: any Dialect

  package init(_ dialect: any Dialect) { self.dialect = dialect }

  /// Inserts an object: parameter 1 is the key, then one for each column of the mapping.
  package func insert(_ mapping: EntityMapping) -> String {
    let type = mapping.numberColumn.map { [$0] } ?? []
    let names = [mapping.keyColumn, mapping.versionColumn] + type + mapping.columns.map(\.name)
    let fixed = ["?", "\(RowVersion.first)"] + (type.isEmpty ? [] : ["\(mapping.number)"])
    let values = fixed + repeatElement("?", count: mapping.columns.count)
    return "\(dialect.insert) \(quoted(mapping.table)) "
      + "(\(names.map(quoted).joined(separator: ", "))) "
      + "VALUES (\(values.joined(separator: ", ")))"
  }

  /// Which columns an update sets, and whether it checks and raises the version.
  package struct UpdateShape: Hashable, Sendable {
    /// Places in the mapping's columns.
    package let columns: [Int]
    package let hasVersion: Bool

    package init(columns: [Int], hasVersion: Bool) {
      self.columns = columns
      self.hasVersion = hasVersion
    }
  }

  /// Updates an object: one parameter for each column, then the key, then the version.
  package func update(_ mapping: EntityMapping, _ shape: UpdateShape) -> String {
    var assignments = shape.columns.map { "\(quoted(mapping.columns[$0].name)) = ?" }
    let version = quoted(mapping.versionColumn)
    if shape.hasVersion { assignments.append("\(version) = \(version) + \(RowVersion.step)") }
    return "\(dialect.update) \(quoted(mapping.table)) SET "
      + "\(assignments.joined(separator: ", ")) WHERE \(quoted(mapping.keyColumn)) = ?"
      + (shape.hasVersion ? " AND \(version) = ?" : "")
  }

  /// Changes columns of a row temporarily: one parameter for each column, then key and version.
  package func giveUp(_ mapping: EntityMapping, _ columns: [String]) -> String {
    let assignments = columns.map { "\(quoted($0)) = ?" }.joined(separator: ", ")
    return "\(dialect.update) \(quoted(mapping.table)) SET \(assignments) "
      + "WHERE \(quoted(mapping.keyColumn)) = ? AND \(quoted(mapping.versionColumn)) = ?"
  }

  /// Gives a row another version: the version, then the key.
  package func setVersion(_ mapping: EntityMapping) -> String {
    "\(dialect.update) \(quoted(mapping.table)) SET \(quoted(mapping.versionColumn)) = ? "
      + "WHERE \(quoted(mapping.keyColumn)) = ?"
  }

  /// The value of a column in the row with a key.
  package func value(_ mapping: EntityMapping, _ column: Int) -> String {
    "SELECT \(quoted(mapping.columns[column].name)) FROM \(quoted(mapping.table)) "
      + "WHERE \(quoted(mapping.keyColumn)) = ?"
  }

  /// Keys and columns of rows, in the order of their keys: the keys.
  package func values(_ mapping: EntityMapping, _ columns: [Int], _ keys: KeyParameters) -> String {
    let key = quoted(mapping.keyColumn)
    let names = [key] + columns.map { quoted(mapping.columns[$0].name) }
    return "SELECT \(names.joined(separator: ", ")) FROM \(quoted(mapping.table)) WHERE "
      + keys.condition(on: key, dialect) + " ORDER BY \(key)"
  }

  /// The key of another row that has these values, and its type: the values, then the key.
  package func holder(_ mapping: EntityMapping, _ columns: [Int]) -> String {
    let conditions = columns.map { "\(quoted(mapping.columns[$0].name)) = ?" }
    let names = [mapping.keyColumn] + (mapping.typeColumn.map { [$0] } ?? [])
    return "SELECT \(names.map(quoted).joined(separator: ", ")) FROM \(quoted(mapping.table)) "
      + "WHERE \(conditions.joined(separator: " AND ")) AND \(quoted(mapping.keyColumn)) <> ? "
      + "LIMIT 1"
  }

  /// Deletes an object: the key, then the version.
  package func delete(_ mapping: EntityMapping, hasVersion: Bool) -> String {
    "DELETE FROM \(quoted(mapping.table)) WHERE \(quoted(mapping.keyColumn)) = ?"
      + (hasVersion ? " AND \(quoted(mapping.versionColumn)) = ?" : "")
  }

  /// Deletes objects: their keys, then the version of all.
  package func delete(
    _ mapping: EntityMapping, _ keys: KeyParameters, hasVersion: Bool
  ) -> String {
    "DELETE FROM \(quoted(mapping.table)) WHERE "
      + keys.condition(on: quoted(mapping.keyColumn), dialect)
      + (hasVersion ? " AND \(quoted(mapping.versionColumn)) = ?" : "")
  }

  /// Clears the key of an object: the key of the row, then the key that it had.
  package func clear(_ mapping: EntityMapping, _ columns: [Int], key: Int) -> String {
    let assignments = columns.map { "\(quoted(mapping.columns[$0].name)) = NULL" }
    return "\(dialect.update) \(quoted(mapping.table)) SET "
      + "\(assignments.joined(separator: ", ")) WHERE \(quoted(mapping.keyColumn)) = ? "
      + "AND \(quoted(mapping.columns[key].name)) = ?"
  }

  /// Links two objects: owner, member, then the positions.
  ///
  /// Linking them again moves them in the orders `moving`, by index of the position columns, and
  /// leaves them where they are in others.
  package func link(_ join: JoinMapping, moving: [Int]) -> String {
    guard !join.isMemberKey else { return setOwner(join, isMoving: !moving.isEmpty) }
    let positions = [join.memberPositionColumn, join.ownerPositionColumn].compactMap(\.self)
    let names = [join.ownerColumn, join.memberColumn] + positions
    let parameters = repeatElement("?", count: names.count).joined(separator: ", ")
    return "\(dialect.insert) \(quoted(join.table)) "
      + "(\(names.map(quoted).joined(separator: ", "))) VALUES (\(parameters)) "
      + dialect.upsert(
        on: [join.ownerColumn, join.memberColumn], updating: moving.map { positions[$0] })
  }

  /// Gives a member its owner, in its own row.
  private func setOwner(_ join: JoinMapping, isMoving: Bool) -> String {
    let (owner, key) = (quoted(join.ownerColumn), dialect.parameter(1))
    let position = join.memberPositionColumn.map { column in
      let last = dialect.parameter(3)
      let value = isMoving ? last : "iif(\(owner) = \(key), \(quoted(column)), \(last))"
      return ", \(quoted(column)) = \(value)"
    }
    return "\(dialect.update) \(quoted(join.table)) SET \(owner) = \(key)\(position ?? "") "
      + "WHERE \(quoted(join.memberColumn)) = \(dialect.parameter(2))"
  }

  /// Removes links: rows of their own, or keys from the rows of members.
  private func remove(_ end: JoinMapping.End) -> String {
    guard end.isMemberKey else { return "DELETE FROM \(quoted(end.table))" }
    let columns = [end.column, end.positionColumn].compactMap(\.self)
    return "\(dialect.update) \(quoted(end.table)) SET "
      + columns.map { "\(quoted($0)) = NULL" }.joined(separator: ", ")
  }

  /// Sets the position of a row in the order of another row: the position, the row's key, and the
  /// key that it must have.
  package func setPosition(_ mapping: EntityMapping, position: Int, key: Int) -> String {
    "\(dialect.update) \(quoted(mapping.table)) SET \(quoted(mapping.columns[position].name)) = ? "
      + "WHERE \(quoted(mapping.keyColumn)) = ? AND \(quoted(mapping.columns[key].name)) = ?"
  }

  /// Sets the position of a link in an order: the position, owner, member.
  package func setPosition(_ join: JoinMapping, position: String) -> String {
    "\(dialect.update) \(quoted(join.table)) SET \(quoted(position)) = ? "
      + "WHERE \(quoted(join.ownerColumn)) = ? AND \(quoted(join.memberColumn)) = ?"
  }

  /// The last position of an order: the key of the object that has it.
  package func lastPosition(in table: String, position: String, of column: String) -> String {
    "SELECT MAX(\(quoted(position))) FROM \(quoted(table)) WHERE \(quoted(column)) = ?"
  }

  /// A row if there is a link: owner, member.
  package func hasLink(_ join: JoinMapping) -> String {
    "SELECT 1 FROM \(quoted(join.table)) WHERE \(quoted(join.ownerColumn)) = ? "
      + "AND \(quoted(join.memberColumn)) = ?"
  }

  /// Removes a link: owner, member.
  package func unlink(_ join: JoinMapping) -> String {
    "\(remove(join.fromOwner)) WHERE \(quoted(join.ownerColumn)) = ? "
      + "AND \(quoted(join.memberColumn)) = ?"
  }

  /// Removes all links of an object: its key.
  package func unlinkAll(_ end: JoinMapping.End) -> String {
    "\(remove(end)) WHERE \(quoted(end.column)) = ?"
  }

  /// All links of objects, in their orders: their keys.
  package func links(_ end: JoinMapping.End, _ keys: KeyParameters) -> String {
    let column = quoted(end.column)
    let order = [column] + (end.positionColumn.map { [quoted($0)] } ?? [quoted(end.otherColumn)])
    return "SELECT \(column), \(quoted(end.otherColumn)) FROM \(quoted(end.table)) WHERE "
      + keys.condition(on: column, dialect) + " ORDER BY \(order.joined(separator: ", "))"
  }

  /// Removes all links of objects: their keys.
  package func unlinkAll(_ end: JoinMapping.End, _ keys: KeyParameters) -> String {
    "\(remove(end)) WHERE \(keys.condition(on: quoted(end.column), dialect))"
  }
}
