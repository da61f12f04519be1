public import OxbowModel

// Calls of a class during the life of its objects: a protocol for each moment, so that a class
// without a hook costs nothing. Conformances are looked up once, when the first context of the
// store is made (decision 0218).
//
// Hooks run on the context's owner. None can be asynchronous, and none can throw: an access that
// fails in one is recorded, as in any getter, and the operation that runs the hook throws it.

/// An object that fills itself in when it is new.
public protocol AwakeFromInsertHook: ModelObject {
  /// Called once, when a context has made the object, before `insert` returns and before its
  /// `filling` runs.
  ///
  /// The object has the default values of the model. Values that are set here are as if the program
  /// set them.
  func awakeFromInsert()
}

/// An object that prepares transient values when its row arrives.
public protocol AwakeFromFetchHook: ModelObject {
  /// Called each time a row of the store has arrived in the object: with the first fetch, when a
  /// fault is filled, and when a newer row replaces its row.
  ///
  /// A transient attribute that is set here is not a change of the object; other edits are. The
  /// hook runs during a read: it may follow relationships, but not change them, fetch, insert or
  /// save.
  func awakeFromFetch()
}

/// An object that is called before it is saved.
public protocol WillSaveHook: ModelObject {
  /// Called when a save is about to write the object, before rules are checked; the object is new,
  /// changed or deleted.
  ///
  /// It may change this object and others, insert and delete. Each object that a hook changed is
  /// called again, until a round changes nothing: set a value only if it differs. A save that does
  /// not settle within 100 rounds throws `unsettledHooks` and names the objects.
  func willSave()
}

/// An object that is called after it was saved.
public protocol DidSaveHook: ModelObject {
  /// Called after the commit, once everything that was saved is clean.
  ///
  /// Edits made here are changes for the next save. An object whose deletion was saved has its
  /// attribute values but no longer belongs to a context.
  func didSave()
}

/// An object that is called before it is deleted.
public protocol PrepareForDeletionHook: ModelObject {
  /// Called once for each deletion, cascades included, while the object has all its values and
  /// links: before delete rules are applied.
  ///
  /// It may change other objects: the cascade does not follow a link that it removes, although the
  /// object at its end may have been called already.
  func prepareForDeletion()
}

/// An object that is called before it forgets its row.
public protocol WillTurnIntoFaultHook: ModelObject {
  /// Called before a refresh, a rollback or a merge makes the object a fault; it still has its
  /// values and unsaved changes.
  ///
  /// Not called for objects that a sweep or a reset drops.
  func willTurnIntoFault()
}

/// An object that has rules of its own.
///
/// ```swift
/// extension Book: ValidationRulesHook {
///   static var validationRules: [ValidationRule] {
///     [
///       ValidationRule(\Book.title, "notBlank", "is blank") { !$0.isEmpty },
///       ValidationRule(Book.self, "dates", "is returned before it is lent") {
///         $0.returned >= $0.lent
///       },
///     ]
///   }
/// }
/// ```
public protocol ValidationRulesHook: ModelObject {
  /// The rules of the class's objects, in addition to those of the model; read once.
  ///
  /// A subclass with more rules declares the property in the class with `override class var` and
  /// adds them to `super.validationRules`.
  static var validationRules: [ValidationRule] { get }
}
