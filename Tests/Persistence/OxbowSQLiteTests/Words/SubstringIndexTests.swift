import OxbowModel
import OxbowRelational
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

/// What a store keeps for parts of texts, and when its conditions use it.
@Suite struct SubstringIndexTests: NotesSuite {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Opens the store; without the background, it catches up when it is asked to.
  private func open(
    _ search: AttributeSearch = .substrings, hasLog: Bool = true,
    _ change: (inout SQLiteStoreOptions) -> Void = { _ in }
  ) throws -> Library {
    var options = SQLiteStoreOptions(usesWriteAheadLog: hasLog)
    options.catchesUpSearch = false
    change(&options)
    return try Library(.file, options: options, model: notesModel(search: search), in: scratch)
  }

  private func write(_ text: String, _ key: Int64, _ version: Int64, _ library: Library) throws {
    try library.save { changes in
      changes.updates.append(
        try library.update("Note", key, version, ["body": .string(text)]))
    }
  }

  private func found(
    _ part: String, _ library: Library, _ comparison: TextOperator = .contains,
    _ options: TextOptions = []
  ) throws -> [Int64] {
    try library.keys("Note", library.part("body", comparison, part, options).byIndex).sorted()
  }

  /// The last select that a store has run for a condition.
  private func select(_ library: Library, _ log: LogRecorder, _ condition: FetchPredicate) throws
    -> String
  {
    _ = try library.keys("Note", condition)
    return try #require(log.statements.last { $0.hasPrefix("SELECT") && $0.contains("\"body\"") })
  }

