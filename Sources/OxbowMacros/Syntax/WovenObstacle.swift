/// Why aspects cannot run around a method.
enum WovenObstacle {
  case isStatic, generic, rethrowing, limitedErrors, quietAsync, unnamedParameter
  /// A parameter whose argument cannot be kept.
  case parameter(String)
  /// A result that is opaque.
  case result
  case dynamicSelf
  case attribute(String)
}
