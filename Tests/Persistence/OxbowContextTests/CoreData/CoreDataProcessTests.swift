import Foundation
import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// A store of Core Data that several threads and processes write, and that are killed.
///
/// `OXBOW_KILLS=1000` kills as often, `OXBOW_RANDOM_SEED=7` begins with another seed.
@Suite(.timeLimit(.minutes(30))) struct CoreDataProcessTests {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  /// A store of the fixture; the folder outlives it.
  private static func make(_ folder: TemporaryFolder, _ journal: String) throws -> String {
    let document = try ModelDocument(Array(CoreDataShelves.contents.utf8), file: "m")
    try CoreDataShelves.make(
      folder.file("App.sqlite"), CoreDataHashes(of: document).values, journal: journal)
    return folder.file("App.sqlite")
  }

  private static func open(_ path: String) throws -> PersistentStoreCoordinator {
    let document = try ModelDocument(Array(CoreDataShelves.contents.utf8), file: "m")
    var options = SQLiteStoreOptions(busyMilliseconds: 60_000)
    options.externalStorageThreshold = 1000
    return PersistentStoreCoordinator(
      store: try SQLiteStore(
        CompiledModel(document.model), at: .file(path), options: options))
  }

  private static func rows(_ path: String, _ sql: String) throws -> String {
    let connection = try Connection(path: path, configuration: .init(role: .sole))
    defer { connection.close() }
    return try connection.text(
      "WITH r(line) AS (\(sql)) SELECT ifnull(group_concat(line, ' '), '') FROM r") ?? ""
  }

  private static func one(
    _ context: ManagedObjectContext, _ entity: String, _ key: Int64
  ) throws -> ManagedObject? {
    try context.fetch(FetchRequest<ManagedObject>(entityNamed: entity))
      .first { $0.objectID.key == key }
  }

  // MARK: - Threads and processes

  private static let threads = 4
  private static let saves = 6

  /// Counts pages up and adds books to their author, in some threads at once.
  private static func work(_ path: String) throws {
    let coordinator = try open(path)
    defer { coordinator.close() }
    let failures = Lock<[String]>([])
    let runners = (0..<threads).map { _ in
      ThreadRunner {
        for _ in 0..<saves {
          do { try countUp(coordinator) } catch {
            failures.withLock { $0.append("\(error)") }
          }
        }
      }
    }
    for runner in runners { runner.join() }
    let found = failures.withLock(\.self)
    guard found.isEmpty else { throw Failure(text: "\(found)") }
  }

  private struct Failure: Error { let text: String }

  private static func countUp(_ coordinator: PersistentStoreCoordinator) throws {
    while true {
      let context = ManagedObjectContext(coordinator: coordinator)
      guard let book = try one(context, "Book", 1), let author = try one(context, "Author", 1)
      else { return }
      try book.setValue((try book.value("pages", as: Int32.self) ?? 0) + 1, for: "pages")
      let other = try context.insert(entityNamed: "Book")
      try other.setValue("t", for: "title")
      try other.setObjects([author], for: "author")
      do { return try context.save() } catch {
        guard error.code == .conflict else { throw error }
      }
    }
  }

  @Test(arguments: ["WAL", "DELETE"])
  func `CD-41 two processes of four threads lose no update and use no key twice`(
    journal: String
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try Self.make(folder, journal)
    async let child: Void = {
      await #expect(processExitsWith: .success) { [path = path as String] in
        try Self.work(path)
      }
    }()
    let outcome = Lock<(any Error)?>(nil)
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        do { try Self.work(path) } catch { outcome.withLock { $0 = error } }
        continuation.resume()
      }
    }
    await child
    #expect(outcome.withLock { $0.map { "\($0)" } } == nil)
    let total = 2 * Self.threads * Self.saves
    #expect(try Self.rows(path, "SELECT ZPAGES FROM ZITEM WHERE Z_PK = 1") == "\(117 + total)")
    #expect(try Self.rows(path, "SELECT count(*) FROM ZITEM") == "\(4 + total)")
    // Each save has touched the author once.
    #expect(try Self.rows(path, "SELECT Z_OPT FROM ZAUTHOR WHERE Z_PK = 1") == "\(4 + total)")
    #expect(
      try Self.rows(
        path, "SELECT count(DISTINCT Z_FOK_AUTHOR) - count(*) FROM ZITEM WHERE ZAUTHOR = 1") == "0")
    #expect(
      try Self.rows(
        path,
        "SELECT Z_MAX >= (SELECT max(Z_PK) FROM ZITEM) FROM Z_PRIMARYKEY WHERE Z_NAME = 'Item'")
        == "1")
    #expect(try folder.names() == ["App.sqlite"])
  }

  // MARK: - Kills

  /// Saves on some threads, and writes down what was acknowledged, until it is killed.
  private static func saveUntilKilled(_ folder: String, _ operation: Int) throws {
    let plan = FaultyFiles.plan(for: folder)
    let coordinator = try open(folder + "/App.sqlite")
    let heard = Glibc.open(folder + "/heard", O_WRONLY | O_APPEND)
    plan.arm(operation, .kill)
    let runners = (0..<3).map { thread in
      ThreadRunner {
        for number in 0..<40 {
          let context = ManagedObjectContext(coordinator: coordinator)
          guard let key = try? save(context, number, thread) else { continue }
          _ = "\(key)\n".withCString { write(heard, $0, strlen($0)) }
        }
      }
    }
    for runner in runners { runner.join() }
    raise(SIGKILL)
  }

  private static func save(
    _ context: ManagedObjectContext, _ number: Int, _ thread: Int
  ) throws -> Int64 {
    let book = try context.insert(entityNamed: "Book")
    try book.setValue("\(number)", for: "title")
    try book.setValue(Data(repeating: UInt8(number), count: 2000), for: "cover")
    if let author = try one(context, "Author", 1) { try book.setObjects([author], for: "author") }
    if let tag = try one(context, "Tag", 1) { try book.setObjects([tag], for: "tags") }
    if number % 4 == 3 {
      let books = try context.fetch(FetchRequest<ManagedObject>(entityNamed: "Book"))
      if let old = try books.first(where: { try $0.value("pages", as: Int32.self) == nil }),
        old !== book
      {
        try old.setValue(Data([1]), for: "cover")
      }
    }
    try context.save()
    return book.objectID.key
  }

  /// What no save may leave.
  private static let faults = """
    SELECT 'order ' || Z_PK FROM ZITEM WHERE (ZAUTHOR IS NULL) <> (Z_FOK_AUTHOR IS NULL)
    UNION ALL SELECT 'link ' || Z_2ITEMS FROM Z_2TAGS
      WHERE Z_2ITEMS <> 99 AND Z_2ITEMS NOT IN (SELECT Z_PK FROM ZITEM)
    UNION ALL SELECT 'title ' || Z_PK FROM ZITEM WHERE Z_PK > 4 AND (ZTITLE IS NULL OR Z_OPT < 1)
    UNION ALL SELECT 'key ' || Z_MAX FROM Z_PRIMARYKEY
      WHERE Z_NAME = 'Item' AND Z_MAX < (SELECT max(Z_PK) FROM ZITEM)
    UNION ALL SELECT 'integrity ' || integrity_check FROM pragma_integrity_check
      WHERE integrity_check <> 'ok'
    """

  @Test(arguments: ["WAL", "DELETE"])
  func `CD-41 a killed program has lost no save, and leaves nothing half`(journal: String)
    async throws
  {
    var acknowledged = 0
    let first = Self.number("OXBOW_RANDOM_SEED") ?? 1
    for seed in first..<first + max(1, (Self.number("OXBOW_KILLS") ?? 4) / 2) {
      var random = SeededRandom(seed: UInt64(seed))
      let folder = try TemporaryFolder()
      let path = try Self.make(folder, journal)
      try folder.write("", to: "heard")
      let operation = Int.random(in: 1...600, using: &random)
      let result = await #expect(processExitsWith: .signal(SIGKILL)) {
        [folder = folder.path as String, operation = operation as Int] in
        try Self.saveUntilKilled(folder, operation)
      }
      #expect(result != nil)
      let heard = Set(try folder.text(of: "heard").split(separator: "\n").map(String.init))
      acknowledged += heard.count
      try check(path, folder, heard, "seed \(seed)")
    }
    #expect(acknowledged > 0)
    print("kills of saves in Core Data's layout, \(journal): \(acknowledged) acknowledged saves")
  }

  private func check(
    _ path: String, _ folder: TemporaryFolder, _ heard: Set<String>, _ seed: String
  ) throws {
    let values = folder.file(".App_SUPPORT/_EXTERNAL_DATA")
    let manager = FileManager.default
    for name in (try? manager.contentsOfDirectory(atPath: values)) ?? [] {
      try manager.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: values + "/" + name)
    }
    // It is opened and saved as ever; with the save, a journal is gone that was only begun.
    let coordinator = try Self.open(path)
    let context = ManagedObjectContext(coordinator: coordinator)
    try Self.one(context, "Shelf", 2)?.setValue("after", for: "label")
    try context.save()
    coordinator.close()
    #expect(try Self.rows(path, Self.faults) == "", "\(seed)")
    let keys = Set(
      try Self.rows(path, "SELECT Z_PK FROM ZITEM").split(separator: " ").map(String.init))
    #expect(keys.isSuperset(of: heard), "\(seed)")
    // Files and cells are the same, now that those of saves that were never made are swept.
    let cells = Set(
      try Self.rows(
        path, "SELECT CAST(substr(ZCOVER, 2, 36) AS TEXT) FROM ZITEM WHERE hex(ZCOVER) LIKE '02%'"
      ).split(separator: " ").map(String.init))
    let files = Set((try? manager.contentsOfDirectory(atPath: values)) ?? [])
    #expect(cells == files, "\(seed)")
    let names = try folder.names()
    #expect(
      names.filter { $0.hasPrefix("App") } == ["App.sqlite"], "\(seed) \(names)")
  }
}
