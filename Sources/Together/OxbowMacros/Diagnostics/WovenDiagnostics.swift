internal import SwiftSyntax

/// Every message of `@Woven` and `@Weave`.
enum WovenDiagnostics {
  static func notAClass(_ name: String, _ kind: String) -> String {
    "a container gives aspects to the objects of a class, and '\(name)' is \(kind); "
      + (kind == "an extension"
        ? "mark the class itself"
        : "make it a class, or mark a protocol '@Proxied(aspects: true)'")
  }

  static func isAProtocol(_ name: String) -> String {
    "'\(name)' is a protocol, which has no code to weave; write '@Proxied(aspects: true)'"
  }

  static func isolated(_ name: String, by actor: String) -> String {
    "aspects run on the thread that calls, and '\(name)' is isolated to '\(actor)'; "
      + "make the class 'nonisolated'"
  }

  static func coded(_ name: String, _ synthesized: String) -> String {
    "the aspects of '\(name)' cannot be coded, and '\(synthesized)' that the compiler writes "
      + "would include them; list what is coded in an 'enum CodingKeys'"
  }

  static func notAMethod(_ kind: String) -> String {
    "aspects run around methods, and this is \(kind); put the code into a method and mark that"
  }

  static func outside(_ name: String, _ surroundings: Syntax?) -> String {
    if surroundings?.is(ExtensionDeclSyntax.self) ?? false {
      return "the macro on the class does not see '\(name)', because an extension declares it; "
        + "move it into the class"
    }
    return "'\(name)' is not a method of a class, and a container gives aspects to the objects of "
      + "classes; remove '@Weave'"
  }

  static func classIsNotWoven(_ name: String) -> String {
    "objects of '\(name)' have no place for aspects; mark the class '@Woven', which then weaves "
      + "the marked methods alone"
  }

  static func cannotWeave(_ method: String, _ reason: WovenObstacle) -> String {
    let (why, next) = text(reason)
    return "aspects cannot run around '\(method)': \(why); \(next), or remove '@Weave'"
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

/// Why aspects cannot run around a method.
enum WovenObstacle {
  case isStatic, pack, rethrowing, limitedErrors, quietAsync, unnamedParameter
  /// A function that may not outlive the call.
  case closure(String)
  /// A parameter whose type has no name.
  case opaque(String)
  /// A parameter of an async method that the caller gets back.
  case asyncInOut(String)
  /// A parameter whose argument cannot be kept.
  case parameter(String)
  /// A result that is opaque.
  case result
  case dynamicSelf
  case attribute(String)
}
