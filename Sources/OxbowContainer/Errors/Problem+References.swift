package import OxbowDocuments

extension ContainerError.Problem {
  package static func missingReference(
    _ target: String, in owner: String?, role: String?, at location: SourceLocation?,
    near: [String], count: Int
  ) -> Self {
    let place = [owner.map { "object \"\($0)\"" }, role].compactMap(\.self)
    let subject = place.isEmpty ? "a reference" : place.joined(separator: ", ")
    return Self(
      .missingReference, "\(subject): there is no object named \"\(target)\"",
      at: location, seen: "a reference to \"\(target)\"",
      expected: expectedName(count),
      nextStep: "define \"\(target)\", or correct the reference", nearNames: near)
  }

  package static func duplicate(
    _ name: String, at location: SourceLocation?, first: SourceLocation?,
    isDefaultName: Bool = false
  ) -> Self {
    Self(
      .duplicateDefinition, "object \"\(name)\" is defined twice", at: location,
      seen: "a second definition; the first is \(first.map { "at \($0)" } ?? "in code")",
      expected: "a name that no other definition has",
      nextStep: isDefaultName
        ? "a definition without a name is called by its type: give one of the two a name of its own, "
          + "as its first argument"
        : "rename or remove one of the two")
  }

  package static func annotatedTwice(
    _ name: String, _ classes: [String], at location: SourceLocation?
  ) -> Self {
    Self(
      .duplicateDefinition, "object \"\(name)\" is defined by two classes", at: location,
      seen: "@Component(\"\(name)\") on " + classes.joined(separator: " and on "),
      expected: "a name that no other class has", nextStep: "rename one of the two")
  }

  package static func invalidName(at location: SourceLocation?) -> Self {
    Self(
      .invalidDefinition, "a definition has no name", at: location, seen: "an empty name",
      expected: "at least one character", nextStep: "give the definition a name")
  }

  package static func cyclicInitializers(_ path: [String], at location: SourceLocation?) -> Self {
    Self(
      .cyclicInitializers,
      "object \"\(path.first ?? "")\" cannot be constructed: the circle of its initializers never ends",
      at: location, seen: path.map { "\"\($0)\"" }.joined(separator: " → "),
      expected: "at least one arrow of the circle that is no initializer argument",
      nextStep: "inject one of them through a property, a Provider or a lazy proxy")
  }

  package static func chainTooLong(
    _ name: String, length: Int, limit: Int, at location: SourceLocation?
  ) -> Self {
    Self(
      .chainTooLong, "object \"\(name)\" heads a chain of objects that is too long",
      at: location, seen: "\(length) objects, each a prototype that needs the next",
      expected: "at most \(limit), because each takes a piece of the thread's stack",
      nextStep: "make one of the chain a singleton")
  }

  package static func incompleteProxy(
    _ name: String, className: String, property: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .factoryIncomplete, "object \"\(name)\": \(className) has no \"\(property)\"",
      at: location, seen: "no property \"\(property)\" with a reference",
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

  /// How many problems of one kind are listed: more would be looked at by nobody.
  package static let mostListed = 1_000

  /// What stands in the place of problems behind the last one that is listed.
  package static func unlisted(
    _ count: Int, _ code: ContainerError.Code, after location: SourceLocation?
  ) -> Self {
    Self(
      code, "\(count) more problems are not listed", at: location,
      seen: "more than \(mostListed) problems", expected: "fewer",
      nextStep: "correct those that are listed first")
  }
}
