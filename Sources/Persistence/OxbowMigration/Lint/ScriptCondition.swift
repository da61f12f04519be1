/// A condition behind `WHERE`, as far as it can be read without a store.
struct ScriptCondition {
  private let tokens: ArraySlice<ScriptToken>

  init(_ tokens: ArraySlice<ScriptToken>) { self.tokens = tokens }

  /// Whether it is true for every row: `1`, `true`, `1 = 1`, `name = name`, `name LIKE '%'`, and
  /// these with `AND` and `OR`.
  var isAlwaysTrue: Bool {
    let alternatives = Self.parts(Self.bare(tokens), between: "or")
    return alternatives.contains { alternative in
      let parts = Self.parts(alternative, between: "and")
      return !parts.isEmpty && parts.allSatisfy { Self.isTrue(Self.bare($0)) }
    }
  }

  private static func isTrue(_ tokens: ArraySlice<ScriptToken>) -> Bool {
    let tokens = Array(tokens)
    if tokens.contains(where: { $0.depth == tokens[0].depth && $0.isWord("or", "and") }) {
      return ScriptCondition(tokens[...]).isAlwaysTrue
    }
    switch tokens.count {
    case 1: return tokens[0].isWord("true") || Int(tokens[0].text).map { $0 != 0 } == true
    case 2: return tokens[0].isWord("not") && (tokens[1].isWord("false") || tokens[1].text == "0")
    case 3 where tokens[1].isSign("="): return tokens[0].text == tokens[2].text
    case 3 where tokens[1].isWord("like"):
      return tokens[2].kind == .value && !tokens[2].text.isEmpty
        && tokens[2].text.allSatisfy { $0 == "%" }
    case 4 where tokens[1].isSign("=") && tokens[2].isSign("="):
      return tokens[0].text == tokens[3].text
    default: return false
    }
  }

  /// What is inside of parentheses that are around everything.
  private static func bare(_ tokens: ArraySlice<ScriptToken>) -> ArraySlice<ScriptToken> {
    guard tokens.count > 2, let first = tokens.first, first.isSign("("),
      let close = tokens.dropFirst().firstIndex(where: {
        $0.isSign(")") && $0.depth == first.depth
      }), close == tokens.endIndex - 1
    else { return tokens }
    return bare(tokens.dropFirst().dropLast())
  }

  private static func parts(
    _ tokens: ArraySlice<ScriptToken>, between word: String
  ) -> [ArraySlice<ScriptToken>] {
    guard let depth = tokens.first?.depth else { return [] }
    return tokens.split(omittingEmptySubsequences: false) { $0.depth == depth && $0.isWord(word) }
      .filter { !$0.isEmpty }
  }
}
