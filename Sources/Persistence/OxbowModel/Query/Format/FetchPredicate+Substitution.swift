extension FetchPredicate {
  /// The condition with values in place of its variables.
  ///
  /// ```swift
  /// let template = try FetchPredicate(format: "author.name == $name AND year IN $years")
  /// let predicate = try template.substituting(["name": "Lem", "years": [1961, 1968]])
  /// ```
  ///
  /// Variables that a `SUBQUERY` binds remain. Values without a variable are left alone.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidPredicate`, which names a variable without a
  ///   value, or a value that does not fit where its variable is.
  public func substituting(
    _ values: [String: (any FetchArgument)?]
  ) throws(PersistenceError) -> FetchPredicate {
    try requireLimitedDepth()
    return try replacing(Substitution(values: values.mapValues { $0.argumentValue }))
  }

  /// What a variable stands for, or a path that begins with it.
  package typealias Source = ([String]) throws(PersistenceError) -> FetchValue

  /// The condition with values in place of variables and of the paths that begin with them.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidPredicate`, and what a source throws.
  package func substituting(
    sources: [String: Source]
  ) throws(PersistenceError) -> FetchPredicate {
    try requireLimitedDepth()
    var found = Substitution(values: [:])
    found.isCollecting = true
    _ = try replacing(found)
    var values: [String: FetchArgumentValue] = [:]
    for path in found.names.paths {
      guard let variable = path.first, let value = sources[String(variable.dropFirst())] else {
        continue
      }
      values[String(path.joined(separator: ".").dropFirst())] =
        .value(try value(Array(path.dropFirst())))
    }
    return try replacing(Substitution(values: values))
  }

  /// The names of the variables that no `SUBQUERY` binds, sorted.
  public var variableNames: [String] {
    var found = Substitution(values: [:])
    found.isCollecting = true
    _ = try? replacing(found)
    return found.names.all.sorted()
  }
}

/// Values for variables.
private struct Substitution {
  /// The variables that were found.
  final class Names {
    var all: Set<String> = []
    var paths: Set<[String]> = []
  }

  let values: [String: FetchArgumentValue]

  /// The variables that subqueries around the present expression bind.
  var bound: Set<String> = []

  /// Whether variables are only noted.
  var isCollecting = false

  let names = Names()

  init(values: [String: FetchArgumentValue]) { self.values = values }

  func binding(_ variable: String) -> Substitution {
    var inner = self
    inner.bound.insert(variable)
    return inner
  }

  /// The value for a path, or `nil` when it does not begin with a variable that is free.
  func value(for path: [String]) throws(PersistenceError) -> FetchArgumentValue? {
    guard let first = path.first, first.hasPrefix("$"), !bound.contains(first) else { return nil }
    let name = String(first.dropFirst())
    if isCollecting {
      names.all.insert(name)
      names.paths.insert(path)
      return nil
    }
    if let value = values[String(path.joined(separator: ".").dropFirst())] { return value }
    guard let value = values[name] else {
      throw .unboundVariable(first, among: values.keys.map { "$" + $0 })
    }
    guard path.count == 1 else {
      throw PersistenceError(
        .invalidPredicate,
        "'\(path.joined(separator: "."))' asks for a property of the value of a variable; compare "
          + "the object itself, or give the property's value")
    }
    return value
  }

  func single(_ path: [String]) throws(PersistenceError) -> FetchValue? {
    switch try value(for: path) {
    case nil: return nil
    case .value(let value): return value
    case .list:
      throw PersistenceError(
        .invalidPredicate,
        "the value of '\(path.joined(separator: "."))' is a list, and one value is needed; a list "
          + "is possible after IN")
    }
  }

  /// Checks a path that leads to objects, which no value can be.
  func check(_ path: [String]) throws(PersistenceError) {
    guard try value(for: path) != nil else { return }
    throw PersistenceError(
      .invalidPredicate,
      "'\(path.joined(separator: "."))' leads to objects, and the variable has a value instead")
  }
}

extension FetchPredicate {
  fileprivate func replacing(_ values: Substitution) throws(PersistenceError) -> FetchPredicate {
    func replaced(_ part: FetchPredicate) throws(PersistenceError) -> FetchPredicate {
      try part.replacing(values)
    }
    switch self {
    case .constant, .sql: return self
    case .comparison(let a, let comparison, let b):
      return .comparison(try a.replacing(values), comparison, try b.replacing(values))
    case .text(.path(let path), .contains, let part, let options):
      let part = try part.replacing(values)
      guard let value = try values.value(for: path) else {
        return .text(.path(path), .contains, part, options)
      }
      switch value {
      case .value(let text): return .text(.value(text), .contains, part, options)
      case .list(let list):
        return .isIn(part.folded(options), list.map { $0.folded(options) })
      }
    case .text(let text, let comparison, let part, let options):
      return .text(try text.replacing(values), comparison, try part.replacing(values), options)
    case .isIn(let expression, let list): return .isIn(try expression.replacing(values), list)
    case .isBetween(let a, let b, let c):
      return .isBetween(
        try a.replacing(values), try b.replacing(values), try c.replacing(values))
    case .truth(let expression): return .truth(try expression.replacing(values))
    case .and(let parts): return .and(try parts.map(replaced))
    case .or(let parts): return .or(try parts.map(replaced))
    case .not(let inner): return .not(try inner.replacing(values))
    case .any(let path, let inner):
      try values.check(path)
      return .any(path: path, try inner.replacing(values))
    case .all(let path, let inner):
      try values.check(path)
      return .all(path: path, try inner.replacing(values))
    case .quantified(let quantifier, let inner):
      try values.check(try inner.quantifiedPath(quantifier).path)
      return .quantified(quantifier, try inner.replacing(values))
    }
  }
}

extension FetchExpression {
  fileprivate func replacing(_ values: Substitution) throws(PersistenceError) -> FetchExpression {
    switch self {
    case .value, .now: return self
    case .path(let path): return try values.single(path).map { .value($0) } ?? self
    case .count(let path), .aggregate(_, let path):
      try values.check(path)
      return self
    case .arithmetic(let a, let sign, let b):
      return .arithmetic(try a.replacing(values), sign, try b.replacing(values))
    case .negated(let inner): return .negated(try inner.replacing(values))
    case .coalesced(let a, let b):
      return .coalesced(try a.replacing(values), try b.replacing(values))
    case .conditional(let test, let a, let b):
      return .conditional(
        try test.replacing(values), try a.replacing(values), try b.replacing(values))
    case .condition(let inner): return .condition(try inner.replacing(values))
    case .folded(let inner, let options): return .folded(try inner.replacing(values), options)
    case .subqueryCount(let path, let variable, let inner):
      try values.check(path)
      return .subqueryCount(
        path: path, variable: variable, try inner.replacing(values.binding("$" + variable)))
    }
  }
}
