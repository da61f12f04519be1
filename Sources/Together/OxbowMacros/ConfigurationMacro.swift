internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// `@Configuration` on a struct: which placeholder fills each of its properties.
struct ConfigurationMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let declaration = declaration.as(StructDeclSyntax.self) else {
      return context.refuse(
        "'@Configuration' fills the properties of a struct, and '\(declaration.nameText)' is "
          + "\(declaration.kindName)", at: node)
    }
    var parser = ConfigurationParser()
    let properties = parser.parse(declaration)
    parser.diagnostics.forEach(context.diagnose)
    guard !parser.diagnostics.haveErrors, !properties.isEmpty else { return [] }
    let access = memberAccess(context.accessLevel(declaration.modifiers))
    let arguments = properties.enumerated().map { "\($1.name): $\($0)" }.joined(separator: ", ")
    let values = properties.map { ",\n      \($0.reference)" }.joined()
    return [
      try ExtensionDeclSyntax(
        """
        \(raw: declaration.attributes.availability)nonisolated extension \(type.trimmed): \
        ConfigurationValue {
          \(raw: access)static var _keyPrefix: String { \(raw: Arguments(node).first ?? "\"\"") }

          \(raw: access)static func _define(_ settings: _Settings) -> Ref<Self> {
            settings.define(
              { Self(\(raw: arguments)) }\(raw: values))
          }
        }
        """)
    ]
  }
}

/// `@Secret`: a mark for `@Configuration`, and a check that it reads it.
struct ConfigurationMarkerMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let around = context.lexicalContext.first?.as(StructDeclSyntax.self)
    if !declaration.is(VariableDeclSyntax.self)
      || around?.attributes.named("Configuration").isEmpty ?? true
    {
      context.report(
        "'@Secret' belongs on a property of a '@Configuration' struct, and means nothing here",
        at: node)
    }
    return []
  }
}

/// A property that a placeholder fills.
private struct ConfiguredProperty {
  let name: String
  let type: TypeSyntax
  let initial: ExprSyntax?
  let isSecret: Bool

  /// The reference to its value.
  var reference: String {
    let isOptional = type.is(OptionalTypeSyntax.self) || type.lastName == "Optional"
    let fallback = initial?.trimmedDescription ?? (isOptional ? "nil" : nil)
    let key = name.filter { $0 != "`" }
    return
      "settings.\(isSecret ? "secret" : "value")(\"\(key)\", as: (\(type.trimmedDescription)).self"
      + (fallback.map { ", default: .some(\($0))" } ?? "") + ")"
  }
}

/// Reads the properties of a struct, and collects its mistakes.
private struct ConfigurationParser: DeclarationParser {
  var diagnostics: [Diagnostic] = []

  mutating func parse(_ declaration: StructDeclSyntax) -> [ConfiguredProperty] {
    let members = declaration.memberBlock.members.map(\.decl)
    if let initializer = members.compactMap({ $0.as(InitializerDeclSyntax.self) }).first {
      report(
        "'@Configuration' needs the initializer that the compiler writes for all properties; move "
          + "this one into an extension", at: initializer.initKeyword)
    }
    if let clause = declaration.genericParameterClause {
      report("'@Configuration' fills types that are known; drop the parameters", at: clause)
    }
    for condition in members.compactMap({ $0.as(IfConfigDeclSyntax.self) })
    where condition.hasStoredProperties {
      report(
        "'@Configuration' cannot see which branch of '#if' is compiled; declare the property "
          + "outside of it", at: condition.poundKeyword)
    }
    let properties = members.compactMap { $0.as(VariableDeclSyntax.self) }.compactMap {
      property($0)
    }
    if properties.isEmpty, diagnostics.isEmpty {
      report(
        "'\(declaration.name.text)' has no properties to configure; declare some, or drop "
          + "'@Configuration'", at: declaration.name)
    }
    return properties
  }

  private mutating func property(_ variable: VariableDeclSyntax) -> ConfiguredProperty? {
    guard !variable.modifiers.isStatic, !variable.modifiers.contains("lazy") else { return nil }
    let isConstant = variable.bindingSpecifier.text == "let"
    guard
      let (binding, name) = single(
        variable, else: "'@Configuration' reads one property in a declaration; give each its own")
    else { return nil }
    // What is computed has no value, and a constant with one has it already.
    guard variable.isStoredOnInstance, !isConstant || binding.initializer == nil else {
      return nil
    }
    guard let type = binding.typeAnnotation?.type ?? type(of: binding.initializer?.value) else {
      return refuse(
        "'@Configuration' does not see the type of '\(name.identifier.text)'; write it: "
          + "'\(name.identifier.text): Int'", at: name)
    }
    return ConfiguredProperty(
      name: name.identifier.text, type: type.trimmed, initial: binding.initializer?.value,
      isSecret: !variable.attributes.named("Secret").isEmpty)
  }

  /// The type of a literal.
  private func type(of value: ExprSyntax?) -> TypeSyntax? {
    switch value?.kind {
    case .stringLiteralExpr: "String"
    case .integerLiteralExpr: "Int"
    case .floatLiteralExpr: "Double"
    case .booleanLiteralExpr: "Bool"
    default: nil
    }
  }
}
