package import OxbowModel

/// The store's form of a fetch.
package struct StoreFetch: Sendable {
  /// The dense index of the entity.
  package var entity: Int
  package var includesSubentities = true
  package var predicate: FetchPredicate?
  package var sortKeys: [OrderingTerm] = []
  package var limit: Int?
  package var offset = 0

  /// Only rows with larger keys, and only rows with one of these keys.
  package var afterKey: Int64?
  package var keys: [Int64]?

  /// Only rows behind this place of the order, and of them only those with a value for the first
  /// term if the place has one, and those without if it has none.
  package var after: SortPlace?

  /// Whether objects that are equal under all terms come with the largest key first.
  package var keysDescend = false
  package var cancellation: ReadCancellation?

  package init(entity: Int) { self.entity = entity }

  package var isUnconditional: Bool {
    predicate == nil && limit == nil && offset == 0 && afterKey == nil && keys == nil
      && after == nil
  }
}

/// The rows at the other end of a relationship, for many objects at once.
package struct RelatedRows: Sendable {
  /// The rows, each once.
  package var slabs: [RowSlab]

  /// For each owner, its rows in the relationship's order.
  package var members: [Int64: [Position]]

  /// A row: the slab's number and the row in it.
  package struct Position: Sendable, Hashable {
    package let slab: Int
    package let row: Int

    package init(slab: Int, row: Int) {
      self.slab = slab
      self.row = row
    }
  }

  package init(slabs: [RowSlab], members: [Int64: [Position]]) {
    self.slabs = slabs
    self.members = members
  }
}
