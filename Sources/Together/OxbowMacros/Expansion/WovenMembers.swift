internal import SwiftSyntax
internal import SwiftSyntaxBuilder

/// A class whose methods run aspects around themselves.
struct WovenClass {
  let name: String
  /// The written access, or empty.
  let access: String
  let methods: [WovenMethod]

  /// The slot, unless a superclass has it, the list of methods, and a class for the calls of each.
  func members(overrides: Bool) -> [DeclSyntax] {
    let member = memberAccess(access)
    let slot: [DeclSyntax] = [
      """
      /// The aspects of the object's methods, once a container has some for it.
      \(raw: member)final let _weaving = WovenSlot()
      """,
      """
      /// Gives the object its aspects.
      \(raw: member)final func _weave(_ aspects: AspectTable) throws {
        try _weaving._fill(aspects)
      }
      """,
    ]
    let calls: [DeclSyntax] = methods.filter { $0.obstacle == nil }.map {
      "\(raw: $0.callClassDeclaration)"
    }
    return (overrides ? [] : slot) + [list(overrides: overrides), mark(overrides: overrides)]
      + calls
  }

  private func mark(overrides: Bool) -> DeclSyntax {
    let level = access == "open" ? "open " : memberAccess(access)
    return """
      /// The class whose methods these are: one that inherits may have others.
      \(raw: level)\(raw: overrides ? "override " : "")class var _wovenClass: AnyClass {
        \(raw: name).self
      }
      """
  }

  private func list(overrides: Bool) -> DeclSyntax {
    let entries = methods.map {
      "    ForwardedMethod(\"\($0.name)\", key: \($0.key), .\($0.call.kindName)),\n"
    }
    let level = access == "open" ? "open " : memberAccess(access)
    return """
      /// The methods, for aspects.
      \(raw: level)\(raw: overrides ? "override " : "")class var _wovenMethods: \
      [ForwardedMethod] {
        \(raw: overrides ? "super._wovenMethods + " : "")[
      \(raw: entries.joined())  ]
      }
      """
  }
}

extension WovenMethod {
  fileprivate var callClassDeclaration: String {
    let types = call.parameters.map(\.functionType).joined(separator: ", ")
    let effects = (call.isAsync ? "async " : "") + (call.canThrow ? "throws " : "")
    let type = "(\(types)) \(effects)-> \(call.result)"
    // Whether the method may leave the caller's actor.
    let leaves = call.isAsync && isolation.isEmpty
    let arguments = call.parameters.enumerated().map { number, parameter in
      parameter.isInOut ? "&a\(number)" : CallClass.passed("a\(number)", leaves)
    }.joined(separator: ", ")
    return CallClass(
      name: callClass, methodName: name, ownerName: owner, method: call,
      callee: ("original", isolation + type, "\(isolation)@escaping \(type)"),
      call: "\(CallClass.passed("original", leaves))(\(arguments))", keepsObject: true,
      access: ("private ", "")
    ).declaration
  }

  /// The body: the method's statements as a function of their own, which aspects run around.
  func body(_ code: String, at location: String) -> String {
    let signature =
      parameterClause + (call.isAsync ? " async" : "") + (call.canThrow ? " throws" : "")
      + " -> \(call.result)"
    let values = (["self", original] + call.parameters.map(\.name)).joined(separator: ", ")
    return """
      \(isolation)func \(original)\(signature) {
      \(located(code, at: location))
      }
      if let _chain = self._weaving[\(key)] {
        \(call.run("\(callClass)(\(values))"))
      }
      return \(call.marks)\(original)(\(arguments))
      """
  }
}
