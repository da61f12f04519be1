internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// `@Component` on a class: its description for files, and the record that makes it known.
struct ComponentMacro: MemberMacro, ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    var parser = ComponentParser()
    let component = parser.parse(declaration, node, context: context.lexicalContext)
    parser.diagnostics.forEach(context.diagnose)
    return component?.members(overrides: protocols.isEmpty) ?? []
  }

  /// The conformance, unless a superclass brought it.
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    var parser = ComponentParser()
    guard !protocols.isEmpty,
      parser.parse(declaration, node, context: context.lexicalContext) != nil
    else { return [] }
    return [try ExtensionDeclSyntax("extension \(type.trimmed): nonisolated Component {}")]
  }
}
