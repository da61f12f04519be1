import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Draws conditions, orders and requests about the entities of a drawn model.
struct AnyQuestion {
  let model: AnyModel
  /// The store that constants are objects of.
  let store: UUID
  var random: SeededRandom

  /// Whether attributes that only a save computes are left out.
  var avoidsDerived = false

  init(_ world: AnyWorld, _ random: SeededRandom) {
    model = world.model
    store = world.coordinator.storeIdentifier
    self.random = random
  }

  /// What paths begin at: an object of an entity, and members that have a variable.
  struct Scope {
    var entity: Int
    var variables: [(name: String, entity: Int)] = []
  }

  typealias Place = (path: [String], leaf: AnyModel.Leaf)

  private static let numbers: Set<AttributeType> = [
    .integer16, .integer32, .integer64, .double, .float, .decimal,
  ]

  // MARK: Paths

  private mutating func start(_ scope: Scope) -> (path: [String], entity: Int) {
    if !scope.variables.isEmpty, random.chance(50) {
      let variable = random.one(of: scope.variables)
      return (["$" + variable.name], variable.entity)
    }
    return ([], scope.entity)
  }

  /// A path of to-one relationships.
  private mutating func way(_ scope: Scope) -> (path: [String], entity: Int) {
    way(from: start(scope))
  }

  private mutating func way(
    from start: (path: [String], entity: Int)
  ) -> (path: [String], entity: Int) {
    var (path, entity) = start
    for _ in 0..<random.one(of: [0, 0, 1, 1, 2]) {
      guard let link = link(of: entity, isToMany: false) else { break }
      path.append(link.name)
      entity = link.destination
    }
    return (path, entity)
  }

  private mutating func link(of entity: Int, isToMany: Bool) -> AnyModel.Link? {
    model.entities[entity].links.filter { $0.isToMany == isToMany }
      .randomElement(using: &random)
  }

  private mutating func leaf(of entity: Int, _ types: Set<AttributeType>?) -> AnyModel.Leaf? {
    model.entities[entity].leaves.filter {
      (types?.contains($0.type) ?? true) && !($0.isDerived && avoidsDerived)
    }.randomElement(using: &random)
  }

  /// A path to an attribute, of one of the types; a few attempts find one, or none.
  private mutating func place(_ scope: Scope, _ types: Set<AttributeType>? = nil) -> Place? {
    for _ in 0..<4 {
      let (path, entity) = way(scope)
      if let leaf = leaf(of: entity, types) { return (path + names(leaf), leaf) }
    }
    return nil
  }

  private func names(_ leaf: AnyModel.Leaf) -> [String] {
    leaf.name.split(separator: ".").map(String.init)
  }

  /// A path to the objects of a to-many relationship.
  private mutating func members(_ scope: Scope) -> (path: [String], entity: Int)? {
    for _ in 0..<4 {
      let (path, entity) = way(scope)
      if let link = link(of: entity, isToMany: true) {
        return (path + [link.name], link.destination)
      }
    }
    return nil
  }

  /// A path through to-many relationships, one or several, to an attribute.
  private mutating func manyPlace(
    _ scope: Scope, _ types: Set<AttributeType>? = nil, isSingle: Bool = false
  ) -> Place? {
    for _ in 0..<3 {
      guard let members = members(scope) else { return nil }
      var (path, entity) = way(from: members)
      if !isSingle, random.chance(25), let link = link(of: entity, isToMany: true) {
        (path, entity) = (path + [link.name], link.destination)
      }
      if let leaf = leaf(of: entity, types) { return (path + names(leaf), leaf) }
    }
    return nil
  }

  // MARK: Expressions

  private mutating func constant(_ type: AttributeType) -> FetchValue {
    .attribute(random.value(of: type))
  }

  private mutating func object(_ entity: Int) -> FetchValue {
    let name = model.entities[entity].name
    var root = entity
    while let parent = model.entities[root].parent { root = parent }
    return .object(
      ManagedObjectID(
        store: random.chance(95) ? store : UUID(), rootEntityName: model.entities[root].name,
        entityName: name, key: Int64.random(in: 1...30, using: &random)))
  }

