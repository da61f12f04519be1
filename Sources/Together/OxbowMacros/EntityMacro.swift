internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// `@Entity` on a class: accessors for its properties, its description, its conformance.
struct EntityMacro: MemberMacro, MemberAttributeMacro, ExtensionMacro {
  /// The members that describe the entity; this role reports what is wrong with the class.
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    var parser = EntityParser(in: context)
    let entity = parser.parse(declaration, node)
    parser.diagnostics.forEach(context.diagnose)
    guard let entity else { return parser.standIns(for: declaration) }
    let refused = parser.diagnostics.haveErrors ? [entity.refusedInitializer] : []
    return entity.descriptionMembers + refused
  }

  /// The accessor macro for a stored property.
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    var parser = EntityParser(in: context)
    var reader = EntityPropertyParser(in: context)
    guard let entity = parser.parse(declaration, node),
      let property = reader.parse(DeclSyntax(member)),
      let index = entity.properties.firstIndex(where: { $0.name == property.name })
    else { return [] }
    let parent = entity.parent.map { ", after: \"\($0)\"" } ?? ""
    return ["@_EntityProperty(\(raw: index)\(raw: parent))"]
  }

  /// The conformance, unless the superclass has it.
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    var parser = EntityParser(in: context)
    guard !protocols.isEmpty, parser.parse(declaration, node) != nil else { return [] }
    return [try ExtensionDeclSyntax("nonisolated extension \(type.trimmed): ModelObject {}")]
  }
}

/// `@_EntityProperty`, which `@Entity` puts on each stored property.
struct EntityPropertyMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    var reader = EntityPropertyParser(in: context)
    let arguments = Arguments(node)
    guard let property = reader.parse(DeclSyntax(declaration)), let index = arguments.first else {
      return []
    }
    let parent = arguments.expression("after")?.as(StringLiteralExprSyntax.self)?.segments
      .description
    return property.accessorPair(parent.map { "\($0)._propertyCount + \(index)" } ?? index)
  }
}

/// `@Attribute` and `@Relationship`: options for `@Entity`, and a check that it reads them.
struct EntityOptionMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let owner = context.lexicalContext.first?.as(ClassDeclSyntax.self)
    if owner?.attributes.named("Entity").isEmpty ?? true {
      context.report(
        "'@\(node.attributeName.lastName)' belongs on a property of a class that is an '@Entity'",
        at: node)
    }
    return []
  }
}
