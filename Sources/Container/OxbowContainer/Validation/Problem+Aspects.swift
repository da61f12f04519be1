extension ContainerError.Problem {
  static func noAspect(_ name: String, typeName: String) -> Self {
    Self(
      .invalidAspect, "aspect \"\(name)\": class \"\(typeName)\" is not an aspect",
      seen: "class \"\(typeName)\"",
      expected: "a class that conforms to Aspect, NonThrowingAspect or AsyncAspect",
      nextStep: "let the class conform, or name another one")
  }

  static func confinedAspect(_ name: String, scope: String) -> Self {
    Self(
      .invalidAspect, "aspect \"\(name)\" is of scope \"\(scope)\", and all threads call it",
      seen: "scope \"\(scope)\"", expected: "a singleton or a prototype",
      nextStep: "give the aspect another scope")
  }

  static func misfitAspect(
    _ name: String, typeName: String, wanted: String, _ method: String, of object: String
  ) -> Self {
    let why =
      switch wanted {
      case "NonThrowingAspect": "does not throw, and the aspect may"
      case "AsyncAspect": "is async, and the aspect is not"
      default: "is not async, and the aspect is"
      }
    return Self(
      .invalidAspect,
      "aspect \"\(name)\" cannot run around '\(method)' of object \"\(object)\": the method \(why)",
      seen: "class \"\(typeName)\"", expected: "a class that conforms to \(wanted)",
      nextStep: "let the aspect conform to \(wanted), or leave the method out of its pointcut")
  }

  static func closedMethod(_ method: String, of object: String, _ name: String) -> Self {
    Self(
      .invalidAspect, "aspect \"\(name)\" cannot run around '\(method)' of object \"\(object)\"",
      seen: "a subscript, or a method that limits its errors, is async and does not throw, or "
        + "takes what cannot be kept: functions that do not escape, consumed parameters, packs; or a "
        + "method of 'Repository', which has no aspects",
      expected: "a method whose arguments can be kept",
      nextStep: "leave the method out of the pointcut, or change its parameters")
  }

  static func unwovenClass(
    _ typeName: String, inheriting woven: String, of object: String, _ name: String
  ) -> Self {
    Self(
      .invalidAspect,
      "aspect \"\(name)\" does not run around the overrides and the own methods of class "
        + "\"\(typeName)\", of object \"\(object)\"",
      seen: "a class that inherits from \"\(woven)\", which is @Woven, and is not @Woven itself",
      expected: "a class marked @Woven", nextStep: "mark \"\(typeName)\" @Woven as well")
  }

  /// The text of a note for what is left out without being an error.
  var omission: String { "\(message): \(seen); \(nextStep)" }

  static func notWoven(_ object: String, _ type: any Any.Type, _ choices: [String]) -> Self {
    let which =
      " aspects and class \"\(type)\", which "
      + (choices.isEmpty ? "has no @Proxied protocol" : "has several @Proxied protocols")
    return Self(
      .noProxy, of: object, " has" + which, several: " have" + which,
      seen: choices.isEmpty ? "no proxy class" : choices.sorted().joined(separator: ", "),
      expected: "one protocol through which the object is called",
      nextStep: choices.isEmpty
        ? "declare a protocol with the methods, mark it @Proxied, and let the class conform; or mark "
          + "the class @Woven"
        : "declare a @Proxied protocol that refines these")
  }

  static func closedProxy(_ object: String, _ type: any Any.Type, _ proxied: String) -> Self {
    let which = " aspects, and no protocol of class \"\(type)\" lets them run"
    return Self(
      .noProxy, of: object, " has" + which, several: " have" + which,
      seen: "protocol \"\(proxied)\", marked @Proxied without 'aspects: true'",
      expected: "a protocol marked @Proxied(aspects: true)",
      nextStep: "write 'aspects: true' there; or mark the class @Woven")
  }
}
