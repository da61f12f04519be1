internal import SwiftDiagnostics
internal import SwiftSyntax

/// Every message of `@Woven` and `@Weave`.
enum WovenDiagnostics {
  static func notAClass(_ name: String, _ kind: String) -> Message {
    .error(
      "woven.notAClass",
      "a container gives aspects to the objects of a class, and '\(name)' is \(kind); "
        + (kind == "an extension"
          ? "mark the class itself"
          : "make it a class, or mark a protocol '@Proxied(aspects: true)'"))
  }

  static func isAProtocol(_ name: String) -> Message {
    .error(
      "woven.protocol",
      "'\(name)' is a protocol, which has no code to weave; write '@Proxied(aspects: true)'")
  }

  static func isolated(_ name: String, by actor: String) -> Message {
    .error(
      "woven.isolated",
      "aspects run on the thread that calls, and '\(name)' is isolated to '\(actor)'; "
        + "make the class 'nonisolated'")
  }

  static func coded(_ name: String, _ synthesized: String) -> Message {
    .error(
      "woven.coded",
      "the aspects of '\(name)' cannot be coded, and '\(synthesized)' that the compiler writes "
        + "would include them; list what is coded in an 'enum CodingKeys'")
  }

  static func notAMethod(_ kind: String) -> Message {
    .error(
      "woven.notAMethod",
      "aspects run around methods, and this is \(kind); put the code into a method and mark that")
  }

  static func outside(_ name: String, _ surroundings: Syntax?) -> Message {
    if surroundings?.is(ExtensionDeclSyntax.self) ?? false {
      return .error(
        "woven.inExtension",
        "the macro on the class does not see '\(name)', because an extension declares it; move it "
          + "into the class")
    }
    return .error(
      "woven.outside",
      "'\(name)' is not a method of a class, and a container gives aspects to the objects of classes; "
        + "remove '@Weave'")
  }

  static func classIsNotWoven(_ name: String) -> Message {
    .error(
      "woven.class",
      "objects of '\(name)' have no place for aspects; mark the class '@Woven', which then weaves "
        + "the marked methods alone")
  }

  static func cannotWeave(_ method: String, _ reason: WovenObstacle) -> Message {
    let (why, next) = text(reason)
    return .error(
      "woven.method", "aspects cannot run around '\(method)': \(why); \(next), or remove '@Weave'")
  }

  private static func text(_ reason: WovenObstacle) -> (why: String, next: String) {
    switch reason {
    case .isStatic: ("it belongs to the type, and a container to no type", "make it a method")
    case .pack:
      (
        "it is generic over several types at once",
        "take an array, or make a method for each number"
      )
    case .rethrowing: ("a function inside cannot rethrow", "make it 'throws'")
    case .limitedErrors: ("it limits its errors, and aspects throw any", "make it plainly 'throws'")
    case .quietAsync:
      ("it is async and does not throw, and async aspects may", "make it 'async throws'")
    case .unnamedParameter: ("a parameter has no name", "name it")
    case .closure(let name):
      ("the function '\(name)' may not outlive the call", "write '@escaping' before its type")
    case .opaque(let name):
      ("the type of '\(name)' has no name", "write 'any', or a generic parameter '<T: …>'")
    case .asyncInOut(let name):
      (
        "the method is async, and the caller gets '\(name)' back while others may run",
        "return the new value"
      )
    case .parameter(let name):
      ("the argument '\(name)' cannot be kept for them", "take a value of a plain type")
    case .result: ("its result has no type that can be written", "return 'any' or the type itself")
    case .dynamicSelf: ("it mentions 'Self'", "spell the type")
    case .attribute(let name): ("it is marked '@\(name)'", "remove the mark")
    }
  }
}
