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

  static func wrongRoot(_ element: XMLElement) -> Self {
    Self(
      .unexpectedMarkup, "the document is no container", at: element.location,
      seen: "root element <\(element.name)>",
      expected: "<container>, or <contanier> as old files have",
      nextStep: "make <container> the root element",
      nearNames: OxbowDocuments.nearNames(to: element.name, among: ["container"]))
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
      expected: known.map { "\"\($0)\"" }.joined(separator: ", "),
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

  static func notBoolean(_ attribute: XMLAttribute, of element: XMLElement) -> Self {
    Self(
      .unexpectedMarkup, "\(attribute.name) of <\(element.name)> is neither true nor false",
      at: element.location, seen: "\(attribute.name)=\"\(attribute.value)\"",
      expected: "\"true\" or \"false\"", nextStep: "write one of the two",
      nearNames: OxbowDocuments.nearNames(to: attribute.value, among: ["true", "false"]))
  }

  static func scopeTwice(_ element: XMLElement, _ scope: String, _ singleton: String) -> Self {
    Self(
      .unexpectedMarkup, "<\(element.name)> says its scope twice", at: element.location,
      seen: "scope=\"\(scope)\" and singleton=\"\(singleton)\"", expected: "one of the two",
      nextStep: "remove one of the two")
  }

  static func unknownScope(_ scope: String, of element: XMLElement, name: String) -> Self {
    .unknownScope(
      scope, of: name, at: element.location, known: ContainerBuilder.scopeNames,
      near: OxbowDocuments.nearNames(to: scope, among: ContainerBuilder.scopeNames))
  }

  static func notOneContent(_ element: XMLElement, name: String) -> Self {
    let both = element.attribute("ref") != nil
    return Self(
      .unexpectedMarkup,
      "property \"\(name)\" has \(both ? "both a reference and a value" : "neither a reference nor a value")",
      at: element.location, seen: both ? "ref and value" : "no ref and no value",
      expected: "exactly one of ref and value", nextStep: both ? "remove one of the two" : "add one"
    )
  }

  static func strayText(in element: XMLElement, _ text: String) -> Self {
    Self(
      .unexpectedMarkup, "<\(element.name)> contains text", at: element.location,
      seen: "\"\(text.prefix(40))\"", expected: "elements only",
      nextStep: "put values into the attribute value")
  }

  static func repeatedProduct(_ element: XMLElement) -> Self {
    Self(
      .unexpectedMarkup, "an object has two products", at: element.location,
      seen: "a second <product>", expected: "at most one", nextStep: "merge the two")
  }
}
