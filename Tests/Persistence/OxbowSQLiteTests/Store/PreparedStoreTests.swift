import OxbowModel
import OxbowRelational
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// PS-13: a store that each test finds as it was.
@Suite struct PreparedStoreTests {
  private let recorder = LogRecorder()

  /// A store with three tags, given away to be lent.
  private func prepared(
    _ options: SQLiteStoreOptions = SQLiteStoreOptions(),
    _ more: (Library) throws -> Void = { _ in }
  ) throws -> PreparedStore {
    try prepared(Library(.temporary, options: options)) { library in
      try library.save { changes in
        changes.inserts = try [1, 2, 3].map {
          try library.insert("Tag", $0, ["label": .string("seed \($0)")])
        }
      }
      try more(library)
    }
  }

  private func prepared(
    _ library: Library, _ prepare: (Library) throws -> Void
  ) throws -> PreparedStore {
    try prepare(library)
    return try PreparedStore(PersistentStoreCoordinator(store: library.store))
  }

  private func expectSeed(_ prepared: PreparedStore) throws {
    let keys = try lend(prepared) { try $0.keys("Tag") }
    #expect(keys == [1, 2, 3])
  }

  /// Lends a store while `body` runs.
  @discardableResult
  private func lend<R>(_ prepared: PreparedStore, _ body: (Library) throws -> R) throws -> R {
    let library = try begin(prepared)
    let result = try body(library)
    try prepared.end()
    return result
  }

