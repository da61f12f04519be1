internal import OxbowContainer
internal import OxbowDocuments

/// Reads definitions from XML elements, in the words of a dialect.
struct DefinitionReader {
  let words: Vocabulary
  let sources: [String]
  let uncommon: [String]
  var report = MarkupReport()

  init(_ words: Vocabulary) {
    self.words = words
    sources = words.sources
    uncommon = words.uncommon
  }

  /// Reads what all definitions have; false when there is nothing to define, which is reported.
  mutating func read(_ element: XMLElement, into definition: inout ObjectDefinition) -> Bool {
    let needsClass = readAttributes(of: element, into: &definition)
    readParts(of: element, into: &definition)
    checkFactory(of: element, definition)
    return !needsClass || definition.className != nil
  }

  /// Reads what is not a part: a function of its own, because definitions may be deep within each
  /// other, and each frame of the recursion counts.
  ///
  /// - Returns: Whether the definition needs a class.
  private mutating func readAttributes(
    of element: XMLElement, into definition: inout ObjectDefinition
  ) -> Bool {
    definition.booleans = words.booleans
    definition.parent = report.optional("parent", of: element)
    definition.factoryComponent = report.optional(words.factory, of: element)
    definition.methodBeforeInjection = report.optional(words.before, of: element)
    definition.methodAfterInjection = report.optional(words.after, of: element)
    let needsClass =
      definition.parent == nil && definition.factoryComponent == nil && !definition.isAbstract
    definition.className =
      needsClass ? report.required("class", of: element) : report.optional("class", of: element)
    return needsClass
  }

  /// Reads a definition to which only what is around it refers.
  mutating func readInPlace(_ element: XMLElement, in owner: String) -> ObjectDefinition? {
    var definition = beginInPlace(element, in: owner)
    return read(element, into: &definition) ? definition : nil
  }

  private mutating func beginInPlace(_ element: XMLElement, in owner: String) -> ObjectDefinition {
    report.check(element, attributes: words.attributes)
    return ObjectDefinition(owner, scope: "prototype", at: element.location)
  }

  private mutating func checkFactory(of element: XMLElement, _ definition: ObjectDefinition) {
    guard let factory = definition.factoryComponent else { return }
    let call = element.children.first { $0.name == "initializer" }
    if call == nil, definition.parent == nil {
      report.report(.factoryWithoutMethod(element, factory: factory, attribute: words.factory))
    }
    if let call, words.checksCalls, definition.initializer?.isStatic == true {
      report.report(.classMethodOfFactory(call, factory: factory))
    }
  }

  /// Reads the elements in a definition.
  mutating func readParts(of element: XMLElement, into definition: inout ObjectDefinition) {
    let known = words.parts
    var parts: Set<String> = []
    definition.properties.reserveCapacity(element.children.count)
    for child in element.children {
      if child.name == "property" {
        if let property = readProperty(child, in: definition.name) {
          definition.properties.append(property)
        }
      } else if !known.contains(child.name) {
        report.report(.unknownElement(child, in: element.name, known: known))
      } else if !parts.insert(child.name).inserted {
        report.report(.repeatedElement(child, in: element.name))
      } else {
        read(part: child, into: &definition)
      }
    }
  }

  private mutating func read(part: XMLElement, into definition: inout ObjectDefinition) {
    switch part.name {
    case "initializer": definition.initializer = readCall(part, in: definition.name)
    case "product": definition.product = readProduct(part, in: definition.name)
    default:
      report.checkDescription(part)
      definition.summary = part.prose
    }
  }

  private mutating func readProduct(_ element: XMLElement, in owner: String) -> ProductDefinition {
    report.check(element, attributes: ["class"])
    var product = ProductDefinition(
      class: report.optional("class", of: element), properties: [], at: element.location)
    for child in element.children {
      guard child.name == "property" else {
        report.report(.unknownElement(child, in: element.name, known: ["property"]))
        continue
      }
      if let property = readProperty(child, in: owner) { product.properties.append(property) }
    }
    return product
  }

  // MARK: - Calls

  private mutating func readCall(_ element: XMLElement, in owner: String) -> InitializerCall? {
    report.check(element, attributes: [words.method, words.isStatic])
    let isStatic = isStatic(element)
    guard let text = report.required(words.method, of: element) else { return nil }
    guard let method = MethodName(text: text) else {
      report.report(.noMethodName(text, element))
      return nil
    }
    return InitializerCall(
      method, isStatic: isStatic, arguments: readArguments(of: element, method, in: owner),
      at: element.location)
  }

  private mutating func isStatic(_ element: XMLElement) -> Bool? {
    if let guess = words.guess, element.value(words.isStatic)?.lowercased() == guess { return nil }
    return report.boolean(words.isStatic, of: element, words.staticTexts)
  }

  private mutating func readArguments(
    of element: XMLElement, _ method: MethodName, in owner: String
  ) -> [PropertyAssignment] {
    var labels = ArgumentLabels(method, nameAttribute: words.label)
    var arguments: [PropertyAssignment] = []
    var isWhole = true
    var hasDescription = false
    for child in element.children {
      if child.name == "argument" {
        let argument = readArgument(child, &labels, in: owner)
        arguments += argument.map { [$0] } ?? []
        isWhole = isWhole && argument != nil
      } else if !words.callParts.contains(child.name) {
        isWhole = false
        report.report(.unknownElement(child, in: element.name, known: words.callParts))
      } else if hasDescription {
        report.report(.repeatedElement(child, in: element.name))
      } else {
        report.checkDescription(child)
        hasDescription = true
      }
    }
    if isWhole, words.checksCalls { labels.finish(element, &report) }
    return arguments
  }

  private mutating func readArgument(
    _ element: XMLElement, _ labels: inout ArgumentLabels, in owner: String
  ) -> PropertyAssignment? {
    report.check(element, attributes: [words.label, "index"] + words.contentAttributes)
    let label = labels.label(of: element, &report)
    let what = label.map { "argument \"\($0)\"" } ?? "an argument"
    guard let content = readContent(of: element, what: what, in: owner), let label else {
      return nil
    }
    return PropertyAssignment(label, to: content, at: element.location)
  }
}
