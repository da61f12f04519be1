import OxbowModel
import OxbowStore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Calculations at the limits of numbers mean the same in every store and in memory.
extension StoreContract {
  package func `calculations at the limits of numbers find the same objects`(
    seed: UInt64, rounds: Int
  ) throws {
    print("Agreement of numbers: seed \(seed), \(rounds) conditions")
    var random = NumberRandom(seed: seed)
    let forest = try forest(&random)
    let (library, items) = (forest.library, forest.items)
    for round in 0..<rounds {
      let predicate = random.predicate(depth: 3)
      // A number and a decimal one that are both computed are not compared.
      guard let stored = try? library.keys("Item", predicate) else { continue }
      let found = try items.filter { try predicate.isTrue(for: $0) }.map(\.predicateID.key)
      #expect(stored.sorted() == found.sorted(), "seed \(seed), round \(round): \(predicate)")
    }
  }

  package func `columns at the limits of numbers have the same values`(
    seed: UInt64, rounds: Int
  ) throws {
    print("Agreement of columns: seed \(seed), \(rounds) questions")
    var random = NumberRandom(seed: seed)
    let forest = try forest(&random)
    let (library, items) = (forest.library, forest.items)
    let entity = try library.entity("Item").index
    for round in 0..<rounds {
      let query = try random.query(about: entity)
      guard let types = try? library.store.check(query) else { continue }
      let answers = [
        Result { try library.store.rows(of: query) },
        Result { try query.rows(of: items, types: types, in: library.model) },
      ]
      // Which sums are too large on their way depends on the order of the numbers.
      let errors = answers.compactMap { if case .failure(let error) = $0 { error } else { nil } }
      guard errors.isEmpty else {
        #expect(
          errors.allSatisfy { ($0 as? PersistenceError)?.code == .invalidPredicate },
          "seed \(seed), round \(round): \(query) \(errors)")
        continue
      }
      let values = try answers.map { try $0.get().values.map { "\($0)" } }
      #expect(values[0] == values[1], "seed \(seed), round \(round): \(query)")
    }
  }

  private func forest(_ random: inout NumberRandom) throws -> Forest<Store> {
    try Forest(in: open(NumberRandom.model), &random) { $0.values() }
  }
}

