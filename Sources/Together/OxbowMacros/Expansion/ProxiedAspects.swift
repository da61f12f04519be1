internal import SwiftSyntax

// `aspects: true` adds a class for each method to the expansion of `@Proxied`: its objects are the
// calls.

extension ProxiedProtocol {
  /// The name of the proxy class for members of the forwarding protocol, which may be nested.
  private var aliasName: String { "_Proxy" + name }

  /// The alias, in the forwarding protocol.
  var proxyAlias: String {
    hasAspects
      ? "\n\n  /// The class that has the calls.\n  typealias \(aliasName) = \(name)Proxy" : ""
  }

  /// Where the class keeps the aspects.
  var aspectsProperty: String {
    guard hasAspects else { return "" }
    return "\n\n  /// The aspects of methods, if there are any.\n  "
      + "\(memberAccess(access))let _aspects: AspectTable?"
  }

  var aspectsAssignment: String { hasAspects ? "\n    _aspects = source.aspects" : "" }

  /// The statement that calls a method with its aspects, if it has any; empty where it cannot.
  func weaving(
    _ requirement: ProxiedRequirement, _ form: ProxiedMethod.Form = .call,
    assigning value: String = "newValue"
  ) -> String {
    guard hasAspects,
      let number = methods.firstIndex(where: { $0.0.head == requirement.head && $0.1.form == form })
    else { return "" }
    let method = methods[number].1
    guard !method.isClosed else { return "" }
    let target =
      method.canThrow
      ? "try self.\(targetName)()" : "_requiredTarget(\"\(name)\", self.\(targetName))"
    let values = form == .set ? [value] : method.parameters.map(\.name)
    let call = "\(aliasName)._Call\(number)(\(([target] + values).joined(separator: ", ")))"
    return "if let _chain = self._aspects?[\(requirement.key(of: method, in: name))] { "
      + "\(method.run(call)) }"
  }

  private var methods: [(ProxiedRequirement, ProxiedMethod)] {
    requirements.flatMap { requirement in requirement.methods.map { (requirement, $0) } }
  }

  /// The description of the methods, and a class for the calls of each that can have aspects.
  var calls: String {
    guard hasAspects else { return "" }
    let member = memberAccess(access)
    let list = methods.map { requirement, method in
      "      ForwardedMethod(\"\(requirement.name)\", "
        + "key: \(requirement.key(of: method, in: name)), .\(method.kindName)),\n"
    }
    let classes = methods.enumerated().filter { !$1.1.isClosed }.map { number, method in
      callClass(number, method.0, method.1)
    }
    return """


        /// The methods and properties, for aspects.
        \(member)static var _methods: [ForwardedMethod] {
          [
      \(list.joined())    ]
        }
      """ + classes.joined()
  }

  private func callClass(
    _ number: Int, _ requirement: ProxiedRequirement, _ method: ProxiedMethod
  ) -> String {
    let member = memberAccess(access)
    let isAsync = method.isAsync
    // The compiler follows what is sent to a method, but not to an async property.
    let isRead = isAsync && method.form == .get
    let call =
      isRead
      ? "Self._read(_Sent(_target))"
      : CallClass.passed("_target", isAsync) + method.access { CallClass.passed($0, isAsync) }
    let callClass = CallClass(
      name: "_Call\(number)", methodName: requirement.name, ownerName: name, method: method,
      callee: ("_target", existential, existential), call: call,
      more: isRead ? reader(of: method) : "", access: (member, member))
    return "\n\n  " + callClass.declaration.indented(by: 2)
  }
}

extension ProxiedProtocol {
  private func reader(of method: ProxiedMethod) -> String {
    """


      private static func _read(_ target: _Sent<\(existential)>) async throws -> \
    \(method.result) {
        try await target.value\(method.access { $0 })
      }
    """
  }
}

extension ProxiedRequirement {
  /// A number for the method or accessor, the same in every build.
  fileprivate func key(of method: ProxiedMethod, in protocolName: String) -> UInt64 {
    methodKey(method.form == .set ? name + "=" : name, of: protocolName)
  }
}
