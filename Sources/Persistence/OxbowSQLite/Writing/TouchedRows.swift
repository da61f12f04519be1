internal import OxbowStore

/// The rows that a save touches, by root and key, and the properties that change there.
struct TouchedRows {
  struct Row {
    var properties: Set<Int> = []
    /// Whether the save is wrong without the row: a link leads to it.
    var isNeeded = false
  }

  private(set) var rows: [ObjectKey: Row] = [:]

  mutating func add(_ key: ObjectKey, _ property: Int?, isNeeded: Bool = false) {
    rows[key, default: Row()].touch(property, isNeeded: isNeeded)
  }

  /// The keys of the rows, in order.
  var keys: [ObjectKey] { rows.keys.sorted { ($0.root, $0.key) < ($1.root, $1.key) } }
}

extension TouchedRows.Row {
  fileprivate mutating func touch(_ property: Int?, isNeeded: Bool) {
    if let property { properties.insert(property) }
    self.isNeeded = self.isNeeded || isNeeded
  }
}
