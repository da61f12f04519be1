internal import OxbowFoundation
import OxbowModel
internal import OxbowStore

// The order of a fetch, and the rows behind a place of it. Both are said with the same expressions,
// so a text without marks, a decimal number or a word of a language is behind a place exactly if it
// is sorted behind it.

/// A term of an order in SQL.
struct SortTerm {
  let name: String

  /// What is compared, with its collation.
  let text: String

  /// The index of the term in the order of the fetch.
  let index: Int
  let isAscending: Bool

  /// How the column has its values; `nil` for a rank.
  var codec: ColumnCodec?
  var comparison: TextOrder = []
  var isNeverNull = false

  /// Whether it is a column whose values an index has in their own order.
  var isPlain: Bool {
    comparison.isEmpty && codec != .decimalText && codec != .decimalNumber && codec != nil
  }
}

extension PredicateTranslator {
  /// The terms of an order, the key last: two fetches of the same rows have the same order.
  mutating func order(
    _ keys: [OrderingTerm], keysDescend: Bool = false
  ) throws(PersistenceError) -> [String] {
    try sortTerms(keys).map { $0.text + ($0.isAscending ? "" : " DESC") }
      + [scope.root.key + (keysDescend ? " DESC" : "")]
  }

  /// The terms of an order, each path once.
  private mutating func sortTerms(_ keys: [OrderingTerm]) throws(PersistenceError) -> [SortTerm] {
    var terms: [SortTerm] = []
    var seen: Set<OrderingTerm> = []
    for (index, key) in keys.enumerated() {
      try key.comparison.requireLocale()
      let plain = OrderingTerm(path: key.path, ascending: true, comparing: key.comparison)
      guard seen.insert(plain).inserted else { continue }
      terms.append(try sortTerm(key, index))
    }
    let limit = dialect.capability.sortKeys
    guard terms.count <= limit else {
      throw PersistenceError(
        .invalidPredicate,
        "an order of \(terms.count) different sort keys is too long: a store takes up to "
          + "\(limit)")
    }
    return terms
  }

  private mutating func sortTerm(
    _ key: OrderingTerm, _ index: Int
  ) throws(PersistenceError) -> SortTerm {
    guard !key.isRank else {
      guard key.comparison.isEmpty else { throw .notText(key) }
      return SortTerm(
        name: OrderingTerm.rank, text: RankedTables.rank, index: index,
        isAscending: key.isAscending)
    }
    let path = mapping.model.joiningParts(key.path, from: scope.root.entity)
    let table = try scope.table(at: path.dropLast())
    let property = try table.entity.requireProperty(named: path.last ?? "")
    guard !property.isComposite else { throw .composite(property.name, of: table.entity.name) }
    guard !property.isExternal else { throw .external(property.name, of: table.entity.name) }
    guard property.attribute != nil,
      let column = table.mapping.column(ofProperty: property.index)
    else {
      throw PersistenceError(
        .invalidPredicate,
        "'\(key.path.joined(separator: "."))' cannot be sorted by: it is not a stored attribute of "
          + "'\(table.entity.name)'")
    }
    let mapped = table.mapping.columns[column]
    var text = table.column(mapped.name)
    if mapped.codec == .decimalText { text += dialect.decimalOrder }
    if mapped.codec == .decimalNumber { text = DecimalNumber.meaning(of: text) }
    if !key.comparison.isEmpty {
      guard mapped.codec == .text else { throw .notText(key) }
      text = dialect.term(text, in: key.comparison)
    }
    return SortTerm(
      name: key.path.joined(separator: "."), text: text, index: index,
      isAscending: key.isAscending, codec: mapped.codec, comparison: key.comparison,
      isNeverNull: key.path.count == 1 && !property.mayBeEmpty)
  }
}

// MARK: - Behind a place

