internal import SwiftDiagnostics
internal import SwiftSyntax

/// One requirement of a proxied protocol, taken apart for forwarding.
struct ProxiedRequirement {
  /// How the requirement is reached on the target.
  enum Kind {
    case function
    case property(settable: Bool)
    case subscripting(settable: Bool)
  }

  let kind: Kind

  /// The name with its labels: `lend(to:days:)`, `price`, `subscript(_:)`.
  let name: String

  /// The arguments as an observer gets them: `.of(reader)`.
  let recorded: [String]

  /// Attributes, each with a line break after it: `@discardableResult`, `@available(…)`.
  let attributes: String

  /// The declaration up to its body: `func name(_ x: Int) throws -> Int`, `var name: String`.
  let head: String

  /// The names of the parameters inside of the body, which hide members of the same name.
  let parameterNames: Set<String>

  /// `async throws` of a getter, or empty.
  let getterEffects: String

  /// The expression after the target: `.name(x)`, `.name`, `[x]`.
  let access: String
  let effects: Effects

  /// Whether the target can be called inside a closure, as borrowing needs it.
  let borrowsTarget: Bool

  /// The method, or the accessors of the property, which may have aspects.
  let methods: [ProxiedMethod]
}

/// A method or an accessor around which aspects run.
struct ProxiedMethod {
  enum Form {
    case call, get, set
  }

  /// The parameters by their names inside of the body.
  var parameters: [KeptParameter] = []

  /// The labels of the arguments, `_` for those without.
  var labels: [String] = []

  /// The base name as it is written.
  let base: String

  /// The type of the result.
  var result = "Void"

  /// Whether the arguments cannot be kept, or a chain of aspects cannot have the effects.
  let isClosed: Bool
  var isAsync = false
  var canThrow = false
  var form = Form.call

  /// The method's own generic parameters and what they must fulfil: `<T: Codable>`, `where …`.
  var generics = (parameters: "", requirements: "")

  /// The case of `ForwardedMethod.Kind`.
  var kindName: String {
    isClosed ? "closed" : isAsync ? "async" : canThrow ? "throwing" : "nonThrowing"
  }

  /// The keywords before a call: `try await `.
  var marks: String { (canThrow ? "try " : "") + (isAsync ? "await " : "") }

  /// The expression behind the target, with the arguments `a0`, `a1`, each written by `passed`.
  func access(_ passed: (String) -> String) -> String {
    switch form {
    case .get: return ".\(base)"
    case .set: return ".\(base) = \(passed("a0"))"
    case .call:
      let list = zip(labels, parameters).enumerated().map { number, pair in
        let value = pair.1.isInOut ? "&a\(number)" : passed("a\(number)")
        return labeled(pair.0, value)
      }
      return ".\(base)(\(list.joined(separator: ", ")))"
    }
  }
}

extension ProxiedMethod {
  init(_ function: FunctionDeclSyntax, _ effects: Effects, isClosed: Bool) {
    let parameters = function.signature.parameterClause.parameters
    self.init(
      parameters: parameters.map { KeptParameter($0) },
      labels: parameters.map(\.firstName.text), base: function.name.text,
      result: function.signature.returnClause?.type.trimmedDescription ?? "Void",
      isClosed: isClosed, isAsync: effects.isAsync, canThrow: effects.canThrow,
      generics: function.generics)
  }
}

/// Reads requirements; collects those that cannot be forwarded.
struct ProxiedRequirementParser: DeclarationParser {
  let isClassBound: Bool
  var diagnostics: [Diagnostic] = []

  init(isClassBound: Bool) { self.isClassBound = isClassBound }

  mutating func parse(_ declaration: DeclSyntax) -> ProxiedRequirement? {
    if let function = declaration.as(FunctionDeclSyntax.self) { return parse(function) }
    if let variable = declaration.as(VariableDeclSyntax.self) { return parse(variable) }
    if let subscripting = declaration.as(SubscriptDeclSyntax.self) { return parse(subscripting) }
    if declaration.is(InitializerDeclSyntax.self) {
      report(
        "a proxy cannot forward an initializer: its target exists already or is built elsewhere",
        at: declaration)
    }
    if declaration.is(IfConfigDeclSyntax.self) {
      report(
        "'@Proxied' cannot see which branch of '#if' is compiled; declare two protocols instead",
        at: declaration)
    }
    return nil
  }

