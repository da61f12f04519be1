/// Predicates in code, where `#Predicate` does not reach.
///
/// Paths are names joined by dots: `.equal("folder.name", "src")`. A path may end at an attribute,
/// at a to-one relationship (its value is the object's ID) or be empty (the object itself).
extension FetchPredicate {
  /// The value at the path is equal to `value`; `nil` is equal to `nil`.
  public static func equal(_ path: String, _ value: (any FetchValueConvertible)?) -> Self {
    comparing(path, .equal, value)
  }

  /// The value at the path is not equal to `value`; no value is not equal to any.
  public static func notEqual(_ path: String, _ value: (any FetchValueConvertible)?) -> Self {
    comparing(path, .notEqual, value)
  }

  /// The value at the path is smaller than `value`.
  public static func less(_ path: String, _ value: any FetchValueConvertible) -> Self {
    comparing(path, .less, value)
  }

  /// The value at the path is smaller than `value` or equal to it.
  public static func lessOrEqual(_ path: String, _ value: any FetchValueConvertible) -> Self {
    comparing(path, .lessOrEqual, value)
  }

  /// The value at the path is larger than `value`.
  public static func greater(_ path: String, _ value: any FetchValueConvertible) -> Self {
    comparing(path, .greater, value)
  }

  /// The value at the path is larger than `value` or equal to it.
  public static func greaterOrEqual(_ path: String, _ value: any FetchValueConvertible) -> Self {
    comparing(path, .greaterOrEqual, value)
  }

  /// The value at the path is one of the bounds or between them.
  public static func between<Value: FetchValueConvertible & Comparable>(
    _ path: String, _ bounds: ClosedRange<Value>
  ) -> Self {
    .and([.greaterOrEqual(path, bounds.lowerBound), .lessOrEqual(path, bounds.upperBound)])
  }

  /// The value at the path is one of `values`, however many there are.
  public static func oneOf(
    _ path: String, _ values: some Sequence<some FetchValueConvertible>
  ) -> Self {
    .isIn(.path(at: path), values.map(\.fetchValue))
  }

  /// There is no value at the path.
  public static func isNil(_ path: String) -> Self { equal(path, nil) }

  /// There is a value at the path.
  public static func isNotNil(_ path: String) -> Self { notEqual(path, nil) }

  /// The Boolean at the path is true.
  public static func isTrue(_ path: String) -> Self { .truth(.path(at: path)) }

  /// The text at the path contains `part`.
  public static func contains(
    _ path: String, _ part: String, _ options: TextOptions = []
  ) -> Self {
    .text(.path(at: path), .contains, .value(part.fetchValue), options)
  }

  /// The text at the path begins with `part`.
  public static func beginsWith(
    _ path: String, _ part: String, _ options: TextOptions = []
  ) -> Self {
    .text(.path(at: path), .beginsWith, .value(part.fetchValue), options)
  }

  /// The text at the path ends with `part`.
  public static func endsWith(
    _ path: String, _ part: String, _ options: TextOptions = []
  ) -> Self {
    .text(.path(at: path), .endsWith, .value(part.fetchValue), options)
  }

  /// The text at the path is equal to `text`, apart from what the options overlook.
  public static func equal(_ path: String, _ text: String, _ options: TextOptions) -> Self {
    .comparison(
      .folded(.path(at: path), options), .equal, .folded(.value(text.fetchValue), options))
  }

  /// The text at the path has the form of `pattern`: `*` is any text, `?` is one Unicode scalar.
  public static func like(
    _ path: String, _ pattern: String, _ options: TextOptions = []
  ) -> Self {
    .text(.path(at: path), .like, .value(pattern.fetchValue), options)
  }

  /// The whole text at the path matches a regular expression, as `NSRegularExpression` reads it.
  public static func matches(
    _ path: String, _ expression: String, _ options: TextOptions = []
  ) -> Self {
    .text(.path(at: path), .matches, .value(expression.fetchValue), options)
  }

  /// No object of the to-many relationship at the path meets the condition.
  public static func none(_ path: String, _ condition: FetchPredicate) -> Self {
    .not(.any(path, condition))
  }

  /// At least one object of the to-many relationship at the path meets the condition.
  public static func any(_ path: String, _ condition: FetchPredicate) -> Self {
    .any(path: names(path), condition)
  }

  /// Every object of the to-many relationship at the path meets the condition.
  public static func all(_ path: String, _ condition: FetchPredicate) -> Self {
    .all(path: names(path), condition)
  }

  /// The number of objects of the to-many relationship at the path, compared with a number.
  public static func count(
    _ path: String, _ comparison: ComparisonOperator, _ number: Int
  ) -> Self {
    .comparison(.count(path: names(path)), comparison, .value(number.fetchValue))
  }

  /// The object is the one with this ID.
  public static func object(_ id: ManagedObjectID) -> Self { equal("", id) }

  /// Both conditions hold.
  public static func && (a: FetchPredicate, b: FetchPredicate) -> Self {
    .and(a.conjuncts + b.conjuncts)
  }

  /// At least one of both conditions holds.
  public static func || (a: FetchPredicate, b: FetchPredicate) -> Self {
    .or(a.disjuncts + b.disjuncts)
  }

  /// The condition does not hold.
  public static prefix func ! (condition: FetchPredicate) -> Self { .not(condition) }

  private var conjuncts: [FetchPredicate] {
    if case .and(let parts) = self { parts } else { [self] }
  }

  private var disjuncts: [FetchPredicate] {
    if case .or(let parts) = self { parts } else { [self] }
  }

  private static func comparing(
    _ path: String, _ comparison: ComparisonOperator, _ value: (any FetchValueConvertible)?
  ) -> Self {
    .comparison(.path(at: path), comparison, .value(value?.fetchValue ?? .null))
  }

  fileprivate static func names(_ path: String) -> [String] {
    // Most paths are one name, and splitting takes as long as the rest of a condition.
    guard path.utf8.contains(UInt8(ascii: ".")) else { return path.isEmpty ? [] : [path] }
    return path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }
}

extension FetchExpression {
  /// The value at the end of a path whose names are joined by dots (`"folder.name"`).
  public static func path(at path: String) -> FetchExpression {
    .path(FetchPredicate.names(path))
  }
}
