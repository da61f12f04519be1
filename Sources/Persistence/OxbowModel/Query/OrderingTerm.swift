/// One term of an order, as a store and the memory executor take it.
///
/// Values compare as in the store: no value first, numbers and dates by size, text by its UTF-8
/// bytes, false before true. Objects that compare equal under all terms follow in the order of
/// their object keys, so a sorted fetch is deterministic.
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

  /// Creates a term for a path whose names are joined by dots (`"folder.name"`).
  package init(_ path: String, ascending: Bool = true) {
    self.init(
      path: path.split(separator: ".", omittingEmptySubsequences: false).map(String.init),
      ascending: ascending)
  }
}
