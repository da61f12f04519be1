public import OxbowModel
public import OxbowStore

// Composite attributes: each part is an attribute of its own, named by its path.

extension ManagedObject {
  /// Reads a composite attribute.
  ///
  /// To read one part, use ``value(_:as:)`` with its path: `try object.value("place.x", as:
  /// Double.self)`.
  ///
  /// - Returns: The value, or `nil` if no part has one.
  /// - Throws: ``PersistenceError`` as ``value(_:as:)``, and `unknownProperty` for an attribute
  ///   that is not composite.
  public final func composite(_ name: String) throws(PersistenceError) -> CompositeValue? {
    try requireContext("reading '\(name)'")
    let parts = try requireParts(of: name)
    var result = CompositeValue()
    for (path, property) in parts {
      noteAccess(property)
      result[path] = try throwing { attributeValue(of: property) }
    }
    return result.isEmpty ? nil : result
  }

  /// Changes a composite attribute as a whole: parts that `value` lacks lose their values.
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
      let rounded = value[path]?.rounded(for: property.attribute?.type)
      try throwing { setAttribute(property.index, to: rounded) }
    }
  }

  private final func requireParts(
    of name: String
  ) throws(PersistenceError) -> [String: CompiledProperty] {
    let parts = parts(of: try entity.requireProperty(named: name))
    guard !parts.isEmpty else {
      throw PersistenceError(
        .unknownProperty,
        "'\(name)' of '\(entity.name)' is not a composite attribute; use `value(_:as:)` and "
          + "`setValue(_:for:)`")
    }
    return Dictionary(parts, uniquingKeysWith: { first, _ in first })
  }

  /// The parts of a composite attribute, each with its path; empty for another property.
  final func parts(of property: CompiledProperty) -> [(String, CompiledProperty)] {
    let prefix = "\(property.name)."
    return entity.properties.filter { $0.name.hasPrefix(prefix) }.map {
      (String($0.name.dropFirst(prefix.count)), $0)
    }
  }
}

// MARK: - Properties of classes

extension ManagedObject {
  /// Reads a required composite attribute.
  public final func _value<V: CompositeAttribute>(_ accessor: Int) -> V {
    _optionalValue(accessor) ?? V()
  }

  /// Reads an optional composite attribute.
  public final func _optionalValue<V: CompositeAttribute>(_ accessor: Int) -> V? {
    guard isOwned("reading", accessor) else { return nil }
    let parts = parts(of: property(accessor))
    var values = CompositeValue()
    for (path, part) in parts {
      noteAccess(part)
      values[path] = attributeValue(of: part)
    }
    guard !values.isEmpty else { return nil }
    let (value, unfit) = V.made(of: values)
    if let unfit, let part = parts.first(where: { $0.0 == unfit })?.1, let seen = values[unfit] {
      recordUnfit(seen, of: part, as: V.self)
      return nil
    }
    return value
  }

  /// Changes a required composite attribute.
  public final func _setValue<V: CompositeAttribute>(_ accessor: Int, _ value: V) {
    setParts(accessor, value.compositeValue)
  }

  /// Changes an optional composite attribute.
  public final func _setValue<V: CompositeAttribute>(_ accessor: Int, _ value: V?) {
    setParts(accessor, value?.compositeValue ?? CompositeValue())
  }

  private final func setParts(_ accessor: Int, _ values: CompositeValue) {
    guard isOwned("changing", accessor) else { return }
    for (path, part) in parts(of: property(accessor)) {
      setAttribute(part.index, to: values[path])
    }
  }
}
