/// The exact sum of whole numbers of 64 bits, for their average; both executors use it.
///
/// A sum of floating-point numbers depends on their order from 2^53 on.
package struct WholeSum: Sendable {
  private var sum: Int128 = 0
  private var count = 0

  package init() {}

  package mutating func add(_ number: Int64) {
    sum &+= Int128(number)
    count += 1
  }

  /// The sum divided by the number of numbers; `nil` of no numbers.
  package var average: Double? { count > 0 ? Double(sum) / Double(count) : nil }
}
