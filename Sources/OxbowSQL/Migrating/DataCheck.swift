/// A condition that no row may meet if a migration is to run, and the words for when one does.
package struct DataCheck: Hashable, Sendable {
  /// Which rows are looked for; names are those before the migration.
  package enum Condition: Hashable, Sendable {
    /// All rows, or those of some entities.
    case rows(table: String, types: [Int64]?)
    /// Rows, or rows of some entities, without a value in a column.
    case missing(table: String, column: String, types: [Int64]?)
    /// Rows with a whole number outside a range.
    case outside(table: String, column: String, ClosedRange<Int64>)
    /// Rows whose whole number does not survive as a floating-point number of 64 bits.
    case inexact(table: String, column: String)
    /// Rows with a value in a column that is none of a list.
    case unlisted(table: String, column: String, [Int64])
    /// Groups of rows, or rows of some entities, with the same values in all of the columns.
    case repeated(table: String, columns: [String], types: [Int64]?)
  }

  package var condition: Condition

  /// What is wrong when `count` rows are found, and what to do.
  package var refusal: Refusal

  /// The words around the number of rows.
  package struct Refusal: Hashable, Sendable {
    package var subject: String
    package var advice: String

    package init(_ subject: String, advice: String) {
      self.subject = subject
      self.advice = advice
    }
  }

  package init(_ condition: Condition, _ refusal: Refusal) {
    self.condition = condition
    self.refusal = refusal
  }

  /// The statement that counts the rows.
  package var statement: String {
    switch condition {
    case .rows(let table, let types):
      return count(table, [typeTerm(types)])
    case .missing(let table, let column, let types):
      return count(table, ["\(quoted(column)) IS NULL", typeTerm(types)])
    case .outside(let table, let column, let range):
      return count(
        table,
        [
          "\(quoted(column)) NOT BETWEEN \(SQLValue.integer(range.lowerBound).literal) AND "
            + SQLValue.integer(range.upperBound).literal
        ])
    case .inexact(let table, let column):
      let name = quoted(column)
      return count(table, ["CAST(CAST(\(name) AS REAL) AS INTEGER) <> \(name)"])
    case .unlisted(let table, let column, let values):
      let list = values.map(String.init).joined(separator: ", ")
      return count(table, ["\(quoted(column)) NOT IN (\(list))"])
    case .repeated(let table, let columns, let types):
      let names = columns.map(quoted)
      let terms = names.map { "\($0) IS NOT NULL" } + [typeTerm(types)].compactMap(\.self)
      return "SELECT count(*) FROM (SELECT 1 FROM \(quoted(table)) WHERE "
        + "\(terms.joined(separator: " AND ")) GROUP BY \(names.joined(separator: ", ")) "
        + "HAVING count(*) > 1)"
    }
  }

  private func typeTerm(_ types: [Int64]?) -> String? {
    types.map { "\"_type\" IN (\($0.map(String.init).joined(separator: ", ")))" }
  }

  private func count(_ table: String, _ terms: [String?]) -> String {
    let terms = terms.compactMap(\.self)
    return "SELECT count(*) FROM \(quoted(table))"
      + (terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND "))
  }
}
