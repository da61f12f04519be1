internal import OxbowModel
internal import OxbowRelational

// Links between the objects of a store: each is written at both ends, wherever the store keeps it.

extension MigrationRows {
  /// The keys of the objects that a relationship of an object leads to, in its order.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty`, or `unsupported` for a relationship that
  ///   the store does not keep.
  public func keys(of relationship: String, from row: MigrationRow) throws -> [Int64] {
    let end = try RelationshipEnd(relationship, of: row.shape.entity, mapping)
    let found = try editor.rows(end.keys, [.integer(row.key)])
    return found.compactMap { if case .integer(let key)? = $0.first { key } else { nil } }
  }

  /// Links an object with another one.
  ///
  /// A to-one relationship leads there and nowhere else afterwards, and so does the other end when
  /// it is to-one; in an order, the link is the last. Linking again what is linked changes nothing.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty`, `unsupported` for a relationship that the
  ///   store does not keep, `rowGone` when there is no object with the key, `validation` when it is
  ///   of another entity than the relationship leads to, or when a third object would have nothing
  ///   for a relationship that is required.
  public func link(_ row: MigrationRow, _ relationship: String, to key: Int64) throws {
    let end = try RelationshipEnd(relationship, of: row.shape.entity, mapping)
    let own = LinkedRow(row.shape.mapping, row.key)
    let other = try linked(end, to: key)
    switch end.place {
    case .ownKey: try tie(own, end, to: other)
    case .otherKey(let inverse): try tie(other, inverse, to: own)
    case .join(let join, let mirrors): try tie(own, join, to: other, mirrors: mirrors)
    }
  }

  /// Takes the link between two objects away, when there is one.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty`, `unsupported` for a relationship that the
  ///   store does not keep, `validation` when an end is required.
  public func unlink(_ row: MigrationRow, _ relationship: String, from key: Int64) throws {
    let end = try RelationshipEnd(relationship, of: row.shape.entity, mapping)
    switch end.place {
    case .ownKey:
      try clear(end, leadingTo: key, where: .key(row.key))
      if let inverse = end.oneToOne { try clear(inverse, leadingTo: row.key, where: .key(key)) }
    case .otherKey(let inverse): try clear(inverse, leadingTo: row.key, where: .key(key))
    case .join(let join, let mirrors):
      try editor.run(join.unlink, [.integer(row.key), .integer(key)])
      if mirrors { try editor.run(join.unlink, [.integer(key), .integer(row.key)]) }
    }
  }

  /// The cells of a new row for a to-one relationship whose key the row has.
  func cells(
    of end: RelationshipEnd, to key: Int64
  ) throws -> [(column: String, value: SQLValue)] {
    guard let columns = end.columns else { return [] }
    let other = try linked(end, to: key)
    var cells = [(columns.key, SQLValue.integer(key))]
    if let entity = columns.entity { cells.append((entity, .integer(other.mapping.number))) }
    if let position = columns.position {
      cells.append((position, .integer(try next(position, columns.key, end.table, key))))
    }
    return cells
  }

  /// The object that a link is to lead to.
  private func linked(_ end: RelationshipEnd, to key: Int64) throws -> LinkedRow {
    let root = mapping.entities[end.destination.root]
    let type = root.typeColumn.map(quoted) ?? "\(root.number)"
    let found = try editor.rows(
      "SELECT \(type) FROM \(quoted(root.table)) WHERE \(quoted(root.keyColumn)) = ?",
      [.integer(key)]
    ).first?.first
    guard let found, case .integer(let number) = found else {
      throw PersistenceError(
        .rowGone,
        "\(end.name) cannot lead to the key \(key): there is no \(end.destination.name) with it")
    }
    let entity = mapping.entities.first { $0.root == end.destination.root && $0.number == number }
    guard let entity, end.destination.subtree.contains(entity.entity) else {
      let name = entity.map { mapping.model.entities[$0.entity].name } ?? "nothing known"
      throw PersistenceError(
        .validation,
        "\(end.name) leads to \(end.destination.name), and the object with the key \(key) is \(name)"
      )
    }
    return LinkedRow(entity, key)
  }

  private func next(_ position: String, _ key: String, _ table: String, _ owner: Int64) throws
    -> Int64
  {
    let sql = ChangeGenerator(mapping.dialect)
      .lastPosition(in: table, position: position, of: key)
    let last = try editor.rows(sql, [.integer(owner)])
    if case .integer(let position)? = last.first?.first { return nextPosition(behind: position) }
    return nextPosition(behind: nil)
  }
}

// MARK: - Keys

extension MigrationRows {
  private func tie(_ row: LinkedRow, _ end: RelationshipEnd, to other: LinkedRow) throws {
    guard let columns = end.columns else { return }
    let now = try editor.rows(
      "SELECT 1 FROM \(quoted(end.table)) WHERE \(quoted(end.keyColumn)) = ? "
        + "AND \(quoted(columns.key)) = ?", [.integer(row.key), .integer(other.key)])
    if let inverse = end.oneToOne {
      try clear(inverse, leadingTo: row.key, where: .not(other.key))
      try clear(end, leadingTo: other.key, where: .not(row.key))
      if now.isEmpty { try write(other, inverse, to: row) }
    }
    if now.isEmpty { try write(row, end, to: other) }
  }

