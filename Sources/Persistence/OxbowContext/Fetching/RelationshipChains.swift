internal import OxbowModel
internal import OxbowStore

/// The relationships that a fetch follows, one after the other, from its object:
/// `author.books.title` follows `author`, then `books`.
///
/// A to-one relationship at the end of a path is not followed: its value is a key of the object
/// itself. Without an inverse it counts all the same, because the deletion of its object changes
/// it.
struct RelationshipChains {
  private let model: CompiledModel

  /// The chains by names, with everything that a longer one begins with.
  private(set) var found: Set<[String]> = []

  /// Whether the condition depends on the current time.
  private(set) var dependsOnTime = false

  /// The chains of a fetch's condition and order, and of values that are read with it.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty`, or `unsupported` for a condition in SQL.
  init(
    of fetch: StoreFetch, _ values: [FetchExpression] = [], in model: CompiledModel
  ) throws(PersistenceError) {
    self.model = model
    let origin = Origin(entity: model.entities[fetch.entity])
    try collect(values, origin)
    if let predicate = fetch.predicate { try collect(predicate, origin) }
    for key in fetch.sortKeys where !key.isRank { try add(key.path, origin) }
  }

  /// The start of paths: the object of a condition, and members that have a variable.
  private struct Origin {
    /// The relationships that lead to it from the fetched object.
    var chain: [String] = []
    var entity: CompiledEntity
    var variables: [String: (chain: [String], entity: CompiledEntity)] = [:]
  }

  /// Adds the relationships of a path.
  ///
  /// - Returns: The end of the path.
  @discardableResult
  private mutating func add(
    _ path: [String], _ origin: Origin
  ) throws(PersistenceError) -> (chain: [String], entity: CompiledEntity) {
    var (chain, entity) = (origin.chain, origin.entity)
    var names = path[...]
    if let member = names.first.flatMap({ origin.variables[$0] }) {
      (chain, entity) = member
      names = names.dropFirst()
    } else if let first = names.first, first.hasPrefix("$") {
      throw .unboundVariable(first, among: Array(origin.variables.keys))
    }
    for (index, name) in names.enumerated() {
      guard let relationship = try entity.requireProperty(named: name).relationship else { break }
      let isKey = index == names.count - 1 && !relationship.isToMany
      chain.append(name)
      entity = model.entities[relationship.destination]
      if !isKey || model.inverse(of: relationship) == nil { found.insert(chain) }
    }
    return (chain, entity)
  }

  private mutating func collect(
    _ predicate: FetchPredicate, _ origin: Origin
  ) throws(PersistenceError) {
    switch predicate {
    case .constant: break
    case .comparison(let a, _, let b), .text(let a, _, let b, _):
      try collect([a, b], origin)
    case .words(let texts, let query): try collect(texts + [query], origin)
    case .isBetween(let a, let b, let c): try collect([a, b, c], origin)
    case .isIn(let expression, _), .truth(let expression): try collect([expression], origin)
    case .and(let parts), .or(let parts): for part in parts { try collect(part, origin) }
    case .not(let part), .quantified(_, let part): try collect(part, origin)
    case .any(let path, let part), .all(let path, let part):
      var member = origin
      (member.chain, member.entity) = try add(path, origin)
      try collect(part, member)
    // The relationships of SQL are not known.
    case .sql(let sql): throw .sqlInMemory(sql)
    }
  }

  private mutating func collect(
    _ expressions: [FetchExpression], _ origin: Origin
  ) throws(PersistenceError) {
    for expression in expressions {
      switch expression {
      case .value: break
      case .now: dependsOnTime = true
      case .path(let path), .count(let path), .aggregate(_, let path): try add(path, origin)
      case .arithmetic(let a, _, let b), .coalesced(let a, let b):
        try collect([a, b], origin)
      case .negated(let inner), .folded(let inner, _): try collect([inner], origin)
      case .conditional(let condition, let a, let b):
        try collect(condition, origin)
        try collect([a, b], origin)
      case .condition(let condition): try collect(condition, origin)
      case .subqueryCount(let path, let variable, let condition):
        var inner = origin
        inner.variables["$" + variable] = try add(path, origin)
        try collect(condition, inner)
      }
    }
  }
}
