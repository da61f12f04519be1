internal import OxbowModel

/// What the store's row must meet when some changes of an object are saved; the changes do not ask
/// which version the row has.
struct EditCondition {
  let predicate: FetchPredicate

  /// The properties that were changed under the condition, by index; it counts as long as one of
  /// them is an edit.
  let properties: Set<Int>
}
