internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxMacros

/// `@Inject`, `@Autowired` and `@FactoryMethod`: marks for `@Component`, and a check.
struct ComponentMarkerMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let marker = node.attributeName.lastName
    let surroundings = context.lexicalContext.first
    if !belongs(marker, on: DeclSyntax(declaration)) {
      let owner = marker == "FactoryMethod" ? "a method" : "a property or an initializer"
      context.report("'@\(marker)' belongs on \(owner)", at: node)
    } else if surroundings?.is(ExtensionDeclSyntax.self) ?? false {
      context.report(
        "'@Component' sees the members of the class itself only; move this one there, or drop "
          + "'@\(marker)'", at: node)
    } else if surroundings?.as(ClassDeclSyntax.self)?.attributes.named("Component").isEmpty ?? true
    {
      context.report(
        "'@\(marker)' is read by '@Component', and this is not a member of a class with that "
          + "annotation", at: node)
    }
    return []
  }

  private static func belongs(_ marker: String, on declaration: DeclSyntax) -> Bool {
    if marker == "FactoryMethod" { return declaration.is(FunctionDeclSyntax.self) }
    return declaration.is(VariableDeclSyntax.self) || declaration.is(InitializerDeclSyntax.self)
  }
}
