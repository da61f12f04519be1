internal import OxbowStore

/// The positions of an order's objects, of which as few change as possible.
enum OrderKeys {
  /// Positions for objects in the order that they get, by those that they have now.
  ///
  /// The largest number of objects that are in order already keep theirs. The others share the
  /// gaps; without room in one, all are numbered anew.
  static func positions(now: [Int64?]) -> [Int64] {
    filled(kept(now))
      ?? now.indices.map {
        ChangeSet.firstPosition + Int64($0) * ChangeSet.positionStep
      }
  }

  /// The positions that rise from one to the next, as many as possible; `nil` for the others.
  private static func kept(_ now: [Int64?]) -> [Int64?] {
    var ends: [Int] = []
    var former = [Int?](repeating: nil, count: now.count)
    for (index, position) in now.enumerated() {
      guard let position, position > 0, position < Int64.max >> 1 else { continue }
      // The first chain whose end is not before this position.
      let place = ends.partitioningIndex { now[$0] ?? 0 >= position }
      former[index] = place > 0 ? ends[place - 1] : nil
      if place < ends.count { ends[place] = index } else { ends.append(index) }
    }
    var kept = [Int64?](repeating: nil, count: now.count)
    var index = ends.last
    while let place = index {
      kept[place] = now[place]
      index = former[place]
    }
    return kept
  }

  /// The positions with those between, before and behind them; `nil` if there is no room.
  private static func filled(_ kept: [Int64?]) -> [Int64]? {
    var positions: [Int64] = []
    var start = 0
    while start < kept.count {
      if let position = kept[start] {
        positions.append(position)
        start += 1
        continue
      }
      let end = kept[start...].firstIndex { $0 != nil } ?? kept.count
      guard
        let gap = gap(
          after: positions.last, before: end < kept.count ? kept[end] : nil,
          count: Int64(end - start))
      else { return nil }
      positions += gap
      start = end
    }
    return positions
  }

  private static func gap(after first: Int64?, before last: Int64?, count: Int64) -> [Int64]? {
    guard let last else {
      let first = first ?? ChangeSet.firstPosition - ChangeSet.positionStep
      return (1...count).map { first + $0 * ChangeSet.positionStep }
    }
    let step = (last - (first ?? 0)) / (count + 1)
    return step > 0 ? (1...count).map { (first ?? 0) + $0 * step } : nil
  }
}

extension Array {
  /// The first index for whose element a condition holds, which holds for all behind it.
  fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
