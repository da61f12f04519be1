internal import OxbowRelational
internal import OxbowStore

/// The next free positions of the orders that a save adds to.
struct NextPositions {
  /// The last position of each order.
  private var last: [LinkPlace.Order: Int64] = [:]
  private var inserted: Set<ObjectKey>?

  /// The next position after the last, which is found out once for each order.
  mutating func take(_ order: LinkPlace.Order, last stored: () throws -> Int64?) throws -> Int64 {
    let position = try nextPosition(behind: try last[order] ?? stored())
    last[order] = position
    return position
  }

  /// Whether an object is new, so that nothing has a position in its orders yet.
  mutating func isInserted(_ key: ObjectKey, _ changes: ChangeSet, root: (Int) -> Int) -> Bool {
    if let inserted { return inserted.contains(key) }
    let all = Set(changes.inserts.map { ObjectKey(root: root($0.entity), key: $0.key) })
    inserted = all
    return all.contains(key)
  }
}
