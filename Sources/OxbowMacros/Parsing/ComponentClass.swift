internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxMacros

/// What `@Component` reads from a class.
struct ComponentClass {
  /// Something that a file can fill: a property or an initializer parameter.
  struct Place {
    /// The label where there is one, else the name.
    let name: String
    let type: InjectedType
  }

  struct Property {
    /// The name as it is spelled, with back quotes where it has any.
    let spelling: String
    let place: Place
  }

  struct Parameter {
    let place: Place

    /// `label: `, or empty.
    let label: String
    let hasDefault: Bool
  }

  struct Initializer {
    let parameters: [Parameter]
    let canThrow: Bool
  }

  let name: String

  /// `public `, `open `, or empty.
  let access: String
  let isMainActor: Bool
  let initializers: [Initializer]
  let properties: [Property]
}

/// Reads a class declaration; collects what keeps it from being described.
struct ComponentParser {
  private(set) var diagnostics: [Diagnostic] = []

  mutating func parse(
    _ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax, context: [Syntax]
  ) -> ComponentClass? {
    let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name
    guard let declaration = declaration.as(ClassDeclSyntax.self) else {
      diagnostics.append(
        ComponentDiagnostics.notAClass(name?.text ?? "this", declaration.kindName).at(attribute))
      return nil
    }
    guard accepts(declaration, in: context) else { return nil }
    let isMainActor = isMainActor(declaration, Arguments(attribute))
    let level = declaration.modifiers.accessLevel
    return ComponentClass(
      name: declaration.name.text,
      access: level == "open" ? "open " : memberAccess(level), isMainActor: isMainActor,
      initializers: isMainActor ? [] : initializers(of: declaration),
      properties: isMainActor ? [] : properties(of: declaration))
  }

  private mutating func accepts(_ declaration: ClassDeclSyntax, in context: [Syntax]) -> Bool {
    let name = declaration.name.text
    let surroundings = context.compactMap { $0.asProtocol((any WithGenericParametersSyntax).self) }
    if declaration.genericParameterClause != nil
      || surroundings.contains(where: { $0.genericParameterClause != nil })
    {
      diagnostics.append(ComponentDiagnostics.generic(name).at(declaration.name))
      return false
    }
    let isLocal = context.contains { node in
      !node.isProtocol((any DeclGroupSyntax).self)
    }
    if isLocal {
      diagnostics.append(ComponentDiagnostics.local(name).at(declaration.name))
      return false
    }
    return true
  }

  private func isMainActor(_ declaration: ClassDeclSyntax, _ arguments: Arguments) -> Bool {
    if !declaration.attributes.named("MainActor").isEmpty { return true }
    return arguments["isolation"]?.hasSuffix(".mainActor") ?? false
  }
}

// MARK: - Properties

extension ComponentParser {
  private func properties(of declaration: ClassDeclSyntax) -> [ComponentClass.Property] {
    declaration.memberBlock.members.compactMap { member in
      guard let variable = member.decl.as(VariableDeclSyntax.self), isSettable(variable),
        let binding = variable.bindings.first, variable.bindings.count == 1,
        let pattern = binding.pattern.as(IdentifierPatternSyntax.self),
        let type = binding.typeAnnotation?.type ?? binding.initializer?.value.inferredType
      else { return nil }
      return ComponentClass.Property(
        spelling: pattern.identifier.text,
        place: ComponentClass.Place(
          name: pattern.identifier.plainName, type: InjectedType(type)))
    }
  }

  /// Whether code beside the class can set the property.
  private func isSettable(_ variable: VariableDeclSyntax) -> Bool {
    let hidden = variable.modifiers.contains { modifier in
      ["private", "fileprivate"].contains(modifier.name.text)
        || ["static", "class"].contains(modifier.name.text)
    }
    guard variable.bindingSpecifier.text == "var", !hidden,
      variable.attributes.named("MainActor").isEmpty
    else { return false }
    return variable.isStoredOnInstance || variable.hasSetter
  }
}

extension VariableDeclSyntax {
  fileprivate var hasSetter: Bool {
    guard case .accessors(let accessors) = bindings.first?.accessorBlock?.accessors else {
      return false
    }
    return accessors.contains { ["set", "_modify"].contains($0.accessorSpecifier.text) }
  }
}

extension ExprSyntax {
  /// The type of a literal or of a plain construction: `String` for `""`, `Clock` for `Clock()`.
  fileprivate var inferredType: TypeSyntax? {
    literalType.map { TypeSyntax(IdentifierTypeSyntax(name: .identifier($0))) }
  }
}

// MARK: - Initializers

extension ComponentParser {
  private func initializers(of declaration: ClassDeclSyntax) -> [ComponentClass.Initializer] {
    let declared = declaration.memberBlock.members.compactMap {
      $0.decl.as(InitializerDeclSyntax.self)
    }
    if declared.isEmpty { return [ComponentClass.Initializer(parameters: [], canThrow: false)] }
    let described = declared.filter(isDescribable).flatMap(variants)
    var seen: Set<[String]> = []
    return described.filter { seen.insert($0.parameters.map(\.place.name)).inserted }
  }

  private func isDescribable(_ initializer: InitializerDeclSyntax) -> Bool {
    let signature = initializer.signature
    let parameters = signature.parameterClause.parameters
    let level = initializer.modifiers.accessLevel
    return level != "private" && level != "fileprivate" && initializer.optionalMark == nil
      && initializer.genericParameterClause == nil
      && signature.effectSpecifiers?.asyncSpecifier == nil
      && initializer.attributes.named("MainActor").isEmpty
      && parameters.allSatisfy { $0.ellipsis == nil && !$0.type.isPassedSpecially }
  }

  /// The initializer with all its parameters, and with those that must be given.
  private func variants(_ initializer: InitializerDeclSyntax) -> [ComponentClass.Initializer] {
    let canThrow = initializer.signature.effectSpecifiers?.throwsClause != nil
    let parameters = initializer.signature.parameterClause.parameters.map(parameter)
    let required = parameters.filter { !$0.hasDefault }
    let all = ComponentClass.Initializer(parameters: parameters, canThrow: canThrow)
    if required.count == parameters.count { return [all] }
    return [all, ComponentClass.Initializer(parameters: required, canThrow: canThrow)]
  }

  private func parameter(_ parameter: FunctionParameterSyntax) -> ComponentClass.Parameter {
    let hasLabel = parameter.firstName.text != "_"
    let named = hasLabel ? parameter.firstName : parameter.secondName ?? parameter.firstName
    return ComponentClass.Parameter(
      place: ComponentClass.Place(
        name: named.plainName, type: InjectedType(parameter.type.unattributed)),
      label: hasLabel ? "\(parameter.firstName.text): " : "",
      hasDefault: parameter.defaultValue != nil)
  }
}

extension TypeSyntax {
  /// Whether a caller cannot hand a plain value over: `inout`, an autoclosure.
  fileprivate var isPassedSpecially: Bool {
    guard let attributed = self.as(AttributedTypeSyntax.self) else { return false }
    return !attributed.attributes.named("autoclosure").isEmpty
      || attributed.specifiers.contains { $0.trimmedDescription == "inout" }
  }

  /// The type without `@escaping`, `sending` and the like.
  fileprivate var unattributed: TypeSyntax {
    guard let attributed = self.as(AttributedTypeSyntax.self) else { return self }
    let kept = attributed.attributes.filter {
      $0.as(AttributeSyntax.self)?.attributeName.lastName != "escaping"
    }
    if kept.isEmpty { return attributed.baseType }
    return TypeSyntax(attributed.with(\.attributes, kept).with(\.specifiers, []))
  }
}
