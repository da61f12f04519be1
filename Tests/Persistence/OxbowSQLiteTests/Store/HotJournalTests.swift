import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A rollback journal that a killed writer left is worked in before anything is read (review M1).
@Suite struct HotJournalTests {
  let scratch: Scratch
  let model: CompiledModel
  static let count = 4000

  init() throws {
    scratch = try Scratch()
    model = try CompiledModel(libraryModel())
  }

  /// Makes `store.sqlite` as a writer leaves it that is killed between its first page and COMMIT.
  func crash() throws {
    try fill()
    let writer = try Connection(path: scratch.file("whole"), configuration: .init(role: .sole))
    defer { writer.close() }
    try writer.execute("PRAGMA cache_size = 5; PRAGMA cache_spill = 1; BEGIN IMMEDIATE")
    try writer.execute("UPDATE Tag SET label = 'never committed ' || _id, _version = _version + 1")
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(
        atPath: scratch.file("whole" + suffix), toPath: scratch.file("store.sqlite" + suffix))
    }
    try writer.execute("ROLLBACK")
    // The copy shows what it is for: without its journal it has pages that were never committed.
    try #require(try torn() > 0)
  }

  private func fill() throws {
    let store = try SQLiteStore(
      model, at: .file(scratch.file("whole")), options: .init(usesWriteAheadLog: false))
    defer { store.close() }
    let tag = try model.requireEntity(named: "Tag")
    var changes = ChangeSet()
    changes.inserts = (1...Int64(Self.count)).map { key in
      ChangeSet.Insert(
        entity: tag.index, key: key,
        values: ContiguousArray(
          tag.properties.map { $0.attribute == nil ? nil : .string("committed \(key)") }))
    }
    try store.save(changes)
  }

  /// The rows of the copy that were never committed, as a reader sees them that takes no notice.
  private func torn() throws -> Int64 {
    var configuration = Connection.Configuration(role: .reader)
    configuration.isReadOnly = true
    configuration.isImmutable = true
    let reader = try Connection(path: scratch.file(), configuration: configuration)
    defer { reader.close() }
    return try reader.integer("SELECT count(*) FROM Tag WHERE label LIKE 'never%'") ?? 0
  }

  func labels(_ store: SQLiteStore) throws -> [String] {
    let tag = try model.requireEntity(named: "Tag")
    let property = try tag.requireProperty(named: "label")
    return try store.rows(of: StoreFetch(entity: tag.index)).flatMap { slab in
      (0..<slab.count).compactMap { row in
        guard case .string(let label)? = slab.storedValue(row, property) else { return nil }
        return label
      }
    }
  }

  func expectCommitted(_ store: SQLiteStore) throws {
    let labels = try labels(store)
    #expect(labels.count == Self.count)
    #expect(labels.allSatisfy { $0.hasPrefix("committed ") })
  }

  @Test(arguments: [true, false])
  func `a store is rolled back when it is opened`(isReadOnly: Bool) throws {
    try crash()
    let store = try SQLiteStore(
      model, at: .file(scratch.file()), options: .init(isReadOnly: isReadOnly))
    defer { store.close() }
    try expectCommitted(store)
    #expect(try torn() == 0)
  }

  @Test func `a store that is open to read is rolled back when another writer dies`() throws {
    try crash()
    let journal = try Data(contentsOf: URL(filePath: scratch.file("store.sqlite-journal")))
    let torn = try Data(contentsOf: URL(filePath: scratch.file()))
    let store = try SQLiteStore(
      model, at: .file(scratch.file()), options: .init(isReadOnly: true))
    defer { store.close() }
    try expectCommitted(store)
    // Written in place: the store's file stays the one that is open.
    try torn.write(to: URL(filePath: scratch.file()))
    try journal.write(to: URL(filePath: scratch.file("store.sqlite-journal")))
    try expectCommitted(store)
  }

  @Test func `looking at a store rolls it back`() throws {
    try crash()
    let inspection = try StoreInspection(path: scratch.file())
    #expect(inspection.entityRows?["Tag"] == Self.count)
    #expect(try torn() == 0)
  }

  // MARK: For users who may only read

  /// Whether permissions say anything to this process.
  private static var isRestricted: Bool { ProcessInfo.processInfo.userName != "root" }

  /// Runs `body` while the folder and the store can only be read.
  private func whileReadOnly(_ body: () throws -> Void) throws {
    let files = FileManager.default
    func permit(_ file: Int, _ folder: Int) throws {
      try files.setAttributes([.posixPermissions: file], ofItemAtPath: scratch.file())
      try files.setAttributes([.posixPermissions: folder], ofItemAtPath: scratch.path)
    }
    try permit(0o444, 0o555)
    defer { try? permit(0o644, 0o755) }
    try body()
  }

  @Test(.enabled(if: isRestricted))
  func `a reader that may not roll back learns who has to`() throws {
    try crash()
    try whileReadOnly {
      let errors = [
        errorOf {
          _ = try SQLiteStore(
            model, at: .file(scratch.file()), options: .init(isReadOnly: true))
        }, errorOf { _ = try StoreInspection(path: scratch.file()) },
      ]
      for error in errors {
        #expect(error?.code == .storeUnreachable)
        #expect(
          error?.message.hasPrefix(
            "the store '\(scratch.file())' cannot be read: a program ended while it was changing "
              + "it, and what it left in '-journal' or '-wal' beside the store has to be worked in")
            == true)
      }
    }
    let store = try SQLiteStore(model, at: .file(scratch.file()))
    defer { store.close() }
    try expectCommitted(store)
  }

  @Test(.enabled(if: isRestricted))
  func `a store with a log in a folder of others is not read without locks (review W8)`() throws {
    try SQLiteStore(model, at: .file(scratch.file())).close()
    try whileReadOnly {
      let error = errorOf {
        _ = try SQLiteStore(model, at: .file(scratch.file()), options: .init(isReadOnly: true))
      }
      #expect(error?.code == .storeUnreachable)
      #expect(error?.message.contains("cannot be read safely: it keeps a write-ahead log") == true)
    }
  }
}
