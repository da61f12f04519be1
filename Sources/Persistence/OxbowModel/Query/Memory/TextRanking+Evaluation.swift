extension TextRanking {
  /// The rank of an object; no value where it does not meet the search.
  func rank(of target: some PredicateTarget) throws(PersistenceError) -> FetchValue {
    var texts: [TextWords] = []
    for text in search.texts {
      if let text = try text.value(for: target).text(for: "words") { texts.append(TextWords(text)) }
    }
    return matcher.rank(texts, among: statistics).map { .attribute(.double($0)) } ?? .null
  }
}
