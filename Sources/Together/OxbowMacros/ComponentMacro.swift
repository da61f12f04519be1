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
    var parser = ComponentParser(in: context)
    let component = parser.parse(declaration, node)
    parser.diagnostics.forEach(context.diagnose)
    return component?.members(overrides: protocols.isEmpty) { location(of: $0, in: context) } ?? []
  }

  /// The location of a node as arguments: `file: "Module/File.swift", line: 3`.
  private static func location(
    of node: some SyntaxProtocol, in context: some MacroExpansionContext
  ) -> String {
    guard let location = context.location(of: node) else { return "" }
    return ", file: \(location.file), line: \(location.line)"
  }

  /// The conformance, unless the superclass has it.
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    var parser = ComponentParser(in: context)
    guard !protocols.isEmpty, parser.parse(declaration, node) != nil else { return [] }
    return [
      try ExtensionDeclSyntax(
        "extension \(type.trimmed): nonisolated Component {}")
    ]
  }
}
