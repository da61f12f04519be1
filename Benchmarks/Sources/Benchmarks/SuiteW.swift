import CSQLiteBaseline
import Foundation
import OxbowRuntime

/// Suite W: words in 100,000 texts of 200 words each.
///
/// Searches by the index are compared with the same question to its table of FTS5 in C, and with
/// reading all texts; a durable save of one text, with the same save of an entity without an index.
/// Parts of 200,000 titles of 27 bytes are compared with the same condition that reads all titles.
struct SuiteW {
  let directory: URL
  private static let (texts, words, vocabulary) = (100_000, 200, 60_000)

  /// Runs all of the suite, or only the saves.
  func run(_ selection: [Substring]) throws {
    if selection == ["saves"] { return try saves() }
    guard selection.isEmpty else {
      throw BenchmarkFailure(
        description: "suite W has the part saves, not \(selection.joined(separator: "/"))")
    }
    let path = directory.appending(path: "words.sqlite").path
    try fill(path)
    let store = try PersistentContainer(.file(path), types: [Article.self])
    defer { store.close() }
    for (name, word) in [("frequent", 2), ("middle", 600), ("rare", 30_000)] {
      let medians = try interleaved([
        { try search(store, .words("body", "w\(word)")) }, { try raw(path, "w\(word)") },
      ])
      print(
        Measurement(
          suite: "W", name: "\(name) word, a search", ours: medians[0], baseline: "FTS5 in C",
          theirs: medians[1], target: name == "middle" ? "≤ 1.3" : ""
        ).line)
    }
    let read = FetchPredicate.words(
      [.coalesced(.path(["body"]), .value(.attribute(.string(""))))],
      .value(.attribute(.string("w600"))))
    let medians = try interleaved(
      rounds: 1, [{ try search(store, .words("body", "w600")) }, { try search(store, read) }])
    print(
      Measurement(
        suite: "W", name: "middle word, a search", ours: medians[0], baseline: "reading texts",
        theirs: medians[1]
      ).line)
    let ranked = try interleaved([
      { try best(store, .words("body", "w600")) },
      { try raw(path, "w600", order: " ORDER BY rank LIMIT 20") },
    ])
    print(
      Measurement(
        suite: "W", name: "middle word, the 20 best", ours: ranked[0], baseline: "FTS5 in C",
        theirs: ranked[1]
      ).line)
    try saves()
    try substrings()
  }

  // MARK: - Searching

  private func search(_ store: PersistentContainer, _ predicate: FetchPredicate) throws -> Double {
    let context = store.makeContext()
    return try nanoseconds { consume(try context.fetchIDs(Article.self, where: predicate).count) }
  }

  private func best(_ store: PersistentContainer, _ predicate: FetchPredicate) throws -> Double {
    let context = store.makeContext()
    return try nanoseconds {
      consume(
        try context.fetch(Article.self, where: predicate, sortedBy: [.rank], limit: 20).count)
    }
  }

