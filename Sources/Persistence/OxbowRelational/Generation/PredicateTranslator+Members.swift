import OxbowModel

// To-many relationships: members, values and one value of many.

extension PredicateTranslator {
  /// The members of a to-many relationship.
  private struct Members {
    /// The table that they are in, as a scope of its own.
    let scope: TableScope

    /// The condition that links them to their owner.
    let link: String

    /// The key of the owner, when the path to it may end early.
    let owner: String?
  }

  /// The select that a path leads from, and the names after its variable.
  private func start(of path: [String]) throws(PersistenceError) -> (Int, ArraySlice<String>) {
    guard let first = path.first, first.utf8.first == UInt8(ascii: "$") else {
      return (current, path[...])
    }
    guard let scope = variables[first] else {
      throw .unboundVariable(first, among: variables.keys.filter { !$0.hasPrefix(Self.hidden) })
    }
    return (scope, path.dropFirst())
  }

  /// The beginning of variables that no predicate has.
  private static let hidden = "$ "

  /// The table at the end of a path of to-one relationships, and the last name of the path.
  mutating func endpoint(
    at path: [String]
  ) throws(PersistenceError) -> (table: TableScope.JoinedTable, last: String?) {
    let (scope, rest) = try start(of: path)
    let names = mapping.model.joiningParts(Array(rest), from: scopes[scope].root.entity)
    return (try scopes[scope].table(at: names.dropLast()), names.last)
  }

  /// The number of names of a path, with its variable, up to its first to-many relationship.
  private func firstToMany(of path: [String]) throws(PersistenceError) -> Int? {
    if column(at: path) != nil { return nil }
    let (scope, names) = try start(of: path)
    let count = try mapping.model.firstToMany(of: names, from: scopes[scope].root.entity)
    return count.map { $0 + path.count - names.count }
  }

  /// Whether a path passes through a to-many relationship.
  func isMany(_ path: [String]) throws(PersistenceError) -> Bool {
    try firstToMany(of: path) != nil
  }

  /// Says something inside of a select of members.
  ///
  /// `body` gets the number of the select. Returns what it said, and the tables of the select.
  private mutating func inside<R>(
    _ scope: TableScope,
    _ body: (inout PredicateTranslator, Int) throws(PersistenceError) -> R
  ) throws(PersistenceError) -> (R, from: String) {
    let outer = (current, variables)
    scopes.append(scope)
    let result = try body(&self, scopes.count - 1)
    (current, variables) = outer
    return (result, scopes.removeLast().from)
  }

  /// The select of the members of a to-many relationship that meet a condition, or do not.
  mutating func members(
    _ path: [String], where predicate: FetchPredicate, isNegated: Bool
  ) throws(PersistenceError) -> SQLFragment {
    let members = try members(at: path)
    let (condition, from) = try inside(members.scope) {
      (translator, number) throws(PersistenceError) in
      translator.current = number
      return try translator.condition(predicate, isExact: isNegated)
    }
    let test = isNegated ? "NOT (" + condition + ")" : condition
    return "SELECT 1 FROM \(from) WHERE \(members.link) AND " + test
  }

  /// The select of the values of a path that meet a condition, or do not; the condition begins with
  /// the path.
  mutating func values(
    at path: [String], where predicate: FetchPredicate, isNegated: Bool
  ) throws(PersistenceError) -> SQLFragment {
    let count = try firstToMany(of: path) ?? 0
    let members = try members(at: Array(path.prefix(count)))
    let (test, from) = try inside(members.scope) { (translator, number) throws(PersistenceError) in
      let rest = translator.bind(number) + path.dropFirst(count)
      if try translator.isMany(rest) {
        let deeper = try translator.values(at: rest, where: predicate, isNegated: isNegated)
        return "EXISTS (" + deeper + ")"
      }
      let options = try predicate.quantifiedPath(.any).options
      let value = FetchExpression.path(rest).folded(options)
      let condition = try translator.condition(
        predicate.replacingFirst(with: value), isExact: isNegated)
      return isNegated ? "NOT (" + condition + ")" : condition
    }
    return "SELECT 1 FROM \(from) WHERE \(members.link) AND " + test
  }

  /// Makes a path of a hidden variable that is the object of a select.
  private mutating func bind(_ number: Int) -> [String] {
    let name = Self.hidden + "\(number)"
    variables[name] = number
    return [name]
  }

  /// The number of members of a to-many relationship; NULL when the path to it ends early.
  mutating func memberCount(_ path: [String]) throws(PersistenceError) -> Operand {
    let members = try members(at: path)
    return Self.guarded(
      SQLFragment("(SELECT count(*) FROM \(members.scope.from) WHERE \(members.link))"), members,
      .integer)
  }

  /// The number of members that meet a condition; NULL when the path to them ends early.
  mutating func memberCount(
    _ path: [String], _ variable: String, where predicate: FetchPredicate
  ) throws(PersistenceError) -> Operand {
    let members = try members(at: path)
    let (condition, from) = try inside(members.scope) {
      (translator, number) throws(PersistenceError) in
      translator.variables["$" + variable] = number
      return try translator.condition(predicate, isExact: false)
    }
    return Self.guarded(
      "(SELECT count(*) FROM \(from) WHERE \(members.link) AND " + condition + ")", members,
      .integer)
  }

