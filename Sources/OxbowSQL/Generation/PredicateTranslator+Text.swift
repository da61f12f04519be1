import OxbowModel

extension PredicateTranslator {
  /// Compares text with a part of it, by UTF-8 bytes.
  ///
  /// SQLite's functions for text stop at a NUL character, so lengths are taken of blobs. A known
  /// beginning becomes a range, which an index answers.
  mutating func compareText(
    _ text: FetchExpression, _ comparison: TextOperator, _ part: FetchExpression,
    _ options: TextOptions
  ) throws(PersistenceError) -> SQLFragment {
    let whole = try operand(text)
    let needle = try operand(part)
    for operand in [whole, needle] where operand.kind != .text && operand.kind != .null {
      throw PersistenceError(
        .invalidPredicate,
        "\(operand.kind.rawValue) cannot be searched with '\(comparison.rawValue)'; it needs text")
    }
    let overlooksCase = options.contains(.caseInsensitive)
    if case .value(.attribute(.string(let known))) = part {
      return search(whole.fragment, comparison, known, overlooksCase)
    }
    return search(
      lowered(whole.fragment, overlooksCase), comparison, lowered(needle.fragment, overlooksCase))
  }

  private func lowered(_ fragment: SQLFragment, _ overlooksCase: Bool) -> SQLFragment {
    overlooksCase ? "lower(" + fragment + ")" : fragment
  }

  /// Searches for a constant.
  private func search(
    _ whole: SQLFragment, _ comparison: TextOperator, _ known: String, _ overlooksCase: Bool
  ) -> SQLFragment {
    guard !known.isEmpty else { return whole + " IS NOT NULL" }
    let needle = overlooksCase ? loweredLetters(known) : known
    let subject = lowered(whole, overlooksCase)
    switch comparison {
    case .contains: return "instr(" + subject + ", " + .value(.text(needle)) + ") > 0"
    case .beginsWith:
      guard let end = successor(of: needle), !overlooksCase else {
        return search(subject, comparison, .value(.text(needle)))
      }
      let start = whole.text.contains(Self.decimalCollation) ? whole + " COLLATE BINARY" : whole
      return "(" + start + " >= " + .value(.text(needle)) + " AND " + start + " < "
        + .value(.text(end)) + ")"
    case .endsWith: return search(subject, comparison, .value(.text(needle)))
    }
  }

  /// Searches for whatever the part's value is.
  private func search(
    _ whole: SQLFragment, _ comparison: TextOperator, _ part: SQLFragment
  ) -> SQLFragment {
    let bytes = "CAST(" + part + " AS BLOB)"
    let subject = "CAST(" + whole + " AS BLOB)"
    switch comparison {
    case .contains: return "instr(" + whole + ", " + part + ") > 0"
    // substr of an empty blob is NULL, not empty; substr(x, -0) is x itself, not its empty end.
    case .beginsWith:
      return "CASE length(" + bytes + ") WHEN 0 THEN " + whole + " IS NOT NULL ELSE substr("
        + subject + ", 1, length(" + bytes + ")) = " + bytes + " END"
    case .endsWith:
      return "CASE length(" + bytes + ") WHEN 0 THEN " + whole + " IS NOT NULL ELSE substr("
        + subject + ", -length(" + bytes + ")) = " + bytes + " END"
    }
  }
}

/// Lowers the letters A to Z, as SQLite's `lower` does.
private func loweredLetters(_ text: String) -> String {
  String(
    decoding: text.utf8.map { $0 >= 0x41 && $0 <= 0x5a ? $0 + 0x20 : $0 }, as: UTF8.self)
}

/// The smallest text that is larger than all that begin with `text`, or `nil` when there is none.
private func successor(of text: String) -> String? {
  var scalars = Array(text.unicodeScalars)
  while let last = scalars.popLast() {
    // The scalar after U+D7FF is U+E000: surrogates are none.
    let next = last.value == 0xd7ff ? 0xe000 : last.value + 1
    if let scalar = Unicode.Scalar(next) {
      scalars.append(scalar)
      var result = ""
      result.unicodeScalars.append(contentsOf: scalars)
      return result
    }
  }
  return nil
}
