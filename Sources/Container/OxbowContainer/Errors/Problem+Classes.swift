internal import OxbowDocuments

extension ContainerError.Problem {
  static func unknownClass(_ name: String, of object: String, near: [String]) -> Self {
    Self(
      .unknownClass, "object \"\(object)\": class \"\(name)\" is not known",
      seen: "class \"\(name)\"",
      expected: "a class with @Component in this program, or one that was registered",
      nextStep:
        "annotate the class with @Component or register it; define the object in Swift where "
        + "the class is another module's", nearNames: near)
  }

  static func ambiguousClass(_ name: String, of object: String, choices: [String]) -> Self {
    Self(
      .ambiguousClass, "object \"\(object)\": class \"\(name)\" could be one of several",
      seen: choices.joined(separator: ", "), expected: "the name of one class",
      nextStep: "write the class with its module, as in \"\(choices.first ?? name)\"")
  }

  static func unknownProperty(
    _ name: String, of object: String, className: String, known: [String], base: AnyClass? = nil
  ) -> Self {
    Self(
      .unknownProperty,
      "object \"\(object)\": class \"\(className)\" has no property named \"\(name)\"",
      seen: "property \"\(name)\"",
      expected: list(known, "nothing: the class has no settable properties"),
      nextStep: "correct the name, or declare the property as a settable one: a 'var' that is not "
        + "private, with its type ('var \(name): Type'), which @Component does not see in "
        + "'= Type(argument)'"
        + inherited(from: base, by: className, "override var \(name)"),
      nearNames: OxbowDocuments.nearNames(to: name, among: known))
  }

  static func unfitArgument(_ name: String, of object: String, className: String) -> Self {
    Self(
      .unknownProperty,
      "object \"\(object)\": no initializer of class \"\(className)\" takes \"\(name)\" with what "
        + "else is given", seen: "argument \"\(name)\", which is not a settable property",
      expected: "an initializer that takes it together with the other properties only",
      nextStep: "give the other arguments too, or write an initializer for this choice of them")
  }

  package static func repeatedProperty(_ name: String, of object: String) -> Self {
    Self(
      .invalidDefinition, "object \"\(object)\": property \"\(name)\" is set twice",
      seen: "a second property named \"\(name)\"", expected: "each property once",
      nextStep: "remove one of the two")
  }

  static func noInitializer(
    of object: String, className: String, given: [String], choices: [String], base: AnyClass?
  ) -> Self {
    Self(
      .noInitializer,
      "object \"\(object)\": no initializer of class \"\(className)\" fits its properties",
      seen: given.isEmpty
        ? "no properties" : "properties " + quoted(given),
      expected: choices.isEmpty
        ? "an initializer that the class describes" : choices.joined(separator: " or "),
      nextStep: choices.isEmpty
        ? "give the class an init() or an initializer whose labels are the properties' names"
          + inherited(from: base, by: className, "override init")
        : "add properties named like the missing labels")
  }

  static func mainActorComponent(_ object: String, className: String) -> Self {
    Self(
      .invalidDefinition, "object \"\(object)\": class \"\(className)\" belongs to the main actor",
      seen: "a class whose initializers and setters run on the main actor",
      expected: "a class that any thread may construct",
      nextStep: "define it in code with a @Sendable maker, or make the class nonisolated")
  }

  static func valueNotConvertible(
    _ text: String, site: String, typeName: String, expected: String, near: [String] = []
  ) -> Self {
    Self(
      .valueNotConvertible, "\(site): \"\(text)\" is not \(withArticle(typeName))",
      seen: "\"\(text)\"", expected: expected, nextStep: "correct the value", nearNames: near)
  }

  static func noConverter(site: String, typeName: String) -> Self {
    let typeName = typeName.hasSuffix("?") ? String(typeName.dropLast()) : typeName
    return Self(
      .noConverter, "\(site): nothing converts text to \(typeName)", seen: "a value as text",
      expected: "a type that text can become, or a reference to an object",
      nextStep: (typeName.hasPrefix("[") ? "write a list or map of elements; or " : "")
        + "register a converter: builder.values.register(\(typeName).self) { text in … }")
  }

  static func typeMismatch(
    _ name: String, object: Any, wanted: String, behind: SurroundedObject? = nil
  ) -> Self {
    let seen = "\(Swift.type(of: object))"
    return Self(
      .typeMismatch, "object \"\(name)\" has another type",
      seen: "\"\(name)\" is \(withArticle(seen))" + (behind.map { ", " + $0.reason } ?? ""),
      expected: wanted,
      nextStep: behind?.advice ?? "ask for \(seen), or for a protocol that it conforms to")
  }

  static func notConvertible(property: String, object: Any, wanted: String) -> Self {
    Self(
      .typeMismatch, "property \"\(property)\" cannot hold the object",
      seen: "a \(Swift.type(of: object))", expected: wanted,
      nextStep: "hand over an object of that type")
  }

  static func noSuchProperty(_ name: String, className: String, known: [String]) -> Self {
    Self(
      .unknownProperty, "class \"\(className)\" describes no property \"\(name)\"",
      seen: "\"\(name)\"",
      expected: known.isEmpty
        ? "a class with properties" : quoted(known),
      nextStep: "correct the name, or look in the descriptor of the superclass",
      nearNames: OxbowDocuments.nearNames(to: name, among: known))
  }

  static func setByInitializerOnly(_ name: String, of object: String, className: String) -> Self {
    Self(
      .unknownProperty,
      "object \"\(object)\": \"\(name)\" is set by an initializer of class \"\(className)\" only",
      seen: "an object that is made already",
      expected: "a settable property \"\(name)\" that takes what the definition says",
      nextStep: "declare \"\(name)\" as a var of that type, or have the container make the object")
  }

  static func noPlainInitializer(className: String, labels: [[String]]) -> Self {
    Self(
      .noInitializer, "class \"\(className)\" has no initializer without parameters",
      seen: labels.isEmpty
        ? "no initializer"
        : labels.map { "init(" + $0.map { "\($0):" }.joined() + ")" }.joined(separator: ", "),
      expected: "init()", nextStep: "describe an init(), or define the object in a container")
  }

  static func noFactory(_ object: String, className: String) -> Self {
    Self(
      .invalidDefinition, "object \"\(object)\": class \"\(className)\" is not a factory",
      seen: "a product part", expected: "a class that is a FactoryObject",
      nextStep: "set the properties on the object itself")
  }
}
