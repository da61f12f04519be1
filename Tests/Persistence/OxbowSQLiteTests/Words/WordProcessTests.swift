import CSQLite
import Foundation
import OxbowModel
import OxbowPlatform
import OxbowRelational
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Indexes of words where programs are killed, come and go, or have no FTS5.
///
/// `OXBOW_EDITS=100000` changes as many texts between kills; `OXBOW_RANDOM_SEED=7` begins with
/// another seed.
@Suite(.timeLimit(.minutes(60))) struct WordProcessTests: NotesSuite {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  private static func notes(
    _ scratch: Scratch, _ kind: StoreKind = .file, _ search: AttributeSearch = .words,
    _ change: (inout SQLiteStoreOptions) -> Void = { _ in }
  ) throws -> Library {
    var options = SQLiteStoreOptions()
    options.catchesUpSearch = false
    change(&options)
    return try Library(kind, options: options, model: notesModel(search: search), in: scratch)
  }

  private static func insert(
    _ keys: ClosedRange<Int64>, _ library: Library, _ text: String
  ) throws {
    try library.save { changes in
      for key in keys {
        changes.inserts.append(try library.insert("Note", key, ["body": .string("\(text) \(key)")]))
      }
    }
  }

  private static func found(_ search: String, _ library: Library) throws -> [Int64] {
    try library.keys("Note", library.words(["body"], try WordQuery(search)).byIndex).sorted()
  }

  private static func catchUp(_ library: Library) throws {
    while try !library.store.catchUpSearch() {}
  }

  /// Asks the index and the texts, and compares.
  private static func ask(_ library: Library, _ random: inout NoteRandom, _ note: String) throws {
    let query = try random.query()
    for names in [["rank"], ["body"], ["rank", "body"]] {
      let entity = names == ["rank"] ? "Item" : "Note"
      let (byIndex, read) = library.words(names, query)
      let found = try library.keys(entity, byIndex).sorted()
      #expect(try found == library.keys(entity, read).sorted(), "\(note): \(query) in \(names)")
    }
  }

  /// The words that an index has, of a store that is closed.
  private func words() throws -> [String] {
    try rows("SELECT rowid, w0, w1 FROM _oxbow_words_2 ORDER BY rowid")
  }

  // MARK: Kills

  /// How many texts a program changes before it is killed, if nothing kills it earlier.
  private static let editsOfAProgram = 400

  @Test(arguments: [StoreKind.file, .rollbackJournal, .withHistory])
  func `PS-15 an index after random edits and kills is the one that is made anew`(
    _ kind: StoreKind
  ) async throws {
    let seed = Self.number("OXBOW_RANDOM_SEED") ?? 1
    let count = max(1, (Self.number("OXBOW_EDITS") ?? 3 * Self.editsOfAProgram) / 3)
    var random = NoteRandom(random: SeededRandom(seed: UInt64(seed)))
    try Self.notes(scratch, kind).store.close()
    var (edits, kills) = (0, 0)
    while edits < count {
      try await edit(kind, Int.random(in: 1...2_000_000, using: &random.random), kills % 4 == 3)
      kills += 1
      let library = try Self.notes(scratch, kind)
      for _ in 0..<3 { try Self.ask(library, &random, "seed \(seed), kill \(kills)") }
      library.store.close()
      edits = Int(try String(contentsOfFile: scratch.file("edits"), encoding: .utf8).utf8.count)
    }
    let library = try Self.notes(scratch, kind)
    try Self.catchUp(library)
    library.store.close()
    let file = SQLiteStoreFile(scratch.file())
    #expect(try file.check() == [], "seed \(seed)")
    let before = try words()
    try run("INSERT INTO _oxbow_words_2(_oxbow_words_2) VALUES ('integrity-check')")
    try run("DELETE FROM _oxbow_words_2; UPDATE _oxbow_search SET indexed_to = 0")
    let again = try Self.notes(scratch, kind)
    try Self.catchUp(again)
    again.store.close()
    #expect(try words() == before, "seed \(seed)")
    print("edits of an index, \(kind): \(edits) texts, \(kills) kills, \(before.count) rows")
  }

  /// Changes texts in another process, until it is killed.
  private func edit(_ kind: StoreKind, _ seed: Int, _ isWhole: Bool) async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [
        folder = scratch.path as String, kind = kind.rawValue as String, seed = seed as Int,
        isWhole = isWhole as Bool
      ] in
      let plan = FaultyFiles.plan(for: folder)
      var random = NoteRandom(random: SeededRandom(seed: UInt64(seed)))
      let library = try Self.notes(
        Scratch(path: folder), try #require(StoreKind(rawValue: kind)))
      if !isWhole { plan.arm(Int.random(in: 1...300, using: &random.random), .kill) }
      let isOver = Lock(false)
      let indexer = DispatchGroup()
      indexer.enter()
      Thread.detachNewThread {
        while !isOver.withLock(\.self) { _ = try? library.store.catchUpSearch() }
        indexer.leave()
      }
      try Self.edit(library, &random, folder + "/edits")
      isOver.withLock { $0 = true }
      indexer.wait()
      raise(SIGKILL)
    }
  }

  /// Saves random changes of texts; a letter of a file counts each.
  private static func edit(
    _ library: Library, _ random: inout NoteRandom, _ count: String
  ) throws {
    let file = open(count, O_WRONLY | O_APPEND | O_CREAT, 0o600)
    defer { close(file) }
    var entities: [Int64: String] = [:]
    for entity in ["Item", "Note"] {
      for key in try library.keys(entity) { entities[key] = entity }
    }
    for _ in 0..<editsOfAProgram / 20 {
      var changes = ChangeSet()
      var used: Set<Int64> = []
      for _ in 0..<20 {
        let key = Int64.random(in: 1...600, using: &random.random)
        guard used.insert(key).inserted else { continue }
        try edit(key, library, &entities, &random, &changes)
      }
      try library.store.save(changes)
      let letters = [UInt8](repeating: 120, count: used.count)
      _ = write(file, letters, letters.count)
    }
  }

  private static func edit(
    _ key: Int64, _ library: Library, _ entities: inout [Int64: String],
    _ random: inout NoteRandom, _ changes: inout ChangeSet
  ) throws {
    func texts(_ entity: String) -> [String: AttributeValue] {
      let names = entity == "Note" ? ["rank", "body"] : ["rank"]
      return Dictionary(uniqueKeysWithValues: names.map { ($0, .string(random.text())) })
    }
    guard let entity = entities[key] else {
      let entity = random.random.chance(60) ? "Note" : "Item"
      changes.inserts.append(try library.insert(entity, key, texts(entity)))
      entities[key] = entity
      return
    }
    if random.random.chance(15) {
      changes.deletes.append(try library.delete(entity, key))
      entities[key] = nil
    } else {
      var update = try library.update(entity, key, 1, texts(entity).mapValues { $0 })
      update.checksVersion = false
      changes.updates.append(update)
    }
  }

  // MARK: Several processes

  @Test(arguments: [StoreKind.file, .rollbackJournal])
  func `PS-15 two processes write, search and catch up at once`(_ kind: StoreKind) async throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("Words in two processes: seed \(seed)")
    var random = NoteRandom(random: SeededRandom(seed: seed))
    let library = try Self.notes(scratch, kind)
    try Self.insert(1...300, library, "rust")
    try Self.catchUp(library)
    async let isWritten: ExitTest.Result? = #expect(processExitsWith: .success) {
      [folder = scratch.path as String, kind = kind.rawValue as String] in
      let library = try Self.notes(
        Scratch(path: folder), try #require(StoreKind(rawValue: kind)))
      for key in 1...60 as ClosedRange<Int64> {
        try library.save { changes in
          changes.updates = [
            try library.update("Note", key, 1, ["body": .string("iron \(key)")])
          ]
          changes.deletes = [try library.delete("Note", 100 + key, 1)]
        }
        try Self.insert(1000 + key...1000 + key, library, "iron")
        #expect(try Self.found("iron \(key)", library).contains(key))
        if key % 7 == 0 { _ = try library.store.catchUpSearch() }
      }
      library.store.close()
    }
    for key in 401...440 as ClosedRange<Int64> {
      try Self.insert(key...key, library, "gold")
      try Self.ask(library, &random, "seed \(seed)")
      _ = try library.store.catchUpSearch()
      #expect(try Self.found("gold \(key)", library) == [key])
    }
    _ = await isWritten
    #expect(try Self.found("iron", library) == Array(1...60) + Array(1001...1060))
    #expect(try Self.found("rust", library) == Array(61...100) + Array(161...300))
    try Self.catchUp(library)
    #expect(try Self.found("iron OR gold", library).count == 160)
    library.store.close()
    #expect(try SQLiteStoreFile(scratch.file()).check() == [])
  }

  @Test(arguments: [StoreKind.file, .rollbackJournal], [true, false])
  func `PS-15 keys alone have what another program has deleted, until the index is made anew`(
    _ kind: StoreKind, isFlat: Bool
  ) throws {
    var options = SQLiteStoreOptions()
    options.catchesUpSearch = false
    let model = notesModel(isFlat: isFlat)
    let entity = isFlat ? "Item" : "Note"
    func insert(_ keys: ClosedRange<Int64>, _ library: Library) throws {
      try library.save { changes in
        changes.inserts = try keys.map {
          try library.insert(entity, $0, ["body": .string("rust \($0)")])
        }
      }
    }
    func keys() throws -> [Int64] {
      let library = try Library(kind, options: options, model: model, in: scratch)
      defer { library.store.close() }
      let fetch = try library.fetch(entity, library.words(["body"], WordQuery("rust")).byIndex)
      // Rows are read, and so are texts that are not indexed yet.
      #expect(library.keys(try library.store.rows(of: fetch)).sorted() == [1, 3, 4, 5, 7])
      let keys = library.keys(try library.store.keys(of: fetch)).sorted()
      #expect(try library.store.count(of: fetch) == keys.count)
      return keys
    }
    let library = try Library(kind, options: options, model: model, in: scratch)
    try insert(1...5, library)
    try Self.catchUp(library)
    try insert(6...7, library)
    library.store.close()
    try run("DELETE FROM Item WHERE _id IN (2, 6)")
    // In a hierarchy, the row says which entity a key is of.
    #expect(try keys() == (isFlat ? [1, 2, 3, 4, 5, 7] : [1, 3, 4, 5, 7]))
    let file = SQLiteStoreFile(scratch.file())
    #expect(try file.check().count == 1)
    try file.compact()
    #expect(try file.check() == [])
    #expect(try keys() == [1, 3, 4, 5, 7])
  }

  // MARK: Without FTS5

  @Test func `PS-15 without FTS5 an index is refused by name, and the texts are read`() throws {
    let library = try Self.notes(scratch)
    try Self.insert(1...5, library, "rust")
    try Self.catchUp(library)
    library.store.close()
    try WithoutFTS5.run {
      // The index is there, and the model wants no other.
      let plain = try Self.notes(scratch, .file, [])
      #expect(try Self.found("rust", plain) == [1, 2, 3, 4, 5])
      try plain.save { changes in
        changes.updates = [try plain.update("Note", 2, 1, ["body": .string("iron")])]
        changes.deletes = [try plain.delete("Note", 3, 1)]
      }
      try Self.insert(6...6, plain, "rust")
      #expect(try Self.found("rust", plain) == [1, 4, 5, 6])
      #expect(try plain.store.catchUpSearch())
      plain.store.close()
      let reader = try Self.notes(scratch) { ($0.isReadOnly, $0.createsStore) = (true, false) }
      #expect(try Self.found("rust", reader) == [1, 4, 5, 6])
      reader.store.close()
      try SQLiteStoreFile(scratch.file()).backUp(to: scratch.file("copy.sqlite"))
    }
    // What was noted meanwhile is caught up.
    let again = try Self.notes(scratch)
    #expect(try Self.found("rust", again) == [1, 4, 5, 6])
    try Self.catchUp(again)
    #expect(try Self.found("iron", again) == [2])
    #expect(try Self.found("rust", again) == [1, 4, 5, 6])
    again.store.close()
    #expect(try SQLiteStoreFile(scratch.file()).check() == [])
  }

  @Test func `PS-15 without FTS5 a store that needs an index is not opened for writing`() throws {
    try WithoutFTS5.run {
      let error = #expect(throws: PersistenceError.self) { try Self.notes(scratch) }
      #expect(error?.code == .unsupported)
      #expect(error?.message.contains("was built without FTS5, which keeps it") == true)
      let plain = try Self.notes(scratch, .file, [])
      try Self.insert(1...3, plain, "rust")
      #expect(try Self.found("rust 2", plain) == [2])
    }
  }

  // MARK: Prepared stores

  @Test func `PS-15 PS-13 a store is prepared for tests while its index catches up`() throws {
    for round in 0..<4 {
      var options = SQLiteStoreOptions()
      options.catchesUpSearch = true
      let library = try Library(.temporary, options: options, model: notesModel())
      for block in 0..<4 as Range<Int64> {
        try Self.insert(1 + 300 * block...300 * (block + 1), library, "rust")
      }
      let prepared = try PreparedStore(PersistentStoreCoordinator(store: library.store))
      defer { prepared.close() }
      for _ in 0..<2 {
        let lent = Library(try #require(try prepared.begin().store as? SQLiteStore))
        #expect(try Self.found("rust 7", lent) == [7], "round \(round)")
        #expect(try Self.found("rust", lent).count == 1200)
        try Self.insert(2001...2600, lent, "iron")
        try lent.save { $0.deletes = [try lent.delete("Note", 7, 1)] }
        #expect(try Self.found("iron", lent).count == 600)
        #expect(try Self.found("rust 7", lent) == [])
        try prepared.end()
      }
    }
  }
}

