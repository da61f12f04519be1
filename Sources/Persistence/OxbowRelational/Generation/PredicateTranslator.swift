internal import OxbowFoundation
import OxbowModel

/// Says a predicate in SQL, with the same meaning as in memory.
///
/// Logic has two values: a comparison with no value is false. SQL's third value behaves like false
/// as long as no NOT is around it, so only below a NOT, and where a condition is used as a value,
/// comparisons are wrapped in `coalesce(…, FALSE)`.
struct PredicateTranslator {
  let mapping: StoreMapping
  let store: UUID

  /// The selects around the present one, the outermost first; each has aliases of its own.
  var scopes: [TableScope]

  /// The select that paths lead from.
  var current = 0

  /// The selects whose objects are the values of variables.
  var variables: [String: Int] = [:]

  /// The search indexes that the store has.
  let searchPlan: SearchPlan?

  /// How many conditions use an index of substrings.
  var filters = 0

  /// The indexes of boxes that the store has.
  let boxes: BoxPlan?

  /// The search for words by which rows are ranked, in a statement that begins with its ranks.
  var ranked: WordQuery?

  /// The columns of groups that a condition on groups is about; its paths are `#` and an index.
  var columns: [Operand] = []

  init(
    mapping: StoreMapping, store: UUID, entity: Int, searchPlan: SearchPlan? = nil,
    boxes: BoxPlan? = nil
  ) {
    self.mapping = mapping
    self.store = store
    (self.searchPlan, self.boxes) = (searchPlan, boxes)
    scopes = [TableScope(mapping, entity: mapping.model.entities[entity], prefix: "t")]
  }

  var dialect: any Dialect { mapping.dialect }

  private func truth(_ value: Bool) -> SQLFragment { SQLFragment(dialect.truth(value)) }

  /// The tables that paths lead from.
  var scope: TableScope {
    get { scopes[current] }
    set { scopes[current] = newValue }
  }

  /// The condition of a fetch, or `nil` for none.
  mutating func translate(_ predicate: FetchPredicate?) throws(PersistenceError) -> SQLFragment? {
    guard let predicate, predicate != .constant(true) else { return nil }
    return try condition(predicate, isExact: false)
  }

  /// Says a predicate; `isExact` when NULL must not count as false, because a NOT may follow.
  mutating func condition(_ predicate: FetchPredicate, isExact: Bool) throws(PersistenceError)
    -> SQLFragment
  {
    switch predicate {
    case .constant(let value): return truth(value)
    case .comparison(let left, let comparison, let right):
      return try compare(left, comparison, right, isExact: isExact)
    case .text(.path(let path), .contains, let part, let options) where try isMany(path):
      return try condition(FetchPredicate.membership(part, path, options), isExact: isExact)
    case .text(let text, let comparison, let part, let options):
      return exact(try compareText(text, comparison, part, options), isExact)
    case .words(let texts, let query): return try compareWords(texts, query)
    case .isIn(let expression, let values):
      return try membership(expression, values, isExact: isExact)
    case .isBetween(let value, let low, let high):
      return try condition(FetchPredicate.range(value, low, high), isExact: isExact)
    case .truth(let expression):
      let operand = try operand(expression)
      guard operand.kind == .boolean || operand.kind == .null else {
        throw .notCondition(operand.kind)
      }
      return exact(operand.fragment, isExact)
    case .and(let parts): return try conjunction(parts, isExact: isExact)
    case .or(let parts): return try junction(parts, " OR ", empty: false, isExact: isExact)
    case .not(let inner): return try negation(inner, isExact: isExact)
    case .any(let path, let inner):
      return "EXISTS (" + (try members(path, where: inner, isNegated: false)) + ")"
    case .all(let path, let inner):
      return "NOT EXISTS (" + (try members(path, where: inner, isNegated: true)) + ")"
    case .quantified(let quantifier, let inner):
      let (path, _) = try inner.quantifiedPath(quantifier)
      guard try isMany(path) else { throw .notMany(quantifier.rawValue, path) }
      let select = try values(at: path, where: inner, isNegated: quantifier == .all)
      return (quantifier == .any ? "EXISTS (" : "NOT EXISTS (") + select + ")"
    case .sql(let sql): return exact(try self.sql(sql), isExact)
    }
  }

  /// Says that a predicate does not hold.
  ///
  /// NOT goes down to the single conditions: a parser may have little room for parentheses.
  private mutating func negation(_ predicate: FetchPredicate, isExact: Bool)
    throws(PersistenceError) -> SQLFragment
  {
    switch predicate {
    case .constant(let value): return truth(!value)
    case .not(let inner): return try condition(inner, isExact: isExact)
    case .and(let parts):
      return try junction(parts.map { .not($0) }, " OR ", empty: false, isExact: isExact)
    case .or(let parts):
      return try junction(parts.map { .not($0) }, " AND ", empty: true, isExact: isExact)
    default: return "NOT (" + (try condition(predicate, isExact: true)) + ")"
    }
  }

