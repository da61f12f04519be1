package import OxbowModel

extension SelectGenerator {
  /// The rows of values that a question gives.
  ///
  /// - Throws: ``PersistenceError`` with `invalidPredicate` or `unknownProperty`.
  package func columns(_ query: ColumnQuery, _ shape: RowShape) throws(PersistenceError)
    -> ColumnStatement
  {
    try query.predicate?.requireLimitedDepth(besides: 2)
    var builder = ColumnBuilder(query, translator(about: query.entity))
    var ranked: RankedTables?
    var objects = query
    if let name = query.searchColumn {
      let (search, rest) = try RankedSearch.of(query.predicate, for: name)
      builder.translator.ranked = search.query
      if query.hasRank {
        ranked = try rankedTables(search, of: query.entity)
        objects.predicate = rest
      }
    }
    try builder.translateColumns()
    let conditions = try conditions(of: objects, shape, &builder.translator)
    let result =
      if let ranked { try builder.statement(of: ranked, where: conditions) } else {
        try builder.statement(where: conditions)
      }
    return ColumnStatement(
      sql: try checked(result), cells: builder.cells, types: builder.types)
  }

  /// What the objects have to meet that a question for values is about, all of it.
  func conditions(
    of query: ColumnQuery, _ shape: RowShape, _ translator: inout PredicateTranslator
  ) throws(PersistenceError) -> [SQLFragment] {
    conditions(shape, try translator.translate(query.predicate))
  }
}

/// Puts a select of values together.
private struct ColumnBuilder {
  let query: ColumnQuery
  var translator: PredicateTranslator
  private var operands: [PredicateTranslator.Operand] = []

  /// For each column, the column of the entity's number and the entity that it is below.
  private var entities: [(fragment: String?, entity: Int)] = []

  init(_ query: ColumnQuery, _ translator: PredicateTranslator) {
    self.query = query
    self.translator = translator
  }

  var types: [AttributeType] { operands.map(\.kind.attributeType) }

  mutating func translateColumns() throws(PersistenceError) {
    for column in query.columns {
      operands.append(try translator.operand(of: column))
      entities.append(try translator.entity(of: column))
    }
    try requireComparable()
    let terms = query.fullOrder.count + (query.keys?.count ?? 0)
    let limit = translator.dialect.capability.sortKeys
    guard terms <= limit else {
      throw PersistenceError(
        .invalidPredicate,
        "\(terms) columns make groups and orders, and a store takes up to \(limit)")
    }
  }

  /// Refuses groups, orders and differences of values that may be in files.
  private func requireComparable() throws(PersistenceError) {
    let compared =
      (query.keys ?? []) + query.fullOrder.map(\.column)
      + (query.isDistinct ? Array(0..<query.visibleCount) : [])
    for column in compared {
      if let external = operands[column].external { throw external.refusal }
    }
  }

  // MARK: Names

  private func alias(_ column: Int) -> String { "\"#\(column)\"" }
  private func entityAlias(_ column: Int) -> String { "\"#\(column)e\"" }

  /// The columns of the statement that are not read from other columns.
  private var list: SQLFragment {
    var parts: [SQLFragment] = []
    for (index, operand) in operands.enumerated() {
      parts.append(operand.fragment + " AS \(alias(index))")
      if let entity = entities[index].fragment {
        parts.append(SQLFragment("\(entity) AS \(entityAlias(index))"))
      }
    }
    return .joined(parts, ", ")
  }

  var cells: [ColumnStatement.Cell] {
    var column = 0
    var result: [ColumnStatement.Cell] = []
    for index in 0..<query.visibleCount {
      let hasEntity = entities[index].fragment != nil
      result.append(
        ColumnStatement.Cell(
          name: query.columns[index].name, type: types[index], codec: operands[index].codec,
          column: column,
          entity: entities[index].entity, entityColumn: hasEntity ? column + 1 : nil))
      column += hasEntity ? 2 : 1
    }
    return result
  }

  /// A column as a term that groups and sorts.
  private func term(_ column: Int) -> String {
    translator.term(operands[column], SQLFragment(alias(column))).text
  }

  // MARK: Statement

  mutating func statement(
    where conditions: [SQLFragment]
  ) throws(PersistenceError) -> SQLFragment {
    var result = "SELECT " + list + " FROM \(translator.scope.from)" + .conditions(conditions)
    let keys = query.keys ?? []
    if !keys.isEmpty { result = result + grouping(by: keys) }
    result = try restricted(result, hasGroups: !keys.isEmpty)
    if query.isDistinct { result = distinct(result) }
    return try result + order()
      + translator.dialect.limit(query.limit, offset: query.offset)
  }

