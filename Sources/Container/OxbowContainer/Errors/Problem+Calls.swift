internal import OxbowDocuments

/// What is wrong with initializers, methods, callbacks and paths that a definition names.
extension ContainerError.Problem {
  static func noSuchInitializer(
    _ method: String, of object: String, className: String, choices: [String], near: [String],
    base: AnyClass?
  ) -> Self {
    Self(
      .noInitializer,
      "object \"\(object)\": class \"\(className)\" has no initializer \"\(method)\"",
      seen: "initializer \"\(method)\"",
      expected: list(choices, "nothing: the class describes no initializer"),
      nextStep: "correct the labels, or describe the initializer"
        + inherited(from: base, by: className, "override init"), nearNames: near)
  }

  /// What to do where something may be inherited from a class that is not described.
  static func inherited(from base: AnyClass?, by className: String, _ way: String) -> String {
    guard let base else { return "" }
    return "; what \(className) inherits from \(base) is not known: mark \(base) @Component, or "
      + "write \(way) in \(className)"
  }

  static func unknownArgument(
    _ name: String, of object: String, method: String, labels: [String]
  ) -> Self {
    Self(
      .unknownProperty,
      "object \"\(object)\": initializer \"\(method)\" has no argument named \"\(name)\"",
      seen: "argument \"\(name)\"", expected: list(labels, "no arguments"),
      nextStep: "correct the name of the argument",
      nearNames: OxbowDocuments.nearNames(to: name, among: labels))
  }

  static func repeatedArgument(_ name: String, of object: String) -> Self {
    Self(
      .invalidDefinition, "object \"\(object)\": argument \"\(name)\" is given twice",
      seen: "a second argument \"\(name)\"", expected: "each argument once",
      nextStep: "remove one of the two")
  }

  static func missingArgument(
    _ name: String, of object: String, method: String, labels: [String]
  ) -> Self {
    Self(
      .noInitializer, "object \"\(object)\": initializer \"\(method)\" has no argument \"\(name)\"",
      seen: "no argument and no property named \"\(name)\"", expected: list(labels, "no arguments"),
      nextStep: "add the argument \"\(name)\"")
  }

  static func unknownCallback(
    _ name: String, of object: String, className: String, known: [String], base: AnyClass?
  ) -> Self {
    Self(
      .unknownMethod, "object \"\(object)\": class \"\(className)\" has no callback \"\(name)\"",
      seen: "method \"\(name)\"",
      expected: list(known, "nothing: the class describes no methods without arguments"),
      nextStep: "correct the name, or describe the method"
        + inherited(from: base, by: className, "override func \(name)()"),
      nearNames: OxbowDocuments.nearNames(to: name, among: known))
  }

  // MARK: - Methods of other objects

  static func noSuchMethod(
    _ method: String, of object: String, component: String, typeName: String, known: [String]
  ) -> Self {
    Self(
      .unknownMethod, "object \"\(object)\": object \"\(component)\" has no method \"\(method)\"",
      seen: "method \"\(method)\" of a \(typeName)",
      expected: list(known, "nothing: \(typeName) describes no methods that make objects"),
      nextStep: "correct the labels, or describe the method",
      nearNames: OxbowDocuments.nearNames(to: method, among: known))
  }

  static func noMethod(of object: String, component: String) -> Self {
    Self(
      .invalidDefinition, "object \"\(object)\": nothing says which method makes it",
      seen: "factory component \"\(component)\" and no initializer",
      expected: "an initializer with the name of a method of \"\(component)\"",
      nextStep: "add the initializer")
  }

  static func staticMethodOfComponent(of object: String, component: String) -> Self {
    Self(
      .invalidDefinition,
      "object \"\(object)\": a static method cannot belong to object \"\(component)\"",
      seen: "a factory component beside a static method", expected: "one of the two",
      nextStep: "remove the factory component, or say that the method is not static")
  }

  static func wrongProduct(_ className: String, of object: String, typeName: String) -> Self {
    Self(
      .typeMismatch, "object \"\(object)\": its method makes no \"\(className)\"",
      seen: "class \"\(className)\" for what the method returns", expected: typeName,
      nextStep: "correct the class, or leave it out")
  }

  // MARK: - Paths

  static func noPath(
    _ path: String, through name: String, typeName: String, of object: String, isReadable: Bool
  ) -> Self {
    Self(
      .unknownProperty, "object \"\(object)\": the path \"\(path)\" ends at \"\(name)\"",
      seen: isReadable
        ? "property \"\(name)\" of type \(typeName), which is not a described class"
        : "property \"\(name)\", whose description cannot read it",
      expected: "a readable property whose type is a class with @Component",
      nextStep: "set the property on the object's own definition")
  }

  static func emptyPath(_ path: String, through name: String) -> Self {
    Self(
      .constructionFailed, "property \"\(name)\" of the path \"\(path)\" holds nothing",
      seen: "nil", expected: "an object whose property can be set",
      nextStep: "set \"\(name)\" before \"\(path)\"")
  }

  /// Names in quotes, or what is said when there are none.
  static func list(_ names: [String], _ none: String) -> String {
    names.isEmpty ? none : "one of " + quoted(names)
  }
}
