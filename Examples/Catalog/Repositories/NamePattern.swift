import Oxbow

/// A pattern for names: `*` matches any text, and the case of A to Z makes no difference.
struct NamePattern: Sendable {
  private let parts: [String]

  init(_ text: String) {
    parts = text.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
  }

  /// A condition that every matching name meets; the store may find more than match.
  var predicate: FetchPredicate {
    let name = FetchExpression.path(["name"])
    var conditions: [FetchPredicate] = []
    for (index, part) in parts.enumerated() where !part.isEmpty {
      let place: TextOperator =
        index == 0 ? .beginsWith : index == parts.count - 1 ? .endsWith : .contains
      conditions.append(
        .text(name, place, .value(.attribute(.string(part))), .caseInsensitive))
    }
    return .and(conditions)
  }

  /// Whether a name matches.
  func matches(_ name: String) -> Bool {
    var rest = Self.folded(name)[...]
    for (index, part) in parts.map(Self.folded).enumerated() {
      if index == 0 {
        guard rest.starts(with: part) else { return false }
        rest = rest.dropFirst(part.count)
        if parts.count == 1 { return rest.isEmpty }
      } else if index == parts.count - 1 {
        return rest.count >= part.count && rest.suffix(part.count).elementsEqual(part)
      } else {
        guard let end = Self.end(of: part, in: rest) else { return false }
        rest = rest[end...]
      }
    }
    return true
  }

  private static func folded(_ text: String) -> [UInt8] {
    text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
  }

  private static func end(of part: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
    guard text.count >= part.count else { return nil }
    for start in text.startIndex...(text.endIndex - part.count)
    where text[start..<start + part.count].elementsEqual(part) {
      return start + part.count
    }
    return nil
  }
}
