package import OxbowFoundation
package import OxbowModel
package import OxbowStore

/// Says a fetch in SQL.
package struct SelectGenerator {
  package let mapping: StoreMapping

  /// The store's identifier: IDs of other stores are equal to nothing.
  package let store: UUID

  /// The search indexes that the store has.
  package let searchPlan: SearchPlan?

  /// The indexes of boxes that the store has.
  package let boxes: BoxPlan?

  package init(
    mapping: StoreMapping, store: UUID, searchPlan: SearchPlan? = nil, boxes: BoxPlan? = nil
  ) {
    self.mapping = mapping
    self.store = store
    (self.searchPlan, self.boxes) = (searchPlan, boxes)
  }

  func translator(about entity: Int) -> PredicateTranslator {
    PredicateTranslator(
      mapping: mapping, store: store, entity: entity, searchPlan: searchPlan, boxes: boxes)
  }

  /// The rows that a fetch finds, with their values.
  ///
  /// - Throws: ``PersistenceError`` with `invalidPredicate` or `unknownProperty`.
  package func rows(_ fetch: StoreFetch, _ shape: RowShape) throws(PersistenceError) -> SQLFragment
  {
    try select(shape.list, fetch, shape, isOrdered: true)
  }

  /// The rows that a fetch finds, without their values.
  package func headers(_ fetch: StoreFetch, _ shape: RowShape) throws(PersistenceError)
    -> SQLFragment
  {
    try select(shape.headerList, fetch, shape, isOrdered: true)
  }

  /// The keys and types of the rows that a fetch finds.
  package func keys(_ fetch: StoreFetch, _ shape: RowShape) throws(PersistenceError) -> SQLFragment
  {
    try select(shape.referenceList, fetch, shape, isOrdered: true)
  }

  /// The keys of the rows that a fetch finds, and behind them their values for its sort keys.
  package func places(_ fetch: StoreFetch, _ shape: RowShape) throws(PersistenceError)
    -> ColumnStatement
  {
    var cells: [ColumnStatement.Cell] = []
    let sql = try select(fetch, shape, isOrdered: true) { translator throws(PersistenceError) in
      var list = [SQLFragment(translator.scope.root.key)]
      for key in fetch.sortKeys {
        let name = key.path.joined(separator: ".")
        let value = try translator.operand(
          of: NamedColumn(name: name, expression: key.isRank ? .rank : .value(.path(key.path))))
        cells.append(
          ColumnStatement.Cell(
            name: name, type: value.kind.attributeType, codec: value.codec, column: list.count,
            entity: 0, entityColumn: nil))
        list.append(value.fragment)
      }
      return .joined(list, ", ")
    }
    return ColumnStatement(sql: sql, cells: cells, types: cells.map(\.type))
  }

  /// The number of rows that a fetch finds.
  package func count(_ fetch: StoreFetch, _ shape: RowShape) throws(PersistenceError)
    -> SQLFragment
  {
    guard fetch.limit != nil || fetch.offset > 0 else {
      return try select("count(*)", fetch, shape, isOrdered: false)
    }
    let inner = try select("1", fetch, shape, isOrdered: false)
    return "SELECT count(*) FROM (" + inner + ")"
  }

  func select(
    _ list: String, _ fetch: StoreFetch, _ shape: RowShape, isOrdered: Bool
  ) throws(PersistenceError) -> SQLFragment {
    try fetch.predicate?.requireLimitedDepth(besides: 2)
    if let keys = try foundKeys(list, fetch, shape, isOrdered: isOrdered) { return keys }
    return try select(fetch, shape, isOrdered: isOrdered) { _ in SQLFragment(list) }
  }

  /// A select of what `list` says about the tables of a fetch.
  private func select(
    _ fetch: StoreFetch, _ shape: RowShape, isOrdered: Bool,
    _ list: (inout PredicateTranslator) throws(PersistenceError) -> SQLFragment
  ) throws(PersistenceError) -> SQLFragment {
    try fetch.predicate?.requireLimitedDepth(besides: 2)
    if isOrdered, fetch.sortKeys.haveRank { return try ranked(fetch, shape, list) }
    var translator = translator(about: fetch.entity)
    let condition = try translator.translate(fetch.predicate)
    let order =
      isOrdered ? try translator.order(fetch.sortKeys, keysDescend: fetch.keysDescend) : []
    var conditions = conditions(fetch, shape, condition, translator.scope.root.key)
    if let place = fetch.after {
      conditions.append(
        try translator.isBehind(place, fetch.sortKeys, keysDescend: fetch.keysDescend))
    }
    let list = try list(&translator)
    var result =
      "SELECT " + list + " FROM \(translator.scope.from)" + SQLFragment.conditions(conditions)
    if isOrdered { result = result + " ORDER BY " + order.joined(separator: ", ") }
    return try checked(result + mapping.dialect.limit(fetch.limit, offset: fetch.offset))
  }

  /// What rows have to meet, all of it.
  func conditions(
    _ fetch: StoreFetch, _ shape: RowShape, _ condition: SQLFragment?, _ key: String
  ) -> [SQLFragment] {
    let conditions = conditions(shape, condition)
    return shape.entities.isEmpty ? conditions : conditions + keyConditions(fetch, key)
  }

  /// What rows have to meet that are of some entities.
  func conditions(_ shape: RowShape, _ condition: SQLFragment?) -> [SQLFragment] {
    guard !shape.entities.isEmpty else { return [SQLFragment(mapping.dialect.truth(false))] }
    let type = SQLFragment(mapping.typeCondition(shape, alias: "t0"))
    return [type, condition].compactMap(\.self).filter { !$0.text.isEmpty }
  }

  /// The conditions on the key itself.
  func keyConditions(_ fetch: StoreFetch, _ key: String) -> [SQLFragment] {
    var conditions: [SQLFragment] = []
    if let last = fetch.afterKey { conditions.append(SQLFragment("\(key) > ?", [.integer(last)])) }
    if let keys = fetch.keys {
      conditions.append(
        SQLFragment(
          KeyParameters.array.condition(on: key, mapping.dialect),
          [mapping.dialect.array(of: keys)]))
    }
    return conditions
  }

  /// Refuses what an engine would refuse in words about statements.
  func checked(_ fragment: SQLFragment) throws(PersistenceError) -> SQLFragment {
    let limit = mapping.dialect.capability.parameters
    guard fragment.values.count <= limit else {
      throw PersistenceError(
        .invalidPredicate,
        "the condition has \(fragment.values.count) constants, and a store takes up to "
          + "\(limit); write comparisons of one property with many values as "
          + "'oneOf', which takes any number")
    }
    return fragment
  }
}

