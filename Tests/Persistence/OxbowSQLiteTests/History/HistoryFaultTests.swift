import Foundation
import OxbowModel
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

// What a failing disk and a killed process do to the history of saves: the row of a save is there
// if, and only if, the save is.
@Suite struct HistoryFaultTests {
  private static let options = SQLiteStoreOptions(history: .values)

  private static func changes(_ number: Int64, _ library: Library) throws -> ChangeSet {
    var changes = ChangeSet()
    changes.inserts = try [2 * number, 2 * number + 1].map { try library.insert("Tag", $0) }
    return changes
  }

  /// Compares the history with the store, opened anew.
  ///
  /// - Returns: The keys that are there.
  @discardableResult
  private static func check(_ kind: StoreKind, in scratch: Scratch, _ note: String) throws -> Set<
    Int64
  > {
    let library = try Library(kind, options: options, in: scratch)
    defer { library.store.close() }
    let end = try library.store.currentToken()
    var place = try library.store.firstToken()
    var keys: Set<Int64> = []
    var numbers: [Int64] = []
    while let element = try library.store.elements(after: place, HistoryBatchLimits()).first {
      guard case .saves(let saves) = element else {
        Issue.record("\(note): \(element)")
        break
      }
      for save in saves {
        numbers.append(save.number)
        keys.formUnion(save.changes.filter { $0.kind == .insert }.map(\.key))
      }
      place = try #require(element.token)
    }
    #expect(numbers == Array(1...max(1, end.number)).filter { $0 <= end.number }, "\(note)")
    #expect(Set(try library.keys("Tag")) == keys, "\(note)")
    return keys
  }

  @Test(
    arguments: [StoreKind.file, .rollbackJournal], [FaultPlan.Cause.inputOutput, .fullDisk])
  func `PS-11 each fault leaves rows for the saves that are there, and no others`(
    _ kind: StoreKind, _ cause: FaultPlan.Cause
  ) throws {
    var faults = 0
    while try Self.fails(at: faults + 1, cause, kind) { faults += 1 }
    #expect(faults > 4)
    print("faults of saves with a history, \(kind), \(cause.rawValue): \(faults)")
  }

  /// Saves four times together while an operation on the files fails.
  ///
  /// - Returns: Whether the operation was reached.
  private static func fails(
    at operation: Int, _ cause: FaultPlan.Cause, _ kind: StoreKind
  ) throws -> Bool {
    let scratch = try Scratch()
    let plan = FaultyFiles.plan(for: scratch.path)
    defer { FaultyFiles.forget(scratch.path) }
    let library = try Library(kind, options: options, in: scratch)
    let saves = try (1...4).map { (library.store, try changes($0, library)) }
    let errors = try saveTogether(saves) { plan.arm(operation, cause) }
    let wasReached = plan.count >= operation
    plan.disarm()
    library.store.close()
    let keys = try check(kind, in: scratch, "\(operation)")
    for (number, error) in zip(Int64(1)..., errors) where error?.code != .commitUnknown {
      #expect(keys.contains(2 * number) == (error == nil), "\(operation), save \(number)")
    }
    return wasReached
  }

  /// `OXBOW_FAULT_SWEEP=1` fails each operation; without, each of a fixed part of them.
  private static let stride =
    ProcessInfo.processInfo.environment["OXBOW_FAULT_SWEEP"] == nil ? 19 : 1

  @Test(
    arguments: [StoreKind.file, .rollbackJournal], [FaultPlan.Cause.inputOutput, .fullDisk])
  func `PS-11 PS-15 each fault of batches, consumers, purges and indexing leaves what is right`(
    _ kind: StoreKind, _ cause: FaultPlan.Cause
  ) throws {
    var operation = 1
    while try Self.workFails(at: operation, cause, kind) { operation += Self.stride }
    #expect(operation > 2 * Self.stride)
    print("faults of work with a history, \(kind), \(cause.rawValue): up to \(operation - 1)")
  }

  private static func openNotes(_ kind: StoreKind, in scratch: Scratch) throws -> Library {
    var options = options
    options.catchesUpSearch = false
    return try Library(kind, options: options, model: notesModel(), in: scratch)
  }

