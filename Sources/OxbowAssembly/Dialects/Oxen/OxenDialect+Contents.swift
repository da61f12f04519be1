internal import OxbowContainer
internal import OxbowDocuments

/// Properties and arguments, and what they are set to.
extension OxenDialect {
  private static let contentAttributes = ["ref", "value", "autowired"]
  private static let propertyAttributes = ["name"] + contentAttributes
  private static let contentElements = ["ref", "value", "object", "list", "map"]

  mutating func readProperty(_ element: XMLElement, in owner: String) -> PropertyAssignment? {
    if let property = plainProperty(element) { return property }
    content.report.check(element, attributes: Self.propertyAttributes)
    let name = content.report.required("name", of: element)
    let found = readContent(
      of: element, what: name.map { "property \"\($0)\"" } ?? "a property", in: owner)
    guard let found, let name else { return nil }
    return PropertyAssignment(name, to: found, at: element.location)
  }

  /// A property that has just a name and behind it a reference or a value, as most have.
  ///
  /// The fast path of `readProperty`, which also reads these; guarded by suite K, xml.
  private func plainProperty(_ element: XMLElement) -> PropertyAssignment? {
    let attributes = element.attributes
    guard attributes.count == 2, element.children.isEmpty, element.isTextBlank else { return nil }
    let (first, second) = (attributes[0], attributes[1])
    guard first.name == "name", case let name = first.value, !name.isEmpty else { return nil }
    let text = second.value
    switch second.name {
    case "ref" where !text.isEmpty: return .reference(name, to: text, at: element.location)
    case "value": return .value(name, text, at: element.location)
    default: return nil
    }
  }

  mutating func readInitializer(_ element: XMLElement, in owner: String) -> InitializerCall? {
    content.report.check(element, attributes: ["method", "static"])
    let isStatic = content.report.boolean("static", of: element)
    guard let text = content.report.required("method", of: element) else { return nil }
    guard let method = MethodName(text: text) else {
      content.report.report(.noMethodName(text, element))
      return nil
    }
    return InitializerCall(
      method, isStatic: isStatic, arguments: readArguments(of: element, method, in: owner),
      at: element.location)
  }

  private mutating func readArguments(
    of element: XMLElement, _ method: MethodName, in owner: String
  ) -> [PropertyAssignment] {
    var labels = ArgumentLabels(method, nameAttribute: "name")
    var arguments: [PropertyAssignment] = []
    for child in element.children {
      guard child.name == "argument" else {
        content.report.report(.unknownElement(child, in: element.name, known: ["argument"]))
        continue
      }
      content.report.check(child, attributes: ["name", "index"] + Self.contentAttributes)
      let label = labels.label(of: child, &content.report)
      let what = label.map { "argument \"\($0)\"" } ?? "an argument"
      if let found = readContent(of: child, what: what, in: owner), let label {
        arguments.append(PropertyAssignment(label, to: found, at: child.location))
      }
    }
    return arguments
  }

  // MARK: - Contents

  /// The one content of a property, an argument or an entry.
  private mutating func readContent(
    of element: XMLElement, what: @autoclosure () -> String, in owner: String
  ) -> InjectedContent? {
    plainContent(of: element) ?? mixedContent(of: element, what: what(), in: owner)
  }

  /// The content of an element that has just one of the two attributes that most have.
  ///
  /// The fast path beside `mixedContent`, which reads these too; guarded by suite K, xml.
  private func plainContent(of element: XMLElement) -> InjectedContent? {
    guard element.children.isEmpty, element.value("autowired") == nil else { return nil }
    switch (element.value("ref"), element.value("value")) {
    case (let ref?, nil) where !ref.isEmpty: return .reference(ref)
    case (nil, let value?): return .text(value)
    default: return nil
    }
  }

  private mutating func mixedContent(
    of element: XMLElement, what: @autoclosure () -> String, in owner: String
  ) -> InjectedContent? {
    let autowired = content.report.boolean("autowired", of: element) == true
    let attributes = element.attributes.map(\.name).filter {
      $0 == "ref" || $0 == "value" || ($0 == "autowired" && autowired)
    }
    let children = knownContents(of: element)
    let seen = attributes + children.map { "<\($0.name)>" }
    guard seen.count == 1 else {
      for child in children { _ = readElement(child, of: element, in: owner) }
      // An element that means nothing was meant as the content, and is reported.
      if !seen.isEmpty || element.children.isEmpty {
        content.report.report(.notOneContent(element, what: what(), seen: seen))
      }
      return nil
    }
    if let child = children.first { return readElement(child, of: element, in: owner) }
    if autowired { return .byType }
    if let value = element.attribute("value") { return .text(value.value) }
    return content.report.required("ref", of: element).map { .reference($0) }
  }

  private mutating func knownContents(of element: XMLElement) -> [XMLElement] {
    element.children.filter { child in
      if Self.contentElements.contains(child.name) { return true }
      content.report.report(
        .unknownElement(child, in: element.name, known: Self.contentElements))
      return false
    }
  }

  private mutating func readElement(
    _ element: XMLElement, of parent: XMLElement, in owner: String
  ) -> InjectedContent? {
    switch element.name {
    case "ref":
      content.report.check(element, attributes: [], allowsText: true)
      return content.report.text(of: element).map { .reference($0) }
    case "value":
      content.report.check(element, attributes: ["type"], allowsText: true)
      content.report.refuseChildren(of: element)
      return .text(element.text, typeName: content.report.optional("type", of: element))
    case "object": return readObjectInPlace(element, in: owner).map { .definition($0) }
    case "list": return readList(element, in: owner)
    case "map": return readMap(element, in: owner)
    default:
      content.report.report(
        .unknownElement(element, in: parent.name, known: Self.contentElements))
      return nil
    }
  }

  private mutating func readList(_ element: XMLElement, in owner: String) -> InjectedContent {
    content.report.check(element, attributes: [])
    return .collection(
      element.children.compactMap { child in
        readElement(child, of: element, in: owner).map { InjectedElement($0, at: child.location) }
      })
  }

  private mutating func readMap(_ element: XMLElement, in owner: String) -> InjectedContent {
    content.report.check(element, attributes: [])
    var entries: [InjectedEntry] = []
    for child in element.children {
      guard child.name == "entry" else {
        content.report.report(.unknownElement(child, in: element.name, known: ["entry"]))
        continue
      }
      content.report.check(child, attributes: ["key"] + Self.contentAttributes)
      let key = content.report.required("key", of: child)
      let what = key.map { "entry \"\($0)\"" } ?? "an entry"
      if let found = readContent(of: child, what: what, in: owner), let key {
        entries.append(InjectedEntry(key, found, at: child.location))
      }
    }
    return .dictionary(entries)
  }
}
