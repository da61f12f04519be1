/// Reads the elements of a JSON array one by one, while its bytes arrive; a document that is not an
/// array is its only element.
package struct JSONElements {
  /// Returns the next bytes of a document, and `nil` at its end.
  package typealias Source = () throws(DocumentError) -> [UInt8]?

  private let source: Source
  private let file: String
  private let limits: DocumentLimits

  /// The latest bytes, and the position in them and in the document.
  private var bytes: [UInt8] = []
  private var index = 0
  private var line = 1
  private var column = 1
  private var state = State.start

  private enum State {
    case start, first, next, end
    /// The document is not an array.
    case single
  }

  /// The limits are those of one element; `file` is the name of the document in messages.
  package init(file: String, limits: DocumentLimits, from source: @escaping Source) {
    self.source = source
    self.file = file
    self.limits = limits
  }

  /// Returns the next element, or `nil` at the end of the document.
  package mutating func next() throws(DocumentError) -> JSONValue? {
    if state == .start { try begin() }
    if state == .end { return nil }
    try skipBlanks()
    if state == .first, try byte() == UInt8(ascii: "]") {
      try end()
      return nil
    }
    let start = location
    let value = try JSONReader.parse(try element(), from: start, limits: limits)
    switch (try byte(), state) {
    case (_, .single): state = .end
    case (UInt8(ascii: "]"), _): try end()
    case (nil, _): throw error("\",\" or \"]\" is expected, not the end of the text")
    default:
      step()
      state = .next
    }
    return value
  }

  private mutating func begin() throws(DocumentError) {
    // A byte order mark is not part of the text.
    for mark in [0xEF, 0xBB, 0xBF] as [UInt8] where try byte() == mark { index += 1 }
    try skipBlanks()
    guard try byte() == UInt8(ascii: "[") else { return state = .single }
    step()
    state = .first
  }

  /// Reads the end of the array, after which there may be only white space.
  private mutating func end() throws(DocumentError) {
    step()
    state = .end
    try skipBlanks()
    guard try byte() == nil else { throw error("there is more after the end of the JSON") }
  }

  /// The bytes up to the comma or bracket after an element.
  private mutating func element() throws(DocumentError) -> [UInt8] {
    var element: [UInt8] = []
    var depth = 0
    var quoted = false
    var escaped = false
    while let byte = try byte() {
      switch byte {
      case _ where escaped: escaped = false
      case UInt8(ascii: "\\") where quoted: escaped = true
      case UInt8(ascii: "\""): quoted.toggle()
      case _ where quoted: break
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ","), UInt8(ascii: "]"):
        if depth == 0, state != .single { return element }
        if byte == UInt8(ascii: "]") { depth -= 1 }
      case UInt8(ascii: "}"): depth -= 1
      default: break
      }
      element.append(byte)
      step()
      guard element.count <= limits.maximumBytes else {
        throw error("the element is larger than \(limits.maximumBytes) bytes, the limit for one")
      }
    }
    return element
  }

  // MARK: Bytes

  private mutating func byte() throws(DocumentError) -> UInt8? {
    while index == bytes.count {
      guard let next = try source() else { return nil }
      (bytes, index) = (next, 0)
    }
    return bytes[index]
  }

  private mutating func step() {
    if bytes[index] == UInt8(ascii: "\n") {
      (line, column) = (line + 1, 1)
    } else {
      column += 1
    }
    index += 1
  }

  private mutating func skipBlanks() throws(DocumentError) {
    while let byte = try byte(), " \t\r\n".utf8.contains(byte) { step() }
  }

  private var location: SourceLocation {
    SourceLocation(file: file, line: line, column: column)
  }

  private func error(_ message: String) -> DocumentError {
    DocumentError(message: message, location: location)
  }
}