extension PredicateTranslator {
  /// The condition that rows are behind a place of an order; see ``StoreFetch/after``.
  ///
  /// Where the terms have one direction, it is a comparison of rows, which an index answers. In
  /// front of all others is the part that an index can answer: the first terms of one direction.
  mutating func isBehind(
    _ place: SortPlace, _ keys: [OrderingTerm], keysDescend: Bool
  ) throws(PersistenceError) -> SQLFragment {
    let terms = try sortTerms(keys)
    let key = SQLFragment.value(.integer(place.key))
    let sign = keysDescend ? "<" : ">"
    let first = try indexed(terms, at: place)
    if first.count == terms.count, terms.allSatisfy({ $0.isAscending != keysDescend }) {
      return Self.rows(
        terms.map(\.text) + [scope.root.key], sign, first + [key])
    }
    var cases: [SQLFragment] = []
    var equal: [SQLFragment] = []
    for (number, term) in terms.enumerated() {
      let value = place.values[term.index]
      if let behind = try behind(value, term, isFirst: number == 0) {
        cases.append(.junction(equal + [behind], " AND "))
      }
      equal.append(try compared(term, "=", value))
    }
    cases.append(.junction(equal + ["\(scope.root.key) \(sign) " + key], " AND "))
    let all = SQLFragment.junction(cases, " OR ")
    guard let direction = terms.first?.isAscending, !first.isEmpty else { return all }
    let texts = terms.prefix(first.count).map(\.text)
    return Self.rows(texts, direction ? ">=" : "<=", first) + " AND " + all
  }

  /// The values of the first terms of one direction that an index has in order.
  private func indexed(
    _ terms: [SortTerm], at place: SortPlace
  ) throws(PersistenceError) -> [SQLFragment] {
    var values: [SQLFragment] = []
    for (number, term) in terms.enumerated() {
      // A row of values that ends with NULL is neither before nor behind another.
      guard term.isPlain, term.isAscending == terms[0].isAscending,
        number == 0 || term.isAscending || term.isNeverNull,
        let value = place.values[term.index]
      else { break }
      values.append(try bound(value, term))
    }
    return values
  }

  private static func rows(
    _ terms: [String], _ sign: String, _ values: [SQLFragment]
  ) -> SQLFragment {
    guard terms.count > 1 else { return terms[0] + " \(sign) " + values[0] }
    return "(\(terms.joined(separator: ", "))) \(sign) (" + .joined(values, ", ") + ")"
  }

  /// The condition that a row is behind a value by one term; `nil` where no row is.
  ///
  /// Rows without a value come first, in descending orders last; for the first term they are not
  /// wanted together with others.
  private func behind(
    _ value: AttributeValue?, _ term: SortTerm, isFirst: Bool
  ) throws(PersistenceError) -> SQLFragment? {
    guard value != nil else {
      return isFirst || !term.isAscending ? nil : SQLFragment(term.text + " IS NOT NULL")
    }
    let behind = try compared(term, term.isAscending ? ">" : "<", value)
    return isFirst || term.isAscending || term.isNeverNull
      ? behind : "(" + behind + " OR \(term.text) IS NULL)"
  }

  /// Compares a term with a value, which the text of the term has been made for.
  private func compared(
    _ term: SortTerm, _ sign: String, _ value: AttributeValue?
  ) throws(PersistenceError) -> SQLFragment {
    guard let value else { return SQLFragment(term.text + " IS NULL") }
    if term.codec == .decimalNumber, case .decimal(let decimal) = value,
      let number = DecimalNumber(decimal)
    {
      return switch sign {
      case ">": "\(term.text) > " + .value(number.high)
      case "<": "\(term.text) < " + .value(number.low)
      default: "\(term.text) BETWEEN " + .value(number.low) + " AND " + .value(number.high)
      }
    }
    return "\(term.text) \(sign) " + (try bound(value, term))
  }

  private func bound(
    _ value: AttributeValue, _ term: SortTerm
  ) throws(PersistenceError) -> SQLFragment {
    guard let encoded = term.codec?.encode(value) else {
      throw PersistenceError(
        .pageTokenForeign,
        "the token was made when '\(term.name)' could be \(value), which it cannot be now; begin "
          + "again without a token")
    }
    return term.comparison.isEmpty
      ? .value(encoded) : SQLFragment(dialect.term("?", in: term.comparison), [encoded])
  }
}
