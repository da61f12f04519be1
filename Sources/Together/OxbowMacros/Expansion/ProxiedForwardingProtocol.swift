internal import SwiftSyntax
internal import SwiftSyntaxBuilder

extension ProxiedProtocol {
  /// The peer protocol with the hook through which forwarding members reach their target.
  var forwardingProtocol: DeclSyntax {
    let inherited = [name, "CallForwarding"] + (parents + also).map(\.forwarding)
    let clause = ": " + inherited.joined(separator: ", ")
    // The compiler shows these lines before the error about a parent that is not `@Proxied`.
    let hint =
      parents.isEmpty
      ? "" : "\n/// Each protocol that `\(name)` refines is marked `@Proxied` too."
    let summary = "each requirement has a default that asks the target." + hint
    return """
      \(raw: availability)@_ForwardingMembers(\(raw: forwardingMembers.asRawLiteral))
      /// The forwarding side of `\(raw: name)`: \(raw: summary)
      nonisolated \(raw: peerAccess)protocol \
      \(raw: name)Forwarding\(raw: typeArguments)\(raw: clause) {
        /// The type of the objects that requirements of `\(raw: name)` are forwarded to.
        typealias _Target\(raw: name) = \(raw: existential)

        /// Returns the object that requirements of `\(raw: name)` are forwarded to.
        func \(raw: targetName)() throws -> \(raw: existential)

        /// The same object on loan for one call; nil where `\(raw: targetName)` is to be asked.
        var \(raw: borrowedName): BorrowedTarget<\(raw: existential)>? { get }\
      \(raw: proxyAlias)
      }
      """
  }
}

extension String {
  /// The text as a raw literal over several lines.
  fileprivate var asRawLiteral: String {
    var hashes = "#"
    while contains("\"\"\"" + hashes) || contains("\\" + hashes) { hashes += "#" }
    return "\(hashes)\"\"\"\n\(self)\n\"\"\"\(hashes)"
  }
}
