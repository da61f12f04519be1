internal import OxbowContainer
internal import OxbowDocuments

/// Properties, and what they and arguments are set to.
extension DefinitionReader {
  mutating func readProperty(_ element: XMLElement, in owner: String) -> PropertyAssignment? {
    if let property = plainProperty(element) { return property }
    let name = readName(of: element)
    if words.emptyIsByType, isEmpty(element) { return readByType(element, name) }
    let content = readContent(of: element, what: Self.what(name), in: owner)
    return Self.assignment(of: content, to: name, element)
  }

  // What follows is not part of the recursion, whose frames count.

  private mutating func readName(of element: XMLElement) -> String? {
    report.check(element, attributes: words.propertyAttributes)
    return report.required("name", of: element)
  }

  private static func what(_ name: String?) -> String {
    name.map { "property \"\($0)\"" } ?? "a property"
  }

  private static func assignment(
    of content: InjectedContent?, to name: String?, _ element: XMLElement
  ) -> PropertyAssignment? {
    guard let content, let name else { return nil }
    return PropertyAssignment(name, to: content, at: element.location)
  }

  private mutating func readByType(_ element: XMLElement, _ name: String?) -> PropertyAssignment? {
    _ = contents(in: element)
    return name.map { PropertyAssignment($0, to: .byType, at: element.location).needingObject() }
  }

  /// A property that has just a name and behind it a reference or a value, as most have.
  ///
  /// The fast path of `readProperty`, which also reads these (`docs/performance.md`, K/xml).
  private func plainProperty(_ element: XMLElement) -> PropertyAssignment? {
    let attributes = element.attributes
    guard attributes.count == 2, element.children.isEmpty, element.isTextBlank else { return nil }
    let (first, second) = (attributes[0], attributes[1])
    guard first.name == "name", case let name = first.value, !name.isEmpty else { return nil }
    let text = second.value
    switch second.name {
    case "ref" where !text.isEmpty: return .reference(name, to: text, at: element.location)
    case words.text: return .value(name, text, at: element.location)
    default: return nil
    }
  }

  /// Whether neither an attribute nor an element is a content, or could have been meant as one.
  private func isEmpty(_ element: XMLElement) -> Bool {
    !element.attributes.contains { sources.contains($0.name) }
      && !element.children.contains { words.contents.contains($0.name) }
  }

  // MARK: - Contents

  /// The one content of a property, an argument or an entry.
  mutating func readContent(
    of element: XMLElement, what: @autoclosure () -> String, in owner: String
  ) -> InjectedContent? {
    plainContent(of: element) ?? mixedContent(of: element, what: what(), in: owner)
  }

  /// The content of an element that has just one of the two attributes that most have.
  ///
  /// The fast path beside `mixedContent`, which reads these too (`docs/performance.md`, K/xml).
  private func plainContent(of element: XMLElement) -> InjectedContent? {
    guard element.children.isEmpty, uncommon.allSatisfy({ element.value($0) == nil }) else {
      return nil
    }
    switch (element.value("ref"), element.value(words.text)) {
    case (let ref?, nil) where !ref.isEmpty: return .reference(ref)
    case (nil, let text?): return .text(text)
    default: return nil
    }
  }

  private mutating func mixedContent(
    of element: XMLElement, what: @autoclosure () -> String, in owner: String
  ) -> InjectedContent? {
    let isByType = words.byType.map { report.boolean($0, of: element) == true } ?? false
    let attributes = element.attributes.map(\.name).filter {
      sources.contains($0) && ($0 != words.byType || isByType)
    }
    let children = contents(in: element)
    let seen = attributes + children.map { "<\($0.name)>" }
    guard seen.count == 1 else {
      for child in children { _ = readElement(child, of: element, words.contents, in: owner) }
      // An element that means nothing was meant as the content, and is reported.
      if !seen.isEmpty || !element.children.contains(where: { !isDescription($0) }) {
        report.report(.notOneContent(element, what: what(), seen: seen))
      }
      return nil
    }
    if let child = children.first {
      return readElement(child, of: element, words.contents, in: owner)
    }
    return attributes.first.flatMap { readAttribute($0, of: element) }
  }

