#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An object that a `#Predicate` captures, as a constant: its ID.
///
/// `$0.author == author` is written with it. An object itself is neither `Sendable` nor `Codable`, as
/// what a predicate captures has to be.
public struct ObjectConstant<Output>: StandardPredicateExpression {
  /// The object's ID, or `nil` for no object.
  public let objectID: ManagedObjectID?

  package init(_ id: ManagedObjectID?) { objectID = id }

  /// Throws: a predicate about objects is answered by a context.
  public func evaluate(_ bindings: PredicateBindings) throws -> Output { throw notEvaluated }
}

/// Several objects that a `#Predicate` captures, as constants: their IDs.
public struct ObjectConstants<Output: Sequence>: StandardPredicateExpression {
  let ids: [ManagedObjectID]

  package init(_ ids: [ManagedObjectID]) { self.ids = ids }

  /// Throws: a predicate about objects is answered by a context.
  public func evaluate(_ bindings: PredicateBindings) throws -> Output { throw notEvaluated }
}

private var notEvaluated: PersistenceError {
  PersistenceError(
    .unsupported,
    "a #Predicate that captures a managed object keeps the object's ID only and cannot be evaluated "
      + "by itself; pass it to a context's 'fetch' or 'count'")
}

extension ObjectConstant: TranslatableNode {
  func translate(_ translator: inout FoundationTranslator) throws(PersistenceError)
    -> TranslatedTerm
  { .expression(.value(objectID.fetchValue)) }
}

extension ObjectConstants: TranslatableNode {
  func translate(_ translator: inout FoundationTranslator) throws(PersistenceError)
    -> TranslatedTerm
  { .values(ids.map(\.fetchValue)) }
}
