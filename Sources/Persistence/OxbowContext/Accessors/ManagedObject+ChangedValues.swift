public import OxbowModel
public import OxbowStore

// Values of three moments: current (the properties themselves), committed (as last read or saved)
// and changed (the current ones that differ).

extension ManagedObject {
  /// The current values of the properties with unsaved changes.
  ///
  /// Of a new object, those that differ from the model's defaults.
  ///
  /// - Throws: ``PersistenceError``: `wrongOwner` off the owner, and why the members of a changed
  ///   relationship could not be read.
  public final func changedValues() throws(PersistenceError) -> [String: PropertyValue] {
    try requireContext("reading the changed values")
    var values: [String: PropertyValue] = [:]
    for property in entity.properties where isEdited(property) && !isDefault(property) {
      values[property.name] = try throwing { currentValue(of: property) }
    }
    return values
  }

  /// The stored values of the object, as the context last read or saved them.
  ///
  /// A new object has none, and transient attributes are left out.
  ///
  /// - Parameter keys: The names of the properties; `nil` for all attributes and to-one
  ///   relationships.
  /// - Returns: The values by name.
  /// - Throws: ``PersistenceError``: `unknownProperty`, `wrongOwner` off the owner, and why the
  ///   object's row or the members of a relationship could not be read.
  public final func committedValues(
    forKeys keys: [String]? = nil
  ) throws(PersistenceError) -> [String: PropertyValue] {
    try requireContext("reading the committed values")
    var properties = entity.properties.filter { $0.slot >= 0 }
    if let keys {
      properties = []
      for key in keys { properties.append(try entity.requireProperty(named: key)) }
    }
    guard !isInserted else { return [:] }
    var values: [String: PropertyValue] = [:]
    for property in properties where property.slot >= 0 || property.relationship != nil {
      values[property.name] = try throwing { committedValue(of: property) }
    }
    return values
  }

  /// Whether the next save writes properties of the object: unlike ``hasChanges``, false if only
  /// transient attributes changed.
  public final var hasPersistentChangedValues: Bool {
    guard isOwned("reading its state") else { return false }
    return entity.properties.contains { property in
      isEdited(property) && !isDefault(property)
        && (property.slot >= 0 || property.relationship != nil)
    }
  }

  /// Whether a property of a new object has the model's default.
  private final func isDefault(_ property: CompiledProperty) -> Bool {
    guard _state.contains(.inserted) else { return false }
    guard let attribute = property.attribute else { return overlay?[property.index].isNull == true }
    return AttributeValue.areIdentical(
      overlay?[property.index].attributeValue, attribute.defaultValue)
  }

  private final func currentValue(of property: CompiledProperty) -> PropertyValue {
    guard let relationship = property.relationship else {
      return PropertyValue(attributeValue(of: property))
    }
    return relationship.isToMany
      ? .objects(relatedObjects(of: property).map(\.objectID))
      : PropertyValue(relatedObject(of: property)?.objectID)
  }

  private final func committedValue(of property: CompiledProperty) -> PropertyValue {
    guard let relationship = property.relationship else {
      guard isReadable("reading '\(property.name)'") else { return .null }
      return PropertyValue(_slab.storedValue(Int(_row), property))
    }
    let coordinator = token.coordinator
    guard relationship.isToMany else {
      guard isReadable("reading '\(property.name)'") else { return .null }
      return PropertyValue(storedReference(property).map { coordinator.id(of: $0) })
    }
    return .objects(committedMembers(of: property).map { coordinator.id(of: $0) })
  }

  /// The members before the unsaved changes: in their order, unless the other end changed it,
  /// otherwise in the order of their keys.
  private final func committedMembers(of property: CompiledProperty) -> [ObjectReference] {
    guard let members = token.context?.members(of: property, self) else { return [] }
    guard let state = collection(property), state.hasChanges else { return Array(members) }
    if let base = state.base { return Array(base) }
    return (members.filter { !state.added.contains($0) } + state.removed)
      .sorted { $0.precedes($1) }
  }
}

