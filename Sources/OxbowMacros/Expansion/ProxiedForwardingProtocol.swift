internal import SwiftSyntax
internal import SwiftSyntaxBuilder

extension ProxiedProtocol {
  /// The peer protocol with the hook through which forwarding members reach their target.
  var forwardingProtocol: DeclSyntax {
    let inherited = parents.map(\.forwarding) + also.map(\.forwarding)
    let clause = inherited.isEmpty ? "" : ": " + inherited.joined(separator: ", ")
    let types = associatedTypes.map { "  associatedtype \($0.name)\($0.constraints)\n\n" }.joined()
    return """
      /// The forwarding side of `\(raw: name)`: adopting it gives every requirement a default that asks the target.
      \(raw: availability)nonisolated \(raw: access.isEmpty ? "" : access + " ")protocol \
      \(raw: name)Forwarding\(raw: typeArguments)\(raw: clause) {
      \(raw: types)  /// Returns the object that requirements of `\(raw: name)` are forwarded to.
        func _target\(raw: name)() throws -> \(raw: existential)
      }
      """
  }
}

extension ProxiedProtocol.AssociatedType {
  /// What follows the name in a declaration: `: Hashable where …`.
  var constraints: String {
    inheritance + (whereClause.isEmpty ? "" : " " + whereClause)
  }
}
