internal import OxbowDocuments

// Indexes, constraints, user info, requests, and what is not known.

extension CompiledModelReader {
  mutating func writeIndexes(of entity: ArchivedObject, _ name: String) throws(DocumentError) {
    // Some stores list an index twice.
    var written: Set<String> = []
    for index in try entity.members("NSFetchIndexDescriptions")
    where written.insert(try index.text("NSIndexName") ?? "").inserted {
      try writeIndex(index, of: name)
    }
    try output.lists(
      "compoundIndexes", of: "compoundIndex", "index", try names(entity, "NSCompoundIndexes"))
    try output.lists(
      "uniquenessConstraints", of: "uniquenessConstraint", "constraint",
      try names(entity, "NSUniqueTuples"))
  }

  /// Lists of properties, by name or as descriptions.
  private func names(
    _ entity: ArchivedObject, _ key: String
  ) throws(DocumentError) -> [[String]] {
    try entity.members(key).map { (list) throws(DocumentError) in
      let members = try list.members
      return try (members ?? [list]).map { (member) throws(DocumentError) in
        guard let name = try member.text(orOf: "NSPropertyName") else {
          throw member.error("\(key) has something that is not a property")
        }
        return name
      }
    }
  }

  private mutating func writeIndex(
    _ index: ArchivedObject, of entity: String
  ) throws(DocumentError) {
    let name = try index.text("NSIndexName") ?? ""
    let subject = "fetch index '\(name)' of entity '\(entity)'"
    guard try index["NSPartialIndexPredicate"] == nil else {
      return output.note(
        "\(subject) is not used: it is for the objects of a condition only", at: index.location)
    }
    let elements = try index.members("NSIndexElements")
    let properties = try elements.map { (element) throws(DocumentError) in
      try element.text("NSPropertyName")
    }.compactMap { $0 }
    guard properties.count == elements.count else {
      return output.note(
        "\(subject) is not used: it covers more than values of properties", at: index.location)
    }
    try output.start("fetchIndex", ["name": name])
    for (element, property) in zip(elements, properties) {
      let isBinary = try element.integer("NSFetchIndexElementType") ?? 0 == 0
      let isAscending = try element["NSAscending"]?.isTrue ?? true
      try output.empty(
        "fetchIndexElement",
        [
          "property": property, "type": isBinary ? "Binary" : "RTree",
          "order": isAscending ? "ascending" : "descending",
        ])
    }
    output.end()
  }

  /// The free pairs of an entity or a property; a value that is not text is a note.
  mutating func userInfo(
    of object: ArchivedObject, _ subject: String
  ) throws(DocumentError) -> [(key: String, value: String)] {
    var pairs: [(key: String, value: String)] = []
    for (key, value) in try object.pairs("NSUserInfo") {
      guard let text = try value.documentText(type: 0) else {
        output.note("\(subject) has the user info '\(key)', which is not text", at: value.location)
        continue
      }
      pairs.append((key, text))
    }
    return pairs
  }

  mutating func writeFetchedProperty(
    _ property: ArchivedObject, _ name: String, _ subject: String
  ) throws(DocumentError) {
    noteUnknown(property, subject)
    guard let request = try property["NSFetchRequest"] else {
      return output.note("\(subject) is not used: it has no fetch request", at: property.location)
    }
    guard let condition = try condition(of: request, subject) else { return }
    try output.start(
      "fetchedProperty", ["name": name, "optional": try property.flag("NSIsOptional").flag])
    let entity = try property.text("_NSFetchRequestEntityName")
    try write(request, "fetchedPropertyFetchRequest", condition, entity)
    try output.userInfo(try userInfo(of: property, subject))
    output.end()
  }

  mutating func writeTemplate(_ request: ArchivedObject, _ name: String) throws(DocumentError) {
    let subject = "fetch request template '\(name)'"
    guard let condition = try condition(of: request, subject) else { return }
    try write(request, name, condition, nil)
  }

  /// The condition of a request; empty for all objects, and `nil` for one that has no text.
  private mutating func condition(
    of request: ArchivedObject, _ subject: String
  ) throws(DocumentError) -> String? {
    noteUnknown(request, subject)
    guard let predicate = try request["NSPredicate"] else { return "" }
    if let text = try ArchivedPredicate.text(predicate) { return text }
    output.note("\(subject) is not used: its condition is not known", at: predicate.location)
    return nil
  }

