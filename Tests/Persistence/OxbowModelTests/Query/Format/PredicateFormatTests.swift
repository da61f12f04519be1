import OxbowModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// PF-08: conditions in Core Data's format text.
@Suite struct PredicateFormatTests {
  private func read(_ format: String, _ arguments: (any FetchArgument)?...) -> String {
    do throws(PersistenceError) {
      return try FetchPredicate(format: format, arguments: arguments).description
    } catch {
      return error.message
    }
  }

  @Test(arguments: [
    ("a == 1", "a == 1"), ("a = 1", "a == 1"), ("a <> 1", "a != 1"), ("a => 1", "a >= 1"),
    ("a =< 1", "a <= 1"), ("a > 1.5e3", "a > 1500.0"), ("a == 0x1F", "a == 31"),
    ("a == -9223372036854775808", "a == -9223372036854775808"), ("a < .5", "a < 0.5"),
    ("a == 1 AND b == 2 OR c == 3", "(a == 1 and b == 2) or c == 3"),
    ("a == 1 && (b == 2 || c == 3)", "a == 1 and (b == 2 or c == 3)"),
    ("NOT a == 1 and b == 2", "not (a == 1) and b == 2"), ("!a == 1", "not (a == 1)"),
    ("NOT(a IN {1, 2})", "not (a in {1, 2})"), ("a NOT IN {1}", "not (a in {1})"),
    ("a == NIL || a = null", "a == nil or a == nil"), ("a == YES", "a == true"),
    ("a == No", "a == false"), ("trueprediCATE", "TRUEPREDICATE"), ("isDone", "isDone"),
    ("SELF.name == 'x'", "name == \"x\""), ("self IN {1}", "self in {1}"),
    ("#in == 1 AND a.in == 2", "#in == 1 and a.in == 2"), ("#self == 1", "#self == 1"),
  ])
  func `PF-08 comparisons, logic and constants are read in all their spellings`(
    format: String, expected: String
  ) {
    #expect(read(format) == expected)
  }

  @Test(arguments: [
    ("a BEGINSWITH 'K'", "a beginsWith \"K\""), ("a endswith[cd] \"K\"", "a endsWith[cd] \"K\""),
    ("a CONTAINS [c] 'x'", "a contains[c] \"x\""), ("a LIKE[D] '*x?'", "a like[d] \"*x?\""),
    ("a MATCHES '.*[e-f].*'", "a matches \".*[e-f].*\""), ("a ==[n] 'x'", "a == \"x\""),
    ("a <[c] 'x'", "a <[c] \"x\""), ("a IN[c] {'X', 'é'}", "a in[c] {\"x\", \"é\"}"),
    ("a BETWEEN {1, b}", "a between {1, b}"),
    ("a between[c] {'b', 'c'}", "a between[c] {\"b\", \"c\"}"),
    (
      "a == 'it\\'s' AND b == \"\\\"\\\\ \\u{301}\\n\"",
      "a == \"it's\" and b == \"\\\"\\\\ \u{301}\\n\""
    ),
    ("'x' IN tags.label", "tags.label contains \"x\""), ("a IN {b, c}", "a == b or a == c"),
  ])
  func `PF-08 texts, lists and ranges are read with their options`(
    format: String, expected: String
  ) {
    #expect(read(format) == expected)
  }

