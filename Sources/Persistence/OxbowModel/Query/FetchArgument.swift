/// A value for a placeholder of a format text or for a variable: a constant, or a list of
/// constants.
public protocol FetchArgument {
  /// The argument as predicates know it.
  var fetchArgument: FetchArgumentValue { get }
}

/// What an argument is.
public enum FetchArgumentValue: Sendable, Hashable, FetchArgument {
  /// One constant.
  case value(FetchValue)
  /// A list, for IN, BETWEEN and the functions of lists.
  case list([FetchValue])

  /// The value itself.
  public var fetchArgument: FetchArgumentValue { self }
}

extension FetchValueConvertible {
  /// The value as one constant.
  public var fetchArgument: FetchArgumentValue { .value(fetchValue) }
}
extension Array: FetchArgument where Element: FetchValueConvertible {
  /// The elements as a list.
  public var fetchArgument: FetchArgumentValue { .list(map(\.fetchValue)) }
}
extension ArraySlice: FetchArgument where Element: FetchValueConvertible {
  /// The elements as a list.
  public var fetchArgument: FetchArgumentValue { .list(map(\.fetchValue)) }
}
extension Set: FetchArgument where Element: FetchValueConvertible {
  /// The elements as a list, in any order.
  public var fetchArgument: FetchArgumentValue { .list(map(\.fetchValue)) }
}
extension Optional: FetchArgument where Wrapped: FetchArgument {
  /// The argument, or no value.
  public var fetchArgument: FetchArgumentValue { self?.fetchArgument ?? .value(.null) }
}
extension Optional where Wrapped == any FetchArgument {
  /// The argument's value; no value for `nil`.
  var argumentValue: FetchArgumentValue { self?.fetchArgument ?? .value(.null) }
}
