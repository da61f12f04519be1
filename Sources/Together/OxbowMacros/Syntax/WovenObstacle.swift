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
