internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// A protocol as `@Proxied` reads it: plain text, ready to emit.
struct ProxiedProtocol {
  /// A protocol that this one refines, as it is spelled: `Base.Named<Key>`.
  struct Parent {
    let spelling: String
    let name: String

    /// `Base.NamedForwarding<Key>`.
    let forwarding: String
  }

  /// A line that the sources need, and where its absence is reported.
  struct Statement {
    /// `extension Shop.StatsProxy: Shop.StatsForwarding {}`.
    let text: String

    /// The file and the line of the protocol as arguments; empty where they are unknown.
    let location: String
  }

  /// A primary associated type.
  struct AssociatedType {
    let name: String

    /// `: Hashable & Sendable`, or empty.
    let inheritance: String

    /// `Key.Value == Int` and so on, of a `where` clause.
    let requirements: [String]
  }

  let name: String

  /// The access of members, and that of the types beside the protocol with a space after it, which
  /// have it from an extension around them.
  let access: String
  let peerAccess: String

  /// The conformance that the sources must state for a protocol that only its module sees: the
  /// optimizer takes those in the sources for all, and does not see those that a macro writes.
  let statement: Statement?
  let availability: String
  let parents: [Parent]

  /// The protocols named by `also:`, reached through several parents.
  let also: [Parent]
  let associatedTypes: [AssociatedType]

  /// The requirements of the protocol's `where` clause: `Key == Int`.
  let whereRequirements: [String]

  /// Those that are about a primary associated type alone.
  let primaryRequirements: [String]
  let requirements: [ProxiedRequirement]

  /// Whether aspects can run around its methods.
  let hasAspects: Bool

  /// `_targetNamed`.
  var targetName: String { "_target" + name }

  /// `_borrowedNamed`.
  var borrowedName: String { "_borrowed" + name }

  /// `any Store<Key>`, or `any Named`.
  var existential: String {
    associatedTypes.isEmpty ? "any \(name)" : "any \(name)\(typeArguments)"
  }

  /// `<Key>`, or empty.
  var typeArguments: String {
    associatedTypes.isEmpty ? "" : "<" + associatedTypes.map(\.name).joined(separator: ", ") + ">"
  }

  /// Whether the protocol may bind or hand on associated types of a parent.
  var isGeneric: Bool {
    !associatedTypes.isEmpty || !whereRequirements.isEmpty
      || (parents + also).contains { $0.spelling.contains("<") }
  }
}

/// Reads a protocol declaration; collects what prevents a proxy.
struct ProxiedParser: DeclarationParser {
  var diagnostics: [Diagnostic] = []
  private let context: any MacroExpansionContext

  init(in context: some MacroExpansionContext) { self.context = context }

  /// Protocols without requirements that a proxy would have to forward.
  private static let markers: Set<String> = [
    "Sendable", "SendableMetatype", "AnyObject", "class", "Copyable", "Escapable",
    "BitwiseCopyable",
  ]

  /// Well-known protocols without forwarding.
  private static let unproxied: Set<String> = [
    "Equatable", "Hashable", "Comparable", "Codable", "Encodable", "Decodable", "Identifiable",
    "Error", "CustomStringConvertible", "CustomDebugStringConvertible", "Sequence", "Collection",
    "Actor", "CaseIterable", "RawRepresentable",
  ]

  mutating func parse(_ declaration: ProtocolDeclSyntax, _ attribute: AttributeSyntax)
    -> ProxiedProtocol
  {
    let clause = WhereClause(declaration.genericWhereClause)
    let inherited =
      (declaration.inheritanceClause.map { spelledTypes($0) } ?? []) + clause.inherited
    let isClassBound = inherited.contains { $0.lastName == "AnyObject" }
    diagnoseIsolation(declaration)
    let parents = inherited.compactMap { parent($0) }
    let also = alsoArguments(attribute, parents: parents)
    let types = associatedTypes(declaration)
    let access = access(of: declaration)
    return ProxiedProtocol(
      name: declaration.name.text,
      access: access,
      peerAccess: access.isEmpty || declaration.modifiers.accessLevel.isEmpty ? "" : access + " ",
      statement: statement(for: declaration),
      availability: declaration.attributes.availability,
      parents: parents, also: also, associatedTypes: types,
      whereRequirements: clause.requirements.map(\.text),
      primaryRequirements: clause.requirements
        .filter { requirement in types.contains { $0.name == requirement.subject } }.map(\.text),
      requirements: requirements(declaration, isClassBound: isClassBound),
      hasAspects: hasAspects(attribute, types))
  }

