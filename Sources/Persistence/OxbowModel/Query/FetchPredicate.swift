/// A condition on objects, as a value that every store and the memory executor understand alike.
///
/// Logic has two values, as in Swift: a comparison with no value is false, `nil == nil` is true and
/// `nil != x` is true. Text compares by its UTF-8 bytes unless an option says otherwise. Names are
/// checked when the predicate meets a ``CompiledModel``.
///
/// A path whose first name begins with `$` starts at a variable: the member of a `SUBQUERY` that
/// binds it, or a value that is given later (``substituting(_:)``).
public indirect enum FetchPredicate: Sendable, Hashable {
  /// Always true or always false.
  case constant(Bool)

  /// Two expressions compared.
  case comparison(FetchExpression, ComparisonOperator, FetchExpression)

  /// Text compared with a part of it.
  case text(FetchExpression, TextOperator, FetchExpression, TextOptions)

  /// Whether texts meet a search for words, which the last expression is as text.
  ///
  /// A term of the search may be in any of the texts, a phrase is in one. No value has no words.
  /// The form of the search is that of ``WordQuery``.
  case words([FetchExpression], FetchExpression)

  /// Whether an expression's value is one of a list.
  case isIn(FetchExpression, [FetchValue])

  /// Whether the first value is at least the second and at most the third.
  case isBetween(FetchExpression, FetchExpression, FetchExpression)

  /// A Boolean expression taken as a condition; no value counts as false.
  case truth(FetchExpression)

  /// All conditions hold; true without any.
  case and([FetchPredicate])

  /// At least one condition holds; false without any.
  case or([FetchPredicate])

  /// The condition does not hold.
  case not(FetchPredicate)

  /// At least one object of the to-many relationship at the end of `path` meets the condition,
  /// which is about that object.
  case any(path: [String], FetchPredicate)

  /// Every object of the to-many relationship at the end of `path` meets the condition.
  case all(path: [String], FetchPredicate)

  /// How many of the values at the end of a path through to-many relationships meet a condition.
  ///
  /// The condition is a comparison, a search of text, also for words, a list or a range, and its
  /// first expression is the path. Its other expressions are about the same object as the whole.
  case quantified(FetchQuantifier, FetchPredicate)

  /// SQL about the row of the object, which is true where it is neither 0 nor NULL.
  ///
  /// The store answers it. While the context has unsaved changes, a fetch with it is refused.
  case sql(SQLText)
}

/// How many values must meet a condition.
public enum FetchQuantifier: String, Sendable, Hashable, CaseIterable {
  /// At least one.
  case any
  /// Every one; true without any.
  case all
  /// Not one.
  case none
}

/// A value that is computed from an object.
public indirect enum FetchExpression: Sendable, Hashable {
  /// A constant.
  case value(FetchValue)

  /// The attribute or the to-one relationship at the end of a path of to-one relationships. A
  /// relationship's value is the ID of the object. No value anywhere on the way gives no value. The
  /// empty path is the object itself.
  case path([String])

  /// The number of objects of the to-many relationship at the end of a path.
  case count(path: [String])

  /// Two numbers combined. Overflow and division by zero are errors in memory; a store may find no
  /// row instead.
  case arithmetic(FetchExpression, ArithmeticOperator, FetchExpression)

  /// A number with its sign changed.
  case negated(FetchExpression)

  /// The first expression's value, or the second's when it has none.
  case coalesced(FetchExpression, FetchExpression)

  /// The one expression when the condition holds, else the other.
  case conditional(FetchPredicate, FetchExpression, FetchExpression)

  /// A condition as a Boolean value.
  case condition(FetchPredicate)

  /// A text without what the options overlook, so that `É` and `e` become equal.
  case folded(FetchExpression, TextOptions)

  /// One value from all at the end of a path through a to-many relationship.
  case aggregate(FetchAggregate, path: [String])

  /// The number of objects of the to-many relationship at the end of a path that meet a condition.
  ///
  /// In the condition, paths that begin with the variable (`$tag.label`) lead from the member, and
  /// all others from the object that the whole is about.
  case subqueryCount(path: [String], variable: String, FetchPredicate)

  /// The moment at which the condition is asked.
  case now

  /// The value that ``FetchPredicate/substituting(_:)`` gives to the variable.
  public static func variable(_ name: String) -> FetchExpression { .path(["$" + name]) }
}

/// How many values become one.
///
/// Values that are missing are left out.
public enum FetchAggregate: String, Sendable, Hashable, CaseIterable {
  /// The sum, exact for whole and for decimal numbers; 0 of no values.
  case sum
  /// The smallest value; none of no values.
  case min
  /// The largest value; none of no values.
  case max
  /// The sum divided by the number of values; none of no values.
  case average = "avg"
}

/// A constant of a predicate.
public enum FetchValue: Sendable, Hashable {
  /// No value.
  case null
  /// A value of an attribute.
  case attribute(AttributeValue)
  /// An object.
  case object(ManagedObjectID)
}

/// How two values are compared.
public enum ComparisonOperator: String, Sendable, Hashable {
  /// Equal, `nil` equal to `nil`.
  case equal = "=="
  /// Not equal.
  case notEqual = "!="
  /// Smaller.
  case less = "<"
  /// Smaller or equal.
  case lessOrEqual = "<="
  /// Larger.
  case greater = ">"
  /// Larger or equal.
  case greaterOrEqual = ">="

  /// The comparison with its sides exchanged.
  package var turned: ComparisonOperator {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
}

/// How two numbers are combined.
public enum ArithmeticOperator: String, Sendable, Hashable {
  /// The sum.
  case add = "+"
  /// The difference.
  case subtract = "-"
  /// The product.
  case multiply = "*"
  /// The quotient; of whole numbers, without its fraction.
  case divide = "/"
  /// The rest of a division of whole numbers.
  case remainder = "%"
  /// The bits that two whole numbers have in common.
  case bitwiseAnd = "&"
  /// The bits that one of two whole numbers has.
  case bitwiseOr = "|"
  /// The bits that exactly one of two whole numbers has.
  case bitwiseExclusiveOr = "^"
  /// The first number multiplied by itself as often as the second one says, as a Double.
  case power = "**"

  /// Whether both numbers have to be whole.
  package var needsWholeNumbers: Bool {
    switch self {
    case .remainder, .bitwiseAnd, .bitwiseOr, .bitwiseExclusiveOr: true
    case .add, .subtract, .multiply, .divide, .power: false
    }
  }
}
