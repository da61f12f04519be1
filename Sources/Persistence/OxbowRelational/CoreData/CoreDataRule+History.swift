internal import OxbowModel

extension CoreDataRule {
  /// The rules of the history of saves, if a store has one.
  static func ofHistory(_ store: CoreDataTables, _ mapping: StoreMapping) -> [CoreDataRule] {
    let tables: [CoreDataHistory.Table] = [.change, .transaction, .string]
    let missing = tables.filter { !store.names.contains($0.name) }
    guard store.names.contains(CoreDataHistory.Table.change.name), missing.isEmpty else {
      let isThere = store.names.contains(CoreDataHistory.Table.change.name)
      return [
        damage(
          "history", isThere ? "a table is missing" : "numbers of a history without its tables",
          isThere
            ? missing.map { "SELECT '\($0.name)'" }.joined(separator: " UNION ALL ")
            : "SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT >= 16000 AND Z_NAME IN ('CHANGE', "
              + "'TRANSACTION', 'TRANSACTIONSTRING')")
      ]
    }
    return tables.flatMap(numbers) + changes(mapping) + strings(store)
      + mapping.model.entities.filter {
        $0.root == $0.index && !mapping.entities[$0.index].table.isEmpty
      }
      .flatMap { lastChanges(of: $0, mapping) }
  }

  private static func numbers(of table: CoreDataHistory.Table) -> [CoreDataRule] {
    let name = String(table.name.dropFirst())
    let last = "(SELECT max(Z_PK) FROM \(table.name))"
    return [
      damage(
        "Z_PRIMARYKEY", "not the number of '\(name)'",
        "SELECT \(table.rawValue) WHERE NOT EXISTS (SELECT 1 FROM Z_PRIMARYKEY "
          + "WHERE Z_ENT = \(table.rawValue) AND Z_NAME = '\(name)')"),
      damage(
        "Z_PRIMARYKEY.Z_MAX", "behind the largest key of '\(table.name)'",
        "SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT = \(table.rawValue) AND Z_MAX < \(last)"),
      damage(
        table.name, "Z_ENT is not \(table.rawValue)",
        "SELECT Z_PK FROM \(table.name) WHERE Z_ENT IS NOT \(table.rawValue)"),
    ]
  }

  private static func changes(_ mapping: StoreMapping) -> [CoreDataRule] {
    let rows = "SELECT Z_PK FROM ACHANGE AS r WHERE "
    let known = mapping.entities.filter { !$0.table.isEmpty }.map(\.entity)
    let isWhole = known.count == mapping.entities.count
    return [
      damage(
        "ACHANGE", "of no transaction",
        rows + "NOT EXISTS (SELECT 1 FROM ATRANSACTION AS x WHERE x.Z_PK = r.ZTRANSACTIONID)"),
      damage(
        "ACHANGE", "neither an insertion nor an update nor a deletion",
        rows + "ZCHANGETYPE IS NULL OR ZCHANGETYPE NOT IN (0, 1, 2)"),
      damage(
        "ACHANGE", "an update without its properties, or properties of no update",
        rows + "(ZCHANGETYPE = 1) <> (ZCOLUMNS IS NOT NULL)"),
      damage(
        "ATRANSACTION", "without a time",
        "SELECT Z_PK FROM ATRANSACTION WHERE typeof(ZTIMESTAMP) NOT IN ('real', 'integer')"),
    ]
      + (isWhole
        ? [
          damage(
            "ACHANGE", "of an entity that is not in the model",
            rows + "ZENTITY NOT IN \(mapping.numbers(known))")
        ] : [])
  }

  private static func strings(_ store: CoreDataTables) -> [CoreDataRule] {
    let columns = store.schemas.first { $0.name == CoreDataHistory.Table.transaction.name }?.columns
    let names = Set((columns ?? []).map(\.name))
    let facts = CoreDataHistory.Fact.allCases.map { $0.rawValue + "TS" }.filter(names.contains)
    return facts.map { name in
      damage(
        "ATRANSACTION.\(name)", "leads to no string",
        "SELECT Z_PK FROM ATRANSACTION AS r WHERE r.\(name) IS NOT NULL AND NOT EXISTS (SELECT 1 "
          + "FROM ATRANSACTIONSTRING AS x WHERE x.Z_PK = r.\(name))")
    } + [
      damage(
        "ATRANSACTIONSTRING", "a string twice",
        "SELECT ZNAME FROM ATRANSACTIONSTRING GROUP BY 1 HAVING count(*) > 1")
    ]
  }

  /// The last change of an object agrees with its row.
  private static func lastChanges(
    of root: CompiledEntity, _ mapping: StoreMapping
  ) -> [CoreDataRule] {
    let table = mapping.entities[root.index]
    let last =
      "SELECT ZENTITYPK FROM (SELECT ZENTITYPK, ZENTITY, ZCHANGETYPE, row_number() OVER (PARTITION "
      + "BY ZENTITYPK ORDER BY ZTRANSACTIONID DESC, Z_PK DESC) AS place FROM ACHANGE WHERE ZENTITY IN "
      + "\(mapping.numbers(root.subtree))) WHERE place = 1 AND "
    let row = "SELECT 1 FROM \(quoted(table.table)) AS x WHERE x.Z_PK = ZENTITYPK"
    var rules = [
      damage(
        table.table, "the last change in the history does not agree with the row",
        last + "(ZCHANGETYPE = 2) = EXISTS (\(row))")
    ]
    if table.typeColumn != nil {
      rules.append(
        damage(
          table.table, "the history has another entity",
          last + "ZCHANGETYPE <> 2 AND EXISTS (\(row) AND x.Z_ENT <> ZENTITY)"))
    }
    return rules
  }
}
