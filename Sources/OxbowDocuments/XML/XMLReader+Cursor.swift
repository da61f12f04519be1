/// Moving over the bytes.
extension XMLReader {
  mutating func location(of offset: Int) -> SourceLocation {
    places.location(of: offset, in: bytes)
  }

  mutating func error(_ message: String, at offset: Int) -> DocumentError {
    DocumentError(message: message, location: location(of: offset))
  }

  /// The byte at a distance, or 0 (which no document contains) after the end.
  func byte(after distance: Int = 0) -> UInt8 {
    let index = offset + distance
    return index < bytes.count ? bytes[index] : 0
  }

  func at(_ text: StaticString) -> Bool {
    at(text, offset)
  }

  func at(_ text: StaticString, _ start: Int) -> Bool {
    guard bytes.count - start >= text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { $0.elementsEqual(bytes[start..<start + $0.count]) }
  }

  /// Steps over a text when it stands here.
  mutating func take(_ text: StaticString) -> Bool {
    guard at(text) else { return false }
    offset += text.utf8CodeUnitCount
    return true
  }

  /// Steps over white space and tells whether there was any.
  @discardableResult
  mutating func skipSpace() -> Bool {
    let start = offset
    while offset < bytes.count, Ascii.isSpace(bytes[offset]) { offset += 1 }
    return offset > start
  }

  /// Steps behind the next occurrence of a text, or returns false and stays.
  mutating func skip(behind text: StaticString) -> Bool {
    let first = text.withUTF8Buffer { $0[0] }
    var index = offset
    while index < bytes.count {
      if bytes[index] == first, at(text, index) {
        offset = index + text.utf8CodeUnitCount
        return true
      }
      index += 1
    }
    return false
  }

  func string(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}
