internal import OxbowFoundation

extension TranslatedTerm {
  func property(
    _ keyPath: AnyKeyPath, kind: PredicateExpressions.PredicateKeyPathKind
  ) throws(PersistenceError) -> TranslatedTerm {
    switch (self, kind) {
    case (.object(let path), .other): return try Self.property(keyPath, of: path)
    case (.composite(let path, let type), .other): return try Self.part(keyPath, type, path)
    case (.members(let path, nil), .count): return .expression(.count(path: path))
    case (.members(let path, let filter), .isEmpty):
      return .condition(.not(.any(path: path, filter ?? .constant(true))))
    case (.expression(let text), .isEmpty) where type(of: keyPath).rootType == String.self:
      return .condition(.comparison(text, .equal, .value("".fetchValue)))
    // Foundation does not list `Data.isEmpty` among the key paths of collections.
    case (.expression(let bytes), .other) where keyPath == \Data.isEmpty:
      return .condition(.comparison(bytes, .equal, .value(Data().fetchValue)))
    case (.values(let values), .count): return .expression(.value(values.count.fetchValue))
    case (.values(let values), .isEmpty): return .condition(.constant(values.isEmpty))
    default: break
    }
    let root = type(of: keyPath).rootType
    let hint =
      root is any RawRepresentable.Type ? "; compare the value itself, without 'rawValue'" : ""
    throw PersistenceError(
      .unsupported,
      "a property of '\(root)' that is not a property of an entity cannot be used in a predicate\(hint)"
    )
  }

  private static func property(
    _ keyPath: AnyKeyPath, of path: [String]
  ) throws(PersistenceError) -> TranslatedTerm {
    let value = type(of: keyPath).valueType
    guard let root = type(of: keyPath).rootType as? any ModelObject.Type else {
      throw PersistenceError(
        .invalidPredicate, "'\(type(of: keyPath).rootType)' is not the class of an entity")
    }
    guard let name = root._keyPaths.first(where: { $0.keyPath == keyPath })?.name else {
      // The one property of every object that is not in the table of its class.
      if value == ManagedObjectID.self { return .object(path) }
      throw PersistenceError(
        .invalidPredicate,
        "a key path of type '\(value)' is not a stored property of '\(root)'; the stored ones are"
          + " \(PersistenceError.listed(root._propertyNames))")
    }
    let path = path.isEmpty ? [name] : path + [name]
    if Self.plain.contains(where: { $0 == value }) { return .expression(.path(path)) }
    if Self.isObject(value) { return .object(path) }
    if Self.isCollectionOfObjects(value) { return .members(path, nil) }
    return Self.value(of: value, at: path)
  }

  /// The usual types of attributes, which need not be asked what they conform to.
  private static let plain: [Any.Type] = [
    String.self, Int.self, Bool.self, Double.self, Date.self, UUID.self, Int32.self, Int16.self,
    String?.self, Int?.self, Bool?.self, Double?.self, Date?.self, UUID?.self, Int32?.self,
    Int16?.self,
  ]

  private static func isObject(_ type: Any.Type) -> Bool {
    if type is any ModelObject.Type { return true }
    return (type as? any OptionalValue.Type)?.wrappedType is any ModelObject.Type
  }

  private static func isCollectionOfObjects(_ type: Any.Type) -> Bool {
    func element<S: Sequence>(_: S.Type) -> Any.Type { S.Element.self }
    guard let type = type as? any Sequence.Type else { return false }
    return element(type) is any ModelObject.Type
  }
}

/// An optional, whatever it wraps.
protocol OptionalValue {
  static var wrappedType: Any.Type { get }
  var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
  static var wrappedType: Any.Type { Wrapped.self }
  var wrappedValue: Any? { self }
}
