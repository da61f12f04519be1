internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// `@Proxied` on a protocol: a forwarding protocol with its members, and a proxy class.
struct ProxiedMacro: PeerMacro {
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

  private static func diagnoseKind(
    _ declaration: some DeclSyntaxProtocol, _ node: AttributeSyntax,
    _ context: some MacroExpansionContext
  ) {
    let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name.text ?? "this declaration"
    let kind = declaration.asProtocol((any DeclGroupSyntax).self)?.kindName ?? "no protocol"
    context.report(
      "'@Proxied' generates a proxy for a protocol, and '\(name)' is \(kind); declare a protocol "
        + "for what callers need and attach it there", at: node)
  }
}

/// `@_ForwardingMembers`, which `@Proxied` puts on the forwarding protocol: the protocol's
/// extension.
///
/// Only a macro that is attached to a protocol can extend it.
struct ForwardingMembersMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    let literal = Arguments(node).unlabeled.first?.as(StringLiteralExprSyntax.self)
    let lines = literal?.segments.compactMap { $0.as(StringSegmentSyntax.self)?.content.text } ?? []
    return [
      try ExtensionDeclSyntax(
        """
        \(raw: declaration.attributes.availability)nonisolated extension \(type.trimmed) {
        \(raw: lines.joined())
        }
        """)
    ]
  }
}
