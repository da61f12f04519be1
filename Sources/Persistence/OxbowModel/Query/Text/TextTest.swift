internal import Foundation

/// A comparison of texts with one part, prepared once for many texts.
///
/// Both executors use it: memory for a condition, SQLite's functions for a statement.
package final class TextTest: Sendable {
  private enum Method: Sendable {
    case contains([UInt8])
    case beginsWith([UInt8])
    case endsWith([UInt8])
    case like(WildcardPattern)
    case matches(RegularExpression)
  }

  private let method: Method

  /// What is folded in the text before it is compared.
  private let options: TextOptions

  /// Prepares a comparison.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidPredicate` for a regular expression or a
  ///   pattern that cannot be read.
  package init(
    _ comparison: TextOperator, _ part: String, _ options: TextOptions
  ) throws(PersistenceError) {
    let folded = Array(TextFolding.folded(part, options).utf8)
    switch comparison {
    case .contains: method = .contains(folded)
    case .beginsWith: method = .beginsWith(folded)
    case .endsWith: method = .endsWith(folded)
    case .like: method = .like(try WildcardPattern(part, options))
    case .matches: method = .matches(try RegularExpression.named(part, options))
    }
    // A regular expression overlooks case by itself.
    self.options = comparison == .matches ? options.intersection(.diacriticInsensitive) : options
  }

  /// Whether a text in UTF-8 meets the comparison.
  package func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    TextFolding.withFolded(text, options, compare)
  }

  /// Whether a text meets the comparison.
  package func holds(_ text: String) -> Bool {
    var text = text
    return text.withUTF8(holds)
  }

  private func compare(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch method {
    case .contains(let part): text.contains(bytes: part)
    case .beginsWith(let part): text.has(part, at: 0)
    case .endsWith(let part): text.has(part, at: text.count - part.count)
    case .like(let pattern): pattern.matches(text)
    case .matches(let expression): expression.matches(String(decoding: text, as: UTF8.self))
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes of a part are at an index.
  func has(_ part: [UInt8], at index: Int) -> Bool {
    guard index >= 0, index + part.count <= count else { return false }
    for offset in part.indices where self[index + offset] != part[offset] { return false }
    return true
  }

  fileprivate func contains(bytes part: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    guard part.count <= count else { return false }
    for index in 0...(count - part.count) where self[index] == first {
      if has(part, at: index) { return true }
    }
    return false
  }
}

/// A regular expression that is compared with whole texts.
///
/// `NSRegularExpression` has no whole match, and the longest of several matches is not the first,
/// so the expression is put between anchors.
private final class RegularExpression: Sendable {
  private let expression: NSRegularExpression

  private init(_ pattern: String, _ options: TextOptions) throws(PersistenceError) {
    let flags: NSRegularExpression.Options =
      options.contains(.caseInsensitive) ? .caseInsensitive : []
    let pattern = TextFolding.folded(pattern, options.intersection(.diacriticInsensitive))
    do {
      // By itself first: `a)|(b` has a meaning only between the parentheses of the anchors.
      // Foundation refuses an empty one.
      if !pattern.isEmpty { _ = try NSRegularExpression(pattern: pattern, options: flags) }
      expression = try Self.anchored(pattern, flags)
    } catch {
      throw PersistenceError(
        .invalidPredicate,
        "the text '\(pattern)' after MATCHES is not a regular expression; check its brackets, and write "
          + "a backslash as two within quotes")
    }
  }

  private static func anchored(
    _ pattern: String, _ flags: NSRegularExpression.Options
  ) throws -> NSRegularExpression {
    do {
      return try NSRegularExpression(pattern: "\\A(?:" + pattern + ")\\z", options: flags)
    } catch {
      // A comment at the end of the pattern hides the parenthesis; a line break ends the comment.
      return try NSRegularExpression(pattern: "\\A(?:" + pattern + "\n)\\z", options: flags)
    }
  }

  func matches(_ text: String) -> Bool {
    let range = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, options: [], range: range) != nil
  }

  // NSCache has a lock of its own. Memory asks for an expression once for each object.
  nonisolated(unsafe) private static let known = {
    let cache = NSCache<NSString, RegularExpression>()
    cache.countLimit = 64
    return cache
  }()

  /// The expression for a pattern, from a small cache.
  static func named(
    _ pattern: String, _ options: TextOptions
  ) throws(PersistenceError) -> RegularExpression {
    let key = NSString(string: "\(options.rawValue)\(pattern)")
    if let found = known.object(forKey: key) { return found }
    let expression = try RegularExpression(pattern, options)
    known.setObject(expression, forKey: key)
    return expression
  }
}
