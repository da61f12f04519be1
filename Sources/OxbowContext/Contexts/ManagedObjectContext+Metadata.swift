public import OxbowModel
public import OxbowStore

extension ManagedObjectContext {
  /// Returns the value that the program keeps with the store under a key, unsaved changes included,
  /// or `nil` without one.
  ///
  /// - Throws: ``PersistenceError``: `invalidStoredValue` when the value is of another type; why
  ///   the store could not be read.
  public func metadata<T: AttributeConvertible>(
    _ key: String, as type: T.Type = T.self
  ) throws(PersistenceError) -> T? {
    try begin("metadata(_:as:)")
    let changed = unsaved.metadata[key]
    let value = try changed == nil ? store.metadata(key, T.attributeType) : changed?.value
    guard let value else { return nil }
    return try T(metadatum: value, key)
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
  /// - Throws: ``PersistenceError``: `validation` for an empty key, `wrongOwner`.
  public func setMetadata(
    _ value: (any AttributeConvertible)?, for key: String
  ) throws(PersistenceError) {
    try begin("setMetadata(_:for:)")
    unsaved.metadata[key] = try ChangeSet.Metadatum(keeping: value, for: key)
    token.unsavedWork.isPresent = true
  }
}
