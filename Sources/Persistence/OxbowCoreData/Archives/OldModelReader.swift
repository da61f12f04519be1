internal import OxbowDocuments

/// Writes the document of a model of Xcode before version 4 (`XDPMModel`, in the file `elements`).
///
/// What is true of an entity or a property is in its stereotypes: named lists of named values.
struct OldModelReader {
  var output = ContentsWriter()
  private let model: ArchivedObject

  init(_ model: ArchivedObject) { self.model = model }

  mutating func write() throws(DocumentError) {
    try output.startModel(identifier: try model.text("_modelVersionIdentifier"))
    guard let package = try model["_xd_rootPackage"] else {
      throw model.error("it has no entities")
    }
    for (name, element) in try package.bucket("Classes") {
      guard try element.className == "XDPMEntity" else {
        noteUnread("'\(name)'", element)
        continue
      }
      try write(element, try element.text("_name") ?? name)
    }
    for (name, _) in try model.pairs("_configurationsByName") {
      output.note("the configuration '\(name)' is not read", at: model.location)
    }
    output.end()
  }

  private mutating func noteUnread(_ subject: String, _ object: ArchivedObject) {
    let name = (try? object.className) ?? nil
    output.note(
      "\(subject) is not read: it is an object of class '\(name ?? "none")'", at: object.location)
  }

  private mutating func write(_ entity: ArchivedObject, _ name: String) throws(DocumentError) {
    let facts = try OldFacts(entity)
    let parents = try entity.members("XDBucketForGeneralizationsstorage")
    try output.start(
      "entity",
      [
        "name": name, "representedClassName": try facts.text("XD_PSK_entityClassName"),
        "parentEntity": try parents.first?["_general"]?.text("_name"),
        "isAbstract": try facts.flag("XD_PSK_isAbstract").flag,
        "elementID": try facts.text("XD_PSK_elementID"),
        "versionHashModifier": try facts.text("XD_PSK_versionHashModifier"), "syncable": "YES",
      ])
    for (key, property) in try entity.bucket("OwnedAttributes") {
      try writeProperty(property, try property.text("_name") ?? key, of: name)
    }
    try writeLists(facts, "entity '\(name)'")
    output.end()
  }

  private mutating func writeProperty(
    _ property: ArchivedObject, _ name: String, of entity: String
  ) throws(DocumentError) {
    switch try property.className {
    case "XDPMAttribute":
      try writeAttribute(property, name, "attribute '\(name)' of entity '\(entity)'")
    case "XDPMRelationship":
      try writeRelationship(property, name, "relationship '\(name)' of entity '\(entity)'")
    default: noteUnread("property '\(name)' of entity '\(entity)'", property)
    }
  }

  private mutating func writeAttribute(
    _ attribute: ArchivedObject, _ name: String, _ subject: String
  ) throws(DocumentError) {
    let facts = try OldFacts(attribute)
    let number = try facts["XD_PAttK_attributeType"]?.integer ?? 0
    let type = CoreDataNumbers.types[number]
    if type == nil, number != 0 {
      throw attribute.error("\(subject) has the unknown type \(number)")
    }
    try output.start(
      "attribute",
      [
        "name": name, "optional": try facts.flag("XD_PPSK_isOptional").flag,
        "transient": try facts.flag("XD_PPSK_isTransient").flag, "attributeType": type,
        "defaultValueString": try facts.text("XD_PAttK_defaultValueAsString"),
        "minValueString": try facts.text("XD_PAttK_minValueString"),
        "maxValueString": try facts.text("XD_PAttK_maxValueString"),
        "regularExpressionString": try facts.text("XD_PAttK_regularExpressionString"),
        "valueTransformerName": try facts.text("XD_PAttK_valueTransformerName"),
        "allowsExternalBinaryDataStorage":
          try facts.flag("XD_PAttK_allowsExternalBinaryDataStorage").flag,
        "storedInTruthFile": try facts.flag("XD_PPSK_isStoredInTruthFile").flag,
        "spotlightIndexingEnabled": try facts.flag("XD_PPSK_isSpotlightIndexed").flag,
        "indexed": try facts.flag("XD_PPSK_isIndexed").flag,
        "elementID": try facts.text("XD_PPSK_elementID"),
        "versionHashModifier": try facts.text("XD_PPSK_versionHashModifier"),
      ])
    try writeUserInfo(facts, "XD_PPSK_userInfo", subject)
    output.end()
  }

