/// What is written about a model.
enum ModelElementStyle {
  /// What the model says and nothing else.
  case plain
  /// As Xcode writes it, with what Xcode repeats.
  case xcode
}

extension ModelElement {
  /// The `model` element of a model: entities and properties in the order of their names.
  init(_ model: ManagedObjectModel, style: ModelElementStyle = .plain) {
    self.init("model")
    self["type"] = "com.apple.IDECoreDataModeler.DataModel"
    self["documentVersion"] = "1.0"
    self["userDefinedModelVersionIdentifier"] = model.versionIdentifiers.min()
    children =
      model.entities.map { ModelElement($0, style) } + Self.composites(of: model)
      + model.configurations.sorted { $0.key < $1.key }.map(Self.configuration)
      + model.fetchRequestTemplates.map { template in
        Self.request(
          template.name, template.entityName, template.predicate, template.limit,
          template.includesSubentities)
      }
    guard style == .xcode else { return }
    addInverseEntities(of: model)
  }

  /// The composite types that attributes have, in the order of their names.
  private static func composites(of model: ManagedObjectModel) -> [ModelElement] {
    var types: [String: [AttributeDescription]] = [:]
    func collect(_ attributes: [AttributeDescription]) {
      for attribute in attributes {
        guard let name = attribute.compositeName, types[name] == nil else { continue }
        types[name] = attribute.elements
        collect(attribute.elements)
      }
    }
    for entity in model.entities { collect(entity.attributes) }
    return types.sorted { $0.key < $1.key }.map { name, parts in
      var element = ModelElement("composite")
      element["name"] = name
      element.children = parts.sorted(by: \.name).map(ModelElement.init)
      return element
    }
  }

  private static func configuration(_ name: String, _ entities: [String]) -> ModelElement {
    var element = ModelElement("configuration")
    element["name"] = name
    element.children = entities.map { entity in
      var member = ModelElement("memberEntity")
      member["name"] = entity
      return member
    }
    return element
  }

  private static func request(
    _ name: String, _ entity: String, _ predicate: FetchPredicate?, _ limit: Int?,
    _ includesSubentities: Bool
  ) -> ModelElement {
    var element = ModelElement("fetchRequest")
    element["name"] = name
    element["entity"] = entity
    element["predicateString"] = predicate?.description
    element["fetchLimit"] = limit.map(String.init)
    if !includesSubentities { element["includeSubentities"] = "NO" }
    return element
  }

  private init(_ property: FetchedPropertyDescription) {
    self.init("fetchedProperty")
    self["name"] = property.name
    add("optional", property.isOptional)
    children = [
      Self.request(
        "fetchedPropertyFetchRequest", property.destination, property.predicate, property.limit,
        true)
    ]
    add(property.userInfo)
  }

  private init(_ entity: EntityDescription, _ style: ModelElementStyle) {
    self.init("entity")
    self["name"] = entity.name
    self["representedClassName"] = entity.className
    self["parentEntity"] = entity.parent
    add("isAbstract", entity.isAbstract)
    self["elementID"] = entity.renamingIdentifier
    self["versionHashModifier"] = entity.versionHashModifier
    children =
      entity.attributes.sorted(by: \.name).map(ModelElement.init)
      + entity.relationships.sorted(by: \.name).map { ModelElement($0, style) }
      + entity.fetchedProperties.sorted(by: \.name).map(ModelElement.init)
      + entity.fetchIndexes.map(ModelElement.init)
    addConstraints(entity.uniquenessConstraints)
    add(entity.userInfo)
  }

