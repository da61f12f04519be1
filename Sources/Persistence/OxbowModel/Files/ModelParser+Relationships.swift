internal import OxbowDocuments

extension ModelParser {
  private static let relationshipAttributes: Set<String> = [
    "name", "deletionRule", "destinationEntity", "inverseName", "inverseEntity", "optional",
    "toMany", "maxCount", "syncable", "ordered", "minCount", "transient", "elementID",
    "renamingIdentifier", "versionHashModifier", "indexed",
  ]

  mutating func relationship(
    _ element: XMLElement, of entity: String
  ) -> RelationshipDescription? {
    noteUnknownAttributes(of: element, known: Self.relationshipAttributes)
    let name = name(of: element)
    guard let destination = text("destinationEntity", of: element) else {
      problem(
        "relationship '\(name)' of entity '\(entity)' has no destination (\"destinationEntity\")",
        at: element.location)
      return nil
    }
    let isToMany = flag("toMany", of: element)
    let minimum = count("minCount", of: element) ?? 0
    // Models made in code have -1 for no limit, which Core Data's version hash has too.
    let isUnlimited = element.value("maxCount") == "-1"
    let maximum = isUnlimited ? 0 : count("maxCount", of: element) ?? 0
    // Counts and order of a to-one relationship say nothing that "optional" does not.
    var relationship = RelationshipDescription(
      name, to: destination, inverse: text("inverseName", of: element), isToMany: isToMany,
      isOrdered: isToMany && flag("ordered", of: element),
      isOptional: flag("optional", of: element), deleteRule: deleteRule(of: element),
      minimumCount: isToMany ? minimum : 0, maximumCount: isToMany ? maximum : 0,
      renamingIdentifier: renamingIdentifier(of: element),
      versionHashModifier: text("versionHashModifier", of: element),
      userInfo: userInfo(of: element), location: element.location)
    if flag("transient", of: element) {
      relationship.isTransient = true
      note(
        "relationship '\(name)' of entity '\(entity)' is transient and not used: no store keeps it, "
          + "and objects do not have it", at: element)
    }
    for child in element.children where child.name != "userInfo" {
      noteUnknownElement(child, among: ["userInfo"])
    }
    return relationship
  }

  private mutating func deleteRule(of element: XMLElement) -> DeleteRule {
    guard let attribute = element.attribute("deletionRule") else { return .nullify }
    if let rule = DeleteRule(rawValue: attribute.value) { return rule }
    problem(
      "the delete rule \"\(attribute.value)\" is not known", at: attribute.location,
      near: attribute.value, among: DeleteRule.allCases.map(\.rawValue))
    return .nullify
  }
}
