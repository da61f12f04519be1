extension XMLReader {
  func error(_ message: String, at offset: Int) -> DocumentError {
    DocumentError(message: message, location: lines.location(of: Int32(offset)))
  }

  /// The byte at a distance, or 0 (which no document contains) after the end.
  @inline(__always) func byte(after distance: Int = 0) -> UInt8 {
    let index = offset + distance
    return index < bytes.count ? bytes[index] : 0
  }

  @inline(__always) func at(_ text: StaticString) -> Bool {
    at(text, offset)
  }

  @inline(__always) func at(_ text: StaticString, _ start: Int) -> Bool {
    guard bytes.count - start >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount
    where bytes[start + index] != text.utf8Start[index] {
      return false
    }
    return true
  }

  /// Steps over a text if it is next.
  @inline(__always) mutating func take(_ text: StaticString) -> Bool {
    guard at(text) else { return false }
    offset += text.utf8CodeUnitCount
    return true
  }

  /// Steps over white space; returns whether there was any.
  @discardableResult
  @inline(__always) mutating func skipSpace() -> Bool {
    let start = offset
    skip(while: .space)
    return offset > start
  }

  /// Steps over all bytes here that are in a set.
  @inline(__always) mutating func skip(while set: ByteSet) {
    offset = bytes.end(of: set, from: offset)
  }

  /// Steps over the next occurrence of a text, or returns false and stays.
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
}