  private mutating func parse(_ written: FunctionDeclSyntax) -> ProxiedRequirement? {
    let name = written.name.text
    var function = written
    function.signature.parameterClause.parameters =
      written.signature.parameterClause.parameters
      .allNamed
    let signature = function.signature
    guard accepts(written, written.signature.parameterClause.parameters, name: name) else {
      return nil
    }
    let effects = Effects(signature.effectSpecifiers)
    diagnose(effects, of: name, at: written.name, fixIt: Self.throwing(written))
    let arguments = signature.parameterClause.parameters
      .map { labeled($0.firstName.text, value($0)) }.joined(separator: ", ")
    return ProxiedRequirement(
      kind: .function,
      name: function.fullName,
      recorded: signature.parameterClause.parameters.map(recorded),
      attributes: attributes(function.attributes),
      head: function.with(\.attributes, []).with(\.modifiers, written.modifiers.nonsending)
        .trimmedDescription,
      parameterNames: names(signature.parameterClause.parameters),
      getterEffects: "", access: ".\(name)(\(arguments))", effects: effects,
      borrowsTarget: effects.allowClosure
        && signature.parameterClause.parameters.allSatisfy(\.type.isCapturable),
      methods: [method(function, effects)])
  }

  private func method(_ function: FunctionDeclSyntax, _ effects: Effects) -> ProxiedMethod {
    let parameters = function.signature.parameterClause.parameters
    let attributes = function.attributes.without("discardableResult", "concurrent")
    let isOpen =
      effects.fitAspects && attributes.isEmpty && function.genericParameterClause?.pack == nil
      && parameters.allSatisfy { KeptParameter.obstacle($0, isAsync: effects.isAsync) == nil }
      && (function.signature.returnClause?.type.isKept ?? true)
    return ProxiedMethod(function, effects, isClosed: !isOpen)
  }

  private mutating func parse(_ variable: VariableDeclSyntax) -> ProxiedRequirement? {
    guard let binding = variable.bindings.first, let type = binding.typeAnnotation?.type,
      let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
    else { return nil }
    let name = pattern.identifier.text
    guard accepts(variable, name: name), let accessors = Accessors(binding.accessorBlock),
      accepts(accessors, name: name, at: binding)
    else { return nil }
    diagnose(accessors, of: name, at: pattern)
    return ProxiedRequirement(
      kind: .property(settable: accessors.isSettable), name: pattern.identifier.plainName,
      recorded: [], attributes: attributes(variable.attributes),
      head: "var \(name): \(type.trimmedDescription)", parameterNames: [],
      getterEffects: accessors.getterEffects, access: ".\(name)", effects: accessors.effects,
      borrowsTarget: accessors.effects.allowClosure,
      methods: methods(variable, name, type, accessors))
  }

  /// The accessors of a property as aspects see them.
  private func methods(
    _ variable: VariableDeclSyntax, _ name: String, _ type: TypeSyntax, _ accessors: Accessors
  ) -> [ProxiedMethod] {
    let isOpen = variable.attributes.isEmpty && type.isKept
    let getter = ProxiedMethod(
      base: name, result: type.trimmedDescription,
      isClosed: !isOpen || !accessors.effects.fitAspects, isAsync: accessors.effects.isAsync,
      canThrow: accessors.effects.canThrow, form: .get)
    let setter = ProxiedMethod(
      parameters: [KeptParameter(name: "newValue", type: type.trimmedDescription)],
      labels: ["_"], base: name, isClosed: !isOpen, form: .set)
    return accessors.isSettable ? [getter, setter] : [getter]
  }

  private mutating func parse(_ written: SubscriptDeclSyntax) -> ProxiedRequirement? {
    guard accepts(written, written.parameterClause.parameters, name: "subscript"),
      let accessors = Accessors(written.accessorBlock),
      accepts(accessors, name: "subscript", at: written)
    else { return nil }
    diagnose(accessors, of: "subscript", at: written.subscriptKeyword)
    var declaration = written
    declaration.parameterClause.parameters = written.parameterClause.parameters.allNamed
    // A subscript's parameters have no labels unless two names are written.
    let parameters = declaration.parameterClause.parameters
    let labels = written.parameterClause.parameters
      .map { $0.secondName == nil ? "_" : $0.firstName.text }
    let arguments = zip(labels, parameters).map { label, parameter in
      labeled(label, value(parameter))
    }
    var head = declaration.with(\.attributes, []).with(\.modifiers, [])
    head.accessorBlock = nil
    return ProxiedRequirement(
      kind: .subscripting(settable: accessors.isSettable),
      name: "subscript(" + labels.map { $0.filter { $0 != "`" } + ":" }.joined() + ")",
      recorded: parameters.map(recorded),
      attributes: attributes(declaration.attributes), head: head.trimmedDescription,
      parameterNames: names(parameters), getterEffects: accessors.getterEffects,
      access: "[\(arguments.joined(separator: ", "))]", effects: accessors.effects,
      borrowsTarget: accessors.effects.allowClosure
        && parameters.allSatisfy(\.type.isCapturable),
      methods: [ProxiedMethod(base: "subscript", isClosed: true, form: .get)])
  }

