/// The object that a condition is about, and the members that subqueries around it have bound.
struct PredicateScope<Subject: PredicateTarget> {
  let subject: Subject
  private var variables: [String: Subject] = [:]

  init(_ subject: Subject) { self.subject = subject }

  /// The scope of a condition on a member of a relationship.
  func entering(_ member: Subject) -> PredicateScope {
    var inner = PredicateScope(member)
    inner.variables = variables
    return inner
  }

  /// The scope of a condition in which a variable is a member.
  func binding(_ variable: String, to member: Subject) -> PredicateScope {
    var inner = self
    inner.variables[variable] = member
    return inner
  }

  /// The object where a path starts, and the names after it.
  private func start(of path: [String]) throws(PersistenceError) -> (Subject, ArraySlice<String>) {
    guard let first = path.first, first.utf8.first == UInt8(ascii: "$") else {
      return (subject, path[...])
    }
    guard let member = variables[first] else {
      throw .unboundVariable(first, among: Array(variables.keys))
    }
    return (member, path.dropFirst())
  }

  func value(at path: [String]) throws(PersistenceError) -> FetchValue {
    let (start, names) = try start(of: path)
    return try start.value(at: Array(names))
  }

  func members(at path: [String]) throws(PersistenceError) -> [Subject]? {
    let (start, names) = try start(of: path)
    return try start.members(at: Array(names))
  }

  /// Whether a path passes through a to-many relationship.
  func isMany(_ path: [String]) throws(PersistenceError) -> Bool {
    let (start, names) = try start(of: path)
    return try start.predicateModel.firstToMany(of: names, from: start.predicateEntity) != nil
  }

  /// The values at the end of a path through to-many relationships; none when it ends before the
  /// first of them.
  func values(at path: [String], for word: String) throws(PersistenceError) -> [FetchValue] {
    let (start, names) = try start(of: path)
    guard let values = try start.values(at: names) else { throw .notMany(word, path) }
    return values
  }

  /// The values of an aggregate; `nil` when the path ends before its to-many relationship.
  func aggregated(
    _ path: [String], _ aggregate: FetchAggregate
  ) throws(PersistenceError) -> [FetchValue]? {
    let word = "@" + aggregate.rawValue
    let (start, names) = try start(of: path)
    let model = start.predicateModel
    guard let count = try model.firstToMany(of: names, from: start.predicateEntity) else {
      throw .notMany(word, path)
    }
    guard let members = try start.members(at: Array(names.prefix(count))) else { return nil }
    var values: [FetchValue] = []
    for member in members {
      let rest = names.dropFirst(count)
      guard try model.firstToMany(of: rest, from: member.predicateEntity) == nil else {
        throw .tooMany(word, path)
      }
      values.append(try member.value(at: Array(rest)))
    }
    return values
  }
}

extension PredicateTarget {
  /// The values at the end of a path through to-many relationships, or `nil` when it has none.
  fileprivate func values(
    at path: ArraySlice<String>
  ) throws(PersistenceError) -> [FetchValue]? {
    guard let count = try predicateModel.firstToMany(of: path, from: predicateEntity) else {
      return nil
    }
    var result: [FetchValue] = []
    let rest = path.dropFirst(count)
    for member in try members(at: Array(path.prefix(count))) ?? [] {
      if let values = try member.values(at: rest) {
        result += values
      } else {
        result.append(try member.value(at: Array(rest)))
      }
    }
    return result
  }
}
