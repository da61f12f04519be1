import OxbowModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// PS-15: searches for words, as text and as values.
@Suite struct WordQueryTests {
  @Test(arguments: [
    ("Rust", "rust"), ("rust*", "rust*"), ("rust  ore", "rust ore"), ("rust AND ore", "rust ore"),
    ("rust OR ore", "rust OR ore"), ("rust NOT iron", "rust NOT iron"),
    ("rust AND NOT iron", "rust NOT iron"), ("NOT iron rust", "rust NOT iron"),
    ("\"Iron Ore\"", "\"iron ore\""), ("\u{201C}iron ore\u{201D}*", "\"iron ore\"*"),
    ("a b OR c d", "a b OR c d"), ("a (b OR c)", "a (b OR c)"), ("(a b) c", "a b c"),
    ("(a OR b) OR c", "a OR b OR c"), ("a NOT b NOT c", "a NOT b NOT c"),
    ("a NOT (b OR c)", "a NOT b NOT c"), ("a NOT (b c)", "a NOT (b c)"),
    ("a b NOT c", "a b NOT c"), ("(a OR b) NOT c", "(a OR b) NOT c"),
    ("(a NOT b) NOT c", "(a NOT b) NOT c"), ("and or not", "and or not"),
    ("\"AND\" OR*", "and or*"), ("e-mail", "\"e mail\""), ("東京*", "\"東 京\"*"),
    ("กิน", "\"ก ิ น\""), ("a(b)\"c\"", "a b c"), ("", ""), ("  ", ""),
  ])
  func `PS-15 a search is read, and its description is read as an equal one`(
    text: String, expected: String
  ) throws {
    let query = try WordQuery(text)
    #expect(query.description == expected)
    #expect(try WordQuery(query.description) == query)
    let data = try JSONEncoder().encode([query])
    #expect(try JSONDecoder().decode([WordQuery].self, from: data) == [query])
  }

  @Test(arguments: [
    ("rust iron", "rust iron"), ("\"rust\" AND e-mail", "rust and \"e mail\""),
    ("rust* (NOT", "rust not"), ("東京 😀", "\"東 京\""), ("😀 —", ""), ("", ""),
  ])
  func `PS-15 all words of a text are searched, and no operator is read`(
    text: String, expected: String
  ) throws {
    let query = WordQuery(all: text)
    #expect(query.description == expected)
    #expect(try WordQuery(query.description) == query)
  }

  @Test(arguments: [
    ("rust OR", "column 8: expected a word, a phrase in quotes or '(', but found the end"),
    ("rust AND OR ore", "column 10: expected a word, a phrase in quotes or '(', but found 'OR'"),
    ("NOT", "column 4: expected a word, a phrase in quotes or '(', but found the end"),
    ("(a", "column 3: expected a word, AND, OR, NOT or ')', but found the end"),
    ("a )", "column 3: expected a word, AND, OR, NOT or the end, but found ')'"),
    ("()", "column 2: expected a word, a phrase in quotes or '(', but found ')'"),
    ("a \"b c", "column 3: the phrase that begins here has no end: expected \""),
    (
      "ru*st",
      "column 3: a star is possible at the end of a word only, where it is any end of it: "
        + "rust*"
    ),
    ("a & b", "column 3: there is no word in '&': a word has a letter or a digit; leave this out"),
    ("*", "column 1: there is no word in '*': a word has a letter or a digit; leave this out"),
    (
      "x NOT 😀", "column 7: there is no word in '😀': a word has a letter or a digit; leave this out"
    ),
    (
      "NOT iron",
      "column 1: NOT needs a term that is wanted beside it: 'rust NOT iron'; for texts without a "
        + "word, write NOT in front of the whole condition"
    ),
  ])
  func `PS-15 an error says what was expected, and where`(text: String, problem: String) {
    let error = #expect(throws: PersistenceError.self) { try WordQuery(text) }
    #expect(error?.code == .invalidPredicate)
    #expect(error?.message == "the search cannot be read at \(problem)")
    #expect(error?.details.first?.text.hasPrefix(text) == true)
  }

