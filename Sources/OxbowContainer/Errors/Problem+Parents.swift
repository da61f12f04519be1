package import OxbowDocuments

/// What is wrong with parents, and with references to definitions that make no object.
extension ContainerError.Problem {
  package static func missingParent(
    _ parent: String, of name: String, at location: SourceLocation?, isInCode: Bool,
    near: [String]
  ) -> Self {
    Self(
      .missingReference, "object \"\(name)\": there is no parent \"\(parent)\"", at: location,
      seen: isInCode
        ? "the name of a definition in Swift, which has no parts to take over"
        : "parent \"\(parent)\"",
      expected: "the name of a definition from a file",
      nextStep: "define \"\(parent)\", or correct the parent", nearNames: near)
  }

  package static func cyclicParents(_ path: [String], at location: SourceLocation?) -> Self {
    Self(
      .cyclicParents, "object \"\(path.first ?? "")\" is its own parent", at: location,
      seen: path.map { "\"\($0)\"" }.joined(separator: " → "),
      expected: "parents that end in a definition without one",
      nextStep: "remove one of the parents")
  }

  package static func cyclicAliases(_ path: [String], at location: SourceLocation?) -> Self {
    Self(
      .missingReference, "alias \"\(path.first ?? "")\" is its own alias", at: location,
      seen: path.map { "\"\($0)\"" }.joined(separator: " → "),
      expected: "aliases that end in a definition", nextStep: "remove one of the aliases")
  }

  package static func noName(_ subject: String, at location: SourceLocation?) -> Self {
    Self(
      .missingReference, "\(subject): the reference is no name of a definition", at: location,
      seen: "a reference that delivers a value, a provider, a factory, or what is found by type",
      expected: "a reference that the builder returned, or Ref(\"name\")",
      nextStep: "refer to the definition by its name")
  }

  package static func noClass(_ name: String, at location: SourceLocation?) -> Self {
    Self(
      .unknownClass, "object \"\(name)\" has no class", at: location,
      seen: "neither a class nor a parent with one",
      expected: "a class, a parent, or a factory component", nextStep: "name the class")
  }

  package static func abstractReference(
    _ target: String, in owner: String, role: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .missingReference, "object \"\(owner)\", \(role): definition \"\(target)\" makes no object",
      at: location, seen: "a reference to \"\(target)\", which is abstract",
      expected: "a definition that is not abstract",
      nextStep: "refer to a definition that has \"\(target)\" as its parent")
  }

  package static func infrastructureReference(
    _ target: String, in owner: String, role: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .missingReference,
      "object \"\(owner)\", \(role): \"\(target)\" is a part of the container itself",
      at: location, seen: "a reference to a converter or post-processor",
      expected: "an object of the container",
      nextStep: "refer to something else; converters and post-processors are no objects")
  }

  package static func infrastructureNeedsObject(
    _ target: String, in owner: String, role: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .missingReference,
      "object \"\(owner)\", \(role): \"\(target)\" does not exist yet when it is made",
      at: location, seen: "a converter or post-processor that refers to an object",
      expected: "values, and other converters and post-processors",
      nextStep: "give it what it needs as a value")
  }
}
