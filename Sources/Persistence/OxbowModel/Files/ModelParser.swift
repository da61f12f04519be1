internal import OxbowDocuments

/// Turns the elements of a model document into descriptions.
///
/// Problems are collected and reading goes on, so that one run reports all of them. A stand-in
/// replaces a missing or wrong value: a parser with problems never delivers its model.
struct ModelParser {
  var problems: [PersistenceError] = []
  var notes: [DocumentNote] = []

  /// Whether the document was read from an archive, which its user cannot correct: numbers that do
  /// not fit are noted and not used.
  var isArchived = false

  /// What the document has beside its entities.
  var templates: [FetchRequestTemplate] = []
  var configurations: [String: [String]] = [:]

  /// The composite types of the document, by name, and those whose parts are being read.
  var composites: [String: XMLElement] = [:]
  var openComposites: [String] = []

  /// How many parts composite attributes have so far: types that contain others many times have
  /// more than there is memory for.
  var compositeParts = 0

  /// The attributes of `model` that say how Xcode edited it.
  private static let informative: Set<String> = [
    "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
    "sourceLanguage", "macOSVersion", "iOSVersion", "name", "usedWithSwiftData",
    "usedWithCloudKit",
  ]

  private static let elements = [
    "entity", "elements", "configuration", "fetchRequest", "composite",
  ]

  mutating func model(_ root: XMLElement) -> ManagedObjectModel {
    guard root.name == "model" else {
      problem(
        "element \"\(root.name)\" is not a model; the root of a model document is \"model\"",
        at: root.location)
      return ManagedObjectModel(entities: [])
    }
    let identifier = "userDefinedModelVersionIdentifier"
    noteUnknownAttributes(of: root, known: Self.informative.union([identifier]))
    composites = Dictionary(
      root.children.filter { $0.name == "composite" }.map {
        ($0.attribute("name")?.value ?? "", $0)
      },
      uniquingKeysWith: { first, _ in first })
    var entities: [EntityDescription] = []
    for child in root.children {
      if child.name == "entity" {
        entities.append(entity(child))
      } else {
        readModelElement(child)
      }
    }
    refuseRepeated(entities.map { ($0.name, $0.location) }, "entity", in: "this document")
    refuseRepeated(
      root.children.filter { $0.name == "composite" }.map {
        ($0.attribute("name")?.value ?? "", $0.location)
      }, "composite type", in: "this document")
    refuseRepeated(templates.map { ($0.name, nil) }, "fetch request template", in: "this document")
    let identifiers = root.attribute(identifier).map { [$0.value] } ?? []
    return ManagedObjectModel(
      entities: withoutUnusedIndexes(withoutContestedInverses(entities)),
      versionIdentifiers: Set(identifiers),
      fetchRequestTemplates: templates, configurations: configurations)
  }

  private mutating func readModelElement(_ element: XMLElement) {
    switch element.name {
    case "elements":
      break
    case "configuration":
      let names = configuration(element)
      configurations[name(of: element), default: []] += names
    case "fetchRequest":
      let name = element.attribute("name")?.value ?? ""
      if let template = request(element, "fetch request template '\(name)'") {
        templates.append(template)
      }
    case "composite":
      // Read where an attribute has the type.
      break
    default:
      noteUnknownElement(element, among: Self.elements)
    }
  }
}

// MARK: - Reporting

extension ModelParser {
  mutating func problem(
    _ message: String, at location: SourceLocation, near typed: String? = nil,
    among names: [String] = []
  ) {
    problems.append(
      PersistenceError(
        .invalidModel, message, at: location,
        nearNames: typed.map { PersistenceError.nearNames(to: $0, among: names) } ?? []))
  }

  /// A value that does not fit where it is.
  mutating func misfit(_ message: String, at attribute: XMLAttribute) {
    if isArchived, Double(attribute.value) != nil {
      note("\(message) and is not used", at: attribute)
    } else {
      problem(message, at: attribute.location)
    }
  }

  mutating func note(_ message: String, at element: XMLElement) {
    notes.append(DocumentNote(message, at: element.location))
  }

  mutating func note(_ message: String, at attribute: XMLAttribute) {
    notes.append(DocumentNote(message, at: attribute.location))
  }

  mutating func noteUnknownAttributes(of element: XMLElement, known: Set<String>) {
    for attribute in element.attributes where !known.contains(attribute.name) {
      note(
        "attribute \"\(attribute.name)\" of \"\(element.name)\" is not known and not used"
          + didYouMean(attribute.name, among: known), at: attribute)
    }
  }

  mutating func noteUnknownElement(_ element: XMLElement, among known: [String]) {
    note(
      "element \"\(element.name)\" is not known and not used"
        + didYouMean(element.name, among: known), at: element)
  }

  mutating func refuseRepeated(
    _ names: [(name: String, location: SourceLocation?)], _ kind: String, in whole: String
  ) {
    var seen: [String: SourceLocation?] = [:]
    for (name, location) in names where !name.isEmpty {
      if let first = seen[name] {
        let line = first.map { " (first in line \($0.line))" } ?? ""
        problems.append(
          PersistenceError(
            .invalidModel, "\(kind) '\(name)' is declared twice in \(whole)\(line)", at: location))
      } else {
        seen[name] = location
      }
    }
  }
}

// MARK: - Reading attributes of elements

extension ModelParser {
  /// The name of an element; a problem when it has none.
  mutating func name(of element: XMLElement) -> String {
    guard let name = element.attribute("name")?.value, !name.isEmpty else {
      problem("element \"\(element.name)\" has no name", at: element.location)
      return ""
    }
    return name
  }

  mutating func flag(_ name: String, of element: XMLElement) -> Bool {
    guard let attribute = element.attribute(name), !attribute.value.isEmpty else { return false }
    if let truth = ScalarText.truth(attribute.value) { return truth }
    problem("\"\(attribute.value)\" of \"\(name)\" is neither YES nor NO", at: attribute.location)
    return false
  }

  mutating func count(_ name: String, of element: XMLElement) -> Int? {
    guard let attribute = element.attribute(name) else { return nil }
    guard let number = Int(attribute.value), number >= 0 else {
      misfit(
        "\"\(attribute.value)\" of \"\(name)\" is not a whole number from 0 on", at: attribute)
      return nil
    }
    return number
  }

  /// Text that counts as absent when it is empty.
  func text(_ name: String, of element: XMLElement) -> String? {
    guard let value = element.attribute(name)?.value, !value.isEmpty else { return nil }
    return value
  }

  mutating func userInfo(of element: XMLElement) -> [String: String] {
    var pairs: [String: String] = [:]
    for entry in element.children where entry.name == "userInfo" {
      for pair in entry.children {
        guard pair.name == "entry", let key = pair.attribute("key")?.value else {
          noteUnknownElement(pair, among: ["entry"])
          continue
        }
        pairs[key] = pair.attribute("value")?.value ?? ""
      }
    }
    return pairs
  }
}
