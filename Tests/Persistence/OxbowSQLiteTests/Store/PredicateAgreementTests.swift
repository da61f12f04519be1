import OxbowModel
import OxbowRelational
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Predicates and sort keys mean the same in a store and in memory, whatever they are made of.
@Suite struct PredicateAgreementTests {
  /// How many conditions are tried for each seed: `OXBOW_AGREEMENT_ROUNDS`, or 400.
  static let rounds =
    ProcessInfo.processInfo.environment["OXBOW_AGREEMENT_ROUNDS"].flatMap { Int($0) } ?? 400

  @Test(arguments: [1, 2, 3, UInt64.random(in: 4...UInt64.max)])
  func `PF-08 PF-09 random predicates find the same objects in the store and in memory`(
    seed: UInt64
  ) throws {
    try StoreContract(.inMemory)
      .`random predicates find the same objects in the store and in memory`(
        seed: seed, rounds: Self.rounds)
  }

  @Test(arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
  func `PS-15 random searches for words find the same objects in the store and in memory`(
    seed: UInt64
  ) throws {
    try StoreContract(seed == 2 ? .rollbackJournal : .inMemory)
      .`random searches for words find the same objects in the store and in memory`(
        seed: seed, rounds: Self.rounds)
  }

  @Test(arguments: [1, UInt64.random(in: 2...UInt64.max)])
  func `PS-15 an index of FTS5 with our words answers as our matcher does`(seed: UInt64) throws {
    print("Words and FTS5: seed \(seed)")
    var random = WordRandom(seed: seed)
    let scratch = try Scratch()
    let connection = try Connection(
      path: scratch.file(), configuration: Connection.Configuration(role: .writer))
    try connection.execute("CREATE VIRTUAL TABLE f USING fts5(a, b, tokenize = 'ascii')")
    let texts = (0..<200).map { _ in [random.text(0...4), random.text(0...14)].map(TextWords.init) }
    for text in texts {
      try connection.run("INSERT INTO f VALUES (?, ?)", text.map { .text($0.text) })
    }
    for _ in 0..<Self.rounds {
      let query = try WordQuery(random.search(depth: 4))
      let match = try #require(SQLiteDialect().text(of: query))
      let found = try connection.rows(
        "SELECT rowid FROM f WHERE f MATCH ? ORDER BY 1", [.text(match)])
      let matcher = WordMatcher(query)
      let expected = texts.indices.filter { matcher.matches(texts[$0]) }
      #expect(found == expected.map { [.integer(Int64($0 + 1))] }, "seed \(seed): \(query)")
    }
  }

  @Test(arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
  func `PF-08 the text of a random predicate is read as an equal one`(seed: UInt64) throws {
    print("Texts of predicates: seed \(seed), \(Self.rounds) conditions")
    var random = AgreementRandom(seed: seed)
    random.isCanonical = true
    for round in 0..<Self.rounds {
      let predicate = random.predicate(depth: 4)
      let comment: Comment = "seed \(seed), round \(round): \(predicate)"
      do {
        #expect(try FetchPredicate(format: predicate.description) == predicate, comment)
      } catch {
        Issue.record(error, comment)
      }
    }
  }

  @Test(arguments: [1, UInt64.random(in: 2...UInt64.max)])
  func `PF-08 what is not written as it is means the same when it is read`(seed: UInt64) throws {
    print("Meanings of texts: seed \(seed)")
    var random = AgreementRandom(seed: seed)
    let forest = try Forest(&random, in: StoreContract(.inMemory))
    for round in 0..<200 {
      let predicate = random.predicate(depth: 3)
      let again = try FetchPredicate(format: predicate.description)
      for item in forest.items.prefix(20) {
        #expect(
          try again.isTrue(for: item) == predicate.isTrue(for: item),
          "seed \(seed), round \(round): \(predicate)")
      }
    }
  }

  @Test(arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
  func `random orders are the same in the store and in memory`(seed: UInt64) throws {
    try StoreContract(.inMemory)
      .`random orders are the same in the store and in memory`(seed: seed)
  }
}
