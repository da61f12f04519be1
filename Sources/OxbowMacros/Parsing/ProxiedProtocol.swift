internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder

/// What `@Proxied` reads from a protocol: plain text, ready to be emitted.
struct ProxiedProtocol {
  /// A protocol that this one refines, as it is spelled: `Base.Named<Key>`.
  struct Parent {
    let spelling: String
    let name: String

    /// `Base.NamedForwarding<Key>`.
    let forwarding: String
  }

  /// A primary associated type.
  struct AssociatedType {
    let name: String

    /// `: Hashable & Sendable`, or empty.
    let inheritance: String

    /// `where Key.Value == Int`, or empty.
    let whereClause: String
  }

  let name: String
  let access: String
  let availability: String
  let parents: [Parent]

  /// The protocols named by `also:`, reached through several parents.
  let also: [Parent]
  let associatedTypes: [AssociatedType]
  let requirements: [ProxiedRequirement]

  /// `any Store<Key>`, or `any Named`.
  var existential: String {
    associatedTypes.isEmpty ? "any \(name)" : "any \(name)\(typeArguments)"
  }

  /// `<Key>`, or empty.
  var typeArguments: String {
    associatedTypes.isEmpty ? "" : "<" + associatedTypes.map(\.name).joined(separator: ", ") + ">"
  }
}

/// Reads a protocol declaration; collects what stands in the way of a proxy.
struct ProxiedParser {
  private(set) var diagnostics: [Diagnostic] = []

  /// Protocols that ask for nothing that a proxy would have to forward.
  private static let markers: Set<String> = [
    "Sendable", "SendableMetatype", "AnyObject", "class", "Copyable", "Escapable",
    "BitwiseCopyable",
  ]

  /// Well-known protocols that have no forwarding.
  private static let unproxied: Set<String> = [
    "Equatable", "Hashable", "Comparable", "Codable", "Encodable", "Decodable", "Identifiable",
    "Error", "CustomStringConvertible", "CustomDebugStringConvertible", "Sequence", "Collection",
    "Actor", "CaseIterable", "RawRepresentable",
  ]

  mutating func parse(_ declaration: ProtocolDeclSyntax, _ attribute: AttributeSyntax)
    -> ProxiedProtocol
  {
    let inherited = declaration.inheritanceClause.map { spelledTypes($0) } ?? []
    let isClassBound = inherited.contains { $0.lastName == "AnyObject" }
    diagnoseIsolation(declaration)
    let parents = inherited.compactMap { parent($0) }
    let also = alsoArguments(attribute, parents: parents)
    return ProxiedProtocol(
      name: declaration.name.text,
      access: declaration.modifiers.accessLevel,
      availability: declaration.attributes.availability,
      parents: parents, also: also,
      associatedTypes: associatedTypes(declaration),
      requirements: requirements(declaration, isClassBound: isClassBound))
  }

  private mutating func diagnoseIsolation(_ declaration: ProtocolDeclSyntax) {
    for element in declaration.attributes {
      guard let attribute = element.as(AttributeSyntax.self) else { continue }
      let name = attribute.attributeName.lastName
      if name == "MainActor" || name.hasSuffix("Actor") {
        diagnostics.append(
          ProxiedDiagnostics.isolated(declaration.name.text, by: name).at(attribute))
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
    if Self.markers.contains(name) { return nil }
    if Self.unproxied.contains(name) {
      diagnostics.append(ProxiedDiagnostics.unproxiedParent(name).at(type))
      return nil
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
    for argument in arguments {
      guard let access = argument.expression.as(MemberAccessExprSyntax.self),
        access.declName.baseName.text == "self", let base = access.base
      else {
        diagnostics.append(ProxiedDiagnostics.alsoIsNotAType.at(argument.expression))
        continue
      }
      let type = typeSpelled(base)
      if parents.contains(where: { $0.name == type.lastName }) {
        diagnostics.append(ProxiedDiagnostics.alsoIsParent(type.lastName).at(argument.expression))
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
        diagnostics.append(ProxiedDiagnostics.associatedType(type.name.text).at(type))
        continue
      }
      found[type.name.text] = ProxiedProtocol.AssociatedType(
        name: type.name.text,
        inheritance: type.inheritanceClause?.trimmedDescription ?? "",
        whereClause: type.genericWhereClause?.trimmedDescription ?? "")
    }
    guard let clause = declaration.primaryAssociatedTypeClause else { return [] }
    return clause.primaryAssociatedTypes.compactMap { primary in
      if let type = found[primary.name.text] { return type }
      // A parent declares it, with constraints that cannot be seen from here.
      diagnostics.append(ProxiedDiagnostics.inheritedType(primary.name.text).at(primary))
      return nil
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
