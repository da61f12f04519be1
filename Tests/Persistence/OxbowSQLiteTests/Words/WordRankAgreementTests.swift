import OxbowModel
import OxbowRelational
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

/// PS-15: ranks and snippets are the same in a store and in memory, however far its index is.
@Suite struct WordRankAgreementTests {
  typealias World = WordIndexAgreementTests.World

  @Test(arguments: [StoreKind.file, .rollbackJournal, .inMemory])
  func `PS-15 an index, the texts and memory rank alike after random changes`(
    kind: StoreKind
  ) throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("Ranks: \(kind), seed \(seed)")
    var world = try World(kind, seed)
    for step in 0..<rounds {
      switch Int.random(in: 0..<10, using: &world.random.random) {
      case 0: try world.update()
      case 1: _ = try world.library.store.catchUpSearch()
      default: try world.save()
      }
      try world.askRanks("seed \(seed), step \(step)")
    }
    while try !world.library.store.catchUpSearch() {}
    for _ in 0..<rounds / 4 { try world.askRanks("seed \(seed), caught up") }
  }

  @Test(arguments: [
    "oxbow_word_statistics('rust', 1, x'FFFFFFFFFFFFFFFFFFFF', '0 7 -1 99999999999999999999', 1)",
    "oxbow_word_statistics('rust', 2, x'FFFFFFFFFFFFFFFFFF', '0 0 0', -9223372036854775808)",
    "oxbow_word_statistics('rust', 3, 9223372036854775807, 1, 1)",
    "oxbow_word_statistics('rust', 3, 0, 9223372036854775807, 1)",
    "oxbow_word_statistics('rust OR', NULL, NULL, NULL, NULL)", "oxbow_word_statistics()",
    "oxbow_rank(NULL, 'rust', 'rust')", "oxbow_rank('0 9223372036854775807 -1', 'rust', 'rust')",
    "oxbow_rank('1 1 1', '(', 'rust')", "oxbow_rank()",
    "oxbow_snippet('a', 'a', NULL, x'FF', '', -9223372036854775808)",
    "oxbow_snippet(x'FFFE61', 'a', '', '', '', 9223372036854775807)",
  ])
  func `PS-15 damaged numbers of an index rank wrongly, and no more`(call: String) throws {
    let library = try Library(.file, model: notesModel())
    let connection = try library.intruder()
    defer { connection.close() }
    _ = try connection.rows("SELECT \(call) FROM (SELECT 1 UNION ALL SELECT 2)")
  }

  @Test func `PS-15 the function of an index is for searches of one`() throws {
    let library = try Library(.file, model: notesModel())
    try library.save { changes in
      changes.inserts = [try library.insert("Note", 1, ["body": .string("rust")])]
    }
    while try !library.store.catchUpSearch() {}
    let connection = try library.intruder()
    defer { connection.close() }
    let table = "_oxbow_words_2"
    // More phrases than the statement has, and columns that the table lacks.
    let rows = try connection.rows(
      "SELECT oxbow_index_rank(\(table), '1 1 1 1', 'rust OR iron', '1 5 99999999999') "
        + "FROM \(table) WHERE \(table) MATCH 'rust'")
    guard case .real(let rank)? = rows.first?.first else {
      Issue.record("\(rows)")
      return
    }
    #expect(rank < 0)
    #expect(throws: SQLiteError.self) {
      _ = try connection.rows("SELECT oxbow_index_rank(1, '', '', '')")
    }
  }

  private let rounds = PredicateAgreementTests.rounds / 20

  @Test func `PS-15 ranks of an index that caught up are those of FTS5`() throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("Ranks of FTS5: seed \(seed)")
    var world = try World(.file, seed)
    for _ in 0..<40 { try world.save() }
    while try !world.library.store.catchUpSearch() {}
    let other = try world.library.intruder()
    defer { other.close() }
    let dialect = SQLiteDialect()
    for _ in 0..<60 {
      let query = try world.random.flatQuery()
      let rows = try world.library.ranked("Note", ["rank", "body"], query).values
      guard let match = dialect.text(of: query) else { continue }
      let all = try other.rows(
        "SELECT rowid, bm25(\"_oxbow_words_2\") FROM \"_oxbow_words_2\" WHERE \"_oxbow_words_2\" "
          + "MATCH ?", [.text(match)])
      for row in rows {
        let known = all.first { $0[0] == .integer(row.key) }
        guard case .real(let rank)? = known?[1] else {
          Issue.record("seed \(seed): \(query) does not find \(row.key)")
          continue
        }
        #expect((rank - row.rank).magnitude < 1e-12, "seed \(seed): \(query), \(row.key)")
      }
    }
  }
}

