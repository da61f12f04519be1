extension CompiledModel {
  /// The number of names of a path up to its first to-many relationship, or `nil` when it has none.
  ///
  /// - Throws: ``PersistenceError`` with code `unknownProperty`.
  package func firstToMany(
    of path: ArraySlice<String>, from start: CompiledEntity
  ) throws(PersistenceError) -> Int? {
    var entity = start
    for (index, name) in path.enumerated() {
      let property = try entity.requireProperty(named: name)
      guard let relationship = property.relationship else { return nil }
      if relationship.isToMany { return index + 1 }
      entity = entities[relationship.destination]
    }
    return nil
  }
}
