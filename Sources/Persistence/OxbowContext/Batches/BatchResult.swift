public import OxbowModel
public import OxbowStore

/// What a batch has changed in the store.
public struct BatchResult: Sendable, Hashable {
  /// The objects that were inserted, updated or deleted, cascades included, in no particular order.
  public let objectIDs: [ManagedObjectID]

  /// The number of objects.
  public var count: Int { objectIDs.count }
}

/// The attributes that a batch sets.
public struct BatchAssignments<T: ManagedObject & ModelObject> {
  var values: [(name: String, value: FetchExpression)] = []
  private(set) var error: PersistenceError?

  /// Sets an attribute to a value.
  public mutating func set<Value: AttributeConvertible>(
    _ attribute: KeyPath<T, Value>, to value: Value
  ) { assign(attribute, .value(value.fetchValue)) }

  /// Sets an optional attribute to a value, or to none.
  public mutating func set<Value: AttributeConvertible>(
    _ attribute: KeyPath<T, Value?>, to value: Value?
  ) { assign(attribute, .value(value?.attributeValue.fetchValue ?? .null)) }

  /// Sets an attribute to the value of an expression for each object, in Core Data's format:
  /// `"price * 1.1"`.
  public mutating func set<Value: AttributeConvertible>(
    _ attribute: KeyPath<T, Value>, toFormat format: String
  ) { assign(attribute, read(format)) }

  /// Sets an optional attribute to the value of an expression for each object.
  public mutating func set<Value: AttributeConvertible>(
    _ attribute: KeyPath<T, Value?>, toFormat format: String
  ) { assign(attribute, read(format)) }

  /// Sets the attribute called `name`, a part of a composite attribute by its path, to the value of
  /// an expression for each object.
  public mutating func set(_ name: String, to value: FetchExpression) {
    values.append((name, value))
  }

  private mutating func assign(_ attribute: AnyKeyPath, _ value: FetchExpression) {
    guard let name = T._keyPaths.first(where: { $0.keyPath == attribute })?.name else {
      error =
        error
        ?? PersistenceError(
          .unknownProperty,
          "the key path is not that of a stored attribute of '\(T.entityName)', so a batch cannot set "
            + "it")
      return
    }
    values.append((name, value))
  }

  private mutating func read(_ format: String) -> FetchExpression {
    do throws(PersistenceError) {
      return try FetchExpression(valueFormat: format)
    } catch {
      self.error = self.error ?? error
      return .value(.null)
    }
  }
}