  /// Whether `aspects: true` is written, which a generic proxy cannot have.
  private mutating func hasAspects(
    _ attribute: AttributeSyntax, _ types: [ProxiedProtocol.AssociatedType]
  ) -> Bool {
    guard let written = Arguments(attribute).expression("aspects") else { return false }
    guard let literal = written.as(BooleanLiteralExprSyntax.self) else {
      return refuse(
        "the macro must see whether aspects can run around the methods; write 'true' or 'false'",
        at: written)
    }
    guard literal.literal.text == "true" else { return false }
    if !types.isEmpty {
      report(
        "aspects cannot run around the methods of a protocol with associated types; declare the "
          + "methods in a protocol that binds them, and write 'aspects: true' there", at: written)
    }
    return types.isEmpty
  }

  /// The written access, or the narrower access of a type around it.
  private func access(of declaration: ProtocolDeclSyntax) -> String {
    let level = context.accessLevel(declaration.modifiers)
    let written = ["public", "package"].contains(level) ? level : declaration.modifiers.accessLevel
    guard ["public", "package"].contains(written) else { return written }
    let around = context.lexicalContext.filter { !$0.is(ExtensionDeclSyntax.self) }.compactMap {
      $0.asProtocol((any DeclGroupSyntax).self)?.modifiers.accessLevel
    }
    if around.contains(where: { !["open", "public", "package"].contains($0) }) { return "" }
    return around.contains("package") ? "package" : written
  }

  private mutating func statement(for declaration: ProtocolDeclSyntax)
    -> ProxiedProtocol.Statement?
  {
    let access = access(of: declaration)
    if ["public", "package"].contains(access) { return nil }
    if access == "private", !context.lexicalContext.isEmpty {
      report(
        "'\(declaration.name.text)' is private to the type around it, and the conformance of its "
          + "proxy must be written outside of that type; declare it 'fileprivate'",
        at: declaration.name)
    }
    let outer = context.lexicalContext.reversed().compactMap(\.typeName).map { $0 + "." }.joined()
    let name = outer + declaration.name.text
    return ProxiedProtocol.Statement(
      text: "extension \(name)Proxy: \(name)Forwarding {}",
      location: context.location(forDirectiveAt: declaration.name))
  }

  private mutating func diagnoseIsolation(_ declaration: ProtocolDeclSyntax) {
    for element in declaration.attributes {
      guard let attribute = element.as(AttributeSyntax.self) else { continue }
      let name = attribute.attributeName.lastName
      if name == "MainActor" || name.hasSuffix("Actor") {
        report(
          "a proxy of '\(declaration.name.text)' would be called from any thread, but the protocol "
            + "is isolated to '\(name)'; declare it 'nonisolated'", at: attribute)
      }
    }
  }

  /// The types of an inheritance clause, with compositions taken apart.
  private func spelledTypes(_ clause: InheritanceClauseSyntax) -> [TypeSyntax] {
    clause.inheritedTypes.flatMap { inherited -> [TypeSyntax] in
      if let composition = inherited.type.as(CompositionTypeSyntax.self) {
        return composition.elements.map { $0.type.trimmed }
      }
      return [inherited.type]
    }
  }

  private mutating func parent(_ type: TypeSyntax) -> ProxiedProtocol.Parent? {
    let name = type.lastName
    // `any P` is copyable and escapable, whatever `P` suppresses.
    if Self.markers.contains(name) || type.is(SuppressedTypeSyntax.self) { return nil }
    if Self.unproxied.contains(name) {
      return refuse(
        "a proxy cannot forward '\(name)', because that protocol is not '@Proxied'; declare the "
          + "requirements that callers need in this protocol instead", at: type)
    }
    return Self.parent(spelling: type.trimmed, name: name)
  }

