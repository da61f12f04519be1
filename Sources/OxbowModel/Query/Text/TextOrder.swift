/// How the texts of a sort key are compared.
///
/// ```swift
/// context.fetch(
///   Book.self, sortedBy: [.ascending(\.title, comparing: [.caseInsensitive, .numeric])])
/// ```
///
/// Without options, texts compare by their bytes. Texts that are equal under the options follow in
/// the order of the next key. The result is the same on every machine, in the store and in memory;
/// a fetch cannot use an index for it.
public struct TextOrder: OptionSet, Sendable, Hashable {
  /// The options as bits.
  public let rawValue: UInt8

  /// Creates options from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Upper and lower case are the same, in every script.
  public static let caseInsensitive = TextOrder(rawValue: 1)

  /// Letters with and without marks are the same: `é` is `e`.
  public static let diacriticInsensitive = TextOrder(rawValue: 2)

  /// Digits that follow each other are a number: `file 9` comes before `file 10`.
  public static let numeric = TextOrder(rawValue: 4)

  /// The order of a language: refused by the fetch, which names what to use instead.
  ///
  /// Foundation compares by the rules of the process's locale, which differ from machine to machine
  /// and from version to version, so that a store and a program could disagree.
  public static let localized = TextOrder(rawValue: 8)

  /// The order of a file list (Foundation's `localizedStandardCompare`): refused as ``localized``
  /// is.
  public static let localizedStandard = TextOrder(rawValue: 16)

  /// The options that texts are folded by.
  private var folding: TextOptions { TextOptions(rawValue: rawValue & 3) }

  /// The bytes whose order is the order of texts.
  package func key(of text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    TextFolding.withFolded(text, folding) { folded in
      contains(.numeric) ? Self.numericKey(of: folded) : Array(folded)
    }
  }

  /// The bytes whose order is the order of texts.
  package func key(of text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { key(of: $0) }
  }

  /// A number becomes "0", the length of its digits and the digits, so that a longer one follows.
  private static func numericKey(of text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(text.count + 8)
    var index = 0
    while index < text.count {
      guard isDigit(text[index]) else {
        key.append(text[index])
        index += 1
        continue
      }
      let start = index
      while index < text.count, isDigit(text[index]) { index += 1 }
      let digits = text[start..<index].drop { $0 == UInt8(ascii: "0") }
      key.append(UInt8(ascii: "0"))
      // More than 254 digits: 255 for each 255 of them, then the rest.
      key += repeatElement(255, count: digits.count / 255)
      key.append(UInt8(digits.count % 255))
      key += digits
    }
    return key
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  /// Refuses an order that depends on a locale.
  package func requireUniversal() throws(PersistenceError) {
    guard !isDisjoint(with: [.localized, .localizedStandard]) else { return }
    let name = contains(.localized) ? "localized" : "localizedStandard"
    throw PersistenceError(
      .invalidPredicate,
      "texts cannot be compared as '\(name)' here: that order belongs to the locale of a process, "
        + "and a store has none; use [.caseInsensitive, .diacriticInsensitive, .numeric], or sort the"
        + " fetched objects")
  }
}