  /// The attributes without those that other macros read, which mean nothing elsewhere.
  private func attributes(_ list: AttributeListSyntax) -> String {
    list.without("Query", "Written").lines
  }

  private func names(_ parameters: FunctionParameterListSyntax) -> Set<String> {
    Set(parameters.map(\.localName.plainName))
  }

  /// The argument for an observer: its value, unless that cannot be copied or is not there yet.
  private func recorded(_ parameter: FunctionParameterSyntax) -> String {
    let type = parameter.type.withoutParentheses
    if type.isUnseen { return ".unseen(\"\(type.lastWord)\")" }
    return ".of(\(parameter.localName.reference))"
  }

  private func value(_ parameter: FunctionParameterSyntax) -> String {
    let name = parameter.localName.reference
    if parameter.type.is(PackExpansionTypeSyntax.self) { return "repeat each \(name)" }
    guard let type = parameter.type.as(AttributedTypeSyntax.self) else { return name }
    if type.specifiers.contains(where: { $0.trimmedDescription == "inout" }) { return "&\(name)" }
    return type.attributes.named("autoclosure").isEmpty ? name : "\(name)()"
  }
}

extension FunctionParameterListSyntax {
  /// The parameters, each with a name by which a body can pass it on: `_2` for `_: Int`.
  fileprivate var allNamed: FunctionParameterListSyntax {
    FunctionParameterListSyntax(
      enumerated().map { index, parameter in
        guard parameter.localName.text == "_" else { return parameter }
        return parameter.with(\.firstName.trailingTrivia, .space)
          .with(\.secondName, .identifier("_\(index + 1)"))
      })
  }
}

extension TypeSyntax {
  /// Whether an argument of the type cannot be handed to an observer as it is.
  fileprivate var isUnseen: Bool {
    if self.is(FunctionTypeSyntax.self) || self.is(PackExpansionTypeSyntax.self) { return true }
    guard let attributed = self.as(AttributedTypeSyntax.self) else { return false }
    let taken = ["borrowing", "consuming", "__owned", "__shared"]
    return !attributed.attributes.named("autoclosure").isEmpty
      || attributed.specifiers.contains { taken.contains($0.trimmedDescription) }
      || attributed.baseType.withoutParentheses.isUnseen
  }

  /// Whether an argument of the type may be passed on from a closure that is called at once.
  fileprivate var isCapturable: Bool {
    if self.is(PackExpansionTypeSyntax.self) { return false }
    guard let attributed = self.as(AttributedTypeSyntax.self) else { return true }
    return attributed.specifiers.allSatisfy { $0.trimmedDescription == "inout" }
  }

  /// The word that is recorded in place of such an argument.
  fileprivate var lastWord: String {
    let bare = self.as(AttributedTypeSyntax.self)?.baseType.withoutParentheses ?? self
    if bare.is(FunctionTypeSyntax.self) { return "function" }
    return bare.is(PackExpansionTypeSyntax.self) ? "pack" : "\(bare.trimmed)"
  }
}

// MARK: - Refusing

extension ProxiedRequirementParser {
  /// Refuses `Self` anywhere in a requirement too: an existential cannot give or take it.
  private mutating func accepts(
    _ node: some WithModifiersSyntax, _ parameters: FunctionParameterListSyntax = [], name: String
  ) -> Bool {
    if node.modifiers.isStatic {
      return refuse(
        "a proxy takes the place of an object and cannot forward the static '\(name)'", at: node)
    }
    if node.modifiers.contains("mutating") {
      return refuse(
        "'\(name)' would change a copy of the proxy's target, and the change would be lost; make "
          + "the protocol refine 'AnyObject' and drop 'mutating'", at: node)
    }
    if let variadic = parameters.first(where: { $0.ellipsis != nil }) {
      return refuse(
        "Swift cannot pass variadic arguments on, so '\(name)' cannot be forwarded; take an array",
        at: variadic)
    }
    let token = node.tokens(viewMode: .sourceAccurate).first { token in
      token.text == "Self" && token.nextToken(viewMode: .sourceAccurate)?.text != "."
    }
    guard let token else { return true }
    return refuse(
      "'\(name)' mentions 'Self', which is the proxy here and the target there; spell the "
        + "protocol's type instead", at: token)
  }

  private mutating func accepts(
    _ accessors: Accessors, name: String, at node: some SyntaxProtocol
  ) -> Bool {
    guard accessors.isSettable, !isClassBound else { return true }
    return refuse(
      "setting '\(name)' would change a copy of the proxy's target, and the change would be lost; "
        + "make the protocol refine 'AnyObject', or drop the setter", at: node)
  }
}

