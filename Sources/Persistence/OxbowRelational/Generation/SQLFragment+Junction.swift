extension SQLFragment {
  /// Conditions joined by AND or OR, in parentheses when there are several.
  ///
  /// SQLite takes expressions of up to 1,000 levels, and a chain has a level for each of its parts,
  /// so long chains become trees. Its parser has room for a hundred open parentheses and operators:
  /// what is nested deeply comes first, while little else is open.
  static func junction(_ parts: [SQLFragment], _ separator: String) -> SQLFragment {
    guard parts.count != 1 else { return parts[0] }
    let depths = parts.map(\.depth)
    guard depths.contains(where: { $0 > 6 }) else {
      return "(" + tree(parts[...], separator) + ")"
    }
    let sorted = depths.enumerated().sorted { ($1.element, $0.offset) < ($0.element, $1.offset) }
    return "(" + tree(sorted.map { parts[$0.offset] }[...], separator) + ")"
  }

  private static func tree(_ parts: ArraySlice<SQLFragment>, _ separator: String) -> SQLFragment {
    guard parts.count > 16 else { return .joined(Array(parts), separator) }
    let middle = parts.startIndex + parts.count / 2
    return "(" + tree(parts[..<middle], separator) + ")" + separator + "("
      + tree(parts[middle...], separator) + ")"
  }

  /// How many parentheses are open at most.
  private var depth: Int {
    var open = 0
    var most = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "(") { open += 1 }
      if byte == UInt8(ascii: ")") { open -= 1 }
      most = max(most, open)
    }
    return most
  }
}
