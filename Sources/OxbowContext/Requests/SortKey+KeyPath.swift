public import OxbowModel

extension SortKey {
  /// Creates a key for an attribute of a class.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidPredicate` when the key path is no property
  ///   of the entity: a computed property that the class adds, or a path of several steps, which is
  ///   written as text (`SortKey("author.name")`).
  public init<T: ModelObject>(_ keyPath: PartialKeyPath<T>, ascending: Bool = true)
    throws(PersistenceError)
  {
    guard let name = T._keyPaths.first(where: { $0.keyPath == keyPath })?.name else {
      throw PersistenceError(
        .invalidPredicate,
        "a sort key for '\(T.self)' is no stored property of the entity '\(T.entityName)'; it has "
          + PersistenceError.listed(T._propertyNames))
    }
    self.init(name, ascending: ascending)
  }
}