extension NoteRandom {
  /// A search in which FTS5 counts only what is a reason for the hit: below OR, it counts phrases
  /// of terms that are not met.
  mutating func flatQuery() throws -> WordQuery {
    let words = try (0..<6).map { _ in try query().description }.filter {
      // One word, or one phrase.
      !$0.contains(" ") || $0.dropFirst().firstIndex(of: "\"") == $0.lastIndex(of: "\"")
    }.filter { !$0.contains("(") && !$0.contains(" NOT ") && !$0.contains(" OR ") }
    let all = words.isEmpty ? ["rust"] : words
    let text = all.joined(separator: random.chance(50) ? " OR " : " ")
    return try WordQuery(random.chance(30) ? "(\(text)) NOT iron" : text)
  }
}

extension StoreLibrary {
  /// Keys and ranks of what a search finds, and a snippet of each text, in their order.
  func ranked(
    _ entity: String, _ names: [String], _ query: WordQuery, readsTexts: Bool = false,
    limit: Int? = nil, offset: Int = 0
  ) throws -> (values: [(key: Int64, rank: Double)], snippets: [String?]) {
    let (byIndex, read) = words(names, query)
    var question = try ColumnQuery(
      entity: try self.entity(entity).index,
      columns: [
        .value(.path([]), as: "id"), .rank, .snippet(names[0], SnippetStyle(words: 3), as: "s"),
      ], sortedBy: [.rank])
    question.predicate = readsTexts ? read : byIndex
    (question.limit, question.offset) = (limit, offset)
    let rows = try store.rows(of: question)
    var result: (values: [(key: Int64, rank: Double)], snippets: [String?]) = ([], [])
    for start in stride(from: 0, to: rows.values.count, by: 3) {
      guard case .object(let id) = rows.values[start],
        case .attribute(.double(let rank)) = rows.values[start + 1]
      else { throw PersistenceError(.invalidStoredValue, "\(rows.values[start...])") }
      result.values.append((id.key, rank))
      if case .attribute(.string(let text)) = rows.values[start + 2] {
        result.snippets.append(text)
      } else {
        result.snippets.append(nil)
      }
    }
    return result
  }

  /// The keys of what a search finds, the best first.
  func best(
    _ entity: String, _ condition: FetchPredicate, limit: Int?, offset: Int = 0
  ) throws -> [Int64] {
    var fetch = try fetch(entity, condition)
    fetch.sortKeys = [OrderingTerm("rank()")]
    (fetch.limit, fetch.offset) = (limit, offset)
    let keys = keys(try store.keys(of: fetch))
    return keys == self.keys(try store.rows(of: fetch)) ? keys : []
  }
}

extension WordIndexAgreementTests.World {
  /// Asks for ranks in every way, and compares.
  mutating func askRanks(_ comment: String) throws {
    let query = try random.query()
    let names =
      [["rank"], ["body"], ["rank", "body"], ["body", "rank"]]
      .randomElement(using: &random.random) ?? ["rank"]
    let comment: Comment = "\(comment): \(query) in \(names)"
    let entity = names.contains("body") ? "Note" : "Item"
    let matcher = WordMatcher(query)
    func words(_ item: WordIndexAgreementTests.Item) -> [TextWords] {
      names.compactMap { item.values[$0] }.map { TextWords($0) }
    }
    let numbers = items.values.reduce(into: WordStatistics(matcher)) { $0.add(words($1), matcher) }
    var wanted: [(key: Int64, rank: Double)] = []
    for (key, item) in items where entity == "Item" || item.entity == "Note" {
      if let rank = matcher.rank(words(item), among: numbers) { wanted.append((key, rank)) }
    }
    wanted.sort { ($0.rank, $0.key) < ($1.rank, $1.key) }
    let search = try RankedSearch.of(library.words(names, query).byIndex, for: "").search
    #expect(
      try library.store.wordStatistics(of: search, in: library.entity(entity).index) == numbers,
      comment)
    for readsTexts in [false, true] {
      let found = try library.ranked(entity, names, query, readsTexts: readsTexts)
      #expect(found.values.map(\.key) == wanted.map(\.key), comment)
      #expect(found.values.map(\.rank) == wanted.map(\.rank), comment)
      let snippets = wanted.map { items[$0.key]?.values[names[0]] }.map { text in
        text.map { query.snippet(of: $0, SnippetStyle(words: 3)) }
      }
      #expect(found.snippets == snippets, comment)
      let (limit, offset) = (
        Int.random(in: 0...4, using: &random.random), Int.random(in: 0...2, using: &random.random)
      )
      let part = wanted.dropFirst(offset).prefix(limit).map(\.key)
      let rows = try library.ranked(
        entity, names, query, readsTexts: readsTexts, limit: limit, offset: offset)
      #expect(rows.values.map(\.key) == part, comment)
      let (byIndex, read) = library.words(names, query)
      let condition = readsTexts ? read : byIndex
      #expect(try library.best(entity, condition, limit: limit, offset: offset) == part, comment)
      let rest = FetchPredicate.comparison(
        .path(["folder", "name"]), .equal, .value(.attribute(.string("f"))))
      #expect(
        try library.best(entity, .and([rest, condition]), limit: nil) == wanted.map(\.key), comment)
    }
  }
}
