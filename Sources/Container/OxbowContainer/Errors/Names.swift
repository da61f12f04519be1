/// The names of objects that belong to another one's definition and that cannot be asked for.
///
/// Each has a part between two characters that no other name may have. Texts show something else in
/// its place, so a name that somebody reads is always one that was written down.
enum HiddenName {
  /// The object behind a lazy definition's proxy.
  static func behindProxy(_ name: String) -> String { name + proxy }

  /// An object that is defined in place, at a path from a definition with a name.
  static func inPlace(_ path: String) -> String { path + inPlaceMark }

  /// The object that a patch wraps.
  static func original(_ name: String) -> String { name + wrapped }

  static func isHidden(_ name: String) -> Bool { name.utf8.last == mark }

  static func isOriginal(_ name: String) -> Bool { name.hasSuffix(wrapped) }

  static func isInPlace(_ name: String) -> Bool { name.hasSuffix(inPlaceMark) }

  static func isBehindProxy(_ name: String) -> Bool { name.hasSuffix(proxy) }

  /// Whether a name that was written down has a character that only hidden names have.
  static func isReserved(_ name: String) -> Bool { name.utf8.contains(mark) }

  /// A text as people see it.
  static func shown(_ text: String) -> String {
    guard isReserved(text) else { return text }
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    return parts.enumerated().map { number, part in
      guard number % 2 == 1 else { return String(part) }
      return part == "place" ? " (in place)" : ""
    }.joined()
  }

  private static let mark: UInt8 = 0x1F
  private static let separator: Character = "\u{1F}"
  private static let proxy = "\u{1F}proxy\u{1F}"
  private static let inPlaceMark = "\u{1F}place\u{1F}"
  private static let wrapped = "\u{1F}original\u{1F}"
}

/// A type's name with "a" or "an" before it: an Int, an NSURL, a URL.
package func withArticle(_ name: String) -> String {
  let letters = name.prefix(2)
  let isSpelled = letters.count == 2 && letters.allSatisfy(\.isUppercase)
  let vowels = isSpelled ? "AEFHILMNORSX" : "AEIOaeio"
  return (name.first.map(vowels.contains) ?? false ? "an " : "a ") + name
}

/// Names in quotes, for messages.
package func quoted(_ names: some Sequence<String>, by separator: String = ", ") -> String {
  names.map { "\"\($0)\"" }.joined(separator: separator)
}

/// How many names there are, and the first ten.
func shownNames(_ names: [String]) -> String { shownList(names.map { "\"\($0)\"" }) }

/// The number of objects and the first of them.
func shownList(_ objects: [String]) -> String {
  let first = objects.prefix(10) + (objects.count > 10 ? ["…"] : [])
  let count = "\(objects.count) object\(objects.count == 1 ? "" : "s")"
  return objects.isEmpty ? count : "\(count): \(first.joined(separator: ", "))"
}
