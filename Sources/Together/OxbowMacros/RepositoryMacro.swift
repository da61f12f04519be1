internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// `@Repository` on a protocol: its methods for every `Stored` type, and the texts of its queries.
///
/// The methods are in an extension: optimized builds see only conformances in the sources, and not
/// those of a class that a macro writes.
struct RepositoryMacro: ExtensionMacro, PeerMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let declaration = declaration.as(ProtocolDeclSyntax.self) else {
      let name = declaration.nameText
      return context.refuse(
        "'@Repository' writes the methods of a protocol, and '\(name)' is \(declaration.kindName); "
          + "declare a protocol that refines 'Repository<…>', attach it there, and let '\(name)' "
          + "conform to it and to 'Stored'", at: node)
    }
    var parser = RepositoryParser(in: context)
    let repository = parser.parse(declaration)
    parser.diagnostics.forEach(context.diagnose)
    guard let repository, !repository.methods.isEmpty else { return [] }
    return [
      try ExtensionDeclSyntax(
        """
        \(raw: declaration.attributes.availability)nonisolated extension \(type.trimmed) \
        where Self: Stored {
        \(raw: repository.members)
        }
        """)
    ]
  }

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let declaration = declaration.as(ProtocolDeclSyntax.self) else { return [] }
    var parser = RepositoryParser(in: context)
    guard let repository = parser.parse(declaration), !parser.diagnostics.haveErrors else {
      return []
    }
    return repository.queries.map { [$0] } ?? []
  }
}

/// `@Query` and `@Written`: marks for `@Repository`, and a check that it reads them.
struct RepositoryMarkerMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let around = context.lexicalContext.first?.as(ProtocolDeclSyntax.self)
    if around?.attributes.named("Repository").isEmpty ?? true {
      context.report(
        "'@\(node.attributeName.lastName)' belongs on a requirement of a '@Repository' protocol, "
          + "and means nothing here", at: node)
    }
    return []
  }
}
