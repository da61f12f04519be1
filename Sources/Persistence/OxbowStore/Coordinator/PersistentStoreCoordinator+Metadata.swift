public import OxbowModel

// Values of a program's own that are kept with the store, such as the time of its last
// synchronisation. Several stores behind one coordinator keep them in one of them.

extension PersistentStoreCoordinator {
  /// Returns the value that the program keeps with the store under a key, or `nil` without one.
  ///
  /// ```swift
  /// let last = try coordinator.metadata("lastSync", as: Date.self)
  /// ```
  ///
  /// A value is read as the store keeps it: a whole number also as a `Double`, and 1 also as a
  /// `Bool`.
  ///
  /// - Throws: ``PersistenceError``: `invalidStoredValue` when the value is of another type,
  ///   `unsupported` for a type that no attribute can have.
  public func metadata<T: AttributeConvertible>(
    _ key: String, as type: T.Type = T.self
  ) throws(PersistenceError) -> T? {
    guard let value = try store.metadata(key, T.attributeType) else { return nil }
    return try T(metadatum: value, key)
  }

  /// The keys of all these values, in order.
  public func metadataKeys() throws(PersistenceError) -> [String] { try store.metadataKeys() }

  /// Keeps a value with the store under a key, at once; `nil` removes it.
  ///
  /// To keep it together with the changes of a context, give it to the context.
  ///
  /// - Throws: ``PersistenceError``: `validation` for a value that no store keeps (NaN) and for an
  ///   empty key, `storeReadOnly` and others if it cannot be saved.
  public func setMetadata(
    _ value: (any AttributeConvertible)?, for key: String
  ) throws(PersistenceError) {
    var changes = ChangeSet()
    changes.metadata = [try ChangeSet.Metadatum(keeping: value, for: key)]
    try store.save(changes)
  }
}

extension AttributeConvertible {
  package init(metadatum value: AttributeValue, _ key: String) throws(PersistenceError) {
    guard let made = Self(attributeValue: value) else {
      throw PersistenceError(
        .invalidStoredValue,
        "the value '\(value)' that is kept with the store as '\(key)' is not of type '\(Self.self)'; ask for "
          + "it as the type that it was set with")
    }
    self = made
  }
}

extension ChangeSet.Metadatum {
  package init(
    keeping value: (any AttributeConvertible)?, for key: String
  ) throws(PersistenceError) {
    guard !key.isEmpty else {
      throw PersistenceError(
        .validation, "a value that is kept with the store needs a key that is not empty")
    }
    let kept = value?.attributeValue
    if let kept, kept.isNaN {
      throw PersistenceError(
        .validation, "'\(kept)' cannot be kept with the store as '\(key)': it is not a number")
    }
    // A value that cannot be encoded says so with a text in its place.
    if let value, let kept, !kept.fits(type(of: value).attributeType) {
      throw PersistenceError(
        .validation, "the value cannot be kept with the store as '\(key)': \(kept)")
    }
    self.init(key, kept)
  }
}
