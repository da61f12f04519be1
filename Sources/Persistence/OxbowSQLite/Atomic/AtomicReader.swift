internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// Reads objects as a store of the program's own keeps them, in the transaction of a save.
struct AtomicReader {
  let mapping: StoreMapping
  let connection: Connection

  /// Which objects are read.
  enum Scope {
    case all
    /// Those of ``TouchedObjects``.
    case touched
  }

  /// What a transaction has changed.
  func changes(_ metadata: AtomicStoreMetadata) throws -> AtomicStoreChanges {
    let changed = try objects(.touched)
    var gone = try touchedRows()
    for object in changed { gone[key(of: object)] = nil }
    return AtomicStoreChanges(
      metadata: metadata, changed: changed,
      deleted: gone.sorted { ($0.key.root, $0.key.key) < ($1.key.root, $1.key.key) }.map(\.value))
  }

  private func key(of object: AtomicStoreObject) -> ObjectKey {
    ObjectKey(
      root: mapping.model.entity(named: object.id.entity)?.root ?? -1, key: object.id.key)
  }

  private func touchedRows() throws -> [ObjectKey: AtomicStoreObject.ID] {
    let names = Dictionary(
      mapping.entities.filter { !$0.table.isEmpty }.map {
        ($0.number, mapping.model.entities[$0.entity].name)
      }, uniquingKeysWith: { first, _ in first })
    var rows: [ObjectKey: AtomicStoreObject.ID] = [:]
    for row in try connection.rows(TouchedObjects.read) {
      guard case .integer(let root) = row[0], case .integer(let key) = row[1],
        case .integer(let type) = row[2], let name = names[type]
      else { continue }
      rows[ObjectKey(root: Int(root), key: key)] = .init(entity: name, key: key)
    }
    return rows
  }

  /// Returns objects in the order of their hierarchies and keys.
  func objects(_ scope: Scope) throws -> [AtomicStoreObject] {
    var result: [AtomicStoreObject] = []
    for root in mapping.roots {
      let entity = mapping.model.entities[root.entity]
      var objects: [AtomicStoreObject] = []
      for concrete in entity.concrete { objects += try self.objects(of: concrete, scope) }
      if entity.concrete.count > 1 { objects.sort { $0.id.key < $1.id.key } }
      let links = try links(below: root, scope)
      for index in objects.indices {
        guard let found = links[objects[index].id.key] else { continue }
        objects[index].relationships.merge(found) { _, new in new }
      }
      result += objects
    }
    return result
  }

  // MARK: Rows

  private func objects(of index: Int, _ scope: Scope) throws -> [AtomicStoreObject] {
    let (entity, mapped) = (mapping.model.entities[index], mapping.entities[index])
    let columns = mapped.columns.filter { $0.role == .attribute || $0.role == .key }
    let sql = select(mapped, columns, scope)
    var objects: [AtomicStoreObject] = []
    try connection.withStatement(sql) { statement in
      while try statement.step() {
        var object = AtomicStoreObject(
          .init(entity: entity.name, key: statement.integer(at: 0)),
          version: statement.integer(at: 1))
        for (position, column) in columns.enumerated() {
          let name = entity.properties[column.property].name
          let value = statement.value(at: position + 2)
          if column.role == .attribute {
            object.attributes[name] = column.codec.decode(value)
          } else if case .integer(let key) = value {
            object.relationships[name] = [key]
          }
        }
        objects.append(object)
      }
    }
    return objects
  }

  private func select(
    _ entity: EntityMapping, _ columns: [MappedColumn], _ scope: Scope
  ) -> String {
    let names = [entity.keyColumn, entity.versionColumn] + columns.map(\.name)
    var conditions: [String] = []
    if let type = entity.typeColumn { conditions.append("\(quoted(type)) = \(entity.number)") }
    if scope == .touched {
      conditions.append("\(quoted(entity.keyColumn)) IN \(TouchedObjects.keys(of: entity.root))")
    }
    return "SELECT \(names.map(quoted).joined(separator: ", ")) FROM main.\(quoted(entity.table))"
      + (conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))")
      + " ORDER BY \(quoted(entity.keyColumn))"
  }

  // MARK: Links

  /// The keys that to-many relationships lead to, by the key of the object and their names.
  private func links(
    below root: EntityMapping, _ scope: Scope
  ) throws -> [Int64: [String: [Int64]]] {
    var links: [Int64: [String: [Int64]]] = [:]
    for entity in mapping.model.entities[root.entity].subtree.map({ mapping.model.entities[$0] }) {
      for property in entity.relationships where property.declaringEntity == entity.index {
        guard let relationship = property.relationship, relationship.isToMany,
          let end = mapping.end(of: relationship)
        else { continue }
        try connection.withStatement(end.select(root.root, scope)) { statement in
          while try statement.step() {
            links[statement.integer(at: 0), default: [:]][property.name, default: []].append(
              statement.integer(at: 1))
          }
        }
      }
    }
    return links
  }
}

extension JoinMapping.End {
  fileprivate func select(_ root: Int, _ scope: AtomicReader.Scope) -> String {
    let order = [column] + (positionColumn.map { [$0] } ?? []) + [otherColumn]
    var condition = "\(quoted(column)) IS NOT NULL"
    if scope == .touched {
      condition += " AND \(quoted(column)) IN \(TouchedObjects.keys(of: root))"
    }
    return "SELECT \(quoted(column)), \(quoted(otherColumn)) FROM main.\(quoted(table)) "
      + "WHERE \(condition) ORDER BY \(order.map(quoted).joined(separator: ", "))"
  }
}

extension StoreMapping {
  /// The table that has a to-many relationship: of links, or of the objects at the other end.
  fileprivate func end(of relationship: CompiledRelationship) -> JoinMapping.End? {
    if let join = join(of: relationship) { return join }
    guard let inverse = model.inverse(of: relationship) else { return nil }
    let far = entities[inverse.entity]
    guard let column = far.column(ofProperty: inverse.property) else { return nil }
    let position = far.column(.position, ofProperty: inverse.property)
    return JoinMapping(
      table: far.table, ownerColumn: far.columns[column].name, memberColumn: far.keyColumn,
      memberPositionColumn: position.map { far.columns[$0].name }, ownerPositionColumn: nil,
      ownerRoot: model.entities[relationship.entity].root, memberRoot: far.root
    ).fromOwner
  }
}
