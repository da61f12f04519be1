/// How the texts of a sort key are compared.
///
/// ```swift
/// context.fetch(
///   Book.self, sortedBy: [.ascending(\.title, comparing: [.caseInsensitive, .numeric])])
/// ```
///
/// Without options, texts compare by their bytes. Texts that are equal under the options follow in
/// the order of the next key. The result is the same in the store and in memory, and without a
/// locale on every machine; a fetch cannot use an index for it.
public struct TextOrder: OptionSet, Sendable, Hashable {
  /// The options as bits.
  public private(set) var rawValue: UInt8

  /// The identifier of the locale of ``localized(in:)``, or `nil` for that of the process.
  package private(set) var locale: String?

  /// Creates options from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  init(rawValue: UInt8, locale: String?) {
    self.rawValue = rawValue
    self.locale = locale
  }

  /// Upper and lower case are the same, in every script.
  public static let caseInsensitive = TextOrder(rawValue: 1)

  /// Letters with and without marks are the same: `é` is `e`.
  public static let diacriticInsensitive = TextOrder(rawValue: 2)

  /// Digits that follow each other are a number: `file 9` comes before `file 10`.
  public static let numeric = TextOrder(rawValue: 4)

  /// The order of a language, that of the process's locale; together with the other options.
  ///
  /// Foundation compares, with the tables of its version: some four microseconds for each
  /// comparison. On Linux the process's locale is rarely set; name one with ``localized(in:)``.
  public static let localized = TextOrder(rawValue: 8)

  /// The order of a file list, as Foundation's `localizedStandardCompare`: that of a language,
  /// without case, digits as numbers.
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
}

// A set of options with a locale: that of an option which is added replaces the one before.
extension TextOrder {
  /// Whether both have the same options and the same locale.
  public static func == (a: TextOrder, b: TextOrder) -> Bool {
    a.rawValue == b.rawValue && a.locale == b.locale
  }

  /// Hashes the options and the locale.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rawValue)
    hasher.combine(locale)
  }

  /// Creates the options of all elements.
  public init(arrayLiteral elements: TextOrder...) {
    self.init(rawValue: 0)
    for element in elements { formUnion(element) }
  }

  /// Adds options.
  public mutating func formUnion(_ other: TextOrder) {
    rawValue |= other.rawValue
    locale = other.locale ?? locale
  }

  /// Returns the options of both.
  public func union(_ other: TextOrder) -> TextOrder {
    var result = self
    result.formUnion(other)
    return result
  }
}