  /// Conditions that have to hold together; behind filters, unless these are around it already.
  private mutating func conjunction(
    _ parts: [FetchPredicate], isExact: Bool, isFiltered: Bool = false
  ) throws(PersistenceError) -> SQLFragment {
    guard boxes != nil else {
      return try junction(parts, " AND ", empty: true, isExact: isExact)
    }
    let filters = isFiltered ? [] : boxFilters(parts)
    let isFiltered = isFiltered || !filters.isEmpty
    var fragments = filters
    for part in parts {
      if case .and(let inner) = part {
        fragments.append(try conjunction(inner, isExact: isExact, isFiltered: isFiltered))
      } else {
        fragments.append(try condition(part, isExact: isExact))
      }
    }
    return fragments.isEmpty ? truth(true) : SQLFragment.junction(fragments, " AND ")
  }

  private mutating func junction(
    _ parts: [FetchPredicate], _ separator: String, empty: Bool, isExact: Bool
  ) throws(PersistenceError) -> SQLFragment {
    guard !parts.isEmpty else { return truth(empty) }
    var fragments: [SQLFragment] = []
    for part in parts { fragments.append(try condition(part, isExact: isExact)) }
    return SQLFragment.junction(fragments, separator)
  }

  private func exact(_ fragment: SQLFragment, _ isExact: Bool) -> SQLFragment {
    isExact ? "coalesce(" + fragment + ", " + truth(false) + ")" : fragment
  }
}

// MARK: - Comparisons

extension PredicateTranslator {
  private mutating func compare(
    _ left: FetchExpression, _ comparison: ComparisonOperator, _ right: FetchExpression,
    isExact: Bool
  ) throws(PersistenceError) -> SQLFragment {
    if case .value(let a) = left, case .value(let b) = right {
      return truth(try comparison.holds(a, b))
    }
    let (a, b) = try operands(left, right, areCompared: true)
    if let unordered = [a, b].first(where: { $0.kind == .object || $0.kind == .boolean }) {
      guard comparison == .equal || comparison == .notEqual else {
        throw .notOrdered(comparison, unordered.kind)
      }
    }
    if a.isForeign || b.isForeign { return truth(comparison == .notEqual) }
    if let first = a.root, let second = b.root, first != second {
      return Self.compareStrangers(a.fragment, comparison, b.fragment)
    }
    if let numbers = compareNumbers(a, comparison, b) { return exact(numbers, isExact) }
    let first = collated(a, b)
    func compared(_ sign: String) -> SQLFragment { first + SQLFragment(" \(sign) ") + b.fragment }
    switch comparison {
    // `=` lets a planner use more indexes; both agree when one side is never NULL and no NOT is
    // around.
    case .equal where !isExact && (a.isNeverNull || b.isNeverNull): return compared("=")
    case .equal: return compared(dialect.same)
    case .notEqual: return compared(dialect.different)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return exact(compared(comparison.rawValue), isExact)
    }
  }

  /// Objects of different hierarchies are equal only where there is none on both sides, whatever
  /// their keys are.
  private static func compareStrangers(
    _ a: SQLFragment, _ comparison: ComparisonOperator, _ b: SQLFragment
  ) -> SQLFragment {
    comparison == .equal
      ? "(" + a + " IS NULL AND " + b + " IS NULL)"
      : "(" + a + " IS NOT NULL OR " + b + " IS NOT NULL)"
  }

  /// The left side of a comparison, with the order that the comparison needs.
  ///
  /// An order that an operand names somewhere inside would rule the whole comparison.
  func collated(_ a: Operand, _ b: Operand? = nil) -> SQLFragment {
    if [a, b].contains(where: { $0.map(isText) == true }) {
      return a.fragment + dialect.decimalOrder
    }
    let names = [a, b].contains { $0?.fragment.text.mentions(dialect.decimalOrder) == true }
    return names ? a.fragment + dialect.plainOrder : a.fragment
  }

  private mutating func membership(
    _ expression: FetchExpression, _ values: [FetchValue], isExact: Bool
  ) throws(PersistenceError) -> SQLFragment {
    if case .value(let value) = expression {
      return truth(try Self.isMember(value, of: values))
    }
    let operand = try operand(expression, isPresence: values.allSatisfy { $0 == .null })
    var list: [SQLValue] = []
    for value in values where value != .null {
      let constant = try compared(value, with: operand)
      guard constant.kind.compares(with: operand.kind) else {
        throw PersistenceError.incomparable(operand.kind, constant.kind).adding(
          "in", "\(expression) and \(FetchExpression.value(value))")
      }
      // No whole number is a decimal one with a fraction.
      let isImpossible = operand.kind == .integer && constant.kind == .decimal
      if !constant.isForeign, !isImpossible {
        let texts = constant.number.map { [SQLValue.text($0.value.description)] }
        list +=
          (isText(operand) ? texts : constant.number?.all) ?? constant.fragment.values
      }
    }
    var parts: [SQLFragment] = []
    if !list.isEmpty {
      parts.append(exact(collated(operand) + " IN (" + dialect.list(list) + ")", isExact))
    }
    if values.contains(.null) { parts.append(operand.fragment + " IS NULL") }
    guard parts.count < 2 else { return "(" + .joined(parts, " OR ") + ")" }
    return parts.first ?? truth(false)
  }

  /// Whether a constant is in a list, each of which must be comparable with it.
  private static func isMember(
    _ value: FetchValue, of list: [FetchValue]
  ) throws(PersistenceError) -> Bool {
    var isFound = false
    for other in list where try ComparisonOperator.equal.holds(value, other) { isFound = true }
    return isFound
  }
}