  @Test func `PS-15 a declared index of substrings has a table of trigrams, and no content`() throws
  {
    let library = try open()
    try insert(1...3, library, "Straße")
    try catchUp(library)
    #expect(try found("STRASSE 2", library, .contains, .caseInsensitive) == [2])
    library.store.close()
    #expect(
      try rows("SELECT root, kind, \"table\", indexed_to, added, edited FROM _oxbow_search")
        == ["2|'substrings'|'Item'|3|3|0"])
    #expect(
      try rows("SELECT sql FROM sqlite_schema WHERE name = '_oxbow_substrings_2'") == [
        "'CREATE VIRTUAL TABLE \"_oxbow_substrings_2\" USING fts5(\"w0\", \"w1\", content = '', "
          + "columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1')'"
      ])
    #expect(try rows("SELECT value FROM _oxbow_metadata WHERE name = 'layout_version'") == ["4"])
    #expect(try rows("SELECT name FROM sqlite_schema WHERE name GLOB '_oxbow_words*'") == [])
  }

  @Test(arguments: [true, false])
  func `PS-15 an index of substrings moves with its store, as far as it is (PS-04)`(
    hasLog: Bool
  ) throws {
    let library = try open(hasLog: hasLog)
    try insert(1...40, library, "rust")
    try catchUp(library)
    try write("gold 3", 3, 1, library)
    try insert(41...50, library, "rust")
    let coordinator = PersistentStoreCoordinator(store: library.store)
    try coordinator.moveStore(to: scratch.file("moved.sqlite"))
    #expect(try found("ust 3", library) == Array(30...39))
    #expect(try found("old 3", library) == [3] && found("ust 45", library) == [45])
    try write("iron 45", 45, 1, library)
    try insert(51...52, library, "rust")
    try catchUp(library)
    #expect(try found("ron 45", library) == [45] && found("ust 45", library) == [])
    #expect(try found("ust 5", library) == [5, 50, 51, 52])
    library.store.close()
    #expect(try SQLiteStoreFile(scratch.file("moved.sqlite")).check() == [])
    // The store that was left is as it was, with its own index.
    let left = try open(hasLog: hasLog)
    #expect(try found("old 3", left) == [3] && found("ust 45", left) == [45])
    #expect(try found("ron", left) == [] && found("ust 5", left) == [5, 50])
    try catchUp(left)
    #expect(try found("ust 5", left) == [5, 50])
    left.store.close()
    #expect(try SQLiteStoreFile(scratch.file()).check() == [])
  }

  @Test func `PS-15 a condition on a part of a text reads only the texts that may have it`() throws
  {
    let log = LogRecorder()
    let library = try open { $0.logger = log.statementLogger }
    try insert(1...200, library, "rust")
    try catchUp(library)
    for (comparison, part, options) in [
      (.contains, "ust 17", []), (.endsWith, "t 17", .diacriticInsensitive),
      (.beginsWith, "RUST 1", .caseInsensitive), (.beginsWith, "rust 1", []),
      (.like, "*ust?*17*", []),
    ] as [(TextOperator, String, TextOptions)] {
      let text = try select(
        library, log, library.part("body", comparison, part, options).byIndex)
      let other = try library.intruder()
      defer { other.close() }
      let plan = try other.rows("EXPLAIN QUERY PLAN " + text).compactMap { $0.last?.description }
      #expect(plan.contains { $0.contains("VIRTUAL TABLE INDEX") }, "\(plan)")
      #expect(plan.contains { $0.contains("t0 USING INTEGER PRIMARY KEY") }, "\(plan)")
      #expect(!plan.contains { $0.contains("SCAN t0") || $0.contains("SCAN w") }, "\(plan)")
    }
    #expect(try found("ust 17", library) == [17] + Array(170...179))
    #expect(try found("*ust?*17*", library, .like) == [17, 117] + Array(170...179))
  }

  @Test func `PS-15 parts that are too short, unknown or patterns have the old condition alone`()
    throws
  {
    let (log, plainLog) = (LogRecorder(), LogRecorder())
    let library = try open { $0.logger = log.statementLogger }
    var options = SQLiteStoreOptions()
    options.logger = plainLog.statementLogger
    let plain = try Library(.inMemory, options: options, model: notesModel(search: []))
    for library in [library, plain] { try insert(1...3, library, "rust") }
    let path = FetchExpression.path(["body"])
    func text(_ comparison: TextOperator, _ part: String) -> FetchPredicate {
      .text(path, comparison, .value(.attribute(.string(part))), .caseInsensitive)
    }
    for (condition, count) in [
      (text(.contains, "us"), 3), (text(.endsWith, "e\u{301}"), 0), (text(.like, "r?s*1"), 1),
      (text(.matches, "rust.*"), 3), (.text(path, .contains, .path(["rank"]), []), 0),
      (library.part("body", .contains, "rust", []).read, 3),
    ] {
      #expect(try select(library, log, condition) == select(plain, plainLog, condition))
      #expect(try library.keys("Note", condition).count == count)
    }
  }

  @Test func `PS-15 the beginning of a text in an ordinary index is answered by that`() throws {
    let log = LogRecorder()
    var options = SQLiteStoreOptions()
    options.logger = log.statementLogger
    var model = notesModel(search: .substrings)
    model = ManagedObjectModel(
      entities: model.entities.map { entity in
        var entity = entity
        if entity.name == "Item" {
          entity.fetchIndexes = [FetchIndexDescription("byRank", elements: [.init("rank")])]
        }
        return entity
      })
    let library = try Library(.file, options: options, model: model, in: scratch)
    for (comparison, part, options, isFiltered) in [
      (.beginsWith, "rust", [], false), (.like, "rust*", [], false), (.like, "rust?*", [], true),
      (.contains, "rust", [], true), (.beginsWith, "rust", .caseInsensitive, true),
    ] as [(TextOperator, String, TextOptions, Bool)] {
      _ = try library.keys("Item", library.part("rank", comparison, part, options).byIndex)
      let select = try #require(log.statements.last { $0.contains("\"rank\"") })
      #expect(select.contains("_oxbow_substrings_2") == isFiltered, "\(comparison) \(part)")
    }
  }

  @Test func `PS-15 texts at the end of a path are found, and where the path ends early`() throws {
    var model = notesModel(search: .substrings)
    model = ManagedObjectModel(
      entities: model.entities.map { entity in
        var entity = entity
        if entity.name == "Folder" { entity.attributes[0].search = .substrings }
        return entity
      })
    var options = SQLiteStoreOptions()
    options.catchesUpSearch = false
    let library = try Library(.file, options: options, model: model, in: scratch)
    try library.save { changes in
      for (key, name) in [(1, "rusty"), (2, "Rüst"), (3, "iron")] as [(Int64, String)] {
        changes.inserts.append(try library.insert("Folder", key, ["name": .string(name)]))
        changes.inserts.append(try library.insert("Item", key))
        changes.links.append(try library.link(("Item", key), "folder", ("Folder", key)))
      }
      changes.inserts.append(try library.insert("Item", 4))
    }
    let part = FetchExpression.value(.attribute(.string("RUST")))
    let overlooked: TextOptions = [.caseInsensitive, .diacriticInsensitive]
    let condition = FetchPredicate.text(.path(["folder", "name"]), .contains, part, overlooked)
    let name = FetchPredicate.text(.path(["name"]), .contains, part, overlooked)
    for _ in 0..<2 {
      #expect(try library.keys("Item", condition).sorted() == [1, 2])
      #expect(try library.keys("Item", .not(condition)).sorted() == [3, 4])
      #expect(try library.keys("Item", .any("folder.items", condition)).sorted() == [1, 2])
      #expect(try library.keys("Folder", .not(name)) == [3])
      try catchUp(library)
    }
  }

  @Test func `PS-15 only some conditions of a statement use the index, and all mean the same`()
    throws
  {
    let log = LogRecorder()
    let library = try open { $0.logger = log.statementLogger }
    try insert(1...60, library, "rust")
    try catchUp(library)
    let parts = (1...60).map { library.part("body", .endsWith, "rust \($0)", []).byIndex }
    let select = try select(library, log, .or(parts))
    #expect(select.split(separator: "MATCH").count == 65)
    #expect(try library.keys("Note", .or(parts)).count == 60)
  }

  @Test(arguments: [true, false])
  func `PS-15 texts that were edited, deleted, NULL, strange or huge are found`(hasLog: Bool) throws
  {
    let library = try open(hasLog: hasLog)
    let huge = String(repeating: "lorem ipsum ", count: 100_000) + "dolor sit"
    try insert(1...4, library, "rust")
    try library.save { changes in
      changes.inserts = try [
        library.insert("Note", 5), library.insert("Note", 6, ["body": .string("iron\u{0}ore")]),
        library.insert("Note", 7, ["body": .string(huge)]),
        library.insert("Note", 8, ["body": .string("")]),
        library.insert("Note", 9, ["body": .string("\u{301}\u{1161}\u{11A8}e")]),
      ]
    }
    for _ in 0..<2 {
      #expect(try found("rust", library) == [1, 2, 3, 4])
      #expect(try found("n\u{0}ore", library) == [6])
      #expect(try found("dolor sit", library) == [7])
      #expect(try found("\u{1161}\u{11A8}e", library) == [9])
      #expect(try found("", library, .contains) == [1, 2, 3, 4, 6, 7, 8, 9])
      try catchUp(library)
    }
    try write("iron 1", 1, 1, library)
    try library.save { $0.deletes.append(try library.delete("Note", 2, 1)) }
    for _ in 0..<2 {
      #expect(try found("rust", library) == [3, 4])
      #expect(try found("iron", library) == [1, 6])
      try catchUp(library)
    }
    library.store.close()
    #expect(try rows("SELECT added, edited FROM _oxbow_search") == ["7|2"])
  }

  @Test func `PS-15 an index of substrings begins again when edits outnumber its objects`() throws {
    let library = try open()
    try insert(1...300, library, "rust")
    try catchUp(library)
    for version in Int64(1)...4 {
      try library.save { changes in
        for key in Int64(1)...300 {
          changes.updates.append(
            try library.update(
              "Note", key, version, ["body": .string("text \(version) of \(key)")]))
        }
      }
      #expect(try found("of 7", library).count == 11)
      try catchUp(library)
      #expect(try found("of 7", library).count == 11)
      #expect(try found("rust", library) == [])
    }
    library.store.close()
    #expect(try rows("SELECT added, edited, indexed_to FROM _oxbow_search") == ["300|0|300"])
    #expect(
      try rows("SELECT count(*) FROM _oxbow_substrings_2 WHERE _oxbow_substrings_2 MATCH 'rus'")
        == ["0"])
  }

  @Test func `PS-15 an index of substrings whose objects come and go stays as small as they are`()
    throws
  {
    let library = try open()
    for round in Int64(0)..<12 {
      let keys = 300 * round + 1...300 * round + 300
      try insert(keys, library, "rust")
      try catchUp(library)
      try library.save { changes in
        changes.deletes = try keys.map { try library.delete("Note", $0, 1) }
      }
      try catchUp(library)
      #expect(try found("rust", library) == [])
    }
    library.store.close()
    let hits = "SELECT count(*) FROM _oxbow_substrings_2 WHERE _oxbow_substrings_2 MATCH 'rus'"
    #expect(try Int(rows(hits)[0]) ?? .max < 1600)
  }

  @Test func `PS-15 a text that is what it was is not written again`() throws {
    let library = try open()
    try insert(1...3, library, "rust")
    try catchUp(library)
    try write("other", 1, 1, library)
    try write("rust 1", 1, 2, library)
    try catchUp(library)
    #expect(try found("rust", library) == [1, 2, 3])
    library.store.close()
    #expect(try rows("SELECT edited FROM _oxbow_search") == ["0"])
  }

  @Test func `PS-15 words and substrings of an attribute catch up each by itself`() throws {
    let words = try open(.words)
    try insert(1...3, words, "rust")
    try catchUp(words)
    words.store.close()
    let library = try open([.words, .substrings])
    #expect(try found("ust 2", library) == [2])
    try write("iron 2", 2, 1, library)
    library.store.close()
    #expect(
      try rows("SELECT kind, indexed_to FROM _oxbow_search ORDER BY 1") == [
        "'substrings'|0", "'words'|3",
      ])
    #expect(try rows("SELECT kind, key FROM _oxbow_noted") == ["'words'|2"])
    let again = try open([.words, .substrings])
    try catchUp(again)
    #expect(try found("ron", again) == [2])
    try write("iron 3", 3, 1, again)
    again.store.close()
    #expect(
      try rows("SELECT kind, key FROM _oxbow_noted ORDER BY 1") == ["'substrings'|3", "'words'|3"])
  }

  @Test
  func
    `PS-15 a check names an index of substrings that another program made wrong, compacting mends it`()
    throws
  {
    let library = try open()
    try insert(1...6, library, "rust")
    try library.save { $0.inserts.append(try library.insert("Note", 7)) }
    try catchUp(library)
    library.store.close()
    let file = SQLiteStoreFile(scratch.file())
    #expect(try file.check() == [])
    try run(
      "UPDATE Item SET body = 'iron' WHERE _id = 2; DELETE FROM Item WHERE _id = 3; "
        + "UPDATE Item SET body = NULL WHERE _id = 4; UPDATE Item SET body = 'iron' WHERE _id = 7; "
        + "UPDATE Item SET body = 'RÜST 5' WHERE _id = 5")
    #expect(
      try file.check() == [
        "the index of substrings '_oxbow_substrings_2' is wrong for 2 rows of 'Item': another "
          + "program wrote them, and a search may miss them; compacting the store makes it anew"
      ])
    try file.compact()
    #expect(try file.check() == [])
    let again = try open()
    #expect(try found("iron", again) == [2, 7])
    #expect(
      try found("rust", again, .contains, [.caseInsensitive, .diacriticInsensitive]) == [1, 5, 6])
  }

  @Test func `PS-15 compacting takes what texts were out of an index of substrings`() throws {
    let library = try open()
    try insert(1...3, library, "rust")
    try catchUp(library)
    try write("iron 1", 1, 1, library)
    library.store.close()
    try SQLiteStoreFile(scratch.file()).compact()
    #expect(
      try rows("SELECT rowid FROM _oxbow_substrings_2 WHERE _oxbow_substrings_2 MATCH 'rus'")
        == ["2", "3"])
    #expect(try rows("SELECT added, edited FROM _oxbow_search") == ["3|0"])
  }

  @Test func `PS-15 a damaged text is asked, and does no harm to the others`() throws {
    let library = try open()
    try insert(1...3, library, "rust")
    library.store.close()
    try run("UPDATE Item SET body = CAST(x'72c17573740061' AS TEXT) WHERE _id = 2")
    let again = try open()
    func count(_ part: String) throws -> Int {
      try again.store.count(
        of: again.fetch("Note", again.part("body", .contains, part, []).byIndex))
    }
    for _ in 0..<2 {
      #expect(try count("rust") == 2)
      #expect(try count("st\u{0}a") == 1)
      try catchUp(again)
    }
  }

  @Test func `PS-15 trigrams that another version has written are not believed, and made anew`()
    throws
  {
    let library = try open()
    try insert(1...3, library, "rust")
    try catchUp(library)
    library.store.close()
    try run(
      "UPDATE _oxbow_search SET version = 0; DELETE FROM _oxbow_substrings_2_hashes; "
        + "INSERT INTO _oxbow_substrings_2(_oxbow_substrings_2) VALUES ('delete-all')")
    let reader = try open { ($0.isReadOnly, $0.createsStore) = (true, false) }
    #expect(try found("rust", reader) == [1, 2, 3])
    reader.store.close()
    let again = try open()
    try catchUp(again)
    #expect(try found("rust", again) == [1, 2, 3])
    again.store.close()
    #expect(
      try rows("SELECT rowid FROM _oxbow_substrings_2 WHERE _oxbow_substrings_2 MATCH 'rus'")
        == ["1", "2", "3"])
  }

  @Test func `PS-15 any SQLite with FTS5 reads and writes a store with substrings`() throws {
    let library = try open()
    try insert(1...4, library, "Straße")
    try catchUp(library)
    library.store.close()
    #expect(
      try rows("SELECT count(*) FROM sqlite_schema WHERE sql GLOB '*oxbow_[a-z]*(*_(*'") == ["0"])
    #expect(try rows("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == ["0"])
    #expect(
      try rows(
        "SELECT i._id FROM _oxbow_substrings_2 AS w JOIN Item AS i ON i._id = w.rowid "
          + "WHERE _oxbow_substrings_2 MATCH 'tra AND ass' AND i._id > 2") == ["3", "4"])
    try run("INSERT INTO _oxbow_substrings_2(_oxbow_substrings_2) VALUES ('integrity-check')")
    try run("INSERT INTO _oxbow_substrings_2(_oxbow_substrings_2) VALUES ('optimize'); VACUUM")
    let again = try open()
    #expect(try found("Straße", again) == [1, 2, 3, 4])
  }

  @Test func `PS-15 two stores, a pinned view and one for reading find parts in their moment`()
    throws
  {
    let (library, second) = (try open(), try open([]))
    try insert(1...5, library, "rust")
    try catchUp(library)
    let view = StoreLibrary(
      try #require(try library.store.pinned(PinnedViewLimits()) as? SQLiteStore))
    try write("iron", 1, 1, second)
    try library.save { $0.deletes.append(try library.delete("Note", 2, 1)) }
    #expect(try found("rust", second) == [3, 4, 5])
    #expect(try found("iron", second) == [1])
    try catchUp(library)
    #expect(try found("rust", view) == [1, 2, 3, 4, 5])
    #expect(try found("iron", view) == [])
    view.store.close()
    let reader = try open { ($0.isReadOnly, $0.createsStore) = (true, false) }
    #expect(try found("rust", reader) == [3, 4, 5])
    #expect(try found("iron", reader) == [1])
  }

  @Test(.timeLimit(.minutes(30)))
  func `PS-15 eight threads find what each has saved, while indexes catch up`() async throws {
    let library = try open([.words, .substrings]) { $0.catchesUpSearch = true }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<8 as Range<Int64> {
        group.addTask {
          for step in 0..<12 as Range<Int64> {
            let keys = (1...20).map { 1 + thread + 8 * (step * 20 + $0) }
            try library.save { changes in
              for key in keys {
                changes.inserts.append(
                  try library.insert("Note", key, ["body": .string("Straße \(thread)-\(key)-")]))
              }
            }
            let part = "SSE \(thread)-\(keys[3])-"
            #expect(try found(part, library, .contains, .caseInsensitive) == [keys[3]])
            try write("Eisen \(thread)-\(keys[3])-", keys[3], 1, library)
            #expect(try found(part, library, .contains, .caseInsensitive) == [])
            #expect(try found("sen \(thread)-\(keys[3])-", library) == [keys[3]])
          }
        }
      }
      try await group.waitForAll()
    }
    try catchUp(library)
    #expect(try found("Straße", library).count == 8 * 12 * 19)
    #expect(try found("Eisen", library).count == 8 * 12)
    library.store.close()
    #expect(try SQLiteStoreFile(scratch.file()).check() == [])
  }
}
