internal import CSQLite
internal import OxbowFoundation
internal import OxbowRelational

/// Whether text that was read is what its column promises.
@inline(never)
func fits(_ code: CellOperation.Code, _ start: UnsafeRawPointer, _ count: Int) -> Bool {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  switch code {
  case .decimal: return isDecimal(bytes)
  case .uri:
    guard isUTF8(bytes) else { return false }
    return URL(string: String(decoding: bytes, as: UTF8.self)) != nil
  default: return isUTF8(bytes)
  }
}

extension Statement {
  /// Whether a cell of the current row is UTF-8 if it is a text: what is not has become other
  /// characters.
  func isWhole(_ cell: SQLValue, at column: Int) -> Bool {
    guard case .text(let text) = cell, text.unicodeScalars.contains("\u{FFFD}") else { return true }
    let start = sqlite3_column_text(handle, Int32(column))
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return isUTF8(UnsafeRawBufferPointer(start: start, count: count))
  }
}

/// Whether bytes are well-formed UTF-8 (Unicode 15, table 3-7).
func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
  var index = 0
  while index < bytes.count {
    let lead = bytes[index]
    index += 1
    if lead < 0x80 { continue }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xbf
    switch lead {
    case 0xc2...0xdf: length = 1
    case 0xe0: (length, second) = (2, 0xa0...0xbf)
    case 0xed: (length, second) = (2, 0x80...0x9f)
    case 0xe1...0xef: length = 2
    case 0xf0: (length, second) = (3, 0x90...0xbf)
    case 0xf1...0xf3: length = 3
    case 0xf4: (length, second) = (3, 0x80...0x8f)
    default: return false
    }
    guard index + length <= bytes.count, second.contains(bytes[index]) else { return false }
    for next in bytes[(index + 1)..<(index + length)] where next & 0xc0 != 0x80 { return false }
    index += length
  }
  return true
}

/// Whether bytes are a decimal number: sign, digits, point, exponent.
func isDecimal(_ bytes: UnsafeRawBufferPointer) -> Bool {
  var rest = Substring(decoding: bytes, as: UTF8.self)
  if rest.first == "-" || rest.first == "+" { rest = rest.dropFirst() }
  let whole = rest.prefix { $0.isASCII && $0.isNumber }
  rest = rest.dropFirst(whole.count)
  var fraction: Substring = ""
  if rest.first == "." {
    fraction = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(1 + fraction.count)
  }
  guard !(whole.isEmpty && fraction.isEmpty) else { return false }
  var exponent = 0
  if rest.first == "e" || rest.first == "E" {
    guard let written = Int8(rest.dropFirst()) else { return false }
    exponent = Int(written)
  } else if !rest.isEmpty {
    return false
  }
  return isRepresentable(whole + fraction, exponent: exponent - fraction.count)
}

/// Whether a `Decimal` keeps all the digits: it has 128 bits for them and 8 for the exponent, and
/// reads the rest as nothing.
private func isRepresentable(_ digits: Substring, exponent: Int) -> Bool {
  let leading = digits.drop { $0 == "0" }
  guard let last = leading.lastIndex(where: { $0 != "0" }) else { return true }
  let significant = leading[...last]
  let largest = "340282366920938463463374607431768211455"
  guard
    significant.count < largest.count
      || significant.count == largest.count && significant <= largest
  else { return false }
  let exponent = exponent + leading.count - significant.count
  // Zeros at the end may be in the digits instead.
  let room = max(0, largest.count - 1 - significant.count)
  return exponent >= -128 && exponent - room <= 127
}
