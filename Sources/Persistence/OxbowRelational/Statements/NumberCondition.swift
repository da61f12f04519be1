/// The condition that a column has one of some numbers, in SQL; a server takes no empty list.
package func isOne(_ column: String, of numbers: some Collection<Int64>) -> String {
  numbers.isEmpty ? "FALSE" : "\(column) IN (\(list(numbers)))"
}

/// The condition that a column has none of some numbers, in SQL.
package func isNone(_ column: String, of numbers: some Collection<Int64>) -> String {
  numbers.isEmpty ? "TRUE" : "\(column) NOT IN (\(list(numbers)))"
}

private func list(_ numbers: some Collection<Int64>) -> String {
  numbers.map(String.init).joined(separator: ", ")
}
