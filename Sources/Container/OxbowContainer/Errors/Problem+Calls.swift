package import OxbowDocuments

/// What is wrong with initializers, methods, callbacks and paths that a definition names.
extension ContainerError.Problem {
  package static func noSuchInitializer(
    _ method: String, of object: String, className: String, at location: SourceLocation?,
    choices: [String], near: [String], base: AnyClass?
  ) -> Self {
    Self(
      .noInitializer,
      "object \"\(object)\": class \"\(className)\" has no initializer \"\(method)\"",
      at: location, seen: "initializer \"\(method)\"",
      expected: choices.isEmpty
        ? "nothing: the class describes no initializer"
        : "one of " + choices.map { "\"\($0)\"" }.joined(separator: ", "),
      nextStep: "correct the labels, or describe the initializer"
        + inherited(from: base, by: className, "override init"), nearNames: near)
  }

  /// What to do where something may be inherited from a class that is not described.
  static func inherited(from base: AnyClass?, by className: String, _ way: String) -> String {
    guard let base else { return "" }
    return "; what \(className) inherits from \(base) is not known: mark \(base) @Component, or "
      + "write \(way) in \(className)"
  }

  package static func unknownArgument(
    _ name: String, of object: String, method: String, labels: [String],
    at location: SourceLocation?, near: [String]
  ) -> Self {
    Self(
      .unknownProperty,
      "object \"\(object)\": initializer \"\(method)\" has no argument named \"\(name)\"",
      at: location, seen: "argument \"\(name)\"", expected: list(labels, "no arguments"),
      nextStep: "correct the name of the argument", nearNames: near)
  }

  package static func repeatedArgument(
    _ name: String, of object: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .invalidDefinition, "object \"\(object)\": argument \"\(name)\" is given twice",
      at: location, seen: "a second argument \"\(name)\"", expected: "each argument once",
      nextStep: "remove one of the two")
  }

  package static func missingArgument(
    _ name: String, of object: String, method: String, labels: [String],
    at location: SourceLocation?
  ) -> Self {
    Self(
      .noInitializer, "object \"\(object)\": initializer \"\(method)\" has no argument \"\(name)\"",
      at: location, seen: "no argument and no property named \"\(name)\"",
      expected: list(labels, "no arguments"), nextStep: "add the argument \"\(name)\"")
  }

  package static func unknownCallback(
    _ name: String, of object: String, className: String, at location: SourceLocation?,
    known: [String], near: [String], base: AnyClass?
  ) -> Self {
    Self(
      .unknownMethod, "object \"\(object)\": class \"\(className)\" has no callback \"\(name)\"",
      at: location, seen: "method \"\(name)\"",
      expected: list(known, "nothing: the class describes no methods without arguments"),
      nextStep: "correct the name, or describe the method"
        + inherited(from: base, by: className, "override func \(name)()"), nearNames: near)
  }

  // MARK: - Methods of other objects

  package static func noSuchMethod(
    _ method: String, of object: String, component: String, typeName: String,
    at location: SourceLocation?, choices: [String], near: [String]
  ) -> Self {
    Self(
      .unknownMethod,
      "object \"\(object)\": object \"\(component)\" has no method \"\(method)\"", at: location,
      seen: "method \"\(method)\" of a \(typeName)",
      expected: list(choices, "nothing: \(typeName) describes no methods that make objects"),
      nextStep: "correct the labels, or describe the method", nearNames: near)
  }

  package static func noMethod(
    of object: String, component: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .invalidDefinition, "object \"\(object)\": nothing says which method makes it",
      at: location, seen: "factory component \"\(component)\" and no initializer",
      expected: "an initializer with the name of a method of \"\(component)\"",
      nextStep: "add the initializer")
  }

  package static func staticMethodOfComponent(
    of object: String, component: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .invalidDefinition,
      "object \"\(object)\": a static method cannot belong to object \"\(component)\"",
      at: location, seen: "a factory component beside a static method", expected: "one of the two",
      nextStep: "remove the factory component, or say that the method is not static")
  }

  package static func wrongProduct(
    _ className: String, of object: String, typeName: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .typeMismatch, "object \"\(object)\": its method makes no \"\(className)\"", at: location,
      seen: "class \"\(className)\" for what the method returns", expected: typeName,
      nextStep: "correct the class, or leave it out")
  }

  // MARK: - Paths

  package static func noPath(
    _ path: String, through name: String, typeName: String, of object: String, isReadable: Bool,
    at location: SourceLocation?
  ) -> Self {
    Self(
      .unknownProperty, "object \"\(object)\": the path \"\(path)\" ends at \"\(name)\"",
      at: location,
      seen: isReadable
        ? "property \"\(name)\" of type \(typeName), which is not a described class"
        : "property \"\(name)\", whose description cannot read it",
      expected: "a readable property whose type is a class with @Component",
      nextStep: "set the property on the object's own definition")
  }

  package static func emptyPath(
    _ path: String, through name: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .constructionFailed, "property \"\(name)\" of the path \"\(path)\" holds nothing",
      at: location, seen: "nil", expected: "an object whose property can be set",
      nextStep: "set \"\(name)\" before \"\(path)\"")
  }

  /// Names in quotes, or what is said when there are none.
  package static func list(_ names: [String], _ none: String) -> String {
    names.isEmpty ? none : "one of " + names.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}