extension ModelObject where Self: ManagedObject {
  /// Whether a property has an unsaved change; false for a computed property.
  public func hasChange<Value>(of property: KeyPath<Self, Value>) -> Bool {
    guard isOwned("reading its state"), let name = Self.propertyName(of: property),
      let property = entity.property(named: name)
    else { return false }
    return isEdited(property)
  }

  /// The stored value of an attribute, as the context last read or saved it; `nil` for none and for
  /// a new object.
  ///
  /// - Throws: ``PersistenceError`` as ``ManagedObject/committedValues(forKeys:)``, and
  ///   `invalidStoredValue` for a raw value that the enumeration does not have.
  public func committedValue<Value: AttributeConvertible>(
    of property: KeyPath<Self, Value>
  ) throws(PersistenceError) -> Value? {
    try committedAttribute(property)
  }

  /// The stored value of an optional attribute, as for a required one.
  ///
  /// - Throws: ``PersistenceError`` as for a required attribute.
  public func committedValue<Value: AttributeConvertible>(
    of property: KeyPath<Self, Value?>
  ) throws(PersistenceError) -> Value? {
    try committedAttribute(property)
  }

  /// The stored object of a to-one relationship, as the context last read or saved it; `nil` for
  /// none and for a new object.
  ///
  /// - Throws: ``PersistenceError`` as ``ManagedObject/committedValues(forKeys:)``.
  public func committedValue<Object: ManagedObject>(
    of property: KeyPath<Self, Object?>
  ) throws(PersistenceError) -> Object? {
    try storedObjects(property, as: Object.self).first
  }

  /// The stored objects of a to-many relationship, as the context last read or saved them; none for
  /// a new object.
  ///
  /// - Throws: ``PersistenceError`` as ``ManagedObject/committedValues(forKeys:)``.
  public func committedValue<Object: ManagedObject>(
    of property: KeyPath<Self, Set<Object>>
  ) throws(PersistenceError) -> Set<Object> {
    Set(try storedObjects(property, as: Object.self))
  }

  /// The stored objects of an ordered relationship, in its order unless the other end changed it.
  ///
  /// - Throws: ``PersistenceError`` as ``ManagedObject/committedValues(forKeys:)``.
  public func committedValue<Object: ManagedObject>(
    of property: KeyPath<Self, [Object]>
  ) throws(PersistenceError) -> [Object] {
    try storedObjects(property, as: Object.self)
  }

  private func committedAttribute<Value: AttributeConvertible>(
    _ property: AnyKeyPath
  ) throws(PersistenceError) -> Value? {
    let name = try Self.requirePropertyName(of: property)
    guard let value = try committedValues(forKeys: [name])[name]?.attribute else { return nil }
    if let typed = Value(attributeValue: value) { return typed }
    throw .unfit(value, of: try entity.requireProperty(named: name), as: Value.self, self)
  }

  private func storedObjects<Object: ManagedObject>(
    _ property: AnyKeyPath, as type: Object.Type
  ) throws(PersistenceError) -> [Object] {
    let name = try Self.requirePropertyName(of: property)
    guard let context = token.context,
      let ids = try committedValues(forKeys: [name])[name]?.objectIDs
    else { return [] }
    var objects: [Object] = []
    for id in ids {
      let object = context.object(at: try context.coordinator.reference(for: id))
      if let typed: Object = _typed(object) { objects.append(typed) }
    }
    try context.throwPendingFault()
    return objects
  }

  private static func propertyName(of property: AnyKeyPath) -> String? {
    _keyPaths.first { $0.keyPath == property }?.name
  }

  private static func requirePropertyName(
    of property: AnyKeyPath
  ) throws(PersistenceError) -> String {
    if let name = propertyName(of: property) { return name }
    throw PersistenceError(
      .unknownProperty,
      "the key path is not that of a stored property of '\(entityName)': only what the model declares "
        + "has a committed value")
  }
}
