package import OxbowFoundation
internal import OxbowModel
package import OxbowStore

/// The form of a fetch: all of it but the values of its condition, its limit and its offset.
///
/// Fetches of one form are one text, with their values in the order in which they are written.
/// That is so for conditions that compare what a path leads to with constants, and for whatever
/// joins such conditions. It is not so for decimal numbers, NaN, and parts of texts, which decide
/// what the text is; a fetch with such a value has no form here.
package struct FetchForm: Sendable {
  private var fetch: StoreFetch

  /// The form of a fetch; `nil` where its values may change its text.
  package init?(_ fetch: StoreFetch) {
    guard fetch.afterKey == nil, fetch.keys == nil, fetch.after == nil, !fetch.sortKeys.haveRank,
      fetch.predicate.map({ $0.isPlain && $0.depth <= FetchPredicate.depthLimit }) != false
    else { return nil }
    self.fetch = fetch
    // What it stops on is another one's each time.
    self.fetch.cancellation = nil
  }

  /// Whether another fetch has this form, for a store with this identifier.
  package func matches(_ other: StoreFetch, in store: UUID) -> Bool {
    guard fetch.entity == other.entity,
      fetch.includesSubentities == other.includesSubentities,
      (fetch.limit == nil) == (other.limit == nil), (fetch.offset > 0) == (other.offset > 0),
      other.afterKey == nil, other.keys == nil, other.after == nil,
      fetch.keysDescend == other.keysDescend
    else { return false }
    switch (fetch.predicate, other.predicate) {
    case (nil, nil): break
    case (let a?, let b?): guard a.isAlike(b, in: store) else { return false }
    default: return false
    }
    return fetch.sortKeys.isEmpty && other.sortKeys.isEmpty || fetch.sortKeys == other.sortKeys
  }

  /// Whether no column of the condition makes more or less of a constant than its value.
  package func fits(_ mapping: StoreMapping) -> Bool {
    fetch.predicate?.hasPlainColumns(of: mapping.model.entities[fetch.entity], mapping) ?? true
  }

  /// Gives the values of a fetch, in the order of their parameters.
  package static func values(
    of fetch: StoreFetch, _ body: (SQLValue) throws -> Void
  ) rethrows {
    try fetch.predicate?.values(body)
    guard fetch.limit != nil || fetch.offset > 0 else { return }
    try body(.integer(Int64(fetch.limit ?? -1)))
    if fetch.offset > 0 { try body(.integer(Int64(fetch.offset))) }
  }

  /// The values of a fetch, in the order of their parameters.
  package static func values(of fetch: StoreFetch) -> [SQLValue] {
    var values: [SQLValue] = []
    Self.values(of: fetch) { values.append($0) }
    return values
  }
}

// MARK: - Conditions

extension FetchPredicate {
  /// Other lists are filled up with values, or bound in another way.
  private static var listLengths: [Int] { [1, 2, 4, 8] }

  /// Parts with more than six open parentheses come first in their statement (`junction`), so
  /// their values do; the rest of what is around them makes seven.
  fileprivate static var depthLimit: Int { 7 }

  /// How many parentheses its text opens at most, as far as the condition says.
  fileprivate var depth: Int {
    switch self {
    case .and(let parts), .or(let parts):
      // A chain of more than sixteen parts is halved.
      let halves = (Int.bitWidth - (max(parts.count, 1) - 1).leadingZeroBitCount) - 4
      return 1 + max(halves, 0) + (parts.map(\.depth).max() ?? 0)
    case .not(let inner): return inner.depth
    // NOT, coalesce and a list.
    default: return 3
    }
  }

  /// Whether its text depends on the cases of its values only, as far as the condition says.
  fileprivate var isPlain: Bool {
    switch self {
    case .constant: true
    case .comparison(let a, _, let b): a.isPlain && b.isPlain && !(a.isValue && b.isValue)
    case .isIn(let element, let list):
      !element.isValue && element.isPlain && Self.listLengths.contains(list.count)
        && list.allSatisfy { $0.isPlain && $0 != .null }
    case .isBetween(let a, let b, let c):
      !a.isValue && a.isPlain && b.isPlain && c.isPlain && b.isValue && c.isValue
    case .truth(let value): !value.isValue && value.isPlain
    case .and(let parts), .or(let parts): parts.allSatisfy(\.isPlain)
    case .not(let inner): inner.isPlain
    case .text, .words, .any, .all, .quantified, .sql: false
    }
  }

  /// Whether another condition differs in values only, which are of the same cases.
  fileprivate func isAlike(_ other: FetchPredicate, in store: UUID) -> Bool {
    switch (self, other) {
    case (.constant(let a), .constant(let b)): a == b
    case (.comparison(let a, let sign, let b), .comparison(let c, let otherSign, let d)):
      sign == otherSign && a.isAlike(c, in: store) && b.isAlike(d, in: store)
    case (.isIn(let a, let list), .isIn(let b, let others)):
      list.count == others.count && a.isAlike(b, in: store)
        && zip(list, others).allSatisfy { $0.isAlike($1, in: store) }
    case (.isBetween(let a, let b, let c), .isBetween(let d, let e, let f)):
      a.isAlike(d, in: store) && b.isAlike(e, in: store) && c.isAlike(f, in: store)
    case (.truth(let a), .truth(let b)): a.isAlike(b, in: store)
    case (.and(let parts), .and(let others)), (.or(let parts), .or(let others)):
      parts.count == others.count
        && zip(parts, others).allSatisfy { $0.isAlike($1, in: store) }
    case (.not(let a), .not(let b)): a.isAlike(b, in: store)
    default: false
    }
  }