  /// The statement whose rows have ranks; never one of groups.
  func statement(
    of tables: RankedTables, where conditions: [SQLFragment]
  ) throws(PersistenceError) -> SQLFragment {
    let select = RankedSelect(
      tables: tables, scope: translator.scope, conditions: conditions)
    let limit = translator.dialect.limit(query.limit, offset: query.offset)
    guard query.isDistinct else {
      return select.statement(
        list, try order().text, innerOrder: try order { operands[$0].fragment }, limit)
    }
    let all = select.statement(list, "", innerOrder: SQLFragment(), SQLFragment())
    return distinct(all) + (try order()) + limit
  }

  private func grouping(by columns: [Int]) -> String {
    " GROUP BY " + columns.map(term).joined(separator: ", ")
  }

  /// Adds the condition on groups; a select without keys is put into another one, because SQLite
  /// before 3.39 takes no such condition there.
  private mutating func restricted(
    _ select: SQLFragment, hasGroups: Bool
  ) throws(PersistenceError) -> SQLFragment {
    guard let having = query.having else { return select }
    translator.columns = operands.enumerated().map { index, operand in
      var column = operand
      column.fragment = SQLFragment(alias(index))
      return column
    }
    let condition = try translator.condition(having, isExact: false)
    return hasGroups
      ? select + " HAVING " + condition : "SELECT * FROM (" + select + ") WHERE " + condition
  }

  /// Rows that are different from each other, by their values rather than by their texts.
  private func distinct(_ select: SQLFragment) -> SQLFragment {
    let visible = Array(0..<query.visibleCount)
    return "SELECT * FROM (" + select + ")" + grouping(by: visible)
  }

  /// The order, by the names of the columns or by what they are.
  private func order(
    _ value: ((Int) -> SQLFragment)? = nil
  ) throws(PersistenceError) -> SQLFragment {
    var terms: [SQLFragment] = []
    for key in query.fullOrder {
      let value = value?(key.column) ?? SQLFragment(alias(key.column))
      terms.append(try ordered(value, by: key) + (key.isAscending ? "" : " DESC"))
    }
    if query.distinguishing == nil { terms.append(SQLFragment(translator.scope.root.key)) }
    return terms.isEmpty ? SQLFragment() : " ORDER BY " + .joined(terms, ", ")
  }

  private func ordered(
    _ value: SQLFragment, by key: ColumnQuery.Term
  ) throws(PersistenceError) -> SQLFragment {
    let operand = operands[key.column]
    guard !key.comparison.isEmpty else { return translator.term(operand, value) }
    guard operand.kind == .text else { throw .notText(query.columns[key.column].name) }
    return SQLFragment(
      translator.dialect.term(value.text, in: key.comparison), value.values)
  }
}

// MARK: - Columns

extension PredicateTranslator {
  /// The column of a group that a path of a condition on groups is, or `nil`.
  func column(at path: [String]) -> Operand? {
    guard !columns.isEmpty, path.count == 1, let name = path.first, name.hasPrefix("#"),
      let index = Int(name.dropFirst()), columns.indices.contains(index)
    else { return nil }
    return columns[index]
  }

  /// Says a column.
  mutating func operand(of column: NamedColumn) throws(PersistenceError) -> Operand {
    if case .rank = column.expression {
      return Operand(fragment: SQLFragment(RankedTables.rank), kind: .real, isNeverNull: true)
    }
    guard let source = column.expression.source else {
      return Operand(fragment: SQLFragment("count(*)"), kind: .integer, isNeverNull: true)
    }
    try FetchPredicate.truth(source).requireLimitedDepth()
    try requireOneValue(source, column)
    let value = try operand(source, isPresence: column.expression.takesAnyValue)
    switch column.expression {
    case .value, .count, .rank: return try checked(value, column)
    case .snippet(_, let style): return try snippet(of: value, style, column)
    case .part(_, _, let zone): return try part(column, value, zone)
    case .aggregate(let function, _): return try aggregate(function, value, column)
    }
  }

