// Rows of values in memory, for what the store does not know yet.

internal import OxbowFoundation

extension ColumnQuery {
  /// The rows of objects that meet the condition, in the order of the question; `types` are what
  /// the store says the columns have.
  package func rows<Target: PredicateTarget>(
    of targets: [Target], types: [AttributeType], in model: CompiledModel
  ) throws(PersistenceError) -> ColumnRows {
    try rows(
      keys == nil
        ? plainRows(of: targets, types) : groupedRows(of: targets, types), in: model)
  }

  /// The rows of groups that meet the condition on groups, from the values of all their columns, in
  /// the order of the question.
  package func rows(
    ofGroups values: [[FetchValue]], in model: CompiledModel
  ) throws(PersistenceError) -> ColumnRows {
    try rows(values.map { Row(values: $0) }, in: model)
  }

  private func rows(
    _ rows: [Row], in model: CompiledModel
  ) throws(PersistenceError) -> ColumnRows {
    var rows = rows
    if let having { rows = try Self.filter(rows, having, NoObject(model, entity)) }
    if isDistinct { rows = different(rows) }
    sort(&rows)
    var result = ColumnRows(width: visibleCount)
    for row in rows.dropFirst(offset).prefix(limit ?? .max) {
      result.values += row.values.prefix(visibleCount)
    }
    return result
  }

  /// The values of all columns, and the key of the object where it decides the order.
  private struct Row {
    var values: [FetchValue]
    var key: Int64 = 0
  }

  // MARK: Rows of objects and of groups

  private func plainRows<Target: PredicateTarget>(
    of targets: [Target], _ types: [AttributeType]
  ) throws(PersistenceError) -> [Row] {
    var dates: [String: ZonedDates] = [:]
    var rows: [Row] = []
    for target in targets {
      var values: [FetchValue] = []
      for (column, type) in zip(columns, types) {
        values.append(try stored(try value(column.expression, of: target, &dates), column, type))
      }
      rows.append(Row(values: values, key: target.predicateID.key))
    }
    return rows
  }

  private func groupedRows<Target: PredicateTarget>(
    of targets: [Target], _ types: [AttributeType]
  ) throws(PersistenceError) -> [Row] {
    let keys = keys ?? []
    var dates: [String: ZonedDates] = [:]
    var numbers: [[ComparableValue]: Int] = [:]
    var groups: [(keys: [FetchValue], states: [GroupAccumulator])] = []
    let start = columns.indices.map { GroupAccumulator(columns[$0].expression, type: types[$0]) }
    // Without keys, there is a group of no objects.
    if keys.isEmpty {
      numbers[[]] = 0
      groups.append(([], start))
    }
    for target in targets {
      var found: [FetchValue] = []
      for key in keys {
        let value = try value(columns[key].expression, of: target, &dates)
        found.append(try stored(value, columns[key], types[key]))
      }
      let id = found.map { ComparableValue($0) }
      let number = numbers[id] ?? groups.count
      if number == groups.count {
        numbers[id] = number
        groups.append((found, start))
      }
      for index in columns.indices where columns[index].expression.isAggregate {
        let value = try value(columns[index].expression, of: target, &dates)
        try groups[number].states[index].add(value.stored(as: .undefined))
      }
    }
    return try groups.map { (group) throws(PersistenceError) in try row(of: group, keys, types) }
  }

  private func row(
    of group: (keys: [FetchValue], states: [GroupAccumulator]), _ keys: [Int],
    _ types: [AttributeType]
  ) throws(PersistenceError) -> Row {
    var values: [FetchValue] = []
    for index in columns.indices {
      if let key = keys.firstIndex(of: index) {
        values.append(group.keys[key])
      } else {
        values.append(
          try stored(try group.states[index].result(), columns[index], types[index]))
      }
    }
    return Row(values: values)
  }

  /// A value as a store returns it in a column of a type.
  private func stored(
    _ value: FetchValue, _ column: NamedColumn, _ type: AttributeType
  ) throws(PersistenceError) -> FetchValue {
    if type == .integer64, case .attribute(.double) = value { throw .columnOverflow(column.name) }
    return value.stored(as: type)
  }

