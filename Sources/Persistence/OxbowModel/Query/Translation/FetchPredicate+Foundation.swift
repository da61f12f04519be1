public import OxbowFoundation

extension FetchPredicate {
  /// Translates a `#Predicate`.
  ///
  /// Values that the predicate captures become constants. An object is compared by its ID
  /// (`$0.team?.objectID == id`), because a predicate cannot capture objects. On Linux `#Predicate`
  /// has no search that overlooks case; use ``contains(_:_:_:)`` with options for that. Arithmetic
  /// with `Float` is done in `Double`, so a result near a limit can fall on its other side.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidPredicate` or `unsupported`, naming what a
  ///   store cannot answer.
  public init<Model: ModelObject>(_ predicate: Predicate<Model>) throws(PersistenceError) {
    var translator = FoundationTranslator()
    translator.bind(predicate.variable.key, to: .object([]))
    self = try translator.translate(predicate.expression).condition()
  }
}
