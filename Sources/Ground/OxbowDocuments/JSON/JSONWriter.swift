/// Writes JSON (RFC 8259), value after value, indented on request.
package struct JSONWriter {
  /// The text that was not taken yet, in UTF-8.
  package private(set) var bytes: [UInt8] = []

  private let isIndented: Bool

  /// Whether there is a space behind commas and colons of one line.
  private let isSpaced: Bool

  /// For each open array and object, whether it has a value.
  private var open: [Bool] = []

  private var hasKey = false

  package init(isIndented: Bool = false, isSpaced: Bool = false) {
    (self.isIndented, self.isSpaced) = (isIndented, isSpaced)
  }

  /// Returns the text that was written since the last call.
  package mutating func take() -> [UInt8] {
    defer { bytes.removeAll() }
    return bytes
  }

  package mutating func beginArray() { begin("[") }
  package mutating func endArray() { end("]") }
  package mutating func beginObject() { begin("{") }
  package mutating func endObject() { end("}") }

  package mutating func key(_ name: String) {
    separate()
    append(quoted: name)
    bytes += (isIndented || isSpaced ? ": " : ":").utf8
    hasKey = true
  }

  package mutating func text(_ text: String) {
    separate()
    append(quoted: text)
  }

  /// A number, a truth value or null, as it is written.
  package mutating func literal(_ text: String) {
    separate()
    bytes += text.utf8
  }

  package mutating func value(_ value: JSONValue) {
    switch value.content {
    case .null: literal("null")
    case .boolean(let truth): literal("\(truth)")
    case .scalar(let number): literal(number.digits)
    case .text(let text): self.text(text)
    case .array(let values):
      beginArray()
      for value in values { self.value(value) }
      endArray()
    case .dictionary(let entries):
      beginObject()
      for entry in entries {
        key(entry.key)
        self.value(entry.value)
      }
      endObject()
    }
  }

  private mutating func begin(_ mark: String) {
    separate()
    bytes += mark.utf8
    open.append(false)
  }

  private mutating func end(_ mark: String) {
    let hadValues = open.popLast() == true
    if hadValues { breakLine() }
    bytes += mark.utf8
  }

  private mutating func separate() {
    guard !hasKey else { return hasKey = false }
    guard let last = open.last else { return }
    if last { bytes += (isSpaced ? ", " : ",").utf8 }
    open[open.count - 1] = true
    breakLine()
  }

  private mutating func breakLine() {
    guard isIndented else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes += repeatElement(UInt8(ascii: " "), count: 2 * open.count)
  }

  private mutating func append(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += "\\\"".utf8
      case UInt8(ascii: "\\"): bytes += "\\\\".utf8
      case UInt8(ascii: "\n"): bytes += "\\n".utf8
      case UInt8(ascii: "\r"): bytes += "\\r".utf8
      case UInt8(ascii: "\t"): bytes += "\\t".utf8
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
