internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// `@Lazy`, `@Injected`, `@Final`, `@Preference` and `@Attributed`: accessors of a property, and
/// what is stored beside it.
struct PropertyAttributeMacro: AccessorMacro, PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    var parser = AttributedVariableParser(in: context)
    guard let variable = parser.parse(declaration, node) else {
      return AttributedVariableParser.standIns(for: declaration, node, in: context)
    }
    return variable.members.accessors.map { "\(raw: $0)" }
  }

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    var parser = AttributedVariableParser(in: context)
    let variable = parser.parse(declaration, node)
    parser.diagnostics.forEach(context.diagnose)
    return variable?.members.peers.map { "\(raw: $0)" } ?? []
  }
}