// MARK: - Effects

/// The effects of a requirement that matter for forwarding.
struct Effects {
  let isAsync: Bool
  let throwsClause: ThrowsClauseSyntax?

  init(_ specifiers: (some EffectSpecifiersSyntax)?) {
    isAsync = specifiers?.asyncSpecifier != nil
    throwsClause = specifiers?.throwsClause
  }

  /// Whether every error of the target's source can be thrown.
  var canThrow: Bool {
    guard let throwsClause, throwsClause.throwsSpecifier.text == "throws" else { return false }
    guard let type = throwsClause.type?.trimmedDescription else { return true }
    return type == "any Error" || type == "Error" || type == "any Swift.Error"
  }

  /// Whether a call must be marked with `try`, though its errors are limited.
  var mustTry: Bool { throwsClause != nil }

  /// Whether a chain of aspects has the same effects.
  var fitAspects: Bool { canThrow || !isAsync && !mustTry }

  /// Whether a closure that is called at once has the same effects: none, or any error.
  var allowClosure: Bool { !isAsync && (canThrow || !mustTry) }
}

/// The accessors of a property or subscript requirement.
private struct Accessors {
  let getter: AccessorDeclSyntax
  let isSettable: Bool

  init?(_ block: AccessorBlockSyntax?) {
    guard case .accessors(let list) = block?.accessors,
      let getter = list.first(where: { $0.accessorSpecifier.text == "get" })
    else { return nil }
    self.getter = getter
    isSettable = list.contains { $0.accessorSpecifier.text == "set" }
  }

  var effects: Effects { Effects(getter.effectSpecifiers) }

  var getterEffects: String { getter.effectSpecifiers?.trimmedDescription ?? "" }
}

extension ProxiedRequirementParser {
  private mutating func diagnose(
    _ effects: Effects, of name: String, at node: some SyntaxProtocol, fixIt: FixIt
  ) {
    if effects.canThrow { return }
    if let clause = effects.throwsClause {
      let plain = ThrowsClauseSyntax(
        throwsSpecifier: .keyword(.throws), trailingTrivia: clause.trailingTrivia)
      let fixIt = FixIt.replace("throw any error", clause, with: plain)
      report(
        "'\(name)' is declared '\(clause.trimmedDescription)', so a proxy cannot report that its "
          + "target is missing or failed to build and would stop the process; make it plainly "
          + "throwing", at: node, as: .warning, fixIts: [fixIt])
    } else {
      report(
        "'\(name)' does not throw, so a proxy cannot report that its target is missing or failed "
          + "to build and would stop the process; make it throwing",
        at: node, as: .warning, fixIts: [fixIt])
    }
  }

  private mutating func diagnose(
    _ accessors: Accessors, of name: String, at node: some SyntaxProtocol
  ) {
    if accessors.isSettable {
      report(
        "'\(name)' is settable, and a setter cannot throw, so a proxy whose target is missing or "
          + "failed to build would stop the process; use 'get throws' and a throwing method",
        at: node, as: .warning)
    } else {
      diagnose(accessors.effects, of: name, at: node, fixIt: Self.throwing(accessors.getter))
    }
  }

  private static func throwing(_ function: FunctionDeclSyntax) -> FixIt {
    var effects = function.signature.effectSpecifiers ?? FunctionEffectSpecifiersSyntax()
    effects.asyncSpecifier?.trailingTrivia = []
    effects.throwsClause = ThrowsClauseSyntax(
      leadingTrivia: .space, throwsSpecifier: .keyword(.throws))
    if function.signature.returnClause != nil { effects.trailingTrivia = .space }
    var signature = function.signature
    signature.parameterClause.trailingTrivia = effects.asyncSpecifier == nil ? [] : .space
    signature.effectSpecifiers = effects
    return .replace("add 'throws'", function.signature, with: signature)
  }

  private static func throwing(_ getter: AccessorDeclSyntax) -> FixIt {
    var effects = getter.effectSpecifiers ?? AccessorEffectSpecifiersSyntax()
    effects.asyncSpecifier?.trailingTrivia = []
    effects.throwsClause = ThrowsClauseSyntax(
      leadingTrivia: .space, throwsSpecifier: .keyword(.throws), trailingTrivia: .space)
    var fixed = getter
    fixed.accessorSpecifier.trailingTrivia = effects.asyncSpecifier == nil ? [] : .space
    fixed.effectSpecifiers = effects
    return .replace("add 'throws'", getter, with: fixed)
  }
}
