import OxbowContext
import OxbowModel
import OxbowStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Draws values, expressions, conditions and orders over the entities of a ``Market``.
struct DifferentialRandom: RandomNumberGenerator {
  var store = UUID()
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  mutating func one<C: RandomAccessCollection>(of list: C) -> C.Element {
    list[list.index(list.startIndex, offsetBy: Int.random(in: 0..<list.count, using: &self))]
  }

  // MARK: Values

  mutating func fill(_ object: ManagedObject) throws {
    for attribute in Market.attributes where chance(75) {
      switch constant(attribute.type) {
      case .string(let value): try object.setValue(value, for: attribute.name)
      case .integer(let value): try object.setValue(value, for: attribute.name)
      case .double(let value): try object.setValue(value, for: attribute.name)
      case .decimal(let value): try object.setValue(value, for: attribute.name)
      case .boolean(let value): try object.setValue(value, for: attribute.name)
      case .date(let value): try object.setValue(value, for: attribute.name)
      case .data(let value): try object.setValue(value, for: attribute.name)
      case .uuid(let value): try object.setValue(value, for: attribute.name)
      case .url(let value): try object.setValue(value, for: attribute.name)
      }
    }
  }

  private mutating func constant(_ type: AttributeType) -> AttributeValue {
    switch type {
    case .string:
      .string(
        one(of: ["", "a", "A", "ab", "1", "01", "1.0", "é", "e\u{301}", "b\0c", "\u{1F600}"]))
    case .integer64: .integer(one(of: [-2, -1, 0, 1, 2, 3, 7, 9_007_199_254_740_993]))
    case .integer16: .integer(one(of: [-2, 0, 1, 3]))
    case .double: .double(one(of: [-1.5, -0.0, 0, 0.5, 1, 2, 1e300, .infinity]))
    case .float: .double(one(of: [-1.5, 0, 0.5, 3]))
    case .decimal: .decimal(one(of: Self.decimals))
    case .boolean: .boolean(chance(50))
    case .date: .date(Date(timeIntervalSinceReferenceDate: one(of: [-1, 0, 0.25, 1e9])))
    case .uuid:
      .uuid(UUID(uuid: (one(of: [0, 1, 2]), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
    case .uri: .url(URL(filePath: one(of: ["/a", "/b", "/a/b"])))
    default: .data(Data(one(of: [[], [0], [0, 1], [255], [1]])))
    }
  }

  private static let decimals: [Decimal] = [
    -1, 0, Decimal(5) / 10, 1, 2, 3, 10, 9, Decimal(string: "100000000000000000001") ?? 0,
    Decimal(string: "9007199254740993") ?? 0, Decimal(string: "9007199254740992.5") ?? 0,
  ]

  private mutating func object() -> FetchValue {
    let name = one(of: ["Item", "Shop", "Tag"])
    return .object(
      ManagedObjectID(
        store: chance(90) ? store : UUID(), rootEntityName: name, entityName: name,
        key: Int64.random(in: 1...8, using: &self)))
  }

  // MARK: Expressions

  /// A way from an item to something that has all attributes.
  private mutating func way() -> [String] {
    one(of: [
      [], [], [], ["parent"], ["shop"], ["gone"], ["parent", "parent"], ["parent", "shop"],
      ["parent", "gone"],
    ])
  }

  private mutating func expression(_ attribute: (name: String, type: AttributeType), _ depth: Int)
    -> FetchExpression
  {
    let plain = FetchExpression.path(way() + [attribute.name])
    guard depth > 0 else { return plain }
    switch Int.random(in: 0..<8, using: &self) {
    case 0: return .value(.attribute(constant(attribute.type)))
    case 1: return .coalesced(plain, expression(attribute, depth - 1))
    case 2:
      return .conditional(predicate(depth - 1), plain, expression(attribute, depth - 1))
    case 3 where attribute.name == "flag": return .condition(predicate(depth - 1))
    default: return plain
    }
  }

  private mutating func number(_ depth: Int) -> FetchExpression {
    switch Int.random(in: 0..<(depth > 0 ? 12 : 6), using: &self) {
    case 0: return .path(way() + ["ratio"])
    case 1: return .path(way() + [one(of: ["rank", "small"])])
    case 2: return .path(way() + [one(of: ["price", "factor"])])
    case 3: return .count(path: one(of: Self.collections))
    case 4: return .value(.attribute(.integer(Int64.random(in: -3...3, using: &self))))
    case 5:
      return .value(
        .attribute(
          chance(50)
            ? .double(one(of: [0.5, 2, .infinity, .nan])) : .decimal(one(of: Self.decimals))))
    case 6: return .negated(number(depth - 1))
    case 7: return .coalesced(number(depth - 1), number(depth - 1))
    case 8: return .conditional(predicate(depth - 1), number(depth - 1), number(depth - 1))
    case 9:
      return .arithmetic(
        .count(path: one(of: Self.collections)), one(of: [.divide, .remainder]),
        .value(one(of: [2, -2]).fetchValue))
    default:
      return .arithmetic(
        number(depth - 1), one(of: [.add, .subtract, .multiply]), number(depth - 1))
    }
  }

  private static let collections = [
    ["children"], ["tags"], ["parent", "children"], ["shop", "items"], ["gone", "items"],
  ]

  private mutating func reference(_ depth: Int) -> FetchExpression {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &self) {
    case 0: return .value(object())
    case 1: return .path([])
    case 2: return .path(["parent"])
    case 3: return .path(["shop"])
    case 4: return .path(["gone"])
    case 5: return .path(["parent", one(of: ["shop", "gone", "parent"])])
    case 6: return .coalesced(reference(depth - 1), reference(depth - 1))
    default: return .conditional(predicate(depth - 1), reference(depth - 1), reference(depth - 1))
    }
  }

  // MARK: Conditions

  mutating func predicate(_ depth: Int) -> FetchPredicate {
    switch Int.random(in: 0..<(depth > 0 ? 20 : 11), using: &self) {
    case 0...2: comparison(depth)
    case 3:
      .text(
        expression(Market.attributes[0], depth - 1), one(of: [.contains, .beginsWith, .endsWith]),
        chance(70)
          ? .value(.attribute(constant(.string))) : expression(Market.attributes[0], depth - 1),
        chance(30) ? .caseInsensitive : [])
    case 4: membership(depth)
    case 5: .truth(expression((name: "flag", type: .boolean), depth - 1))
    case 6, 7:
      .comparison(
        reference(depth), one(of: [.equal, .notEqual]),
        chance(15) ? .value(.null) : reference(depth))
    case 8: .isIn(reference(depth), (0..<3).map { _ in chance(10) ? .null : object() })
    case 9, 10: .comparison(number(depth), order(), number(depth))
    case 11, 12:
      .and((0..<Int.random(in: 0...3, using: &self)).map { _ in predicate(depth - 1) })
    case 13, 14:
      .or((0..<Int.random(in: 0...3, using: &self)).map { _ in predicate(depth - 1) })
    case 15:
      .any(
        path: one(of: [["children"], ["parent", "children"], ["shop", "items"]]),
        predicate(depth - 1))
    case 16: .all(path: one(of: [["children"], ["gone", "items"]]), predicate(depth - 1))
    case 17: .any(path: ["tags"], .beginsWith("name", one(of: ["tag", "tag 1", "x"])))
    default: .not(predicate(depth - 1))
    }
  }

  private mutating func order() -> ComparisonOperator {
    one(of: [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
  }

  private mutating func comparison(_ depth: Int) -> FetchPredicate {
    let attribute = one(of: Market.attributes)
    let comparison = attribute.type == .boolean ? one(of: [.equal, .notEqual]) : order()
    let other: FetchExpression =
      chance(15)
      ? .value(.null)
      : chance(60)
        ? .value(.attribute(constant(attribute.type))) : expression(attribute, depth - 1)
    return .comparison(expression(attribute, depth - 1), comparison, other)
  }

  private mutating func membership(_ depth: Int) -> FetchPredicate {
    let attribute = one(of: Market.attributes)
    var list: [FetchValue] = []
    for _ in 0..<Int.random(in: 0...4, using: &self) {
      list.append(chance(15) ? .null : .attribute(constant(attribute.type)))
    }
    if attribute.type == .decimal || attribute.type == .integer64, chance(30) {
      list.append(chance(50) ? 3.fetchValue : Decimal(3).fetchValue)
    }
    // Long lists go another way to the store.
    if chance(10) {
      list += (0..<1001).map { _ in .attribute(constant(attribute.type)) }
    }
    return .isIn(expression(attribute, depth - 1), list)
  }

  // MARK: Requests

  mutating func request() -> FetchRequest<ManagedObject> {
    var request = FetchRequest<ManagedObject>(
      entityNamed: chance(85) ? "Item" : "Special", where: predicate(3))
    request.sortKeys = (0..<Int.random(in: 0...2, using: &self)).map { _ in
      SortKey(
        (way() + [one(of: Market.attributes).name]).joined(separator: "."), ascending: chance(50))
    }
    if request.sortKeys.isEmpty { request.sortKeys = [SortKey("name")] }
    if chance(30) { request.limit = Int.random(in: 0...20, using: &self) }
    if chance(20) { request.offset = Int.random(in: 0...5, using: &self) }
    return request
  }
}
