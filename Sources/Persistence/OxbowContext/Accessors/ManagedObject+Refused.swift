public import OxbowModel
public import OxbowStore

// Code that cannot work, so that the compiler says what to write instead. The overloads without a
// message only keep it from reporting more than one mistake in a property. None is ever called.

@available(
  *, unavailable, message: "a context makes its objects; write 'try context.insert(Type.self)'"
)
extension ManagedObject {
  /// Refused: contexts make objects.
  public convenience init(context: ManagedObjectContext) { Refused.call() }

  /// Refused: contexts make objects.
  public convenience init() { Refused.call() }
}

extension ManagedObject {
  /// Refused: a property that leads to another object is a relationship.
  @available(
    *, unavailable,
    message:
      "the property leads to another object; write '@Relationship' before it, and a '?' after its type"
  )
  public final func _value<V: ManagedObject>(_ accessor: Int) -> V { Refused.call() }

  /// Refused: a property that leads to another object is a relationship.
  @available(
    *, unavailable, message: "the property leads to another object; write '@Relationship' before it"
  )
  public final func _optionalValue<V: ManagedObject>(_ accessor: Int) -> V? { Refused.call() }

  /// Takes the place of a getter that is refused.
  @_disfavoredOverload
  public final func _setValue<V>(_ accessor: Int, _ value: V) { Refused.call() }
}

@available(
  *, unavailable,
  message:
    "values of this type cannot be kept; make the type 'AttributeConvertible', or write '@Relationship' where it is another entity"
)
extension ManagedObject {
  /// Refused: values of the type cannot be kept.
  @_disfavoredOverload public final func _value<V>(_ accessor: Int) -> V { Refused.call() }

  /// Refused: values of the type cannot be kept.
  @_disfavoredOverload public final func _optionalValue<V>(_ accessor: Int) -> V? { Refused.call() }
}

@available(
  *, unavailable,
  message: "values of this type cannot be kept; make the type 'AttributeConvertible'"
)
extension ManagedObject {
  /// Refused: values of the type cannot be kept.
  @_disfavoredOverload public final func _transientValue<V>(_ accessor: Int) -> V { Refused.call() }

  /// Refused: values of the type cannot be kept.
  @_disfavoredOverload public final func _slowValue<V>(_ accessor: Int) -> V? { Refused.call() }
}

/// The type of an attribute in the model.
public func _attributeType<V: AttributeConvertible>(of type: V.Type) -> AttributeType {
  V.attributeType
}

/// The type of a composite attribute in the model.
public func _attributeType<V: CompositeAttribute>(of type: V.Type) -> _CompositeType {
  V._compositeType
}

/// Refused: the parts of a composite attribute have defaults.
@available(
  *, unavailable,
  message:
    "a composite property has no initial value; give its parts one, as in 'CompositePart(\"x\", \\.x, defaultValue: 0)'"
)
public func _attributeValue<V: CompositeAttribute>(_ value: V) -> AttributeValue { Refused.call() }

/// Refused: the parts of a composite attribute have defaults.
@available(
  *, unavailable,
  message:
    "a composite property has no initial value; give its parts one, as in 'CompositePart(\"x\", \\.x, defaultValue: 0)'"
)
public func _optionalAttributeValue<V: CompositeAttribute>(_ value: V?) -> AttributeValue? {
  Refused.call()
}

/// Takes the place of a getter that is refused.
@_disfavoredOverload
public func _attributeType<V>(of type: V.Type) -> AttributeType { Refused.call() }

/// The default of an attribute in the model.
public func _attributeValue<V: AttributeConvertible>(_ value: V) -> AttributeValue {
  value.attributeValue
}

/// The default of an optional attribute in the model.
public func _optionalAttributeValue<V: AttributeConvertible>(_ value: V?) -> AttributeValue? {
  value?.attributeValue
}

/// Takes the place of a getter that is refused.
@_disfavoredOverload
public func _attributeValue<V>(_ value: V) -> AttributeValue { Refused.call() }

/// Takes the place of a getter that is refused.
@_disfavoredOverload
public func _optionalAttributeValue<V>(_ value: V?) -> AttributeValue? { Refused.call() }