/// Draws numbers at their limits, and calculations with them.
package struct NumberRandom: RandomNumberGenerator {
  private static let attributes: [(name: String, type: AttributeType)] = [
    ("small", .integer16), ("whole", .integer32), ("large", .integer64), ("ratio", .double),
    ("single", .float), ("price", .decimal), ("day", .date), ("flag", .boolean), ("name", .string),
  ]

  static var model: ManagedObjectModel {
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

  private var base: AgreementRandom

  package init(seed: UInt64) { base = AgreementRandom(seed: seed) }

  package mutating func next() -> UInt64 { base.next() }

  private mutating func one<T>(of list: [T]) -> T {
    list[Int.random(in: 0..<list.count, using: &self)]
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }

  mutating func values() -> [String: AttributeValue] {
    var values: [String: AttributeValue] = [:]
    for attribute in Self.attributes where chance(80) {
      values[attribute.name] = value(attribute.type)
    }
    return values
  }

  private static let decimals = [
    "0", "1", "-1", "0.1", "0.5", "0.30000000000000004", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "9007199254740993", "9007199254740993.5",
    "12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678",
    "-12345678901234567890123456789012345678", "1e-38", "1e-100", "1e100", "-1e127", "2", "3",
    "0.333333333333333333333333333333333333",
  ]

  private mutating func value(_ type: AttributeType) -> AttributeValue {
    switch type {
    case .integer16: .integer(one(of: [-32768, 32767, 0, 1, -1, 2, 3]))
    case .integer32: .integer(one(of: [Int64(Int32.min), Int64(Int32.max), 0, 1, -1, 2, 3]))
    case .integer64:
      .integer(
        one(of: [
          .min, .max, 0, 1, -1, 2, 3, 9_007_199_254_740_993, -9_007_199_254_740_993, .max - 1,
          1 << 62,
        ]))
    case .double:
      .double(
        one(of: [
          -0.0, 0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, 0.1,
          0.5, 1, 2, 3, -1,
          9_007_199_254_740_992, 9_223_372_036_854_775_808, -9_223_372_036_854_775_808, 1e-300,
          2.5, -2.5, 0.30000000000000004,
        ]))
    case .float:
      .double(
        one(of: [
          0, -0.0, Double(Float(0.1)), Double(Float.greatestFiniteMagnitude), 1, 2.5, -3,
          .infinity,
        ]))
    case .decimal: .decimal(Decimal(string: one(of: Self.decimals)) ?? 0)
    case .date:
      .date(
        Date(timeIntervalSinceReferenceDate: one(of: [0, -0.0, 1e15, -1e15, 0.25, -1])))
    case .boolean: .boolean(chance(50))
    default:
      .string(one(of: ["", "a", "A", "%", "_", "a%", "é", "e\u{301}", "\0", "\u{1}", "\u{3}"]))
    }
  }

  // MARK: Numbers

  private mutating func path(_ name: String) -> FetchExpression {
    .path(Array(repeating: "parent", count: one(of: [0, 0, 0, 1])) + [name])
  }

  private mutating func whole(_ depth: Int) -> FetchExpression {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 4), using: &self) {
    case 0, 1: path(one(of: ["small", "whole", "large"]))
    case 2: .value(.attribute(value(.integer64)))
    case 3: .count(path: ["children"])
    case 4:
      .arithmetic(
        whole(depth - 1),
        one(of: [
          .add, .subtract, .multiply, .divide, .remainder, .bitwiseAnd, .bitwiseOr,
          .bitwiseExclusiveOr,
        ]), whole(depth - 1))
    case 5: .negated(whole(depth - 1))
    case 6: .coalesced(whole(depth - 1), whole(depth - 1))
    case 7: .conditional(predicate(depth: depth - 1), whole(depth - 1), whole(depth - 1))
    case 8:
      chance(50)
        ? .aggregate(.sum, path: ["children", one(of: ["small", "whole"])])
        : .aggregate(one(of: [.min, .max]), path: ["children", "large"])
    default:
      .subqueryCount(path: ["children"], variable: "x", predicate(depth: depth - 1))
    }
  }

  private mutating func number(_ depth: Int) -> FetchExpression {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 4), using: &self) {
    case 0, 1: path(one(of: ["ratio", "single"]))
    case 2: .value(.attribute(value(.double)))
    case 3: whole(depth)
    case 4:
      .arithmetic(
        number(depth - 1), one(of: [.add, .subtract, .multiply, .divide, .power]),
        number(depth - 1))
    case 5: .negated(number(depth - 1))
    case 6: .coalesced(number(depth - 1), number(depth - 1))
    case 7: .conditional(predicate(depth: depth - 1), number(depth - 1), number(depth - 1))
    case 8:
      .aggregate(one(of: [.min, .max]), path: ["children", one(of: ["ratio", "single"])])
    default: .aggregate(.average, path: ["children", one(of: ["small", "large"])])
    }
  }

  private mutating func decimal(_ depth: Int) -> FetchExpression {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 2), using: &self) {
    case 0: path("price")
    case 1: .value(.attribute(value(.decimal)))
    case 2: .coalesced(decimal(depth - 1), chance(50) ? decimal(depth - 1) : whole(0))
    case 3: .coalesced(whole(0), decimal(depth - 1))
    case 4: .conditional(predicate(depth: depth - 1), decimal(depth - 1), decimal(depth - 1))
    case 5: .conditional(predicate(depth: depth - 1), whole(0), decimal(depth - 1))
    default: .aggregate(one(of: [.min, .max]), path: ["children", "price"])
    }
  }

  private mutating func any(_ depth: Int) -> FetchExpression {
    one(of: [whole(depth), number(depth), decimal(depth)])
  }

  // MARK: Conditions

  private mutating func order() -> ComparisonOperator {
    one(of: [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
  }

  mutating func predicate(depth: Int) -> FetchPredicate {
    switch Int.random(in: 0..<(depth > 0 ? 16 : 4), using: &self) {
    case 0: .comparison(number(depth), order(), number(depth))
    case 1: .comparison(whole(depth), order(), whole(depth))
    case 2: .comparison(decimal(depth), order(), chance(50) ? decimal(depth) : whole(0))
    case 3:
      .comparison(
        decimal(depth), order(),
        .value(one(of: [0.1, 0.5, 1e300, -1e300, 1e-300, -.infinity]).fetchValue))
    case 4:
      .isIn(
        any(depth - 1),
        (0..<3).map { _ in
          chance(15) ? .null : .attribute(value(one(of: [.integer64, .decimal])))
        })
    case 5: .isBetween(number(depth - 1), number(depth - 1), number(depth - 1))
    case 6: .isBetween(decimal(depth - 1), decimal(depth - 1), decimal(depth - 1))
    case 7: .not(predicate(depth: depth - 1))
    case 8: .and([predicate(depth: depth - 1), predicate(depth: depth - 1)])
    case 9: .or([predicate(depth: depth - 1), predicate(depth: depth - 1)])
    case 10:
      .quantified(
        one(of: FetchQuantifier.allCases),
        .comparison(
          .path(["children", one(of: ["ratio", "large", "small"])]), order(), number(depth - 1)))
    case 11:
      .quantified(
        one(of: FetchQuantifier.allCases),
        .comparison(.path(["children", "price"]), order(), decimal(depth - 1)))
    case 12:
      .comparison(path("day"), order(), chance(50) ? path("day") : .value(.attribute(value(.date))))
    case 13:
      .comparison(
        .condition(predicate(depth: depth - 1)), .equal, chance(50) ? path("flag") : whole(0))
    case 14:
      .text(
        path("name"), one(of: [.contains, .beginsWith, .endsWith, .like]),
        chance(50) ? path("name") : .value(.attribute(value(.string))), [])
    default: .comparison(whole(depth - 1), order(), .value(.attribute(value(.decimal))))
    }
  }

  // MARK: Columns

  private mutating func given() -> FetchExpression {
    switch Int.random(in: 0..<5, using: &self) {
    case 0: path(one(of: ["small", "whole", "large"]))
    case 1: .coalesced(path("large"), .value(one(of: [0, 1, .max]).fetchValue))
    case 2: .coalesced(path("price"), .value(one(of: [0, 1]).fetchValue))
    case 3: .coalesced(path("small"), path("price"))
    default: decimal(2)
    }
  }

  private mutating func total() -> FetchColumn {
    switch Int.random(in: 0..<5, using: &self) {
    case 0:
      .aggregate(
        one(of: [.min, .max, .count, .countDistinct]),
        of: one(of: [path("ratio"), path("day"), path("name")]))
    case 1:
      .aggregate(
        one(of: [.count, .countDistinct]), of: .coalesced(path("small"), path("ratio")))
    default: .aggregate(one(of: GroupFunction.allCases), of: given())
    }
  }

  private mutating func key() -> FetchColumn {
    switch Int.random(in: 0..<6, using: &self) {
    case 0: .value(path(one(of: ["name", "flag", "day", "ratio"])))
    case 1: .value(given())
    case 2: .value(.arithmetic(path("large"), .multiply, path("small")))
    case 3: .part(one(of: DatePart.allCases), of: path("day"))
    default: .value(.condition(predicate(depth: 1)))
    }
  }

  mutating func query(about entity: Int) throws -> ColumnQuery {
    var columns: [FetchColumn] = []
    for index in 0..<one(of: [0, 1, 1, 2]) { columns.append(try named(key(), "k\(index)")) }
    let isDistinct = chance(30)
    if !isDistinct || columns.isEmpty {
      for index in 0..<one(of: [1, 2]) { columns.append(try named(total(), "t\(index)")) }
    }
    let having = FetchPredicate.comparison(
      .aggregate(one(of: [.min, .max]), path: ["large"]), order(), .value(1.fetchValue))
    var query = try ColumnQuery(
      entity: entity, columns: columns, having: !isDistinct && chance(30) ? having : nil,
      sortedBy: chance(50) ? [RowOrder(try columns[0].resolved().name, ascending: chance(50))] : [],
      isDistinct: isDistinct)
    if chance(30) { (query.limit, query.offset) = (5, 1) }
    return query
  }

  private func named(_ column: FetchColumn, _ name: String) throws -> FetchColumn {
    FetchColumn(try column.resolved().expression, as: name)
  }
}
