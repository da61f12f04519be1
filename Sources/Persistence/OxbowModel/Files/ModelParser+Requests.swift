internal import OxbowDocuments

// Fetch request templates and fetched properties. What a document says of them that Oxbow cannot do
// is a note: the document keeps it.

extension ModelParser {
  private static let requestAttributes: Set<String> = [
    "name", "entity", "predicateString", "fetchLimit", "includeSubentities", "resultType",
    "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults",
    "returnDistinctResults", "fetchBatchSize",
  ]

  /// What a request asks for, in words that end "fetch request template 'x' …".
  private static let unusedRequests = [
    ("resultType", "0", "gives objects, whatever its result type says"),
    ("includesPendingChanges", "YES", "counts unsaved changes in"),
    ("returnDistinctResults", "NO", "gives each object once"),
  ]

  /// Reads a fetch request; `nil`, with a note, for one with a condition that is not understood.
  mutating func request(_ element: XMLElement, _ subject: String) -> FetchRequestTemplate? {
    noteUnknownAttributes(of: element, known: Self.requestAttributes)
    guard let entity = text("entity", of: element) else {
      note("\(subject) is not used: it names no entity", at: element)
      return nil
    }
    var template = FetchRequestTemplate(element.attribute("name")?.value ?? "", entity: entity)
    template.limit = count("fetchLimit", of: element).flatMap { $0 > 0 ? $0 : nil }
    if element.attribute("includeSubentities") != nil {
      template.includesSubentities = flag("includeSubentities", of: element)
    }
    for (name, standard, consequence) in Self.unusedRequests {
      guard let value = text(name, of: element), value.uppercased() != standard else { continue }
      note("\(subject) \(consequence)", at: element)
    }
    guard let predicate = element.attribute("predicateString"), !predicate.value.isEmpty else {
      return template
    }
    do throws(PersistenceError) {
      template.predicate = try FetchPredicate(format: predicate.value)
    } catch {
      note("\(subject) is not used: \(error.message)", at: predicate)
      return nil
    }
    return template
  }

  mutating func fetchedProperty(
    _ element: XMLElement, of entity: String
  ) -> FetchedPropertyDescription? {
    let name = name(of: element)
    let subject = "fetched property '\(name)' of entity '\(entity)'"
    guard let request = element.children.first(where: { $0.name == "fetchRequest" }) else {
      note("\(subject) is not used: it has no fetch request", at: element)
      return nil
    }
    guard let template = self.request(request, subject) else { return nil }
    return FetchedPropertyDescription(
      name, of: template.entityName, where: template.predicate, limit: template.limit,
      isOptional: flag("optional", of: element), userInfo: userInfo(of: element),
      location: element.location)
  }

  mutating func configuration(_ element: XMLElement) -> [String] {
    for child in element.children where child.name != "memberEntity" {
      noteUnknownElement(child, among: ["memberEntity"])
    }
    return element.children.filter { $0.name == "memberEntity" }.compactMap {
      $0.attribute("name")?.value
    }
  }
}
