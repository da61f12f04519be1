internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// Puts the contents of a store of the program's own into an empty database, in one transaction.
///
/// Everything is checked: what a save would refuse is refused when it is loaded too.
struct AtomicFilling {
  private let mapping: StoreMapping
  private let connection: Connection
  private let name: String
  private var problems: AtomicProblems
  private var links: AtomicLinks

  /// The entity of each object.
  private var entities: [ObjectKey: CompiledEntity] = [:]

  init(_ mapping: StoreMapping, _ connection: Connection, _ name: String) {
    (self.mapping, self.connection, self.name) = (mapping, connection, name)
    problems = AtomicProblems(name)
    links = AtomicLinks(mapping.model)
  }

  private var generator: ChangeGenerator { ChangeGenerator(mapping.dialect) }

  /// Writes all contents.
  ///
  /// - Throws: ``PersistenceError`` with `invalidStoredValue` and everything that does not fit the
  ///   model.
  mutating func fill(_ contents: AtomicStoreContents) throws {
    for object in contents.objects { identify(object) }
    for object in contents.objects { check(object) }
    links.complete(entities, &problems)
    for object in contents.objects { checkRequired(object) }
    try problems.throwAll()
    for object in contents.objects { try insert(object) }
    try insertLinks()
    try derive()
    try problems.throwAll()
    try write(contents.metadata)
  }

  // MARK: Checking

  private mutating func identify(_ object: AtomicStoreObject) {
    guard let entity = mapping.model.entity(named: object.id.entity),
      !mapping.entities[entity.index].table.isEmpty
    else {
      let names = mapping.model.entities.filter { !mapping.entities[$0.index].table.isEmpty }
        .map(\.name)
      problems.add(
        "there is an object of '\(object.id.entity)', which is not an entity of the store",
        nearNames: PersistenceError.nearNames(to: object.id.entity, among: names))
      return
    }
    if entity.isAbstract { problems.add(object.id, "'\(entity.name)' is abstract") }
    // The largest number is never a key, so that a range of keys has an end.
    if object.id.key < 1 || object.id.key == .max {
      problems.add(object.id, "its key is out of range")
    }
    if !(RowVersion.first...Int64.max / 2).contains(object.version) {
      problems.add(object.id, "its version is \(object.version), and versions count from 1")
    }
    let key = ObjectKey(root: entity.root, key: object.id.key)
    if let other = entities.updateValue(entity, forKey: key) {
      problems.add(
        object.id, other === entity ? "it is there twice" : "'\(other.name)' has the same key")
    }
  }

  private func entity(of object: AtomicStoreObject) -> CompiledEntity? {
    mapping.model.entity(named: object.id.entity)
  }

  private mutating func check(_ object: AtomicStoreObject) {
    guard let entity = entity(of: object) else { return }
    for (name, value) in object.attributes.sorted(by: { $0.key < $1.key }) {
      guard let property = entity.property(named: name), property.attribute != nil,
        let column = column(of: property, entity)
      else {
        problems.add(object.id, "it has a value for '\(name)', which is not a stored attribute")
        continue
      }
      if column.codec.encode(value).flatMap(column.codec.decode) == nil {
        problems.add(
          object.id, "its '\(name)' is '\(value)', and needs \(column.codec.expectation)")
      }
    }
    for (name, keys) in object.relationships.sorted(by: { $0.key < $1.key }) {
      guard let relationship = entity.property(named: name)?.relationship, isKept(relationship)
      else {
        problems.add(object.id, "it has keys for '\(name)', which is not a stored relationship")
        continue
      }
      check(relationship, keys, object)
      links.add(relationship, of: object.id.key, keys)
    }
  }

  private func column(of property: CompiledProperty, _ entity: CompiledEntity) -> MappedColumn? {
    let mapped = mapping.entities[entity.index]
    return mapped.column(ofProperty: property.index).map { mapped.columns[$0] }
  }

  private func isKept(_ relationship: CompiledRelationship) -> Bool {
    relationship.isToMany
      ? mapping.keeps(relationship)
      : mapping.entities[relationship.entity].column(ofProperty: relationship.property) != nil
  }

  private mutating func check(
    _ relationship: CompiledRelationship, _ keys: [Int64], _ object: AtomicStoreObject
  ) {
    let destination = mapping.model.entities[relationship.destination]
    for key in keys {
      guard let entity = entities[ObjectKey(root: destination.root, key: key)] else {
        // "No action" leaves keys that lead nowhere, on purpose.
        if mapping.model.inverse(of: relationship)?.deleteRule != .noAction {
          problems.add(
            object.id,
            "its '\(relationship.name)' leads to \(destination.name)/p\(key), which is not there")
        }
        continue
      }
      if !entity.isKind(of: destination) {
        problems.add(
          object.id,
          "its '\(relationship.name)' leads to \(entity.name)/p\(key), which is not of "
            + "'\(destination.name)'")
      }
    }
  }

