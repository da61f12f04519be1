extension Sequence where Element: Hashable {
  /// Each element once, in the order of their first occurrences.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Sequence {
  /// The elements by a key, in the order of the keys: what is done for each group happens in the
  /// same order in every run.
  func grouped<Key: Hashable & Comparable>(
    by key: (Element) -> Key
  ) -> [(key: Key, value: [Element])] {
    Dictionary(grouping: self, by: key).sorted { $0.key < $1.key }
  }
}
