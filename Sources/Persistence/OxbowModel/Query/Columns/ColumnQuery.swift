/// A question for values, as a store and the memory executor see it.
package struct ColumnQuery: Sendable {
  package var entity: Int
  package var includesSubentities = true
  package var predicate: FetchPredicate?

  /// The columns of the result, followed by those that only groups, conditions and orders name.
  package private(set) var columns: [NamedColumn] = []
  package private(set) var visibleCount = 0

  /// The columns that make a group, or `nil` when each object is a row.
  package private(set) var keys: [Int]?

  package private(set) var isDistinct = false

  /// The condition on groups; a path is `#` and the index of a column.
  package private(set) var having: FetchPredicate?

  /// The order by columns; all columns that make a row one of its own follow.
  package private(set) var order: [Term] = []

  package var limit: Int?
  package var offset = 0

  /// The search of columns that are about it; set before memory answers.
  package var ranking: TextRanking?

  package struct Term: Sendable, Hashable {
    package let column: Int
    package let isAscending: Bool
    /// How texts compare; without options by their bytes.
    package let comparison: TextOrder
  }

  /// Without `groups`, an aggregate among the columns makes groups of all other columns.
  package init(
    entity: Int, columns: [FetchColumn], groupedBy groups: [FetchColumn]? = nil,
    having: FetchPredicate? = nil, sortedBy order: [RowOrder] = [], isDistinct: Bool = false
  ) throws(PersistenceError) {
    self.entity = entity
    self.isDistinct = isDistinct
    for column in columns { self.columns.append(try column.resolved()) }
    visibleCount = columns.count
    try requireNames()
    try group(by: groups)
    try requireObjects()
    if let having { try restrict(having) }
    for term in order { try sort(by: term) }
  }

  private func requireNames() throws(PersistenceError) {
    guard !columns.isEmpty else {
      throw PersistenceError(.invalidPredicate, "a fetch of rows needs at least one column")
    }
    var seen: Set<String> = []
    for column in columns where !seen.insert(column.name).inserted {
      throw PersistenceError(
        .invalidPredicate,
        "two columns are called '\(column.name)'; give one of them another name with 'as'")
    }
  }

  /// The same groups, all columns in the result, without a condition on groups, an order or limits.
  var withGroupsAlone: ColumnQuery {
    var query = self
    query.visibleCount = columns.count
    query.having = nil
    query.order = []
    query.isDistinct = false
    (query.limit, query.offset) = (nil, 0)
    return query
  }

  // MARK: Groups

  private mutating func group(by groups: [FetchColumn]?) throws(PersistenceError) {
    let plain = columns.indices.filter { !columns[$0].expression.isAggregate }
    guard let groups else {
      if plain.count < columns.count { keys = plain }
      return
    }
    var keys: [Int] = []
    for group in groups { keys.append(try key(try group.resolved())) }
    for column in plain where !keys.contains(column) {
      throw PersistenceError(
        .invalidPredicate,
        "the objects of a group can have several values of '\(columns[column].name)': add it to "
          + "'groupedBy', or take one value of all with min or max")
    }
    self.keys = keys
  }

  /// Refuses what is about a search for words where rows are groups.
  private func requireObjects() throws(PersistenceError) {
    guard keys != nil, let column = columns.first(where: \.expression.needsSearch) else { return }
    throw PersistenceError(
      .invalidPredicate,
      "'\(column.name)' is about one object, and the rows are groups of objects; fetch it without "
        + "aggregates and 'groupedBy'")
  }

  /// The column of a group's key, appended if it is not in the result.
  private mutating func key(_ group: NamedColumn) throws(PersistenceError) -> Int {
    guard !group.expression.isAggregate else {
      throw PersistenceError(
        .invalidPredicate, "'\(group.name)' is a value of a group and cannot make groups")
    }
    return index(of: group) ?? append(group)
  }

  private mutating func append(_ column: NamedColumn) -> Int {
    columns.append(column)
    return columns.count - 1
  }

  private func index(of column: NamedColumn) -> Int? {
    columns.firstIndex { $0.expression == column.expression }
  }

  // MARK: Conditions and orders

  private mutating func restrict(_ condition: FetchPredicate) throws(PersistenceError) {
    guard keys != nil else {
      throw PersistenceError(
        .invalidPredicate,
        "a condition on groups needs groups: fetch an aggregate such as 'count()', or write the "
          + "condition as one on the objects")
    }
    try condition.requireLimitedDepth()
    having = try condition.replacingLeaves { (leaf) throws(PersistenceError) in
      try column(of: leaf)
    }
  }

  /// What a part of a condition on groups means: a column.
  private mutating func column(of leaf: FetchExpression) throws(PersistenceError) -> FetchExpression
  {
    switch leaf {
    case .path(let path): return try reference(path.joined(separator: "."))
    case .count(let path):
      return reference(
        NamedColumn(name: "\(leaf)", expression: .aggregate(.count, .path(path))))
    case .aggregate(let aggregate, let path):
      return reference(
        NamedColumn(name: "\(leaf)", expression: .aggregate(aggregate.function, .path(path))))
    default: throw noColumn("\(leaf)")
    }
  }

  private mutating func reference(_ name: String) throws(PersistenceError) -> FetchExpression {
    // Core Data names columns by variables.
    let name = name.hasPrefix("$") ? String(name.dropFirst()) : name
    guard let column = try index(named: name) else { throw noColumn(name) }
    return .path(["#\(column)"])
  }

  private mutating func reference(_ column: NamedColumn) -> FetchExpression {
    .path(["#\(index(of: column) ?? append(column))"])
  }

  /// The column of a name, or of what is written; an aggregate that is not one yet is appended.
  private mutating func index(named name: String) throws(PersistenceError) -> Int? {
    if let index = columns.firstIndex(where: { $0.name == name }) { return index }
    guard let column = try? NamedColumn(name) else { return nil }
    if let index = index(of: column) { return index }
    let isRank = keys == nil && column.expression == .rank
    guard isRank || (keys != nil && column.expression.isAggregate) else { return nil }
    return append(column)
  }

  private mutating func sort(by order: RowOrder) throws(PersistenceError) {
    try order.comparison.requireLocale()
    guard let column = try index(named: order.column) else { throw noColumn(order.column) }
    guard !isDistinct || column < visibleCount else {
      throw PersistenceError(
        .invalidPredicate,
        "rows that are different from each other cannot be sorted by '\(order.column)', which is "
          + "no column of the result")
    }
    let isDecided = self.order.contains {
      $0.column == column && ($0.comparison == order.comparison || $0.comparison.isEmpty)
    }
    guard !isDecided else { return }
    self.order.append(
      Term(column: column, isAscending: order.isAscending, comparison: order.comparison))
  }

  private func noColumn(_ name: String) -> PersistenceError {
    let names = columns.prefix(visibleCount).map(\.name)
    let groups = keys == nil ? "" : ", or an aggregate such as 'sum(…)' or 'count()'"
    return PersistenceError(
      .invalidPredicate,
      "'\(name)' is not a column of the result; write \(PersistenceError.listed(names))\(groups)",
      nearNames: PersistenceError.nearNames(to: name, among: names))
  }
}

extension ColumnQuery {
  /// The columns that distinguish a row from all others, or `nil` when only its object does.
  package var distinguishing: [Int]? {
    isDistinct ? Array(0..<visibleCount) : keys
  }

  /// The first column that is about the search for words of the condition, by its name.
  package var searchColumn: String? { columns.first(where: \.expression.needsSearch)?.name }

  /// Whether a column is the rank.
  package var hasRank: Bool { columns.contains { $0.expression == .rank } }

  /// All terms of the order but the object's key: two fetches of the same rows have the same order.
  package var fullOrder: [Term] {
    let named = Set(order.filter(\.comparison.isEmpty).map(\.column))
    let rest = (distinguishing ?? []).filter { !named.contains($0) }
    return order + rest.map { Term(column: $0, isAscending: true, comparison: []) }
  }
}

/// The rows that a ``ColumnQuery`` gives: the values of all rows, one after another.
package struct ColumnRows: Sendable, Equatable {
  package let width: Int
  package var values: [FetchValue]

  package init(width: Int, values: [FetchValue] = []) {
    self.width = width
    self.values = values
  }

  package var count: Int { values.count / width }
}