  private mutating func write(
    _ request: ArchivedObject, _ name: String, _ condition: String, _ entity: String?
  ) throws(DocumentError) {
    // The bits of NSFetchRequest's header: 1 distinct, 2 subentities, 4 values, 8 faults,
    // 16 pending.
    let hasFlags = try request.flag("NSHasFetchRequestFlags")
    let flags = hasFlags ? try request.integer("NSFetchRequestFlags") ?? 30 : 30
    let kind = try request.integer("NSResultType") ?? 0
    let own = try request["NSEntity"]?.text("NSEntityName")
    try output.empty(
      "fetchRequest",
      [
        "name": name, "entity": own ?? entity,
        "predicateString": condition.isEmpty ? nil : condition,
        "resultType": kind == 0 ? nil : "\(kind)",
        "fetchLimit": try request.positive("NSFetchLimit"),
        "fetchBatchSize": try request.positive("NSBatchSize"),
        "includeSubentities": flags & 2 == 0 ? "NO" : nil,
        "includePropertyValues": flags & 4 == 0 ? "NO" : nil,
        "returnObjectsAsFaults": flags & 8 == 0 ? "NO" : nil,
        "includesPendingChanges": flags & 16 == 0 ? "NO" : nil,
        "returnDistinctResults": flags & 1 == 1 ? "YES" : nil,
      ])
  }

  // MARK: - What is not known

  /// Notes the keys of an object that have a value and that this reader does not read.
  mutating func noteUnknown(_ object: ArchivedObject, _ subject: String) {
    for key in object.keys.sorted() where !Self.known.contains(key) {
      guard let value = try? object[key], !(value.value.isEmptyOrFalse) else { continue }
      output.note("\(subject) has '\(key)', which is not used", at: value.location)
    }
  }

  private static let known: Set<String> = [
    "$class", "CDMCompilerToolVersion", "CDMCompilerXcodeVersion", "NSConfigurations",
    "NSEntities", "NSFetchRequestTemplates", "NSVersionIdentifiers",
    // Entities
    "NSClassNameForEntity", "NSCompoundIndexes", "NSEntityName", "NSFetchIndexDescriptions",
    "NSIsAbstract", "NSManagedObjectModel", "NSProperties", "NSRenamingIdentifier",
    "NSSubentities", "NSSuperentity", "NSUniqueTuples", "NSUserInfo", "NSVersionHashModifier",
    // Properties
    "NSAttributeType", "NSAttributeValueClassName", "NSDefaultValue", "NSEntity", "NSFlagsKey",
    "NSIsIndexed", "NSIsOptional", "NSIsReadOnly", "NSIsTransient", "NSPropertyName",
    "NSValidationPredicates", "NSValidationWarnings", "NSValueTransformerName", "_P",
    "NSDerivationExpression", "NSDeleteRule", "NSDestinationEntity", "NSInverseRelationship",
    "NSIsOrdered", "NSMaxCount", "NSMinCount", "_NSDestinationEntityName",
    "_NSInverseRelationshipName", "NSFetchRequest", "_NSFetchRequestEntityName",
    // Requests
    "NSAllocationType", "NSBatchSize", "NSFetchLimit", "NSFetchRequestFlags",
    "NSHasFetchRequestFlags", "NSPredicate", "NSResultType",
  ]
}

extension ArchivedObject {
  /// A count above 0, as documents have it.
  fileprivate func positive(_ key: String) throws(DocumentError) -> String? {
    guard let count = try integer(key), count > 0 else { return nil }
    return "\(count)"
  }
}

extension PropertyListValue {
  /// Whether a key with this value says what one that is left out says.
  fileprivate var isEmptyOrFalse: Bool {
    switch content {
    case .null, .boolean(false), .scalar(.integer(0)): true
    case .dictionary: entry("NS.objects").map(\.value.isEmptyOrFalse) ?? false
    case .array(let values): values.isEmpty
    default: false
    }
  }
}
