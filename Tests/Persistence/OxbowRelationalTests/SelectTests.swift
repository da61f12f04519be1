import OxbowModel
import OxbowRelational
import OxbowStore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct SelectTests {
  let mapping: StoreMapping

  init() throws { mapping = try libraryMapping() }

  func fetch(_ entity: String, _ predicate: FetchPredicate? = nil) throws -> StoreFetch {
    var fetch = StoreFetch(entity: try mapping.model.requireEntity(named: entity).index)
    fetch.predicate = predicate
    return fetch
  }

  /// The text behind FROM of a select of keys, with the values of its parameters.
  func sql(_ fetch: StoreFetch) throws -> SQLFragment {
    let shape = RowShape(
      of: mapping.model.entities[fetch.entity], includesSubentities: fetch.includesSubentities,
      in: mapping)
    let generator = SelectGenerator(mapping: mapping, store: storeID)
    let full = try generator.keys(fetch, shape)
    let start = try #require(full.text.firstRange(of: " FROM "))
    return SQLFragment(String(full.text[start.upperBound...]), full.values)
  }

  func condition(_ predicate: FetchPredicate, of entity: String = "Book") throws -> String {
    let text = try sql(try fetch(entity, predicate)).text
    let start = try #require(text.firstRange(of: " WHERE "))
    let end = try #require(text.firstRange(of: " ORDER BY "))
    return String(text[start.upperBound..<end.lowerBound])
  }

  func refusal(_ predicate: FetchPredicate, of entity: String = "Book") throws -> String? {
    let error = #expect(throws: PersistenceError.self) {
      try self.sql(try self.fetch(entity, predicate))
    }
    return error?.message
  }

  let title = FetchExpression.path(["title"])
  let authorName = FetchExpression.path(["author", "name"])
  func text(_ text: String) -> FetchExpression { .value(.attribute(.string(text))) }
  func number(_ number: Int64) -> FetchExpression { .value(.attribute(.integer(number))) }

  // MARK: Rows

  @Test func `a fetch brings key, version and all columns, in the order of keys`() throws {
    let fetch = try fetch("Book")
    let shape = RowShape(
      of: mapping.model.entities[fetch.entity], includesSubentities: true, in: mapping)
    #expect(
      try SelectGenerator(mapping: mapping, store: storeID).rows(fetch, shape).text == """
        SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."cover", t0."isLent", \
        t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", \
        t0."weight" FROM "Book" AS t0 ORDER BY t0."_id"
        """)
  }

  @Test func `a fetch of a hierarchy brings the union, of a branch its types`() throws {
    var fetch = try fetch("Person")
    #expect(try sql(fetch).text == "\"Person\" AS t0 ORDER BY t0.\"_id\"")
    fetch.includesSubentities = false
    #expect(
      try sql(fetch).text == "\"Person\" AS t0 WHERE t0.\"_type\" = 2 ORDER BY t0.\"_id\"")
    #expect(
      try sql(try self.fetch("Writer")).text
        == "\"Person\" AS t0 WHERE t0.\"_type\" = 4 ORDER BY t0.\"_id\"")
    let person = try mapping.model.requireEntity(named: "Person")
    let shape = RowShape(of: person, includesSubentities: true, in: mapping)
    #expect(
      shape.list == """
        t0."_id", t0."_version", t0."_type", t0."name", t0."spouse", t0."_spouse_type", \
        t0."spouseOf", t0."_spouseOf_type", t0."card", t0."Reader_note", t0."Writer_Note"
        """)
    #expect(shape.values.first { $0.column.name == "card" }?.entities.count == 1)
    #expect(shape.values.first { $0.column.name == "name" }?.entities.count == 3)
  }

  @Test func `sorting, limit and offset are bound, and the key comes last`() throws {
    var fetch = try fetch("Book")
    fetch.sortKeys = [OrderingTerm("author.name", ascending: false), OrderingTerm("price")]
    fetch.limit = 10
    fetch.offset = 5
    #expect(
      try sql(fetch)
        == SQLFragment(
          """
          "Book" AS t0 LEFT JOIN "Person" AS t1 ON t1."_id" = t0."author" ORDER BY t1."name" \
          DESC, t0."price" COLLATE oxbow_decimal, t0."_id" LIMIT ? OFFSET ?
          """, [.integer(10), .integer(5)]))
    fetch.limit = nil
    #expect(try sql(fetch).values == [.integer(-1), .integer(5)])
  }

  @Test func `a count looks at its limit only when there is one`() throws {
    var fetch = try fetch("Book", .comparison(title, .equal, text("x")))
    let shape = RowShape(
      of: mapping.model.entities[fetch.entity], includesSubentities: true, in: mapping)
    let generator = SelectGenerator(mapping: mapping, store: storeID)
    #expect(
      try generator.count(fetch, shape).text
        == "SELECT count(*) FROM \"Book\" AS t0 WHERE t0.\"title\" = ?")
    fetch.limit = 3
    #expect(
      try generator.count(fetch, shape).text
        == "SELECT count(*) FROM (SELECT 1 FROM \"Book\" AS t0 WHERE t0.\"title\" = ? LIMIT ?)")
  }

  @Test func `related rows come with their owner, in order`() throws {
    let generator = SelectGenerator(mapping: mapping, store: storeID)
    let book = try mapping.model.requireEntity(named: "Book")
    let shape = RowShape(of: book, includesSubentities: true, in: mapping)
    func related(_ entity: String, _ name: String) throws -> String {
      let property = try mapping.model.requireEntity(named: entity).requireProperty(named: name)
      let relationship = try #require(property.relationship)
      let text = generator.related(relationship, shape, owners: .each(2))
      let list = try #require(text.firstRange(of: " FROM ")).lowerBound
      let columns = text[..<list].split(separator: ", ")
      let owner = try #require(text.firstRange(of: "WHERE ")).upperBound
      #expect(
        text[owner...].hasPrefix(columns[generator.ownerColumn(of: relationship, shape)]),
        "the column that is named is that of the condition")
      return String(text[try #require(text.firstRange(of: "\"weight\"")).upperBound...])
    }
    #expect(
      try related("Person", "books") == """
         FROM "Book" AS t0 WHERE t0."author" IN (?, ?) ORDER BY t0."author", t0."_id"
        """)
    #expect(
      try related("Shelf", "books") == """
         FROM "Book" AS t0 WHERE t0."shelf" IN (?, ?) \
        ORDER BY t0."shelf", t0."_shelf_position" NULLS LAST, t0."_id"
        """)
    #expect(
      try related("Tag", "books") == """
        , j."member" FROM "Book_tags" AS j CROSS JOIN "Book" AS t0 ON t0."_id" = j."owner" \
        WHERE j."member" IN (?, ?) ORDER BY j."member", j."owner"
        """)
    #expect(
      generator.rows(shape, keys: .each(3)).hasSuffix("WHERE t0.\"_id\" IN (?, ?, ?)"))
    #expect(
      generator.rows(shape, keys: .array)
        .hasSuffix("WHERE t0.\"_id\" IN (SELECT value FROM json_each(?))"))
  }

  // MARK: Conditions

  @Test func `comparisons have two values`() throws {
    let price = FetchExpression.path(["price"])
    let pages = FetchExpression.path(["pages"])
    #expect(try condition(.comparison(title, .equal, text("x"))) == "t0.\"title\" = ?")
    #expect(try condition(.comparison(title, .notEqual, text("x"))) == "t0.\"title\" IS NOT ?")
    #expect(try condition(.comparison(price, .equal, .value(.null))).hasSuffix(" IS NULL"))
    #expect(try condition(.comparison(pages, .less, number(3))) == "t0.\"pages\" < ?")
    #expect(
      try condition(.not(.comparison(pages, .less, number(3))))
        == "NOT (coalesce(t0.\"pages\" < ?, 0))")
    #expect(
      try condition(.not(.comparison(title, .equal, text("x")))) == "NOT (t0.\"title\" IS ?)")
    #expect(
      try condition(.comparison(title, .equal, authorName)) == "t0.\"title\" IS t1.\"name\"")
    #expect(try condition(.truth(.path(["isLent"]))) == "t0.\"isLent\"")
    #expect(
      try condition(.not(.truth(.path(["isLent"])))) == "NOT (coalesce(t0.\"isLent\", 0))")
    #expect(try condition(.and([])) == "1")
    #expect(try condition(.or([])) == "0")
    #expect(
      try condition(.or([.constant(false), .and([.constant(true), .truth(.path(["isLent"]))])]))
        == "(0 OR (1 AND t0.\"isLent\"))")
  }

  @Test func `values take the form of the column`() throws {
    let values: [(String, AttributeValue, SQLValue)] = [
      ("price", .decimal(Decimal(string: "12.50") ?? 0), .text("12.5")),
      ("price", .integer(3), .text("3")),
      ("printed", .date(Date(timeIntervalSinceReferenceDate: 5)), .real(5)),
      ("isLent", .boolean(true), .integer(1)), ("weight", .double(0.5), .real(0.5)),
      ("number", .uuid(storeID), .blob(Array(1...16))), ("cover", .data(Data([7])), .blob([7])),
      ("page", .url(URL(filePath: "/x")), .text("file:///x")),
    ]
    for (name, value, expected) in values {
      let predicate = FetchPredicate.comparison(
        .path([name]), .equal, .value(.attribute(value)))
      #expect(try sql(try fetch("Book", predicate)).values == [expected])
    }
  }

  @Test func `an object is its key, and that of another store is not found`() throws {
    func object(_ store: UUID) -> FetchExpression {
      .value(
        .object(
          ManagedObjectID(store: store, rootEntityName: "Person", entityName: "Writer", key: 7)))
    }
    let mine = try sql(try fetch("Book", .comparison(.path(["author"]), .equal, object(storeID))))
    #expect(mine.text.contains("WHERE t0.\"author\" = ? ORDER"))
    #expect(mine.values == [.integer(7)])
    let self_ = try sql(try fetch("Person", .comparison(.path([]), .equal, object(UUID()))))
    #expect(self_.text.contains("AS t0 WHERE 0 ORDER"))
    let list = FetchExpression.path(["author"])
    #expect(
      try condition(
        .isIn(
          list,
          [
            .object(
              ManagedObjectID(
                store: storeID, rootEntityName: "Book", entityName: "Book", key: 7))
          ])) == "0")
    // Keys of different hierarchies are equal by chance only (review W1).
    #expect(
      try condition(.comparison(.path([]), .equal, .path(["author"])))
        == "(t0.\"_id\" IS NULL AND t0.\"author\" IS NULL)")
    #expect(
      try condition(.comparison(.path(["author"]), .notEqual, .path([])))
        == "(t0.\"author\" IS NOT NULL OR t0.\"_id\" IS NOT NULL)")
  }

  @Test func `long chains are trees, and what is deep comes first (review C6)`() throws {
    let parts = (0..<40).map { FetchPredicate.comparison(.path(["pages"]), .less, number($0)) }
    let text = try condition(.and(parts))
    #expect(text.components(separatedBy: " AND ").count == 40)
    #expect(text.hasPrefix("(((t0") && text.hasSuffix("?)))"))
    var deep = FetchPredicate.truth(.path(["isLent"]))
    for _ in 0..<20 { deep = .and([parts[0], .or([parts[1], deep])]) }
    // But for the innermost levels, one parenthesis is open for each.
    #expect(try condition(deep).hasPrefix(String(repeating: "(", count: 30)))
    #expect(
      try condition(.not(.not(.and([.not(parts[0]), .not(parts[1])]))))
        == "(NOT (coalesce(t0.\"pages\" < ?, 0)) AND NOT (coalesce(t0.\"pages\" < ?, 0)))")
    #expect(
      try condition(.not(.or([parts[0], .not(parts[1])])))
        == "(NOT (coalesce(t0.\"pages\" < ?, 0)) AND t0.\"pages\" < ?)")
  }

  @Test func `what is too deep, too long or too wide is refused (review C6)`() throws {
    var deep = FetchPredicate.truth(.path(["isLent"]))
    for _ in 0..<2000 { deep = .not(deep) }
    #expect(
      try refusal(deep)?.hasPrefix("the condition is nested too deeply: more than 200 ") == true)
    var sum = FetchExpression.path(["pages"])
    for _ in 0..<250 { sum = .arithmetic(sum, .add, .value(1.fetchValue)) }
    #expect(
      try refusal(.comparison(sum, .less, number(1)))?.hasPrefix("the condition is nested too")
        == true)
    let many = (0..<40_000).map { FetchPredicate.comparison(.path(["pages"]), .less, number($0)) }
    #expect(
      try refusal(.or(many))?.hasPrefix("the condition has 40000 constants, and a store") == true)
    var fetch = try fetch("Book")
    fetch.sortKeys = (0..<100).map { _ in OrderingTerm("title") }
    #expect(try sql(fetch).text.hasSuffix("ORDER BY t0.\"title\", t0.\"_id\""))
    var people = try self.fetch("Person")
    for (count, text) in [(61, "an order of 61 different sort keys"), (62, "more than 60 to-one")] {
      people.sortKeys = (0..<count).map {
        OrderingTerm(String(repeating: "spouse.", count: $0) + "name")
      }
      let error = #expect(throws: PersistenceError.self) { try self.sql(people) }
      #expect(error?.code == .invalidPredicate)
      #expect(error?.message.contains(text) == true)
    }
  }

  @Test func `text is searched by bytes`() throws {
    #expect(
      try condition(.text(title, .contains, text("b"), [])) == "instr(t0.\"title\", ?) > 0")
    let begins = try sql(try fetch("Book", .text(title, .beginsWith, text("ab\u{D7FF}"), [])))
    #expect(begins.text.contains("WHERE (t0.\"title\" >= ? AND t0.\"title\" < ?)"))
    #expect(begins.values == [.text("ab\u{D7FF}"), .text("ab\u{E000}")])
    #expect(
      try condition(.text(title, .endsWith, text("b"), [])) == """
        CASE length(CAST(? AS BLOB)) WHEN 0 THEN t0."title" IS NOT NULL ELSE \
        substr(CAST(t0."title" AS BLOB), -length(CAST(? AS BLOB))) = CAST(? AS BLOB) END
        """)
    let folded = try sql(
      try fetch("Book", .text(title, .contains, text("ÄbC"), .caseInsensitive)))
    #expect(folded.text.contains("WHERE oxbow_contains(t0.\"title\", ?, 1) ORDER"))
    #expect(folded.values == [.text("ÄbC")])
    #expect(
      try condition(.text(title, .beginsWith, text(""), [])) == "t0.\"title\" IS NOT NULL")
    #expect(
      try condition(.text(title, .contains, authorName, []))
        == "instr(t0.\"title\", t1.\"name\") > 0")
  }

  @Test func `PS-15 words are a function, which gives no NULL`() throws {
    #expect(try condition(.words("title", all: "Rust iron")) == "oxbow_words(t0.\"title\", ?)")
    #expect(
      try condition(.not(.words("title", all: "rust"))) == "NOT (oxbow_words(t0.\"title\", ?))")
    let several = try sql(try fetch("Book", try .words(["title", "author.name"], "rust* OR É")))
    #expect(several.text.contains("WHERE oxbow_words(t0.\"title\", ?, t1.\"name\") ORDER"))
    #expect(several.values == [.text("rust* OR e")])
    #expect(try condition(.words([], all: "rust")) == "0")
    #expect(try condition(.words([title], authorName)) == "oxbow_words(t0.\"title\", t1.\"name\")")
  }

  @Test func `PS-15 words of what is not text, or not there, are refused`() throws {
    let error = #expect(throws: PersistenceError.self) {
      try self.sql(try self.fetch("Book", .words("pages", all: "rust")))
    }
    #expect(error?.message == "a whole number cannot be searched with 'words'; it needs text")
    #expect(error?.details.last?.text == "pages words \"rust\"")
    let unknown = #expect(throws: PersistenceError.self) {
      try self.sql(try self.fetch("Book", .words("titel", all: "rust")))
    }
    #expect(unknown?.nearNames == ["title"])
    #expect(
      try refusal(.words([title], number(1)))
        == "a whole number cannot be searched with 'words'; it needs text")
    #expect(try refusal(.words([title], text("a OR")))?.contains("cannot be read") == true)
    #expect(
      try refusal(.words(Array(repeating: title, count: 61), text("a")))
        == "61 texts are too many for one search: a store takes up to 60")
  }

  @Test func `PS-15 a search for FTS5 has each term in quotes and each operator in parentheses`()
    throws
  {
    let dialect = SQLiteDialect()
    #expect(
      dialect.text(of: try WordQuery("Rust* (iron OR e-mail) NOT near NOT \"a b\""))
        == "((\"rust\"* AND (\"iron\" OR \"e mail\")) NOT (\"near\" OR \"a b\"))")
    #expect(dialect.text(of: WordQuery(all: " ")) == nil)
  }

  @Test func `PF-08 text in every script, patterns and expressions are functions`() throws {
    #expect(
      try condition(.text(title, .matches, text("a+"), .diacriticInsensitive))
        == "oxbow_matches(t0.\"title\", ?, 2)")
    #expect(
      try condition(.text(title, .like, text("a?c*"), [])) == "oxbow_like(t0.\"title\", ?, 0)")
    #expect(
      try condition(.text(title, .like, text("Duck*"), []))
        == "(t0.\"title\" >= ? AND t0.\"title\" < ?)")
    #expect(try condition(.text(title, .like, text("*a*"), [])) == "instr(t0.\"title\", ?) > 0")
    #expect(
      try condition(.text(title, .like, text("?\u{301}*"), []))
        == "oxbow_like(t0.\"title\", ?, 0)")
    let both: TextOptions = [.caseInsensitive, .diacriticInsensitive]
    let equal = try sql(
      try fetch("Book", .comparison(.folded(title, both), .equal, .folded(text("É"), both))))
    #expect(equal.text.contains("WHERE oxbow_folded(t0.\"title\", 3) = ? ORDER"))
    #expect(equal.values == [.text("e")])
    #expect(
      try refusal(.text(title, .matches, text("(a"), []))
        == "the text '(a' after MATCHES is not a regular expression; check its brackets, and write a "
        + "backslash as two within quotes")
    #expect(
      try refusal(.comparison(.folded(.path(["pages"]), both), .equal, text("x")))
        == "a whole number has neither case nor diacritics; '[c]' and '[d]' need text")
  }

  @Test func `PF-08 values of many objects are subqueries`() throws {
    let labels = FetchExpression.path(["tags", "label"])
    let tags =
      "FROM \"Book_tags\" AS s1_0j JOIN \"Tag\" AS s1_0 ON s1_0.\"_id\" = s1_0j.\"member\" "
    let link = "WHERE s1_0j.\"owner\" = t0.\"_id\""
    #expect(
      try condition(.quantified(.any, .comparison(labels, .equal, title)))
        == "EXISTS (SELECT 1 \(tags)\(link) AND s1_0.\"label\" IS t0.\"title\")")
    #expect(
      try condition(.quantified(.all, .comparison(labels, .less, text("x"))))
        == "NOT EXISTS (SELECT 1 \(tags)\(link) AND NOT (coalesce(s1_0.\"label\" < ?, 0)))")
    #expect(
      try condition(.text(.path(["tags"]), .contains, .value(.null), []))
        == "EXISTS (SELECT 1 \(tags)\(link) AND s1_0.\"_id\" = NULL)")
    let member = FetchPredicate.comparison(.path(["$tag", "label"]), .equal, title)
    #expect(
      try condition(
        .comparison(
          .subqueryCount(path: ["tags"], variable: "tag", member), .greater, number(1)))
        == "(SELECT count(*) \(tags)\(link) AND s1_0.\"label\" IS t0.\"title\") > ?")
    #expect(
      try condition(.comparison(.aggregate(.max, path: ["tags", "label"]), .equal, text("x")))
        == "(SELECT max(s1_0.\"label\") \(tags)\(link)) = ?")
    #expect(
      try refusal(.quantified(.any, .comparison(title, .equal, text("x"))))
        == "'any' needs a path through a to-many relationship, and 'title' has none")
    #expect(
      try refusal(.comparison(.path(["$x", "label"]), .equal, text("x")))
        == "the variable '$x' has no value; give it one with 'substituting', or bind it in a SUBQUERY"
    )
    #expect(
      try refusal(.comparison(.aggregate(.sum, path: ["tags", "label"]), .equal, number(1)))
        == "'@sum' cannot be taken of text")
  }

  @Test func `lists are filled up to a power of two`() throws {
    let pages = FetchExpression.path(["pages"])
    func list(_ count: Int64) -> [FetchValue] { (0..<count).map { .attribute(.integer($0)) } }
    let three = try sql(try fetch("Book", .isIn(pages, list(3))))
    #expect(three.text.contains("t0.\"pages\" IN (?, ?, ?, ?) ORDER"))
    #expect(three.values == [.integer(0), .integer(1), .integer(2), .integer(2)])
    #expect(try condition(.isIn(pages, [])) == "0")
    #expect(
      try condition(.isIn(pages, list(1) + [.null]))
        == "(t0.\"pages\" IN (?) OR t0.\"pages\" IS NULL)")
    #expect(
      try condition(.isIn(pages, list(1001)))
        == "t0.\"pages\" IN (SELECT value FROM json_each(?))")
    let texts = try sql(
      try fetch("Book", .isIn(title, list(1001).map { _ in .attribute(.string("x\0y")) })))
    #expect(texts.text.contains("t0.\"title\" IN (SELECT CAST(coalesce(substr(?, "))
    #expect(texts.values.count == 2)
    #expect(texts.values[0] == .blob(Array(String(repeating: "x\0y", count: 1001).utf8)))
  }

  @Test func `conditions on members are subqueries`() throws {
    let named = FetchPredicate.comparison(.path(["label"]), .equal, text("x"))
    #expect(
      try condition(.any(path: ["tags"], named)) == """
        EXISTS (SELECT 1 FROM "Book_tags" AS s1_0j JOIN "Tag" AS s1_0 ON s1_0."_id" = \
        s1_0j."member" WHERE s1_0j."owner" = t0."_id" AND s1_0."label" = ?)
        """)
    #expect(
      try condition(.all(path: ["books"], .truth(.path(["isLent"]))), of: "Person") == """
        NOT EXISTS (SELECT 1 FROM "Book" AS s1_0 WHERE s1_0."author" = t0."_id" AND \
        NOT (coalesce(s1_0."isLent", 0)))
        """)
    #expect(
      try condition(
        .any(path: ["author", "books"], .comparison(.path(["shelf", "rowid"]), .equal, text("x")))
      ) == """
        EXISTS (SELECT 1 FROM "Book" AS s1_0 LEFT JOIN "Shelf" AS s1_1 ON s1_1."_id" = \
        s1_0."shelf" WHERE s1_0."author" = t1."_id" AND s1_1."Shelf_rowid" = ?)
        """)
    #expect(
      try condition(.comparison(.count(path: ["tags"]), .greater, number(2)))
        == "(SELECT count(*) FROM \"Book_tags\" AS s1_0j JOIN \"Tag\" AS s1_0 ON s1_0.\"_id\" = "
        + "s1_0j.\"member\" WHERE s1_0j.\"owner\" = t0.\"_id\") > ?")
  }

  @Test func `expressions are said as they are`() throws {
    let pages = FetchExpression.path(["pages"])
    #expect(
      try condition(
        .comparison(.arithmetic(pages, .remainder, number(2)), .equal, number(0)))
        == "(t0.\"pages\" % ?) = ?")
    #expect(
      try condition(.comparison(.coalesced(authorName, text("")), .equal, text("x")))
        == "coalesce(t1.\"name\", ?) = ?")
    #expect(
      try condition(
        .comparison(
          .conditional(.truth(.path(["isLent"])), .negated(pages), number(1)), .less, number(5)))
        == "CASE WHEN t0.\"isLent\" THEN (-t0.\"pages\") ELSE ? END < ?")
    #expect(
      try condition(
        .comparison(
          .condition(.comparison(pages, .less, number(1))), .equal,
          .value(.attribute(.boolean(true)))))
        == "(coalesce(t0.\"pages\" < ?, 0)) = ?")
  }

  // MARK: Refusals

  @Test func `what cannot be compared is shown as it is written`() throws {
    for predicate in [
      FetchPredicate.comparison(title, .equal, number(1)),
      .isIn(title, [.attribute(.integer(1))]),
    ] {
      let error = #expect(throws: PersistenceError.self) {
        try sql(try fetch("Book", predicate))
      }
      #expect(
        error?.description == "text cannot be compared with a whole number\n  in: title and 1")
    }
  }

  @Test func `what cannot be compared is refused by name`() throws {
    #expect(
      try refusal(.comparison(title, .equal, number(1)))
        == "text cannot be compared with a whole number")
    #expect(
      try refusal(.comparison(.path(["isLent"]), .less, .value(.attribute(.boolean(true)))))
        == "a truth value has no order: '<' needs one")
    #expect(
      try refusal(.text(.path(["pages"]), .contains, text("x"), []))
        == "a whole number cannot be searched with 'contains'; it needs text")
    #expect(try refusal(.truth(title)) == "text is not a condition; compare it with something")
    #expect(
      try refusal(.comparison(.path(["tags"]), .equal, .value(.null)))
        == "'tags' of 'Book' leads to many objects; use 'any', 'all' or 'count'")
    #expect(
      try refusal(.comparison(.path(["scratch"]), .equal, .value(.null)))
        == "'scratch' of 'Book' is not stored, so no store can compare it")
    #expect(
      try refusal(.comparison(.path(["tags", "label"]), .equal, text("x")))?.hasPrefix(
        "the path continues after 'tags' of 'Book'") == true)
    #expect(
      try refusal(.any(path: ["author"], .constant(true)))
        == "'author' of 'Book' is not a to-many relationship; 'any', 'all' and 'count' need one")
    #expect(
      try refusal(.comparison(.path(["titel"]), .equal, text("x")))?.hasPrefix(
        "the entity 'Book' has no property 'titel'") == true)
    #expect(
      try refusal(
        .comparison(.arithmetic(.path(["price"]), .add, number(1)), .equal, number(1)))
        == "a decimal number cannot be calculated with; a store does not calculate with decimals")
    var sorted = try fetch("Book")
    sorted.sortKeys = [OrderingTerm("author")]
    #expect(throws: PersistenceError.self) { try self.sql(sorted) }
  }
}