  /// One value of all at the end of a path; NULL when the path ends before its to-many
  /// relationship.
  mutating func aggregate(
    _ aggregate: FetchAggregate, _ path: [String]
  ) throws(PersistenceError) -> Operand {
    let word = "@" + aggregate.rawValue
    guard let count = try firstToMany(of: path) else { throw .notMany(word, path) }
    let members = try members(at: Array(path.prefix(count)))
    let (value, from) = try inside(members.scope) { (translator, number) throws(PersistenceError) in
      let rest = translator.bind(number) + path.dropFirst(count)
      guard try !translator.isMany(rest) else { throw .tooMany(word, path) }
      return translator.numeric(try translator.operand(.path(rest)))
    }
    let (select, kind) = try aggregate.select(value, collated(value), dialect)
    var result = Self.guarded(
      "(SELECT " + select + " FROM \(from) WHERE \(members.link))", members, kind)
    result.codec = aggregate.codec(of: kind, from: value)
    if aggregate != .sum { result.isNeverNull = false }
    return result
  }

  private static func guarded(
    _ select: SQLFragment, _ members: Members, _ kind: Kind
  ) -> Operand {
    guard let owner = members.owner else {
      return Operand(fragment: select, kind: kind, isNeverNull: kind != .real)
    }
    return Operand(fragment: "CASE WHEN \(owner) IS NOT NULL THEN " + select + " END", kind: kind)
  }

  private var innerPrefix: String { "s\(scopes.count)_" }

  /// The members of the to-many relationship at the end of a path.
  private mutating func members(at path: [String]) throws(PersistenceError) -> Members {
    let (owner, last) = try endpoint(at: path)
    let name = last ?? ""
    let property = try owner.entity.requireProperty(named: name)
    guard let relationship = property.relationship, relationship.isToMany else {
      throw PersistenceError(
        .invalidPredicate,
        "'\(name)' of '\(owner.entity.name)' is not a to-many relationship; 'any', 'all' and 'count' "
          + "need one")
    }
    let entity = mapping.model.entities[relationship.destination]
    let (head, link) = try tables(relationship, entity, of: owner, name)
    let names = try start(of: path).1
    return Members(
      scope: TableScope(mapping, entity: entity, prefix: innerPrefix, head: head), link: link,
      owner: names.count > 1 ? owner.key : nil)
  }

  /// The tables of the members and the condition that links them to their owner.
  private func tables(
    _ relationship: CompiledRelationship, _ entity: CompiledEntity,
    of owner: TableScope.JoinedTable,
    _ name: String
  ) throws(PersistenceError) -> (head: String, link: String) {
    let table = mapping.entities[entity.index]
    let alias = innerPrefix + "0"
    if let join = mapping.join(of: relationship) {
      let head =
        "\(quoted(join.table)) AS \(alias)j JOIN \(quoted(table.table)) AS \(alias) ON "
        + "\(alias).\(quoted(table.keyColumn)) = \(alias)j.\(quoted(join.otherColumn))"
      return (head, "\(alias)j.\(quoted(join.column)) = \(owner.key)")
    }
    guard let inverse = mapping.model.inverse(of: relationship),
      let column = mapping.entities[inverse.entity].column(ofProperty: inverse.property)
    else { throw .notToOne(name, of: owner.entity.name) }
    let key = mapping.entities[inverse.entity].columns[column].name
    return ("\(quoted(table.table)) AS \(alias)", "\(alias).\(quoted(key)) = \(owner.key)")
  }
}

extension FetchAggregate {
  /// What a select of values gives one of, and what that is.
  func select(
    _ value: PredicateTranslator.Operand, _ ordered: SQLFragment, _ dialect: any Dialect
  ) throws(PersistenceError) -> (SQLFragment, PredicateTranslator.Kind) {
    let text = value.fragment
    switch (self, value.kind) {
    case (.sum, .integer): return ("coalesce(sum(" + text + "), 0)", .integer)
    // The sum of both infinities is not a number, which is NULL and not 0.
    case (.sum, .real):
      return ("CASE WHEN count(" + text + ") > 0 THEN sum(" + text + ") ELSE 0 END", .real)
    case (.sum, .decimal):
      return (dialect.decimalSum(text), .decimal)
    case (.average, .integer): return (dialect.call(.wholeAverage, text), .real)
    case (.average, .real): return ("avg(" + text + ")", .real)
    case (.average, .decimal): return (dialect.call(.decimalAverage, text), .decimal)
    case (.sum, _), (.average, _), (_, .boolean), (_, .object), (_, .null):
      throw .notAggregated(self, value.kind.rawValue)
    case (.min, let kind): return ("min(" + ordered + ")", kind)
    case (.max, let kind): return ("max(" + ordered + ")", kind)
    }
  }

  /// How what a select gives is kept: a decimal number that is computed is a text.
  func codec(
    of kind: PredicateTranslator.Kind, from value: PredicateTranslator.Operand
  ) -> ColumnCodec? {
    if kind == .decimal, self == .sum || self == .average { return .decimalText }
    return kind == value.kind ? value.codec : nil
  }
}
