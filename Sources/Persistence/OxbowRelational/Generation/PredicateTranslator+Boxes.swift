internal import OxbowFoundation
import OxbowModel

// A filter in front of conditions that have to hold together.
//
// The box of an object has the values at both ends of each dimension, whichever is larger. So
// `x <= v` of either end means that the box begins at most there, and `x >= v` that it ends at
// least there. What a filter leaves out cannot meet the conditions; they stay behind it and decide.
//
// It is used where one end is limited from above and the other one from below: overlapping,
// containing and being contained. A limit of one end alone is for an ordinary index.

/// The limits of a column that conditions name.
private struct Limits {
  var upper: Double?
  var lower: Double?

  mutating func add(_ comparison: ComparisonOperator, _ value: BoxBound) {
    if [.less, .lessOrEqual, .equal].contains(comparison) {
      upper = min(upper ?? value.high, value.high)
    }
    if [.greater, .greaterOrEqual, .equal].contains(comparison) {
      lower = max(lower ?? value.low, value.low)
    }
  }
}

/// The range in which a constant is as a number.
private struct BoxBound {
  let low: Double
  let high: Double

  init(_ low: Double, _ high: Double) { (self.low, self.high) = (low, high) }

  init?(_ expression: FetchExpression) {
    switch expression {
    case .value(.attribute(.integer(let number))): self.init(Double(number), Double(number))
    case .value(.attribute(.double(let number))) where !number.isNaN: self.init(number, number)
    case .value(.attribute(.date(let date))) where !date.timeIntervalSinceReferenceDate.isNaN:
      self.init(date.timeIntervalSinceReferenceDate, date.timeIntervalSinceReferenceDate)
    case .value(.attribute(.decimal(let number))):
      guard let double = Double(number.description), !double.isNaN else { return nil }
      self.init(double.nextDown, double.nextUp)
    // The condition reads the clock once more.
    case .now:
      let now = Date().timeIntervalSinceReferenceDate
      self.init(now - 60, now + 60)
    default: return nil
    }
  }
}

extension PredicateTranslator {
  /// The filters for conditions that have to hold together, one at most for each table.
  ///
  /// A path that cannot be followed is the concern of its condition.
  mutating func boxFilters(_ parts: [FetchPredicate]) -> [SQLFragment] {
    guard let boxes else { return [] }
    var tables: [(table: TableScope.JoinedTable, limits: [String: Limits])] = []
    for case .comparison(let left, let comparison, let right) in parts.flatMap(\.together) {
      guard let (path, sign, bound) = Self.limit(left, comparison, right),
        let (table, column) = try? boxedColumn(at: path, boxes)
      else { continue }
      let index =
        tables.firstIndex { $0.table.alias == table.alias }
        ?? {
          tables.append((table, [:]))
          return tables.count - 1
        }()
      tables[index].limits[column, default: Limits()].add(sign, bound)
    }
    return tables.compactMap { table, limits in
      let filters = boxes.indexes(of: table.mapping.table).compactMap { $0.filter(limits) }
      return filters.max { $0.values.count < $1.values.count }.map {
        SQLFragment(table.key) + " IN (" + $0 + ")"
      }
    }
  }

  private static func limit(
    _ left: FetchExpression, _ comparison: ComparisonOperator, _ right: FetchExpression
  ) -> (path: [String], ComparisonOperator, BoxBound)? {
    if case .path(let path) = left { return BoxBound(right).map { (path, comparison, $0) } }
    if case .path(let path) = right { return BoxBound(left).map { (path, comparison.turned, $0) } }
    return nil
  }

  /// The column of an attribute whose table has an index of boxes.
  private mutating func boxedColumn(
    at path: [String], _ boxes: BoxPlan
  ) throws(PersistenceError) -> (TableScope.JoinedTable, column: String)? {
    guard column(at: path) == nil, try !isMany(path) else { return nil }
    let (table, last) = try endpoint(at: path)
    guard let last, !boxes.indexes(of: table.mapping.table).isEmpty,
      let property = table.entity.property(named: last),
      let column = table.mapping.column(ofProperty: property.index)
    else { return nil }
    return (table, table.mapping.columns[column].name)
  }
}

extension BoxIndex {
  /// The select of the keys whose boxes meet limits of columns; `nil` unless they limit both ends
  /// of a dimension from both sides.
  fileprivate func filter(_ limits: [String: Limits]) -> SQLFragment? {
    let parts = dimensions.flatMap { dimension -> [SQLFragment] in
      guard let a = limits[dimension.begin], let b = limits[dimension.end],
        (a.upper != nil && b.lower != nil) || (a.lower != nil && b.upper != nil)
      else { return [] }
      let upper = [a.upper, b.upper].compactMap(\.self).min()
      let lower = [a.lower, b.lower].compactMap(\.self).max()
      return [
        upper.map { quoted(dimension.begin) + " <= " + .value(value(ofUpper: $0)) },
        lower.map { quoted(dimension.end) + " >= " + .value(value(ofLower: $0)) },
      ].compactMap(\.self)
    }
    guard !parts.isEmpty else { return nil }
    let key = quoted(PlainLayout.keyColumn)
    return "SELECT \(key) FROM \(quoted(name)) WHERE " + .joined(parts, " AND ")
  }
}

extension FetchPredicate {
  /// The conditions that have to hold together with all others of an AND.
  fileprivate var together: [FetchPredicate] {
    switch self {
    case .and(let parts): parts.flatMap(\.together)
    case .isBetween(let value, let low, let high):
      [.comparison(value, .greaterOrEqual, low), .comparison(value, .lessOrEqual, high)]
    default: [self]
    }
  }
}
