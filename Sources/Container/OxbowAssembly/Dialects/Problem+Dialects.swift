internal import OxbowContainer
internal import OxbowDocuments

// What is wrong with files of Typhoon and IVEngine.

extension ContainerError.Problem {
  static func wrongNamespace(_ element: XMLElement) -> Self {
    Self(
      .unexpectedMarkup, "<\(element.name)> is not Typhoon's", at: element.location,
      seen: element.attributes.filter { $0.name.hasPrefix("xmlns") }
        .map { "\($0.name)=\"\($0.value)\"" }.joined(separator: " "),
      expected: "xmlns=\"\(TyphoonMarkup.namespace)\", or no namespace",
      nextStep: "correct the namespace")
  }

  static func undeclaredPrefix(
    _ prefix: String, of what: String, _ element: XMLElement
  ) -> Self {
    Self(
      .unexpectedMarkup, "\(what) has a prefix without a namespace",
      at: element.location, seen: "prefix \"\(prefix)\"",
      expected: "a declaration xmlns:\(prefix)=\"…\" here or around",
      nextStep: "declare the prefix, or remove it")
  }

  static func emptyLocation(_ text: String, _ element: XMLElement) -> Self {
    Self(
      .unexpectedMarkup, "a file of placeholders has no name", at: element.location,
      seen: "location=\"\(text)\"", expected: "names of files, separated by commas",
      nextStep: "correct the list")
  }

  static func wrongJoinPoint(
    _ expression: String, _ element: XMLElement, _ failure: JoinPointParser.Failure
  ) -> Self {
    Self(
      .unexpectedMarkup, "the joinpoint cannot be read: \(failure.what)", at: element.location,
      seen: "\"\(expression)\", wrong at character \(failure.position)",
      expected: failure.expected, nextStep: "correct the expression")
  }
}
