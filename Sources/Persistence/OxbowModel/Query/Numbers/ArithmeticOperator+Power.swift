internal import OxbowFoundation

extension ArithmeticOperator {
  /// A power, in memory and in statements alike.
  package static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
}
