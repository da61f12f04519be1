package import OxbowModel

/// One end of a relationship, and where the store keeps its links.
package struct RelationshipEnd {
  package enum Place {
    /// In a key of the object's own row.
    case ownKey(LinkKey)
    /// In a key of the rows at the other end.
    case otherKey(LinkKey)
    /// In rows of their own.
    case join(JoinRows)
  }

  /// 'Entity.property', for messages.
  package let name: String
  package let destination: CompiledEntity
  package let place: Place

  /// - Throws: `PersistenceError`: `unknownProperty`, or `unsupported` for a relationship that the
  ///   store does not keep.
  package init(
    _ name: String, of entity: CompiledEntity, _ mapping: StoreMapping
  ) throws(PersistenceError) {
    let property = try entity.requireProperty(named: name)
    guard let relationship = property.relationship else {
      throw PersistenceError(
        .unknownProperty, "'\(entity.name).\(name)' is an attribute and has no links")
    }
    self.name = "'\(entity.name).\(name)'"
    let destination = mapping.model.entities[relationship.destination]
    self.destination = destination
    let inverse = mapping.model.inverse(of: property)
    if let key = LinkKey(property, of: entity, mapping) {
      place = .ownKey(key)
    } else if let join = JoinRows(relationship, mapping) {
      place = .join(join)
    } else if let inverse, let key = LinkKey(inverse, of: destination, mapping) {
      place = .otherKey(key)
    } else {
      let name = inverse.map { "'\(destination.name).\($0.name)'" } ?? self.name
      throw PersistenceError(
        .unsupported, "\(name) is transient: the store keeps no links of it")
    }
  }

  /// The statement that reads where an object's links lead, in their order.
  package var keys: String {
    switch place {
    case .ownKey(let key): key.target
    case .otherKey(let key): key.sources
    case .join(let join): join.targets
    }
  }
}

/// A key in the rows of an entity, with the columns beside it.
package struct LinkKey {
  /// 'Entity.property', for messages.
  package let name: String
  package let destination: CompiledEntity
  package let isRequired: Bool

  /// The rows that have the key.
  package let rows: EntityMapping
  package let column: String

  /// The column of the other object's entity, and that of the place in its order.
  package let entityColumn: String?
  package let positionColumn: String?

  private let relationship: CompiledRelationship
  private let mapping: StoreMapping

  /// Creates the key of a property; `nil` where its entity's rows have none.
  init?(_ property: CompiledProperty, of entity: CompiledEntity, _ mapping: StoreMapping) {
    let rows = mapping.entities[entity.index]
    func name(_ role: MappedColumn.Role) -> String? {
      rows.column(role, ofProperty: property.index).map { rows.columns[$0].name }
    }
    guard let relationship = property.relationship, let column = name(.key) else { return nil }
    self.name = "'\(entity.name).\(property.name)'"
    destination = mapping.model.entities[relationship.destination]
    isRequired = !relationship.mayBeEmpty
    (self.rows, self.column) = (rows, column)
    (entityColumn, positionColumn) = (name(.entity), name(.position))
    (self.relationship, self.mapping) = (relationship, mapping)
  }

  /// The key at the other end, where both lead to one object at most.
  package var oneToOne: LinkKey? {
    let property = mapping.model.property(relationship.id)
    guard relationship.isOneToOne, let inverse = mapping.model.inverse(of: property) else {
      return nil
    }
    return LinkKey(inverse, of: destination, mapping)
  }
}

// MARK: - Statements

extension LinkKey {
  private var table: String { quoted(rows.table) }
  private var key: String { quoted(rows.keyColumn) }

  fileprivate var target: String {
    "SELECT \(quoted(column)) FROM \(table) WHERE \(key) = ? AND \(quoted(column)) IS NOT NULL"
  }

  fileprivate var sources: String {
    "SELECT \(key) FROM \(table) WHERE \(quoted(column)) = ? "
      + "ORDER BY \(order(positionColumn, key))"
  }

  /// Finds a row that leads to an object: the row's key, then the object's.
  package var leads: String {
    "SELECT 1 FROM \(table) WHERE \(key) = ? AND \(quoted(column)) = ?"
  }

  /// Finds the rows that ``clear(exceptOne:)`` would clear.
  package func leading(exceptOne: Bool) -> String {
    "SELECT \(key) FROM \(table)" + condition(exceptOne)
  }

  /// Clears the key of one row, or of all rows but one, that lead to an object: the object's key,
  /// then the row's.
  package func clear(exceptOne: Bool) -> String {
    let columns = [column, entityColumn, positionColumn].compactMap(\.self)
    return rows.assign(columns.map { "\(quoted($0)) = NULL" }) + condition(exceptOne)
  }

  private func condition(_ exceptOne: Bool) -> String {
    " WHERE \(quoted(column)) = ? AND \(key) \(exceptOne ? "<>" : "=") ?"
  }
}

private func order(_ position: String?, _ key: String) -> String {
  (position.map { "\(quoted($0)) NULLS LAST, " } ?? "") + key
}

/// A table of links, seen from one end.
package struct JoinRows {
  package let end: JoinMapping.End

  /// The column of this object's position in the order of the other one.
  package let otherPosition: String?

  /// Whether each link has a row in either direction: the relationship is its own inverse.
  package let mirrors: Bool

  fileprivate init?(_ relationship: CompiledRelationship, _ mapping: StoreMapping) {
    guard let end = mapping.join(of: relationship) else { return nil }
    let inverse = mapping.model.inverse(of: relationship)
    self.end = end
    otherPosition =
      mapping.joins[relationship.id].map(\.ownerPositionColumn)
      ?? inverse.flatMap { mapping.joins[$0.id]?.memberPositionColumn }
    mirrors = inverse?.id == relationship.id
  }

  fileprivate var targets: String {
    "SELECT \(quoted(end.otherColumn)) FROM \(quoted(end.table)) WHERE \(quoted(end.column)) = ? "
      + "ORDER BY \(order(end.positionColumn, quoted(end.otherColumn)))"
  }

  /// Adds a link unless it is there: this object, the other one, then the positions.
  package var link: String {
    let columns =
      [end.column, end.otherColumn] + [end.positionColumn, otherPosition].compactMap(\.self)
    return
      "INSERT INTO \(quoted(end.table)) (\(columns.map(quoted).joined(separator: ", "))) VALUES "
      + "(\(columns.map { _ in "?" }.joined(separator: ", "))) ON CONFLICT DO NOTHING"
  }

  /// Removes a link: this object, the other one.
  package var unlink: String {
    "DELETE FROM \(quoted(end.table)) WHERE \(quoted(end.column)) = ? "
      + "AND \(quoted(end.otherColumn)) = ?"
  }
}
