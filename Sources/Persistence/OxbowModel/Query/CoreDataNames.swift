// The names of Core Data that are others here, so that the compiler says which.

extension FetchPredicate {
  /// Renamed: ``constant(_:)``.
  @available(*, unavailable, renamed: "FetchPredicate.constant(_:)")
  public init(value: Bool) { refused() }

  /// Refused: a condition is data.
  @available(
    *, unavailable,
    message: "a store cannot run a closure: write a condition, or filter what was fetched"
  )
  public init(block: (Any?, [String: Any]?) -> Bool) { refused() }

  /// Renamed: `matches(_:)`.
  @available(*, unavailable, message: "write 'try predicate.matches(object)'")
  public func evaluate(with object: Any?) -> Bool { refused() }

  /// Renamed: ``description``.
  @available(*, unavailable, renamed: "description")
  public var predicateFormat: String { refused() }
}

extension ManagedObjectID {
  /// Renamed: ``description``.
  @available(*, unavailable, message: "write 'id.description', which 'ManagedObjectID(text)' reads")
  public func uriRepresentation() -> Never { refused() }

  /// Not needed.
  @available(
    *, unavailable,
    message: "an ID is final from the moment that its object is made; remove the question"
  )
  public var isTemporaryID: Bool { refused() }

  /// Renamed: ``store``.
  @available(*, unavailable, renamed: "store")
  public var persistentStore: Never? { refused() }
}

private func refused() -> Never { preconditionFailure("the compiler refuses every call of this") }
