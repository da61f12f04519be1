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
    return try Substitution(values: values.mapValues { $0.argumentValue }).replaced(self)
  }

  /// The value of a variable, or of the rest of a path that begins with it.
  package typealias Source = ([String]) throws(PersistenceError) -> FetchValue

  /// The condition with values in place of variables and of the paths that begin with them.
  package func substituting(
    sources: [String: Source]
  ) throws(PersistenceError) -> FetchPredicate {
    try requireLimitedDepth()
    let found = Substitution(values: [:], isCollecting: true)
    _ = try found.replaced(self)
    var values: [String: FetchArgumentValue] = [:]
    for path in found.names.paths {
      guard let variable = path.first, let value = sources[String(variable.dropFirst())] else {
        continue
      }
      values[String(path.joined(separator: ".").dropFirst())] =
        .value(try value(Array(path.dropFirst())))
    }
    return try Substitution(values: values).replaced(self)
  }

  /// The names of the variables that no `SUBQUERY` binds, sorted.
  public var variableNames: [String] {
    let found = Substitution(values: [:], isCollecting: true)
    _ = try? found.replaced(self)
    return found.names.all.sorted()
  }
}

/// Values for variables.
private struct Substitution {
  final class Names {
    var all: Set<String> = []
    var paths: Set<[String]> = []
  }

  let values: [String: FetchArgumentValue]

  /// The variables that subqueries around the present expression bind.
  var bound: Set<String> = []

  let isCollecting: Bool

  let names = Names()

  init(values: [String: FetchArgumentValue], isCollecting: Bool = false) {
    self.values = values
    self.isCollecting = isCollecting
  }

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

extension Substitution {
  func replaced(_ predicate: FetchPredicate) throws(PersistenceError) -> FetchPredicate {
    switch predicate {
    case .text(.path(let path), .contains, let part, let options):
      switch try value(for: path) {
      case nil: break
      case .value(let text): return .text(.value(text), .contains, try replaced(part), options)
      case .list(let list):
        return .isIn(try replaced(part).folded(options), list.map { $0.folded(options) })
      }
    case .any(let path, _), .all(let path, _): try check(path)
    case .quantified(let quantifier, let inner):
      try check(try inner.quantifiedPath(quantifier).path)
    default: break
    }
    return try predicate.mapParts(replaced, replaced)
  }

  private func replaced(_ expression: FetchExpression) throws(PersistenceError) -> FetchExpression {
    switch expression {
    case .path(let path): return try single(path).map { .value($0) } ?? expression
    case .count(let path), .aggregate(_, let path):
      try check(path)
      return expression
    case .subqueryCount(let path, let variable, let inner):
      try check(path)
      return .subqueryCount(
        path: path, variable: variable, try binding("$" + variable).replaced(inner))
    default: return try expression.mapParts(replaced, replaced)
    }
  }
}