  /// Works on a store while an operation on its files fails, and looks at it afterwards.
  ///
  /// - Returns: Whether the operation was reached.
  private static func workFails(
    at operation: Int, _ cause: FaultPlan.Cause, _ kind: StoreKind
  ) throws -> Bool {
    let scratch = try Scratch()
    let plan = FaultyFiles.plan(for: scratch.path)
    defer { FaultyFiles.forget(scratch.path) }
    let library = try openNotes(kind, in: scratch)
    try library.save { changes in
      changes.inserts = try (1...20).map {
        try library.insert("Note", $0, ["body": .string("rust \($0)")])
      }
    }
    _ = try library.store.register("counter", at: .beginning)
    plan.arm(operation, cause)
    let errors = try work(library)
    let wasReached = plan.count >= operation
    plan.disarm()
    library.store.close()
    try checkWork(try openNotes(kind, in: scratch), errors, "\(kind), \(cause), \(operation)")
    #expect(try SQLiteStoreFile(scratch.file()).check() == [], "\(operation)")
    return wasReached
  }

  /// An insertion, a batch, an acknowledgment in a save, indexing, a purge and a deletion.
  private static func work(_ library: Library) throws -> [PersistenceError?] {
    let store = library.store
    let property = try library.property("Note", "body").index
    let batch = StoreUpdate(
      try library.fetch("Note"), [(property, .value(.attribute(.string("iron"))))])
    var insertion = ChangeSet()
    insertion.inserts = [try library.insert("Note", 30, ["body": .string("gold")])]
    var deletion = ChangeSet()
    deletion.deletes = [try library.delete("Note", 1)]
    return [
      errorOf { try store.save(insertion) }, errorOf { _ = try store.update(batch) },
      errorOf { try count(store) }, errorOf { _ = try store.catchUpSearch() },
      errorOf { _ = try store.delete(before: try store.firstToken(), force: true) },
      errorOf {
        let first = try store.firstToken()
        _ = try store.delete(before: first.at(first.number + 1), force: true)
      },
      errorOf { try store.save(deletion) },
    ]
  }

  private static func checkWork(
    _ library: Library, _ errors: [PersistenceError?], _ note: String
  ) throws {
    defer { library.store.close() }
    let comment: Comment = "\(note): \(errors.map { $0?.code.rawValue ?? "-" })"
    func search(_ text: String) throws -> [Int64] {
      let (byIndex, read) = library.words(["body"], try WordQuery(text))
      let found = try library.keys("Note", byIndex).sorted()
      #expect(try found == library.keys("Note", read).sorted(), comment)
      return found
    }
    let keys = try Set(library.keys("Note"))
    for (place, isThere) in [(0, keys.contains(30)), (6, !keys.contains(1))]
    where errors[place]?.code != .commitUnknown {
      #expect(isThere == (errors[place] == nil), comment)
    }
    let found = try search("iron").count + search("rust").count + search("gold").count
    #expect(found == keys.count, comment)
    // The history goes on to the last save, and the counter has counted what it has acknowledged.
    var (numbers, place) = ([Int64](), try library.store.firstToken())
    let (first, end) = (place.number, try library.store.currentToken())
    while let element = try library.store.elements(after: place, HistoryBatchLimits()).first {
      guard case .saves(let saves) = element, let token = element.token else { break }
      numbers += saves.map(\.number)
      place = token
    }
    #expect(numbers == Array(first + 1..<end.number + 1), comment)
    let state = try #require(try library.store.consumers().first)
    let counted = try library.store.metadata("counted", .integer64)
    #expect((state.token.number > 0) == (counted != nil), comment)
  }

  // MARK: Kills

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  /// OXBOW_KILLS=500 kills as often; OXBOW_RANDOM_SEED begins at another seed.
  @Test(arguments: [StoreKind.file, .rollbackJournal])
  func `PS-11 a killed program leaves a row for each save, and a consumer misses none`(
    _ kind: StoreKind
  ) async throws {
    let first = Self.number("OXBOW_RANDOM_SEED") ?? 1
    for seed in first..<first + (Self.number("OXBOW_KILLS") ?? 12) / 2 {
      var random = SeededRandom(seed: UInt64(seed))
      let scratch = try Scratch()
      try Library(kind, options: Self.options, in: scratch).store.close()
      for round in 1...2 {
        try await kill(scratch, kind, round, at: Int.random(in: 1...150, using: &random))
        let keys = try Self.check(kind, in: scratch, "seed \(seed)")
        let library = try Library(kind, options: Self.options, in: scratch)
        let state = try library.store.register("counter", at: .beginning)
        // What the consumer counts is in the saves that acknowledge.
        let counted = try library.store.metadata("counted", .integer64)
        let seen = try Self.inserted(library, through: state.token)
        #expect((counted ?? .integer(0)) == .integer(Int64(seen)), "seed \(seed)")
        #expect(seen <= keys.count)
        library.store.close()
      }
    }
  }

