/// How a store finds texts of an attribute without reading all of them.
///
/// ```swift
/// @Attribute(search: .words) var body: String = ""
/// ```
public struct AttributeSearch: OptionSet, Sendable, Hashable {
  /// The options as bits.
  public let rawValue: UInt8

  /// Creates options from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The store keeps an index of the words of the texts, by which it answers `WORDS`.
  public static let words = AttributeSearch(rawValue: 1)
}

// MARK: - In documents

// Xcode has no place for it: it is an entry of the user info, which Xcode keeps.

extension AttributeSearch {
  /// The value of the entry; `nil` for none.
  package var documentText: String? { contains(.words) ? "words" : nil }
}

extension AttributeDescription {
  private static let searchKey = "search"

  /// The user info with the entry that says how the attribute is searched.
  var userInfoWithSearch: [String: String] {
    guard let text = search.documentText else { return userInfo }
    return userInfo.merging([Self.searchKey: text]) { _, new in new }
  }

  /// Makes the entry what it says; one that says something else stays an entry.
  mutating func takeWrittenSearch() {
    guard userInfo[Self.searchKey] == AttributeSearch.words.documentText else { return }
    search.insert(.words)
    userInfo[Self.searchKey] = nil
  }
}
