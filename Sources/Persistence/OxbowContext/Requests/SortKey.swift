public import OxbowModel

/// One key of the order in which a fetch returns its objects.
///
/// A key is an attribute, or an attribute at the end of to-one relationships, and a direction:
///
/// ```swift
/// context.fetch(Book.self, sortedBy: [.ascending(\.author?.name), .descending(\.year)])
/// context.fetch(Book.self, sortedBy: [SortKey("author.name"), SortKey("year", ascending: false)])
/// ```
///
/// Values compare as in the store: no value first, numbers and dates by size, text by its UTF-8
/// bytes unless the key has a ``TextOrder``, false before true, enumerations by their raw values.
/// Objects that compare equal under all keys follow in the order of their object keys, so a sorted
/// fetch is deterministic.
///
/// A path that the model does not have is an error of the fetch, not of the key.
public struct SortKey<Root: ManagedObject>: Sendable, Hashable {
  /// The names of the path, up to the first one that is not a stored property.
  public let path: [String]

  /// Whether small values come first.
  public let isAscending: Bool

  /// How texts compare; without options by their bytes.
  public let comparison: TextOrder

  /// Why the key cannot be used, or `nil`.
  fileprivate let problem: String?

  /// Creates a key for `path`, its names joined by dots (`"author.name"`).
  public init(_ path: String, ascending: Bool = true, comparing comparison: TextOrder = []) {
    self.path = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    self.isAscending = ascending
    self.comparison = comparison
    problem = nil
  }

  /// Creates a key of a superclass, or of `ManagedObject`: `keys.map { SortKey<Novel>($0) }`.
  ///
  /// A key of a class that is not above `Root` is an error of the fetch.
  public init<Super: ManagedObject>(_ key: SortKey<Super>) {
    path = key.path
    isAscending = key.isAscending
    comparison = key.comparison
    problem =
      Root.self is Super.Type
      ? key.problem
      : "a sort key for '\(Super.self)' cannot be used for '\(Root.self)', which is not a class below"
  }

  /// The objects first that meet the search for words of the condition best.
  ///
  /// ```swift
  /// try context.fetch(
  ///   Note.self, where: .words("body", "rust NOT iron"), sortedBy: [.rank], limit: 20)
  /// ```
  ///
  /// The condition is a search, or has one that is joined to the rest with AND. The rank is BM25 as
  /// in SQLite's FTS5: rare words count for more than frequent ones, several for more than one, and
  /// short texts for more than long ones. All texts of the store count, those of objects that other
  /// conditions leave out included; unsaved objects are ranked by the numbers of the saved ones.
  public static var rank: Self { Self(OrderingTerm.rank) }

  /// The store's form of the key.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidPredicate` for a step that is not a stored
  ///   property.
  func term() throws(PersistenceError) -> OrderingTerm {
    if let problem { throw PersistenceError(.invalidPredicate, problem) }
    return OrderingTerm(path: path, ascending: isAscending, comparing: comparison)
  }
}

extension SortKey where Root: ModelObject {
  /// Creates a key for a path of properties: `SortKey<Book>(\.author?.name)`.
  ///
  /// The class can be left out where it is known: `SortKey(\.title)`.
  public init<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Root>, End>, ascending: Bool = true,
    comparing comparison: TextOrder = []
  ) {
    let (names, problem) = EntityPath<Root>()[keyPath: path]._steps.names
    self.path = names
    self.isAscending = ascending
    self.comparison = comparison
    self.problem = problem.map { "a sort key for '\(Root.self)' cannot be used: \($0)" }
  }

  /// A key that puts small values first: `.ascending(\.author?.name)`.
  public static func ascending<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Root>, End>, comparing comparison: TextOrder = []
  ) -> Self { Self(path, comparing: comparison) }

  /// A key that puts large values first: `.descending(\.year)`.
  public static func descending<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Root>, End>, comparing comparison: TextOrder = []
  ) -> Self { Self(path, ascending: false, comparing: comparison) }
}