  /// How many objects the saves up to a place have inserted.
  private static func inserted(_ library: Library, through end: HistoryToken) throws -> Int {
    var place = try library.store.firstToken()
    var count = 0
    while let element = try library.store.elements(after: place, HistoryBatchLimits()).first {
      guard case .saves(let saves) = element else { break }
      count += saves.filter { $0.number <= end.number }.reduce(0) { $0 + $1.insertedCount }
      place = try #require(element.token)
    }
    return count
  }

  private func kill(
    _ scratch: Scratch, _ kind: StoreKind, _ round: Int, at operation: Int
  ) async throws {
    let result = await #expect(processExitsWith: .signal(SIGKILL)) {
      [
        folder = scratch.path as String, kind = kind.rawValue as String, round = round as Int,
        operation = operation as Int
      ]
      in
      try Self.saveUntilKilled(folder, kind, round, operation)
    }
    #expect(result != nil)
  }

  /// Saves on four threads, while a consumer counts what was inserted in the save that acknowledges
  /// it.
  private static func saveUntilKilled(
    _ folder: String, _ kind: String, _ round: Int, _ operation: Int
  ) throws {
    let plan = FaultyFiles.plan(for: folder)
    let library = try Library(
      try #require(StoreKind(rawValue: kind)), options: options, in: Scratch(path: folder))
    plan.arm(operation, .kill)
    let threads = DispatchGroup()
    for thread in 0..<4 as Range<Int64> {
      threads.enter()
      Thread.detachNewThread {
        for number in 1...50 as ClosedRange<Int64> {
          let save = 1000 * Int64(round) + 100 * thread + number
          _ = errorOf { try library.store.save(try changes(save, library)) }
        }
        threads.leave()
      }
    }
    threads.enter()
    Thread.detachNewThread {
      for _ in 1...50 { _ = errorOf { try count(library.store) } }
      threads.leave()
    }
    threads.wait()
    raise(SIGKILL)
  }

  private static func count(_ store: SQLiteStore) throws(PersistenceError) {
    let state = try store.register("counter", at: .beginning)
    guard let element = try store.elements(after: state.token, HistoryBatchLimits()).first,
      case .saves(let saves) = element, let token = element.token
    else { return }
    let added = saves.reduce(0) { $0 + $1.insertedCount }
    var changes = ChangeSet()
    guard case .integer(let old) = try store.metadata("counted", .integer64) ?? .integer(0) else {
      return
    }
    changes.metadata = [ChangeSet.Metadatum("counted", .integer(old + Int64(added)))]
    changes.acknowledgments = [
      HistoryAcknowledgment(consumer: "counter", from: state.token, to: token)
    ]
    try store.save(changes)
  }

  @Test(arguments: [0, 3])
  func `PS-11 files that a program has left are settled by a save with a row`(count: Int64) throws {
    let scratch = try Scratch()
    let options = SQLiteStoreOptions(externalStorageThreshold: 1000, history: .keys)
    func open() throws -> Library {
      try Library(options: options, model: albumModel(), in: scratch)
    }
    let library = try open()
    for key in 0..<count { try library.addPhoto(key + 1, ["image": .data(image(1))]) }
    let end = try library.store.currentToken()
    if count > 0 { #expect(try library.store.delete(before: end, force: true) == Int(count)) }
    library.store.close()
    let lost = ExternalFolder(ofStore: library.store.path)
    _ = try image(2).withUnsafeBytes { try lost.write($0, isSynchronized: false) }
    let again = try open()
    defer { again.store.close() }
    #expect(again.incomingNames == [])
    let elements = try again.store.elements(after: end, HistoryBatchLimits())
    guard case .saves(let saves)? = elements.first, elements.count == 1 else {
      Issue.record("\(elements)")
      return
    }
    #expect(saves.map(\.kind) == [.upkeep] && saves.map(\.number) == [count + 1])
  }

  @Test(arguments: [HistoryRecording.off, .keys])
  func `PS-11 the largest number of saves is an error and no trap`(
    _ recording: HistoryRecording
  ) throws {
    let scratch = try Scratch()
    let library = try Library(options: SQLiteStoreOptions(history: recording), in: scratch)
    try library.save { $0.inserts = [try library.insert("Tag", 1)] }
    try library.intruder().execute(
      "UPDATE _oxbow_metadata SET value = \(Int64.max) WHERE name = 'saves'")
    library.store.close()
    guard recording != .off else {
      let error = errorOf { _ = try Library(options: Self.options, in: scratch) }
      #expect(error?.code == .notAStore)
      return
    }
    let again = try Library(options: Self.options, in: scratch)
    let store = again.store
    let errors = [
      errorOf { _ = try store.currentToken() },
      errorOf { _ = try store.elements(after: store.firstToken(), HistoryBatchLimits()) },
      errorOf { _ = try store.delete(before: .distantFuture) },
      errorOf { _ = try store.register("mailer", at: .now) },
      errorOf { try again.save { $0.inserts = [try again.insert("Tag", 2)] } },
    ]
    for error in errors { #expect(error?.code == .notAStore) }
    #expect(errors[0]?.message.contains("that another can follow") == true)
    #expect(try again.keys("Tag") == [1])
  }

  @Test func `PS-11 the smallest numbers of a history are no trap`() throws {
    let library = try Library(options: Self.options)
    let store = library.store
    try library.save { $0.inserts = [try library.insert("Tag", 1)] }
    _ = try store.register("mailer", at: .now)
    try library.intruder().execute(
      """
      UPDATE _oxbow_metadata SET value = \(Int64.min) WHERE name = 'history_from';
      UPDATE _oxbow_consumers SET number = \(Int64.min)
      """)
    #expect(try store.consumers().map(\.lag) == [.max])
    let elements = try store.elements(after: store.firstToken(), HistoryBatchLimits())
    guard case .saves(let saves)? = elements.first else {
      Issue.record("\(elements)")
      return
    }
    #expect(saves.map(\.number) == [1])
    store.keepHistory(within: HistoryLimits(days: 0))
    _ = try store.register("other", at: .beginning)
  }

  @Test func `PS-11 the largest number that can have parts, and the longest time, are no trap`()
    throws
  {
    let library = try Library(options: Self.options)
    let store = library.store
    try library.save { $0.inserts = [try library.insert("Tag", 1)] }
    let last: Int64 = 1 << 43 - 1
    try library.intruder().execute("UPDATE _oxbow_saves SET number = \(last)")
    store.keepHistory(within: HistoryLimits(days: 106_751_991_168))
    let place = try #require(try store.currentToken().place(in: store.identifier))
    let elements = try store.elements(
      after: HistoryToken([place.at(last - 1)]), HistoryBatchLimits())
    guard case .saves(let saves)? = elements.first else {
      Issue.record("\(elements)")
      return
    }
    #expect(saves.map(\.number) == [last])
  }

  @Test func `PS-11 no save waits for the look at a long history`() throws {
    let scratch = try Scratch()
    let options = SQLiteStoreOptions(history: .keys, historyLimits: HistoryLimits(bytes: 1))
    let library = try Library(.file, options: options, in: scratch)
    defer { library.store.close() }
    try library.save { $0.inserts = [try library.insert("Tag", 1)] }
    try library.intruder().execute(
      """
      WITH RECURSIVE n(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < 3000)
        INSERT INTO _oxbow_saves (number, time, kind, inserted, updated, deleted, changes)
        SELECT n, 0, 1, 0, 0, 0, x'01' FROM n
      """)
    library.store.database.historyUpkeep.reset()
    let statements = try RecordedStatements.of {
      try library.save { $0.inserts = [try library.insert("Tag", 2)] }
    }
    #expect(!statements.contains { $0.contains("_oxbow_saves") && $0.contains("OVER") })
    while try library.store.firstToken().number < 3000 { sched_yield() }
    #expect(try library.store.currentToken().number == 3001)
  }

  @Test func `PS-11 the saves before a damaged one are read, and then the error`() throws {
    let library = try Library(options: Self.options)
    for key in 1...3 as ClosedRange<Int64> {
      try library.save { $0.inserts = [try library.insert("Tag", key)] }
    }
    try library.intruder().execute("UPDATE _oxbow_saves SET changes = x'07' WHERE number = 3")
    var place = try library.store.firstToken()
    guard case .saves(let saves)? = try library.store.elements(after: place, .init()).first else {
      Issue.record("nothing is read")
      return
    }
    #expect(saves.map(\.number) == [1, 2])
    place = try #require(saves.last?.token)
    let error = errorOf { _ = try library.store.elements(after: place, .init()) }
    #expect(error?.code == .invalidStoredValue && error?.message.hasPrefix("save 3 ") == true)
  }
}
