import OxbowModel
import OxbowStore

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
}
