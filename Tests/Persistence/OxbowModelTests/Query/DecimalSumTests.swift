import OxbowModel
import Testing

/// PF-08: sums of decimal numbers are exact.
@Suite struct DecimalSumTests {
  private func sum(_ numbers: [String]) -> String {
    var sum = DecimalSum()
    for number in numbers { sum.add(number.utf8) }
    return sum.hasFailed ? "failed" : sum.sum
  }

  /// The sum by way of bytes in memory, as statements add.
  private func quickSum(_ numbers: [String]) -> String {
    var sum = DecimalSum()
    for number in numbers {
      Array(number.utf8).withUnsafeBufferPointer { sum.add($0) }
    }
    return sum.hasFailed ? "failed" : sum.sum
  }

  @Test(arguments: [
    (["0.1", "0.2"], "0.3"), (["1.50", "-1.5"], "0"),
    (
      ["100000000000000000000000000000.01", "0.99"],
      "100000000000000000000000000001"
    ), (["1e3", "2.5E-1"], "1000.25"), ([], "0"),
    (["-0.05"], "-0.05"), (["99999999999999999999999999999999999999", "1"], "failed"),
    (["12x"], "failed"), (["1e200"], "failed"), (["", "1"], "failed"),
    (["0.125", "7", "-0.5", "1.10"], "7.725"), (["-"], "failed"), ([".5", "5."], "5.5"),
    (["-999999999999999999", "0.0000000000000001"], "-999999999999999998.9999999999999999"),
    (["1.2.3"], "failed"), (["--1"], "failed"), (["+1", "0"], "1"),
  ])
  func `PF-08 what does not fit is an error and never rounded`(
    numbers: [String], expected: String
  ) {
    #expect(sum(numbers) == expected)
    #expect(quickSum(numbers) == expected)
  }
}
