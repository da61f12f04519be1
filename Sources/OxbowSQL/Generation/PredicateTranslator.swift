import OxbowModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Says a predicate in SQL, with the same meaning as in memory.
///
/// Logic has two values: a comparison with no value is false. SQL's third value behaves like false
/// as long as no NOT stands around it, so only below a NOT, and where a condition is used as a value,
/// comparisons are wrapped in `coalesce(…, 0)`.
struct PredicateTranslator {
  let mapping: StoreMapping
  let store: UUID

  /// The selects around the present place, the outermost first; each has aliases of its own.
  private var scopes: [TableScope]

  /// The select that paths lead from.
  private var current = 0

  /// The selects whose objects are the values of variables.
  private var variables: [String: Int] = [:]

  init(mapping: StoreMapping, store: UUID, entity: Int) {
    self.mapping = mapping
    self.store = store
    scopes = [TableScope(mapping, entity: mapping.model.entities[entity], prefix: "t")]
  }

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

  /// Says a predicate; `isExact` when NULL must not stand for false, because a NOT may follow.
  mutating func condition(_ predicate: FetchPredicate, isExact: Bool) throws(PersistenceError)
    -> SQLFragment
  {
    switch predicate {
    case .constant(let truth): return SQLFragment(truth ? "1" : "0")
    case .comparison(let left, let comparison, let right):
      return try compare(left, comparison, right, isExact: isExact)
    case .text(.path(let path), .contains, let part, let options) where try isMany(path):
      return try condition(FetchPredicate.membership(part, path, options), isExact: isExact)
    case .text(let text, let comparison, let part, let options):
      return exact(try compareText(text, comparison, part, options), isExact)
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
    case .and(let parts): return try junction(parts, " AND ", empty: "1", isExact: isExact)
    case .or(let parts): return try junction(parts, " OR ", empty: "0", isExact: isExact)
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
    }
  }

  /// Says that a predicate does not hold.
  ///
  /// NOT goes down to the single conditions: SQLite's parser has little room for parentheses.
  private mutating func negation(_ predicate: FetchPredicate, isExact: Bool)
    throws(PersistenceError) -> SQLFragment
  {
    switch predicate {
    case .constant(let truth): return SQLFragment(truth ? "0" : "1")
    case .not(let inner): return try condition(inner, isExact: isExact)
    case .and(let parts):
      return try junction(parts.map { .not($0) }, " OR ", empty: "0", isExact: isExact)
    case .or(let parts):
      return try junction(parts.map { .not($0) }, " AND ", empty: "1", isExact: isExact)
    default: return "NOT (" + (try condition(predicate, isExact: true)) + ")"
    }
  }

  private mutating func junction(
    _ parts: [FetchPredicate], _ separator: String, empty: String, isExact: Bool
  ) throws(PersistenceError) -> SQLFragment {
    guard !parts.isEmpty else { return SQLFragment(empty) }
    var fragments: [SQLFragment] = []
    for part in parts { fragments.append(try condition(part, isExact: isExact)) }
    return SQLFragment.junction(fragments, separator)
  }

  private func exact(_ fragment: SQLFragment, _ isExact: Bool) -> SQLFragment {
    isExact ? "coalesce(" + fragment + ", 0)" : fragment
  }
}

// MARK: - Comparisons

