package import OxbowDocuments

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writes a model as Xcode's model document.
///
/// Reading the result back gives an equal model: entities and properties are sorted by name, and
/// what a model does not keep (positions in the diagram, tool versions) is not written.
package enum ModelWriter {
  /// Returns the text of a `contents` file.
  ///
  /// - Throws: `DocumentError` for a character that no XML document can contain.
  package static func document(_ model: ManagedObjectModel) throws(DocumentError) -> String {
    var writer = XMLWriter()
    try write(model, to: &writer)
    return writer.document()
  }

  /// Returns the text of a `contents` file, for a store to keep.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidModel` when the model cannot be written.
  package static func text(_ model: ManagedObjectModel) throws(PersistenceError) -> String {
    do throws(DocumentError) {
      return try document(model)
    } catch {
      throw PersistenceError(.invalidModel, "the model cannot be written: \(error.message)")
    }
  }

  /// Writes the `model` element.
  package static func write(
    _ model: ManagedObjectModel, to writer: inout XMLWriter
  ) throws(DocumentError) {
    var pairs = [
      (name: "type", value: "com.apple.IDECoreDataModeler.DataModel"),
      (name: "documentVersion", value: "1.0"),
    ]
    if let identifier = model.versionIdentifiers.sorted().first {
      pairs.append(("userDefinedModelVersionIdentifier", identifier))
    }
    try writer.start("model", pairs: pairs)
    for entity in model.entities { try write(entity, to: &writer) }
    writer.end()
  }

  private static func write(
    _ entity: EntityDescription, to writer: inout XMLWriter
  ) throws(DocumentError) {
    var pairs = Pairs(name: entity.name)
    pairs.add("representedClassName", entity.className)
    pairs.add("parentEntity", entity.parent)
    pairs.add("isAbstract", entity.isAbstract)
    pairs.add("elementID", entity.renamingIdentifier)
    pairs.add("versionHashModifier", entity.versionHashModifier)
    try writer.start("entity", pairs: pairs.all)
    for attribute in entity.attributes.sorted(by: \.name) {
      try write("attribute", attributes(for: attribute), attribute.userInfo, to: &writer)
    }
    for relationship in entity.relationships.sorted(by: \.name) {
      try write("relationship", attributes(for: relationship), relationship.userInfo, to: &writer)
    }
    for index in entity.fetchIndexes { try write(index, to: &writer) }
    try write(constraints: entity.uniquenessConstraints, to: &writer)
    try write(entity.userInfo, to: &writer)
    writer.end()
  }

  private static func write(
    _ element: String, _ pairs: Pairs, _ userInfo: [String: String], to writer: inout XMLWriter
  ) throws(DocumentError) {
    guard !userInfo.isEmpty else { return try writer.empty(element, pairs: pairs.all) }
    try writer.start(element, pairs: pairs.all)
    try write(userInfo, to: &writer)
    writer.end()
  }

  private static func write(
    _ userInfo: [String: String], to writer: inout XMLWriter
  ) throws(DocumentError) {
    guard !userInfo.isEmpty else { return }
    try writer.start("userInfo")
    for (key, value) in userInfo.sorted(by: { $0.key < $1.key }) {
      try writer.empty("entry", ["key": key, "value": value])
    }
    writer.end()
  }
}

// MARK: - Properties

extension ModelWriter {
  private static func attributes(for attribute: AttributeDescription) -> Pairs {
    var pairs = Pairs(name: attribute.name)
    pairs.add("optional", attribute.isOptional)
    pairs.add("transient", attribute.isTransient)
    pairs.add("attributeType", attribute.type.rawValue)
    pairs.add("elementID", attribute.renamingIdentifier)
    pairs.add("versionHashModifier", attribute.versionHashModifier)
    let isDate = attribute.type == .date
    pairs.add(
      isDate ? "defaultDateTimeInterval" : "defaultValueString",
      attribute.defaultValue?.documentText)
    let rules = attribute.rules
    let minimum = rules.minimum?.documentText ?? rules.minimumLength.map(String.init)
    let maximum = rules.maximum?.documentText ?? rules.maximumLength.map(String.init)
    pairs.add(isDate ? "minDateTimeInterval" : "minValueString", minimum)
    pairs.add(isDate ? "maxDateTimeInterval" : "maxValueString", maximum)
    pairs.add("derived", attribute.derivation != nil)
    pairs.add("derivationExpression", attribute.derivation)
    return pairs
  }

  private static func attributes(for relationship: RelationshipDescription) -> Pairs {
    var pairs = Pairs(name: relationship.name)
    pairs.add("optional", relationship.isOptional)
    pairs.add("transient", relationship.isTransient)
    pairs.add("toMany", relationship.isToMany)
    pairs.add("ordered", relationship.isOrdered)
    if relationship.minimumCount > 0 { pairs.add("minCount", "\(relationship.minimumCount)") }
    if relationship.maximumCount > 0 { pairs.add("maxCount", "\(relationship.maximumCount)") }
    pairs.add("deletionRule", relationship.deleteRule.rawValue)
    pairs.add("destinationEntity", relationship.destination)
    pairs.add("inverseName", relationship.inverse)
    pairs.add("inverseEntity", relationship.inverse.map { _ in relationship.destination })
    pairs.add("elementID", relationship.renamingIdentifier)
    pairs.add("versionHashModifier", relationship.versionHashModifier)
    return pairs
  }

  private static func write(
    _ index: FetchIndexDescription, to writer: inout XMLWriter
  ) throws(DocumentError) {
    try writer.start("fetchIndex", ["name": index.name])
    for element in index.elements {
      try writer.empty(
        "fetchIndexElement",
        [
          "property": element.property, "type": "Binary",
          "order": element.isAscending ? "ascending" : "descending",
        ])
    }
    writer.end()
  }

  private static func write(
    constraints: [[String]], to writer: inout XMLWriter
  ) throws(DocumentError) {
    guard !constraints.isEmpty else { return }
    try writer.start("uniquenessConstraints")
    for constraint in constraints {
      try writer.start("uniquenessConstraint")
      for name in constraint { try writer.empty("constraint", ["value": name]) }
      writer.end()
    }
    writer.end()
  }
}

/// The attributes of one element; what is absent or not so is left out.
private struct Pairs {
  var all: [(name: String, value: String)]

  init(name: String) { all = [("name", name)] }

  mutating func add(_ name: String, _ value: String?) {
    if let value { all.append((name, value)) }
  }

  mutating func add(_ name: String, _ flag: Bool) {
    if flag { all.append((name, "YES")) }
  }
}

extension AttributeValue {
  /// The value as model documents write it; `nil` for bytes, which they cannot.
  package var documentText: String? {
    switch self {
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .boolean(let truth): truth ? "YES" : "NO"
    case .string(let text): text
    case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
    case .data: nil
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): url.absoluteString
    case .decimal(let number): "\(number)"
    }
  }
}

extension ModelDocument {
  /// Reads a `model` element inside another document.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidModel`, with every problem of the element.
  package init(element: XMLElement, versionName: String) throws(PersistenceError) {
    try self.init(root: element, file: element.location.file, versionName: versionName)
  }
}