  private func begin(_ prepared: PreparedStore) throws -> Library {
    Library(try #require(try prepared.begin().store as? SQLiteStore))
  }

  private func tag(_ library: Library, _ key: Int64, _ label: String = "") throws -> ChangeSet {
    var changes = ChangeSet()
    changes.inserts = [try library.insert("Tag", key, ["label": .string(label)])]
    return changes
  }

  // MARK: What a scope finds and leaves

  @Test func `each time it is lent, it is as it was given away (PS-13)`() throws {
    let prepared = try prepared()
    defer { prepared.close() }
    var random = SeededRandom(seed: 13)
    for round in 0..<200 as Range<Int64> {
      try lend(prepared) { library in
        #expect(try library.keys("Tag") == [1, 2, 3])
        #expect(try library.only("Tag", 2)["label"]?.contains("seed 2") == true)
        #expect(try library.store.reserveKeys(root: library.entity("Tag").index, count: 1) == 4..<5)
        if random.chance(60) { try library.store.save(tag(library, 10 + round, "\(round)")) }
        if random.chance(40) {
          try library.save {
            $0.updates = [try library.update("Tag", 2, 1, ["label": .string("x")])]
          }
        }
        if random.chance(40) { try library.save { $0.deletes = [try library.delete("Tag", 1)] } }
        if random.chance(20) {
          let fetch = try library.fetch("Tag")
          let label = try library.property("Tag", "label").index
          _ = try library.store.update(
            StoreUpdate(fetch, [(property: label, value: .value(.attribute(.string("all"))))]))
        }
      }
    }
    try expectSeed(prepared)
  }

  @Test func `all of a scope is one transaction, and saves are savepoints in it (PS-13)`() throws {
    let prepared = try prepared(SQLiteStoreOptions(logger: recorder.statementLogger))
    defer { prepared.close() }
    let count = recorder.statements.count
    try lend(prepared) { library in
      for key in 10..<13 as Range<Int64> { try library.store.save(tag(library, key)) }
      #expect(library.store.statistics.saves == 3)
      #expect(library.store.statistics.commits == 3)
    }
    let words = ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"]
    let transactions = recorder.statements.dropFirst(count).filter { statement in
      words.contains { statement.hasPrefix($0) }
    }
    #expect(
      transactions == ["BEGIN IMMEDIATE"]
        + Array(repeating: ["SAVEPOINT scope", "RELEASE scope"], count: 3).joined()
        + ["ROLLBACK"])
    try lend(prepared) { #expect($0.store.statistics.saves == 0) }
  }

  @Test func `the file never changes (PS-13)`() throws {
    let prepared = try prepared()
    defer { prepared.close() }
    let url = URL(filePath: prepared.path)
    let before = try Data(contentsOf: url)
    try lend(prepared) { library in
      for key in 10..<20 as Range<Int64> {
        try library.store.save(tag(library, key, String(repeating: "x", count: 2 << 20)))
      }
      #expect(try Data(contentsOf: url) == before)
    }
    #expect(try Data(contentsOf: url) == before)
  }

  @Test func `saves of threads see each other, and one that fails is undone alone (PS-13)`() throws
  {
    let prepared = try prepared()
    defer { prepared.close() }
    try lend(prepared) { library in
      var changes = try [10, 11, 12, 13].map { try tag(library, $0) }
      for place in [1, 2] {
        changes[place].updates = [
          try library.update("Tag", 1, 1, ["label": .string("\(place)")])
        ]
      }
      let errors = try saveTogether(changes, library.store)
      #expect(errors.map(\.?.code) == [nil, nil, .conflict, nil])
      #expect(try library.keys("Tag") == [1, 2, 3, 10, 11, 13])
    }
    try expectSeed(prepared)
  }

  @Test func `references to missing rows are refused save by save (PS-13)`() throws {
    let prepared = try prepared()
    defer { prepared.close() }
    try lend(prepared) { library in
      try library.store.save(tag(library, 10))
      let error = errorOf {
        try library.save { changes in
          changes.inserts = [try library.insert("Book", 1)]
          changes.links = [try library.link(("Book", 1), "author", ("Writer", 99))]
        }
      }
      #expect(error?.code == .conflict)
      #expect(error?.message.contains("missing row") == true)
      #expect(try library.keys("Book") == [])
      try library.store.save(tag(library, 11))
      #expect(try library.keys("Tag") == [1, 2, 3, 10, 11])
    }
  }

  @Test func `stores that are opened at its path belong to the scope (PS-13)`() throws {
    let prepared = try prepared()
    defer { prepared.close() }
    try lend(prepared) { library in
      try library.store.save(tag(library, 10))
      let other = Library(try SQLiteStore(library.model, at: .file(prepared.path)))
      #expect(other.store.identifier == library.store.identifier)
      #expect(try other.keys("Tag") == [1, 2, 3, 10])
      try other.store.save(tag(other, 11))
      library.store.close()
      #expect(try other.keys("Tag") == [1, 2, 3, 10, 11])
      other.store.close()
      let again = Library(try SQLiteStore(library.model, at: .file(prepared.path)))
      #expect(try again.keys("Tag") == [1, 2, 3, 10, 11])
    }
    try expectSeed(prepared)
  }

  // MARK: What ends it

  @Test func `what outlives its scope is refused, in the next one too (PS-13)`() throws {
    let prepared = try prepared(SQLiteStoreOptions(history: .keys))
    defer { prepared.close() }
    let late = try begin(prepared)
    let joined = Library(try SQLiteStore(late.model, at: .file(prepared.path)))
    let coordinator = PersistentStoreCoordinator(store: late.store)
    let id = coordinator.id(of: try late.reference("Tag", 1))
    let token = try late.store.currentToken()
    _ = try late.store.register("mailer", at: .now)
    try prepared.end()

    func expectRefusals() throws {
      for library in [late, joined] {
        let errors = [
          errorOf { _ = try library.keys("Tag") },
          errorOf { try library.store.save(tag(library, 20)) },
          errorOf { _ = try library.store.reserveKeys(root: 0, count: 1) },
          errorOf { _ = try library.store.metadataKeys() },
          errorOf { _ = try library.store.delete(before: token, force: true) },
          errorOf { try library.store.forget("mailer") },
          errorOf { _ = try library.store.consumers() },
        ]
        #expect(errors.map(\.?.code) == Array(repeating: .storeClosed, count: errors.count))
        #expect(errors.allSatisfy { $0?.message.contains("the test that it was lent to") == true })
      }
    }
    try expectRefusals()
    let between = errorOf { _ = try SQLiteStore(late.model, at: .file(prepared.path)) }
    #expect(between?.code == .storeClosed)
    try lend(prepared) { library in
      try expectRefusals()
      let coordinator = PersistentStoreCoordinator(store: library.store)
      #expect(errorOf { _ = try coordinator.reference(for: id) }?.code == .foreignObject)
      #expect(
        errorOf { _ = try library.store.elements(after: token, HistoryBatchLimits()) }?.code
          == .historyForeign)
      #expect(try library.store.consumers().isEmpty)
      #expect(try library.keys("Tag") == [1, 2, 3])
    }
  }

