internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// Reads a property that has an attribute; collects what keeps it from having one.
struct AttributedVariableParser: DeclarationParser {
  var diagnostics: [Diagnostic] = []
  private let context: any MacroExpansionContext

  /// The attributes that give a property its accessors.
  private static let names = ["Lazy", "Injected", "Final", "Preference", "Attributed"]

  init(in context: any MacroExpansionContext) { self.context = context }

  /// Reads the property; nil when it had to be refused, or when another attribute is the one that
  /// reports.
  mutating func parse(_ declaration: some DeclSyntaxProtocol, _ node: AttributeSyntax)
    -> AttributedVariable?
  {
    let attribute = node.attributeName.lastName
    guard let variable = declaration.as(VariableDeclSyntax.self) else {
      return refuse(AttributeDiagnostics.notAProperty(attribute).at(node))
    }
    let all = Self.attributes(of: variable)
    if all.count > 1 {
      guard Self.isLast(node, on: variable) else { return nil }
      return refuse(AttributeDiagnostics.two(all[0].attributeName.lastName, attribute).at(node))
    }
    guard let binding = single(variable), accepts(variable, binding, node),
      let pattern = binding.pattern.as(IdentifierPatternSyntax.self),
      let owner = owner(node, attribute, pattern.identifier.plainName),
      let type = annotatedType(binding, pattern, attribute)
    else { return nil }
    let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType
    let spelled = SpelledType(unwrapped.map { "\($0.trimmed)?" } ?? type)
    let value = binding.initializer?.value
    if attribute == "Preference", value == nil, !spelled.isOptional {
      return refuse(AttributeDiagnostics.noDefault(pattern.identifier.plainName).at(node))
    }
    return AttributedVariable(
      attribute: attribute, spelling: pattern.identifier.text,
      name: pattern.identifier.plainName, owner: owner,
      type: unwrapped.map { "\($0.trimmed)?" } ?? type.trimmedDescription,
      wrappedType: spelled.base, isOptional: spelled.isOptional,
      initialValue: value?.trimmedDescription,
      staticPrefix: variable.modifiers.contains("static") ? "static " : "",
      access: Self.setterAccess(variable.modifiers), arguments: Arguments(node),
      location: context.location(forDirectiveAt: Syntax(node)))
  }

  /// What stands in for the accessors of a property that was refused, so that its mistake is the
  /// only error; none where another macro or the user writes accessors.
  static func standIns(
    for declaration: some DeclSyntaxProtocol, _ node: AttributeSyntax,
    in context: some MacroExpansionContext
  ) -> [AccessorDeclSyntax] {
    guard let variable = declaration.as(VariableDeclSyntax.self),
      variable.bindingSpecifier.text == "var",
      variable.bindings.allSatisfy({ $0.accessorBlock == nil }),
      context.lexicalContext.first?.as(ClassDeclSyntax.self)?.attributes.named("Entity").isEmpty
        ?? true,
      attributes(of: variable).count < 2 || !isLast(node, on: variable)
    else { return [] }
    return ["get { Swift.fatalError() }", "set {}"]
  }

  private static func attributes(of variable: VariableDeclSyntax) -> [AttributeSyntax] {
    variable.attributes.compactMap { $0.as(AttributeSyntax.self) }
      .filter { names.contains($0.attributeName.lastName) }
  }

  private static func isLast(_ node: AttributeSyntax, on variable: VariableDeclSyntax) -> Bool {
    attributes(of: variable).last?.trimmedDescription == node.trimmedDescription
  }

  private mutating func single(_ variable: VariableDeclSyntax) -> PatternBindingSyntax? {
    guard variable.bindings.count == 1, let binding = variable.bindings.first,
      binding.pattern.is(IdentifierPatternSyntax.self)
    else {
      return refuse(AttributeDiagnostics.severalNames.at(variable.bindingSpecifier))
    }
    return binding
  }

