import OxbowModel

extension PredicateTranslator {
  /// So many conditions of a statement are answered by an index of substrings.
  ///
  /// Each takes more parameters, and a table; the others read the texts.
  private static let filterLimit = 32

  /// Compares a text with a known part of it; where there is an index of its substrings, only the
  /// objects that the index leaves are compared.
  mutating func searchFiltered(
    _ text: FetchExpression, _ whole: SQLFragment, _ comparison: TextOperator, _ part: String,
    _ options: TextOptions
  ) throws(PersistenceError) -> SQLFragment {
    let condition = try search(whole, comparison, part, options)
    guard let filter = try substringFilter(text, comparison, part, options) else {
      return condition
    }
    filters += 1
    return "(" + filter + " AND " + condition + ")"
  }

  /// Says that an index of substrings, or the text where that lags, may have a part; `nil` where
  /// the texts have to be read.
  private mutating func substringFilter(
    _ text: FetchExpression, _ comparison: TextOperator, _ part: String, _ options: TextOptions
  ) throws(PersistenceError) -> SQLFragment? {
    guard let searchPlan, searchPlan.hasIndexes(.substrings), filters < Self.filterLimit,
      let dialect = dialect as? SQLiteDialect,
      let trigrams = TextSkeleton.trigrams(comparison, part, options),
      let (table, columns) = try searchedAttributes([text]), let column = columns.first,
      let answer = searchPlan.answer(.substrings, of: table.entity.index, with: columns),
      try !isBeginning(comparison, part, options) || !isSorted(column, in: answer.index.table)
    else { return nil }
    let test = try search(SQLFragment("w." + quoted(column)), comparison, part, options)
    let match = dialect.text(ofTrigrams: trigrams.all, or: trigrams.unknown)
    return table.key + " IN (" + answer.select.matching(match, test) + ")"
  }

  /// Whether a range of values is what a comparison asks for.
  private func isBeginning(
    _ comparison: TextOperator, _ part: String, _ options: TextOptions
  ) throws(PersistenceError) -> Bool {
    guard options.isEmpty, comparison == .like else {
      return options.isEmpty && comparison == .beginsWith
    }
    return try Self.simplified(part, options)?.0 == .beginsWith
  }

  /// Whether an index has the values of a column in order, which answers the beginning of a text.
  private func isSorted(_ column: String, in table: String) -> Bool {
    mapping.tables.first { $0.name == table }?.indexes.contains {
      $0.columns.first?.name == column && $0.condition == nil
    } == true
  }
}
