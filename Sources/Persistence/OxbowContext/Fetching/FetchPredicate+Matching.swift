public import OxbowModel
internal import OxbowStore

extension FetchPredicate {
  /// Whether an object meets the condition, as it is in memory: unsaved changes count.
  ///
  /// ```swift
  /// let isLong = try FetchPredicate.greater("pages", 500).matches(book)
  /// ```
  ///
  /// It is Core Data's `evaluate(with:)`. The answer is that of a fetch. Relationships that the
  /// condition follows are read if necessary; a deleted object is treated as if it were not.
  ///
  /// - Throws: ``PersistenceError``: `invalidPredicate` or `unknownProperty` for what the object's
  ///   entity does not have, `foreignObject` for an object without a context, `wrongOwner`, why
  ///   rows could not be read.
  public func matches(_ object: ManagedObject) throws(PersistenceError) -> Bool {
    guard let context = object.context else { throw object.orphanError("asking a condition") }
    try requireLimitedDepth()
    try context.begin("fetch")
    try context.requireOwn([object], "ask a condition of")
    if object.isFault { try context.load([object]) }
    return try isTrue(for: ObjectPredicateTarget(object: object))
  }
}
