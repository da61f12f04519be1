/// Every message of `@Proxied`.
enum ProxiedDiagnostics {
  static func notAProtocol(_ name: String, _ kind: String) -> String {
    "'@Proxied' generates a proxy for a protocol, and '\(name)' is \(kind); "
      + "declare a protocol for what callers need and attach it there"
  }

  static func isolated(_ name: String, by actor: String) -> String {
    "a proxy of '\(name)' would be called from any thread, but the protocol is isolated to "
      + "'\(actor)'; declare it 'nonisolated'"
  }

  static func hidden(_ name: String) -> String {
    "'\(name)' is private to the type around it, and the conformance of its proxy must be "
      + "written outside of that type; declare it 'fileprivate'"
  }

  static func unproxiedParent(_ name: String) -> String {
    "a proxy cannot forward '\(name)', because that protocol is not '@Proxied'; "
      + "declare the requirements that callers need in this protocol instead"
  }

  static func associatedType(_ name: String) -> String {
    "a proxy reaches its target through 'any', which leaves the associated type '\(name)' open; "
      + "make it a primary associated type of the protocol"
  }

  static let alsoIsNotAType = "'also:' takes protocols spelled as 'Name.self'"

  static func alsoIsParent(_ name: String) -> String {
    "'\(name)' is a direct parent and is forwarded already; 'also:' is for a protocol that "
      + "several parents refine"
  }

  static let initializer =
    "a proxy cannot forward an initializer: its target exists already or is built elsewhere"

  static let conditional =
    "'@Proxied' cannot see which branch of '#if' is compiled; declare two protocols instead"

  static func isStatic(_ name: String) -> String {
    "a proxy takes the place of an object and cannot forward the static '\(name)'"
  }

  static func mutating(_ name: String) -> String {
    "'\(name)' would change a copy of the proxy's target, and the change would be lost; "
      + "make the protocol refine 'AnyObject' and drop 'mutating'"
  }

  static func settable(_ name: String) -> String {
    "setting '\(name)' would change a copy of the proxy's target, and the change would be lost; "
      + "make the protocol refine 'AnyObject', or drop the setter"
  }

  static func variadic(_ name: String) -> String {
    "Swift cannot pass variadic arguments on, so '\(name)' cannot be forwarded; take an array"
  }

  static func usesSelf(_ name: String) -> String {
    "'\(name)' mentions 'Self', which is the proxy here and the target there; "
      + "spell the protocol's type instead"
  }

  static func notThrowing(_ name: String) -> String {
    "'\(name)' does not throw, so a proxy cannot report that its target is missing or failed "
      + "to build and would stop the process; make it throwing"
  }

  static func limitedErrors(_ name: String, _ clause: String) -> String {
    "'\(name)' is declared '\(clause)', so a proxy cannot report that its target is missing or "
      + "failed to build and would stop the process; make it plainly throwing"
  }

  static func setterCannotThrow(_ name: String) -> String {
    "'\(name)' is settable, and a setter cannot throw, so a proxy whose target is missing or "
      + "failed to build would stop the process; use 'get throws' and a throwing method"
  }

  static let aspectsAreNoLiteral =
    "the macro must see whether aspects can run around the methods; write 'true' or 'false'"

  static let genericAspects =
    "aspects cannot run around the methods of a protocol with associated types; declare the "
    + "methods in a protocol that binds them, and write 'aspects: true' there"
}