  private func raw(_ path: String, _ word: String, order: String = "") throws -> Double {
    var database: OpaquePointer?
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw BenchmarkFailure(description: "the store cannot be opened")
    }
    defer { sqlite3_close(database) }
    var statement: OpaquePointer?
    let sql =
      "SELECT rowid FROM _oxbow_words_1 WHERE _oxbow_words_1 MATCH '\"\(word)\"'"
      + order
    // The first search of a connection reads what FTS5 keeps of its index.
    var time = 0.0
    for _ in 0..<2 {
      time = try nanoseconds {
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
          throw BenchmarkFailure(description: String(cString: sqlite3_errmsg(database)))
        }
        defer { sqlite3_finalize(statement) }
        var keys: [Int64] = []
        while sqlite3_step(statement) == SQLITE_ROW {
          keys.append(sqlite3_column_int64(statement, 0))
        }
        consume(keys.count)
      }
    }
    return time
  }

  // MARK: - Texts

  private func fill(_ path: String) throws {
    var random = Zipf(Self.vocabulary)
    let store = try PersistentContainer(.file(path), types: [Article.self])
    for _ in 0..<Self.texts / 10_000 {
      let context = store.makeContext()
      for _ in 0..<10_000 { try context.insert(Article.self).body = random.text(Self.words) }
      try context.save()
    }
    store.close()
    let time = try nanoseconds { try SQLiteStoreFile(path).compact() } / Double(Self.texts)
    print(
      Measurement(
        suite: "W", name: "indexing a text of 200 words, at most", ours: time, baseline: "",
        theirs: 0
      ).line)
  }

  // MARK: - Substrings

  private func substrings() throws {
    let path = directory.appending(path: "substrings.sqlite").path
    var random = Zipf(Self.vocabulary)
    let store = try PersistentContainer(.file(path), types: [Track.self])
    defer { store.close() }
    for _ in 0..<20 {
      let context = store.makeContext()
      for _ in 0..<10_000 {
        try context.insert(Track.self).title = String(random.text(9).prefix(27))
      }
      try context.save()
    }
    let time = try nanoseconds { try SQLiteStoreFile(path).compact() } / 200_000
    print(
      Measurement(
        suite: "W", name: "indexing a title of 27 bytes, at most", ours: time, baseline: "",
        theirs: 0
      ).line)
    for (part, name, options) in [
      ("W432", "[cd]", [.caseInsensitive, .diacriticInsensitive]),
      ("nowhere", "[cd]", [.caseInsensitive, .diacriticInsensitive]), ("w432", "", []),
    ] as [(String, String, TextOptions)] {
      let value = FetchExpression.value(.attribute(.string(part)))
      let texts = [
        FetchExpression.path(["title"]), .coalesced(.path(["title"]), .value(.null)),
      ]
      let medians = try interleaved(
        texts.map { text in
          {
            let context = store.makeContext()
            return try nanoseconds {
              consume(
                try context.fetchIDs(Track.self, where: .text(text, .contains, value, options))
                  .count)
            }
          }
        })
      print(
        Measurement(
          suite: "W", name: "CONTAINS\(name) of \(part.count) letters", ours: medians[0],
          baseline: "reading titles", theirs: medians[1], target: "≤ 0.05"
        ).line)
    }
  }

  // MARK: - Saving

  private func saves() throws {
    let paths = ["saves-words", "saves"].map { directory.appending(path: "\($0).sqlite").path }
    let with = try PersistentContainer(.file(paths[0]), types: [Article.self])
    let without = try PersistentContainer(.file(paths[1]), types: [Letter.self])
    defer {
      with.close()
      without.close()
    }
    var random = Zipf(Self.vocabulary)
    let bodies = (0..<100).map { _ in random.text(Self.words) }
    let medians = try interleaved(
      rounds: 31,
      [
        { try save(in: with) { try $0.insert(Article.self).body = bodies[$1] } },
        { try save(in: without) { try $0.insert(Letter.self).body = bodies[$1] } },
      ])
    print(
      Measurement(
        suite: "W", name: "durable save of one text", ours: medians[0], baseline: "without index",
        theirs: medians[1], target: "≤ 1.10"
      ).line)
  }

  private func save(
    in store: PersistentContainer, _ insert: (ManagedObjectContext, Int) throws -> Void
  ) throws -> Double {
    let context = store.makeContext()
    return try nanoseconds {
      for number in 0..<100 {
        try insert(context, number)
        try context.save()
      }
    } / 100
  }
}

/// Words whose frequency falls with their number.
private struct Zipf {
  private let sums: [Double]
  private var state: UInt64 = 42

  init(_ count: Int) {
    var sum = 0.0
    sums = (1...count).map { number in
      sum += 1 / Double(number)
      return sum
    }
  }

  mutating func text(_ count: Int) -> String {
    (0..<count).map { _ in "w\(word())" }.joined(separator: " ")
  }

  private mutating func word() -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let point = Double(state >> 11) / Double(1 << 53) * (sums.last ?? 1)
    var (low, high) = (0, sums.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] < point { low = middle + 1 } else { high = middle }
    }
    return low + 1
  }
}

// MARK: - Entities, written as `@Entity` writes them

final class Article: ManagedObject, ModelObject {
  var body: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }

  class var entityName: String { "Article" }

  class var entityDescription: EntityDescription {
    EntityDescription(
      "Article", className: "Article",
      attributes: [AttributeDescription("body", .string, search: .words)])
  }

  class var _propertyNames: [String] { ["body"] }
  class var _propertyCount: Int { 1 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { [(\Article.body, "body")] }
}

final class Letter: ManagedObject, ModelObject {
  var body: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }

  class var entityName: String { "Letter" }

  class var entityDescription: EntityDescription {
    EntityDescription(
      "Letter", className: "Letter", attributes: [AttributeDescription("body", .string)])
  }

  class var _propertyNames: [String] { ["body"] }
  class var _propertyCount: Int { 1 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { [(\Letter.body, "body")] }
}

final class Track: ManagedObject, ModelObject {
  var title: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }

  class var entityName: String { "Track" }

  class var entityDescription: EntityDescription {
    EntityDescription(
      "Track", className: "Track",
      attributes: [AttributeDescription("title", .string, search: .substrings)])
  }

  class var _propertyNames: [String] { ["title"] }
  class var _propertyCount: Int { 1 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { [(\Track.title, "title")] }
}