  fileprivate func values(_ body: (SQLValue) throws -> Void) rethrows {
    switch self {
    case .comparison(let a, _, let b):
      try a.values(body)
      try b.values(body)
    case .isIn(_, let list): for value in list { try value.values(body) }
    case .isBetween(_, let b, let c):
      try b.values(body)
      try c.values(body)
    case .and(let parts), .or(let parts): for part in parts { try part.values(body) }
    case .not(let inner): try inner.values(body)
    case .constant, .truth, .text, .words, .any, .all, .quantified, .sql: break
    }
  }

  fileprivate func hasPlainColumns(of entity: CompiledEntity, _ mapping: StoreMapping) -> Bool {
    func isPlain(_ expression: FetchExpression, _ values: [FetchValue] = []) -> Bool {
      guard case .path(let path) = expression else { return true }
      return mapping.hasPlainColumn(at: path, of: entity, for: values)
    }
    return switch self {
    case .comparison(.value(let value), _, let path), .comparison(let path, _, .value(let value)):
      isPlain(path, [value])
    case .comparison(let a, _, let b): isPlain(a) && isPlain(b)
    case .isIn(let a, let list): isPlain(a, list)
    case .isBetween(let a, _, _), .truth(let a): isPlain(a)
    case .and(let parts), .or(let parts):
      parts.allSatisfy { $0.hasPlainColumns(of: entity, mapping) }
    case .not(let inner): inner.hasPlainColumns(of: entity, mapping)
    case .constant, .text, .words, .any, .all, .quantified, .sql: true
    }
  }
}

// MARK: - Expressions

extension FetchExpression {
  fileprivate var isValue: Bool { if case .value = self { true } else { false } }

  fileprivate var isPlain: Bool {
    switch self {
    case .value(let value): value.isPlain
    // A path that begins with a variable leads from another object.
    case .path(let path): path.first?.utf8.first != UInt8(ascii: "$")
    default: false
    }
  }

  fileprivate func isAlike(_ other: FetchExpression, in store: UUID) -> Bool {
    switch (self, other) {
    case (.path(let a), .path(let b)): a == b
    case (.value(let a), .value(let b)): a.isAlike(b, in: store)
    default: false
    }
  }

  fileprivate func values(_ body: (SQLValue) throws -> Void) rethrows {
    if case .value(let value) = self { try value.values(body) }
  }
}

extension StoreMapping {
  /// Whether a path of to-one relationships leads to a column that has each value as it is, and may
  /// have the objects among the values.
  fileprivate func hasPlainColumn(
    at path: [String], of entity: CompiledEntity, for values: [FetchValue]
  ) -> Bool {
    var entity = entity
    let names = model.joiningParts(path, from: entity)
    for name in names.dropLast() {
      guard let relationship = entity.property(named: name)?.relationship, !relationship.isToMany
      else { return false }
      entity = model.entities[relationship.destination]
    }
    func mayHaveAll(below entity: CompiledEntity?) -> Bool {
      values.allSatisfy {
        guard case .object(let id) = $0 else { return true }
        return model.entity(named: id.rootEntityName)?.root == entity?.root
      }
    }
    guard let last = names.last else { return mayHaveAll(below: entity) }
    let table = entities[entity.index]
    guard let property = entity.property(named: last),
      let column = table.column(ofProperty: property.index)
    else { return false }
    let destination = property.relationship.map { model.entities[$0.destination] }
    return table.columns[column].codec.isPlain && mayHaveAll(below: destination)
  }
}

extension ColumnCodec {
  /// Whether comparisons of a column have one text, whatever the values are.
  fileprivate var isPlain: Bool {
    switch self {
    case .decimalText, .decimalNumber, .taggedBlob: false
    default: true
    }
  }
}

// MARK: - Values

extension FetchValue {
  fileprivate var isPlain: Bool {
    switch self {
    case .null, .object: true
    case .attribute(let value): value.isPlain
    }
  }

  /// Whether another value is said in the same way.
  fileprivate func isAlike(_ other: FetchValue, in store: UUID) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.attribute(let a), .attribute(let b)): a.isAlike(b)
    // An object of another store is equal to nothing, which is another text.
    case (.object(let a), .object(let b)):
      b.store == store && a.rootEntityName == b.rootEntityName
    default: false
    }
  }

  fileprivate func values(_ body: (SQLValue) throws -> Void) rethrows {
    switch self {
    case .null: break
    case .object(let id): try body(.integer(id.key))
    case .attribute(.string(let text)): try body(.text(text))
    case .attribute(let value): try body(PredicateTranslator.encode(value, for: nil).1)
    }
  }
}

extension AttributeValue {
  fileprivate var isPlain: Bool {
    switch self {
    case .double(let number): number.isFinite
    case .date(let date): date.timeIntervalSinceReferenceDate.isFinite
    case .decimal: false
    case .integer, .boolean, .string, .data, .uuid, .url: true
    }
  }

  fileprivate func isAlike(_ other: AttributeValue) -> Bool {
    switch (self, other) {
    case (.string, .string), (.integer, .integer), (.boolean, .boolean), (.data, .data),
      (.uuid, .uuid), (.url, .url):
      true
    case (.double, .double), (.date, .date): other.isPlain
    default: false
    }
  }
}