  /// Ties the other end of a one-to-one relationship of a new row.
  func tieInverse(of end: RelationshipEnd, _ row: LinkedRow, to key: Int64) throws {
    guard let inverse = end.oneToOne else { return }
    try clear(end, leadingTo: key, where: .not(row.key))
    try write(try linked(end, to: key), inverse, to: row)
  }

  private func write(_ row: LinkedRow, _ end: RelationshipEnd, to other: LinkedRow) throws {
    let cells = try cells(of: end, to: other.key)
    let version = quoted(row.mapping.versionColumn)
    let assignments = cells.map { "\(quoted($0.column)) = ?" } + ["\(version) = \(version) + 1"]
    try editor.run(
      "UPDATE \(quoted(end.table)) SET \(assignments.joined(separator: ", ")) "
        + "WHERE \(quoted(end.keyColumn)) = ?", cells.map(\.value) + [.integer(row.key)])
  }

  /// Which rows lose a link.
  private enum Rows {
    case key(Int64)
    case not(Int64)
  }

  /// Clears the keys that lead to an object, of one row or of all others.
  private func clear(_ end: RelationshipEnd, leadingTo key: Int64, where rows: Rows) throws {
    guard let columns = end.columns else { return }
    let (term, value) =
      switch rows {
      case .key(let key): ("=", key)
      case .not(let key): ("<>", key)
      }
    let condition =
      " WHERE \(quoted(columns.key)) = ? AND \(quoted(end.keyColumn)) \(term) ?"
    let values: [SQLValue] = [.integer(key), .integer(value)]
    if end.isRequired {
      let found = try editor.rows(
        "SELECT \(quoted(end.keyColumn)) FROM \(quoted(end.table))\(condition)", values)
      guard case .integer(let row)? = found.first?.first else { return }
      throw PersistenceError(
        .validation,
        "\(end.name) of the object with the key \(row) is required and would lead nowhere; link it "
          + "with another object, or delete it")
    }
    let cleared = [columns.key, columns.entity, columns.position].compactMap(\.self)
    let version = quoted(mapping.entities[end.entity].versionColumn)
    let assignments = cleared.map { "\(quoted($0)) = NULL" } + ["\(version) = \(version) + 1"]
    try editor.run(
      "UPDATE \(quoted(end.table)) SET \(assignments.joined(separator: ", "))\(condition)", values)
  }
}

// MARK: - Links in a table of their own

extension MigrationRows {
  private func tie(
    _ row: LinkedRow, _ join: JoinRows, to other: LinkedRow, mirrors: Bool
  ) throws {
    try insert(row.key, other.key, join)
    if mirrors, row.key != other.key { try insert(other.key, row.key, join) }
  }

  private func insert(_ own: Int64, _ other: Int64, _ join: JoinRows) throws {
    var cells: [SQLValue] = [.integer(own), .integer(other)]
    if let position = join.end.positionColumn {
      cells.append(.integer(try next(position, join.end.column, join.end.table, own)))
    }
    if let position = join.otherPosition {
      cells.append(.integer(try next(position, join.end.otherColumn, join.end.table, other)))
    }
    try editor.run(join.link, cells)
  }
}

/// An object at an end of a link.
struct LinkedRow {
  let mapping: EntityMapping
  let key: Int64

  init(_ mapping: EntityMapping, _ key: Int64) { (self.mapping, self.key) = (mapping, key) }
}

/// A table of links, seen from one end.
struct JoinRows {
  let end: JoinMapping.End

  /// The column of this object's position in the order of the other one.
  let otherPosition: String?

  private var columns: [String] {
    [end.column, end.otherColumn] + [end.positionColumn, otherPosition].compactMap(\.self)
  }

  /// Adds a link: this object, the other one, then the positions.
  var link: String {
    "INSERT INTO \(quoted(end.table)) (\(columns.map { quoted($0) }.joined(separator: ", "))) VALUES "
      + "(\(columns.map { _ in "?" }.joined(separator: ", "))) ON CONFLICT DO NOTHING"
  }

  /// Removes a link: this object, the other one.
  var unlink: String {
    "DELETE FROM \(quoted(end.table)) WHERE \(quoted(end.column)) = ? "
      + "AND \(quoted(end.otherColumn)) = ?"
  }
}

/// One end of a relationship, with the columns that keep its links.
struct RelationshipEnd {
  /// Where the links are.
  indirect enum Place {
    /// In a key of the object's own row.
    case ownKey
    /// In a key of the rows at the other end.
    case otherKey(RelationshipEnd)
    /// In rows of their own, one for each direction where the relationship is its own inverse.
    case join(JoinRows, mirrors: Bool)
  }

