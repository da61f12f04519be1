package import OxbowFoundation

/// What the texts of single values mean, in whatever document they are (decision 0491).
package enum ScalarText {
  /// Reads a truth value: `true`, `yes`, `1`, `false`, `no` and `0`, in any case.
  package static func truth(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "1": true
    case "false", "no", "0": false
    default: nil
    }
  }

  /// Reads a number; infinity only if it is spelled out.
  package static func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ text: String
  ) -> Number? {
    Number(text).flatMap { $0.isInfinite && text.contains(where: \.isNumber) ? nil : $0 }
  }

  /// Reads a decimal number in digits with a point, with or without exponent; `nil` for one with
  /// more significant digits than `most`.
  ///
  /// Foundation reads the number at the front of a text and ignores the rest, and rounds what it
  /// cannot keep.
  package static func decimal(_ text: String, digits most: Int = .max) -> Decimal? {
    guard let count = decimalDigits(text), count <= most, let number = Decimal(string: text),
      !number.isNaN
    else { return nil }
    return number
  }

  /// The number of significant digits of a decimal number; `nil` for another text.
  private static func decimalDigits(_ text: String) -> Int? {
    var rest = Substring(text)
    if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
    let mantissa = rest.prefix { $0 != "e" && $0 != "E" }
    let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.contains(where: { !$0.isEmpty }),
      parts.joined().allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    if mantissa.endIndex < rest.endIndex {
      guard Int(rest[rest.index(after: mantissa.endIndex)...]) != nil else { return nil }
    }
    let digits = parts.joined().drop { $0 == "0" }
    return digits.count - digits.reversed().prefix { $0 == "0" }.count
  }

  /// Reads bytes in base64.
  ///
  /// Foundation makes a byte of padding alone.
  package static func bytes(_ text: String) -> Data? {
    text.drop { $0 != "=" }.count <= 2 ? Data(base64Encoded: text) : nil
  }

  /// Reads a whole number of 64 bits, signed or unsigned.
  static func integer(_ text: String) -> Int128? {
    let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
    let digits = text.dropFirst(2)
    // The sign of a number is its first character.
    if isHexadecimal, digits.first?.isHexDigit != true { return nil }
    let number = isHexadecimal ? Int128(digits, radix: 16) : Int128(text)
    return number.flatMap { (Int128(Int64.min)...Int128(UInt64.max)).contains($0) ? $0 : nil }
  }

  /// Reads `2001-01-01T00:00:00Z` as seconds since 2001.
  static func date(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    guard bytes.count == 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"), bytes[19] == UInt8(ascii: "Z"),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
      let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
      year > 0, (1...12).contains(month), (1...days(in: month, of: year)).contains(day), hour < 24,
      minute < 60, second < 60
    else { return nil }
    let days = daysSince1970(year, month, day) - daysSince1970(2001, 1, 1)
    return Double(days * 86400 + hour * 3600 + minute * 60 + second)
  }

  /// Reads base64 with spaces in it, padded to groups of four.
  static func data(_ text: String) -> [UInt8]? {
    let digits = text.utf8.filter { $0 != Ascii.space }
    let padding = digits.drop { $0 != UInt8(ascii: "=") }
    guard digits.count.isMultiple(of: 4), padding.allSatisfy({ $0 == UInt8(ascii: "=") }) else {
      return nil
    }
    return bytes(String(decoding: digits, as: UTF8.self)).map(Array.init)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    digits.reduce(Int?.some(0)) { sum, digit in
      guard let sum, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      return sum * 10 + Int(digit - UInt8(ascii: "0"))
    }
  }

  /// The number of days of a month.
  package static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The days between 1970-01-01 and a date of the proleptic Gregorian calendar.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // If years begin in March, the leap day is last, which makes the lengths of months regular.
    let year = month > 2 ? year : year - 1
    let monthFromMarch = (month + 9) % 12
    let leapDays = year / 4 - year / 100 + year / 400
    return year * 365 + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1 - 719468
  }
}