  private mutating func checkRequired(_ object: AtomicStoreObject) {
    guard let entity = entity(of: object) else { return }
    for column in mapping.entities[entity.index].columns where column.isRequired {
      let property = entity.properties[column.property]
      switch column.role {
      case .attribute
      where property.attribute?.derivation == nil && object.attributes[property.name] == nil:
        problems.add(object.id, "it has no value for '\(property.name)', which needs one")
      case .key:
        if let relationship = property.relationship,
          links.keys(relationship, of: object.id.key).isEmpty
        {
          problems.add(object.id, "its '\(property.name)' leads to nothing, and must not")
        }
      default: break
      }
    }
  }

  // MARK: Writing

  private func insert(_ object: AtomicStoreObject) throws {
    guard let entity = entity(of: object) else { return }
    let mapped = mapping.entities[entity.index]
    let values = mapped.columns.map { value(of: $0, object, entity) }
    do {
      try connection.run(generator.insert(mapped), [.integer(object.id.key)] + values)
    } catch let error as SQLiteError where error.code == .constraintUnique {
      throw PersistenceError(
        .invalidStoredValue,
        "the store '\(name)' has loaded \(entity.name)/p\(object.id.key) and another object with the "
          + "same values, which the model wants to be unique; the store was left as it is",
        details: [.init(label: "SQLite", text: error.message)])
    }
    if object.version != RowVersion.first {
      try connection.run(
        generator.setVersion(mapped), [.integer(object.version), .integer(object.id.key)])
    }
  }

  private func value(
    of column: MappedColumn, _ object: AtomicStoreObject, _ entity: CompiledEntity
  ) -> SQLValue {
    let property = entity.properties[column.property]
    if column.role == .attribute {
      return object.attributes[property.name].flatMap(column.codec.encode) ?? .null
    }
    guard let relationship = property.relationship,
      let key = links.keys(relationship, of: object.id.key).first
    else { return .null }
    switch column.role {
    case .attribute, .key: return .integer(key)
    case .entity: return .integer(number(of: relationship, key))
    case .position:
      let inverse = mapping.model.inverse(of: relationship)
      return .integer(links.position(of: object.id.key, inverse, of: key))
    }
  }

  /// The number of the entity of the object that a relationship leads to.
  private func number(of relationship: CompiledRelationship, _ key: Int64) -> Int64 {
    let destination = mapping.model.entities[relationship.destination]
    let entity = entities[ObjectKey(root: destination.root, key: key)]?.index
    return mapping.entities[entity ?? destination.concrete.first ?? destination.index].number
  }

  private func insertLinks() throws {
    for (id, join) in mapping.joins.sorted(by: { $0.value.table < $1.value.table }) {
      guard let relationship = mapping.model.relationship(id) else { continue }
      let inverse = mapping.model.inverse(of: relationship)
      let sql = generator.link(join, moving: [])
      for (owner, members) in links.all(id) {
        for member in members {
          var values: [SQLValue] = [.integer(owner), .integer(member)]
          if join.memberPositionColumn != nil {
            values.append(.integer(links.position(of: member, relationship, of: owner)))
          }
          if join.ownerPositionColumn != nil {
            values.append(.integer(links.position(of: owner, inverse, of: member)))
          }
          try connection.run(sql, values)
        }
      }
    }
  }

  /// Computes the derived attributes that are missing or not what they should be.
  private mutating func derive() throws {
    for fill in DerivationGenerator(mapping: mapping).fills where !fill.table.isEmpty {
      try connection.run(fill.statement)
      if let check = fill.check, let count = try connection.integer(check), count > 0 {
        problems.add("\(fill.subject) cannot be computed for \(count) objects")
      }
    }
  }

  private func write(_ metadata: AtomicStoreMetadata) throws {
    try connection.run(
      MetadataTables.writeFact,
      [
        .text(MetadataTables.Fact.identifier.rawValue), .text(metadata.identifier.uuidString),
      ])
    for (key, value) in metadata.values {
      let stored = try SQLValue(metadatum: value, key)
      try connection.run(MetadataTables.writeFact, [.text(MetadataTables.ownName(key)), stored])
    }
    for root in mapping.roots {
      let last = metadata.lastKeys[mapping.model.entities[root.entity].name] ?? 0
      try connection.run(MetadataTables.reserveKeys, [.integer(last), .integer(root.number)])
    }
  }
}
