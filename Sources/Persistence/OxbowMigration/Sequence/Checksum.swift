internal import OxbowModel

/// The checksum of a migration file's text.
///
/// Line endings, blanks at the ends of lines and empty lines at the end of the file do not count:
/// editors and version control change them.
public struct Checksum: Sendable, Hashable, CustomStringConvertible {
  /// The name of the algorithm, kept with each checksum.
  public static let algorithm = "sha256-lines-1"

  /// 64 hexadecimal digits.
  public let description: String

  /// Creates the checksum of a text.
  public init(of bytes: [UInt8]) {
    var hash = SHA256()
    var pending = 0
    for line in Self.lines(bytes) {
      let end = line.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
      guard let end else {
        pending += 1
        continue
      }
      hash.update(repeatElement(UInt8(ascii: "\n"), count: pending))
      pending = 0
      hash.update(line[line.startIndex...end])
      hash.update(CollectionOfOne(UInt8(ascii: "\n")))
    }
    description = hash.hexadecimalDigits
  }

  /// The lines of a text, whichever of LF, CRLF and CR ends them.
  static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    var index = start
    while index < bytes.endIndex {
      let byte = bytes[index]
      guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
        index += 1
        continue
      }
      lines.append(bytes[start..<index])
      let isPair =
        byte == UInt8(ascii: "\r") && index + 1 < bytes.endIndex
        && bytes[index + 1] == UInt8(ascii: "\n")
      index += isPair ? 2 : 1
      start = index
    }
    if start < bytes.endIndex { lines.append(bytes[start...]) }
    return lines
  }
}
