package import OxbowDocuments

extension ContainerError.Problem {
  package static func missingReference(
    _ target: String, in owner: String?, role: String?, near: [String], count: Int
  ) -> Self {
    let site = [owner.map { "object \"\($0)\"" }, role].compactMap(\.self)
    let subject = site.isEmpty ? "a reference" : site.joined(separator: ", ")
    return Self(
      .missingReference, "\(subject): there is no object named \"\(target)\"",
      seen: "a reference to \"\(target)\"", expected: expectedName(count),
      nextStep: "define \"\(target)\", or correct the reference", nearNames: near)
  }

  package static func duplicate(
    _ name: String, first: SourceLocation?, isDefaultName: Bool = false
  ) -> Self {
    Self(
      .duplicateDefinition, "object \"\(name)\" is defined twice",
      seen: "a second definition; the first is \(first.map { "at \($0)" } ?? "in code")",
      expected: "a name that no other definition has",
      nextStep: isDefaultName
        ? "a definition without a name is called by its type: give one of the two a name of its "
          + "own, as its first argument"
        : "rename or remove one of the two")
  }

  static func annotatedTwice(_ name: String, _ classes: [String]) -> Self {
    Self(
      .duplicateDefinition, "object \"\(name)\" is defined by two classes",
      seen: "@Component(\"\(name)\") on " + classes.joined(separator: " and on "),
      expected: "a name that no other class has", nextStep: "rename one of the two")
  }

  static func invalidName() -> Self {
    Self(
      .invalidDefinition, "a definition has no name", seen: "an empty name",
      expected: "at least one character", nextStep: "give the definition a name")
  }

  static func cyclicInitializers(_ path: [String]) -> Self {
    Self(
      .cyclicInitializers,
      "object \"\(path.first ?? "")\" cannot be constructed: the circle of its initializers never "
        + "ends", seen: quoted(path, by: " → "),
      expected: "at least one arrow of the circle that is not an initializer argument",
      nextStep: "inject one of them through a property, a Provider or a lazy proxy")
  }

  static func chainTooLong(_ name: String, length: Int, limit: Int) -> Self {
    Self(
      .chainTooLong, "object \"\(name)\" heads a chain of objects that is too long",
      seen: "\(length) objects, none a singleton, each of which needs the next",
      expected: "at most \(limit), because each takes a piece of the thread's stack",
      nextStep: "make one of the chain a singleton")
  }

  static func incompleteProxy(_ name: String, className: String, property: String) -> Self {
    Self(
      .factoryIncomplete, "object \"\(name)\": \(className) has no \"\(property)\"",
      seen: "no property \"\(property)\" with a reference",
      expected: "a reference to the definition of the objects behind the proxy",
      nextStep: "add a property \"\(property)\" that refers to it")
  }

  /// What is said about a name that nothing has.
  static func expectedName(_ count: Int) -> String {
    switch count {
    case 0: "the name of a definition; there is none"
    case 1: "the name of the one definition"
    default: "the name of one of the \(count) definitions"
    }
  }

  /// How many problems of one kind are listed: more would not be read.
  package static let mostListed = 1_000

  /// What is listed in place of all problems after the last one that is.
  package static func unlisted(
    _ count: Int, _ code: ContainerError.Code, after location: SourceLocation?
  ) -> Self {
    Self(
      code, "\(count) more problems are not listed", at: location,
      seen: "more than \(mostListed) problems", expected: "fewer",
      nextStep: "correct those that are listed first")
  }
}

/// What is wrong with parents, and with references to definitions that make no object.
extension ContainerError.Problem {
  static func missingParent(
    _ parent: String, of name: String, isInCode: Bool, near: [String]
  ) -> Self {
    Self(
      .missingReference, "object \"\(name)\": there is no parent \"\(parent)\"",
      seen: isInCode
        ? "the name of a definition in Swift, which has no parts to take over"
        : "parent \"\(parent)\"", expected: "the name of a definition from a file",
      nextStep: "define \"\(parent)\", or correct the parent", nearNames: near)
  }

  static func cyclicParents(_ path: [String]) -> Self {
    Self(
      .cyclicParents, "object \"\(path.first ?? "")\" is its own parent",
      seen: quoted(path, by: " → "),
      expected: "parents that end in a definition without one",
      nextStep: "remove one of the parents")
  }

  package static func cyclicAliases(_ path: [String]) -> Self {
    Self(
      .missingReference, "alias \"\(path.first ?? "")\" is its own alias",
      seen: quoted(path, by: " → "),
      expected: "aliases that end in a definition", nextStep: "remove one of the aliases")
  }

  static func noName(_ subject: String) -> Self {
    Self(
      .missingReference, "\(subject): the reference is not a name of a definition",
      seen: "a reference that delivers a value, a provider, a factory, or what is found by type",
      expected: "a reference that the builder returned, or Ref(\"name\")",
      nextStep: "refer to the definition by its name")
  }

  package static func noClass(_ name: String) -> Self {
    Self(
      .unknownClass, "object \"\(name)\" has no class",
      seen: "neither a class nor a parent with one",
      expected: "a class, a parent, or a factory component", nextStep: "name the class")
  }

  package static func abstractReference(_ target: String, in owner: String, role: String) -> Self {
    Self(
      .missingReference, "object \"\(owner)\", \(role): definition \"\(target)\" makes no object",
      seen: "a reference to \"\(target)\", which is abstract",
      expected: "a definition that is not abstract",
      nextStep: "refer to a definition that has \"\(target)\" as its parent")
  }

  static func bootstrapReference(_ target: String, in owner: String, role: String) -> Self {
    Self(
      .missingReference,
      "object \"\(owner)\", \(role): \"\(target)\" is a part of the container itself",
      seen: "a reference to a converter or post-processor", expected: "an object of the container",
      nextStep: "refer to something else; converters and post-processors are not objects")
  }

  static func bootstrapNeedsObject(_ target: String, in owner: String, role: String) -> Self {
    Self(
      .missingReference,
      "object \"\(owner)\", \(role): \"\(target)\" does not exist yet when it is made",
      seen: "a converter or post-processor that refers to an object",
      expected: "values, and other converters and post-processors",
      nextStep: "give it what it needs as a value")
  }
}

extension ContainerError.Problem {
  static func duplicateConverter(_ name: String, first: String, typeName: String) -> Self {
    Self(
      .duplicateDefinition, "converter \"\(name)\" is the second one for \(typeName)",
      seen: "\"\(name)\" beside \"\(first)\"", expected: "one converter for each type",
      nextStep: "remove one of the two")
  }

  static func processorFailed(_ name: String, _ error: any Error) -> Self {
    Self(
      .invalidDefinition, "the definition post-processor \(name) failed", seen: "\(error)",
      expected: "definitions", nextStep: "remove the cause, or the post-processor",
      underlying: error)
  }
}
