internal import SwiftSyntax

// What `aspects: true` adds to the expansion of `@Proxied`: a class for each method, whose objects
// are its calls.

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
      + "\(memberAccess(access))let _aspects: \(Emitted.aspectTable)?"
  }

  var aspectsAssignment: String { hasAspects ? "\n    _aspects = source.aspects" : "" }

  /// The statement that calls a method with its aspects, if it has any.
  func weaving(_ requirement: ProxiedRequirement) -> String {
    guard hasAspects, let method = requirement.method, !method.isClosed else { return "" }
    let number = methods.firstIndex { $0.head == requirement.head } ?? 0
    let target =
      requirement.canThrow
      ? "try self.\(targetName)()" : "\(Emitted.requiredTarget)(\"\(name)\", self.\(targetName))"
    let arguments = ([target] + method.parameters.map(\.name)).joined(separator: ", ")
    let run =
      requirement.isAsync
      ? ("try await ", "_runAsync") : requirement.canThrow ? ("try ", "_run") : ("", "_runQuietly")
    return "if let _chain = self._aspects?[\(requirement.key(in: name))] { return \(run.0)"
      + "\(aliasName)._Call\(number)(\(arguments)).\(run.1)(_chain) }"
  }

  private var methods: [ProxiedRequirement] { requirements.filter { $0.method != nil } }

  /// The description of the methods, and a class for each around which aspects can run.
  var calls: String {
    guard hasAspects else { return "" }
    let member = memberAccess(access)
    let list = methods.map { requirement in
      "      \(Emitted.forwardedMethod)(\"\(requirement.name)\", "
        + "key: \(requirement.key(in: name)), .\(requirement.kindName)),\n"
    }
    let classes = methods.enumerated().compactMap { number, requirement in
      requirement.method.flatMap {
        $0.isClosed ? nil : callClass(number, requirement, $0)
      }
    }
    return """


        /// The methods, for aspects.
        \(member)static var _methods: [\(Emitted.forwardedMethod)] {
          [
      \(list.joined())    ]
        }
      """ + classes.joined()
  }

  private func callClass(
    _ number: Int, _ requirement: ProxiedRequirement, _ method: ProxiedMethod
  ) -> String {
    let member = memberAccess(access)
    let passed = method.labels.enumerated().map { $1 == "_" ? "a\($0)" : "\($1): a\($0)" }
    let callClass = CallClass(
      name: "_Call\(number)", methodName: requirement.name, ownerName: name, method: method,
      isAsync: requirement.isAsync, canThrow: requirement.canThrow,
      callee: ("target", existential, existential),
      call: "target.\(method.base)(\(passed.joined(separator: ", ")))", access: (member, member))
    return "\n\n  " + callClass.declaration.indented(by: 2)
  }
}

extension ProxiedRequirement {
  /// A number for the method, the same in every build.
  fileprivate func key(in protocolName: String) -> UInt64 { methodKey(name, of: protocolName) }

  /// The case of `ForwardedMethod.Kind`.
  fileprivate var kindName: String {
    if method?.isClosed ?? true { return "closed" }
    return isAsync ? "async" : canThrow ? "throwing" : "nonThrowing"
  }
}
