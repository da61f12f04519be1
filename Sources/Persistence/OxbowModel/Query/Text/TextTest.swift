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
