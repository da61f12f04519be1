import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Predicates and sort keys mean the same in a store and in memory, whatever they are made of.
@Suite struct PredicateAgreementTests {
  @Test(arguments: [1, 2, 3, UInt64.random(in: 4...UInt64.max)])
  func `random predicates find the same objects in the store and in memory`(seed: UInt64) throws {
    var random = AgreementRandom(seed: seed)
    let forest = try Forest(&random)
    for round in 0..<400 {
      let predicate = random.predicate(depth: 3)
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

  @Test(arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
  func `random orders are the same in the store and in memory`(seed: UInt64) throws {
    var random = AgreementRandom(seed: seed)
    let forest = try Forest(&random)
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
private struct Forest {
  let library: Library
  let items: [ForestItem]

  init(_ random: inout AgreementRandom) throws {
    let library = try Library(
      .inMemory,
      model: ManagedObjectModel(entities: [
        EntityDescription(
          "Item",
          attributes: AgreementRandom.attributes.map {
            AttributeDescription($0.name, $0.type, isOptional: true)
          },
          relationships: [
            RelationshipDescription("parent", to: "Item", inverse: "children"),
            RelationshipDescription("children", to: "Item", inverse: "parent", isToMany: true),
          ])
      ]))
    let entity = try library.entity("Item")
    var items: [ForestItem] = []
    try library.save { changes in
      for key in 1...60 as ClosedRange<Int64> {
        let item = ForestItem(entity, key, library.store.identifier, random.values())
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

private final class ForestItem: PredicateTarget {
  let predicateEntity: CompiledEntity
  let predicateID: ManagedObjectID
  let values: [String: AttributeValue]
  var parent: ForestItem?
  var children: [ForestItem] = []

  init(
    _ entity: CompiledEntity, _ key: Int64, _ store: UUID, _ values: [String: AttributeValue]
  ) {
    predicateEntity = entity
    predicateID = ManagedObjectID(
      store: store, rootEntityName: "Item", entityName: "Item", key: key)
    self.values = values
  }

  func predicateValue(of property: CompiledProperty) throws(PersistenceError) -> AttributeValue? {
    values[property.name]
  }

  func predicateObject(of property: CompiledProperty) throws(PersistenceError) -> ForestItem? {
    parent
  }

  func predicateObjects(of property: CompiledProperty) throws(PersistenceError) -> [ForestItem] {
    children
  }
}

/// Draws values, predicates and orders.
private struct AgreementRandom: RandomNumberGenerator {
  static let attributes: [(name: String, type: AttributeType)] = [
    ("name", .string), ("rank", .integer64), ("ratio", .double), ("price", .decimal),
    ("flag", .boolean), ("day", .date), ("bytes", .binaryData), ("mark", .uuid), ("link", .uri),
  ]

  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
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

  mutating func values() -> [String: AttributeValue] {
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
        one(of: ["", "a", "A", "ab", "Ab", "b", "é", "e\u{301}", "zz", "a%b", "a_b", "\u{1F600}"]))
    case .integer64: .integer(one(of: [-2, -1, 0, 1, 2, 3, 7, 9_007_199_254_740_993]))
    case .double: .double(one(of: [-1.5, -0.0, 0, 0.5, 1, 2, 1e300, .infinity]))
    case .decimal:
      .decimal(
        one(of: [
          -1, 0, Decimal(5) / 10, 1, 2, 10, 9, Decimal(string: "100000000000000000001") ?? 0,
        ]))
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
    Array(repeating: "parent", count: one(of: [0, 0, 0, 1, 1, 2])) + [name]
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
    switch Int.random(in: 0..<(depth > 0 ? 7 : 3), using: &self) {
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

  // MARK: Predicates

  mutating func predicate(depth: Int) -> FetchPredicate {
    switch Int.random(in: 0..<(depth > 0 ? 16 : 8), using: &self) {
    case 0...2: comparison(depth)
    case 3:
      .text(
        operand(Self.attributes[0], depth - 1), one(of: [.contains, .beginsWith, .endsWith]),
        chance(70) ? .value(.attribute(value(.string))) : .path(["name"]),
        chance(30) ? .caseInsensitive : [])
    case 4: membership()
    case 5: .truth(operand((name: "flag", type: .boolean), depth - 1))
    case 6:
      .comparison(
        .path(path("parent")), one(of: [.equal, .notEqual]), chance(50) ? .value(.null) : .path([]))
    case 7: .comparison(number(depth), order(), number(depth))
    case 8, 9:
      .and((0..<Int.random(in: 0...3, using: &self)).map { _ in predicate(depth: depth - 1) })
    case 10, 11:
      .or((0..<Int.random(in: 0...3, using: &self)).map { _ in predicate(depth: depth - 1) })
    case 12: .any(path: path("children"), predicate(depth: depth - 1))
    case 13: .all(path: path("children"), predicate(depth: depth - 1))
    default: .not(predicate(depth: depth - 1))
    }
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

  mutating func sortKeys() -> [OrderingTerm] {
    (0..<Int.random(in: 1...3, using: &self)).map { _ in
      OrderingTerm(
        path(one(of: Self.attributes).name).joined(separator: "."), ascending: chance(50))
    }
  }
}
