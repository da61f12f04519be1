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
    let result = isGeneric ? "_Target\(parent.name)" : "any \(parent.spelling)"
    // The compiler cannot convert `any IntShelf` to `any Shelf<Int>`, and can what is inside.
    let body =
      isGeneric
      ? """
      func opened(_ target: some \(name)\(typeArguments)) -> _Target\(parent.name) { target }
          return opened(try _target\(name)())
      """ : "try _target\(name)()"
    return """
        /// Returns the target as its parent `\(parent.name)`.
        \(memberAccess(access))func _target\(parent.name)() throws -> \(result) {
          \(body)
        }
      """
  }

  private func member(_ requirement: ProxiedRequirement) -> String {
    let intro = "  /// Forwards to the target.\n  " + requirement.attributes.indented(by: 2)
    let head = memberAccess(access) + requirement.head
    switch requirement.kind {
    case .function:
      return "\(intro)\(head) {\n    \(told(requirement, ".call"))\n"
        + "    return \(call(requirement))\n  }"
    case .property(let settable), .subscripting(let settable):
      return "\(intro)\(head) {\n\(getter(requirement))\n"
        + (settable ? setter(requirement) + "\n" : "") + "  }"
    }
  }

  private func getter(_ requirement: ProxiedRequirement) -> String {
    let effects = requirement.getterEffects.isEmpty ? "" : " " + requirement.getterEffects
    return """
          get\(effects) {
            \(told(requirement, ".read"))
            return \(call(requirement))
          }
      """
  }

  private func setter(_ requirement: ProxiedRequirement) -> String {
    """
        set {
          \(told(requirement, ".write", more: [".of(newValue)"]))
          let target = \(requiredTarget)
          target\(requirement.access) = newValue
        }
    """
  }

  /// Tells the observer, if there is one, of a call that is about to be forwarded.
  private func told(
    _ requirement: ProxiedRequirement, _ kind: String, more: [String] = []
  ) -> String {
    let arguments = requirement.recorded + more
    let list = arguments.isEmpty ? "" : ", [\(arguments.joined(separator: ", "))]"
    return "_callObserver?.willCall(ForwardedCall(\"\(requirement.name)\", of: \"\(name)\", "
      + "\(kind)\(list)))"
  }

  private func call(_ requirement: ProxiedRequirement) -> String {
    let wait = requirement.isAsync ? "await " : ""
    if requirement.canThrow { return "try \(wait)_target\(name)()\(requirement.access)" }
    return (requirement.mustTry ? "try " : "") + wait + requiredTarget + requirement.access
  }

  /// The target where the caller cannot be told of an error.
  private var requiredTarget: String { "_requiredTarget(\"\(name)\", _target\(name))" }
}
