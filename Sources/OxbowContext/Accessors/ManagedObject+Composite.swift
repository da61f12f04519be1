public import OxbowModel
internal import OxbowStore

// Composite attributes: each part is an attribute of its own, named by its path.

extension ManagedObject {
  /// Reads a composite attribute.
  ///
  /// One part is read with ``value(_:as:)`` and its path: `try object.value("place.x", as:
  /// Double.self)`.
  ///
  /// - Returns: The value, or `nil` when no part has one.
  /// - Throws: ``PersistenceError`` as ``value(_:as:)``, and `unknownProperty` for an attribute
  ///   that is not composite.
  public final func composite(_ name: String) throws(PersistenceError) -> CompositeValue? {
    try requireContext("reading '\(name)'")
    let parts = try requireParts(of: name)
    var result = CompositeValue()
    for (path, property) in parts {
      result[path] = try throwing { attributeValue(of: property) }
    }
    return result.isEmpty ? nil : result
  }

  /// Changes a composite attribute as a whole: parts that `value` does not have get no value; `nil`
  /// for no value at all.
  ///
  /// - Throws: ``PersistenceError`` as ``setValue(_:for:)``; `unknownProperty` for a part that the
  ///   attribute does not have, and for a value of another type.
  public final func setComposite(
    _ value: CompositeValue?, for name: String
  ) throws(PersistenceError) {
    try requireContext("changing '\(name)'")
    let parts = try requireParts(of: name)
    let value = value ?? CompositeValue()
    for path in value.values.keys.sorted() where parts[path] == nil {
      throw .unknownProperty(
        "\(name).\(path)", of: entity.name, among: entity.properties.map(\.name))
    }
    for (path, property) in parts {
      guard let part = value[path], let attribute = property.attribute, !part.fits(attribute.type)
      else { continue }
      throw PersistenceError(
        .unknownProperty,
        "'\(property.name)' of '\(entity.name)' is \(attribute.type.rawValue) and cannot be set to "
          + "\(part)", objectIDs: [objectID])
    }
    for (path, property) in parts.sorted(by: { $0.key < $1.key }) {
      try throwing { setAttribute(property.index, to: value[path]) }
    }
  }

  /// The parts of a composite attribute, by path.
  private final func requireParts(
    of name: String
  ) throws(PersistenceError) -> [String: CompiledProperty] {
    let property = try entity.requireProperty(named: name)
    let prefix = "\(property.name)."
    let parts = entity.properties.filter { $0.name.hasPrefix(prefix) }
    guard !parts.isEmpty else {
      throw PersistenceError(
        .unknownProperty,
        "'\(name)' of '\(entity.name)' is no composite attribute; use `value(_:as:)` and "
          + "`setValue(_:for:)`")
    }
    return Dictionary(
      parts.map { (String($0.name.dropFirst(prefix.count)), $0) },
      uniquingKeysWith: { first, _ in first })
  }
}