  /// Refuses a path to many values where one of each object is needed.
  private func requireOneValue(
    _ source: FetchExpression, _ column: NamedColumn
  ) throws(PersistenceError) {
    guard case .path(let path) = source, try isMany(path) else { return }
    let text = path.joined(separator: ".")
    let hint =
      column.expression.isAggregate
      ? "fetch the objects at its other end" : "count them with '\(text).@count'"
    throw PersistenceError(
      .invalidPredicate,
      "the column '\(column.name)' needs one value of each object, and '\(text)' passes through a "
        + "to-many relationship; \(hint)")
  }

  private func checked(_ value: Operand, _ column: NamedColumn) throws(PersistenceError) -> Operand
  {
    guard value.kind == .object, case .value(let source) = column.expression else { return value }
    guard case .path = source else {
      throw PersistenceError(
        .invalidPredicate,
        "the column '\(column.name)' is an object that is computed; a column can have the object "
          + "at the end of a path")
    }
    return value
  }

  private func snippet(
    of text: Operand, _ style: SnippetStyle, _ column: NamedColumn
  ) throws(PersistenceError) -> Operand {
    guard text.kind == .text || text.kind == .null, let ranked else {
      throw PersistenceError(
        .invalidPredicate,
        "the column '\(column.name)' takes a piece of \(text.kind.rawValue); it needs a text")
    }
    let arguments =
      [text.fragment, .value(.text(ranked.description))]
      + [style.before, style.after, style.ellipsis].map { .value(.text($0)) }
    return Operand(
      fragment: dialect.call(.snippet, arguments + [SQLFragment("\(style.words)")]), kind: .text)
  }

  private func part(
    _ column: NamedColumn, _ value: Operand, _ zone: String
  ) throws(PersistenceError) -> Operand {
    guard case .part(let part, _, _) = column.expression, value.kind == .date else {
      throw PersistenceError(
        .invalidPredicate,
        "the column '\(column.name)' takes a part of \(value.kind.rawValue); it needs a date")
    }
    let fragment = dialect.call(
      .datePart, value.fragment, SQLFragment("'\(part.rawValue)'"), .value(.text(zone)))
    return Operand(fragment: fragment, kind: .integer)
  }

  private func aggregate(
    _ function: GroupFunction, _ value: Operand, _ column: NamedColumn
  ) throws(PersistenceError) -> Operand {
    let plain: FetchAggregate
    switch function {
    case .count:
      return Operand(
        fragment: "count(" + value.fragment + ")", kind: .integer, isNeverNull: true)
    case .countDistinct:
      let term = value.kind == .decimal ? self.term(value, value.fragment) : collated(value)
      return Operand(
        fragment: "count(DISTINCT " + term + ")", kind: .integer, isNeverNull: true)
    // The total of no values is 0, and the sum is `NULL`.
    case .sum where value.kind == .real:
      return Operand(fragment: dialect.call(.total, value.fragment), kind: .real)
    case .sum: plain = .sum
    case .min: plain = .min
    case .max: plain = .max
    case .average: plain = .average
    }
    let value = numeric(value)
    do {
      let (fragment, kind) = try plain.select(value, collated(value), dialect)
      return Operand(
        fragment: fragment, kind: kind, codec: plain.codec(of: kind, from: value))
    } catch {
      throw PersistenceError(
        .invalidPredicate,
        "the column '\(column.name)' cannot be taken of \(value.kind.rawValue)"
          + (function == .sum || function == .average ? "; it needs numbers" : ""))
    }
  }

  /// Where the entity of a column's objects is kept, and the entity that they are below.
  mutating func entity(
    of column: NamedColumn
  ) throws(PersistenceError) -> (fragment: String?, entity: Int) {
    guard case .value(.path(let path)) = column.expression else { return (nil, 0) }
    let (table, last) = try endpoint(at: path)
    guard let name = last else {
      return (table.mapping.typeColumn.map(table.column), table.entity.index)
    }
    let property = try table.entity.requireProperty(named: name)
    guard let relationship = property.relationship else { return (nil, 0) }
    let number = table.mapping.column(.entity, ofProperty: property.index)
    return (
      number.map { table.column(table.mapping.columns[$0].name) }, relationship.destination
    )
  }
}

extension PredicateTranslator.Kind {
  var attributeType: AttributeType {
    switch self {
    case .integer: .integer64
    case .real: .double
    case .decimal: .decimal
    case .boolean: .boolean
    case .text: .string
    case .date: .date
    case .bytes: .binaryData
    case .uuid: .uuid
    case .uri: .uri
    case .object: .objectID
    case .null: .undefined
    }
  }
}
