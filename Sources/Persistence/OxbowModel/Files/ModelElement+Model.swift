/// What is written about a model.
enum ModelElementStyle {
  /// What the model says and nothing else.
  case plain
  /// As Xcode writes it, with what Xcode repeats.
  case xcode
}

extension ModelElement {
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
      ModelElement("composite", ["name": name], parts.sorted(by: \.name).map(ModelElement.init))
    }
  }

  private static func configuration(_ name: String, _ entities: [String]) -> ModelElement {
    ModelElement(
      "configuration", ["name": name], entities.map { ModelElement("memberEntity", ["name": $0]) })
  }

  private static func request(
    _ name: String, _ entity: String, _ predicate: FetchPredicate?, _ limit: Int?,
    _ includesSubentities: Bool
  ) -> ModelElement {
    ModelElement(
      "fetchRequest",
      [
        "name": name, "entity": entity, "predicateString": predicate?.description,
        "fetchLimit": limit.map(String.init),
        "includeSubentities": includesSubentities ? nil : "NO",
      ])
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
    self.init(
      "fetchIndex", ["name": index.name],
      index.elements.map { part in
        ModelElement(
          "fetchIndexElement",
          [
            "property": part.property, "type": part.type.rawValue,
            "order": part.isAscending ? "ascending" : "descending",
          ])
      })
  }
}

// MARK: - Lists

extension ModelElement {
  private mutating func addConstraints(_ constraints: [[String]]) {
    guard !constraints.isEmpty else { return }
    let constraints = constraints.map { names in
      ModelElement(
        "uniquenessConstraint", [:], names.map { ModelElement("constraint", ["value": $0]) })
    }
    children.append(ModelElement("uniquenessConstraints", [:], constraints))
  }

  private mutating func add(_ userInfo: [String: String]) {
    guard !userInfo.isEmpty else { return }
    let entries = userInfo.sorted { $0.key < $1.key }.map { key, value in
      ModelElement("entry", ["key": key, "value": value])
    }
    children.append(ModelElement("userInfo", [:], entries))
  }

  /// Names the entity that declares an inverse, perhaps an ancestor of the destination.
  private mutating func addInverseEntities(of model: ManagedObjectModel) {
    let entities = model.entities.byName
    func declaring(_ inverse: String, from name: String) -> String? {
      entities[name].flatMap { start in
        entities.line(from: start).first { entity in
          entity.relationships.contains { $0.name == inverse }
        }
      }?.name
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
