internal import SwiftSyntax

/// A method of a `@Woven` class.
struct WovenMethod {
  /// The name of the class.
  let owner: String

  /// The name with its labels: `lend(to:days:)`.
  let name: String

  /// The method as aspects see it.
  let call: ProxiedMethod

  /// The parameters as they are declared, without defaults: `(to reader: String, days: Int)`.
  let parameterClause: String

  /// `nonisolated(nonsending) ` where that is written.
  let isolation: String

  /// Why aspects cannot run around it, and where that is written; nil where they can.
  let obstacle: (reason: WovenObstacle, node: Syntax)?

  /// The name of the function that has the code of the method.
  var original: String { "_original_" + plainBase }

  /// The name of the class of its calls; overloads differ in their types.
  var callClass: String {
    let types = call.parameters.map(\.functionType) + [call.result]
    return "_Call_\(plainBase)_"
      + String(methodKey(name + types.joined(separator: ","), of: owner), radix: 36)
  }

  /// What calls look their aspects up by.
  var key: UInt64 { methodKey(name, of: owner) }

  /// The arguments of a call with the method's own parameters: `to: reader, days: days`.
  var arguments: String {
    zip(call.labels, call.parameters).map { label, parameter in
      (label == "_" ? "" : "\(label): ") + (parameter.isInOut ? "&" : "") + parameter.name
    }.joined(separator: ", ")
  }

  private var plainBase: String { call.base.filter { $0 != "`" } }
}

extension WovenMethod {
  init(_ function: FunctionDeclSyntax, of owner: String) {
    let signature = function.signature
    let parameters = signature.parameterClause.parameters
    let effects = Effects(signature)
    self.owner = owner
    let labels = parameters.map(\.firstName.plainName)
    name = function.name.plainName + "(" + labels.map { $0 + ":" }.joined() + ")"
    obstacle = Self.obstacle(function, effects)
    isolation = function.modifiers.nonsending.isEmpty ? "" : "nonisolated(nonsending) "
    call = ProxiedMethod(
      parameters: parameters.map { KeptParameter($0) },
      labels: parameters.map(\.firstName.text), base: function.name.text,
      result: signature.returnClause?.type.trimmedDescription ?? "Void",
      isClosed: obstacle != nil, isAsync: effects.isAsync, canThrow: effects.canThrow,
      generics: function.generics)
    var clause = signature.parameterClause
    clause.parameters = FunctionParameterListSyntax(
      parameters.map { $0.with(\.defaultValue, nil).with(\.type.trailingTrivia, []) })
    parameterClause = clause.trimmedDescription
  }

  private static func obstacle(
    _ function: FunctionDeclSyntax, _ effects: Effects
  ) -> (WovenObstacle, Syntax)? {
    if let word = function.modifiers.first(where: { ["static", "class"].contains($0.name.text) }) {
      return (.isStatic, Syntax(word))
    }
    if let found = attribute(function) { return found }
    if let pack = function.genericParameterClause?.pack { return (.pack, Syntax(pack)) }
    if let found = effectObstacle(function, effects) { return found }
    for parameter in function.signature.parameterClause.parameters {
      if let found = KeptParameter.obstacle(parameter, isAsync: effects.isAsync) {
        return (found, Syntax(parameter))
      }
    }
    if let type = function.signature.returnClause?.type, !type.isKept {
      return (.result, Syntax(type))
    }
    let word = function.signature.tokens(viewMode: .sourceAccurate).first { $0.text == "Self" }
    return word.map { (.dynamicSelf, Syntax($0)) }
  }

  private static func effectObstacle(
    _ function: FunctionDeclSyntax, _ effects: Effects
  ) -> (WovenObstacle, Syntax)? {
    if let clause = effects.throwsClause, !effects.canThrow {
      let isRethrowing = clause.throwsSpecifier.text == "rethrows"
      return (isRethrowing ? .rethrowing : .limitedErrors, Syntax(clause))
    }
    guard effects.isAsync, !effects.canThrow,
      let word = function.signature.effectSpecifiers?.asyncSpecifier
    else { return nil }
    return (.quietAsync, Syntax(word))
  }

  private static func attribute(_ function: FunctionDeclSyntax) -> (WovenObstacle, Syntax)? {
    for case .attribute(let attribute) in function.attributes {
      let name = attribute.attributeName.lastName
      if name.hasSuffix("Actor") || ["available", "inlinable"].contains(name) {
        return (.attribute(name), Syntax(attribute))
      }
    }
    return nil
  }
}

extension FunctionDeclSyntax {
  /// The generic parameters, and what they must fulfil with a space before it.
  var generics: (parameters: String, requirements: String) {
    (
      genericParameterClause?.trimmedDescription ?? "",
      genericWhereClause.map { " " + $0.trimmedDescription } ?? ""
    )
  }
}

extension DeclModifierListSyntax {
  /// `nonisolated(nonsending)`, where it is written: the method runs on the caller's actor.
  var nonsending: DeclModifierListSyntax {
    filter { $0.name.text == "nonisolated" && $0.detail?.detail.text == "nonsending" }
  }
}
