enum FormatWords {
  /// Words that are names only after `#`, in capitals.
  static let reserved: Set<String> = [
    "AND", "OR", "NOT", "ANY", "ALL", "SOME", "NONE", "IN", "BETWEEN", "LIKE", "MATCHES",
    "CONTAINS",
    "BEGINSWITH", "ENDSWITH", "NULL", "NIL", "SELF", "TRUE", "FALSE", "YES", "NO", "TRUEPREDICATE",
    "FALSEPREDICATE", "SUBQUERY", "TERNARY", "CAST", "FUNCTION",
  ]

  static let operators = [
    "IN", "BETWEEN", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "WORDS",
  ]

  static let textOperators: [String: TextOperator] = [
    "CONTAINS": .contains, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "LIKE": .like,
    "MATCHES": .matches,
  ]

  static let comparisons: [String: ComparisonOperator] = [
    "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
    "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ]

  static let quantifiers: [String: FetchQuantifier] = [
    "ANY": .any, "SOME": .any, "ALL": .all, "NONE": .none,
  ]

  /// Aggregates after `@` and as functions.
  static let aggregates: [String: FetchAggregate] = [
    "sum": .sum, "min": .min, "max": .max, "avg": .average, "average": .average,
  ]

  /// Functions that are called with parentheses, as they are written.
  static let functions = [
    "now", "sum", "min", "max", "average", "count", "TERNARY", "SUBQUERY", "date", "uuid", "url",
    "bytes", "decimal", "double", "object", "folded",
  ]
}
