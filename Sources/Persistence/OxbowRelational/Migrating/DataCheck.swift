/// A condition that no row may meet if a migration is to run, and the words for when one does.
package struct DataCheck: Hashable, Sendable {
  /// Which rows are looked for; names are those before the migration.
  package enum Condition: Hashable, Sendable {
    /// All rows, or those of some entities.
    case rows(table: String, types: [Int64]?)
    /// Rows of other entities than these.
    case others(table: String, types: [Int64])
    /// Rows, or rows of some entities, with a value in a column.
    case present(table: String, column: String, types: [Int64]?)
    /// Rows, or rows of some entities, without a value in a column.
    case missing(table: String, column: String, types: [Int64]?)
    /// Rows with a whole number outside a range.
    case outside(table: String, column: String, ClosedRange<Int64>, types: [Int64]?)
    /// Rows whose whole number does not survive as a floating-point number of 64 bits.
    case inexact(table: String, column: String, types: [Int64]?)
    /// Groups of rows, or rows of some entities, that would have the same values in all of some
    /// columns.
    case repeated(table: String, columns: [ColumnSource], types: [Int64]?)
    case links(LinkSet)
    /// Links but one of each owner.
    case surplusLinks(LinkSet)
    /// Owners with more than one link.
    case repeatedOwners(LinkSet)
    /// Rows, or rows of some entities, that are the owner of no link.
    case withoutLink(table: String, key: String, types: [Int64]?, LinkSet)
    /// Links between other entities than those of any region; `known` are those that count at all.
    case unfitLinks(LinkSource, [LinkSource.Region], known: LinkSource.Region)
    /// What a statement counts, in tables that do not belong to a store.
    case counted(by: String)
  }

  package var condition: Condition

  /// What is wrong when rows are found, and what to do.
  package var subject: String
  package var advice: String

  package init(_ condition: Condition, _ subject: String, advice: String) {
    (self.condition, self.subject, self.advice) = (condition, subject, advice)
  }

  /// Whether a unique index finds out the same.
  package var isOfRepeated: Bool {
    if case .repeated = condition { true } else { false }
  }
}

extension DataCheck.Condition {
  /// The statement that counts what meets the condition.
  package func statement(in dialect: any Dialect) -> String {
    switch self {
    case .rows(let table, let types):
      return count(table, [typeTerm(types)])
    case .others(let table, let types):
      return count(table, [isNone(quoted(PlainLayout.typeColumn), of: types)])
    case .present(let table, let column, let types):
      return count(table, ["\(quoted(column)) IS NOT NULL", typeTerm(types)])
    case .missing(let table, let column, let types):
      return count(table, ["\(quoted(column)) IS NULL", typeTerm(types)])
    case .outside(let table, let column, let range, let types):
      return count(
        table,
        [
          "\(quoted(column)) NOT BETWEEN \(SQLValue.integer(range.lowerBound).literal) AND "
            + SQLValue.integer(range.upperBound).literal,
          typeTerm(types),
        ])
    case .inexact(let table, let column, let types):
      return count(table, [dialect.isInexact(quoted(column)), typeTerm(types)])
    case .repeated(let table, let columns, let types):
      return repeated(table, columns.map { $0.text(in: dialect) }, types, dialect)
    case .links(let links): return links.count(in: dialect)
    case .surplusLinks(let links): return links.surplus(in: dialect)
    case .repeatedOwners(let links): return links.repeatedOwners(in: dialect)
    case .withoutLink(let table, let key, let types, let links):
      return count(
        table, ["\(quoted(key)) NOT IN (\(links.owners(in: dialect)))", typeTerm(types)])
    case .unfitLinks(let source, let regions, let known):
      return source.countUnfit(regions, known: known)
    case .counted(let statement): return statement
    }
  }

  /// The statement that reads what the condition counts; `nil` where that is more than rows.
  package func rows(in dialect: any Dialect) -> String? {
    let statement = statement(in: dialect)
    let count = "SELECT count(*) FROM "
    guard statement.hasPrefix(count) else { return nil }
    return "SELECT * FROM " + statement.dropFirst(count.count)
  }

  private func repeated(
    _ table: String, _ values: [String], _ types: [Int64]?, _ dialect: any Dialect
  ) -> String {
    let names = values.indices.map { "\"c\($0)\"" }
    let list = zip(values, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
    let rows =
      "SELECT \(list) FROM \(quoted(table))" + (typeTerm(types).map { " WHERE " + $0 } ?? "")
    let terms = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let groups =
      "SELECT 1 FROM \(dialect.rows(of: rows)) WHERE \(terms) "
      + "GROUP BY \(names.joined(separator: ", ")) HAVING count(*) > 1"
    return "SELECT count(*) FROM \(dialect.rows(of: groups))"
  }

  private func typeTerm(_ types: [Int64]?) -> String? {
    types.map { isOne(quoted(PlainLayout.typeColumn), of: $0) }
  }

  private func count(_ table: String, _ terms: [String?]) -> String {
    let terms = terms.compactMap(\.self)
    return "SELECT count(*) FROM \(quoted(table))"
      + (terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND "))
  }
}