// MARK: - By key

extension SelectGenerator {
  /// The rows with these keys.
  package func rows(_ shape: RowShape, keys: KeyParameters) -> String {
    var text = "SELECT \(shape.list) FROM \(quoted(shape.mapping.table)) AS t0 WHERE "
    text += keys.condition(on: "t0.\(quoted(shape.mapping.keyColumn))", mapping.dialect)
    let type = mapping.typeCondition(shape, alias: "t0")
    return type.isEmpty ? text : text + " AND " + type
  }

  /// The rows at the other end of a relationship, for owners with these keys; see
  /// ``ownerColumn(of:_:)``.
  package func related(
    _ relationship: CompiledRelationship, _ shape: RowShape, owners: KeyParameters
  ) -> String {
    let rows = shape.list
    let table = quoted(shape.mapping.table)
    if let join = mapping.join(of: relationship) {
      var text = "SELECT \(rows), j.\(quoted(join.column)) FROM \(quoted(join.table)) AS j "
      text += "\(mapping.dialect.leadingJoin) \(table) AS t0 "
      text += "ON t0.\(quoted(shape.mapping.keyColumn)) = j.\(quoted(join.otherColumn)) WHERE "
      text += owners.condition(on: "j.\(quoted(join.column))", mapping.dialect)
      let position = join.positionColumn.map { ", j.\(quoted($0)) NULLS LAST" } ?? ""
      return text + " ORDER BY j.\(quoted(join.column))\(position), j.\(quoted(join.otherColumn))"
    }
    let key = inverseColumn(of: relationship, .key)
    var text = "SELECT \(rows) FROM \(table) AS t0 "
    text += "WHERE " + owners.condition(on: "t0.\(quoted(key))", mapping.dialect)
    let position = inverseColumn(of: relationship, .position)
    text += " ORDER BY t0.\(quoted(key))"
    if !position.isEmpty { text += ", t0.\(quoted(position)) NULLS LAST" }
    return text + ", t0.\(quoted(shape.mapping.keyColumn))"
  }

  /// The number of the column with the owner's key in a statement of related rows: the row's own
  /// key of its owner, or a column behind all others.
  package func ownerColumn(of relationship: CompiledRelationship, _ shape: RowShape) -> Int {
    let key = inverseColumn(of: relationship, .key)
    let place = shape.values.firstIndex { $0.column.name == key } ?? shape.values.count
    return shape.firstValue + place
  }

  /// The name of a column of the inverse of a to-many relationship, or nothing.
  private func inverseColumn(of relationship: CompiledRelationship, _ role: MappedColumn.Role)
    -> String
  {
    guard let inverse = mapping.model.inverse(of: relationship) else { return "" }
    let entity = mapping.entities[inverse.entity]
    return entity.column(role, ofProperty: inverse.property).map { entity.columns[$0].name } ?? ""
  }
}
