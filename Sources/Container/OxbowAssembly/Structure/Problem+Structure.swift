internal import OxbowContainer
internal import OxbowDocuments

extension ContainerError.Problem {
  static func noTarget(
    _ target: JoinPoint.Name, of point: JoinPoint, aspect: String, near: [String]
  ) -> Self {
    let isObject = point.kind == .object
    return Self(
      .missingReference,
      "aspect \"\(aspect)\": "
        + (isObject
          ? "there is no object named \"\(target.text)\""
          : "no object is of class \"\(target.text)\""),
      at: point.location,
      seen: "\"\(target.text)\" at character \(target.position) of \"\(point.expression)\"",
      expected: isObject ? "the name of an object" : "the class of an object",
      nextStep: "correct the joinpoint, or define what it names", nearNames: near)
  }
}