  private static func parent(spelling type: TypeSyntax, name: String) -> ProxiedProtocol.Parent {
    var forwarding = type
    let token = TokenSyntax.identifier(name + "Forwarding")
    if let identifier = type.as(IdentifierTypeSyntax.self) {
      forwarding = TypeSyntax(identifier.with(\.name, token))
    } else if let member = type.as(MemberTypeSyntax.self) {
      forwarding = TypeSyntax(member.with(\.name, token))
    }
    return ProxiedProtocol.Parent(
      spelling: type.description, name: name, forwarding: forwarding.description)
  }

  private mutating func alsoArguments(
    _ attribute: AttributeSyntax, parents: [ProxiedProtocol.Parent]
  ) -> [ProxiedProtocol.Parent] {
    guard case .argumentList(let arguments) = attribute.arguments else { return [] }
    var also: [ProxiedProtocol.Parent] = []
    for argument in arguments where argument.label?.text != "aspects" {
      guard let access = argument.expression.as(MemberAccessExprSyntax.self),
        access.declName.baseName.text == "self", let base = access.base
      else {
        report(
          "'also:' takes protocols spelled as 'Name.self'", at: argument.expression)
        continue
      }
      let type = typeSpelled(base)
      if parents.contains(where: { $0.name == type.lastName }) {
        report(
          "'\(type.lastName)' is a direct parent and is forwarded already; 'also:' is for a "
            + "protocol that several parents refine", at: argument.expression)
        continue
      }
      also.append(Self.parent(spelling: type, name: type.lastName))
    }
    return also
  }

  /// The type that an expression before `.self` spells; `(any Named)` counts as `Named`.
  private func typeSpelled(_ expression: ExprSyntax) -> TypeSyntax {
    var text = expression.trimmedDescription
    if text.hasPrefix("("), text.hasSuffix(")") { text = String(text.dropFirst().dropLast()) }
    if text.hasPrefix("any ") { text = String(text.dropFirst(4)) }
    return TypeSyntax(stringLiteral: text)
  }

  private mutating func associatedTypes(_ declaration: ProtocolDeclSyntax)
    -> [ProxiedProtocol.AssociatedType]
  {
    let primary = declaration.primaryAssociatedTypeClause?.primaryAssociatedTypes.map(\.name.text)
    let primaryNames = primary ?? []
    var found: [String: ProxiedProtocol.AssociatedType] = [:]
    for member in declaration.memberBlock.members {
      guard let type = member.decl.as(AssociatedTypeDeclSyntax.self) else { continue }
      guard primaryNames.contains(type.name.text) else {
        report(
          "a proxy reaches its target through 'any', which leaves the associated type "
            + "'\(type.name.text)' open; make it a primary associated type of the protocol",
          at: type)
        continue
      }
      found[type.name.text] = ProxiedProtocol.AssociatedType(
        name: type.name.text,
        inheritance: type.inheritanceClause.map {
          ": " + $0.inheritedTypes.map(\.type.trimmedDescription).joined(separator: " & ")
        } ?? "",
        requirements: WhereClause(type.genericWhereClause).requirements.map(\.text))
    }
    // A parent declares the others; the `where` clause repeats its requirements.
    return primaryNames.map { name in
      found[name]
        ?? ProxiedProtocol.AssociatedType(name: name, inheritance: "", requirements: [])
    }
  }

  private mutating func requirements(_ declaration: ProtocolDeclSyntax, isClassBound: Bool)
    -> [ProxiedRequirement]
  {
    var reader = ProxiedRequirementParser(isClassBound: isClassBound)
    let found = declaration.memberBlock.members.compactMap { reader.parse($0.decl) }
    diagnostics += reader.diagnostics
    return found
  }
}

/// The requirements of a `where` clause, apart from those on `Self`, which are refined protocols.
private struct WhereClause {
  struct Requirement {
    let text: String

    /// The first name on the left: `Key` in `Key.Value == Int`.
    let subject: String
  }

  private(set) var requirements: [Requirement] = []
  private(set) var inherited: [TypeSyntax] = []

  init(_ clause: GenericWhereClauseSyntax?) {
    for element in clause?.requirements ?? [] {
      if case .conformanceRequirement(let conformance) = element.requirement,
        conformance.leftType.trimmedDescription == "Self"
      {
        inherited += conformance.rightType.compositionElements
        continue
      }
      let text = element.requirement.trimmedDescription
      let subject = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      requirements.append(Requirement(text: text, subject: String(subject)))
    }
  }
}
