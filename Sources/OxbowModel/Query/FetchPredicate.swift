/// A condition on objects, as a value that every store and the memory executor understand alike.
///
/// Logic has two values, as in Swift: a comparison with no value is false, `nil == nil` is true and
/// `nil != x` is true. Text compares by its UTF-8 bytes unless an option says otherwise. Names are
/// checked when the predicate meets a ``CompiledModel``.
public indirect enum FetchPredicate: Sendable, Hashable {
  /// Always true or always false.
  case constant(Bool)

  /// Two expressions compared.
  case comparison(FetchExpression, ComparisonOperator, FetchExpression)

  /// Text compared with a part of it.
  case text(FetchExpression, TextOperator, FetchExpression, TextOptions)

  /// Whether an expression's value is one of a list.
  case isIn(FetchExpression, [FetchValue])

  /// A Boolean expression taken as a condition; no value counts as false.
  case truth(FetchExpression)

  /// All conditions hold; true when there is none.
  case and([FetchPredicate])

  /// At least one condition holds; false when there is none.
  case or([FetchPredicate])

  /// The condition does not hold.
  case not(FetchPredicate)

  /// At least one object of the to-many relationship at the end of `path` meets the condition,
  /// which is about that object.
  case any(path: [String], FetchPredicate)

  /// Every object of the to-many relationship at the end of `path` meets the condition.
  case all(path: [String], FetchPredicate)
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
}

/// How text is compared with a part of it.
public enum TextOperator: String, Sendable, Hashable {
  /// The text has the part somewhere.
  case contains
  /// The text begins with the part.
  case beginsWith
  /// The text ends with the part.
  case endsWith
}

/// What a comparison of text overlooks.
public struct TextOptions: OptionSet, Sendable, Hashable {
  /// The options as bits.
  public let rawValue: UInt8

  /// Creates options from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Upper and lower case of the letters A to Z are the same.
  public static let caseInsensitive = TextOptions(rawValue: 1)
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
}
