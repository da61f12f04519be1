package import OxbowModel
package import OxbowStore
import Testing

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Predicates and sort keys mean the same in a store and in memory, whatever they are made of.
extension StoreContract {
  package func `random predicates find the same objects in the store and in memory`(
    seed: UInt64, rounds: Int, again: Bool = true
  ) throws {
    print("Agreement of predicates: seed \(seed), \(rounds) conditions")
    var random = AgreementRandom(seed: seed)
    let forest = try Forest(&random, in: self)
    for round in 0..<rounds {
      let predicate = random.predicate(depth: 3)
      for predicate in again ? predicate.withOtherValues(seed: UInt64(round)) : [predicate] {
        let comment: Comment = "seed \(seed), round \(round): \(predicate)"
        do {
          let stored = try forest.library.keys("Item", predicate)
          let found = try forest.items.filter { try predicate.isTrue(for: $0) }
          #expect(stored.sorted() == found.map(\.predicateID.key).sorted(), comment)
        } catch {
          Issue.record(error, comment)
        }
      }
    }
  }

  package func `random orders are the same in the store and in memory`(seed: UInt64) throws {
    var random = AgreementRandom(seed: seed)
    let forest = try Forest(&random, in: self)
    for round in 0..<100 {
      let sortKeys = random.sortKeys()
      var fetch = try forest.library.fetch("Item")
      fetch.sortKeys = sortKeys
      let stored = forest.library.keys(try forest.library.store.rows(of: fetch))
      let sorted = try sortKeys.sort(forest.items).map(\.predicateID.key)
      #expect(stored == sorted, "seed \(seed), round \(round): \(sortKeys)")
    }
  }
}

/// Items with values of every type and parents among themselves, in a store and in memory.
package struct Forest<Store: PersistentStore> {
  package let library: StoreLibrary<Store>
  package let items: [ForestItem]

  package init(_ random: inout AgreementRandom, in contract: StoreContract<Store>) throws {
    try self.init(in: contract.open(AgreementRandom.model), &random) { $0.values() }
  }

  /// Plants items with values that are drawn; most are below another one.
  init<R: RandomNumberGenerator>(
    in library: StoreLibrary<Store>, _ random: inout R,
    _ values: (inout R) -> [String: AttributeValue]
  ) throws {
    let entity = try library.entity("Item")
    var items: [ForestItem] = []
    try library.save { changes in
      for key in 1...60 as ClosedRange<Int64> {
        let item = ForestItem(
          library.model, entity, key, library.store.identifier, values(&random))
        changes.inserts.append(try library.insert("Item", key, item.values))
        if let parent = items.randomElement(using: &random), Bool.random(using: &random) {
          item.parent = parent
          parent.children.append(item)
          changes.links.append(
            try library.link(("Item", key), "parent", ("Item", parent.predicateID.key)))
        }
        items.append(item)
      }
    }
    self.library = library
    self.items = items
  }
}

package final class ForestItem: PredicateTarget {
  package let predicateModel: CompiledModel
  package let predicateEntity: CompiledEntity
  package let predicateID: ManagedObjectID
  package let values: [String: AttributeValue]
  package var parent: ForestItem?
  package var children: [ForestItem] = []

  package init(
    _ model: CompiledModel, _ entity: CompiledEntity, _ key: Int64, _ store: UUID,
    _ values: [String: AttributeValue]
  ) {
    predicateModel = model
    predicateEntity = entity
    predicateID = ManagedObjectID(
      store: store, rootEntityName: "Item", entityName: "Item", key: key)
    self.values = values
  }

  package func predicateValue(of property: CompiledProperty) throws(PersistenceError)
    -> AttributeValue?
  {
    values[property.name]
  }

  package func predicateObject(of property: CompiledProperty) throws(PersistenceError)
    -> ForestItem?
  {
    parent
  }

  package func predicateObjects(of property: CompiledProperty) throws(PersistenceError)
    -> [ForestItem]
  {
    children
  }
}