/// Connections without FTS5, as SQLite has them that was built without it.
private enum WithoutFTS5 {
  private static let threads = Lock<Set<UInt>>([])

  private typealias Entry =
    @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Int32

  private static let isHooked: Bool = {
    let entry: Entry = { connection, _, _ in
      guard WithoutFTS5.threads.withLock({ $0.contains(currentThreadNumber()) }) else {
        return SQLITE_OK
      }
      return WithoutFTS5.drop(connection)
    }
    return sqlite3_auto_extension(unsafeBitCast(entry, to: (@convention(c) () -> Void).self))
      == SQLITE_OK
  }()

  /// Keeps the modules that SQLite's own functions are made of.
  private static func drop(_ connection: OpaquePointer?) -> Int32 {
    let kept = ["json_each", "json_tree", "rtree", "rtree_i32"].map { (name: String) in
      strdup(name)
    }
    defer { for name in kept { free(name) } }
    var names = kept.map { $0.map { UnsafePointer<CChar>($0) } } + [nil]
    return sqlite3_drop_modules(connection, &names)
  }

  /// Runs what opens its connections without FTS5.
  static func run(_ body: () throws -> Void) throws {
    precondition(isHooked, "SQLite calls no entry point")
    let thread = currentThreadNumber()
    threads.withLock { _ = $0.insert(thread) }
    defer { threads.withLock { _ = $0.remove(thread) } }
    try body()
  }
}