  /// The columns of a key: its own, that of the entity at the other end, that of the position in
  /// the other end's order.
  struct Columns {
    let key: String
    let entity: String?
    let position: String?
  }

  /// 'Entity.property', for messages.
  let name: String
  /// The entity that has the relationship, and the one that it leads to.
  let entity: Int
  let destination: CompiledEntity
  let isRequired: Bool
  let table: String
  let keyColumn: String
  /// The columns of the own key, where there is one.
  let columns: Columns?
  let place: Place

  private let relationship: CompiledRelationship
  private let mapping: StoreMapping

  init(
    _ name: String, of entity: CompiledEntity, _ mapping: StoreMapping
  ) throws(PersistenceError) {
    let property = try entity.requireProperty(named: name)
    guard let relationship = property.relationship else {
      throw PersistenceError(
        .unknownProperty, "'\(entity.name).\(name)' is an attribute and has no links")
    }
    try self.init(relationship, property, of: entity, mapping, isInverse: false)
  }

  private init(
    _ relationship: CompiledRelationship, _ property: CompiledProperty, of entity: CompiledEntity,
    _ mapping: StoreMapping, isInverse: Bool
  ) throws(PersistenceError) {
    self.relationship = relationship
    self.mapping = mapping
    name = "'\(entity.name).\(property.name)'"
    self.entity = entity.index
    destination = mapping.model.entities[relationship.destination]
    isRequired = !relationship.mayBeEmpty
    let own = mapping.entities[entity.index]
    (table, keyColumn) = (own.table, own.keyColumn)
    columns = own.column(.key, ofProperty: property.index).map { key in
      func name(_ role: MappedColumn.Role) -> String? {
        own.column(role, ofProperty: property.index).map { own.columns[$0].name }
      }
      return Columns(
        key: own.columns[key].name, entity: name(.entity), position: name(.position))
    }
    if columns != nil {
      place = .ownKey
    } else if let join = mapping.join(of: relationship) {
      place = .join(
        JoinRows(end: join, otherPosition: Self.otherPosition(relationship, mapping)),
        mirrors: mapping.model.inverse(of: relationship)?.id == relationship.id)
    } else if !isInverse, let inverse = mapping.model.inverse(of: property) {
      let end = try Self.inverse(relationship, inverse, mapping)
      guard end.columns != nil else { throw Self.notKept(entity, property) }
      place = .otherKey(end)
    } else {
      throw Self.notKept(entity, property)
    }
  }

  private static func inverse(
    _ relationship: CompiledRelationship, _ inverse: CompiledProperty, _ mapping: StoreMapping
  ) throws(PersistenceError) -> RelationshipEnd {
    let destination = mapping.model.entities[relationship.destination]
    guard let other = inverse.relationship else { throw notKept(destination, inverse) }
    return try RelationshipEnd(other, inverse, of: destination, mapping, isInverse: true)
  }

  private static func notKept(
    _ entity: CompiledEntity, _ property: CompiledProperty
  ) -> PersistenceError {
    PersistenceError(
      .unsupported, "'\(entity.name).\(property.name)' is transient: the store keeps no links of it"
    )
  }

  private static func otherPosition(
    _ relationship: CompiledRelationship, _ mapping: StoreMapping
  ) -> String? {
    if let join = mapping.joins[relationship.id] { return join.ownerPositionColumn }
    return mapping.model.inverse(of: relationship).flatMap {
      mapping.joins[$0.id]?.memberPositionColumn
    }
  }

  /// The other end, where both lead to one object at most.
  var oneToOne: RelationshipEnd? {
    guard relationship.isOneToOne,
      let inverse = mapping.model.inverse(
        of: mapping.model.entities[relationship.entity].properties[relationship.property])
    else { return nil }
    return try? Self.inverse(relationship, inverse, mapping)
  }

  /// The statement that reads where an object's links lead, in their order.
  var keys: String {
    switch place {
    case .ownKey:
      let key = quoted(columns?.key ?? "")
      return "SELECT \(key) FROM \(quoted(table)) WHERE \(quoted(keyColumn)) = ? "
        + "AND \(key) IS NOT NULL"
    case .otherKey(let end):
      let position = end.columns?.position.map { "\(quoted($0)) NULLS LAST, " } ?? ""
      return "SELECT \(quoted(end.keyColumn)) FROM \(quoted(end.table)) "
        + "WHERE \(quoted(end.columns?.key ?? "")) = ? ORDER BY \(position)\(quoted(end.keyColumn))"
    case .join(let join, _):
      let position = join.end.positionColumn.map { "\(quoted($0)) NULLS LAST, " } ?? ""
      return "SELECT \(quoted(join.end.otherColumn)) FROM \(quoted(join.end.table)) "
        + "WHERE \(quoted(join.end.column)) = ? ORDER BY \(position)\(quoted(join.end.otherColumn))"
    }
  }
}
