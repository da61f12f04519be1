/// What definitions take over from their parents, each worked out once.
final class Heritage {
  /// A definition with what its parents lend, or why there is none.
  enum Result {
    case whole(ObjectDefinition)
    /// The nearest parent that does not exist, and whose it is.
    case missing(parent: String, of: ObjectDefinition)
    /// The names of parents that lead to each other, the first again at the end.
    case circle([String])
  }

  private let named: [String: ObjectDefinition]
  private var known: [String: Result] = [:]

  init(_ named: [String: ObjectDefinition]) { self.named = named }

  /// What becomes of a definition that has a parent or none.
  func result(of definition: ObjectDefinition) -> Result {
    guard let parent = definition.parent else { return .whole(definition) }
    var path = [definition]
    var positions = [definition.name: 0]
    var next = parent
    // Up to what is known, then down again.
    var result: Result?
    while result == nil {
      if let found = known[next] {
        result = found
      } else if let position = positions[next] {
        result = .circle(path[position...].map(\.name) + [next])
      } else if let lender = named[next] {
        positions[next] = path.count
        path.append(lender)
        if let parent = lender.parent { next = parent } else { result = finish(&path) }
      } else {
        result = .missing(parent: next, of: path[path.count - 1])
      }
    }
    return result.map { passOn($0, to: path) } ?? .whole(definition)
  }

  /// The last of a path, which has no parent.
  private func finish(_ path: inout [ObjectDefinition]) -> Result? {
    path.popLast().map { last in
      known[last.name] = .whole(last)
      return .whole(last)
    }
  }

  /// Hands what the last one's parent has become to each on the way down.
  private func passOn(_ lent: Result, to path: [ObjectDefinition]) -> Result {
    var result = lent
    for definition in path.reversed() {
      if case .whole(let lender) = result { result = .whole(definition.takingOver(lender)) }
      // A definition in place is nobody's parent.
      if named[definition.name] != nil { known[definition.name] = result }
    }
    return result
  }
}

extension ObjectDefinition {
  /// The definition with what its parents lend, where these are known and end; else as it is.
  func inheriting(_ heritage: Heritage) -> ObjectDefinition {
    if case .whole(let whole) = heritage.result(of: self) { return whole }
    return self
  }
}