  private mutating func writeRelationship(
    _ relationship: ArchivedObject, _ name: String, _ subject: String
  ) throws(DocumentError) {
    let facts = try OldFacts(relationship)
    let rule = try facts["XD_PRK_deleteRule"]?.integer ?? 1
    guard let ruleName = CoreDataNumbers.deleteRules[rule] else {
      throw relationship.error("\(subject) has the unknown delete rule \(rule)")
    }
    let destination = try facts["XD_PRK_destination"]?.text("_name")
    let inverse = try facts["XD_PRK_inverseRelationship"]
    try output.start(
      "relationship",
      [
        "name": name, "optional": try facts.flag("XD_PPSK_isOptional").flag,
        "transient": try facts.flag("XD_PPSK_isTransient").flag,
        "toMany": try facts.flag("XD_PRK_isToMany").flag,
        "minCount": try facts.positive("XD_PRK_minCount"),
        "maxCount": try facts.positive("XD_PRK_maxCount"),
        "ordered": try facts.flag("XD_PRK_ordered").flag, "deletionRule": ruleName,
        "destinationEntity": destination, "inverseName": try inverse?.text("_name"),
        "inverseEntity": try inverse?["_owner"]?.text("_name"),
        "elementID": try facts.text("XD_PPSK_elementID"),
        "versionHashModifier": try facts.text("XD_PPSK_versionHashModifier"),
      ])
    try writeUserInfo(facts, "XD_PPSK_userInfo", subject)
    output.end()
  }

  // MARK: - Lists

  private mutating func writeLists(_ facts: OldFacts, _ subject: String) throws(DocumentError) {
    for key in ["XDPMCompoundIndexes", "XDPMUniquenessConstraints", "XD_PSK_fetchRequestsArray"] {
      guard let list = try facts[key], try list.members?.isEmpty == false else { continue }
      output.note("\(subject) has '\(key)', which is not read", at: list.location)
    }
    try writeUserInfo(facts, "XD_PSK_userInfo", subject)
  }

  private mutating func writeUserInfo(
    _ facts: OldFacts, _ key: String, _ subject: String
  ) throws(DocumentError) {
    var pairs: [(key: String, value: String)] = []
    for (key, value) in try facts.pairs(key) {
      // Sync Services no longer exist, as documents' "syncable" says too.
      if key.hasPrefix("com.apple.syncservices.") { continue }
      guard let text = value.text else {
        output.note("\(subject) has the user info '\(key)', which is not text", at: value.location)
        continue
      }
      pairs.append((key, text))
    }
    try output.userInfo(pairs)
  }
}

/// The values of all stereotypes of an entity or a property, by key.
private struct OldFacts {
  private var properties: [String: ArchivedObject] = [:]

  init(_ owner: ArchivedObject) throws(DocumentError) {
    for (_, stereotype) in try owner.bucket("Stereotypes") {
      for (key, property) in try stereotype.bucket("OwnedAttributes") {
        properties[key] = property
      }
    }
  }

  subscript(key: String) -> ArchivedObject? {
    get throws(DocumentError) { try properties[key]?["_default"] }
  }

  func text(_ key: String) throws(DocumentError) -> String? { try self[key]?.text }
  func flag(_ key: String) throws(DocumentError) -> Bool { try self[key]?.isTrue ?? false }

  func positive(_ key: String) throws(DocumentError) -> String? {
    guard let count = try self[key]?.integer, count > 0 else { return nil }
    return "\(count)"
  }

  func pairs(_ key: String) throws(DocumentError) -> [(key: String, value: ArchivedObject)] {
    try properties[key]?.pairs("_default") ?? []
  }
}

extension ArchivedObject {
  /// The parts of a kind, by name.
  fileprivate func bucket(
    _ kind: String
  ) throws(DocumentError) -> [(key: String, value: ArchivedObject)] {
    try pairs("XDBucketFor\(kind)storage")
  }
}
