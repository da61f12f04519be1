import OxbowModel
import OxbowRelational
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What a store keeps for the words of texts, and when.
@Suite struct WordIndexTests: NotesSuite {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Opens the store; without the background, it catches up when it is asked to.
  private func open(
    _ search: AttributeSearch = .words, _ change: (inout SQLiteStoreOptions) -> Void = { _ in }
  ) throws -> Library {
    var options = SQLiteStoreOptions()
    options.catchesUpSearch = false
    change(&options)
    return try Library(.file, options: options, model: notesModel(search: search), in: scratch)
  }

  private func found(_ search: String, _ library: Library) throws -> [Int64] {
    try library.keys("Note", library.words(["body"], try WordQuery(search)).byIndex).sorted()
  }

  @Test func `PS-15 a store without declared words has no table for them`() throws {
    try open([]).store.close()
    #expect(
      try rows(
        "SELECT name FROM sqlite_schema WHERE name GLOB '_oxbow_words*' OR name = '_oxbow_search'")
        == [])
    #expect(try rows("SELECT value FROM _oxbow_metadata WHERE name = 'layout_version'") == ["1"])
  }

  @Test func `PS-15 a store that is opened with declared words can be searched before it is built`()
    throws
  {
    let plain = try open([])
    try insert(1...30, plain, "rust")
    plain.store.close()
    let library = try open()
    #expect(try found("rust 17", library) == [17])
    try catchUp(library)
    #expect(try found("rust 17", library) == [17])
    library.store.close()
    #expect(try rows("SELECT root, \"table\", indexed_to FROM _oxbow_search") == ["2|'Item'|30"])
    #expect(try rows("SELECT columns FROM _oxbow_search") == ["'rank\nbody'"])
    #expect(try rows("SELECT value FROM _oxbow_metadata WHERE name = 'layout_version'") == ["4"])
  }

  @Test func `PS-15 new objects behind the index are not noted, and others are`() throws {
    let library = try open()
    try insert(10...19, library, "rust")
    try catchUp(library)
    try insert(20...25, library, "iron")
    try library.save { changes in
      changes.inserts.append(try library.insert("Note", 3, ["body": .string("iron 3")]))
      changes.updates.append(try library.update("Note", 10, 1, ["body": .string("iron 10")]))
      changes.updates.append(try library.update("Note", 11, 1, ["plain": .string("iron 11")]))
      changes.updates.append(try library.update("Note", 20, 1, ["body": .string("iron 20")]))
      changes.deletes.append(try library.delete("Note", 12, 1))
    }
    #expect(try found("iron", library) == [3, 10, 20, 21, 22, 23, 24, 25])
    #expect(try found("rust", library) == [11, 13, 14, 15, 16, 17, 18, 19])
    library.store.close()
    #expect(try rows("SELECT key FROM _oxbow_noted ORDER BY key") == ["3", "10", "12"])
    let again = try open()
    try catchUp(again)
    #expect(try found("iron", again) == [3, 10, 20, 21, 22, 23, 24, 25])
    again.store.close()
    #expect(try rows("SELECT key FROM _oxbow_noted") == [])
    #expect(
      try rows("SELECT rowid FROM _oxbow_words_2 WHERE _oxbow_words_2 MATCH 'rust' LIMIT 2")
        == ["11", "13"])
  }

  @Test func `PS-15 a search reads no text of an object that the index has`() throws {
    let log = LogRecorder()
    let library = try open(.words) { $0.logger = log.statementLogger }
    try insert(1...200, library, "rust")
    try catchUp(library)
    for (entity, predicate) in [
      ("Note", library.words(["body"], try WordQuery("rust 17")).byIndex),
      ("Note", library.words(["rank", "body"], try WordQuery("rust OR iron*")).byIndex),
    ] {
      _ = try library.keys(entity, predicate)
      let text = try #require(
        log.statements.last {
          $0.hasPrefix("SELECT") && $0.contains("_oxbow_words_2")
        })
      let other = try library.intruder()
      defer { other.close() }
      let plan = try other.rows("EXPLAIN QUERY PLAN " + text).compactMap { $0.last?.description }
      #expect(plan.contains { $0.contains("VIRTUAL TABLE INDEX") }, "\(plan)")
      #expect(plan.contains { $0.contains("t0 USING INTEGER PRIMARY KEY") }, "\(plan)")
      #expect(!plan.contains { $0.contains("SCAN t0") || $0.contains("SCAN w") }, "\(plan)")
    }
    let before = log.statements.count
    _ = try library.keys("Note", library.words(["body"], try WordQuery("rust")).read)
    #expect(!log.statements.dropFirst(before).contains { $0.contains("_oxbow_words_2") })
  }

  @Test func `PS-15 the task that opens a store has not caused the look at its indexes`() throws {
    try open().store.close()
    let record = StatementRecord()
    let library = try StatementRecord.noting(for: record) { try open { $0.catchesUpSearch = true } }
    #expect(record.entries.map(\.text) == [])
    library.store.close()
  }

  @Test func `PS-15 many objects wait for the index, and it comes by itself`() throws {
    let library = try open { $0.catchesUpSearch = true }
    try insert(1...1200, library, "rust")
    #expect(try found("rust 1200", library) == [1200])
    try catchUp(library)
    try library.save { changes in
      for key in Int64(1)...700 {
        changes.updates.append(
          try library.update("Note", key, 1, ["body": .string("iron \(key)")]))
      }
    }
    #expect(try found("iron", library).count == 700)
    try catchUp(library)
    #expect(try found("iron", library).count == 700)
    #expect(try found("rust", library).count == 500)
  }

  /// The last key of an index, once it is what is expected.
  private func indexes(_ library: Library, to last: Int64) throws {
    let intruder = try library.intruder()
    defer { intruder.close() }
    while try intruder.integer("SELECT indexed_to FROM _oxbow_search") != last { sched_yield() }
  }

  @Test(.timeLimit(.minutes(30)))
  func `PS-15 what others have left is indexed in a program that only reads`() throws {
    let plain = try open()
    try insert(1...1200, plain, "rust")
    plain.store.close()
    let library = try open { $0.catchesUpSearch = true }
    try indexes(library, to: 1200)
    #expect(try found("rust 1200", library) == [1200])
  }

  @Test(.timeLimit(.minutes(30)))
  func `PS-15 objects without texts do not stay behind the index of their table`() throws {
    let library = try Library(
      .file, model: notesModel(search: .words, ofItems: []), in: scratch)
    try insert(1...10, library, "rust")
    try library.save { changes in
      changes.inserts = try (11...2000).map { try library.insert("Item", $0) }
    }
    try indexes(library, to: 2000)
  }

  @Test func `PS-15 saves have no time of their own while an index is far behind`() {
    let upkeep = SearchUpkeep()
    #expect(upkeep.add(1))
    _ = upkeep.pause(afterBlockOf: 20, isFarBehind: false)
    for isFarBehind in [true, false] {
      _ = upkeep.add(10)
      guard
        case .pause(let milliseconds) = upkeep.pause(afterBlockOf: 20, isFarBehind: isFarBehind)
      else {
        Issue.record("it ended")
        return
      }
      #expect(isFarBehind == (milliseconds == 0))
      if isFarBehind { upkeep.end(.done) }
    }
  }

  @Test func `PS-15 compacting makes an index anew whose pages are damaged`() throws {
    let library = try open()
    try insert(1...3000, library, "rust")
    try catchUp(library)
    library.store.close()
    try FixtureDatabase.run(
      scratch.file(),
      "UPDATE _oxbow_words_2_data SET block = zeroblob(length(block)) WHERE id > 10")
    try SQLiteStoreFile(scratch.file()).compact()
    let again = try open()
    #expect(try found("rust", again).count == 3000)
  }

  @Test func `PS-15 a program without the declaration notes what it writes all the same`() throws {
    let library = try open()
    try insert(1...3, library, "rust")
    try catchUp(library)
    library.store.close()
    let plain = try open([])
    try plain.save { changes in
      changes.updates.append(try plain.update("Note", 2, 1, ["body": .string("iron")]))
    }
    #expect(try found("iron", plain) == [2])
    plain.store.close()
    #expect(try rows("SELECT key FROM _oxbow_noted") == ["2"])
    let again = try open()
    #expect(try found("iron", again) == [2])
    #expect(try found("rust", again) == [1, 3])
  }

  @Test func `PS-15 two stores of a process search what the other one writes`() throws {
    let (first, second) = (try open(), try open())
    try insert(1...5, first, "rust")
    #expect(try found("rust", second) == [1, 2, 3, 4, 5])
    try catchUp(second)
    try second.save { $0.deletes.append(try second.delete("Note", 1, 1)) }
    #expect(try found("rust", first) == [2, 3, 4, 5])
  }

  @Test func `PS-15 a pinned view and a store for reading search their moment`() throws {
    let library = try open()
    try insert(1...5, library, "rust")
    try catchUp(library)
    try library.save { changes in
      changes.updates.append(try library.update("Note", 1, 1, ["body": .string("iron")]))
    }
    let view = StoreLibrary(
      try #require(try library.store.pinned(PinnedViewLimits()) as? SQLiteStore))
    try library.save { $0.deletes.append(try library.delete("Note", 1, 2)) }
    try catchUp(library)
    #expect(try found("iron", view) == [1])
    #expect(try found("rust", view) == [2, 3, 4, 5])
    view.store.close()
    let reader = try open { ($0.isReadOnly, $0.createsStore) = (true, false) }
    #expect(try found("iron", reader) == [])
    #expect(try found("rust", reader) == [2, 3, 4, 5])
  }

  @Test func `PS-15 a store for reading without an index reads the texts`() throws {
    let plain = try open([])
    try insert(1...5, plain, "rust")
    plain.store.close()
    let reader = try open { ($0.isReadOnly, $0.createsStore) = (true, false) }
    #expect(try found("rust 3", reader) == [3])
  }

  @Test func `PS-15 words that another version has split are not believed, and made anew`() throws {
    let library = try open()
    try insert(1...3, library, "rust")
    try catchUp(library)
    library.store.close()
    try run(
      "UPDATE _oxbow_search SET version = 0; UPDATE _oxbow_words_2 SET w1 = 'other' WHERE rowid = 2"
    )
    let reader = try open { ($0.isReadOnly, $0.createsStore) = (true, false) }
    #expect(try found("rust", reader) == [1, 2, 3])
    reader.store.close()
    let again = try open()
    #expect(try found("rust", again) == [1, 2, 3])
    try catchUp(again)
    #expect(try found("rust", again) == [1, 2, 3])
    #expect(try found("other", again) == [])
  }

  @Test
  func `PS-15 a check names an index that another program made wrong, and compacting mends it`()
    throws
  {
    let library = try open()
    try insert(1...4, library, "rust")
    try catchUp(library)
    library.store.close()
    let file = SQLiteStoreFile(scratch.file())
    #expect(try file.check() == [])
    try run("UPDATE Item SET body = 'iron' WHERE _id = 2; DELETE FROM Item WHERE _id = 3")
    #expect(
      try file.check() == [
        "the index of words '_oxbow_words_2' is wrong for 2 rows of 'Item': another program wrote "
          + "them, and a search may miss them; compacting the store makes it anew"
      ])
    try file.compact()
    #expect(try file.check() == [])
    let again = try open()
    #expect(try found("iron", again) == [2])
    #expect(try found("rust", again) == [1, 4])
  }

  @Test func `PS-15 any SQLite with FTS5 reads and writes the store`() throws {
    let library = try open()
    try insert(1...4, library, "Straße")
    try catchUp(library)
    library.store.close()
    #expect(try rows("SELECT count(*) FROM sqlite_schema WHERE sql GLOB '*oxbow_words(*'") == ["0"])
    #expect(try rows("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == ["0"])
    #expect(
      try rows(
        "SELECT i._id FROM _oxbow_words_2 AS w JOIN Item AS i ON i._id = w.rowid "
          + "WHERE _oxbow_words_2 MATCH 'strasse' AND i._id > 2") == ["3", "4"])
    try run("INSERT INTO _oxbow_words_2(_oxbow_words_2) VALUES ('integrity-check')")
  }

  @Test func `PS-15 a backup can be searched`() throws {
    let library = try open()
    try insert(1...4, library, "rust")
    try catchUp(library)
    try library.save { changes in
      changes.updates.append(try library.update("Note", 1, 1, ["body": .string("iron")]))
    }
    try SQLiteStoreFile(scratch.file()).backUp(to: scratch.file("copy.sqlite"))
    let copy = Library(
      try SQLiteStore(try CompiledModel(notesModel()), at: .file(scratch.file("copy.sqlite"))),
      support: scratch)
    #expect(try found("iron", copy) == [1])
    #expect(try found("rust", copy) == [2, 3, 4])
  }

  @Test func `PS-15 a history and words are in one store, whichever came first`() throws {
    try open().store.close()
    let library = try open { $0.history = .values }
    try insert(1...2, library, "rust")
    #expect(try found("rust", library) == [1, 2])
    library.store.close()
    #expect(try rows("SELECT value FROM _oxbow_metadata WHERE name = 'layout_version'") == ["5"])
  }

  @Test func `PS-15 without its history, a store with words keeps its version`() throws {
    let library = try open { $0.history = .keys }
    try insert(1...2, library, "rust")
    library.store.close()
    let file = SQLiteStoreFile(scratch.file())
    _ = try file.removeHistory(allowsLoss: true, force: false)
    #expect(try rows("SELECT value FROM _oxbow_metadata WHERE name = 'layout_version'") == ["4"])
    let plain = try open([])
    try insert(3...3, plain, "rust")
    plain.store.close()
    let again = try open()
    #expect(try found("rust", again) == [1, 2, 3])
  }

  @Test func `PS-15 an index has no rows of objects without words, whose end nothing notes`() throws
  {
    var options = SQLiteStoreOptions()
    options.catchesUpSearch = false
    let library = try Library(
      .file, options: options, model: notesModel(ofItems: []), in: scratch)
    try insert(1...2, library, "rust")
    try library.save { changes in
      for key: Int64 in 3...6 { changes.inserts.append(try library.insert("Item", key)) }
      changes.inserts.append(try library.insert("Note", 7))
    }
    try insert(8...8, library, "rust")
    try catchUp(library)
    // An ID may name the entity above that of its object.
    try library.save { changes in
      changes.deletes = try [
        library.delete("Item", 4), library.delete("Note", 7), library.delete("Item", 8),
      ]
    }
    try catchUp(library)
    library.store.close()
    #expect(try rows("SELECT rowid FROM _oxbow_words_2") == ["1", "2"])
    #expect(try SQLiteStoreFile(scratch.file()).check() == [])
  }

  @Test func `PS-15 a check and compacting pass over an index whose texts are gone`() throws {
    let library = try open()
    try insert(1...4, library, "rust")
    try catchUp(library)
    library.store.close()
    try run("ALTER TABLE Item DROP COLUMN body")
    let file = SQLiteStoreFile(scratch.file())
    #expect(try file.check().contains { $0.contains("body") && $0.hasSuffix("is missing") })
    try file.compact()
  }
}
