internal import SwiftSyntax

/// A parameter whose argument a call with aspects keeps.
struct KeptParameter {
  let name: String

  /// The type as a field has it: without the words of parameters.
  let type: String

  /// Whether it is a function that outlives the call.
  var isEscaping = false

  /// Whether the method gives the caller a new value.
  var isInOut = false

  /// The type of a parameter that takes the argument.
  var parameterType: String { (isEscaping ? "@escaping " : "") + type }

  /// The type as a function type has it.
  var functionType: String { (isInOut ? "inout " : "") + parameterType }

  init(name: String, type: String) {
    self.name = name
    self.type = type
  }

  init(_ parameter: FunctionParameterSyntax) {
    name = parameter.localName.reference
    guard let attributed = parameter.type.as(AttributedTypeSyntax.self) else {
      type = parameter.type.trimmedDescription
      return
    }
    var kept = attributed.trimmed
    kept.specifiers = []
    kept.attributes = attributed.attributes.without("escaping")
    type = kept.trimmedDescription
    isEscaping = !attributed.attributes.named("escaping").isEmpty
    isInOut = !attributed.specifiers.isEmpty
  }

  /// Why an argument cannot be kept, if it cannot.
  static func obstacle(_ parameter: FunctionParameterSyntax, isAsync: Bool) -> Obstacle? {
    let name = parameter.localName.text
    func obstacle(_ why: String, _ next: String) -> Obstacle { Obstacle(why, next, parameter) }
    let closure = obstacle(
      "the function '\(name)' may not outlive the call", "write '@escaping' before its type")
    let other = obstacle(
      "the argument '\(name)' cannot be kept for them", "take a value of a plain type")
    if name == "_" { return obstacle("a parameter has no name", "name it") }
    if parameter.ellipsis != nil { return other }
    if parameter.type.withoutParentheses.is(FunctionTypeSyntax.self) { return closure }
    if let constraint = parameter.type.as(SomeOrAnyTypeSyntax.self),
      constraint.someOrAnySpecifier.text == "some"
    {
      return obstacle(
        "the type of '\(name)' has no name", "write 'any', or a generic parameter '<T: …>'")
    }
    guard let attributed = parameter.type.as(AttributedTypeSyntax.self) else {
      return parameter.type.isKept ? nil : other
    }
    let words = attributed.specifiers.map(\.trimmedDescription)
    if words == ["inout"], attributed.attributes.isEmpty, attributed.baseType.isKept {
      return isAsync
        ? obstacle(
          "the method is async, and the caller gets '\(name)' back while others may run",
          "return the new value") : nil
    }
    guard words.isEmpty, attributed.attributes.named("autoclosure").isEmpty,
      attributed.baseType.withoutParentheses.is(FunctionTypeSyntax.self)
    else { return other }
    return attributed.attributes.named("escaping").isEmpty ? closure : nil
  }
}

/// Why aspects cannot run around a method, what to do, and where that is written.
struct Obstacle {
  let why: String
  let next: String
  let node: Syntax

  init(_ why: String, _ next: String, _ node: some SyntaxProtocol) {
    (self.why, self.next, self.node) = (why, next, Syntax(node))
  }
}

extension TypeSyntax {
  /// Whether a value of the type can be stored as it is spelled.
  var isKept: Bool {
    if let constraint = self.as(SomeOrAnyTypeSyntax.self) {
      return constraint.someOrAnySpecifier.text == "any"
    }
    return !self.is(FunctionTypeSyntax.self) && !self.is(PackExpansionTypeSyntax.self)
      && !self.is(AttributedTypeSyntax.self)
      && !self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
  }
}

extension GenericParameterClauseSyntax {
  /// A parameter for several types, which the class of a call cannot have.
  var pack: GenericParameterSyntax? { parameters.first { $0.specifier?.text == "each" } }
}
