import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A model with intervals of dates and of whole numbers, and areas, in a hierarchy and behind a
/// relationship.
func bookingsModel(isIndexed: Bool = true) -> ManagedObjectModel {
  let optional = { (name: String, type: AttributeType) in
    AttributeDescription(name, type, isOptional: true)
  }
  var models = [
    EntityDescription(
      "Room", attributes: [optional("name", .string)],
      relationships: [
        RelationshipDescription("items", to: "Item", inverse: "room", isToMany: true)
      ]),
    EntityDescription(
      "Item",
      attributes: [
        optional("begin", .date), optional("end", .date), optional("title", .string),
      ],
      relationships: [RelationshipDescription("room", to: "Room", inverse: "items")]),
    EntityDescription(
      "Area", parent: "Item",
      attributes: [
        optional("low", .integer64), optional("high", .integer16), optional("x1", .double),
        optional("x2", .float), optional("y1", .integer64), optional("y2", .double),
      ]),
  ]
  if isIndexed {
    models[1].fetchIndexes = [FetchIndexDescription("byTime", rTree: "begin", "end")]
    models[2].fetchIndexes = [
      FetchIndexDescription("byNumber", rTree: "low", "high"),
      FetchIndexDescription("byPlace", rTree: "x1", "x2", "y1", "y2"),
      FetchIndexDescription("byAll", rTree: "begin", "end", "y1", "y2"),
    ]
  }
  return ManagedObjectModel(entities: models)
}

/// What a store has to have.
final class BoxItem: PredicateTarget {
  let predicateModel: CompiledModel
  let predicateEntity: CompiledEntity
  let predicateID: ManagedObjectID
  var values: [String: AttributeValue]
  var version: Int64 = 1
  var room: BoxItem?
  var items: [BoxItem] = []

  init(
    _ library: Library, _ entity: String, _ key: Int64, _ values: [String: AttributeValue] = [:]
  ) throws {
    predicateModel = library.model
    predicateEntity = try library.entity(entity)
    predicateID = ManagedObjectID(
      store: library.store.identifier, rootEntityName: entity == "Room" ? "Room" : "Item",
      entityName: entity, key: key)
    self.values = values
  }

  func predicateValue(of property: CompiledProperty) throws(PersistenceError) -> AttributeValue? {
    values[property.name]
  }

  func predicateObject(of property: CompiledProperty) throws(PersistenceError) -> BoxItem? { room }

  func predicateObjects(of property: CompiledProperty) throws(PersistenceError) -> [BoxItem] {
    items
  }
}

/// Draws values near and far, and conditions on intervals.
struct BoxRandom {
  var random: SeededRandom

  private static let dates: [Double] = [
    0, 0.5, 1, -1, 59.999, 60, 3600, -3e9, -978_307_200, 1.1e9, 2_147_483_647, 2_147_483_647.5,
    -2_147_483_648, -2_147_483_649, 5e9, 1e12, -1e12, 1e300, -1e300, 0.1 + 0.2,
    16_777_217,
  ]
  private static let numbers: [Double] = [
    0, -0.0, 1, 16_777_216, 16_777_217, 16_777_218, -16_777_217, 1e-300, -1e-300, 1e300, -1e300,
    3.4028234663852886e38, 3.4028234663852889e38, .infinity, -.infinity, .leastNonzeroMagnitude,
    0.1, 52.52, 13.405, 179.9999999, -179.9999999, 1e15 + 0.3,
  ]
  private static let wholes: [Int64] = [
    0, 1, -1, 2, 100, 32_767, -32_768, 2_147_483_647, 2_147_483_648, -2_147_483_648,
    -2_147_483_649, 5_000_000_000, .max, .min, .max - 1, 16_777_217, 9_007_199_254_740_993,
  ]

