internal import OxbowContainer
internal import OxbowDocuments

/// Properties and arguments, and what they are set to.
extension TyphoonDialect {
  mutating func readProperty(_ element: XMLElement, in owner: String) -> [PropertyAssignment] {
    content.report.check(element, attributes: ["name", "ref", "value"])
    let name = content.report.required("name", of: element)
    let what = name.map { "property \"\($0)\"" } ?? "a property"
    let sources = sources(of: element)
    if sources.isEmpty {
      return name.map {
        [PropertyAssignment($0, to: .byType, at: element.location).needingObject()]
      } ?? []
    }
    guard let found = readContent(of: element, sources, what: what, in: owner), let name else {
      return []
    }
    return [PropertyAssignment(name, to: found, at: element.location)]
  }

  mutating func readInitializer(
    _ element: XMLElement, in definition: ObjectDefinition
  ) -> InitializerCall? {
    content.report.check(element, attributes: ["selector", "is-class-method"])
    let isStatic = isClassMethod(element)
    guard let text = content.report.required("selector", of: element) else { return nil }
    guard let method = MethodName(text: text) else {
      content.report.report(.noMethodName(text, element))
      return nil
    }
    return InitializerCall(
      method, isStatic: isStatic,
      arguments: readArguments(of: element, method, in: definition.name), at: element.location)
  }

  private mutating func isClassMethod(_ element: XMLElement) -> Bool? {
    let text = element.attribute("is-class-method")?.value.lowercased()
    if text == "guess" { return nil }
    return content.report.boolean(
      "is-class-method", of: element,
      BooleanTexts(yes: ["yes", "true"], no: ["no", "false", "guess"], ignoresCase: true))
  }

  private mutating func readArguments(
    of element: XMLElement, _ method: MethodName, in owner: String
  ) -> [PropertyAssignment] {
    var labels = ArgumentLabels(method, nameAttribute: "parameterName")
    var arguments: [PropertyAssignment] = []
    var isWhole = true
    var hasDescription = false
    for child in element.children {
      switch child.name {
      case "argument":
        let argument = readArgument(child, &labels, in: owner)
        arguments += argument
        isWhole = isWhole && !argument.isEmpty
      case "description" where !hasDescription: hasDescription = true
      case "description": content.report.report(.repeatedElement(child, in: element.name))
      default:
        isWhole = false
        content.report.report(
          .unknownElement(child, in: element.name, known: ["argument", "description"]))
      }
    }
    if isWhole { labels.finish(element, &content.report) }
    return arguments
  }

  private mutating func readArgument(
    _ element: XMLElement, _ labels: inout ArgumentLabels, in owner: String
  ) -> [PropertyAssignment] {
    content.report.check(
      element, attributes: ["parameterName", "index", "ref", "value", "required-class"])
    let label = labels.label(of: element, &content.report)
    let what = label.map { "argument \"\($0)\"" } ?? "an argument"
    let sources = sources(of: element)
    let found = readContent(of: element, sources, what: what, in: owner)
    guard let found, let label else { return [] }
    return [PropertyAssignment(label, to: found, at: element.location)]
  }

  // MARK: - Contents

  private static let contents = ["collection", "component", "map"]

  private static func contents(in element: XMLElement) -> [XMLElement] {
    element.children.filter { contents.contains($0.name) }
  }

  /// What could be the content of an element: attributes and elements; the others are reported.
  private mutating func sources(of element: XMLElement) -> [String] {
    var hasDescription = false
    let children = element.children.filter { child in
      if child.name != "description" { return true }
      if hasDescription { content.report.report(.repeatedElement(child, in: element.name)) }
      hasDescription = true
      return false
    }
    for child in children where !Self.contents.contains(child.name) {
      content.report.report(
        .unknownElement(child, in: element.name, known: Self.contents + ["description"]))
    }
    return element.attributes.map(\.name).filter { $0 == "ref" || $0 == "value" }
      + Self.contents(in: element).map { "<\($0.name)>" }
  }

  private mutating func readContent(
    of element: XMLElement, _ sources: [String], what: String, in owner: String
  ) -> InjectedContent? {
    let children = Self.contents(in: element)
    guard sources.count == 1 else {
      for child in children { _ = readElement(child, of: element, in: owner) }
      // An element that means nothing was meant as the content, and is reported.
      if !sources.isEmpty || element.children.allSatisfy({ $0.name == "description" }) {
        content.report.report(.notOneContent(element, what: what, seen: sources))
      }
      return nil
    }
    let requiredClass = content.report.optional("required-class", of: element)
    if let value = element.attribute("value") { return .text(value.value, typeName: requiredClass) }
    if sources == ["ref"] {
      return content.report.required("ref", of: element).map { .reference($0) }
    }
    return children.first.flatMap { readElement($0, of: element, in: owner) }
  }

  private mutating func readElement(
    _ element: XMLElement, of parent: XMLElement, in owner: String
  ) -> InjectedContent? {
    switch element.name {
    case "collection": return readCollection(element, of: parent)
    case "map": return readMap(element, in: owner)
    default: return readComponentInPlace(element, in: owner).map { .definition($0) }
    }
  }

  /// The collection of an argument says its class, that of a property need not.
  private mutating func readCollection(
    _ element: XMLElement, of parent: XMLElement
  ) -> InjectedContent {
    content.report.check(element, attributes: ["requiredType"])
    let typeName =
      parent.name == "argument"
      ? content.report.required("requiredType", of: element)
      : content.report.optional("requiredType", of: element)
    return .collection(
      element.children.compactMap { child in
        readElementOfCollection(child).map { InjectedElement($0, at: child.location) }
      }, typeName: typeName)
  }

  private mutating func readElementOfCollection(_ element: XMLElement) -> InjectedContent? {
    switch element.name {
    case "ref":
      content.report.check(element, attributes: [], allowsText: true)
      return content.report.text(of: element).map { .reference($0) }
    case "value":
      content.report.check(element, attributes: ["requiredType"], allowsText: true)
      content.report.refuseChildren(of: element)
      let type = content.report.required("requiredType", of: element)
      return .text(element.text, typeName: type)
    default:
      content.report.report(
        .unknownElement(element, in: "collection", known: ["ref", "value"]))
      return nil
    }
  }

  /// Entries with a key each, and contents like arguments: what the original has no way to say.
  private mutating func readMap(_ element: XMLElement, in owner: String) -> InjectedContent {
    content.report.check(element, attributes: [])
    var entries: [InjectedEntry] = []
    for child in element.children {
      guard child.name == "entry" else {
        content.report.report(.unknownElement(child, in: element.name, known: ["entry"]))
        continue
      }
      content.report.check(child, attributes: ["key", "ref", "value", "required-class"])
      let key = content.report.required("key", of: child)
      let what = key.map { "entry \"\($0)\"" } ?? "an entry"
      let sources = sources(of: child)
      if let found = readContent(of: child, sources, what: what, in: owner), let key {
        entries.append(InjectedEntry(key, found, at: child.location))
      }
    }
    return .dictionary(entries)
  }
}
