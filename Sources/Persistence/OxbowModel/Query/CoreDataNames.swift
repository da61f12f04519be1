// The names of Core Data that are others here, so that the compiler says which.

extension FetchPredicate {
  /// Renamed: ``constant(_:)``.
  @available(*, unavailable, renamed: "FetchPredicate.constant(_:)")
  public init(value: Bool) { Refused.call() }

  /// Refused: a condition is data.
  @available(
    *, unavailable,
    message: "a store cannot run a closure: write a condition, or filter what was fetched"
  )
  public init(block: (Any?, [String: Any]?) -> Bool) { Refused.call() }

  /// Renamed: `matches(_:)`.
  @available(*, unavailable, message: "write 'try predicate.matches(object)'")
  public func evaluate(with object: Any?) -> Bool { Refused.call() }

  /// Renamed: ``description``.
  @available(*, unavailable, renamed: "description")
  public var predicateFormat: String { Refused.call() }
}

extension ManagedObjectID {
  /// Renamed: ``description``.
  @available(*, unavailable, message: "write 'id.description', which 'ManagedObjectID(text)' reads")
  public func uriRepresentation() -> Never { Refused.call() }

  /// Not needed.
  @available(
    *, unavailable,
    message: "an ID is final from the moment that its object is made; remove the question"
  )
  public var isTemporaryID: Bool { Refused.call() }

  /// Renamed: ``store``.
  @available(*, unavailable, renamed: "store")
  public var persistentStore: Never? { Refused.call() }
}
