internal import OxbowContainer
internal import OxbowDocuments

extension ContainerError.Problem {
  static func unreadable(_ file: String, _ error: DocumentError) -> Self {
    let isText = error.location != nil
    return Self(
      .unreadableDocument, "\"\(file)\" cannot be read",
      at: error.location ?? SourceLocation(file: file, line: 1, column: 1), seen: error.message,
      expected: isText
        ? "a well-formed XML document in UTF-8" : "a file that can be opened and read",
      nextStep: isText ? "correct the document" : "correct the path or the file",
      underlying: error)
  }

  static func wrongRoot(_ element: XMLElement, known: [String]) -> Self {
    Self(
      .unexpectedMarkup, "the document is not a container", at: element.location,
      seen: "root element <\(element.name)>",
      expected: "<container>, or <contanier> as old files have; <assembly>; or <plist>",
      nextStep: "make one of these the root element",
      nearNames: OxbowDocuments.nearNames(to: element.name, among: Set(known)))
  }

  static func mixedKinds(_ element: XMLElement, document: String) -> Self {
    markup(
      "<\(element.name)> is in a document of \(document)", element,
      seen: "<\(element.name)>", expected: "a document of objects, or one of entities and aspects",
      next: "move it to a document of its own: one container can be made of several")
  }

  private static func markup(
    _ what: String, _ element: XMLElement, seen: String, expected: String, next: String,
    near: [String] = []
  ) -> Self {
    Self(
      .unexpectedMarkup, what, at: element.location, seen: seen, expected: expected,
      nextStep: next, nearNames: near)
  }

  static func unknownElement(_ element: XMLElement, in parent: String, known: [String]) -> Self {
    Self(
      .unexpectedMarkup, "<\(element.name)> means nothing in <\(parent)>", at: element.location,
      seen: "<\(element.name)>",
      expected: known.isEmpty
        ? "an element without children" : known.map { "<\($0)>" }.joined(separator: " or "),
      nextStep: "correct or remove the element",
      nearNames: OxbowDocuments.nearNames(to: element.name, among: known))
  }

  static func unknownAttribute(
    _ attribute: XMLAttribute, of element: XMLElement, known: [String]
  ) -> Self {
    Self(
      .unexpectedMarkup, "<\(element.name)> has no attribute \"\(attribute.name)\"",
      at: element.location, seen: "\(attribute.name)=\"\(attribute.value)\"",
      expected: known.isEmpty
        ? "no attributes" : quoted(known),
      nextStep: "correct or remove the attribute",
      nearNames: OxbowDocuments.nearNames(to: attribute.name, among: known))
  }

  static func missingAttribute(_ name: String, of element: XMLElement) -> Self {
    Self(
      .unexpectedMarkup, "<\(element.name)> has no \(name)", at: element.location,
      seen: element.attributes.isEmpty
        ? "no attributes"
        : "attributes " + element.attributes.map { "\"\($0.name)\"" }.joined(separator: ", "),
      expected: "\(name)=\"…\", not empty", nextStep: "add \(name)")
  }

  static func notBoolean(
    _ attribute: XMLAttribute, of element: XMLElement, texts: [String]
  ) -> Self {
    markup(
      "\(attribute.name) of <\(element.name)> is neither true nor false", element,
      seen: "\(attribute.name)=\"\(attribute.value)\"",
      expected: quoted(texts, by: " or "),
      next: "write one of them",
      near: OxbowDocuments.nearNames(to: attribute.value, among: texts))
  }

  static func scopeTwice(_ element: XMLElement, _ scope: String, _ singleton: String) -> Self {
    Self(
      .unexpectedMarkup, "<\(element.name)> says its scope twice", at: element.location,
      seen: "scope=\"\(scope)\" and singleton=\"\(singleton)\"", expected: "one of the two",
      nextStep: "remove one of the two")
  }

  static func notOneContent(_ element: XMLElement, what: String, seen: [String]) -> Self {
    markup(
      seen.isEmpty
        ? "\(what) has neither a reference nor a value" : "\(what) has more than one content",
      element, seen: seen.isEmpty ? "no content" : seen.joined(separator: " and "),
      expected: "exactly one reference or value",
      next: seen.isEmpty ? "add one" : "remove all but one")
  }

