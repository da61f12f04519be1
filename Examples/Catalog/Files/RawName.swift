import Foundation

/// A name or path as the file system has it: bytes that need not be text.
struct RawName: Hashable, Sendable {
  let bytes: Data

  init(_ bytes: Data) { self.bytes = bytes }

  init(_ text: String) { bytes = Data(text.utf8) }

  /// The name for people: the text, with `\xHH` for each byte that is not part of one.
  var display: String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var position = bytes.startIndex
    var text = ""
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar):
        text.unicodeScalars.append(Unicode.UTF8.decode(scalar))
        position += scalar.count
      case .error(let length):
        for byte in bytes[position..<position + length] {
          let digits = String(byte, radix: 16, uppercase: true)
          text += byte < 16 ? "\\x0\(digits)" : "\\x\(digits)"
        }
        position += length
      case .emptyInput:
        return text
      }
    }
  }

  /// What kind of file the name says: its extension in lower case, or nothing.
  ///
  /// A beginning point hides a file and begins no extension; neither does a long or spaced end.
  var kind: String {
    guard let text = String(validating: bytes, as: UTF8.self),
      let point = text.lastIndex(of: "."), point != text.startIndex
    else { return "" }
    let end = text[text.index(after: point)...]
    let isShort = !end.isEmpty && end.utf8.count <= 16
    return isShort && end.allSatisfy { $0.isLetter || $0.isNumber } ? end.lowercased() : ""
  }

  /// The path of an entry of this directory.
  func appending(_ name: RawName) -> RawName {
    var path = bytes
    if path.last != UInt8(ascii: "/") { path.append(UInt8(ascii: "/")) }
    path.append(name.bytes)
    return RawName(path)
  }

  /// Whether this path is `other` or below it.
  func isInside(_ other: RawName) -> Bool {
    var folder = other.bytes
    if folder == bytes { return true }
    if folder.last != UInt8(ascii: "/") { folder.append(UInt8(ascii: "/")) }
    return bytes.starts(with: folder)
  }

  /// The bytes with a zero at their end, for calls of the system.
  var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
}
