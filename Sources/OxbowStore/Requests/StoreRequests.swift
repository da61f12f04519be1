package import OxbowModel

/// An object of a store: the root entity's dense index, and the key.
package struct ObjectKey: Hashable, Sendable {
  package let root: Int
  package let key: Int64

  package init(root: Int, key: Int64) {
    self.root = root
    self.key = key
  }
}

/// An object of a store together with its concrete entity.
package struct ObjectReference: Hashable, Sendable {
  /// The dense index of the concrete entity.
  package let entity: Int
  package let key: Int64

  package init(entity: Int, key: Int64) {
    self.entity = entity
    self.key = key
  }
}

/// A fetch as a store sees it: which rows, in which order.
package struct StoreFetch: Sendable {
  /// The dense index of the entity.
  package var entity: Int
  package var includesSubentities = true
  package var predicate: FetchPredicate?
  package var sortKeys: [OrderingTerm] = []
  package var limit: Int?
  package var offset = 0

  package init(entity: Int) { self.entity = entity }
}

/// The rows at the other end of a relationship, for many objects at once.
package struct RelatedRows: Sendable {
  /// The rows, each once.
  package var slabs: [RowSlab]

  /// For each owner, in the relationship's order, where its rows stand.
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
