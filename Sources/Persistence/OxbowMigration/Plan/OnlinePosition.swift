internal import OxbowModel
internal import OxbowRelational

/// How far a step is that is made beside programs, as the history's entry of it keeps it.
struct OnlinePosition: CustomStringConvertible {
  /// What names the parts, so that other ones are not taken for these.
  let parts: String

  /// How many parts there are, how many are done, and the last key of the one behind them.
  let count: Int
  var done = 0
  var key: Int64?

  var isOver: Bool { done == count }

  var description: String {
    "\(parts) \(done)/\(count)" + (key.map { " \($0)" } ?? "")
  }

  /// The position before the first part.
  init(_ change: OnlineChange) {
    let texts = change.parts.flatMap(\.operation.statements).joined(separator: ";")
    parts = String(SHA256.hexadecimalDigits(of: texts.utf8).prefix(12))
    count = change.parts.count
  }

  /// Reads a cursor; `nil` for that of a step in Swift.
  init?(_ cursor: String) {
    let words = cursor.split(separator: " ").map(String.init)
    let numbers = words.count > 1 ? words[1].split(separator: "/").compactMap { Int($0) } : []
    guard numbers.count == 2 else { return nil }
    (parts, done, count) = (words[0], numbers[0], numbers[1])
    key = words.count > 2 ? Int64(words[2]) : nil
  }

  /// Where to go on with a change that a store has begun.
  func resumed(_ entry: HistoryEntry?) -> OnlinePosition? {
    guard let found = entry?.cursor.flatMap({ OnlinePosition($0) }), found.parts == parts,
      found.count == count
    else { return nil }
    return found
  }

  mutating func advance(_ last: Int64?) {
    key = last
    if last == nil { done += 1 }
  }
}
