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

  /// Why aspects cannot run around it; nil where they can.
  let obstacle: Obstacle?

  /// The name of the function that has the code of the method.
  var original: String { "_original_" + plainBase }

  /// The name of the class of its calls; overloads differ in their types, in what those must
  /// fulfil, or in being async.
  var callClass: String {
    let types = (call.parameters.map(\.functionType) + [call.result]).joined(separator: ",")
    let more = call.generics.parameters + call.generics.requirements + (call.isAsync ? "async" : "")
    return "_Call_\(plainBase)_"
      + String(methodKey(name + types + more, of: owner), radix: 36)
  }

  /// The key by which calls find their aspects.
  var key: UInt64 { methodKey(name, of: owner) }

  /// The arguments of a call with the method's own parameters: `to: reader, days: days`.
  var arguments: String {
    zip(call.labels, call.parameters).map { label, parameter in
      labeled(label, (parameter.isInOut ? "&" : "") + parameter.name)
    }.joined(separator: ", ")
  }

  private var plainBase: String { call.base.filter { $0 != "`" } }
}

extension WovenMethod {
  init(_ function: FunctionDeclSyntax, of owner: String) {
    let signature = function.signature
    let parameters = signature.parameterClause.parameters
    let effects = Effects(signature.effectSpecifiers)
    self.owner = owner
    name = function.fullName
    obstacle = Self.obstacle(function, effects)
    isolation = function.modifiers.nonsending.isEmpty ? "" : "nonisolated(nonsending) "
    call = ProxiedMethod(function, effects, isClosed: obstacle != nil)
    var clause = signature.parameterClause
    clause.parameters = FunctionParameterListSyntax(
      parameters.map { $0.with(\.defaultValue, nil).with(\.type.trailingTrivia, []) })
    parameterClause = clause.trimmedDescription
  }

  private static func obstacle(_ function: FunctionDeclSyntax, _ effects: Effects) -> Obstacle? {
    if let word = function.modifiers.first(where: { ["static", "class"].contains($0.name.text) }) {
      return Obstacle(
        "it belongs to the type, and a container to no type", "make it a method", word)
    }
    for case .attribute(let attribute) in function.attributes {
      let name = attribute.attributeName.lastName
      if name.hasSuffix("Actor") || ["available", "inlinable"].contains(name) {
        return Obstacle("it is marked '@\(name)'", "remove the mark", attribute)
      }
    }
    if let pack = function.genericParameterClause?.pack {
      return Obstacle(
        "it is generic over several types at once",
        "take an array, or make a method for each number", pack)
    }
    return effectObstacle(function, effects)
      ?? function.signature.parameterClause.parameters.lazy.compactMap {
        KeptParameter.obstacle($0, isAsync: effects.isAsync)
      }.first ?? resultObstacle(function.signature)
  }

  private static func effectObstacle(
    _ function: FunctionDeclSyntax, _ effects: Effects
  ) -> Obstacle? {
    if let clause = effects.throwsClause, !effects.canThrow {
      return clause.throwsSpecifier.text == "rethrows"
        ? Obstacle("a function inside cannot rethrow", "make it 'throws'", clause)
        : Obstacle(
          "it limits its errors, and aspects throw any", "make it plainly 'throws'", clause)
    }
    guard effects.isAsync, !effects.canThrow,
      let word = function.signature.effectSpecifiers?.asyncSpecifier
    else { return nil }
    return Obstacle(
      "it is async and does not throw, and async aspects may", "make it 'async throws'", word)
  }

  private static func resultObstacle(_ signature: FunctionSignatureSyntax) -> Obstacle? {
    if let type = signature.returnClause?.type, !type.isKept {
      return Obstacle(
        "its result has no type that can be written", "return 'any' or the type itself", type)
    }
    let word = signature.tokens(viewMode: .sourceAccurate).first { $0.text == "Self" }
    return word.map { Obstacle("it mentions 'Self'", "spell the type", $0) }
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