  /// What can be compared with values of a type.
  private func comparable(_ type: AttributeType) -> Set<AttributeType> {
    Self.numbers.contains(type) ? Self.numbers : [type]
  }

  private mutating func operand(
    _ scope: Scope, _ type: AttributeType, _ depth: Int
  ) -> FetchExpression {
    guard let place = place(scope, comparable(type)) else { return .value(constant(type)) }
    let plain = FetchExpression.path(place.path)
    guard depth > 0 else { return plain }
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return .value(constant(type))
    case 1: return .coalesced(plain, operand(scope, place.leaf.type, depth - 1))
    case 2:
      return .conditional(
        predicate(scope, depth - 1), plain, operand(scope, place.leaf.type, depth - 1))
    case 3 where type == .boolean: return .condition(predicate(scope, depth - 1))
    case 3 where type == .string: return .folded(plain, options())
    case 4, 5: return Self.numbers.contains(type) ? number(scope, depth) : plain
    default: return plain
    }
  }

  private mutating func number(_ scope: Scope, _ depth: Int) -> FetchExpression {
    switch Int.random(in: 0..<(depth > 0 ? 14 : 4), using: &random) {
    case 0, 1: return number(at: place(scope, Self.numbers))
    case 2: return members(scope).map { .count(path: $0.path) } ?? .value(2.fetchValue)
    case 3:
      return .value(constant(random.one(of: [.integer16, .integer64, .double, .decimal])))
    case 4: return .negated(number(scope, depth - 1))
    case 5: return .coalesced(number(scope, depth - 1), number(scope, depth - 1))
    case 6:
      return .conditional(
        predicate(scope, depth - 1), number(scope, depth - 1), number(scope, depth - 1))
    case 7, 8: return aggregate(scope) ?? .value(1.fetchValue)
    case 9: return subqueryCount(scope, depth - 1) ?? .value(1.fetchValue)
    case 10:
      return .arithmetic(
        number(scope, depth - 1),
        random.one(of: [
          .divide, .remainder, .bitwiseAnd, .bitwiseOr, .bitwiseExclusiveOr, .power,
        ]),
        .value(random.one(of: [2, -2, 3]).fetchValue))
    default:
      return .arithmetic(
        number(scope, depth - 1), random.one(of: [.add, .subtract, .multiply]),
        number(scope, depth - 1))
    }
  }

  private func number(at place: Place?) -> FetchExpression {
    place.map { .path($0.path) } ?? .value(0.fetchValue)
  }

  private mutating func aggregate(_ scope: Scope) -> FetchExpression? {
    let function = random.one(of: FetchAggregate.allCases)
    let types: Set<AttributeType>? =
      function == .sum || function == .average || random.chance(70) ? Self.numbers : nil
    return manyPlace(scope, types, isSingle: true).map { .aggregate(function, path: $0.path) }
  }

  private mutating func subqueryCount(_ scope: Scope, _ depth: Int) -> FetchExpression? {
    guard let members = members(scope) else { return nil }
    let variable = "x\(scope.variables.count)"
    var inner = scope
    inner.variables.append((variable, members.entity))
    return .subqueryCount(
      path: members.path, variable: variable, predicate(inner, max(depth, 0)))
  }

  private mutating func options() -> TextOptions {
    random.one(of: [
      [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ])
  }

  private mutating func order() -> ComparisonOperator {
    random.one(of: [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
  }

  // MARK: Conditions

  mutating func predicate(_ scope: Scope, _ depth: Int) -> FetchPredicate {
    for _ in 0..<5 {
      if let predicate = attempt(scope, depth) { return predicate }
    }
    return .constant(random.chance(70))
  }

  private mutating func attempt(_ scope: Scope, _ depth: Int) -> FetchPredicate? {
    switch Int.random(in: 0..<(depth > 0 ? 30 : 14), using: &random) {
    case 0...3: comparison(scope, depth)
    case 4: membership(scope, depth)
    case 5: between(scope, depth)
    case 6, 7: search(scope, depth)
    case 8: .comparison(number(scope, depth), order(), number(scope, depth))
    case 9, 10: reference(scope)
    case 11: place(scope, [.boolean]).map { .truth(.path($0.path)) }
    case 12: foldedComparison(scope)
    case 13: place(scope, [.date]).map { .comparison(.path($0.path), order(), .now) }
    case 14, 15: .and(parts(scope, depth))
    case 16, 17: .or(parts(scope, depth))
    case 18, 19: .not(predicate(scope, depth - 1))
    case 20, 21: any(scope, depth, FetchPredicate.any)
    case 22: any(scope, depth, FetchPredicate.all)
    case 23, 24: quantifiedComparison(scope, depth)
    case 25: quantifiedSearch(scope)
    case 26:
      subqueryCount(scope, depth - 1).map {
        .comparison($0, order(), .value(random.one(of: [0, 1, 2]).fetchValue))
      }
    case 27: aggregate(scope).map { .comparison($0, order(), number(scope, 0)) }
    case 28: collection(scope)
    default:
      .comparison(
        .condition(predicate(scope, depth - 1)), random.one(of: [.equal, .notEqual]),
        .value(random.chance(50).fetchValue))
    }
  }

  private mutating func parts(_ scope: Scope, _ depth: Int) -> [FetchPredicate] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in predicate(scope, depth - 1) }
  }

  private mutating func comparison(_ scope: Scope, _ depth: Int) -> FetchPredicate? {
    guard let place = place(scope) else { return nil }
    let type = place.leaf.type
    let sign: ComparisonOperator =
      type == .boolean ? random.one(of: [.equal, .notEqual]) : order()
    let other: FetchExpression =
      random.chance(15)
      ? .value(.null)
      : random.chance(55) ? .value(constant(type)) : operand(scope, type, depth - 1)
    let first = random.chance(70) ? .path(place.path) : operand(scope, type, depth - 1)
    return .comparison(first, sign, other)
  }

  private mutating func membership(_ scope: Scope, _ depth: Int) -> FetchPredicate? {
    if random.chance(25), let link = link(of: scope.entity, isToMany: false) {
      return .isIn(
        .path([link.name]),
        (0..<3).map { _ in random.chance(10) ? .null : object(link.destination) })
    }
    guard let place = place(scope) else { return nil }
    let type = place.leaf.type
    var list: [FetchValue] = []
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      list.append(random.chance(15) ? .null : constant(type))
    }
    if Self.numbers.contains(type), random.chance(30) {
      list.append(random.one(of: [3.fetchValue, Decimal(3).fetchValue, 0.5.fetchValue]))
    }
    // Long lists go another way to the store.
    if random.chance(3) { list += (0..<1001).map { _ in constant(type) } }
    return .isIn(operand(scope, type, depth - 1), list)
  }

  private mutating func between(_ scope: Scope, _ depth: Int) -> FetchPredicate? {
    guard let place = place(scope), place.leaf.type != .boolean else { return nil }
    let type = place.leaf.type
    return .isBetween(
      .path(place.path), .value(constant(type)),
      random.chance(60) ? .value(constant(type)) : operand(scope, type, depth - 1))
  }

  private mutating func search(_ scope: Scope, _ depth: Int) -> FetchPredicate? {
    guard place(scope, [.string]) != nil else { return nil }
    let text = operand(scope, .string, depth - 1)
    switch Int.random(in: 0..<5, using: &random) {
    case 4:
      let search = random.one(of: ["a", "b*", "a OR é", "ss NOT a", "\"a b\"", "1* OR e", ""])
      return .words([text, operand(scope, .string, 0)], .value(search.fetchValue))
    case 0:
      let pattern = random.one(of: [
        "a*", "*b", "?", "*", "A?", "*é*", "?\u{301}*", "a\\*b", "", "*s*s", "e", "*1*",
      ])
      return .text(text, .like, .value(pattern.fetchValue), options())
    case 1:
      let pattern = random.one(of: [
        "a|ab", "[a-f]+", ".*", ".", "(?i)A.*", "é", "\\p{Lu}+", "a.b", "", "[0-9]+",
      ])
      return .text(text, .matches, .value(pattern.fetchValue), options())
    default:
      return .text(
        text, random.one(of: [.contains, .beginsWith, .endsWith, .like]),
        random.chance(60) ? .value(constant(.string)) : operand(scope, .string, 0), options())
    }
  }

  private mutating func foldedComparison(_ scope: Scope) -> FetchPredicate? {
    guard let place = place(scope, [.string]) else { return nil }
    let options = options()
    let other = random.chance(50) ? .value(constant(.string)) : operand(scope, .string, 0)
    return .comparison(.folded(.path(place.path), options), order(), .folded(other, options))
  }

  /// An object compared with another one.
  private mutating func reference(_ scope: Scope) -> FetchPredicate? {
    let (path, entity) = way(scope)
    let other: FetchExpression =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: .value(.null)
      case 1: .path(way(scope).path)
      default: .value(object(entity))
      }
    return .comparison(.path(path), random.one(of: [.equal, .notEqual]), other)
  }

  private mutating func any(
    _ scope: Scope, _ depth: Int, _ make: ([String], FetchPredicate) -> FetchPredicate
  ) -> FetchPredicate? {
    guard let members = members(scope) else { return nil }
    var inner = scope
    inner.entity = members.entity
    return make(members.path, predicate(inner, depth - 1))
  }

  private mutating func quantifiedComparison(_ scope: Scope, _ depth: Int) -> FetchPredicate? {
    guard let place = manyPlace(scope) else { return nil }
    let type = place.leaf.type
    let path = FetchExpression.path(place.path)
    let sign: ComparisonOperator =
      type == .boolean ? random.one(of: [.equal, .notEqual]) : order()
    let condition: FetchPredicate =
      switch Int.random(in: 0..<5, using: &random) {
      case 0: .comparison(path, random.one(of: [.equal, .notEqual]), .value(.null))
      case 1: .comparison(path, sign, operand(scope, type, depth - 1))
      case 2: .isIn(path, [constant(type), constant(type), .null])
      case 3 where type != .boolean:
        .isBetween(path, .value(constant(type)), .value(constant(type)))
      default: .comparison(path, sign, .value(constant(type)))
      }
    return .quantified(random.one(of: FetchQuantifier.allCases), condition)
  }

  private mutating func quantifiedSearch(_ scope: Scope) -> FetchPredicate? {
    guard let place = manyPlace(scope, [.string]) else { return nil }
    let other: FetchExpression =
      random.chance(60) ? .value(constant(.string)) : operand(scope, .string, 0)
    if random.chance(15) {
      return .quantified(
        random.one(of: FetchQuantifier.allCases),
        .words([.path(place.path)], .value(random.one(of: ["a", "b* OR e", "ss"]).fetchValue)))
    }
    return .quantified(
      random.one(of: FetchQuantifier.allCases),
      .text(
        .path(place.path), random.one(of: [.beginsWith, .endsWith, .like, .contains]), other,
        options()))
  }

  private mutating func collection(_ scope: Scope) -> FetchPredicate? {
    if random.chance(50) {
      guard let members = members(scope) else { return nil }
      let other: FetchExpression =
        random.chance(50) ? .value(object(members.entity)) : .path(way(scope).path)
      return .text(.path(members.path), .contains, other, [])
    }
    guard let place = manyPlace(scope) else { return nil }
    return .text(.path(place.path), .contains, .value(constant(place.leaf.type)), [])
  }
}

