#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension ArithmeticOperator {
  /// A power, in memory and in statements alike.
  package static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
}