  @Test func `PS-15 parentheses within each other have a limit`() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "(a NOT b NOT ", count: count) + "c" + String(repeating: ")", count: count)
    }
    let query = try WordQuery(nested(10))
    #expect(try WordQuery(query.description) == query)
    let error = #expect(throws: PersistenceError.self) { try WordQuery(nested(11)) }
    #expect(error?.message.contains("more than 10 parentheses are within each other") == true)
  }

  @Test func `PS-15 a search that cannot be read is not decoded`() {
    #expect(throws: PersistenceError.self) {
      try JSONDecoder().decode([WordQuery].self, from: Data("[\"a OR\"]".utf8))
    }
  }

  @Test(arguments: [
    ("rust", true), ("RUST*", true), ("ru*", true), ("ust*", false), ("ru", false),
    ("\"iron ore\"", true), ("\"ore iron\"", false), ("\"iron or\"*", true),
    ("\"rus iron\"", false),
    ("rust ore", true), ("rust coal", false), ("rust OR coal", true), ("rust NOT coal", true),
    ("rust NOT ore", false), ("(rust OR coal) NOT (tin OR zinc)", true), ("strasse", true),
    ("straße", true), ("東京", true), ("京東", false), ("京", true), ("e mail", true),
    ("e-mail", true), ("mail-e", false), ("email", false), ("", false),
  ])
  func `PS-15 the words of a text meet a search`(text: String, isMet: Bool) throws {
    let words = TextWords("Rust, iron ore; STRASSE in 東京: E-Mail")
    let matcher = WordMatcher(try WordQuery(text))
    #expect(matcher.matches([words]) == isMet)
    #expect(!matcher.matches([TextWords("")]))
  }

  @Test(arguments: [
    ("rust tin", true), ("rust NOT tin", false), ("\"iron tin\"", false),
    ("\"tin can\" iron", true),
    ("coal OR can", true), ("zinc", false),
  ])
  func `PS-15 of several texts a term may be in any, and a phrase is in one`(
    text: String, isMet: Bool
  ) throws {
    let matcher = WordMatcher(try WordQuery(text))
    #expect(matcher.matches([TextWords("rust iron"), TextWords("tin can")]) == isMet)
  }

  // MARK: Conditions

  @Test func `PS-15 conditions in code, in one text and in several`() throws {
    let rust = FetchExpression.value("rust* NOT iron".fetchValue)
    #expect(
      try FetchPredicate.words("a.body", "Rust*  NOT iron") == .words([.path(["a", "body"])], rust))
    #expect(
      try FetchPredicate.words("b", WordQuery("rust* NOT iron")) == .words([.path(["b"])], rust))
    #expect(
      FetchPredicate.words(["a", "b"], all: "Rust AND")
        == .words([.path(["a"]), .path(["b"])], .value("rust and".fetchValue)))
    let error = #expect(throws: PersistenceError.self) {
      try FetchPredicate.words(["a", "b"], "rust OR")
    }
    #expect(error?.code == .invalidPredicate)
  }

  @Test(arguments: [
    ("body WORDS 'rust* NOT iron'", "body words \"rust* NOT iron\""),
    ("a.body words $text", "a.body words $text"), ("a NOT WORDS 'x'", "not (a words \"x\")"),
    ("NOT a WORDS 'x' AND b == 1", "not (a words \"x\") and b == 1"),
    ("{title, body} WORDS 'x y'", "{title, body} words \"x y\""),
    ("{} WORDS 'x'", "{} words \"x\""),
    ("{a} WORDS b", "a words b"), ("ANY notes.body WORDS 'x'", "any notes.body words \"x\""),
    ("NONE notes.body WORDS 'x'", "none notes.body words \"x\""),
    ("ANY notes ({title, body} WORDS 'x')", "any notes ({title, body} words \"x\")"),
    ("words WORDS 'words'", "words words \"words\""), ("words.words == 1", "words.words == 1"),
    ("TERNARY(a WORDS 'x', 1, 0) == 1", "ternary(a words \"x\", 1, 0) == 1"),
    ("a WORDS ''", "a words \"\""), ("a WORDS nil", "a words nil"),
  ])
  func `PS-15 PF-08 WORDS is an operator of format texts`(format: String, expected: String) throws {
    let predicate = try FetchPredicate(format: format)
    #expect(predicate.description == expected)
    #expect(try FetchPredicate(format: expected) == predicate)
  }

  private func message(_ format: String, _ arguments: (any FetchArgument)?...) -> String {
    do throws(PersistenceError) {
      return "read: \(try FetchPredicate(format: format, arguments: arguments))"
    } catch {
      return "\(error)"
    }
  }

  @Test func `PS-15 PF-08 an argument that cannot be read is an error with both texts`() {
    #expect(
      message("body WORDS %@", "rust OR") == """
        the search cannot be read at column 8: expected a word, a phrase in quotes or '(', but found \
        the end
          text: rust OR
                       ^
          in: body WORDS %@
        """)
    #expect(message("body WORDS %@ AND year > %d", "rust*", 1990).hasPrefix("read: body words"))
    #expect(
      message("body WORDS[cd] 'x'").contains(
        "column 11: WORDS overlooks case and the marks of letters always; write it without options")
    )
    #expect(message("body WORD 'x'").contains("did you mean: 'WORDS'?"))
    #expect(message("{a, b} == 1").contains("a list is not a single value"))
    #expect(message("ANY {a.b, c} WORDS 'x'").contains("expected a path through a to-many"))
  }

  @Test func `PS-15 a variable of a search gets its text later`() throws {
    let template = try FetchPredicate(format: "body WORDS $text AND NONE notes.body WORDS $text")
    #expect(template.variableNames == ["text"])
    #expect(
      try template.substituting(["text": "rust*"]).description
        == "body words \"rust*\" and none notes.body words \"rust*\"")
  }
}
