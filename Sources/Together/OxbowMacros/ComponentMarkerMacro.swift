internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxMacros

/// `@Inject`, `@Autowired` and `@FactoryMethod`: marks that `@Component` reads, and a check that it
/// does.
struct ComponentMarkerMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let marker = node.attributeName.lastName
    let surroundings = context.lexicalContext.first
    if !belongs(marker, on: DeclSyntax(declaration)) {
      context.diagnose(ComponentDiagnostics.misplaced(marker).at(node))
    } else if surroundings?.is(ExtensionDeclSyntax.self) ?? false {
      context.diagnose(ComponentDiagnostics.inExtension(marker).at(node))
    } else if surroundings?.as(ClassDeclSyntax.self)?.attributes.named("Component").isEmpty ?? true
    {
      context.diagnose(ComponentDiagnostics.outsideComponent(marker).at(node))
    }
    return []
  }

  private static func belongs(_ marker: String, on declaration: DeclSyntax) -> Bool {
    if marker == "FactoryMethod" { return declaration.is(FunctionDeclSyntax.self) }
    return declaration.is(VariableDeclSyntax.self) || declaration.is(InitializerDeclSyntax.self)
  }
}
