extension CompiledModel {
  /// Compiles `model`, with the classes of its entities.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidModel`, `unsupported` (the model declares
  ///   something that no store keeps) or `classMismatch`; all problems of one stage together.
  public convenience init(_ model: ManagedObjectModel, classes: [any ModelObject.Type] = [])
    throws(PersistenceError)
  {
    try model.validate()
    try model.requireStorable()
    var compiler = SchemaCompiler(model: model.flattened)
    try compiler.bind(classes)
    self.init(
      model: model, entities: try compiler.compileEntities(), slotTable: compiler.slotTable)
  }
}

/// Gives entities and properties of a valid model their indices, words and storage.
private struct SchemaCompiler {
  /// The entities by index, their names, and the index of each name.
  let descriptions: [EntityDescription]
  let names: [String]
  let index: [String: Int]

  /// For each entity, the properties that it declares itself.
  let own: [OwnProperties]

  /// How many entities each one and all below it are: they follow one another.
  let counts: [Int]
  var bindings: [Int: any ModelObject.Type] = [:]
  var slotTable = SlotTable(parts: [])

  init(model: ManagedObjectModel) {
    descriptions = Self.parentsFirst(model)
    names = descriptions.map(\.name)
    index = Dictionary(
      names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    own = descriptions.map(OwnProperties.init)
    var counts = descriptions.map { _ in 1 }
    for entity in descriptions.indices.reversed() {
      guard let parent = descriptions[entity].parent, let above = index[parent] else { continue }
      counts[above] += counts[entity]
    }
    self.counts = counts
  }

  /// Entities sorted by their path from the root: parents first, subtrees in one piece.
  static func parentsFirst(_ model: ManagedObjectModel) -> [EntityDescription] {
    let parents = Dictionary(
      model.entities.map { ($0.name, $0.parent) }, uniquingKeysWith: { first, _ in first })
    func path(_ name: String) -> [String] {
      var path = [name]
      while let next = parents[path[0]] ?? nil, path.count <= parents.count {
        path.insert(next, at: 0)
      }
      return path
    }
    return model.entities.map { (path: path($0.name), entity: $0) }
      .sorted { $0.path.lexicographicallyPrecedes($1.path) }
      .map(\.entity)
  }

  mutating func bind(_ classes: [any ModelObject.Type]) throws(PersistenceError) {
    var problems: [PersistenceError] = []
    for type in classes {
      guard let entity = index[type.entityName] else {
        problems.append(
          .unknownEntity(type.entityName, among: names)
            .adding("class", "\(type) is the class of this entity"))
        continue
      }
      if let other = bindings[entity], other != type {
        problems.append(
          PersistenceError(
            .classMismatch,
            "the classes '\(other)' and '\(type)' both claim the entity '\(type.entityName)'; "
              + "pass one of them"))
      }
      bindings[entity] = type
    }
    guard problems.isEmpty else {
      throw .collecting(.classMismatch, "the classes do not fit the model", problems)
    }
  }

  mutating func compileEntities() throws(PersistenceError) -> [CompiledEntity] {
    var entities: [CompiledEntity] = []
    for (index, description) in descriptions.enumerated() {
      let parent = description.parent.flatMap { self.index[$0] }.map { entities[$0] }
      let (properties, slotCount) = compileProperties(of: description, at: index, below: parent)
      let subtree = Array(index..<index + counts[index])
      entities.append(
        CompiledEntity(
          index: index, description: description, parent: parent?.index,
          root: parent?.root ?? index, subtree: subtree,
          concrete: subtree.filter { !descriptions[$0].isAbstract },
          properties: properties, slotCount: slotCount, binding: bindings[index]))
    }
    slotTable = SlotTable(parts: try slotParts(of: entities))
    return entities
  }

  func compileProperties(of entity: EntityDescription, at index: Int, below parent: CompiledEntity?)
    -> ([CompiledProperty], Int)
  {
    var properties = parent?.properties ?? []
    var words = parent?.slotCount ?? 0
    for name in own[index].names {
      var slot = -1
      let kind: CompiledProperty.Kind
      if let attribute = own[index].attributes[name] {
        if !attribute.isTransient && attribute.type.storage != nil {
          slot = words
          words += 1
        }
        kind = .attribute(attribute)
      } else if let relationship = own[index].relationships[name] {
        var entitySlot = -1
        if !relationship.isToMany {
          slot = words
          words += 1
          if isPolymorphic(relationship.destination) {
            entitySlot = words
            words += 1
          }
        }
        kind = .relationship(
          compile(
            relationship, of: entity.name, at: index, property: properties.count,
            entitySlot: entitySlot))
      } else {
        continue
      }
      properties.append(
        CompiledProperty(
          name: name, index: properties.count, declaringEntity: index, slot: slot, kind: kind))
    }
    return (properties, words)
  }

  func isPolymorphic(_ entity: String) -> Bool { index[entity].map { counts[$0] > 1 } ?? false }

  func compile(
    _ relationship: RelationshipDescription, of entity: String, at index: Int, property: Int,
    entitySlot: Int
  ) -> CompiledRelationship {
    let inverse = relationship.inverse.flatMap {
      declaration(of: $0, from: relationship.destination)
    }
    return CompiledRelationship(
      description: relationship, entity: index, property: property,
      destination: self.index[relationship.destination] ?? index,
      inverse: inverse?.property, entitySlot: entitySlot,
      storage: storage(of: relationship, in: entity, inverse: inverse),
      isOneToOne: !relationship.isToMany && inverse?.relationship.isToMany == false)
  }

  func declaration(of name: String, from entity: String)
    -> (entity: String, relationship: RelationshipDescription, property: Int)?
  {
    guard let index = index[entity] else { return nil }
    if let relationship = own[index].relationships[name],
      let position = own[index].positions[name]
    {
      return (entity, relationship, inheritedCount(of: descriptions[index]) + position)
    }
    return descriptions[index].parent.flatMap { declaration(of: name, from: $0) }
  }

  func inheritedCount(of entity: EntityDescription) -> Int {
    guard let parent = entity.parent.flatMap({ index[$0] }) else { return 0 }
    return own[parent].names.count + inheritedCount(of: descriptions[parent])
  }

  func storage(
    of relationship: RelationshipDescription, in entity: String,
    inverse: (entity: String, relationship: RelationshipDescription, property: Int)?
  ) -> RelationshipStorage {
    guard let inverse else { return relationship.isToMany ? .joinRows : .ownKey }
    let isFirst =
      (entity, relationship.name) <= (inverse.entity, inverse.relationship.name)
    switch (relationship.isToMany, inverse.relationship.isToMany) {
    case (false, true): return .ownKey
    case (true, false): return .inverseKey
    case (false, false): return isFirst ? .ownKey : .ownKeyOfInverse
    case (true, true): return isFirst ? .joinRows : .joinRowsOfInverse
    }
  }

  func slotParts(of entities: [CompiledEntity]) throws(PersistenceError)
    -> [[(slot: Int, property: Int)]]
  {
    var problems: [PersistenceError] = []
    var parts: [[(slot: Int, property: Int)]] = []
    for entity in entities {
      guard let type = nearestBinding(of: entity, in: entities) else {
        parts.append(entity.properties.map { ($0.slot, $0.index) })
        continue
      }
      var part: [(slot: Int, property: Int)] = []
      for name in type._propertyNames {
        guard let property = entity.property(named: name) else {
          problems.append(
            .unknownProperty(name, of: entity.name, among: entity.properties.map(\.name))
              .adding("class", "\(type) declares it, the model does not"))
          continue
        }
        part.append((property.slot, property.index))
      }
      problems += mismatches(of: type, with: entity)
      parts.append(part)
    }
    guard problems.isEmpty else {
      throw .collecting(.classMismatch, "the classes do not fit the model", problems)
    }
    return parts
  }

  /// The class of `entity`, or of the nearest entity above it that has one.
  func nearestBinding(of entity: CompiledEntity, in entities: [CompiledEntity])
    -> (any ModelObject.Type)?
  {
    var current: Int? = entity.index
    while let step = current {
      if let type = entities[step].binding { return type }
      current = entities[step].parent
    }
    return nil
  }

  /// Where the class and the model differ in types, which accessors rely on without a check.
  func mismatches(of type: any ModelObject.Type, with entity: CompiledEntity) -> [PersistenceError]
  {
    guard type.entityName == entity.name else { return [] }
    let declared = type.entityDescription
    let attributes = declared.attributes.compactMap { mine -> String? in
      guard let theirs = entity.property(named: mine.name) else { return nil }
      guard let attribute = theirs.attribute else {
        return "'\(mine.name)' is an attribute in the class and a relationship in the model"
      }
      if mine.type != attribute.type {
        return "'\(mine.name)' is \(mine.type.rawValue) in the class and "
          + "\(attribute.type.rawValue) in the model"
      }
      // The parts of a composite attribute say for themselves whether they need a value.
      if !mine.isOptional && attribute.isOptional && mine.type != .composite {
        return "'\(mine.name)' is optional in the model; declare it optional in the class"
      }
      return nil
    }
    let relationships = declared.relationships.compactMap { mine -> String? in
      guard let theirs = entity.property(named: mine.name) else { return nil }
      guard let relationship = theirs.relationship?.description else {
        return "'\(mine.name)' is a relationship in the class and an attribute in the model"
      }
      guard
        mine.destination == relationship.destination && mine.isToMany == relationship.isToMany
      else {
        return "'\(mine.name)' leads to \(mine.isToMany ? "many" : "one") \(mine.destination) in "
          + "the class and to \(relationship.isToMany ? "many" : "one") "
          + "\(relationship.destination) in the model"
      }
      return nil
    }
    return (attributes + relationships).map {
      PersistenceError(
        .classMismatch, "the class '\(type)' and the entity '\(entity.name)' disagree: \($0)",
        at: entity.description.location)
    }
  }
}

private struct OwnProperties {
  let attributes: [String: AttributeDescription]
  let relationships: [String: RelationshipDescription]

  /// Their names, sorted, and the place of each.
  let names: [String]
  let positions: [String: Int]

  init(_ entity: EntityDescription) {
    attributes = Dictionary(entity.attributes.map { ($0.name, $0) }) { first, _ in first }
    relationships = Dictionary(entity.relationships.map { ($0.name, $0) }) { first, _ in first }
    names = (entity.attributes.map(\.name) + entity.relationships.map(\.name)).sorted()
    positions = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
  }
}
