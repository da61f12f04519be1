internal import OxbowFoundation

/// A cell of an attribute whose values may be in files, as Core Data writes it.
///
/// A byte says what follows: 1, the value itself; 2, the name of its file, a UUID in capital
/// letters, and a zero.
package enum TaggedCell: Hashable, Sendable {
  case inline([UInt8])
  case file(String)

  /// The bytes before a value, and before a name.
  package static let inlineTag: UInt8 = 1
  package static let fileTag: UInt8 = 2

  private static let fileLength = 38

  /// Reads what a cell has; `nil` for bytes that no such cell has.
  package init?(_ bytes: some Collection<UInt8>) {
    switch bytes.first {
    case Self.inlineTag: self = .inline(Array(bytes.dropFirst()))
    case Self.fileTag:
      guard let name = Self.name(in: bytes) else { return nil }
      self = .file(name)
    default: return nil
    }
  }

  /// The name of the file that a cell refers to.
  package static func name(in bytes: some Collection<UInt8>) -> String? {
    guard bytes.count == fileLength, bytes.first == fileTag else { return nil }
    let name = String(decoding: bytes.dropFirst().prefix(fileLength - 2), as: UTF8.self)
    let isEnded = bytes.dropFirst(fileLength - 1).first == 0
    return isEnded && isFileName(name) ? name : nil
  }

  /// Whether a file of a value may have a name.
  package static func isFileName(_ name: String) -> Bool {
    UUID(uuidString: name)?.uuidString == name
  }

  /// The value, if the cell has it itself.
  package var bytes: [UInt8]? { if case .inline(let bytes) = self { bytes } else { nil } }

  /// The cell of a value in the file of a name.
  package static func reference(to name: String) -> [UInt8] { [fileTag] + name.utf8 + [0] }

  /// The cell of a value that is not in a file.
  package static func tagged(_ value: some Sequence<UInt8>) -> [UInt8] { [inlineTag] + value }
}