  private init(_ attribute: AttributeDescription) {
    self.init("attribute")
    self["name"] = attribute.name
    add("optional", attribute.isOptional)
    add("transient", attribute.isTransient)
    self["attributeType"] = attribute.type.rawValue
    self["composite"] = attribute.compositeName
    self["elementID"] = attribute.renamingIdentifier
    self["versionHashModifier"] = attribute.versionHashModifier
    let end = attribute.type == .date ? "DateTimeInterval" : "ValueString"
    self["default" + end] = attribute.defaultValue?.documentText
    let rules = attribute.rules
    self["min" + end] = rules.minimum?.documentText ?? rules.minimumLength.map(String.init)
    self["max" + end] = rules.maximum?.documentText ?? rules.maximumLength.map(String.init)
    self["regularExpressionString"] = rules.pattern
    add("allowsExternalBinaryDataStorage", attribute.allowsExternalStorage)
    add("preserveAfterDeletion", attribute.preservesValueInHistoryOnDeletion)
    add("derived", attribute.derivation != nil)
    self["derivationExpression"] = attribute.derivation
    add(attribute.writtenUserInfo)
  }

  private init(_ relationship: RelationshipDescription, _ style: ModelElementStyle) {
    self.init("relationship")
    self["name"] = relationship.name
    add("optional", relationship.isOptional)
    add("transient", relationship.isTransient)
    add("toMany", relationship.isToMany)
    add("ordered", relationship.isOrdered)
    if relationship.minimumCount > 0 { self["minCount"] = "\(relationship.minimumCount)" }
    if relationship.maximumCount > 0 { self["maxCount"] = "\(relationship.maximumCount)" }
    if style == .xcode, !relationship.isToMany { self["maxCount"] = "1" }
    self["deletionRule"] = relationship.deleteRule.rawValue
    self["destinationEntity"] = relationship.destination
    self["inverseName"] = relationship.inverse
    self["inverseEntity"] = relationship.inverse.map { _ in relationship.destination }
    self["elementID"] = relationship.renamingIdentifier
    self["versionHashModifier"] = relationship.versionHashModifier
    add(relationship.userInfo)
  }

  private init(_ index: FetchIndexDescription) {
    self.init("fetchIndex")
    self["name"] = index.name
    children = index.elements.map { part in
      var element = ModelElement("fetchIndexElement")
      element["property"] = part.property
      element["type"] = "Binary"
      element["order"] = part.isAscending ? "ascending" : "descending"
      return element
    }
  }
}

// MARK: - Lists

extension ModelElement {
  private mutating func addConstraints(_ constraints: [[String]]) {
    guard !constraints.isEmpty else { return }
    var list = ModelElement("uniquenessConstraints")
    list.children = constraints.map { names in
      var constraint = ModelElement("uniquenessConstraint")
      constraint.children = names.map { name in
        var element = ModelElement("constraint")
        element["value"] = name
        return element
      }
      return constraint
    }
    children.append(list)
  }

  private mutating func add(_ userInfo: [String: String]) {
    guard !userInfo.isEmpty else { return }
    var list = ModelElement("userInfo")
    list.children = userInfo.sorted { $0.key < $1.key }.map { key, value in
      var entry = ModelElement("entry")
      entry["key"] = key
      entry["value"] = value
      return entry
    }
    children.append(list)
  }

  /// Names the entity that declares an inverse, which may be one that the destination inherits
  /// from.
  private mutating func addInverseEntities(of model: ManagedObjectModel) {
    let entities = Dictionary(model.entities.map { ($0.name, $0) }) { first, _ in first }
    func declaring(_ inverse: String, from name: String) -> String? {
      var seen: Set<String> = []
      var next = entities[name]
      while let entity = next, seen.insert(entity.name).inserted {
        if entity.relationships.contains(where: { $0.name == inverse }) { return entity.name }
        next = entity.parent.flatMap { entities[$0] }
      }
      return nil
    }
    for entity in children.indices {
      for index in children[entity].children.indices {
        let element = children[entity].children[index]
        guard let inverse = element["inverseName"], let destination = element["inverseEntity"],
          let owner = declaring(inverse, from: destination)
        else { continue }
        children[entity].children[index]["inverseEntity"] = owner
      }
    }
  }
}
