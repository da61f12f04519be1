/// An object that this context changed or deleted after another context or program had saved or
/// deleted it; or a new object with unique values that another object has.
///
/// A refused save has its conflicts in ``PersistenceError/conflicts``, one that a merge policy
/// resolved leaves them in the context.
public struct MergeConflict: Sendable, Hashable {
  /// The object.
  public let objectID: ManagedObjectID

  /// What the two changes were.
  public let kind: Kind

  /// The values of attributes and to-one relationships as the context last read or saved them;
  /// `nil` for a new object.
  public let base: [String: PropertyValue]?

  /// The values that the context has; `nil` when it deletes the object.
  public let mine: [String: PropertyValue]?

  /// The values that the store has; `nil` when the object is gone there.
  public let theirs: [String: PropertyValue]?

  /// What the context adds to values of the store, whatever these are; `mine` has the sums with
  /// those of `base`.
  public let increments: [String: PropertyValue]

  /// The object that has the unique values, for a conflict about those.
  public let holderID: ManagedObjectID?

  /// What two changes were.
  public enum Kind: Sendable, Hashable {
    /// Both changed the object.
    case update
    /// The context changed the object, and it was deleted in the store.
    case updateOfDeleted
    /// The context deletes the object, and it was changed in the store.
    case deleteOfUpdated
    /// Both deleted the object.
    case delete
    /// The new object has unique values that another object has.
    case uniqueness
  }

  /// Creates a conflict.
  public init(
    objectID: ManagedObjectID, kind: Kind, base: [String: PropertyValue]?,
    mine: [String: PropertyValue]?, theirs: [String: PropertyValue]?,
    holderID: ManagedObjectID? = nil, increments: [String: PropertyValue] = [:]
  ) {
    self.objectID = objectID
    self.kind = kind
    self.base = base
    self.mine = mine
    self.theirs = theirs
    self.holderID = holderID
    self.increments = increments
  }

  /// The properties that both sides changed, and not to the same value, sorted; an increment
  /// contests nothing.
  public var contestedProperties: [String] {
    guard kind == .update, let mine, let theirs else { return [] }
    return mine.keys.filter { name in
      guard increments[name] == nil, mine[name] != theirs[name] else { return false }
      return base.map { mine[name] != $0[name] && theirs[name] != $0[name] } ?? true
    }.sorted()
  }
}

extension PersistenceError {
  /// The objects that were saved elsewhere first, with the values of both sides; empty for other
  /// errors.
  public var conflicts: [MergeConflict] { particulars.conflicts }

  /// Returns a copy with the conflicts that the error is about.
  package func adding(_ conflicts: [MergeConflict]) -> PersistenceError {
    var copy = self
    copy.particulars.conflicts = conflicts
    return copy
  }
}
