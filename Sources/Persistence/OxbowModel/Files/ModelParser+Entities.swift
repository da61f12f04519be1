internal import OxbowDocuments

extension ModelParser {
  private static let entityAttributes: Set<String> = [
    "name", "representedClassName", "parentEntity", "isAbstract", "elementID",
    "renamingIdentifier", "versionHashModifier", "syncable", "codeGenerationType",
  ]

  private static let entityElements = [
    "attribute", "relationship", "fetchedProperty", "userInfo", "uniquenessConstraints",
    "compoundIndexes", "fetchIndex",
  ]

  mutating func entity(_ element: XMLElement) -> EntityDescription {
    noteUnknownAttributes(of: element, known: Self.entityAttributes)
    let name = name(of: element)
    let isAbstract = flag("isAbstract", of: element)
    var entity = EntityDescription(
      name, className: className(of: element), parent: text("parentEntity", of: element),
      isAbstract: isAbstract, renamingIdentifier: renamingIdentifier(of: element),
      versionHashModifier: text("versionHashModifier", of: element),
      userInfo: userInfo(of: element), location: element.location)
    for child in element.children { read(child, into: &entity) }
    addOldIndexes(of: element, to: &entity)
    refuseRepeated(
      entity.attributes.map { ($0.name, $0.location) }
        + entity.relationships.map { ($0.name, $0.location) }, "property", in: "entity '\(name)'")
    return entity
  }

  private mutating func read(_ element: XMLElement, into entity: inout EntityDescription) {
    switch element.name {
    case "attribute":
      entity.attributes.append(attribute(element, of: entity.name))
    case "relationship":
      if let relationship = relationship(element, of: entity.name) {
        entity.relationships.append(relationship)
      }
    case "fetchedProperty":
      if let property = fetchedProperty(element, of: entity.name) {
        entity.fetchedProperties.append(property)
      }
    case "uniquenessConstraints":
      entity.uniquenessConstraints += constraints(element)
    case "fetchIndex":
      if let index = fetchIndex(element, of: entity.name) { entity.fetchIndexes.append(index) }
    case "userInfo", "compoundIndexes":
      break
    default:
      noteUnknownElement(element, among: Self.entityElements)
    }
  }

  /// The class name without the leading point, which means the product's own module.
  private func className(of element: XMLElement) -> String? {
    guard let name = text("representedClassName", of: element), name != "NSManagedObject" else {
      return nil
    }
    return name.hasPrefix(".") ? String(name.dropFirst()) : name
  }

  /// The name before: Xcode writes `elementID`, some documents by hand `renamingIdentifier`.
  func renamingIdentifier(of element: XMLElement) -> String? {
    text("elementID", of: element) ?? text("renamingIdentifier", of: element)
  }

  private mutating func constraints(_ element: XMLElement) -> [[String]] {
    var result: [[String]] = []
    for constraint in element.children {
      guard constraint.name == "uniquenessConstraint" else {
        noteUnknownElement(constraint, among: ["uniquenessConstraint"])
        continue
      }
      result.append(constraint.children.compactMap { $0.attribute("value")?.value })
    }
    return result
  }

  private mutating func fetchIndex(
    _ element: XMLElement, of entity: String
  ) -> FetchIndexDescription? {
    let name = name(of: element)
    noteUnknownAttributes(of: element, known: ["name"])
    var elements: [FetchIndexDescription.Element] = []
    for part in element.children {
      let typeName = part.attribute("type")?.value ?? "Binary"
      guard part.name == "fetchIndexElement", let property = part.attribute("property")?.value,
        let type = FetchIndexDescription.ElementType(rawValue: typeName)
      else {
        note(
          "fetch index '\(name)' of entity '\(entity)' is not used: it covers more than values of"
            + " properties", at: part)
        return nil
      }
      let isAscending = part.attribute("order")?.value.lowercased() != "descending"
      elements.append(.init(property, isAscending: isAscending, type: type))
    }
    return FetchIndexDescription(name, elements: elements)
  }

  /// Indexes as Xcode before version 9 wrote them: compound ones, and a flag on an attribute.
  private mutating func addOldIndexes(
    of element: XMLElement, to entity: inout EntityDescription
  ) {
    var lists: [[String]] = []
    for child in element.children {
      switch child.name {
      case "compoundIndexes":
        for index in child.children {
          lists.append(index.children.compactMap { $0.attribute("value")?.value })
        }
      case "attribute":
        if flag("indexed", of: child), let name = text("name", of: child) { lists.append([name]) }
      default:
        break
      }
    }
    for properties in lists where !properties.isEmpty {
      let name = properties.joined(separator: "_")
      guard !entity.fetchIndexes.contains(where: { $0.name == name }) else { continue }
      entity.fetchIndexes.append(
        FetchIndexDescription(name, elements: properties.map { .init($0) }))
    }
  }
}