  static func strayText(in element: XMLElement, _ text: String) -> Self {
    Self(
      .unexpectedMarkup, "<\(element.name)> contains text", at: element.location,
      seen: "\"\(text.prefix(40))\"", expected: "elements only",
      nextStep: "put values where values belong")
  }

  static func repeatedElement(_ element: XMLElement, in parent: String) -> Self {
    markup(
      "<\(parent)> has a second <\(element.name)>", element, seen: "a second <\(element.name)>",
      expected: "at most one", next: "merge the two")
  }

  static func emptyElement(_ element: XMLElement) -> Self {
    markup(
      "<\(element.name)> is empty", element, seen: "no text", expected: "a name",
      next: "write the name into the element")
  }

  static func lazyAndEager(_ element: XMLElement) -> Self {
    markup(
      "<\(element.name)> is both lazy and eager", element, seen: "lazy=\"true\" eager=\"true\"",
      expected: "at most one of the two", next: "remove one of the two")
  }

  // MARK: - Calls

  static func noMethodName(_ text: String, _ element: XMLElement) -> Self {
    markup(
      "\"\(text)\" is not a name of a method", element, seen: "\"\(text)\"",
      expected: "a name with labels like init(quest:) or initWithQuest:",
      next: "correct the name")
  }

  static func factoryWithoutMethod(
    _ element: XMLElement, factory: String, attribute: String
  ) -> Self {
    markup(
      "<\(element.name)> names a factory and no method of it", element,
      seen: "\(attribute)=\"\(factory)\" and no <initializer>",
      expected: "an <initializer> that names the method",
      next: "add <initializer>, or remove \(attribute)")
  }

  static func unknownArgument(
    _ name: String, _ element: XMLElement, of method: MethodName
  ) -> Self {
    markup(
      "\"\(method)\" has no parameter named \"\(name)\"", element, seen: "\"\(name)\"",
      expected: labels(of: method), next: "correct the name",
      near: OxbowDocuments.nearNames(to: name, among: Set(method.labels)))
  }

  static func wrongIndex(_ text: String, _ element: XMLElement, of method: MethodName) -> Self {
    let count = method.labels.count
    return markup(
      "\"\(method)\" has no parameter number \(text)", element, seen: "index=\"\(text)\"",
      expected: count == 0 ? "no arguments" : "a number from 0 to \(count - 1)",
      next: count == 0 ? "remove the argument" : "correct the number")
  }

  static func labelTwice(_ element: XMLElement, _ attribute: String) -> Self {
    markup(
      "an argument says twice which parameter it is for", element,
      seen: "\(attribute) and index", expected: "one of the two",
      next: "remove one of the two")
  }

  static func noLabel(_ element: XMLElement, _ attribute: String, of method: MethodName) -> Self {
    markup(
      "an argument does not say which parameter it is for", element,
      seen: "no \(attribute) and no index",
      expected: "\(attribute)=\"…\" with \(labels(of: method)), or index=\"…\"", next: "add one")
  }

  static func repeatedArgument(
    _ label: String, _ element: XMLElement, of method: MethodName
  ) -> Self {
    markup(
      "parameter \"\(label)\" of \"\(method)\" has two arguments", element,
      seen: "a second argument for \"\(label)\"", expected: "one argument for each parameter",
      next: "remove one of the two")
  }

  static func missingArguments(
    _ missing: [String], _ element: XMLElement, of method: MethodName
  ) -> Self {
    markup(
      "\"\(method)\" lacks arguments", element,
      seen: "no argument for " + quoted(missing),
      expected: labels(of: method), next: "add the missing arguments")
  }

  private static func labels(of method: MethodName) -> String {
    method.labels.isEmpty
      ? "no arguments" : quoted(method.labels)
  }
}

/// What is wrong with definitions.
extension ContainerError.Problem {
  static func classMethodOfFactory(_ element: XMLElement, factory: String) -> Self {
    Self(
      .unexpectedMarkup, "a method of a factory component cannot be a class method",
      at: element.location,
      seen: "is-class-method and factory-component=\"\(factory)\"",
      expected: "at most one of the two", nextStep: "remove one of the two")
  }

  static func noNumber(_ text: String, _ element: XMLElement) -> Self {
    Self(
      .unexpectedMarkup, "numberValue of <\(element.name)> is not a number", at: element.location,
      seen: "numberValue=\"\(text)\"", expected: "a number like -12, 13.75 or 1e3",
      nextStep: "correct the number, or write stringValue")
  }
}