  @Test func `an error that ends the transaction is what the scope ends with (PS-13)`() throws {
    let prepared = try prepared {
      try $0.intruder().execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON Tag WHEN new.label = 'bad' "
          + "BEGIN SELECT RAISE(ROLLBACK, 'no bad tags'); END")
    }
    defer { prepared.close() }
    let library = try begin(prepared)
    try library.store.save(tag(library, 10))
    let first = errorOf { try library.store.save(tag(library, 11, "bad")) }
    #expect(first.map { "\($0)" }?.contains("no bad tags") == true)
    let later = [
      errorOf { _ = try library.keys("Tag") }, errorOf { try library.store.save(tag(library, 12)) },
      errorOf { _ = try SQLiteStore(library.model, at: .file(prepared.path)) },
    ]
    #expect(later.map(\.?.code) == [.transactionFailed, .transactionFailed, .transactionFailed])
    let error = errorOf { try prepared.end() }
    #expect(error?.code == .transactionFailed)
    #expect(error.map { "\($0)" }?.contains("no bad tags") == true)
    try lend(prepared) { library in
      #expect(try library.keys("Tag") == [1, 2, 3])
      try library.store.save(tag(library, 10))
    }
  }

  @Test func `saves that wait for the writer hear of the error that ended the scope (PS-13)`()
    throws
  {
    let prepared = try prepared {
      try $0.intruder().execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON Tag WHEN new.label = 'bad' "
          + "BEGIN SELECT RAISE(ROLLBACK, 'no bad tags'); END")
    }
    defer { prepared.close() }
    let library = try begin(prepared)
    let changes = try [tag(library, 10), tag(library, 11, "bad"), tag(library, 12)]
    let errors = try saveTogether(changes, library.store)
    #expect(errors.allSatisfy { $0?.code == .transactionFailed })
    #expect(errorOf { try prepared.end() }?.code == .transactionFailed)
    try expectSeed(prepared)
  }

  // MARK: What it does not do

  @Test func `what needs the store as a file is refused by name (PS-13)`() throws {
    let prepared = try prepared()
    defer { prepared.close() }
    let scratch = try Scratch()
    try lend(prepared) { library in
      let coordinator = PersistentStoreCoordinator(store: library.store)
      let file = SQLiteStoreFile(prepared.path)
      let readOnly = SQLiteStoreOptions(isReadOnly: true)
      let errors = [
        errorOf { _ = try library.store.pinned(PinnedViewLimits()) },
        errorOf { try coordinator.backUp(to: scratch.file("copy")) },
        errorOf { try coordinator.moveStore(to: scratch.file("moved")) },
        errorOf { try file.compact() },
        errorOf { try file.backUp(to: scratch.file("copy")) },
        errorOf { _ = try file.restore(from: scratch.file("copy"), replacing: true) },
        errorOf { _ = try SQLiteStore(library.model, at: .file(prepared.path), options: readOnly) },
        errorOf { try SQLiteMigrationBackend(path: prepared.path).exclusively { _ in } },
      ]
      #expect(errors.map(\.?.code) == Array(repeating: .unsupported, count: errors.count))
      #expect(errors.allSatisfy { $0?.message.contains("it is lent to a test") == true })
      let keys = try library.keys("Tag")
      #expect(keys == [1, 2, 3])
    }
    #expect(try scratch.files() == [])
  }

  @Test(arguments: [StoreKind.file, .rollbackJournal, .inMemory])
  func `only a temporary store is prepared, and another one stays open (PS-13)`(
    _ kind: StoreKind
  ) throws {
    let library = try Library(kind)
    let error = errorOf {
      _ = try PreparedStore(PersistentStoreCoordinator(store: library.store))
    }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("'.temporary'") == true)
    try library.store.save(tag(library, 1))
    #expect(try library.keys("Tag") == [1])
  }

  @Test func `a temporary store without a log is prepared too (PS-13)`() throws {
    let prepared = try prepared(SQLiteStoreOptions(usesWriteAheadLog: false))
    defer { prepared.close() }
    try lend(prepared) { library in try library.store.save(tag(library, 10)) }
    try expectSeed(prepared)
  }

  @Test func `closing removes the files, though a store of a scope is open (PS-13)`() throws {
    let prepared = try prepared()
    let late = try begin(prepared)
    try prepared.end()
    prepared.close()
    let folder = URL(filePath: prepared.path).deletingLastPathComponent().path
    #expect(!FileManager.default.fileExists(atPath: folder))
    #expect(errorOf { _ = try late.keys("Tag") }?.code == .storeClosed)
  }

  // MARK: Files and history

  @Test func `files of a scope are removed with it, and those from before stay (PS-13)`() throws {
    let prepared = try prepared(albums(.temporary)) {
      try $0.addPhoto(1, ["image": .data(image(1))])
      try $0.addPhoto(2, ["image": .data(image(2))])
    }
    defer { prepared.close() }
    var names: [String] = []
    for round in 0..<3 {
      try lend(prepared) { library in
        if round == 0 { names = library.externalNames }
        #expect(library.externalNames == names && names.count == 2)
        #expect(library.incomingNames == [])
        try library.addPhoto(10, ["image": .data(image(10))])
        try library.changePhoto(1, 1, ["image": .data(image(11))])
        try library.deletePhoto(2)
        let error = errorOf {
          try library.addPhoto(10, ["image": .data(image(12))])
        }
        #expect(error != nil)
        #expect(try library.data(10) == image(10))
        #expect(try library.data(1) == image(11))
        let other = Library(try SQLiteStore(library.model, at: .file(prepared.path)))
        #expect(try other.data(10) == image(10))
      }
    }
    try lend(prepared) { library in
      #expect(library.externalNames == names)
      #expect(library.incomingNames == [])
      let found = try [1, 2].map { try library.data($0) }
      #expect(found == [image(1), image(2)])
    }
  }

  @Test func `the history of a scope and its consumers are rolled back (PS-13)`() throws {
    let prepared = try prepared(SQLiteStoreOptions(history: .values)) {
      _ = try $0.store.register("mailer", at: .now)
    }
    defer { prepared.close() }
    var kept: [any Sendable & AnyObject] = []
    for _ in 0..<3 {
      try lend(prepared) { library in
        let states = try library.store.consumers()
        #expect(states.map(\.name) == ["mailer"])
        #expect(states.map(\.lag) == [0])
        // What is not released in time does not count in the next scope.
        kept.append(try library.store.own("mailer"))
        #expect(errorOf { _ = try library.store.own("mailer") }?.code == .consumerInUse)
        let start = try library.store.currentToken()
        try library.store.save(tag(library, 10))
        let end = try library.store.currentToken()
        #expect(end.number == start.number + 1)
        #expect(try library.store.elements(after: start, HistoryBatchLimits()).count == 1)
        try library.store.acknowledge([
          HistoryAcknowledgment(consumer: "mailer", from: states[0].token, to: end)
        ])
        #expect(try library.store.consumers().map(\.lag) == [0])
      }
    }
    #expect(kept.count == 3)
  }

  @Test func `the place after a save of a scope is one of its history (PS-13)`() throws {
    let prepared = try prepared(SQLiteStoreOptions(history: .keys))
    defer { prepared.close() }
    for _ in 0..<2 {
      try lend(prepared) { library in
        let place = try library.store.save(tag(library, 10)).historyToken
        #expect(try place == library.store.currentToken())
        let label = try library.property("Tag", "label").index
        let updated = try library.store.update(
          StoreUpdate(
            library.fetch("Tag"), [(property: label, value: .value(.attribute(.string("x"))))]))
        #expect(try updated.historyToken == library.store.currentToken())
      }
    }
  }

  @Test func `what outlives its scope gives nothing back that another one has (PS-13)`() throws {
    let prepared = try prepared(SQLiteStoreOptions(history: .keys)) {
      _ = try $0.store.register("mailer", at: .now)
    }
    defer { prepared.close() }
    var kept: (any Sendable & AnyObject)?
    try lend(prepared) { kept = try $0.store.own("mailer") }
    try lend(prepared) { library in
      let right = try library.store.own("mailer")
      withExtendedLifetime(kept) {}
      kept = nil
      #expect(errorOf { _ = try library.store.own("mailer") }?.code == .consumerInUse)
      withExtendedLifetime(right) {}
    }
  }

  @Test func `a store of the scope that wants a history gets one until the end (PS-13)`() throws {
    let prepared = try prepared()
    defer { prepared.close() }
    for _ in 0..<2 {
      try lend(prepared) { library in
        #expect(errorOf { _ = try library.store.currentToken() }?.code == .historyOff)
        let other = Library(
          try SQLiteStore(
            library.model, at: .file(prepared.path), options: SQLiteStoreOptions(history: .keys)))
        try other.store.save(tag(other, 10))
        let first = try other.store.firstToken()
        #expect(try other.store.elements(after: first, HistoryBatchLimits()).count == 1)
        #expect(try library.keys("Tag") == [1, 2, 3, 10])
      }
    }
  }
}
