import OxbowModel

extension PredicateTranslator {
  /// Says a search of attributes of one object by the index of their words; `nil` where there is
  /// none that has them all.
  mutating func searchIndex(
    _ texts: [FetchExpression], _ query: FetchExpression
  ) throws(PersistenceError) -> SQLFragment? {
    guard let (table, found) = try foundKeys(texts, query) else { return nil }
    guard let found else { return SQLFragment(dialect.truth(false)) }
    let condition = table.key + " IN (" + found + ")"
    // Where a path to one object ends early there is no key.
    let isThere = scopes.contains { $0.root.alias == table.alias }
    return isThere ? condition : "coalesce(" + condition + ", " + dialect.truth(false) + ")"
  }

  /// The table that an index of words answers for, and the keys that a search finds in it.
  ///
  /// A search without a term finds `nil`. The result is `nil` where no index has all texts.
  mutating func foundKeys(
    _ texts: [FetchExpression], _ query: FetchExpression
  ) throws(PersistenceError) -> (table: TableScope.JoinedTable, keys: SQLFragment?)? {
    guard case .value(.attribute(.string(let text))) = query,
      let dialect = dialect as? SQLiteDialect, let found = try wordIndex(of: texts)
    else { return nil }
    guard let match = dialect.text(of: try WordQuery(text)) else { return (found.table, nil) }
    var arguments = found.columns.map { SQLFragment("w." + quoted($0)) }
    arguments.insert(.value(.text(text)), at: 1)
    let keys = found.select.matching(
      found.index.filter(found.places) + match, dialect.call(.words, arguments))
    return (found.table, keys)
  }

  /// The index that has the words of all texts.
  struct FoundIndex {
    let table: TableScope.JoinedTable
    let index: SearchIndex
    let select: KeySelect

    /// The columns of the texts, in their order.
    let columns: [String]

    /// Where the index has them, each once and in its order.
    let places: [Int]
  }

  /// The index of the words of some texts; `nil` where none has all of them.
  mutating func wordIndex(
    of texts: [FetchExpression]
  ) throws(PersistenceError) -> FoundIndex? {
    guard let searchPlan, dialect is SQLiteDialect,
      let (table, columns) = try searchedAttributes(texts),
      let answer = searchPlan.answer(.words, of: table.entity.index, with: columns)
    else { return nil }
    return FoundIndex(
      table: table, index: answer.index, select: answer.select, columns: columns,
      places: Set(answer.places).sorted())
  }

  /// The table of attributes and their columns; `nil` unless all are of one object.
  mutating func searchedAttributes(
    _ texts: [FetchExpression]
  ) throws(PersistenceError) -> (table: TableScope.JoinedTable, columns: [String])? {
    var table: TableScope.JoinedTable?
    var columns: [String] = []
    for text in texts {
      guard case .path(let path) = text, column(at: path) == nil, try !isMany(path) else {
        return nil
      }
      let (found, last) = try endpoint(at: path)
      guard table == nil || table?.alias == found.alias, let last,
        let property = found.entity.property(named: last)?.index,
        let column = found.mapping.column(ofProperty: property)
      else { return nil }
      table = found
      columns.append(found.mapping.columns[column].name)
    }
    return table.map { ($0, columns) }
  }
}
