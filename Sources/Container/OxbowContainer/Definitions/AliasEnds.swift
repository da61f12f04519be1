/// Where aliases lead, each of them followed once.
package struct AliasEnds {
  /// The name at the end of each alias; none for one that leads into a circle.
  package private(set) var ends: [String: String] = [:]
  /// The aliases that lead to each other, by the one whose name comes first, with which they begin.
  package private(set) var circles: [String: [String]] = [:]

  /// Follows aliases, which are given with their targets.
  package init(_ targets: [String: String]) {
    var known: Set<String> = []
    for name in targets.keys where !known.contains(name) {
      let path = follow(name, targets, known)
      known.formUnion(path)
    }
  }

  /// Follows an alias to what is known, or to the end.
  ///
  /// - Returns: The aliases on the way.
  private mutating func follow(
    _ name: String, _ targets: [String: String], _ known: Set<String>
  ) -> [String] {
    var path: [String] = []
    var positions: [String: Int] = [:]
    var next = name
    while let target = targets[next], positions[next] == nil, !known.contains(next) {
      positions[next] = path.count
      path.append(next)
      next = target
    }
    if let start = positions[next] {
      add(circle: path[start...])
    } else if let end = known.contains(next) ? ends[next] : next {
      for alias in path { ends[alias] = end }
    }
    return path
  }

  private mutating func add(circle: ArraySlice<String>) {
    guard let first = circle.min(), let start = circle.firstIndex(of: first) else { return }
    circles[first] = Array(circle[start...] + circle[..<start])
  }
}
