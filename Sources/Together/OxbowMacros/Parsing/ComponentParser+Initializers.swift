internal import SwiftSyntax

extension ComponentParser {
  /// The class's own initializers, then the static methods that return it.
  func initializers(
    of declaration: ClassDeclSyntax, written: [ComponentClass.Parameter]
  ) -> [ComponentClass.Callable] {
    let declared = declaration.members(InitializerDeclSyntax.self)
    let simple = ComponentClass.Callable(method: nil, parameters: written, canThrow: false)
    let own =
      declared.isEmpty
      ? (declaration.inheritanceClause == nil || !written.isEmpty ? [simple] : [])
      : declared.filter { $0.obstacle == nil }.flatMap { callables(nil, $0.signature) }
    let made = declaration.members(FunctionDeclSyntax.self)
      .filter { isMaker($0, of: declaration.name.text) }
      .flatMap { callables($0.name.text, $0.signature) }
    var seen: Set<[String]> = []
    return (own + made).filter {
      seen.insert([$0.method ?? "init"] + $0.parameters.map(\.name)).inserted
    }
  }

  /// The initializers that can be described for a class that inherits them, the first four.
  ///
  /// They are found by the types of their parameters, so of several with the same ones none is.
  func heritableInitializers(
    of declaration: ClassDeclSyntax, written: [ComponentClass.Parameter]
  ) -> [ComponentClass.Heritable] {
    if !written.isEmpty {
      return [
        ComponentClass.Heritable(
          access: "", parameters: written, choices: [Array(written.indices)], canThrow: false)
      ]
    }
    let declared = declaration.members(InitializerDeclSyntax.self)
    let types = declared.map { $0.signature.parameterClause.parameters.map(\.type.onOneLine) }
    let found = zip(declared, types).filter { initializer, own in
      initializer.obstacle == nil && !own.isEmpty && types.count { $0 == own } == 1
    }
    return found.prefix(ComponentClass.heritableCount).map { initializer, _ in
      let parameters = initializer.signature.parameterClause.parameters.map(parameter)
      return ComponentClass.Heritable(
        access: memberAccess(initializer.modifiers.accessLevel), parameters: parameters,
        choices: choices(of: parameters), canThrow: initializer.signature.canThrow)
    }
  }

  /// What a class is made with that declares no initializer and has no value for what is injected.
  ///
  /// Nothing where it has no value for something else either: then it needs one of its own.
  func properties(madeWith declaration: ClassDeclSyntax) -> [ComponentClass.Property] {
    let open = declaration.members(VariableDeclSyntax.self).filter(\.lacksValue)
    guard declaration.members(InitializerDeclSyntax.self).isEmpty,
      open.allSatisfy({ !Markers.injecting(on: $0.attributes).isEmpty })
    else { return [] }
    return open.compactMap(property)
  }

  /// An initializer or a method with each choice of those parameters that have a default.
  func callables(
    _ method: String?, _ signature: FunctionSignatureSyntax, product: String? = nil
  ) -> [ComponentClass.Callable] {
    variants(signature.parameterClause.parameters).map {
      ComponentClass.Callable(
        method: method, parameters: $0, product: product, canThrow: signature.canThrow)
    }
  }

  private func isMaker(_ function: FunctionDeclSyntax, of className: String) -> Bool {
    let result = function.signature.returnClause?.type.trimmedDescription ?? ""
    return function.isStatic && function.isNamed && function.obstacle == nil
      && (result == "Self" || result == className || result.hasSuffix("." + className))
  }

  /// The parameters with each choice of those that have a default, all of them first.
  ///
  /// Beyond four defaults the choices are too many: then they are all, each alone, and none.
  private func variants(_ list: FunctionParameterListSyntax) -> [[ComponentClass.Parameter]] {
    let parameters = list.map(parameter)
    return choices(of: parameters).map { $0.map { parameters[$0] } }
  }

