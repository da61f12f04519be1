/// One key of a sort order.
///
/// Values compare as in the store: no value first, numbers and dates by size, text by its UTF-8
/// bytes, false before true. Objects that compare equal under all keys follow in the order of their
/// object keys, so a sorted fetch is deterministic.
public struct SortKey: Sendable, Hashable {
  /// The attribute, at the end of a path of to-one relationships.
  public let path: [String]

  /// Whether small values come first.
  public let isAscending: Bool

  /// Creates a key for `path`, its names joined by dots (`"folder.name"`).
  public init(_ path: String, ascending: Bool = true) {
    self.path = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    self.isAscending = ascending
  }
}
