/// The exact sum of whole numbers of 64 bits, and their average; both executors use it.
///
/// A sum of floating-point numbers depends on their order from 2^53 on, and one of 64 bits may not
/// fit on the way.
package struct WholeSum: Sendable {
  private var total: Int128 = 0
  private var count = 0

  package init() {}

  package mutating func add(_ number: Int64) {
    total &+= Int128(number)
    count += 1
  }

  /// The sum; `nil` for one that does not fit into 64 bits.
  package var sum: Int64? { Int64(exactly: total) }

  /// The sum divided by the number of numbers; `nil` of no numbers.
  package var average: Double? { count > 0 ? Double(total) / Double(count) : nil }
}
