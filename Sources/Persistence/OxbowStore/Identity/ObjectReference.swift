/// An object of a store: the root entity's dense index, and the key.
package struct ObjectKey: Hashable, Sendable {
  package let root: Int
  package let key: Int64

  package init(root: Int, key: Int64) {
    self.root = root
    self.key = key
  }

  /// Hashes the key for a set or a dictionary, which has objects of few roots.
  package func _rawHashValue(seed: Int) -> Int {
    _hashOfWord(UInt(bitPattern: Int(key)), seed: seed)
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

  /// Hashes the key: references with the same key and different entities are rare.
  package func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// Hashes the key for a set or a dictionary (decision 0135).
  package func _rawHashValue(seed: Int) -> Int {
    _hashOfWord(UInt(bitPattern: Int(key)), seed: seed)
  }

  /// An order for work that must happen in the same order in every run.
  package func precedes(_ other: ObjectReference) -> Bool {
    (entity, key) < (other.entity, other.key)
  }
}
