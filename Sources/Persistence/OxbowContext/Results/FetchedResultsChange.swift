public import OxbowModel

/// Objects of fetched results that follow one another and have the same section name.
public struct FetchedResultsSection: Sendable, Hashable {
  /// The result of the results' `sectionName` for its objects; the empty text without one.
  public let name: String

  /// The range of its objects among all objects of the results.
  public let indices: Range<Int>

  /// The section's title in an index beside a list: the first letter of its name, as a capital.
  public var indexTitle: String { name.first.map { $0.uppercased() } ?? "" }
}

/// The position of an object in fetched results.
public struct FetchedResultsPosition: Sendable, Hashable {
  /// The number of its section.
  public let section: Int

  /// Its number in the section.
  public let item: Int

  /// Its number among all objects.
  public let index: Int
}

/// The difference that an update of fetched results has found.
///
/// To bring a list of rows up to date, remove the ``deletions`` and the old positions of the
/// ``moves`` from the highest to the lowest, then the ``deletedSections``, which are empty then;
/// add the ``insertedSections``, then the ``insertions`` and the new positions of the moves from
/// the lowest to the highest; then draw the ``updates`` again.
public struct FetchedResultsChange: Sendable, Hashable {
  /// An object that came, went, or must be drawn again.
  public struct Item: Sendable, Hashable {
    /// The object's ID.
    public let objectID: ManagedObjectID

    /// Its position; its old one if it went.
    public let position: FetchedResultsPosition
  }

  /// An object that has another place among those that remained, or another section.
  public struct Move: Sendable, Hashable {
    /// The object's ID.
    public let objectID: ManagedObjectID

    /// Where it was.
    public let from: FetchedResultsPosition

    /// Where it is.
    public let to: FetchedResultsPosition
  }

  /// The objects that are no longer found, at their old positions, in their order.
  public internal(set) var deletions: [Item] = []

  /// The objects that are found now, at their new positions, in their order.
  public internal(set) var insertions: [Item] = []

  /// The objects that have another section, and as few others as explain the new order, by their
  /// new positions.
  ///
  /// Unchanged objects stay if possible.
  public internal(set) var moves: [Move] = []

  /// The objects that remained and may have other values, at their new positions, in their order;
  /// including those that were saved in between.
  public internal(set) var updates: [Item] = []

  /// The numbers, among the old ones, of the sections that are gone; a section that moved is in
  /// this list and in the next.
  public internal(set) var deletedSections: [Int] = []

  /// The numbers, among the new ones, of the sections that came or moved.
  public internal(set) var insertedSections: [Int] = []

  /// Whether nothing changed.
  public var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
  }
}
