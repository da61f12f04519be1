import OxbowModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
    (["0.12345678901234567890123", "1"], "1.12345678901234567890123"),
    (["0.1234567890123456789", "-0.1234567890123456789", "1", "0.5"], "1.5"),
    (["1.2.3"], "failed"), (["--1"], "failed"), (["+1", "0"], "1"),
  ])
  func `PF-08 what does not fit is an error and never rounded`(
    numbers: [String], expected: String
  ) {
    #expect(sum(numbers) == expected)
    #expect(quickSum(numbers) == expected)
  }

  /// A number of up to 25 digits, some behind the point, from bits.
  private func number(_ bits: UInt64) -> String {
    let digits = Int(bits % 25) + 1
    let scale = Int((bits >> 8) % 23)
    var text = (0..<digits).map { String((bits >> ($0 % 20 * 3)) % 10) }.joined()
    while text.count <= scale { text = "0" + text }
    let whole = text.dropLast(scale)
    return (bits >> 60 & 1 == 1 ? "-" : "") + whole + (scale == 0 ? "" : "." + text.suffix(scale))
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `D6 numbers are added as their texts are, short ones too`(seed: UInt64) throws {
    var state = seed
    func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
      return bits ^ bits >> 31
    }
    for _ in 1...2_000 {
      let (a, b) = (number(next()), number(next()))
      let values = try [a, b].map { AttributeValue.decimal(try #require(Decimal(string: $0))) }
      let added = values[0].adding(values[1], as: .decimal)
      guard case .decimal(let found)? = added else {
        #expect(added == nil && sum([a, b]) == "failed", "seed \(seed): \(a) + \(b)")
        continue
      }
      #expect(found.description == sum([a, b]), "seed \(seed): \(a) + \(b)")
    }
  }

  @Test func `D6 what is not a number has no sum`() {
    #expect(AttributeValue.decimal(.nan).adding(.decimal(1), as: .decimal) == nil)
    #expect(AttributeValue.decimal(1).adding(.decimal(.nan), as: .decimal) == nil)
  }
}