  /// The numbers of the parameters that are given, for each choice.
  private func choices(of parameters: [ComponentClass.Parameter]) -> [[Int]] {
    let optional = parameters.indices.filter { parameters[$0].hasDefault }
    let given = choices(among: optional).filter { !shiftsArguments(parameters, given: $0) }
    return given.map { given in
      parameters.indices.filter { !parameters[$0].hasDefault || given.contains($0) }
    }
  }

  private func choices(among optional: [Int]) -> [Set<Int>] {
    if optional.count > 4 { return [Set(optional)] + optional.map { [$0] } + [[]] }
    return (0..<1 << optional.count).reversed().map { bits in
      Set(optional.enumerated().filter { bits & (1 << $0.offset) != 0 }.map(\.element))
    }
  }

  /// Whether an argument would go to a parameter before its own, because both have the same label.
  private func shiftsArguments(_ parameters: [ComponentClass.Parameter], given: Set<Int>) -> Bool {
    parameters.indices.contains { left in
      guard parameters[left].hasDefault, !given.contains(left) else { return false }
      return parameters[(left + 1)...].enumerated().contains { offset, later in
        later.label == parameters[left].label
          && (!later.hasDefault || given.contains(left + 1 + offset))
      }
    }
  }

  private func parameter(_ parameter: FunctionParameterSyntax) -> ComponentClass.Parameter {
    ComponentClass.Parameter(
      name: parameter.plainName, type: InjectedType(parameter.type.unattributed),
      label: labeled(parameter.firstName.text, ""),
      fallback: parameter.defaultValue?.value.trimmedDescription)
  }
}

extension FunctionSignatureSyntax {
  var canThrow: Bool { effectSpecifiers?.throwsClause != nil }

  /// What keeps a caller from calling with plain values at once.
  fileprivate var obstacle: String? {
    if effectSpecifiers?.asyncSpecifier != nil { return "is asynchronous" }
    for parameter in parameterClause.parameters {
      if parameter.ellipsis != nil { return "is variadic" }
      if parameter.type.isPassedSpecially { return "takes '\(parameter.type.trimmed)'" }
    }
    return nil
  }
}

extension InitializerDeclSyntax {
  /// Why generated code cannot call it, as the end of a sentence.
  var obstacle: String? {
    if isPrivate { return "is private" }
    if isRestricted { return "is not available everywhere" }
    if optionalMark != nil { return "may return nil" }
    if genericParameterClause != nil { return "is generic" }
    return signature.obstacle
  }
}

extension FunctionDeclSyntax {
  /// Why generated code cannot call it, as the end of a sentence.
  var obstacle: String? {
    if isPrivate { return "is private" }
    if isRestricted { return "is not available everywhere" }
    if genericParameterClause != nil { return "is generic" }
    return signature.obstacle
  }

  /// Whether it has a name, as opposed to an operator.
  var isNamed: Bool {
    if case .identifier = name.tokenKind { return true }
    return false
  }
}

extension TypeSyntax {
  /// Specifiers of parameters that take more than a value that can be copied.
  private static let specialSpecifiers: Set<String> = [
    "inout", "isolated", "sending", "consuming", "borrowing",
  ]

  /// Whether a caller cannot hand a plain value over: `inout`, an autoclosure, `some`.
  fileprivate var isPassedSpecially: Bool {
    if let opaque = self.as(SomeOrAnyTypeSyntax.self) {
      return opaque.someOrAnySpecifier.text == "some"
    }
    guard let attributed = self.as(AttributedTypeSyntax.self) else { return false }
    return !attributed.attributes.named("autoclosure").isEmpty
      || attributed.specifiers.contains { Self.specialSpecifiers.contains($0.trimmedDescription) }
  }

  /// The type without `@escaping`, `sending` and the like.
  fileprivate var unattributed: TypeSyntax {
    guard let attributed = self.as(AttributedTypeSyntax.self) else { return self }
    let kept = attributed.attributes.without("escaping")
    if kept.isEmpty { return attributed.baseType }
    return TypeSyntax(attributed.with(\.attributes, kept).with(\.specifiers, []))
  }
}
