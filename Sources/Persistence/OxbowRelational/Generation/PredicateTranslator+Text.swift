import OxbowModel

extension PredicateTranslator {
  /// Compares text with a part of it, by UTF-8 bytes.
  ///
  /// A known beginning becomes a range, which an index answers.
  mutating func compareText(
    _ text: FetchExpression, _ comparison: TextOperator, _ part: FetchExpression,
    _ options: TextOptions
  ) throws(PersistenceError) -> SQLFragment {
    let whole = try searched(text, comparison.rawValue)
    let needle = try searched(part, comparison.rawValue)
    if case .value(.attribute(.string(let known))) = part {
      return try searchFiltered(text, whole, comparison, known, options)
    }
    let needsFunction = !options.isEmpty || comparison == .like || comparison == .matches
    return needsFunction
      ? call(comparison, whole, needle, options) : dialect.search(whole, comparison, needle)
  }

  /// Compares the words of texts with a search; never NULL.
  mutating func compareWords(
    _ texts: [FetchExpression], _ query: FetchExpression
  ) throws(PersistenceError) -> SQLFragment {
    // Refuses a search that cannot be read before a statement runs.
    try query.requireWordQuery()
    guard texts.count <= dialect.capability.searchedTexts else {
      throw PersistenceError(
        .invalidPredicate,
        "\(texts.count) texts are too many for one search: a store takes up to "
          + "\(dialect.capability.searchedTexts)")
    }
    if let keys = try searchIndex(texts, query) { return keys }
    var arguments: [SQLFragment] = []
    for text in texts {
      do throws(PersistenceError) { arguments.append(try searched(text, "words")) } catch {
        throw error.adding("in", "\(text) words \(query)")
      }
    }
    guard !arguments.isEmpty else { return SQLFragment(dialect.truth(false)) }
    arguments.insert(try searched(query, "words"), at: 1)
    return dialect.call(.words, arguments)
  }

  /// An expression that an operator searches, or searches for.
  mutating func searched(
    _ expression: FetchExpression, _ word: String
  ) throws(PersistenceError) -> SQLFragment {
    let operand = try operand(expression)
    guard operand.kind == .text || operand.kind == .null else {
      throw PersistenceError(
        .invalidPredicate,
        "\(operand.kind.rawValue) cannot be searched with '\(word)'; it needs text")
    }
    return operand.fragment
  }

  private func call(
    _ comparison: TextOperator, _ whole: SQLFragment, _ part: SQLFragment, _ options: TextOptions
  ) -> SQLFragment {
    dialect.call(.test(comparison), whole, part, SQLFragment("\(options.rawValue)"))
  }

  /// Searches for a constant.
  func search(
    _ whole: SQLFragment, _ comparison: TextOperator, _ known: String, _ options: TextOptions
  ) throws(PersistenceError) -> SQLFragment {
    if comparison == .like, let simpler = try Self.simplified(known, options) {
      return try search(whole, simpler.0, simpler.1, options)
    }
    if comparison == .like || comparison == .matches {
      // Refuses a pattern that cannot be read before a statement runs.
      _ = try TextTest(comparison, known, options)
      return call(comparison, whole, .value(.text(known)), options)
    }
    guard !known.isEmpty else { return whole + " IS NOT NULL" }
    guard options.isEmpty else { return call(comparison, whole, .value(.text(known)), options) }
    guard comparison == .beginsWith, let end = successor(of: known) else {
      return dialect.search(whole, comparison, .value(.text(known)))
    }
    let start = whole.text.mentions(dialect.decimalOrder) ? whole + dialect.plainOrder : whole
    return "(" + start + " >= " + .value(.text(known)) + " AND " + start + " < "
      + .value(.text(end)) + ")"
  }

  /// A pattern of ordinary text with a `*` at one end or at both, as the search that it is: an
  /// index answers the beginning of a text.
  static func simplified(
    _ pattern: String, _ options: TextOptions
  ) throws(PersistenceError) -> (TextOperator, String)? {
    // By scalars: a mark after a `*` would make another character of it.
    let scalars = pattern.unicodeScalars
    let begins = scalars.first == "*"
    let ends = scalars.last == "*" && scalars.count > 1
    let text = String(scalars.dropFirst(begins ? 1 : 0).dropLast(ends ? 1 : 0))
    let isOrdinary = text.unicodeScalars.allSatisfy { $0 != "*" && $0 != "?" && $0 != "\\" }
    guard begins || ends, isOrdinary else { return nil }
    return (begins && ends ? .contains : begins ? .endsWith : .beginsWith, text)
  }
}

/// The smallest text that is larger than all that begin with `text`, or `nil` when there is none.
private func successor(of text: String) -> String? {
  var scalars = Array(text.unicodeScalars)
  while let last = scalars.popLast() {
    // The scalar after U+D7FF is U+E000: surrogates are not scalars.
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
