extension ContainerError.Problem {
  static func wrongArgument(
    _ what: String, of method: String, count: Int, value: Any, wanted: String?
  ) -> Self {
    Self(
      .typeMismatch, "\(what) of '\(method)' cannot be changed to \(value)",
      seen: "a value of type '\(type(of: value))'",
      expected: wanted.map { "a value of type '\($0)'" }
        ?? (count == 0
          ? "nothing: the method has no arguments" : "a number from 0 to \(count - 1)"),
      nextStep: "correct the aspect")
  }

  static func noResult(of method: String, typeName: String) -> Self {
    Self(
      .noResult, "an aspect of '\(method)' has neither called the target nor set a result",
      seen: "no result", expected: "a result of type '\(typeName)'",
      nextStep: "call 'proceed', set a result with 'setResult', or throw an error")
  }

  static func wovenTwice(_ name: String, present: String) -> Self {
    Self(
      .invalidAspect,
      "the object of \"\(name)\" has the aspects of \"\(present)\" of another definition or "
        + "container already",
      seen: "an object that two definitions make or inject", expected: "one definition",
      nextStep: "make an object for each, or leave one of them without aspects")
  }
}
