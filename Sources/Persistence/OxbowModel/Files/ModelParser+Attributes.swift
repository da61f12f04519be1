internal import OxbowDocuments

extension ModelParser {
  private static let attributeAttributes: Set<String> = [
    "name", "attributeType", "optional", "syncable", "usesScalarValueType", "defaultValueString",
    "indexed", "transient", "valueTransformerName", "customClassName", "versionHashModifier",
    "elementID", "renamingIdentifier", "allowsExternalBinaryDataStorage", "minValueString",
    "maxValueString", "defaultDateTimeInterval", "minDateTimeInterval", "maxDateTimeInterval",
    "composite", "derived", "derivationExpression", "regularExpressionString",
    "preserveAfterDeletion", "storedInTruthFile", "spotlightIndexingEnabled",
    "allowsCloudEncryption",
  ]

  /// What a flag asks for, in words that end "attribute 'x' of entity 'Y' …".
  private static let unusedFlags = [
    ("spotlightIndexingEnabled", "is not indexed by Spotlight"),
    ("storedInTruthFile", "is not written to Spotlight's external records"),
    ("allowsCloudEncryption", "is not encrypted for CloudKit"),
  ]

  private static let (maximumDepth, maximumParts) = (64, 65_536)

  mutating func attribute(_ element: XMLElement, of entity: String) -> AttributeDescription {
    noteUnknownAttributes(of: element, known: Self.attributeAttributes)
    let name = name(of: element)
    let type = attributeType(of: element)
    var attribute = AttributeDescription(
      name, type, isOptional: flag("optional", of: element),
      isTransient: flag("transient", of: element),
      defaultValue: defaultValue(of: element, as: type),
      renamingIdentifier: renamingIdentifier(of: element),
      versionHashModifier: text("versionHashModifier", of: element),
      rules: rules(of: element, as: type), userInfo: userInfo(of: element),
      location: element.location)
    if flag("derived", of: element) {
      attribute.derivation = text("derivationExpression", of: element) ?? ""
    }
    attribute.isScalar = text("usesScalarValueType", of: element) == "YES"
    attribute.preservesValueInHistoryOnDeletion = flag("preserveAfterDeletion", of: element)
    readExternalStorage(into: &attribute, element)
    attribute.takeWrittenBytes()
    attribute.takeWrittenSearch()
    if type == .composite { readParts(into: &attribute, element) }
    noteUnused(element, attribute, "attribute '\(name)' of entity '\(entity)'")
    return attribute
  }

  /// Xcode leaves the flag behind when the type changes.
  private mutating func readExternalStorage(
    into attribute: inout AttributeDescription, _ element: XMLElement
  ) {
    guard flag("allowsExternalBinaryDataStorage", of: element) else { return }
    guard !attribute.isTransient, attribute.type.canBeExternal else {
      let reason =
        attribute.isTransient
        ? "a transient attribute is in no store" : "type \(attribute.type.rawValue) is kept in rows"
      return note("\"allowsExternalBinaryDataStorage\" is not used: \(reason)", at: element)
    }
    attribute.allowsExternalStorage = true
  }

  /// Reads the parts of a composite attribute from its type.
  private mutating func readParts(
    into attribute: inout AttributeDescription, _ element: XMLElement
  ) {
    guard let reference = element.attribute("composite"), !reference.value.isEmpty else { return }
    let name = reference.value
    attribute.compositeName = name
    guard let type = composites[name] else {
      return problem(
        "the composite type '\(name)' is not in this document", at: reference.location, near: name,
        among: Array(composites.keys))
    }
    guard !openComposites.contains(name) else {
      let path = (openComposites.drop { $0 != name } + [name]).map { "'\($0)'" }
      return problem(
        "the composite type '\(name)' contains itself: \(path.joined(separator: " → "))",
        at: reference.location)
    }
    guard openComposites.count < Self.maximumDepth else {
      return problem(
        "the composite type '\(name)' is within \(Self.maximumDepth) others already; nest fewer types",
        at: reference.location)
    }
    openComposites.append(name)
    defer { openComposites.removeLast() }
    for part in type.children where part.name == "attribute" {
      compositeParts += 1
      guard compositeParts <= Self.maximumParts else {
        // Said once: all that is open ends here.
        guard compositeParts == Self.maximumParts + 1 else { return }
        return problem(
          "the composite attributes of this document have more than \(Self.maximumParts) parts; use "
            + "'\(name)' in fewer places", at: reference.location)
      }
      attribute.elements.append(self.attribute(part, of: name))
    }
  }

  private mutating func attributeType(of element: XMLElement) -> AttributeType {
    guard let attribute = element.attribute("attributeType") else { return .undefined }
    if let type = AttributeType(rawValue: attribute.value) { return type }
    problem(
      "the attribute type \"\(attribute.value)\" is not known", at: attribute.location,
      near: attribute.value, among: AttributeType.allCases.map(\.rawValue))
    return .undefined
  }

  private mutating func noteUnused(
    _ element: XMLElement, _ attribute: AttributeDescription, _ subject: String
  ) {
    for (name, consequence) in Self.unusedFlags where flag(name, of: element) {
      note("\(subject) \(consequence)", at: element)
    }
    if !attribute.isTransient, attribute.type.storage == nil, attribute.type != .undefined,
      attribute.elements.isEmpty
    {
      note("\(subject) is \(attribute.type.rawValue): \(Self.unopened)", at: element)
    }
    for child in element.children where child.name != "userInfo" {
      noteUnknownElement(child, among: ["userInfo"])
    }
  }

  static let unopened = "no store can be opened with this model yet"
}

// MARK: - Values

extension ModelParser {
  private mutating func defaultValue(
    of element: XMLElement, as type: AttributeType
  ) -> AttributeValue? {
    value(of: element, text: "defaultValueString", interval: "defaultDateTimeInterval", as: type)
  }

  private mutating func rules(of element: XMLElement, as type: AttributeType) -> AttributeRules {
    switch type {
    case .string:
      return AttributeRules(
        minimumLength: count("minValueString", of: element),
        maximumLength: count("maxValueString", of: element),
        pattern: text("regularExpressionString", of: element))
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .date:
      return AttributeRules(
        minimum: value(
          of: element, text: "minValueString", interval: "minDateTimeInterval", as: type),
        maximum: value(
          of: element, text: "maxValueString", interval: "maxDateTimeInterval", as: type))
    default:
      for name in ["minValueString", "maxValueString"] {
        guard let attribute = element.attribute(name) else { continue }
        note("\"\(name)\" is not used: type \(type.rawValue) has no order", at: attribute)
      }
      return AttributeRules()
    }
  }

  private mutating func value(
    of element: XMLElement, text: String, interval: String, as type: AttributeType
  ) -> AttributeValue? {
    // The text beside a date's interval is for people.
    let name = type == .date ? interval : text
    guard let attribute = element.attribute(name) else { return nil }
    if attribute.value.isEmpty && type != .string { return nil }
    guard type.storage != nil, type != .binaryData, type != .transformable else {
      note("\"\(name)\" is not used: type \(type.rawValue) has no values as text", at: attribute)
      return nil
    }
    guard let value = AttributeValue(text: attribute.value, type: type) else {
      if type == .uuid {
        // Xcode accepts anything here, and Core Data has no such default.
        note("\"\(attribute.value)\" of \"\(name)\" is not a UUID and is not used", at: attribute)
        return nil
      }
      misfit(
        "\"\(attribute.value)\" of \"\(name)\" is not a value of type \(type.rawValue)",
        at: attribute)
      return nil
    }
    return value
  }
}
