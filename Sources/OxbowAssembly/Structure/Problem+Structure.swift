internal import OxbowContainer
internal import OxbowDocuments

extension ContainerError.Problem {
  static func noParent(
    _ parent: String, of name: String, at location: SourceLocation?, near: [String]
  ) -> Self {
    Self(
      .missingReference, "object \"\(name)\": there is no parent \"\(parent)\"", at: location,
      seen: "parent \"\(parent)\"", expected: "the name of a definition from a file",
      nextStep: "define \"\(parent)\", or correct the parent", nearNames: near)
  }

  static func circularParents(_ path: [String], at location: SourceLocation?) -> Self {
    Self(
      .invalidDefinition, "object \"\(path.first ?? "")\" is its own parent",
      at: location, seen: path.map { "\"\($0)\"" }.joined(separator: " → "),
      expected: "parents that lead to a definition without one",
      nextStep: "remove one parent of the circle")
  }

  static func noClassInLine(_ name: String, at location: SourceLocation?) -> Self {
    Self(
      .invalidDefinition, "object \"\(name)\" has no class", at: location,
      seen: "no class here and none in its parents", expected: "a class here or in a parent",
      nextStep: "name the class")
  }

  static func abstractReference(
    _ target: String, in owner: String, role: String, at location: SourceLocation?,
    defined: SourceLocation?
  ) -> Self {
    Self(
      .invalidDefinition,
      "object \"\(owner)\", \(role): definition \"\(target)\" is abstract and makes no object",
      at: location,
      seen: "a reference to \"\(target)\"" + (defined.map { ", defined at \($0)" } ?? ""),
      expected: "a definition that is not abstract",
      nextStep: "refer to another definition, or make \"\(target)\" concrete")
  }

  static func repeatedKey(
    _ key: String, in owner: String, role: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .invalidDefinition, "object \"\(owner)\", \(role): key \"\(key)\" stands twice",
      at: location, seen: "a second entry \"\(key)\"", expected: "each key once",
      nextStep: "remove one of the two")
  }

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

  static func duplicateAspect(
    _ name: String, at location: SourceLocation?, first: SourceLocation?
  ) -> Self {
    Self(
      .duplicateDefinition, "aspect \"\(name)\" is defined twice", at: location,
      seen: "a second aspect; the first is " + (first.map { "at \($0)" } ?? "in code"),
      expected: "a name that no other aspect has", nextStep: "rename or remove one of the two")
  }
}
