// Names of Core Data that differ here, so that the compiler says which to use. They are members of
// a protocol, so that a class can have properties of these names.

public import OxbowModel

extension FetchValueConvertible where Self: ManagedObject {
  /// Renamed: ``ManagedObject/context``.
  @available(*, unavailable, renamed: "context")
  public var managedObjectContext: ManagedObjectContext? { Refused.call() }

  /// Renamed: ``ManagedObject/value(_:as:)``.
  @available(
    *, unavailable, message: "use the property, or 'try object.value(\"title\", as: String.self)'"
  )
  public func value(forKey key: String) -> Any? { Refused.call() }

  /// Renamed: ``ManagedObject/value(_:as:)``.
  @available(
    *, unavailable,
    message: "use the properties, or 'try object.value(\"title\", as: String.self)' for each name"
  )
  public func value(forKeyPath path: String) -> Any? { Refused.call() }

  /// Renamed: ``ManagedObject/setObjects(_:for:)``.
  @available(
    *, unavailable,
    message:
      "a relationship is a set: 'folder.postcards.insert(postcard)'; by name, 'try object.setObjects(objects, for: \"postcards\")'"
  )
  public func mutableSetValue(forKey key: String) -> Any { Refused.call() }

  /// Renamed: ``ManagedObject/setObjects(_:for:)``.
  @available(
    *, unavailable,
    message:
      "an ordered relationship is an array: 'folder.postcards.append(postcard)'; by name, 'try object.setObjects(objects, for: \"postcards\")'"
  )
  public func mutableOrderedSetValue(forKey key: String) -> Any { Refused.call() }

  /// Renamed: ``ManagedObject/changedValues()``.
  @available(*, unavailable, message: "write 'try object.changedValues()'")
  public func changedValuesForCurrentEvent() -> [String: Any] { Refused.call() }

  /// Renamed: ``ManagedObject/value(_:as:)``.
  @available(
    *, unavailable, message: "use the property, or 'try object.attribute(\"title\")' by name"
  )
  public func primitiveValue(forKey key: String) -> Any? { Refused.call() }

  /// Renamed: `validateValue(_:for:)`.
  @available(
    *, unavailable, message: "write 'try object.validateValue(value, for: \"title\")'"
  )
  public func validateValue(_ value: Any?, forKey key: String) throws { Refused.call() }

  /// Renamed: `entityDescription`.
  @available(*, unavailable, message: "write 'object.entityDescription', or 'object.entityName'")
  public var entity: EntityDescription { Refused.call() }

  /// Renamed: ``PrepareForDeletionHook``.
  @available(
    *, unavailable,
    message: "write '.deny' as the delete rule, or conform to 'PrepareForDeletionHook'"
  )
  public func validateForDelete() throws { Refused.call() }

  /// Renamed: ``FetchRequest/init(entityNamed:where:sortedBy:limit:offset:prefetching:)``.
  @available(*, unavailable, message: "write 'FetchRequest<Postcard>()', with the class")
  public static func fetchRequest() -> FetchRequest<Self> { Refused.call() }

  /// Refused: contexts make objects.
  @available(
    *, unavailable, message: "a context makes its objects; write 'try context.insert(Type.self)'"
  )
  public init(entity: EntityDescription, insertInto context: ManagedObjectContext?) {
    Refused.call()
  }
}

@available(
  *, unavailable, message: "use the property, or 'try object.setValue(value, for: \"title\")'"
)
extension FetchValueConvertible where Self: ManagedObject {
  /// Renamed: ``ManagedObject/setValue(_:for:)``.
  public func setValue(_ value: Any?, forKey key: String) { Refused.call() }
  /// Renamed: ``ManagedObject/setValue(_:for:)``.
  public func setPrimitiveValue(_ value: Any?, forKey key: String) { Refused.call() }
}

@available(*, unavailable, message: "reads are noticed without it; remove the line")
extension FetchValueConvertible where Self: ManagedObject {
  /// Not needed.
  public func willAccessValue(forKey key: String?) { Refused.call() }
  /// Not needed.
  public func didAccessValue(forKey key: String?) { Refused.call() }
}

@available(*, unavailable, message: "changes are noticed without it; remove the line")
extension FetchValueConvertible where Self: ManagedObject {
  /// Not needed.
  public func willChangeValue(forKey key: String) { Refused.call() }
  /// Not needed.
  public func didChangeValue(forKey key: String) { Refused.call() }
}

@available(
  *, unavailable,
  message:
    "a save asks the rules; write them with '@Attribute', or conform to 'ValidationRulesHook'"
)
extension FetchValueConvertible where Self: ManagedObject {
  /// Renamed: ``ValidationRulesHook``.
  public func validateForInsert() throws { Refused.call() }
  /// Renamed: ``ValidationRulesHook``.
  public func validateForUpdate() throws { Refused.call() }
}
