package import OxbowModel
package import OxbowStore

extension SelectGenerator {
  /// The select of a fetch that an index of words answers alone; `nil` for every other fetch.
  ///
  /// Such a fetch searches for words, and asks for keys or for their number only.
  /// Looking up each key in the table of its objects takes ten times as long (docs/performance.md,
  /// W).
  func foundKeys(
    _ list: String, _ fetch: StoreFetch, _ shape: RowShape, isOrdered: Bool
  ) throws(PersistenceError) -> SQLFragment? {
    guard case .words(let texts, let query)? = fetch.predicate, fetch.sortKeys.isEmpty,
      fetch.after == nil, !fetch.keysDescend,
      !isOrdered || (list == shape.referenceList && shape.mapping.typeColumn == nil),
      mapping.typeCondition(shape, alias: "t0").isEmpty, !shape.entities.isEmpty
    else { return nil }
    var translator = translator(about: fetch.entity)
    guard case let (table, keys?)? = try translator.foundKeys(texts, query),
      table.alias == translator.scope.root.alias
    else { return nil }
    let conditions = keyConditions(fetch, table.key)
    var result = "SELECT \(list) FROM (" + keys + ") AS \(table.alias)"
    if !conditions.isEmpty { result = result + " WHERE " + .joined(conditions, " AND ") }
    if isOrdered { result = result + " ORDER BY \(table.key)" }
    return try checked(result + mapping.dialect.limit(fetch.limit, offset: fetch.offset))
  }

  /// The select of the keys of a fetch without a limit that an index of words answers alone, in any
  /// order; `nil` for every other fetch.
  ///
  /// SQLite takes as long to put the rows of its parts in order as to find them
  /// (docs/performance.md, W).
  package func unorderedKeys(
    _ fetch: StoreFetch, _ shape: RowShape
  ) throws(PersistenceError) -> SQLFragment? {
    guard fetch.limit == nil, fetch.offset == 0, shape.mapping.typeColumn == nil else { return nil }
    return try foundKeys(shape.referenceList, fetch, shape, isOrdered: false)
  }
}