  mutating func value(_ type: AttributeType) -> AttributeValue {
    switch type {
    case .date:
      return .date(
        Date(
          timeIntervalSinceReferenceDate: random.chance(70)
            ? Double(Int.random(in: -40...40, using: &random)) / 2 : pick(Self.dates)))
    case .integer16:
      let number = pick(Self.wholes.filter { Int16(exactly: $0) != nil })
      return .integer(random.chance(70) ? Int64.random(in: -20...20, using: &random) : number)
    case .integer64:
      return .integer(
        random.chance(70) ? Int64.random(in: -20...20, using: &random) : pick(Self.wholes))
    case .float: return .double(Double(Float(number())))
    default: return .double(number())
    }
  }

  private mutating func number() -> Double {
    random.chance(60) ? Double(Int.random(in: -40...40, using: &random)) / 3 : pick(Self.numbers)
  }

  private mutating func pick<T>(_ list: [T]) -> T {
    list[Int.random(in: 0..<list.count, using: &random)]
  }

  static let attributes: [(name: String, type: AttributeType)] = [
    ("begin", .date), ("end", .date), ("low", .integer64), ("high", .integer16), ("x1", .double),
    ("x2", .float), ("y1", .integer64), ("y2", .double),
  ]

  mutating func values(_ entity: String) -> [String: AttributeValue] {
    var values: [String: AttributeValue] = [:]
    for (name, type) in entity == "Area" ? Self.attributes : Array(Self.attributes.prefix(2))
    where !random.chance(10) { values[name] = value(type) }
    return values
  }

  /// A limit of one attribute by a constant of any kind that it can be compared with.
  private mutating func limit(
    _ attribute: (name: String, type: AttributeType), _ signs: [ComparisonOperator]
  ) -> FetchPredicate {
    var constant = value(attribute.type)
    if [.integer16, .integer64].contains(attribute.type), random.chance(30) {
      constant = random.chance(50) ? .double(number()) : .decimal(Decimal(string: "12.5") ?? 0)
    }
    let sign = pick(signs)
    guard random.chance(20) else {
      return .comparison(.path([attribute.name]), sign, .value(.attribute(constant)))
    }
    let turned: [ComparisonOperator: ComparisonOperator] = [
      .less: .greater, .greater: .less, .lessOrEqual: .greaterOrEqual,
      .greaterOrEqual: .lessOrEqual,
    ]
    return .comparison(.value(.attribute(constant)), turned[sign] ?? sign, .path([attribute.name]))
  }

  /// Conditions on both ends of a dimension.
  private mutating func dimension(_ first: Int) -> [FetchPredicate] {
    let (begin, end) = (Self.attributes[first], Self.attributes[first + 1])
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      return [limit(begin, [.greater, .greaterOrEqual]), limit(end, [.less, .lessOrEqual])]
    case 1: return [limit(begin, [.equal, .notEqual]), limit(end, [.equal, .less, .greater])]
    case 2:
      let range = [value(end.type), value(end.type)].map { FetchExpression.value(.attribute($0)) }
      return [
        limit(begin, [.less, .greater]), .isBetween(.path([end.name]), range[0], range[1]),
      ]
    default:
      return [limit(begin, [.less, .lessOrEqual]), limit(end, [.greater, .greaterOrEqual])]
    }
  }

  /// A condition; attributes of intervals alone where the entity has no more.
  mutating func predicate(_ entity: String, depth: Int = 2) -> FetchPredicate {
    let starts = entity == "Area" ? [0, 2, 4, 6] : [0]
    switch depth == 0 ? 0 : Int.random(in: 0..<8, using: &random) {
    case 4: return .not(predicate(entity, depth: depth - 1))
    case 5: return .or([predicate(entity, depth: depth - 1), predicate(entity, depth: depth - 1)])
    case 6:
      return .and([predicate(entity, depth: depth - 1), predicate(entity, depth: depth - 1)])
    default:
      var parts = dimension(pick(starts))
      if random.chance(50) { parts += dimension(pick(starts)) }
      return .and(parts.shuffled(using: &random))
    }
  }
}
