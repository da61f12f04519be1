/// The class whose objects are the calls of a method.
struct CallClass {
  let name: String
  /// The method's name with labels, and the name of the type that declares it.
  let methodName: String
  let ownerName: String
  let method: ProxiedMethod
  /// The callee: the name of its field, and its type as a field and as a parameter.
  let callee: (name: String, type: String, parameterType: String)
  /// The expression that calls it, with the arguments `a0`, `a1`.
  let call: String
  /// Whether the object of the call is kept beside the callee.
  var keepsObject = false
  /// Further members.
  var more = ""
  /// The access of the class with a space after it, and the access of its members.
  let access: (type: String, member: String)

  /// The declaration, without margin.
  var declaration: String {
    let parameters = method.parameters.enumerated().map { "_ a\($0): \($1.parameterType)" }
    let fields = method.parameters.enumerated().map { number, parameter in
      // The caller reads the new value of an `inout` argument, and the method has it for as long as
      // it runs. Others are read and written as a whole, which needs no checks.
      "  \(parameter.isInOut ? access.member : "@exclusivity(unchecked) private ")"
        + "var a\(number): \(parameter.type)\n"
    }
    let assignments = method.parameters.indices.map { "    self.a\($0) = a\($0)\n" }
    let count = method.parameters.count
    let object = keepsObject ? ["_ object: AnyObject"] : []
    let list = (object + ["_ \(callee.name): \(callee.parameterType)"] + parameters)
      .joined(separator: ", ")
    return """
      /// A call of `\(methodName)` with aspects.
      nonisolated \(access.type)final class \(name)\(method.generics.parameters): \
      TypedInvocation<\(method.result)>\(method.generics.requirements) {
      \(keepsObject ? "  private let object: AnyObject\n" : "")\
        private let \(callee.name): \(callee.type)
      \(fields.joined())
        \(access.member)init(\(list)) {
      \(keepsObject ? "    self.object = object\n" : "")\
          self.\(callee.name) = \(callee.name)
      \(assignments.joined())\
          super.init("\(methodName)", of: "\(ownerName)", arguments: \(count))
        }

        \(access.member)override var target: Any? { \(keepsObject ? "object" : callee.name) }

        \(invoke)\(more)\(count == 0 ? "" : argumentAccess(count))
      }
      """
  }

  /// A value as the method gets it: the call owns it meanwhile, whatever actor the method is on.
  static func passed(_ value: String, _ leavesActor: Bool) -> String {
    leavesActor ? "_Sent(\(value)).value" : value
  }

  private var invoke: String {
    let member = access.member
    if method.isAsync {
      return "nonisolated(nonsending) \(member)override func _callAsync() async throws -> "
        + "\(method.result) { try await \(call) }"
    }
    return method.canThrow
      ? "\(member)override func _call() throws -> \(method.result) { try \(call) }"
      : "\(member)override func _callQuietly() -> \(method.result) { \(call) }"
  }

  private func argumentAccess(_ count: Int) -> String {
    let reads = (0..<count).map { "    case \($0): a\($0) as Any\n" }
    let writes = (0..<count).map { "    case \($0): try _set(&a\($0), \($0), to: value)\n" }
    return """


        \(access.member)override func argument(_ index: Int) -> Any {
          switch index {
      \(reads.joined())    default: super.argument(index)
          }
        }

        \(access.member)override func setArgument(_ index: Int, to value: Any) throws {
          switch index {
      \(writes.joined())    default: try super.setArgument(index, to: value)
          }
        }
      """
  }
}

extension ProxiedMethod {
  /// The statements, in one line, that run an object of a call with its aspects.
  func run(_ call: String) -> String {
    let run = isAsync ? "_runAsync" : canThrow ? "_run" : "_runQuietly"
    let changed = parameters.enumerated().filter(\.element.isInOut)
    if changed.isEmpty { return "return \(marks)\(call).\(run)(_chain)" }
    let back = changed.map { "\($0.element.name) = _call.a\($0.offset)" }.joined(separator: "; ")
    return "let _call = \(call); defer { \(back) }; return \(marks)_call.\(run)(_chain)"
  }
}

/// A number for a method, the same in every build.
func methodKey(_ name: String, of owner: String) -> UInt64 {
  // FNV-1a; without its highest bits it fits an `Int`.
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in "\(owner).\(name)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  return (hash ^ hash >> 32) & 0x3fff_ffff_ffff_ffff
}
