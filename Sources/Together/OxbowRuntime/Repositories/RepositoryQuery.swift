public import OxbowContext
public import OxbowModel

/// A `@Query`, read once: a condition with variables, and an order.
public struct RepositoryQuery<Entity: ManagedObject>: Sendable {
  /// The text of the condition; nil for one that says the order only.
  let text: String?

  /// The condition, or why it cannot be read.
  let template: Result<FetchPredicate?, PersistenceError>

  /// The order.
  public let sortKeys: [SortKey<Entity>]

  /// Reads a condition in format text, in which the method's parameters are variables.
  public init(_ text: String?, sortedBy sortKeys: [SortKey<Entity>] = []) {
    self.text = text
    self.sortKeys = sortKeys
    template = Result { () throws(PersistenceError) in
      guard let text else { return nil }
      return try FetchPredicate(format: text)
    }
  }

  /// The condition with the arguments of a call.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidPredicate` for a text that cannot be read; a
  ///   container's `build()` has reported it.
  public func condition(_ arguments: [String: (any FetchArgument)?]) throws -> FetchPredicate? {
    try template.get()?.substituting(arguments)
  }
}
