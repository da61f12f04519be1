internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxMacros

/// `@Proxied` on a protocol: a forwarding protocol, a proxy class, forwarding members.
struct ProxiedMacro: PeerMacro, ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let declaration = declaration.as(ProtocolDeclSyntax.self) else {
      diagnoseKind(declaration, node, context)
      return []
    }
    var parser = ProxiedParser(in: context)
    let proxied = parser.parse(declaration, node)
    parser.diagnostics.forEach(context.diagnose)
    if parser.diagnostics.haveErrors { return proxied.standIns }
    return [proxied.forwardingProtocol, proxied.proxyClass]
  }

  /// Reports nothing: the peer role has reported already.
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let declaration = declaration.as(ProtocolDeclSyntax.self) else { return [] }
    var parser = ProxiedParser(in: context)
    let proxied = parser.parse(declaration, node)
    if parser.diagnostics.haveErrors { return [] }
    return [try proxied.forwardingExtension(of: type)]
  }

  private static func diagnoseKind(
    _ declaration: some DeclSyntaxProtocol, _ node: AttributeSyntax,
    _ context: some MacroExpansionContext
  ) {
    let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name.text ?? "this declaration"
    let kind = declaration.asProtocol((any DeclGroupSyntax).self)?.kindName ?? "no protocol"
    context.diagnose(ProxiedDiagnostics.notAProtocol(name, kind).at(node))
  }
}
