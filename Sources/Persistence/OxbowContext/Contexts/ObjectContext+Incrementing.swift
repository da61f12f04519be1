public import OxbowModel
internal import OxbowStore

extension ObjectContext {
  /// Adds to a number, in memory now and in the store when the context saves; see
  /// ``ManagedObjectContext/increment(_:of:by:)-(KeyPath<T,Value>,_,_)``.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func increment<T: ManagedObject & ModelObject, Value: Summable>(
    _ attribute: KeyPath<T, Value>, of object: T, by increment: Value
  ) throws {
    try object.requiredContext("increment").increment(attribute, of: object, by: increment)
  }

  /// Adds to a number that may have no value, which is refused then.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func increment<T: ManagedObject & ModelObject, Value: Summable>(
    _ attribute: KeyPath<T, Value?>, of object: T, by increment: Value
  ) throws {
    try object.requiredContext("increment").increment(attribute, of: object, by: increment)
  }

  /// Adds to the number called `name`, a part of a composite attribute by its path.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func increment(
    _ name: String, of object: ManagedObject, by increment: AttributeValue
  ) throws {
    try object.requiredContext("increment").increment(name, of: object, by: increment)
  }

  /// Changes an object on the condition that the store's row meets when the context saves; see
  /// ``ManagedObjectContext/change(_:if:_:)``.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func change<T: ManagedObject>(
    _ object: T, if condition: FetchPredicate, _ body: (T) throws -> Void
  ) throws {
    try object.requiredContext("change").change(object, if: condition, body)
  }
}

extension ManagedObject {
  /// The context that the object belongs to.
  fileprivate final func requiredContext(
    _ action: String
  ) throws(PersistenceError) -> ManagedObjectContext {
    try requireContext("the call to \(action)")
    guard let context = token.context else { throw orphanError("the call to \(action)") }
    return context
  }
}