  /// What a column asks of an object.
  private func value(
    _ expression: ColumnExpression, of target: some PredicateTarget,
    _ dates: inout [String: ZonedDates]
  ) throws(PersistenceError) -> FetchValue {
    if expression == .rank { return try ranking?.rank(of: target) ?? .null }
    guard let value = try expression.source?.value(for: target) else { return .null }
    if case .snippet(_, let style) = expression {
      let text = try value.text(for: "snippet")
      return text.flatMap { ranking?.matcher.snippet(of: $0, style).fetchValue } ?? .null
    }
    guard case .part(let part, _, let zone) = expression else { return value }
    guard case .attribute(.date(let date)) = value else { return .null }
    let reader = dates[zone] ?? ZonedDates(zone: zone)
    dates[zone] = reader
    let number = reader?.part(part, of: date.timeIntervalSinceReferenceDate)
    return number.map { .attribute(.integer($0)) } ?? .null
  }

  // MARK: Which rows, and their order

  private static func filter(
    _ rows: [Row], _ having: FetchPredicate, _ nothing: NoObject
  ) throws(PersistenceError) -> [Row] {
    var result: [Row] = []
    for row in rows {
      let condition = try having.replacingLeaves { (leaf) throws(PersistenceError) in
        guard case .path(let path) = leaf, let name = path.first,
          let index = Int(name.dropFirst())
        else { return leaf }
        return .value(row.values[index])
      }
      if try condition.isTrue(for: nothing) { result.append(row) }
    }
    return result
  }

  private func different(_ rows: [Row]) -> [Row] {
    var seen: Set<[ComparableValue]> = []
    return rows.filter { row in
      seen.insert(row.values.prefix(visibleCount).map { ComparableValue($0) }).inserted
    }
  }

  private func sort(_ rows: inout [Row]) {
    let terms = fullOrder.map {
      ($0.isAscending, appendKeys(of: $0, to: &rows), LocalizedComparison($0.comparison))
    }
    rows.sort { a, b in
      for (isAscending, column, language) in terms {
        let order = a.values[column].order(to: b.values[column], language)
        if order != .same { return (order == .ascending) == isAscending }
      }
      return a.key < b.key
    }
  }

  /// The column whose values a term sorts by: its own, or an added one with a key for each text.
  private func appendKeys(of term: Term, to rows: inout [Row]) -> Int {
    guard !term.comparison.isEmpty, !term.comparison.isLocalized,
      let width = rows.first?.values.count
    else { return term.column }
    for index in rows.indices {
      rows[index].values.append(rows[index].values[term.column].key(term.comparison))
    }
    return width
  }
}

extension FetchValue {
  /// The bytes whose order is that of a text; any other value as it is.
  fileprivate func key(_ order: TextOrder) -> FetchValue {
    guard case .attribute(.string(let text)) = self else { return self }
    return .attribute(.data(Data(order.key(of: text))))
  }

  /// The order of two values of a column; of texts, by the rules of a language if there is one.
  fileprivate func order(to other: FetchValue, _ language: LocalizedComparison?) -> ValueOrder {
    if let language, case .attribute(.string(let a)) = self,
      case .attribute(.string(let b)) = other
    {
      return language.order(a, b)
    }
    return order(inColumnWith: other)
  }
}

/// What a condition on groups is about, as far as objects go: its values are constants.
private struct NoObject: PredicateTarget {
  let predicateModel: CompiledModel
  let predicateEntity: CompiledEntity

  init(_ model: CompiledModel, _ entity: Int) {
    predicateModel = model
    predicateEntity = model.entities[entity]
  }

  var predicateID: ManagedObjectID {
    let name = predicateEntity.name
    return ManagedObjectID(store: UUID(), rootEntityName: name, entityName: name, key: 0)
  }

  func predicateValue(of property: CompiledProperty) -> AttributeValue? { nil }
  func predicateObject(of property: CompiledProperty) -> NoObject? { nil }
  func predicateObjects(of property: CompiledProperty) -> [NoObject] { [] }
}