  private mutating func readAttribute(_ name: String, of element: XMLElement) -> InjectedContent? {
    switch name {
    case "ref": return report.required("ref", of: element).map { .reference($0) }
    case words.byType: return .byType
    case words.number: return readNumber(element.value(name) ?? "", of: element)
    default:
      let type = words.textType.flatMap { report.optional($0, of: element) }
      return .text(element.value(name) ?? "", typeName: type)
    }
  }

  /// Digits with at most one sign, point and exponent.
  private mutating func readNumber(_ text: String, of element: XMLElement) -> InjectedContent? {
    let number = trimmed(text)
    let isNumber = number.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    if isNumber, Double(number)?.isFinite == true { return .text(number) }
    report.report(.noNumber(text, element))
    return nil
  }

  private func isDescription(_ element: XMLElement) -> Bool {
    words.describesContents && element.name == "description"
  }

  /// The elements that could be the content; others are reported.
  private mutating func contents(in element: XMLElement) -> [XMLElement] {
    var hasDescription = false
    return element.children.filter { child in
      if words.contents.contains(child.name) { return true }
      if !isDescription(child) {
        let known = words.contents + (words.describesContents ? ["description"] : [])
        report.report(.unknownElement(child, in: element.name, known: known))
      } else if hasDescription {
        report.report(.repeatedElement(child, in: element.name))
      } else {
        report.checkDescription(child)
        hasDescription = true
      }
      return false
    }
  }

  // MARK: - Elements

  private mutating func readElement(
    _ element: XMLElement, of parent: XMLElement, _ known: [String], in owner: String
  ) -> InjectedContent? {
    guard known.contains(element.name) else {
      report.report(.unknownElement(element, in: parent.name, known: known))
      return nil
    }
    switch element.name {
    case "ref", "value", "null": return readPlain(element)
    case "map": return readMap(element, in: owner)
    case words.list: return readList(element, of: parent, in: owner)
    default: return readInPlace(element, in: owner).map { .definition($0) }
    }
  }

  /// Reads an element that holds no others: a function of its own, because elements may be deep
  /// within each other, and each frame of the recursion counts.
  private mutating func readPlain(_ element: XMLElement) -> InjectedContent? {
    switch element.name {
    case "ref":
      report.check(element, attributes: [], allowsText: true)
      return report.text(of: element).map { .reference($0) }
    case "null":
      report.check(element, attributes: [])
      report.refuseChildren(of: element)
      return .null
    default: return readValue(element)
    }
  }

  private mutating func readValue(_ element: XMLElement) -> InjectedContent {
    report.check(element, attributes: [words.valueType], allowsText: true)
    report.refuseChildren(of: element)
    let type =
      words.requiresValueType
      ? report.required(words.valueType, of: element)
      : report.optional(words.valueType, of: element)
    return .text(element.text, typeName: type)
  }

  private mutating func readList(
    _ element: XMLElement, of parent: XMLElement, in owner: String
  ) -> InjectedContent {
    report.check(element, attributes: words.listType.map { [$0] } ?? [])
    let type = words.listType.flatMap {
      parent.name == "argument"
        ? report.required($0, of: element) : report.optional($0, of: element)
    }
    return .collection(
      element.children.compactMap { child in
        readElement(child, of: element, words.elements, in: owner).map {
          InjectedElement($0, at: child.location)
        }
      }, typeName: type)
  }

  private mutating func readMap(_ element: XMLElement, in owner: String) -> InjectedContent {
    report.check(element, attributes: [])
    var entries: [InjectedEntry] = []
    for child in element.children {
      guard child.name == "entry" else {
        report.report(.unknownElement(child, in: element.name, known: ["entry"]))
        continue
      }
      report.check(child, attributes: ["key"] + words.contentAttributes)
      let key = report.required("key", of: child)
      let what = key.map { "entry \"\($0)\"" } ?? "an entry"
      if let content = readContent(of: child, what: what, in: owner), let key {
        entries.append(InjectedEntry(key, content, at: child.location))
      }
    }
    return .dictionary(entries)
  }
}