/// Draws values, predicates and orders.
package struct AgreementRandom: RandomNumberGenerator {
  static let attributes: [(name: String, type: AttributeType)] = [
    ("name", .string), ("rank", .integer64), ("ratio", .double), ("price", .decimal),
    ("flag", .boolean), ("day", .date), ("bytes", .binaryData), ("mark", .uuid), ("link", .uri),
    ("grade", .integer16),
  ]

  /// The model of the items.
  package static var model: ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        "Item",
        attributes: attributes.map { AttributeDescription($0.name, $0.type, isOptional: true) },
        relationships: [
          RelationshipDescription("parent", to: "Item", inverse: "children"),
          RelationshipDescription("children", to: "Item", inverse: "parent", isToMany: true),
        ])
    ])
  }

  /// The decimal numbers that occur.
  package var prices: [Decimal] = [
    -1, 0, Decimal(5) / 10, 1, 2, 10, 9, Decimal(string: "100000000000000000001") ?? 0,
  ]

  /// Whether every condition has the form in which it is read from its text.
  package var isCanonical = false

  /// The variables of the subqueries around the present place.
  private var variables: [String] = []

  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }

  private mutating func one<T>(of list: [T]) -> T {
    list[Int.random(in: 0..<list.count, using: &self)]
  }

  // MARK: Values

  package mutating func values() -> [String: AttributeValue] {
    var values: [String: AttributeValue] = [:]
    for attribute in Self.attributes where chance(75) {
      values[attribute.name] = value(attribute.type)
    }
    return values
  }

  private mutating func value(_ type: AttributeType) -> AttributeValue {
    switch type {
    case .string:
      .string(
        one(of: [
          "", "a", "A", "ab", "Ab", "b", "é", "e\u{301}", "zz", "a%b", "a_b", "\u{1F600}", "É", "ß",
          "SS", "ss", "Ǆ", "ς", "Σ", "\u{212A}", "a*b", "a\nb", "e", "Æ\u{301}b", "\u{301}a", "が",
          "\"\\'", "Ё", "е",
        ]))
    case .integer64: .integer(one(of: [-2, -1, 0, 1, 2, 3, 7, 9_007_199_254_740_993]))
    case .double: .double(one(of: [-1.5, -0.0, 0, 0.5, 1, 2, 1e300, .infinity]))
    case .integer16: .integer(Int64.random(in: -3...5, using: &self))
    case .decimal:
      .decimal(one(of: prices))
    case .boolean: .boolean(chance(50))
    case .date: .date(Date(timeIntervalSinceReferenceDate: one(of: [-1, 0, 0.25, 1e9])))
    case .uuid:
      .uuid(
        UUID(
          uuid: (UInt8.random(in: 0...2, using: &self), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
        ))
    case .uri: .url(URL(filePath: one(of: ["/a", "/b", "/a/b"])))
    default: .data(Data(one(of: [[], [0], [0, 1], [255], [1]])))
    }
  }

  // MARK: Expressions

  private mutating func path(_ name: String) -> [String] {
    let start = variables.isEmpty || chance(40) ? [] : ["$" + one(of: variables)]
    return start + Array(repeating: "parent", count: one(of: [0, 0, 0, 1, 1, 2])) + [name]
  }

  /// A path through one to-many relationship or two.
  private mutating func manyPath(_ name: String, isSingle: Bool = false) -> [String] {
    let hops = one(
      of: [[], [], ["parent"]] + (isSingle ? [] : [["children"], ["parent", "children"]]))
    return path("children") + hops + [name]
  }

  private mutating func options() -> TextOptions {
    one(of: [
      [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ])
  }

  private mutating func operand(_ attribute: (name: String, type: AttributeType), _ depth: Int)
    -> FetchExpression
  {
    guard depth > 0 else { return .path(path(attribute.name)) }
    switch Int.random(in: 0..<8, using: &self) {
    case 0: return .value(.attribute(value(attribute.type)))
    case 1: return .coalesced(.path(path(attribute.name)), operand(attribute, depth - 1))
    case 2:
      return .conditional(
        predicate(depth: depth - 1), .path(path(attribute.name)), operand(attribute, depth - 1))
    default: return .path(path(attribute.name))
    }
  }

  private mutating func number(_ depth: Int) -> FetchExpression {
    switch Int.random(in: 0..<(depth > 0 ? 11 : 3), using: &self) {
    case 7:
      .aggregate(one(of: FetchAggregate.allCases), path: manyPath("grade", isSingle: true))
    case 8: .aggregate(one(of: FetchAggregate.allCases), path: manyPath("ratio", isSingle: true))
    case 9:
      .arithmetic(
        .path(path("grade")), one(of: [.bitwiseAnd, .bitwiseOr, .bitwiseExclusiveOr, .power]),
        .count(path: path("children")))
    case 10: subqueryCount(depth - 1)
    case 0: .path(path("ratio"))
    case 1: .count(path: path("children"))
    case 2:
      .value(
        .attribute(chance(50) ? .integer(Int64.random(in: -3...3, using: &self)) : .double(0.5)))
    case 3: .negated(number(depth - 1))
    case 4:
      .arithmetic(.count(path: path("children")), .divide, .value(one(of: [2, -2]).fetchValue))
    case 5: .arithmetic(.count(path: path("children")), .remainder, .value(2.fetchValue))
    default: .arithmetic(number(depth - 1), one(of: [.add, .subtract]), number(depth - 1))
    }
  }

  private mutating func subqueryCount(_ depth: Int) -> FetchExpression {
    let path = path("children")
    let variable = "x\(variables.count)"
    variables.append(variable)
    defer { variables.removeLast() }
    return .subqueryCount(path: path, variable: variable, predicate(depth: depth))
  }

  // MARK: Predicates

  package mutating func predicate(depth: Int) -> FetchPredicate {
    switch Int.random(in: 0..<(depth > 0 ? 28 : 8), using: &self) {
    case 16: return search(depth)
    case 17: return foldedComparison(depth)
    case 18: return .quantified(one(of: FetchQuantifier.allCases), manyComparison(depth))
    case 19: return .quantified(one(of: FetchQuantifier.allCases), manySearch(depth))
    case 20:
      let name = one(of: Self.attributes)
      return .text(
        .path(manyPath(name.name)), .contains, .value(.attribute(value(name.type))), [])
    case 21: return between(depth)
    case 22: return decimals()
    case 23: return .comparison(subqueryCount(depth - 1), order(), .value(1.fetchValue))
    case 24: return .comparison(.path(path("day")), order(), .now)
    case 25:
      return .comparison(
        .path(path("flag")), one(of: [.equal, .notEqual]), .value(one(of: [0, 1, 2]).fetchValue))
    case 26:
      return .comparison(
        .condition(.not(predicate(depth: depth - 1))), .equal, .value(chance(50).fetchValue))
    case 27:
      return .text(.path(path("children")), .contains, .path(path("parent")), [])
    case 0...2: return comparison(depth)
    case 3:
      return .text(
        operand(Self.attributes[0], depth - 1), one(of: [.contains, .beginsWith, .endsWith]),
        chance(70) ? .value(.attribute(value(.string))) : .path(["name"]),
        chance(30) ? .caseInsensitive : [])
    case 4: return membership()
    case 5: return .truth(operand((name: "flag", type: .boolean), depth - 1))
    case 6:
      return .comparison(
        .path(path("parent")), one(of: [.equal, .notEqual]), chance(50) ? .value(.null) : .path([]))
    case 7: return .comparison(number(depth), order(), number(depth))
    case 8, 9: return .and(parts(depth))
    case 10, 11: return .or(parts(depth))
    case 12: return .any(path: path("children"), predicate(depth: depth - 1))
    case 13: return .all(path: path("children"), predicate(depth: depth - 1))
    default: return .not(predicate(depth: depth - 1))
    }
  }

  private mutating func parts(_ depth: Int) -> [FetchPredicate] {
    (0..<Int.random(in: (isCanonical ? 2 : 0)...3, using: &self)).map { _ in
      predicate(depth: depth - 1)
    }
  }

  private mutating func search(_ depth: Int) -> FetchPredicate {
    let text = operand(Self.attributes[0], depth - 1)
    switch Int.random(in: 0..<3, using: &self) {
    case 0:
      let pattern = one(of: [
        "a*", "*b", "?", "*", "A?", "*é*", "?\u{301}*", "a\\*b", "", "*s*s", "e",
      ])
      return .text(text, .like, .value(pattern.fetchValue), options())
    case 1:
      let pattern = one(of: [
        "a|ab", "[a-f]+", ".*", ".", "(?i)A.*", "é", "\\p{Lu}+", "a.b", "(?x) a # one\n b #x", "",
      ])
      return .text(text, .matches, .value(pattern.fetchValue), options())
    default:
      return .text(
        text, one(of: [.contains, .beginsWith, .endsWith, .like]),
        chance(60) ? .value(.attribute(value(.string))) : .path(path("name")), options())
    }
  }

  private mutating func foldedComparison(_ depth: Int) -> FetchPredicate {
    let options = options()
    let name = FetchExpression.folded(.path(path("name")), options)
    if chance(30) {
      let list = (0..<3).map { _ in
        FetchValue.attribute(
          .string(TextFolding.folded(one(of: ["É", "ß", "a", "Ss", "ς"]), options)))
      }
      return .isIn(name, list)
    }
    let other: FetchExpression =
      chance(50) ? .path(path("name")) : .value(.attribute(value(.string)))
    return .comparison(name, order(), .folded(other, options))
  }

  private mutating func manyComparison(_ depth: Int) -> FetchPredicate {
    if chance(15) { return .comparison(.path(manyPath("parent")), .equal, .path([])) }
    let attribute = one(of: Self.attributes)
    let comparison = attribute.type == .boolean ? one(of: [.equal, .notEqual]) : order()
    let path = FetchExpression.path(manyPath(attribute.name))
    switch Int.random(in: 0..<4, using: &self) {
    case 0: return .comparison(path, comparison, .value(.null))
    case 1: return .comparison(path, comparison, operand(attribute, depth - 1))
    case 2:
      return .isIn(path, [.attribute(value(attribute.type)), .attribute(value(attribute.type))])
    default: return .comparison(path, comparison, .value(.attribute(value(attribute.type))))
    }
  }

  private mutating func manySearch(_ depth: Int) -> FetchPredicate {
    let path = FetchExpression.path(manyPath("name"))
    let other: FetchExpression =
      chance(50) ? .path(self.path("name")) : .value(.attribute(value(.string)))
    if chance(30) {
      let options = options()
      return .comparison(.folded(path, options), order(), .folded(other, options))
    }
    return .text(path, one(of: [.beginsWith, .endsWith, .like]), other, options())
  }

  private mutating func between(_ depth: Int) -> FetchPredicate {
    let attribute = one(of: Self.attributes.filter { $0.type != .boolean })
    return .isBetween(
      operand(attribute, depth - 1), .value(.attribute(value(attribute.type))),
      .value(.attribute(value(attribute.type))))
  }

  private mutating func decimals() -> FetchPredicate {
    let other: FetchValue = one(of: [
      .attribute(.double(0.1)), .attribute(.double(0.5)), .attribute(.double(1e30)),
      .attribute(.double(-.infinity)), 2.fetchValue, (Decimal(25) / 10).fetchValue,
    ])
    let aggregate = FetchExpression.aggregate(
      one(of: FetchAggregate.allCases), path: manyPath("price", isSingle: true))
    return .comparison(chance(50) ? aggregate : .path(path("price")), order(), .value(other))
  }

  private mutating func order() -> ComparisonOperator {
    one(of: [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
  }

  private mutating func comparison(_ depth: Int) -> FetchPredicate {
    let attribute = one(of: Self.attributes)
    let comparison = attribute.type == .boolean ? one(of: [.equal, .notEqual]) : order()
    let other: FetchExpression =
      chance(15)
      ? .value(.null)
      : chance(60)
        ? .value(.attribute(value(attribute.type)))
        : operand(attribute, depth - 1)
    return .comparison(operand(attribute, depth - 1), comparison, other)
  }

  private mutating func membership() -> FetchPredicate {
    let attribute = one(of: Self.attributes)
    var list: [FetchValue] = []
    for _ in 0..<Int.random(in: 0...4, using: &self) {
      list.append(chance(15) ? .null : .attribute(value(attribute.type)))
    }
    return .isIn(.path(path(attribute.name)), list)
  }

  package mutating func sortKeys() -> [OrderingTerm] {
    (0..<Int.random(in: 1...3, using: &self)).map { _ in
      OrderingTerm(
        path(one(of: Self.attributes).name).joined(separator: "."), ascending: chance(50))
    }
  }
}

// MARK: - The same form again

extension FetchPredicate {
  /// The condition, and it with other values twice: the third time, a store knows its form.
  package func withOtherValues(seed: UInt64) -> [FetchPredicate] {
    var random = AgreementRandom(seed: seed)
    return [self, random.another(self), random.another(self)]
  }
}

extension AgreementRandom {
  /// A condition of the same form, its constants replaced.
  fileprivate mutating func another(_ predicate: FetchPredicate) -> FetchPredicate {
    switch predicate {
    case .comparison(let a, let sign, let b): .comparison(another(a), sign, another(b))
    case .isIn(let element, let list): .isIn(element, list.map { another($0) })
    case .isBetween(let a, let b, let c): .isBetween(a, another(b), another(c))
    case .and(let parts): .and(parts.map { another($0) })
    case .or(let parts): .or(parts.map { another($0) })
    case .not(let inner): .not(another(inner))
    case .any(let path, let inner): .any(path: path, another(inner))
    case .all(let path, let inner): .all(path: path, another(inner))
    default: predicate
    }
  }

  private mutating func another(_ expression: FetchExpression) -> FetchExpression {
    if case .value(let value) = expression { .value(another(value)) } else { expression }
  }

  private mutating func another(_ value: FetchValue) -> FetchValue {
    guard case .attribute(let attribute) = value else { return value }
    let type: AttributeType =
      switch attribute {
      case .integer: chance(50) ? .integer16 : .integer64
      case .double: .double
      case .decimal: .decimal
      case .boolean: .boolean
      case .string: .string
      case .date: .date
      case .data: .binaryData
      case .uuid: .uuid
      case .url: .uri
      }
    return .attribute(self.value(type))
  }
}
