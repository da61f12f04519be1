internal import OxbowFoundation

/// The exact sum of decimal numbers that are written as text.
///
/// Numbers are added as whole ones with a common number of digits after the point. What does not
/// fit into 38 digits on the way is an error rather than a rounded number. Both executors use it.
package struct DecimalSum: Sendable {
  private var mantissa: Int128 = 0

  /// The digits of `mantissa` after the point.
  private var scale = 0

  package private(set) var count = 0

  /// Whether a number was not a decimal one, or the sum did not fit.
  package private(set) var hasFailed = false

  package init() {}

  /// What is wrong with a sum that needs too many digits.
  package static let failure =
    "the sum or the average of decimal numbers needs more than 38 digits; sum fewer objects, or "
    + "numbers of similar size"

  /// Adds a number in plain digits, with or without exponent.
  package mutating func add(_ text: some Sequence<UInt8>) {
    guard !hasFailed else { return }
    count += 1
    guard var number = ScaledNumber(text) else { return hasFailed = true }
    let common = Swift.max(scale, number.scale)
    var sum = ScaledNumber(mantissa: mantissa, scale: scale)
    guard sum.extend(to: common), number.extend(to: common) else { return hasFailed = true }
    let (result, overflows) = sum.mantissa.addingReportingOverflow(number.mantissa)
    hasFailed = overflows || result.magnitude >= Self.limit
    mantissa = result
    scale = common
  }

  /// Adds a number as ``add(_:)`` does; quick for numbers of up to 18 digits.
  package mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
    guard !hasFailed, let number = ShortNumber(text) else { return add(text.lazy.map { $0 }) }
    if mantissa == 0 { scale = number.scale }
    let digits = scale - number.scale
    guard ShortNumber.powers.indices.contains(digits) else { return add(text.lazy.map { $0 }) }
    let factor = Int128(ShortNumber.powers[digits])
    let (result, overflows) = mantissa.addingReportingOverflow(Int128(number.mantissa) * factor)
    count += 1
    hasFailed = overflows || result.magnitude >= Self.limit
    mantissa = result
  }

  private static let limit = UInt128(10_000_000_000_000_000_000) * 10_000_000_000_000_000_000

  /// The sum in plain digits, without zeros at the end of its fraction.
  package var sum: String {
    var digits = String(mantissa.magnitude)
    if digits.count <= scale {
      digits = String(repeating: "0", count: scale - digits.count + 1) + digits
    }
    var fraction = digits.suffix(scale)
    while fraction.last == "0" { fraction.removeLast() }
    let whole = digits.dropLast(scale) + (fraction.isEmpty ? "" : "." + fraction)
    return (mantissa < 0 ? "-" : "") + whole
  }

  /// A sum or an average of these numbers as a value.
  package func value(_ text: String?) throws(PersistenceError) -> FetchValue {
    guard !hasFailed, let number = text.flatMap({ Decimal(string: $0) }) else {
      throw .decimalOverflow
    }
    return .attribute(.decimal(number))
  }

  /// The mean, rounded to the digits of a decimal number; `nil` of no numbers, and where its digits
  /// begin too far behind the point.
  package var average: String? {
    guard count > 0, let sum = Decimal(string: sum) else { return nil }
    let mean = sum / Decimal(count)
    return mean.isNaN ? nil : mean.description
  }
}

/// A number of up to 18 digits, without exponent and without zeros at the end of its fraction.
private struct ShortNumber {
  var mantissa: Int64 = 0
  var scale = 0

  /// The powers of ten that fit into 64 bits.
  static let powers: [Int64] = (0...18).reduce(into: []) { powers, _ in
    powers.append((powers.last ?? 0) == 0 ? 1 : (powers.last ?? 0) * 10)
  }

  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard (1...18).contains(text.count) else { return nil }
    var index = 0
    var point: Int?
    let isNegative = text[0] == UInt8(ascii: "-")
    if isNegative { index = 1 }
    let start = index
    while index < text.count {
      let byte = text[index]
      let digit = byte &- UInt8(ascii: "0")
      if digit < 10 {
        mantissa = mantissa &* 10 &+ Int64(digit)
      } else {
        guard byte == UInt8(ascii: "."), point == nil else { return nil }
        point = index
      }
      index &+= 1
    }
    guard let point else {
      guard text.count > start else { return nil }
      if isNegative { mantissa = -mantissa }
      return
    }
    scale = text.count - point - 1
    guard scale > 0, point > start, text[text.count - 1] != UInt8(ascii: "0") else { return nil }
    if isNegative { mantissa = -mantissa }
  }
}

private struct ScaledNumber {
  var mantissa: Int128
  var scale: Int
}

extension ScaledNumber {
  /// Reads digits with sign, point and exponent.
  init?(_ text: some Sequence<UInt8>) {
    mantissa = 0
    scale = 0
    var hasPoint = false
    var hasDigits = false
    var isNegative = false
    var exponent: [UInt8]?
    for (index, byte) in text.enumerated() {
      switch byte {
      case _ where exponent != nil: exponent?.append(byte)
      case UInt8(ascii: "-") where index == 0: isNegative = true
      case UInt8(ascii: "+") where index == 0: break
      case UInt8(ascii: ".") where !hasPoint: hasPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): exponent = []
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        hasDigits = true
        guard append(byte &- UInt8(ascii: "0")) else { return nil }
        if hasPoint { scale += 1 }
      default: return nil
      }
    }
    guard hasDigits else { return nil }
    if isNegative { mantissa = -mantissa }
    if let exponent {
      guard let power = Int(String(decoding: exponent, as: UTF8.self)), power.magnitude < 1000
      else { return nil }
      scale -= power
    }
    reduce()
  }

  private mutating func append(_ digit: UInt8) -> Bool {
    let (tenfold, overflows) = mantissa.multipliedReportingOverflow(by: 10)
    mantissa = tenfold &+ Int128(digit)
    return !overflows && mantissa >= 0
  }

  /// Takes zeros off the end of the fraction.
  private mutating func reduce() {
    if mantissa == 0 { scale = 0 }
    while scale > 0, mantissa % 10 == 0 {
      mantissa /= 10
      scale -= 1
    }
    if scale < 0 { _ = extend(to: 0) }
  }

  /// Appends zeros; false if they do not fit.
  mutating func extend(to wanted: Int) -> Bool {
    if mantissa == 0 { scale = wanted }
    while scale < wanted {
      let (tenfold, overflows) = mantissa.multipliedReportingOverflow(by: 10)
      guard !overflows else { return false }
      mantissa = tenfold
      scale += 1
    }
    return true
  }
}
