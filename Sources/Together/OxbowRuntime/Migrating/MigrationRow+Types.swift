public import OxbowMigration
public import OxbowModel
public import OxbowStore

extension MigrationRow {
  /// The value of an attribute as a Swift type; `nil` when it has none.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty`, `invalidStoredValue` when the store has
  ///   something else than a value of that type.
  public func value<Value: AttributeConvertible>(
    _ name: String, as type: Value.Type
  ) throws(PersistenceError) -> Value? {
    guard let value = try value(name) else { return nil }
    guard let result = Value(attributeValue: value) else {
      throw PersistenceError(
        .invalidStoredValue,
        "'\(entity).\(name)' of the object with the key \(key) is \(value), which is not of type \(type)"
      )
    }
    return result
  }

  /// Gives an attribute a value of a Swift type; it is written when the step is done with the row.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty`, `validation` for a value that the attribute
  ///   cannot have.
  public mutating func setValue(
    _ value: (some AttributeConvertible)?, for name: String
  ) throws(PersistenceError) {
    try setValue(value?.attributeValue, for: name)
  }
}