  @Test(arguments: [
    ("ANY tags.label == 'x'", "any tags.label == \"x\""), ("some a.b IN {1}", "any a.b in {1}"),
    ("NONE a.b.c LIKE '*'", "none a.b.c like \"*\""), ("ALL a.b > c", "all a.b > c"),
    ("ANY a ( b == 1 AND c == 2 )", "any a (b == 1 and c == 2)"),
    ("a.@count > 0", "a.@count > 0"), ("a.@sum.b.c >= 1", "sum(a.b.c) >= 1"),
    ("a.@avg.b == average(a.b)", "average(a.b) == average(a.b)"),
    ("max(a.b) - min(a.b) < 3", "(max(a.b) - min(a.b)) < 3"), ("count(a) == 1", "a.@count == 1"),
    ("a == max({1, 3, 2})", "a == 3"), ("a == sum({1, 2.5})", "a == 3.5"),
    ("a == average({1, 2})", "a == 1.5"), ("a == sum({})", "a == 0"),
    (
      "SUBQUERY(cars, $car, $car.maker == owner).@count > 2",
      "subquery(cars, $car, $car.maker == owner).@count > 2"
    ),
    (
      "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c == $x.d).@count = 1).@count != 0",
      "subquery(a, $x, subquery($x.b, $y, $y.c == $x.d).@count == 1).@count != 0"
    ),
    ("a > now()", "a > now()"), ("(a & 1) | 2 > 0", "((a & 1) | 2) > 0"),
    ("a + 2 * b % 3 - -c == 0", "((a + ((2 * b) % 3)) - -(c)) == 0"),
    ("TERNARY(a ==[c] 'X', 0, b) == 0", "ternary(a ==[c] \"X\", 0, b) == 0"),
    ("(a == 1) == (b ?? YES)", "(a == 1) == (b ?? true)"), ("a == $name", "a == $name"),
    ("folded(a, 'cd') BEGINSWITH 'x'", "folded(a, \"cd\") beginsWith \"x\""),
  ])
  func `PF-08 members, functions and calculations are read`(format: String, expected: String) {
    #expect(read(format) == expected)
  }

