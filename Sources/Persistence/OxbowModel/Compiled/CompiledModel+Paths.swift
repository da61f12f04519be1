extension CompiledModel {
  /// The number of names of a path up to its first to-many relationship, or `nil` when it has none.
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

  /// The path with the names of a part of a composite attribute in one: `["owner", "place", "x"]`
  /// becomes `["owner", "place.x"]`.
  package func joiningParts(_ path: [String], from start: CompiledEntity) -> [String] {
    guard hasComposites, path.count > 1 else { return path }
    var entity = start
    for (index, name) in path.enumerated() {
      guard let property = entity.property(named: name) else { return path }
      guard let relationship = property.relationship else {
        return property.isComposite
          ? path[..<index] + [path[index...].joined(separator: ".")] : path
      }
      entity = entities[relationship.destination]
    }
    return path
  }
}

extension PersistenceError {
  package static func composite(_ name: String, of entity: String) -> PersistenceError {
    PersistenceError(
      .invalidPredicate,
      "'\(name)' of '\(entity)' is composite, and has no value of its own to compare or sort by; "
        + "name one of its parts, as in '\(name).part'")
  }

  package static func external(_ name: String, of entity: String) -> PersistenceError {
    PersistenceError(
      .invalidPredicate,
      "'\(name)' of '\(entity)' allows external storage, and values in files are neither compared "
        + "nor sorted, but with 'nil'; keep a digest of them in another attribute")
  }
}
