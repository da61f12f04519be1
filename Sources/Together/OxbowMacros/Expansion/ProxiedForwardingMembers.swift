internal import SwiftSyntax
internal import SwiftSyntaxBuilder

extension ProxiedProtocol {
  /// The members of the forwarding protocol's extension: one for each requirement and each parent.
  var forwardingMembers: String {
    let upcasts = (parents + also).map { upcast(to: $0) }
    return ([notBorrowed] + upcasts + requirements.map { member($0) }).joined(separator: "\n\n")
  }

  /// The default for a class that adopts the forwarding protocol by hand.
  private var notBorrowed: String {
    """
      /// Nothing, unless a class says otherwise.
      \(memberAccess(access))var \(borrowedName): BorrowedTarget<_Target\(name)>? { nil }
    """
  }

  private func upcast(to parent: Parent) -> String {
    let result = isGeneric ? "_Target\(parent.name)" : "any \(parent.spelling)"
    // The compiler cannot convert `any IntShelf` to `any Shelf<Int>`, but can convert its contents.
    let body =
      isGeneric
      ? """
      func opened(_ target: some \(name)\(typeArguments)) -> _Target\(parent.name) { target }
          return opened(try \(targetName)())
      """ : "try \(targetName)()"
    let advice = "Where that is ambiguous, add `also: \(parent.name).self`."
    return """
        /// Returns the target as its parent. \(advice)
        \(memberAccess(access))func _target\(parent.name)() throws -> \(result) {
          \(body)
        }
      """
  }

  private func member(_ requirement: ProxiedRequirement) -> String {
    // The compiler shows the line where a default of a refining protocol matches too.
    let intro =
      "  /// Forwards to the target. A protocol that has a default for it must declare it again.\n"
      + "  " + requirement.attributes.indented(by: 2)
    let head = memberAccess(access) + requirement.head
    let accessors =
      switch requirement.kind {
      case .function:
        [
          weaving(requirement), borrowing(requirement), notifying(requirement, ".call"),
          "return \(call(requirement))",
        ]
      case .property(let settable), .subscripting(let settable):
        [getter(requirement), settable ? setter(requirement) : ""]
      }
    return "\(intro)\(head) {\n\(accessors.lines(indentedBy: 4))\n  }"
  }

  private func getter(_ requirement: ProxiedRequirement) -> String {
    let effects = requirement.getterEffects.isEmpty ? "" : " " + requirement.getterEffects
    let body = [
      weaving(requirement, .get), borrowing(requirement), notifying(requirement, ".read"),
      "return \(call(requirement))",
    ]
    return "get\(effects) {\n\(body.lines(indentedBy: 6))\n    }"
  }

  private func setter(_ requirement: ProxiedRequirement) -> String {
    let value = requirement.local("newValue")
    let target = requirement.local("target")
    let body = [
      weaving(requirement, .set, assigning: value), borrowing(requirement, " = \(value)"),
      notifying(requirement, ".write", more: [".of(\(value))"]),
      "let \(target) = \(requiredTarget(requirement))",
      "\(target)\(requirement.access) = \(value)",
    ]
    return "set\(value == "newValue" ? "" : "(\(value))") {\n\(body.lines(indentedBy: 6))\n    }"
  }

  /// Calls a borrowed target, if there is one: no observer sees that call.
  private func borrowing(_ requirement: ProxiedRequirement, _ assignment: String = "") -> String {
    guard requirement.borrowsTarget else { return "" }
    let attempt = requirement.effects.canThrow ? "try " : ""
    let borrowed = requirement.local("_borrowed")
    return "if let \(borrowed) = \(requirement.member(borrowedName)) "
      + "{ return \(attempt)\(borrowed).call(for: self) "
      + "{ \(attempt)$0\(requirement.access)\(assignment) } }"
  }

  /// Notifies the observer, if there is one, of a call that is about to be forwarded.
  private func notifying(
    _ requirement: ProxiedRequirement, _ kind: String, more: [String] = []
  ) -> String {
    let arguments = requirement.recorded + more
    let list = arguments.isEmpty ? "" : ", [\(arguments.joined(separator: ", "))]"
    return
      "\(requirement.member("_callObserver"))?.willCall("
      + "ForwardedCall(\"\(requirement.name)\", of: \"\(name)\", "
      + "\(kind)\(list)))"
  }

  private func call(_ requirement: ProxiedRequirement) -> String {
    let wait = requirement.effects.isAsync ? "await " : ""
    if requirement.effects.canThrow {
      return "try \(wait)\(requirement.member(targetName))()\(requirement.access)"
    }
    return (requirement.effects.mustTry ? "try " : "") + wait + requiredTarget(requirement)
      + requirement.access
  }

  /// The target where no error can reach the caller.
  private func requiredTarget(_ requirement: ProxiedRequirement) -> String {
    "_requiredTarget(\"\(name)\", \(requirement.member(targetName)))"
  }
}

extension ProxiedRequirement {
  /// A name for a variable of the body that no parameter has.
  fileprivate func local(_ name: String) -> String {
    parameterNames.contains(name) ? local("_" + name) : name
  }

  /// A member of the proxy, even where a parameter has its name.
  fileprivate func member(_ name: String) -> String {
    parameterNames.contains(name) ? "self." + name : name
  }
}

extension [String] {
  /// The lines that are not empty.
  fileprivate func lines(indentedBy width: Int) -> String {
    filter { !$0.isEmpty }.map { String(repeating: " ", count: width) + $0 }
      .joined(separator: "\n")
  }
}