  @Test func `PF-08 placeholders take their arguments in order`() throws {
    #expect(
      read("title BEGINSWITH[c] %@ AND year > %d", "K", 1979)
        == "title beginsWith[c] \"K\" and year > 1979")
    #expect(read("%K.%K.@count >= %lld", "a", "b.c", 3) == "a.b.c.@count >= 3")
    #expect(
      read("%K > %f AND %K == %@", "a.@count", 2, "SELF.b", nil) == "a.@count > 2.0 and b == nil")
    #expect(
      read("a IN %@ AND NOT b IN (%@)", [1, 2], Set(["x"])) == "a in {1, 2} and not (b in {\"x\"})")
    #expect(read("a BETWEEN %@ AND c == %i", [1, 5], true) == "a between {1, 5} and c == 1")
    #expect(read("a BETWEEN {%@, %ld}", 1.5, 2) == "a between {1.5, 2}")
    #expect(read("a LIKE %s AND %@ IN tags", "x*", Objects.id("Tag", 1)).hasSuffix("/Tag/p1\")"))
    let date = Date(timeIntervalSinceReferenceDate: 0)
    #expect(read("day < %@", date) == "day < date(\"2001-01-01T00:00:00Z\")")
    #expect(read("a == %@", Optional<String>.none) == "a == nil")
    #expect(read("a == min(%@)", [3, 1]) == "a == 1")
  }

  // MARK: Errors

  private func error(_ format: String, _ arguments: (any FetchArgument)?...) -> String {
    do throws(PersistenceError) {
      return "read: \(try FetchPredicate(format: format, arguments: arguments))"
    } catch {
      return "\(error)"
    }
  }

  @Test func `PF-08 an error shows the text, the column, and what was expected`() {
    #expect(
      error("title BEGINWITH %@", "x") == """
        the condition cannot be read at column 7: expected an operator (== != < <= > >= IN BETWEEN \
        LIKE MATCHES CONTAINS BEGINSWITH ENDSWITH WORDS AND OR), but found 'BEGINWITH'
          text: title BEGINWITH %@
                      ^^^^^^^^^
          did you mean: 'BEGINSWITH'?
        """)
    #expect(
      error("a == 1 AND\n  b == ") == """
        the condition cannot be read at line 2, column 8: expected a value, a path or a condition, \
        but found the end
          text:   b == 
                       ^
        """)
    #expect(
      error("a == 1 ADN b == 2").contains("did you mean: 'AND'?"))
    #expect(
      error("label == '") == """
        the condition cannot be read at column 10: the text that begins here has no end: expected '
          text: label == '
                         ^
        """)
  }

  @Test(arguments: [
    (
      "",
      "column 1: expected a condition, and the text is empty; TRUEPREDICATE is met by all objects"
    ),
    ("a == ", "column 6: expected a value, a path or a condition, but found the end"),
    ("(a == 1", "column 8: expected an operator or ')', but found the end"),
    ("a == 1)", "column 7: expected AND, OR or the end, but found ')'"),
    ("a IN (1, 2)", "column 8: a list is written in braces: {1, 2}"),
    (
      "a IN 5",
      "column 6: expected a list after IN: values in braces, an argument with an array, a variable, "
        + "or a path to many objects"
    ),
    (
      "a BETWEEN {1}",
      "column 11: expected two values after BETWEEN, in braces or as an array: {1, 5}"
    ),
    ("a == {1}", "column 6: a list is not a single value; it is possible after IN and BETWEEN"),
    (
      "CAST(a, 'NSDate') > 1",
      "column 1: CAST is not read; a constant is written date(\"…\"), decimal(\"…\") or uuid(\"…\"), or "
        + "is an argument of its type"
    ),
    (
      "FUNCTION(a, 'b') > 1",
      "column 1: FUNCTION is not read, because a store cannot call methods; fetch first, and filter "
        + "in Swift"
    ),
    (
      "a[0] == 1",
      "column 2: an index is not possible: members of relationships have no numbers; options such as "
        + "[c] follow an operator"
    ),
    (
      "a CONTAINS[l] 'x'",
      "column 12: [l] is not possible, because a store compares texts in no language; use [c], [d] or "
        + "[cd]"
    ),
    ("a CONTAINS[x] 'x'", "column 12: expected c, d, cd or n, but found 'x'"),
    (
      "in == 1",
      "column 1: expected a value, a path or a condition, but found the keyword 'in'; a "
        + "property of this name is written #in"
    ),
    ("a.@med == 1", "column 3: there is no '@med'; there are @count, @sum, @min, @max and @avg"),
    ("a.@count.b == 1", "column 10: nothing can follow @count, because it is a number"),
    ("a << 2 == 1", "column 3: '<<' is not calculated; there are + - * / % ** & | and ^"),
    (
      "a == 1a",
      "column 6: '1a' is neither a number nor a name; a name that begins with a digit is "
        + "written #\"…\""
    ),
    (
      "a == '\\d'",
      "column 7: '\\d' means nothing; a backslash is written as two, and \\\" \\' \\n \\t "
        + "\\r \\0 \\u{301} are characters"
    ),
    (
      "a == \\'x\\'",
      "column 6: '\\' means nothing here; quotes around a text are written without "
        + "backslash"
    ),
    (
      "SUBQUERY(a, $x, $x.b == 1) > 0",
      "column 28: expected '.@count', the number of the members that "
        + "meet the condition, but found '>'"
    ),
    (
      "median(a.b) > 1",
      "column 1: there is no function 'median'; there are now, sum, min, max, "
        + "average, count, TERNARY and SUBQUERY"
    ),
    (
      "ANY a.b NOT IN {1}",
      "column 1: NOT IN after ANY can mean two things; write NOT in front of the "
        + "whole, or a condition on the members in parentheses"
    ),
    (
      "uuid('x') == a",
      "column 6: 'uuid' cannot be made from \"x\"; write the digits in five groups"
    ),
    (
      "a == decimal('1,5')",
      "column 14: 'decimal' cannot be made from \"1,5\"; write digits with a point, 38 at most"
    ),
    ("a == 99999999999999999999", "column 6: the number is too large or has no digits"),
  ])
  func `PF-08 what cannot be read is refused by name and place`(format: String, expected: String) {
    #expect(read(format) == "the condition cannot be read at " + expected)
  }

  @Test func `PF-08 wrong arguments are named`() {
    let begin = "the condition cannot be read at "
    #expect(
      read("a == %@ AND b == %d", "x")
        == begin + "column 18: '%d' is placeholder 2 and has no argument: 1 argument is given")
    #expect(
      read("a == %d", "x")
        == begin + "column 6: argument 1 is text, and '%d' needs a whole number")
    #expect(
      read("a == %@ AND %K == 1", 1, 2)
        == begin + "column 13: argument 2 is a whole number, and '%K' needs the text of a path")
    #expect(
      read("a == %@", 1, 2)
        == begin
        + "column 8: the text has 1 placeholders, and 2 arguments are given; leave out what has no "
        + "placeholder")
    #expect(
      read("a == '%@'", "x")
        == begin
        + "column 6: the text has 0 placeholders, and 1 arguments are given; a placeholder in quotes "
        + "is ordinary text, so write it without quotes")
    #expect(
      read("a == %@", [1]) == begin
        + "column 6: a list is not a single value; it is possible after IN and BETWEEN")
    #expect(
      read("a == %1$@", 1).hasPrefix(begin + "column 6: '%1$@' is not a placeholder; there are"))
  }

  @Test func `PF-08 deeply nested text is refused without running out of stack`() {
    let deep = String(repeating: "(", count: 5000) + "a == 1" + String(repeating: ")", count: 5000)
    #expect(read(deep).contains("more than 200 parentheses or operators are within each other"))
  }

  @Test(arguments: [
    "!", "not ", "a == {", "a == -", "a == 1 ?? ", "a == 1 + ", "a == 2 ** ", "a == sum(",
    "a == date(", "a == SUBQUERY(", "a == TERNARY(", "ANY a (", "a == (1 + ",
  ])
  func `PF-08 whatever is within itself too often is refused`(_ part: String) {
    let text = String(repeating: part.replacing("a == ", with: ""), count: 20_000) + "a"
    let start = part.hasPrefix("a == ") ? "a == " : ""
    #expect(
      read(start + text).contains("more than 200 parentheses or operators are within each other"))
  }

  @Test func `PF-08 chains of operators within parentheses count together`() throws {
    let chain = String(repeating: " + 1", count: 60)
    func text(_ count: Int) -> String {
      (0..<count).reduce("a") { text, _ in "(\(text)\(chain))" } + " == 1"
    }
    #expect(try FetchPredicate(format: text(3)).description.hasSuffix(" == 1"))
    #expect(read(text(4)).contains("more than 200 parentheses or operators are within each other"))
  }

  // MARK: Variables

  @Test func `PF-13 variables are replaced by values`() throws {
    let template = try FetchPredicate(
      format:
        "author == $name AND year IN $years AND SUBQUERY(tags, $t, $t.label == $name).@count > 0")
    #expect(template.variableNames == ["name", "years"])
    let predicate = try template.substituting(["name": "Lem", "years": [1961, 1968], "more": 1])
    #expect(
      predicate.description
        == "author == \"Lem\" and year in {1961, 1968} and subquery(tags, $t, $t.label == \"Lem\")"
        + ".@count > 0")
    let missing = #expect(throws: PersistenceError.self) {
      try template.substituting(["nane": "Lem"])
    }
    #expect(
      missing?.description == """
        the variable '$name' has no value; give it one with 'substituting', or bind it in a SUBQUERY
          did you mean: '$nane'?
        """)
    let list = #expect(throws: PersistenceError.self) {
      try template.substituting(["name": ["Lem"], "years": 1])
    }
    #expect(
      list?.message
        == "the value of '$name' is a list, and one value is needed; a list is possible after IN")
  }

  @Test func `PF-08 an unbound variable is an error that names it`() throws {
    let person = try MemoryObject("Person", 1, ["name": .string("Ada")])
    let predicate = try FetchPredicate(format: "name == $name")
    let error = #expect(throws: PersistenceError.self) { try predicate.isTrue(for: person) }
    #expect(error?.message.hasPrefix("the variable '$name' has no value;") == true)
    #expect(try predicate.substituting(["name": "Ada"]).isTrue(for: person))
  }
}
