internal import OxbowDocuments

/// Writes the document of a compiled model (`NSManagedObjectModel`).
struct CompiledModelReader {
  var output = ContentsWriter()
  private let model: ArchivedObject

  init(_ model: ArchivedObject) { self.model = model }

  mutating func write() throws(DocumentError) {
    let identifiers = try model.members("NSVersionIdentifiers").compactMap(\.text).sorted()
    try output.startModel(identifier: identifiers.first)
    if identifiers.count > 1 {
      output.note(
        "the model has \(identifiers.count) version identifiers, and a document has one: "
          + "'\(identifiers[0])' is kept", at: model.location)
    }
    noteUnknown(model, "the model")
    for (name, entity) in try model.pairs("NSEntities") { try write(entity, name) }
    for (name, entities) in try model.pairs("NSConfigurations") {
      try writeConfiguration(name, entities)
    }
    for (name, request) in try model.pairs("NSFetchRequestTemplates") {
      try writeTemplate(request, name)
    }
    output.end()
  }

  private mutating func writeConfiguration(
    _ name: String, _ entities: ArchivedObject
  ) throws(DocumentError) {
    // The configuration of all entities, which every model has.
    guard name != "PF_DEFAULT_CONFIGURATION_NAME" else { return }
    let members = try entities.members ?? []
    let names = try members.map { (entity) throws(DocumentError) in
      try entity.text(orOf: "NSEntityName")
    }
    try output.start("configuration", ["name": name])
    for name in names.compactMap({ $0 }).sorted() {
      try output.empty("memberEntity", ["name": name])
    }
    output.end()
  }

  // MARK: - Entities

  private mutating func write(
    _ entity: ArchivedObject, _ key: String
  ) throws(DocumentError) {
    let name = try entity.text("NSEntityName") ?? key
    let parent = try entity["NSSuperentity"]
    noteUnknown(entity, "entity '\(name)'")
    try output.start(
      "entity",
      [
        "name": name, "representedClassName": try entity.text("NSClassNameForEntity"),
        "parentEntity": try parent?.text("NSEntityName"),
        "isAbstract": try entity.flag("NSIsAbstract").flag,
        "elementID": try entity.renamingIdentifier(of: name),
        "versionHashModifier": try entity.text("NSVersionHashModifier"), "syncable": "YES",
      ])
    let inherited = Set(try parent?.pairs("NSProperties").map(\.key) ?? [])
    for (key, property) in try entity.pairs("NSProperties") where !inherited.contains(key) {
      try write(property, key, of: name)
    }
    try writeIndexes(of: entity, name)
    try output.userInfo(try userInfo(of: entity, "entity '\(name)'"))
    output.end()
  }

  private mutating func write(
    _ property: ArchivedObject, _ key: String, of entity: String
  ) throws(DocumentError) {
    let name = try property.text("NSPropertyName") ?? key
    switch try property.className {
    case "NSAttributeDescription", "NSDerivedAttributeDescription",
      "NSCompositeAttributeDescription":
      try writeAttribute(property, name, "attribute '\(name)' of entity '\(entity)'")
    case "NSRelationshipDescription":
      try writeRelationship(property, name, "relationship '\(name)' of entity '\(entity)'")
    case "NSFetchedPropertyDescription":
      try writeFetchedProperty(property, name, "fetched property '\(name)' of entity '\(entity)'")
    case "_NSPropertyDescriptionProxy":
      guard let original = try property["NSUnderlyingProperty"],
        try original.className != "_NSPropertyDescriptionProxy"
      else { throw property.error("property '\(name)' of entity '\(entity)' is missing") }
      try write(original, key, of: entity)
    case let other:
      output.note(
        "property '\(name)' of entity '\(entity)' is not read: it is an object of class "
          + "'\(other ?? "none")'", at: property.location)
    }
  }

  private mutating func writeRelationship(
    _ relationship: ArchivedObject, _ name: String, _ subject: String
  ) throws(DocumentError) {
    noteUnknown(relationship, subject)
    let maximum = try relationship.integer("NSMaxCount") ?? 0
    let minimum = try relationship.integer("NSMinCount") ?? 0
    let rule = try relationship.integer("NSDeleteRule") ?? 1
    guard let ruleName = CoreDataNumbers.deleteRules[rule] else {
      throw relationship.error("\(subject) has the unknown delete rule \(rule)")
    }
    let inverse = try relationship["NSInverseRelationship"]?.original
    let destination = try relationship.text(
      "NSEntityName", of: relationship["NSDestinationEntity"], or: "_NSDestinationEntityName")
    let inverseName = try relationship.text(
      "NSPropertyName", of: inverse, or: "_NSInverseRelationshipName")
    let inverseEntity = try inverse?["NSEntity"]?.text("NSEntityName") ?? destination
    try output.start(
      "relationship",
      [
        "name": name, "optional": try relationship.flag("NSIsOptional").flag,
        "transient": try relationship.flag("NSIsTransient").flag, "toMany": (maximum != 1).flag,
        "minCount": minimum > 0 ? "\(minimum)" : nil,
        "maxCount": maximum != 0 ? "\(maximum)" : nil,
        "ordered": try relationship.flag("NSIsOrdered").flag, "deletionRule": ruleName,
        "destinationEntity": destination, "inverseName": inverseName,
        "inverseEntity": inverseName == nil ? nil : inverseEntity,
        "elementID": try relationship.renamingIdentifier(of: name),
        "versionHashModifier": try relationship.text("NSVersionHashModifier"),
      ])
    try output.userInfo(try userInfo(of: relationship, subject))
    output.end()
  }
}

extension ArchivedObject {
  /// The name before, if it is another one.
  func renamingIdentifier(of name: String) throws(DocumentError) -> String? {
    let identifier = try text("NSRenamingIdentifier")
    return identifier == name ? nil : identifier
  }

  /// The property behind a stand-in.
  var original: ArchivedObject {
    get throws(DocumentError) {
      guard try className == "_NSPropertyDescriptionProxy" else { return self }
      return try self["NSUnderlyingProperty"] ?? self
    }
  }
}
