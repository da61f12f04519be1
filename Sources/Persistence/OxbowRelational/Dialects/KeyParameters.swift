/// How many keys are bound to a statement.
package enum KeyParameters: Hashable, Sendable {
  /// Each key to a parameter of its own.
  case each(Int)
  /// All keys to one parameter (``Dialect/array(of:)``).
  case array
  /// The first and the last of keys without a gap between them.
  case range

  /// Says that a column has one of the keys.
  func condition(on column: String, _ dialect: any Dialect) -> String {
    switch self {
    case .each(let count):
      "\(column) IN (" + String(repeating: "?, ", count: count - 1) + "?)"
    case .array: "\(column) IN (\(dialect.keys(in: "?")))"
    case .range: "\(column) BETWEEN ? AND ?"
    }
  }
}

extension [Int64] {
  /// The keys in ascending order, in which a table is walked through once, and SQLite's own list of
  /// them grows at its end (docs/performance.md, D and T/cascade).
  package var inOrder: [Int64] {
    zip(self, dropFirst()).allSatisfy { $0 <= $1 } ? self : sorted()
  }
}
