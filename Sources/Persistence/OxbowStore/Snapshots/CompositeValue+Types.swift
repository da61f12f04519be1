public import OxbowModel

extension CompositeValue {
  /// The value of a part as a Swift type, or `nil` for none.
  ///
  /// - Throws: ``PersistenceError`` with code `unknownProperty` for a value of another type.
  public func value<V: AttributeConvertible>(
    _ path: String, as type: V.Type = V.self
  ) throws(PersistenceError) -> V? {
    guard let value = self[path] else { return nil }
    if let typed = V(attributeValue: value) { return typed }
    throw PersistenceError(
      .unknownProperty,
      "the part '\(path)' of a composite value is \(value) and cannot be read as '\(V.self)'")
  }

  /// Gives a part a value; `nil` for none.
  public mutating func setValue<V: AttributeConvertible>(_ value: V?, for path: String) {
    self[path] = value?.attributeValue
  }
}
