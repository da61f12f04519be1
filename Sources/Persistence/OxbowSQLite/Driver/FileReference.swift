internal import OxbowFoundation

/// What a cell has for a value that is in a file beside the store.
///
/// `oxbow-file:3F2504E0-4F89-41D3-9A0C-0305E82C3301:0000104857` as a BLOB, because the columns of
/// STRICT tables take nothing else: the file's name, and the number of its bytes. It has no path,
/// so that no cell leads out of the store's folder.
///
/// A value that looks like this is kept in a file, however short it is. So in a store that has the
/// table of files (`FilesTable`), what looks like a reference is one.
package struct FileReference: Hashable, Sendable {
  /// The file's name: a UUID in capital letters.
  package let name: String

  /// The number of bytes in the file.
  package let byteCount: Int

  /// How many bytes a reference has.
  package static let length = prefix.utf8.count + nameLength + 1 + digits

  private static let prefix = "oxbow-file:"
  private static let nameLength = 36
  private static let digits = 10

  /// Names a new file.
  package init(byteCount: Int) {
    self.init(name: UUID().uuidString, byteCount: byteCount)
  }

  /// The reference to a file.
  package init(name: String, byteCount: Int) {
    self.name = name
    self.byteCount = byteCount
  }

  /// Reads what a cell has; `nil` for any other bytes.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Self.length, bytes.starts(with: Self.prefix.utf8) else { return nil }
    let text = String(decoding: bytes.dropFirst(Self.prefix.utf8.count), as: UTF8.self)
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, Self.isName(parts[0]), parts[1].utf8.count == Self.digits,
      parts[1].utf8.allSatisfy({ (48...57).contains($0) }), let count = Int(parts[1])
    else { return nil }
    self.init(name: String(parts[0]), byteCount: count)
  }

  /// Whether a text is the name of a file of ours.
  package static func isName(_ text: some StringProtocol) -> Bool {
    let text = String(text)
    return text.utf8.count == nameLength && UUID(uuidString: text)?.uuidString == text
  }

  /// The bytes of the cell.
  package var bytes: [UInt8] {
    let number = String(byteCount)
    let zeros = String(repeating: "0", count: max(0, Self.digits - number.count))
    return Array("\(Self.prefix)\(name):\(zeros)\(number)".utf8)
  }
}

// MARK: - In statements

extension FileReference {
  /// Says that a column looks like a reference; SQLite reads no bytes of other values for it.
  package static func condition(on column: String) -> String {
    let digits = Array("0123456789ABCDEF")
    let hex = prefix.utf8.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
    return
      "length(\(column)) = \(length) AND substr(\(column), 1, \(prefix.utf8.count)) = X'\(hex)'"
  }

  /// The name of the file that a column refers to.
  static func name(in column: String) -> String {
    "CAST(substr(\(column), \(prefix.utf8.count + 1), \(nameLength)) AS TEXT)"
  }
}
