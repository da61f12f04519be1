extension Sequence where Element: Hashable {
  /// Each element once, in the order of their first occurrences.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Sequence {
  /// The elements by a key, in the order of the keys, so that every run handles them in the same
  /// order.
  func grouped<Key: Hashable & Comparable>(
    by key: (Element) -> Key
  ) -> [(key: Key, value: [Element])] {
    let elements = Array(self)
    guard let first = elements.first.map(key) else { return [] }
    // Mostly there is one group, which needs no look-ups (docs/performance.md, D).
    if elements.allSatisfy({ key($0) == first }) { return [(first, elements)] }
    return Dictionary(grouping: elements, by: key).sorted { $0.key < $1.key }
  }
}
