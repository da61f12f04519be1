/// How a save resolves conflicts with other contexts' saves of the same objects.
///
/// A policy decides for each object in conflict. What it decided is in
/// ``ManagedObjectContext/mergedConflicts`` after the save, with the values of both sides, so that
/// nothing is lost unseen. Set it before the deletions that it is to judge: what a deletion did is
/// noted only where the policy may have to take it back. Where a policy has no answer, the save
/// throws the conflict and nothing has changed, in the store and in the context.
///
/// A link that others have made to an object since it was deleted here counts as a change of that
/// object: if the object stays deleted, its delete rule applies to the new link too.
///
/// | | both changed it | deleted here | deleted there | new, unique values taken |
/// | --- | --- | --- | --- | --- |
/// | `error` | error | error | error | error |
/// | `mergeByProperty` | each property that one side changed | error | error | missing values |
/// | `mergeByPropertyStoreTrump` | the same, else theirs | stays | deleted | theirs |
/// | `mergeByPropertyObjectTrump` | the same, else mine | deleted | written again | mine |
/// | `overwrite` | mine as a whole | deleted | written again | mine as a whole |
/// | `rollback` | theirs as a whole | stays | deleted | theirs, the new one is dropped |
public enum MergePolicy: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// Throw every conflict.
  case error
  /// Take each property from the side that changed it, and throw if both changed it differently.
  case mergeByProperty
  /// Take each property from the side that changed it, and from the store where both did.
  case mergeByPropertyStoreTrump
  /// Take each property from the side that changed it, and from the context where both did.
  case mergeByPropertyObjectTrump
  /// Write the context's object as a whole, with the values that it did not change.
  case overwrite
  /// Give up the context's changes of the object.
  case rollback

  /// The policy's name, as files write it.
  public var description: String { rawValue }

  /// Whether a conflict takes back a deletion, with all that it did to others.
  var takesDeletionsBack: Bool { self == .mergeByPropertyStoreTrump || self == .rollback }

  var prevails: Bool { self == .mergeByPropertyObjectTrump || self == .overwrite }
}