  private mutating func accepts(
    _ variable: VariableDeclSyntax, _ binding: PatternBindingSyntax, _ node: AttributeSyntax
  ) -> Bool {
    let attribute = node.attributeName.lastName
    let name = binding.pattern.trimmedDescription
    if variable.bindingSpecifier.text == "let" {
      return refuse(
        AttributeDiagnostics.constant(name, attribute).at(
          variable.bindingSpecifier, fixIts: [variable.useVar]))
    }
    let refused =
      ["lazy", "weak", "unowned", "override"]
      + (attribute == "Preference" ? [] : ["static", "class"])
    for modifier in variable.modifiers where refused.contains(modifier.name.text) {
      return refuse(
        AttributeDiagnostics.modifier(name, modifier.name.text, attribute).at(modifier))
    }
    if let block = binding.accessorBlock {
      return refuse(AttributeDiagnostics.accessors(name, attribute).at(block))
    }
    return acceptsInitialValue(binding, name, node)
  }

  private mutating func acceptsInitialValue(
    _ binding: PatternBindingSyntax, _ name: String, _ node: AttributeSyntax
  ) -> Bool {
    let attribute = node.attributeName.lastName
    guard let value = binding.initializer?.value, !value.is(NilLiteralExprSyntax.self) else {
      return true
    }
    guard
      ["Final", "Injected"].contains(attribute) || (attribute == "Lazy" && !Arguments(node).isEmpty)
    else { return true }
    var fixed = binding
    fixed.initializer = nil
    fixed.typeAnnotation?.trailingTrivia = []
    let fixIt = FixIt.replace("remove the value", binding, with: fixed)
    return refuse(
      AttributeDiagnostics.initialValue(name, attribute).at(value, fixIts: [fixIt]))
  }

  private mutating func annotatedType(
    _ binding: PatternBindingSyntax, _ pattern: IdentifierPatternSyntax, _ attribute: String
  ) -> TypeSyntax? {
    if let type = binding.typeAnnotation?.type { return type }
    return refuse(
      AttributeDiagnostics.noType(pattern.identifier.plainName, attribute).at(
        pattern, fixIts: [binding.addType]))
  }

  /// The access that lets code assign the property, which is that of `$name`.
  private static func setterAccess(_ modifiers: DeclModifierListSyntax) -> String {
    let setter = modifiers.first { $0.detail?.detail.text == "set" }?.name.text
    let level = setter ?? modifiers.accessLevel
    return level.isEmpty ? "" : (level == "open" ? "public " : level + " ")
  }
}

// MARK: - Surroundings

extension AttributedVariableParser {
  private mutating func owner(
    _ node: AttributeSyntax, _ attribute: String, _ name: String
  ) -> AttributedVariable.Owner? {
    guard let nearest = context.lexicalContext.first else {
      return refuse(AttributeDiagnostics.global(name, attribute).at(node))
    }
    guard let group = nearest.asProtocol((any DeclGroupSyntax).self) else {
      return refuse(AttributeDiagnostics.local(name, attribute).at(node))
    }
    guard let named = nearest.asProtocol((any NamedDeclSyntax).self)?.name.text,
      !group.is(ProtocolDeclSyntax.self)
    else {
      return refuse(
        AttributeDiagnostics.notStored(name, attribute, group.kindName).at(node))
    }
    if !group.attributes.named("Entity").isEmpty {
      return refuse(AttributeDiagnostics.inEntity(name, attribute, named).at(node))
    }
    let isReference = group.is(ClassDeclSyntax.self) || group.is(ActorDeclSyntax.self)
    if attribute == "Injected", !isReference {
      return refuse(AttributeDiagnostics.injectedIntoValue(name, named).at(node))
    }
    if attribute != "Preference", group.is(EnumDeclSyntax.self) {
      return refuse(AttributeDiagnostics.notStored(name, attribute, "an enum").at(node))
    }
    let path = context.lexicalContext.reversed().compactMap {
      $0.asProtocol((any NamedDeclSyntax).self).flatMap {
        $0.asProtocol((any DeclGroupSyntax).self) == nil ? nil : $0.name.text
      }
    }
    return AttributedVariable.Owner(
      isReference: isReference, isActor: group.is(ActorDeclSyntax.self), name: named,
      path: path.joined(separator: "."))
  }
}