// MARK: - Requests

extension AnyQuestion {
  mutating func request() -> FetchRequest<ManagedObject> {
    let entity = Int.random(in: model.entities.indices, using: &random)
    let scope = Scope(entity: entity)
    var request = FetchRequest<ManagedObject>(
      entityNamed: model.entities[entity].name, where: predicate(scope, 3))
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      guard let place = place(scope) else { continue }
      let texts: TextOrder = random.one(of: [
        [], [], .caseInsensitive, .diacriticInsensitive, .numeric, [.caseInsensitive, .numeric],
        .localizedStandard(in: Locale(identifier: "sv_SE")),
      ])
      request.sortKeys.append(
        SortKey(
          place.path.joined(separator: "."), ascending: random.chance(50),
          comparing: place.leaf.type == .string ? texts : []))
    }
    if random.chance(30) { request.limit = Int.random(in: 0...12, using: &random) }
    if random.chance(20) { request.offset = Int.random(in: 0...5, using: &random) }
    request.includesSubentities = random.chance(85)
    return request
  }

  /// A question for rows, groups or neither; not each of them can be answered.
  mutating func rowRequest() -> RowRequest {
    let entity = Int.random(in: model.entities.indices, using: &random)
    let scope = Scope(entity: entity)
    let hasGroups = random.chance(70)
    var columns: [FetchColumn] = []
    var names: [String] = []
    for number in 0..<Int.random(in: hasGroups ? 0...2 : 1...3, using: &random) {
      columns.append(FetchColumn("\(key(scope)) as k\(number)"))
      names.append("k\(number)")
    }
    if hasGroups {
      for number in 0...Int.random(in: 0...2, using: &random) {
        columns.append(FetchColumn("\(column(scope)) as a\(number)"))
        names.append("a\(number)")
      }
    }
    var request = RowRequest(model.entities[entity].name, columns)
    if random.chance(50) { request.predicate = predicate(scope, 2) }
    if hasGroups, random.chance(40) { request.having = condition(on: random.one(of: names)) }
    request.returnsDistinctResults = random.chance(25)
    request.includesSubentities = random.chance(85)
    if random.chance(60) {
      let texts: TextOrder = random.one(of: [[], [], [], .caseInsensitive, .numeric, .localized])
      request.order = [
        RowOrder(random.one(of: names), ascending: random.chance(50), comparing: texts),
        RowOrder(random.one(of: names), ascending: random.chance(50)),
      ]
    }
    if random.chance(30) { request.limit = Int.random(in: 0...6, using: &random) }
    if random.chance(20) { request.offset = Int.random(in: 0...3, using: &random) }
    return request
  }

  private mutating func text(_ place: Place?) -> String {
    place.map { $0.path.joined(separator: ".") } ?? "SELF"
  }

  private mutating func key(_ scope: Scope) -> String {
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return way(scope).path.joined(separator: ".").nonEmpty
    case 1:
      guard let place = place(scope, [.date]) else { return "SELF" }
      let part = random.one(of: ["year", "month", "day", "hour", "weekday"])
      let zone = random.one(of: ["", ", 'Europe/Berlin'", ", 'America/New_York'"])
      return "\(part)(\(text(place))\(zone))"
    case 2: return "\(number(scope, 1))"
    default: return text(place(scope))
    }
  }

  private mutating func column(_ scope: Scope) -> String {
    let types: Set<AttributeType> = [.integer16, .integer32, .float, .decimal]
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "count()"
    case 1: return "count(\(text(place(scope))))"
    case 2: return "count(distinct \(text(place(scope))))"
    case 3: return "\(random.one(of: ["min", "max"]))(\(text(place(scope))))"
    default:
      guard let place = place(scope, types) else { return "count()" }
      return "\(random.one(of: ["sum", "avg"]))(\(text(place)))"
    }
  }

  private mutating func condition(on name: String) -> FetchPredicate {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .isNil(name)
    case 1: .not(.greater(name, 1))
    case 2: .and([.greaterOrEqual(name, 0), .less(name, 5)])
    default: .isIn(.path([name]), [1.fetchValue, 2.fetchValue, .null])
    }
  }
}

extension String {
  fileprivate var nonEmpty: String { isEmpty ? "SELF" : self }
}