extension PredicateTranslator {
  private mutating func compare(
    _ left: FetchExpression, _ comparison: ComparisonOperator, _ right: FetchExpression,
    isExact: Bool
  ) throws(PersistenceError) -> SQLFragment {
    if case .value(let a) = left, case .value(let b) = right {
      return SQLFragment(try comparison.holds(a, b) ? "1" : "0")
    }
    let (a, b) = try operands(left, right, areCompared: true)
    if let unordered = [a, b].first(where: { $0.kind == .object || $0.kind == .boolean }) {
      guard comparison == .equal || comparison == .notEqual else {
        throw .notOrdered(comparison, unordered.kind)
      }
    }
    if a.isForeign || b.isForeign { return SQLFragment(comparison == .notEqual ? "1" : "0") }
    if let first = a.root, let second = b.root, first != second {
      return Self.compareStrangers(a.fragment, comparison, b.fragment)
    }
    let (x, y) = (collated(a, b), b.fragment)
    switch comparison {
    // `=` lets the planner use more indexes than `IS`; both agree when one side is never NULL and
    // no NOT is around.
    case .equal where !isExact && (a.isNeverNull || b.isNeverNull): return x + " = " + y
    case .equal: return x + " IS " + y
    case .notEqual: return x + " IS NOT " + y
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return exact(x + " \(comparison.rawValue) " + y, isExact)
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

  /// The name of the collation that the driver registers: text with decimal numbers, by value.
  static let decimalCollation = " COLLATE oxbow_decimal"

  /// The left side of a comparison, with the order that the comparison needs.
  ///
  /// An order that an operand names somewhere inside would rule the whole comparison.
  func collated(_ a: Operand, _ b: Operand? = nil) -> SQLFragment {
    if a.kind == .decimal || b?.kind == .decimal { return a.fragment + Self.decimalCollation }
    let names = [a, b].contains { $0?.fragment.text.contains(Self.decimalCollation) == true }
    return names ? a.fragment + " COLLATE BINARY" : a.fragment
  }

  private mutating func membership(
    _ expression: FetchExpression, _ values: [FetchValue], isExact: Bool
  ) throws(PersistenceError) -> SQLFragment {
    let operand = try operand(expression)
    var list: [SQLValue] = []
    for value in values where value != .null {
      let constant = try compared(value, with: operand)
      guard constant.kind.compares(with: operand.kind) else {
        throw .incomparable(operand.kind, constant.kind)
      }
      // No whole number is a decimal one with a fraction.
      let isImpossible = operand.kind == .integer && constant.kind == .decimal
      if !constant.isForeign, !isImpossible { list += constant.fragment.values }
    }
    var parts: [SQLFragment] = []
    if !list.isEmpty {
      parts.append(exact(collated(operand) + " IN (" + .list(list) + ")", isExact))
    }
    if values.contains(.null) { parts.append(operand.fragment + " IS NULL") }
    guard parts.count < 2 else { return "(" + .joined(parts, " OR ") + ")" }
    return parts.first ?? SQLFragment("0")
  }
}

// MARK: - To-many relationships

extension PredicateTranslator {
  /// The members of a to-many relationship.
  private struct Members {
    /// The table that they are in, as a scope of its own.
    let scope: TableScope

    /// The condition that links them to their owner.
    let link: String

    /// The key of the owner, when the path to it may end early.
    let owner: String?
  }

  /// The select that a path leads from, and the names after its variable.
  private func start(of path: [String]) throws(PersistenceError) -> (Int, ArraySlice<String>) {
    guard let first = path.first, first.utf8.first == UInt8(ascii: "$") else {
      return (current, path[...])
    }
    guard let scope = variables[first] else {
      throw .unboundVariable(first, among: variables.keys.filter { !$0.hasPrefix(Self.hidden) })
    }
    return (scope, path.dropFirst())
  }

  /// The beginning of variables that no predicate has.
  private static let hidden = "$ "

  /// The table at the end of a path of to-one relationships, and the last name of the path.
  mutating func place(
    at path: [String]
  ) throws(PersistenceError) -> (place: TableScope.Place, last: String?) {
    let (scope, names) = try start(of: path)
    return (try scopes[scope].place(at: names.dropLast()), names.last)
  }

  /// The number of names of a path, with its variable, up to its first to-many relationship.
  private func firstToMany(of path: [String]) throws(PersistenceError) -> Int? {
    let (scope, names) = try start(of: path)
    let count = try mapping.model.firstToMany(of: names, from: scopes[scope].root.entity)
    return count.map { $0 + path.count - names.count }
  }

  /// Whether a path passes through a to-many relationship.
  private func isMany(_ path: [String]) throws(PersistenceError) -> Bool {
    try firstToMany(of: path) != nil
  }

  /// Says something inside of a select of members.
  ///
  /// `body` gets the number of the select. Returns what it said, and the tables of the select.
  private mutating func inside<R>(
    _ scope: TableScope,
    _ body: (inout PredicateTranslator, Int) throws(PersistenceError) -> R
  ) throws(PersistenceError) -> (R, from: String) {
    let outer = (current, variables)
    scopes.append(scope)
    let result = try body(&self, scopes.count - 1)
    (current, variables) = outer
    return (result, scopes.removeLast().from)
  }

  /// The select of the members of a to-many relationship that meet a condition, or do not.
  private mutating func members(
    _ path: [String], where predicate: FetchPredicate, isNegated: Bool
  ) throws(PersistenceError) -> SQLFragment {
    let members = try members(at: path)
    let (condition, from) = try inside(members.scope) {
      (translator, number) throws(PersistenceError) in
      translator.current = number
      return try translator.condition(predicate, isExact: isNegated)
    }
    let test = isNegated ? "NOT (" + condition + ")" : condition
    return "SELECT 1 FROM \(from) WHERE \(members.link) AND " + test
  }

  /// The select of the values of a path that meet a condition, or do not; the condition begins with
  /// the path.
  private mutating func values(
    at path: [String], where predicate: FetchPredicate, isNegated: Bool
  ) throws(PersistenceError) -> SQLFragment {
    let count = try firstToMany(of: path) ?? 0
    let members = try members(at: Array(path.prefix(count)))
    let (test, from) = try inside(members.scope) { (translator, number) throws(PersistenceError) in
      let rest = translator.bind(number) + path.dropFirst(count)
      if try translator.isMany(rest) {
        let deeper = try translator.values(at: rest, where: predicate, isNegated: isNegated)
        return "EXISTS (" + deeper + ")"
      }
      let options = try predicate.quantifiedPath(.any).options
      let value = FetchExpression.path(rest).folded(options)
      let condition = try translator.condition(
        predicate.replacingFirst(with: value), isExact: isNegated)
      return isNegated ? "NOT (" + condition + ")" : condition
    }
    return "SELECT 1 FROM \(from) WHERE \(members.link) AND " + test
  }

  /// Makes a path of a hidden variable that is the object of a select.
  private mutating func bind(_ number: Int) -> [String] {
    let name = Self.hidden + "\(number)"
    variables[name] = number
    return [name]
  }

  /// The number of members of a to-many relationship; NULL when the path to it ends early.
  mutating func memberCount(_ path: [String]) throws(PersistenceError) -> Operand {
    let members = try members(at: path)
    return Self.guarded(
      SQLFragment("(SELECT count(*) FROM \(members.scope.from) WHERE \(members.link))"), members,
      .integer)
  }

  /// The number of members that meet a condition; NULL when the path to them ends early.
  mutating func memberCount(
    _ path: [String], _ variable: String, where predicate: FetchPredicate
  ) throws(PersistenceError) -> Operand {
    let members = try members(at: path)
    let (condition, from) = try inside(members.scope) {
      (translator, number) throws(PersistenceError) in
      translator.variables["$" + variable] = number
      return try translator.condition(predicate, isExact: false)
    }
    return Self.guarded(
      "(SELECT count(*) FROM \(from) WHERE \(members.link) AND " + condition + ")", members,
      .integer)
  }

  /// One value of all at the end of a path; NULL when the path ends before its to-many relationship.
  mutating func aggregate(
    _ aggregate: FetchAggregate, _ path: [String]
  ) throws(PersistenceError) -> Operand {
    let word = "@" + aggregate.rawValue
    guard let count = try firstToMany(of: path) else { throw .notMany(word, path) }
    let members = try members(at: Array(path.prefix(count)))
    let (value, from) = try inside(members.scope) { (translator, number) throws(PersistenceError) in
      let rest = translator.bind(number) + path.dropFirst(count)
      guard try !translator.isMany(rest) else { throw .tooMany(word, path) }
      return try translator.operand(.path(rest))
    }
    let (select, kind) = try aggregate.select(value, collated(value))
    var result = Self.guarded(
      "(SELECT " + select + " FROM \(from) WHERE \(members.link))", members, kind)
    result.codec = kind == value.kind ? value.codec : nil
    if aggregate != .sum { result.isNeverNull = false }
    return result
  }

  private static func guarded(
    _ select: SQLFragment, _ members: Members, _ kind: Kind
  ) -> Operand {
    guard let owner = members.owner else {
      return Operand(fragment: select, kind: kind, isNeverNull: kind != .real)
    }
    return Operand(fragment: "CASE WHEN \(owner) IS NOT NULL THEN " + select + " END", kind: kind)
  }

  private var innerPrefix: String { "s\(scopes.count)_" }

  /// The members of the to-many relationship at the end of a path.
  private mutating func members(at path: [String]) throws(PersistenceError) -> Members {
    let (owner, last) = try place(at: path)
    let name = last ?? ""
    let property = try owner.entity.requireProperty(named: name)
    guard let relationship = property.relationship, relationship.isToMany else {
      throw PersistenceError(
        .invalidPredicate,
        "'\(name)' of '\(owner.entity.name)' is no to-many relationship; 'any', 'all' and 'count' "
          + "need one")
    }
    let entity = mapping.model.entities[relationship.destination]
    let (head, link) = try tables(relationship, entity, of: owner, name)
    let names = try start(of: path).1
    return Members(
      scope: TableScope(mapping, entity: entity, prefix: innerPrefix, head: head), link: link,
      owner: names.count > 1 ? owner.key : nil)
  }

  /// The tables of the members and the condition that links them to their owner.
  private func tables(
    _ relationship: CompiledRelationship, _ entity: CompiledEntity, of owner: TableScope.Place,
    _ name: String
  ) throws(PersistenceError) -> (head: String, link: String) {
    let table = mapping.entities[entity.index]
    let alias = innerPrefix + "0"
    if let join = mapping.join(of: relationship) {
      let head =
        "\(quoted(join.table)) AS \(alias)j JOIN \(quoted(table.table)) AS \(alias) ON "
        + "\(alias).\(quoted(table.keyColumn)) = \(alias)j.\(quoted(join.otherColumn))"
      return (head, "\(alias)j.\(quoted(join.column)) = \(owner.key)")
    }
    guard let inverse = mapping.model.inverse(of: relationship),
      let column = mapping.entities[inverse.entity].column(ofProperty: inverse.property)
    else { throw .notToOne(name, of: owner.entity.name) }
    let key = mapping.entities[inverse.entity].columns[column].name
    return ("\(quoted(table.table)) AS \(alias)", "\(alias).\(quoted(key)) = \(owner.key)")
  }
}

extension FetchAggregate {
  /// What a select of values gives one of, and what that is.
  fileprivate func select(
    _ value: PredicateTranslator.Operand, _ ordered: SQLFragment
  ) throws(PersistenceError) -> (SQLFragment, PredicateTranslator.Kind) {
    let text = value.fragment
    switch (self, value.kind) {
    case (.sum, .integer): return ("coalesce(sum(" + text + "), 0)", .integer)
    // The sum of both infinities is no number, which is NULL and not 0.
    case (.sum, .real):
      return ("CASE WHEN count(" + text + ") > 0 THEN sum(" + text + ") ELSE 0 END", .real)
    case (.sum, .decimal): return ("coalesce(oxbow_decimal_sum(" + text + "), '0')", .decimal)
    case (.average, .integer), (.average, .real): return ("avg(" + text + ")", .real)
    case (.average, .decimal): return ("oxbow_decimal_average(" + text + ")", .decimal)
    case (.sum, _), (.average, _), (_, .boolean), (_, .object), (_, .null):
      throw .notAggregated(self, value.kind.rawValue)
    case (.min, let kind): return ("min(" + ordered + ")", kind)
    case (.max, let kind): return ("max(" + ordered + ")", kind)
    }
  }
}

// MARK: - Order

extension PredicateTranslator {
  /// SQLite 3.40 crashes when it sorts by 63 terms of joined tables.
  private static let sortKeyLimit = 60

  /// The terms of an order, the key last: two fetches of the same rows have the same order.
  mutating func order(_ keys: [SortKey]) throws(PersistenceError) -> [String] {
    var terms: [String] = []
    var seen: Set<[String]> = []
    for key in keys where seen.insert(key.path).inserted {
      let place = try scope.place(at: key.path.dropLast())
      let property = try place.entity.requireProperty(named: key.path.last ?? "")
      guard property.attribute != nil,
        let column = place.mapping.column(ofProperty: property.index)
      else {
        throw PersistenceError(
          .invalidPredicate,
          "'\(key.path.joined(separator: "."))' cannot be sorted by: it is no stored attribute of "
            + "'\(place.entity.name)'")
      }
      let mapped = place.mapping.columns[column]
      let collation = mapped.codec == .decimalText ? Self.decimalCollation : ""
      terms.append(place.column(mapped.name) + collation + (key.isAscending ? "" : " DESC"))
    }
    guard terms.count <= Self.sortKeyLimit else {
      throw PersistenceError(
        .invalidPredicate,
        "an order of \(terms.count) different sort keys is too long: a store takes up to "
          + "\(Self.sortKeyLimit)")
    }
    return terms + [scope.root.key]
  }
}
