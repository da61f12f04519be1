internal import OxbowContainer
internal import OxbowDocuments

extension ContainerError.Problem {
  static func noNumber(_ text: String, _ element: XMLElement) -> Self {
    Self(
      .unexpectedMarkup, "numberValue of <\(element.name)> is no number", at: element.location,
      seen: "numberValue=\"\(text)\"", expected: "a number like -12, 13.75 or 1e3",
      nextStep: "correct the number, or write stringValue")
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
