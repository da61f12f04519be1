internal import OxbowFoundation
public import OxbowModel
public import OxbowStore

// Properties by name: for entities without a class, and for tools.

extension ManagedObject {
  /// Reads an attribute.
  ///
  /// - Returns: The value, or `nil` for none.
  /// - Throws: ``PersistenceError``: `unknownProperty` for an unknown name, a relationship, and a
  ///   type that the attribute does not have; `invalidStoredValue` for a raw value that the
  ///   enumeration `V` does not have; `wrongOwner` off the owner; `foreignObject` if the object no
  ///   longer belongs to a context and the value is not in memory; why the row could not be read.
  public final func value<V: AttributeConvertible>(_ name: String, as type: V.Type = V.self)
    throws(PersistenceError) -> V?
  {
    try requireOwner("reading '\(name)'")
    let (property, attribute) = try requireAttribute(named: name)
    if !isHeld(property) { try requireContext("reading '\(name)'") }
    noteAccess(property)
    guard let value = try throwing({ attributeValue(of: property) }) else { return nil }
    guard let typed = V(attributeValue: value) else {
      guard V.attributeType == attribute.type else {
        throw mismatch(name, attribute, "read as '\(V.self)'")
      }
      throw .unfit(value, of: property, as: V.self, self)
    }
    return typed
  }

  /// Changes an attribute; `nil` for no value.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty` as in ``value(_:as:)``; `wrongOwner` off the
  ///   owner; `foreignObject` if the object no longer belongs to a context; why the row could not
  ///   be read.
  public final func setValue<V: AttributeConvertible>(_ value: V?, for name: String)
    throws(PersistenceError)
  {
    try setAttribute(value?.attributeValue, for: name)
  }

  /// Reads an attribute of any type.
  ///
  /// It reads the stored value, not through a getter that the class may have: Core Data's
  /// `primitiveValue(forKey:)`.
  ///
  /// - Throws: ``PersistenceError`` as ``value(_:as:)``.
  public final func attribute(_ name: String) throws(PersistenceError) -> AttributeValue? {
    try requireOwner("reading '\(name)'")
    let (property, _) = try requireAttribute(named: name)
    if !isHeld(property) { try requireContext("reading '\(name)'") }
    noteAccess(property)
    return try throwing { attributeValue(of: property) }
  }

  /// Changes an attribute of any type; `nil` for no value.
  ///
  /// A whole number becomes a Double, Float or Decimal for an attribute that can have exactly this
  /// number, and 0 and 1 become a Boolean. A setter that the class may have is not called.
  ///
  /// - Throws: ``PersistenceError`` as ``setValue(_:for:)``.
  public final func setAttribute(
    _ value: AttributeValue?, for name: String
  ) throws(PersistenceError) {
    try requireContext("changing '\(name)'")
    let (property, attribute) = try requireAttribute(named: name)
    let fitting = value?.fitting(attribute.type)
    if let value, fitting == nil { throw mismatch(name, attribute, "set to \(value)") }
    try throwing { setAttribute(property.index, to: fitting) }
  }

  /// Checks a value against the model's rules for an attribute, without setting it.
  ///
  /// Rules of the class are checked for objects, by the save.
  ///
  /// - Throws: ``PersistenceError``: `validation` with all rules that the value would break, and
  ///   `unknownProperty` as in ``setAttribute(_:for:)``.
  public final func validateAttribute(
    _ value: AttributeValue?, for name: String
  ) throws(PersistenceError) {
    let (_, attribute) = try requireAttribute(named: name)
    let failures = attribute.failures(
      for: value.map { $0.fitting(attribute.type) ?? $0 }, of: "\(self)", object: objectID)
    guard !failures.isEmpty else { return }
    throw .collecting(
      .validation, "'\(name)' of '\(self)' would break \(failures.count) rules of the model",
      failures)
  }

