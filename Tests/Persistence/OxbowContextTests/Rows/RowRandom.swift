import OxbowContext
import OxbowModel

/// Draws questions for values over the entities of a ``Market``.
extension DifferentialRandom {
  private mutating func attribute() -> (name: String, type: AttributeType) {
    one(of: Market.attributes)
  }

  private mutating func path(_ name: String) -> String {
    one(of: ["", "", "", "parent.", "shop.", "gone.", "parent.shop.", "parent.gone."]) + name
  }

  private mutating func key() -> String {
    switch Int.random(in: 0..<8, using: &self) {
    case 0: path(one(of: ["rank + 1", "rank ?? 7", "TERNARY(rank > 1, 1, 0)"]))
    case 1: path("day")
    case 2: one(of: ["shop", "parent", "gone", "SELF", "parent.shop", "parent.gone"])
    case 3, 4:
      one(of: ["year", "month", "day", "hour", "weekday"])
        + "(\(path("day"))\(one(of: ["", ", 'Europe/Berlin'", ", 'Asia/Kolkata'", ", 'America/New_York'"])))"
    case 5: one(of: ["tags.@count", "children.@sum.rank", "flag", "link", "bytes"])
    default: path(attribute().name)
    }
  }

  private mutating func aggregate() -> String {
    switch Int.random(in: 0..<7, using: &self) {
    case 0: "count()"
    case 1: "count(\(path(attribute().name)))"
    case 2: "count(distinct \(path(attribute().name)))"
    case 3: "\(one(of: ["min", "max"]))(\(path(attribute().name)))"
    case 4: "sum(rank * 2 + small)"
    default:
      "\(one(of: ["sum", "avg"]))(\(path(one(of: ["rank", "small", "ratio", "factor", "price"]))))"
    }
  }

  /// A question for rows, groups or neither; not each of them can be answered.
  mutating func rowRequest() -> RowRequest {
    let hasGroups = chance(75)
    var keys: [String] = (0..<Int.random(in: hasGroups ? 0...2 : 1...3, using: &self)).map { _ in
      key()
    }
    keys = Array(Set(keys)).sorted()
    var names: [String] = []
    var columns: [FetchColumn] = []
    for (number, key) in keys.enumerated() {
      names.append("k\(number)")
      columns.append(FetchColumn("\(key) as k\(number)"))
    }
    if hasGroups {
      for number in 0...Int.random(in: 0...2, using: &self) {
        names.append("a\(number)")
        columns.append(FetchColumn("\(aggregate()) as a\(number)"))
      }
    }
    var request = RowRequest(chance(85) ? "Item" : "Special", columns)
    if chance(50) { request.predicate = predicate(2) }
    if hasGroups, chance(15) {
      request.columns.removeFirst(keys.count)
      names.removeFirst(keys.count)
      request.groupedBy = keys.map { FetchColumn($0) }
    }
    if hasGroups, chance(40) { request.having = condition(on: one(of: names)) }
    request.returnsDistinctResults = chance(25)
    request.includesSubentities = chance(85)
    if chance(60) {
      request.order = [
        RowOrder(one(of: names), ascending: chance(50)),
        RowOrder(one(of: names), ascending: chance(50)),
      ]
    }
    if chance(30) { request.limit = Int.random(in: 0...6, using: &self) }
    if chance(20) { request.offset = Int.random(in: 0...3, using: &self) }
    return request
  }

  private mutating func condition(on name: String) -> FetchPredicate {
    switch Int.random(in: 0..<5, using: &self) {
    case 0: .isNil(name)
    case 1: .not(.greater(name, 1))
    case 2: .and([.greaterOrEqual(name, 0), .less(name, 5)])
    case 3: .isIn(.path([name]), [1.fetchValue, 2.fetchValue, .null])
    default: .greater(one(of: ["count(rank)", name]), 1)
    }
  }
}
