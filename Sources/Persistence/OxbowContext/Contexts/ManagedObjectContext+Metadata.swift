public import OxbowModel
public import OxbowStore

extension ManagedObjectContext {
  /// Returns the value that the program keeps with the store under a key, unsaved changes included,
  /// or `nil`.
  ///
  /// A value is read as the store keeps it, saved or not: a whole number also as a `Double`, and 1
  /// also as a `Bool`.
  ///
  /// - Throws: ``PersistenceError``: `invalidStoredValue` if the value is of another type; why the
  ///   store could not be read.
  public func metadata<T: AttributeConvertible>(
    _ key: String, as type: T.Type = T.self
  ) throws(PersistenceError) -> T? {
    try begin("metadata(_:as:)")
    guard let value = try keptValue(key, T.attributeType) else { return nil }
    return try T(metadatum: value, key)
  }

  /// The value of a key, read as one of `type`.
  func keptValue(
    _ key: String, _ type: AttributeType
  ) throws(PersistenceError) -> AttributeValue? {
    guard let changed = unsaved.metadata[key] else { return try store.metadata(key, type) }
    guard let value = changed.value else { return nil }
    return try store.metadatum(value, key, as: type)
  }

  /// Keeps a value with the store under a key, with the next save; `nil` removes it.
  ///
  /// ```swift
  /// try context.setMetadata(Date(), for: "lastSync")
  /// try context.save()   // with the objects that came, or not at all
  /// ```
  ///
  /// The last save wins: there are no conflicts over keys. A rollback takes it back, an undo does
  /// not.
  ///
  /// - Throws: ``PersistenceError``: `validation` for a value that no store keeps (NaN) and for an
  ///   empty key, `wrongOwner`.
  public func setMetadata(
    _ value: (any AttributeConvertible)?, for key: String
  ) throws(PersistenceError) {
    try begin("setMetadata(_:for:)")
    unsaved.metadata[key] = try ChangeSet.Metadatum(keeping: value, for: key)
    token.unsavedWork.isPresent = true
  }
}
