package import OxbowModel

extension SelectGenerator {
  /// What the groups of a question are made of, or `nil` where they are for the store to make: when
  /// there are no keys, when values are equal that are written differently, when the smallest of
  /// texts is asked for, and when an index has all that is needed in the order of the groups.
  ///
  /// - Throws: ``PersistenceError`` with `invalidPredicate` or `unknownProperty`.
  package func groups(
    _ query: ColumnQuery, _ shape: RowShape
  ) throws(PersistenceError) -> GroupStatement? {
    guard let keys = query.keys, !keys.isEmpty, !isCovered(query, by: keys) else { return nil }
    var builder = GroupBuilder(
      translator(about: query.entity))
    for (index, column) in query.columns.enumerated() {
      let isKnown =
        keys.contains(index)
        ? try builder.addKey(column, index) : try builder.addTotal(column, index)
      guard isKnown else { return nil }
    }
    let conditions = try conditions(of: query, shape, &builder.translator)
    return GroupStatement(
      sql: try checked(builder.select + .conditions(conditions)), keys: builder.keys,
      totals: builder.totals)
  }

  /// Whether an index begins with the keys and has the other columns as well.
  private func isCovered(_ query: ColumnQuery, by keys: [Int]) -> Bool {
    var paths: [[String]] = []
    for source in query.columns.compactMap(\.expression.source) {
      guard case .path(let path) = source else { return false }
      paths.append(path)
    }
    let first = Set(keys.map { query.columns[$0].expression.source })
    let entity = mapping.model.entities[query.entity].description
    return entity.fetchIndexes.contains { index in
      guard !index.isRTree else { return false }
      let names = index.elements.map { [$0.property] }
      return Set(names.prefix(keys.count).map { .path($0) }) == first
        && paths.allSatisfy(names.contains)
    }
  }
}

/// Puts a select of keys and values together.
private struct GroupBuilder {
  var translator: PredicateTranslator
  private(set) var keys: [GroupStatement.Key] = []
  private(set) var totals: [GroupStatement.Total] = []
  private var list: [SQLFragment] = []

  init(_ translator: PredicateTranslator) { self.translator = translator }

  var select: SQLFragment {
    "SELECT " + .joined(list, ", ") + " FROM \(translator.scope.from)"
  }

  /// Adds a value that makes a group; `false` if such values are not for a reader to compare.
  mutating func addKey(_ column: NamedColumn, _ index: Int) throws(PersistenceError) -> Bool {
    let operand = try translator.operand(of: column)
    guard let form = operand.kind.form else { return false }
    let entity = try translator.entity(of: column)
    let place = append(operand.fragment)
    let cell = ColumnStatement.Cell(
      name: column.name, type: operand.kind.attributeType, codec: operand.codec, column: place,
      entity: entity.entity,
      entityColumn: entity.fragment.map { append(SQLFragment($0)) })
    keys.append(GroupStatement.Key(column: index, cell: cell, form: form))
    return true
  }

  /// Adds what is made of a group; `false` if it is not for a reader to make.
  mutating func addTotal(_ column: NamedColumn, _ index: Int) throws(PersistenceError) -> Bool {
    var function = GroupStatement.Function.objects
    var source = 0
    if case .aggregate(let aggregate, let expression) = column.expression {
      let operand = try translator.operand(expression, isPresence: aggregate == .count)
      // The reader adds decimal numbers that are texts.
      let isOfStore = operand.kind == .decimal && translator.dialect.codecs.keepsNumbers
      guard !isOfStore, let known = aggregate.function(of: operand.kind) else { return false }
      function = known
      source = append(operand.fragment)
    }
    totals.append(GroupStatement.Total(column: index, function: function, source: source))
    return true
  }

  private mutating func append(_ fragment: SQLFragment) -> Int {
    list.append(fragment)
    return list.count - 1
  }
}

extension PredicateTranslator.Kind {
  /// What makes two values of this kind equal; decimal numbers can be written in several ways.
  fileprivate var form: GroupStatement.Form? {
    switch self {
    case .integer, .boolean, .object: .whole
    case .real, .date: .real
    case .text: .text
    case .decimal, .bytes, .uuid, .uri, .null: nil
    }
  }
}

extension GroupFunction {
  fileprivate func function(of kind: PredicateTranslator.Kind) -> GroupStatement.Function? {
    switch (self, kind) {
    case (.count, _): .values
    case (.sum, .integer): .wholeSum
    case (.sum, .real): .realSum
    case (.sum, .decimal): .decimalSum
    case (.average, .integer): .wholeAverage
    case (.average, .real): .realAverage
    case (.average, .decimal): .decimalAverage
    case (.min, .integer): .wholeMin
    case (.max, .integer): .wholeMax
    case (.min, .real), (.min, .date): .realMin
    case (.max, .real), (.max, .date): .realMax
    default: nil
    }
  }
}
