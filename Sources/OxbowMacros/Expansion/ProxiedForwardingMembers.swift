internal import SwiftSyntax
internal import SwiftSyntaxBuilder

extension ProxiedProtocol {
  /// The extension that forwards every requirement, and reaches each parent through this protocol.
  func forwardingExtension(of type: some TypeSyntaxProtocol) throws -> ExtensionDeclSyntax {
    let upcasts = (parents + also).map { upcast(to: $0) }
    // The extension stands at file level, so the peers of a nested protocol need their surroundings.
    let outer = type.as(MemberTypeSyntax.self).map { "\($0.baseType.trimmedDescription)." } ?? ""
    let members = (upcasts + requirements.map { member($0) }).joined(separator: "\n\n")
    return try ExtensionDeclSyntax(
      """
      \(raw: availability)nonisolated extension \(type.trimmed) \
      where Self: \(raw: outer)\(raw: name)Forwarding {
      \(raw: members)
      }
      """)
  }

  private func upcast(to parent: Parent) -> String {
    """
      /// Returns the target as its parent `\(parent.name)`.
      \(memberAccess(access))func _target\(parent.name)() throws -> any \(parent.spelling) {
        try _target\(name)()
      }
    """
  }

  private func member(_ requirement: ProxiedRequirement) -> String {
    let intro = "  /// Forwards to the target.\n  " + requirement.attributes.indented(by: 2)
    let head = memberAccess(access) + requirement.head
    switch requirement.kind {
    case .function:
      return "\(intro)\(head) {\n    \(call(requirement))\n  }"
    case .property(let settable), .subscripting(let settable):
      let effects = requirement.getterEffects.isEmpty ? "" : " " + requirement.getterEffects
      let getter = "    get\(effects) { \(call(requirement)) }"
      guard settable else { return "\(intro)\(head) {\n\(getter)\n  }" }
      let setter = """
            set {
              let target = \(requiredTarget)
              target\(requirement.access) = newValue
            }
        """
      return "\(intro)\(head) {\n\(getter)\n\(setter)\n  }"
    }
  }

  private func call(_ requirement: ProxiedRequirement) -> String {
    let wait = requirement.isAsync ? "await " : ""
    if requirement.canThrow { return "try \(wait)_target\(name)()\(requirement.access)" }
    return (requirement.mustTry ? "try " : "") + wait + requiredTarget + requirement.access
  }

  /// The target where the caller cannot be told of an error.
  private var requiredTarget: String { "_requiredTarget(\"\(name)\", _target\(name))" }
}
