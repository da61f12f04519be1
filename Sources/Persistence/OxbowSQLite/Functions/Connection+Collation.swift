internal import CSQLite

extension Connection {
  /// Registers the order of decimal numbers that are kept as text.
  ///
  /// Queries name it; no schema object does, so a store stays usable in any SQLite tool.
  func registerDecimalOrder() throws {
    let code = sqlite3_create_collation_v2(
      handle, "oxbow_decimal", SQLITE_UTF8, nil,
      { _, leftCount, left, rightCount, right in
        compareDecimals(
          UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
          UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
      }, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }
}

/// Compares two decimal numbers by value; text that is not a number follows all numbers.
func compareDecimals(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32 {
  switch (DecimalDigits(left), DecimalDigits(right)) {
  case (let a?, let b?): return a.compare(b)
  case (_?, nil): return -1
  case (nil, _?): return 1
  case (nil, nil):
    return left.lexicographicallyPrecedes(right) ? -1 : left.elementsEqual(right) ? 0 : 1
  }
}

/// A decimal number as sign, digits without leading and trailing zeros, and its exponent.
private struct DecimalDigits {
  var isNegative = false
  var digits: [UInt8] = []

  /// The power of ten of the first digit, plus one.
  var exponent = 0

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard isDecimal(bytes) else { return nil }
    var seenPoint = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "+"): break
      case UInt8(ascii: "."): seenPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        exponent += Int(String(decoding: bytes[index...], as: UTF8.self)) ?? 0
        index = bytes.count
      default:
        let isLeadingZero = digits.isEmpty && byte == UInt8(ascii: "0")
        if !isLeadingZero { digits.append(byte) }
        if !seenPoint && !isLeadingZero { exponent += 1 }
        if seenPoint && isLeadingZero { exponent -= 1 }
      }
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if digits.isEmpty {
      isNegative = false
      exponent = 0
    }
  }

  func compare(_ other: DecimalDigits) -> Int32 {
    if isNegative != other.isNegative { return isNegative ? -1 : 1 }
    let magnitude = compareMagnitude(other)
    return isNegative ? -magnitude : magnitude
  }

  private func compareMagnitude(_ other: DecimalDigits) -> Int32 {
    if digits.isEmpty || other.digits.isEmpty {
      return digits.isEmpty ? (other.digits.isEmpty ? 0 : -1) : 1
    }
    if exponent != other.exponent { return exponent < other.exponent ? -1 : 1 }
    if digits == other.digits { return 0 }
    return digits.lexicographicallyPrecedes(other.digits) ? -1 : 1
  }
}
