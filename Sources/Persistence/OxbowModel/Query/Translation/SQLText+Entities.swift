// Names of the model by classes and key paths.

extension SQLText.StringInterpolation {
  /// Adds the table of a class's entity.
  public mutating func appendInterpolation<T: ModelObject>(_ type: T.Type) {
    parts.append(.table(entity: type.entityName))
  }

  /// Adds the column of a property.
  public mutating func appendInterpolation<T: ModelObject, Value>(
    _ property: KeyPath<T, Value>
  ) {
    guard let name = T._keyPaths.first(where: { $0.keyPath == property })?.name else {
      return parts.append(
        .problem(
          "a path in it is not a stored property of '\(T.entityName)'; it has "
            + PersistenceError.listed(T._propertyNames)))
    }
    parts.append(.column(entity: T.entityName, property: name))
  }

  /// Adds the column of the key of a class's entity.
  public mutating func appendInterpolation<T: ModelObject>(keyOf type: T.Type) {
    parts.append(.key(entity: type.entityName))
  }

  /// Adds the condition that a row of the table, or of an alias, is of a class's entity or below.
  public mutating func appendInterpolation<T: ModelObject>(
    isKindOf type: T.Type, _ alias: String? = nil
  ) { parts.append(.isKind(entity: type.entityName, alias: alias)) }
}
