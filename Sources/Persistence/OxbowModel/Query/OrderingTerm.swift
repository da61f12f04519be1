/// One term of an order, as a store and the memory executor take it.
///
/// Values compare as in the store: no value first, numbers and dates by size, text by its UTF-8
/// bytes, false before true. Objects that compare equal under all terms follow in the order of
/// their object keys, so a sorted fetch is deterministic.
///
/// The path ``rank`` is how well an object meets the search for words of the condition.
package struct OrderingTerm: Sendable, Hashable {
  /// The attribute, at the end of a path of to-one relationships.
  package let path: [String]

  package let isAscending: Bool

  /// How texts compare; without options by their bytes.
  package let comparison: TextOrder

  package init(path: [String], ascending: Bool, comparing comparison: TextOrder = []) {
    self.path = path
    self.isAscending = ascending
    self.comparison = comparison
  }

  /// For a rank: the search, and what a store says of all texts; set before memory sorts by it.
  package var ranking: TextRanking?

  /// Creates a term for a path whose names are joined by dots (`"folder.name"`).
  package init(_ path: String, ascending: Bool = true) {
    self.init(
      path: path.split(separator: ".", omittingEmptySubsequences: false).map(String.init),
      ascending: ascending)
  }

  /// The name of the rank where names of properties are possible, of which none has parentheses.
  package static let rank = "rank()"

  /// Whether objects are sorted by how well they meet a search for words.
  package var isRank: Bool { path == [Self.rank] }
}

extension [OrderingTerm] {
  /// Whether objects are sorted by how well they meet a search for words.
  package var haveRank: Bool { contains(where: \.isRank) }
}
