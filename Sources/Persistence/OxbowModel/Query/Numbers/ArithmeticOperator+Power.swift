internal import OxbowFoundation

extension ArithmeticOperator {
  /// A power, in memory and in statements alike; zero has no sign in a store.
  package static func power(_ base: Double, _ exponent: Double) -> Double {
    pow(base == 0 ? 0 : base, exponent)
  }
}
