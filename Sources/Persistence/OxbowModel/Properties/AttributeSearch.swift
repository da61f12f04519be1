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

  /// The store keeps an index of the parts of the texts, by which it answers `CONTAINS`,
  /// `BEGINSWITH`, `ENDSWITH` and `LIKE` for parts of three letters and more, with any options.
  public static let substrings = AttributeSearch(rawValue: 2)

  private static let known: [(name: String, search: AttributeSearch)] = [
    ("words", .words), ("substrings", .substrings),
  ]

  /// The names of the options.
  package var names: [String] { Self.known.filter { contains($0.search) }.map(\.name) }
}

// MARK: - In documents

// Xcode has no place for it: it is an entry of the user info, which Xcode keeps.

extension AttributeSearch {
  /// The value of the entry; `nil` for none.
  package var documentText: String? {
    names.isEmpty ? nil : names.joined(separator: ", ")
  }

  /// Reads the value of the entry; `nil` where it says something else.
  init?(documentText: String) {
    let names = documentText.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " } }
    self = Self(Self.known.filter { names.contains($0.name) }.map(\.search))
    guard !isEmpty, self.names.count == names.count else { return nil }
  }
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
    guard let written = userInfo[Self.searchKey].flatMap(AttributeSearch.init(documentText:))
    else { return }
    search.formUnion(written)
    userInfo[Self.searchKey] = nil
  }
}
