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
  /// Afterwards a to-one relationship leads there and nowhere else, and so does the other end when
  /// it is to-one; in an order, the link is the last. Linking again what is linked changes nothing.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty`, `unsupported` for a relationship that the
  ///   store does not keep, `rowGone` when there is no object with the key, `validation` when it is
  ///   of another entity than the relationship leads to, or when a third object would have nothing
  ///   for a relationship that is required.
  public func link(_ row: MigrationRow, _ relationship: String, to key: Int64) throws {
    let end = try RelationshipEnd(relationship, of: row.shape.entity, mapping)
    let own: LinkedRow = (row.shape.mapping, row.key)
    let other = try linked(end.name, end.destination, to: key)
    switch end.place {
    case .ownKey(let key): try tie(own, key, to: other)
    case .otherKey(let key): try tie(other, key, to: own)
    case .join(let join):
      try insert(own.key, other.key, join)
      if join.mirrors, own.key != other.key { try insert(other.key, own.key, join) }
    }
  }

  /// Removes the link between two objects, when there is one.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty`, `unsupported` for a relationship that the
  ///   store does not keep, `validation` when an end is required.
  public func unlink(_ row: MigrationRow, _ relationship: String, from key: Int64) throws {
    switch try RelationshipEnd(relationship, of: row.shape.entity, mapping).place {
    case .ownKey(let column):
      try clear(column, leadingTo: key, row.key)
      if let inverse = column.oneToOne { try clear(inverse, leadingTo: row.key, key) }
    case .otherKey(let column): try clear(column, leadingTo: row.key, key)
    case .join(let join):
      try editor.run(join.unlink, [.integer(row.key), .integer(key)])
      if join.mirrors { try editor.run(join.unlink, [.integer(key), .integer(row.key)]) }
    }
  }

  func linked(_ name: String, _ destination: CompiledEntity, to key: Int64) throws -> LinkedRow {
    let root = mapping.entities[destination.root]
    guard let number = try editor.integer(root.readEntity, key) else {
      throw PersistenceError(
        .rowGone, "\(name) cannot lead to the key \(key): there is no \(destination.name) with it")
    }
    let entity = mapping.entities.first { $0.root == destination.root && $0.number == number }
    guard let entity, destination.subtree.contains(entity.entity) else {
      let other = entity.map { mapping.model.entities[$0.entity].name } ?? "nothing known"
      throw PersistenceError(
        .validation,
        "\(name) leads to \(destination.name), and the object with the key \(key) is \(other)")
    }
    return (entity, key)
  }

  private func next(
    _ position: String, _ key: String, _ table: String, _ owner: Int64
  ) throws -> SQLValue {
    let sql = ChangeGenerator(mapping.dialect).lastPosition(in: table, position: position, of: key)
    return .integer(try nextPosition(behind: try editor.integer(sql, owner)))
  }
}

// MARK: - Keys

extension MigrationRows {
  private func tie(_ row: LinkedRow, _ key: LinkKey, to other: LinkedRow) throws {
    let isTied = try editor.integer(key.leads, row.key, other.key) != nil
    if let inverse = key.oneToOne {
      try clear(inverse, leadingTo: row.key, other.key, exceptOne: true)
      try clear(key, leadingTo: other.key, row.key, exceptOne: true)
      if !isTied { try write(other, inverse, to: row) }
    }
    if !isTied { try write(row, key, to: other) }
  }

  /// Ties the other end of a one-to-one relationship of a new row.
  func tieInverse(of key: LinkKey, _ row: LinkedRow, to other: Int64) throws {
    guard let inverse = key.oneToOne else { return }
    try clear(key, leadingTo: other, row.key, exceptOne: true)
    try write(try linked(key.name, key.destination, to: other), inverse, to: row)
  }

  private func write(_ row: LinkedRow, _ key: LinkKey, to other: LinkedRow) throws {
    let cells = try cells(of: key, to: other)
    try editor.run(
      key.rows.change(cells.map(\.column)), cells.map(\.value) + [.integer(row.key)])
  }

  /// The cells of a row whose key leads to an object.
  func cells(
    of key: LinkKey, to other: LinkedRow
  ) throws -> [(column: String, value: SQLValue)] {
    var cells = [(key.column, SQLValue.integer(other.key))]
    if let entity = key.entityColumn { cells.append((entity, .integer(other.mapping.number))) }
    if let position = key.positionColumn {
      cells.append((position, try next(position, key.column, key.rows.table, other.key)))
    }
    return cells
  }

  /// Clears the key of one row, or of all rows but one, that lead to an object.
  private func clear(
    _ key: LinkKey, leadingTo target: Int64, _ row: Int64, exceptOne: Bool = false
  ) throws {
    guard key.isRequired else {
      try editor.run(key.clear(exceptOne: exceptOne), [.integer(target), .integer(row)])
      return
    }
    guard let row = try editor.integer(key.leading(exceptOne: exceptOne), target, row) else {
      return
    }
    throw PersistenceError(
      .validation,
      "\(key.name) of the object with the key \(row) is required and would lead nowhere; link it "
        + "with another object, or delete it")
  }
}

// MARK: - Join tables

extension MigrationRows {
  private func insert(_ own: Int64, _ other: Int64, _ join: JoinRows) throws {
    var cells: [SQLValue] = [.integer(own), .integer(other)]
    if let position = join.end.positionColumn {
      cells.append(try next(position, join.end.column, join.end.table, own))
    }
    if let position = join.otherPosition {
      cells.append(try next(position, join.end.otherColumn, join.end.table, other))
    }
    try editor.run(join.link, cells)
  }
}

/// An object at an end of a link.
typealias LinkedRow = (mapping: EntityMapping, key: Int64)