  /// Checks a value as ``validateAttribute(_:for:)`` does.
  public final func validateValue<V: AttributeConvertible>(
    _ value: V?, for name: String
  ) throws(PersistenceError) {
    try validateAttribute(value?.attributeValue, for: name)
  }

  /// The description of the object's entity; inherited properties are those of the entities above
  /// (`parentName`).
  public final var entityDescription: EntityDescription { entity.description }

  /// Returns the objects of a relationship: at most one for a to-one, all for a to-many.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty` for a name that is not a relationship;
  ///   `wrongOwner` off the owner; `foreignObject` if the object no longer belongs to a context;
  ///   why it could not be read.
  public final func objects(_ name: String) throws(PersistenceError) -> [ManagedObject] {
    try requireContext("reading '\(name)'")
    let property = try requireRelationship(named: name)
    noteAccess(property)
    return try throwing { objects(of: property) }
  }

  /// Changes the objects of a relationship, and its inverse.
  ///
  /// - Throws: ``PersistenceError`` as ``objects(_:)``, and `validation` for several objects of a
  ///   to-one.
  public final func setObjects(_ objects: [ManagedObject], for name: String)
    throws(PersistenceError)
  {
    try requireContext("changing '\(name)'")
    let property = try requireRelationship(named: name)
    guard property.relationship?.isToMany == true || objects.count <= 1 else {
      throw PersistenceError(
        .validation,
        "'\(name)' of '\(self)' leads to one object and was set to \(objects.count)",
        objectIDs: [objectID])
    }
    try throwing { setObjects(of: property, to: objects) }
  }

  private final func requireAttribute(named name: String) throws(PersistenceError)
    -> (CompiledProperty, AttributeDescription)
  {
    let property = try entity.requireProperty(named: name)
    guard let attribute = property.attribute else {
      throw PersistenceError(
        .unknownProperty,
        "'\(name)' of '\(entity.name)' is a relationship; use `objects(_:)` and `setObjects(_:for:)`"
      )
    }
    guard !property.isComposite else {
      throw PersistenceError(
        .unknownProperty,
        "'\(name)' of '\(entity.name)' is composite; use `composite(_:)` and "
          + "`setComposite(_:for:)`, or name one of its parts, as in '\(name).part'")
    }
    return (property, attribute)
  }

  private final func requireRelationship(named name: String) throws(PersistenceError)
    -> CompiledProperty
  {
    let property = try entity.requireProperty(named: name)
    guard property.relationship != nil else {
      throw PersistenceError(
        .unknownProperty,
        "'\(name)' of '\(entity.name)' is an attribute; use `value(_:as:)` and `setValue(_:for:)`")
    }
    return property
  }

  private final func mismatch(_ name: String, _ attribute: AttributeDescription, _ use: String)
    -> PersistenceError
  {
    PersistenceError(
      .unknownProperty,
      "'\(name)' of '\(entity.name)' is \(attribute.type.rawValue) and cannot be \(use)",
      objectIDs: [objectID])
  }

  private final func requireOwner(_ action: @autoclosure () -> String) throws(PersistenceError) {
    try token.requireOwner(action(), "the object '\(self)'")
  }

  final func throwing<R>(_ access: () -> R) throws(PersistenceError) -> R {
    guard let context = token.context else { return access() }
    return try context.throwing(access)
  }
}

extension AttributeValue {
  /// The value as one of a type, if it is one or says exactly the same.
  fileprivate func fitting(_ type: AttributeType) -> AttributeValue? {
    if fits(type) { return rounded(for: type) }
    guard case .integer(let number) = self else { return nil }
    switch type {
    case .double: return Double(exactly: number).map { .double($0) }
    case .float: return Float(exactly: number).map { .double(Double($0)) }
    case .decimal: return .decimal(Decimal(number))
    case .boolean: return number == 0 || number == 1 ? .boolean(number == 1) : nil
    default: return nil
    }
  }
}
