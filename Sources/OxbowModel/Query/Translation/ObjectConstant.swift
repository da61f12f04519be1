#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An object that a `#Predicate` captures, as a constant: its ID.
///
/// `$0.author == author` is written with it. An object itself is neither `Sendable` nor `Codable`,
/// as what a predicate captures has to be.
public struct ObjectConstant<Output>: StandardPredicateExpression {
  /// The object's ID, or `nil` for no object.
  package let objectID: ManagedObjectID?

  /// What cannot be compared with what, or `nil`.
  private let mismatch: String?

  package init(_ objectID: ManagedObjectID?, mismatch: String? = nil) {
    self.objectID = objectID
    self.mismatch = mismatch
  }

  /// Throws: a predicate about objects is answered by a context.
  public func evaluate(_ bindings: PredicateBindings) throws -> Output {
    throw PersistenceError(
      .unsupported,
      "a #Predicate that captures a managed object keeps the object's ID only and cannot be "
        + "evaluated by itself; pass it to a context's 'fetch' or 'count'")
  }
}

extension ObjectConstant: TranslatableNode {
  func translate(_ translator: inout FoundationTranslator) throws(PersistenceError)
    -> TranslatedTerm
  {
    if let mismatch {
      throw PersistenceError(
        .invalidPredicate,
        "a #Predicate compares the object \(mismatch); compare it with an object of its class")
    }
    return .expression(.value(objectID.fetchValue))
  }
}
