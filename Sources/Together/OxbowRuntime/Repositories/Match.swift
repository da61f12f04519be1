public import OxbowContext
public import OxbowModel

/// The conditions that `@Repository` writes: an operator for each ending of a label.
///
/// The first argument has the compiler check that the property exists and that the value fits it.
/// It is never evaluated; the path names the property for the store.
public enum Match<Entity: ModelObject> {
  /// Where the paths of fields begin.
  public static var root: Field<Entity> { .checkedOnly }

  /// Has the compiler check a path.
  public static func checked<V>(_ field: @autoclosure () -> Field<V>) {}

  // MARK: - Equality

  /// `title`: the value is this one; no value is equal to no value.
  public static func equal<V: FetchValueConvertible>(
    _ field: @autoclosure () -> Field<V>, _ path: String, _ value: V
  ) -> FetchPredicate { .equal(path, value) }

  /// `author`, with the ID of an object.
  public static func equal<V: ModelObject>(
    _ field: @autoclosure () -> Field<V>, _ path: String, _ id: ManagedObjectID
  ) -> FetchPredicate { .equal(path, id) }

  /// `titleIsNot`: the value is another one, or there is none.
  public static func notEqual<V: FetchValueConvertible>(
    _ field: @autoclosure () -> Field<V>, _ path: String, _ value: V
  ) -> FetchPredicate { .notEqual(path, value) }

  /// `authorIsNot`, with the ID of an object.
  public static func notEqual<V: ModelObject>(
    _ field: @autoclosure () -> Field<V>, _ path: String, _ id: ManagedObjectID
  ) -> FetchPredicate { .notEqual(path, id) }

  // MARK: - Order

  /// `pagesAtLeast`: the value is this one or larger.
  public static func atLeast<V: FetchValueConvertible & Comparable>(
    _ field: @autoclosure () -> Field<V>, _ path: String, _ value: V
  ) -> FetchPredicate { .greaterOrEqual(path, value) }

  /// `pagesAtMost`: the value is this one or smaller.
  public static func atMost<V: FetchValueConvertible & Comparable>(
    _ field: @autoclosure () -> Field<V>, _ path: String, _ value: V
  ) -> FetchPredicate { .lessOrEqual(path, value) }

  /// `pagesAbove`, `publishedAfter`: the value is larger.
  public static func above<V: FetchValueConvertible & Comparable>(
    _ field: @autoclosure () -> Field<V>, _ path: String, _ value: V
  ) -> FetchPredicate { .greater(path, value) }

  /// `pagesBelow`, `publishedBefore`: the value is smaller.
  public static func below<V: FetchValueConvertible & Comparable>(
    _ field: @autoclosure () -> Field<V>, _ path: String, _ value: V
  ) -> FetchPredicate { .less(path, value) }

  // MARK: - Lists and ranges

  /// `yearIn`: the value is one of these.
  @_disfavoredOverload
  public static func isIn<V: FetchValueConvertible>(
    _ field: @autoclosure () -> Field<V>, _ path: String, _ values: some Collection<V>
  ) -> FetchPredicate { .oneOf(path, values) }

  /// `yearIn` with a range: the value is in it, its bounds included.
  public static func isIn<V: FetchValueConvertible & Comparable>(
    _ field: @autoclosure () -> Field<V>, _ path: String, _ range: ClosedRange<V>
  ) -> FetchPredicate { .between(path, range) }

  /// `yearIn` with a range: the value is in it, its upper bound excluded.
  public static func isIn<V: FetchValueConvertible & Comparable>(
    _ field: @autoclosure () -> Field<V>, _ path: String, _ range: Range<V>
  ) -> FetchPredicate { within(path, range) }

  private static func within<V: FetchValueConvertible & Comparable>(
    _ path: String, _ range: Range<V>
  ) -> FetchPredicate {
    .and([.greaterOrEqual(path, range.lowerBound), .less(path, range.upperBound)])
  }

  // MARK: - Text and members

  /// `titleContains`: the text has this part.
  public static func contains(
    _ field: @autoclosure () -> Field<String>, _ path: String, _ part: String
  ) -> FetchPredicate { .contains(path, part) }

  /// `tagsContains`: the object is among those of the relationship.
  public static func contains<V: ManagedObject>(
    _ field: @autoclosure () -> Field<Set<V>>, _ path: String, _ object: V
  ) -> FetchPredicate { .any(path, .object(object.objectID)) }

  /// `chaptersContains` of an ordered relationship.
  public static func contains<V: ManagedObject>(
    _ field: @autoclosure () -> Field<[V]>, _ path: String, _ object: V
  ) -> FetchPredicate { .any(path, .object(object.objectID)) }

  /// `titleBeginsWith`: the text begins so.
  public static func beginsWith(
    _ field: @autoclosure () -> Field<String>, _ path: String, _ part: String
  ) -> FetchPredicate { .beginsWith(path, part) }

  /// `titleEndsWith`: the text ends so.
  public static func endsWith(
    _ field: @autoclosure () -> Field<String>, _ path: String, _ part: String
  ) -> FetchPredicate { .endsWith(path, part) }

  /// `bodyWords`: the text meets a search for words that somebody has typed, which the store reads.
  public static func words(
    _ field: @autoclosure () -> Field<String>, _ path: String, _ text: String
  ) -> FetchPredicate { .words([.path(at: path)], .value(text.fetchValue)) }

  /// `bodyWords` with a search: the text meets it.
  public static func words(
    _ field: @autoclosure () -> Field<String>, _ path: String, _ query: WordQuery
  ) -> FetchPredicate { .words(path, query) }
}
