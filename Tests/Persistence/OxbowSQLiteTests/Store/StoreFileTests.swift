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

/// What becomes of files that are no store, are gone, or can only be read.
@Suite struct StoreFileTests {
  let scratch: Scratch
  let model: CompiledModel

  init() throws {
    scratch = try Scratch()
    model = try CompiledModel(libraryModel())
  }

  func open(_ name: String, _ options: SQLiteStoreOptions = .init()) throws -> SQLiteStore {
    var options = options
    options.busyMilliseconds = 40
    return try SQLiteStore(model, at: .file(scratch.file(name)), options: options)
  }

  func refusal(_ name: String, _ options: SQLiteStoreOptions = .init()) -> PersistenceError? {
    errorOf { try open(name, options).close() }
  }

  private func make(_ name: String, _ sql: String) throws {
    let other = try Connection(path: scratch.file(name), configuration: .init(role: .sole))
    defer { other.close() }
    try other.execute(sql)
  }

  // MARK: No store

  static let ways = [
    SQLiteStoreOptions(), SQLiteStoreOptions(createsStore: false),
    SQLiteStoreOptions(isReadOnly: true), SQLiteStoreOptions(usesWriteAheadLog: false),
  ]

  @Test(arguments: ways)
  func `a database of something else is left as it is (review W9)`(
    options: SQLiteStoreOptions
  ) throws {
    try make("other", "CREATE TABLE customers(id); INSERT INTO customers VALUES (1)")
    let before = try Data(contentsOf: URL(filePath: scratch.file("other")))
    #expect(refusal("other", options)?.code == .notAStore)
    #expect(try Data(contentsOf: URL(filePath: scratch.file("other"))) == before)
    #expect(try scratch.files() == ["other"])
  }

  @Test(arguments: ways)
  func `a text file gets no files beside it (review E)`(options: SQLiteStoreOptions) throws {
    _ = try scratch.write(String(repeating: "all work and no play\n", count: 100), to: "text")
    #expect(refusal("text", options)?.code == .notAStore)
    #expect(try scratch.files() == ["text"])
  }

  @Test(arguments: [
    SQLiteStoreOptions(createsStore: false), SQLiteStoreOptions(isReadOnly: true),
  ])
  func `an empty file stays empty when no store may be created`(
    options: SQLiteStoreOptions
  ) throws {
    _ = try scratch.write("", to: "empty")
    #expect(refusal("empty", options)?.code == .notAStore)
    #expect(try Data(contentsOf: URL(filePath: scratch.file("empty"))).isEmpty)
    #expect(try scratch.files() == ["empty"])
  }

  @Test func `a database with text in UTF-16 is refused (review W11)`() throws {
    try make("wide", "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(a); DROP TABLE t")
    let before = try Data(contentsOf: URL(filePath: scratch.file("wide")))
    let error = refusal("wide")
    #expect(error?.code == .notAStore)
    #expect(
      error?.message
        == "the database '\(scratch.file("wide"))' keeps its text in UTF-16le, and Oxbow needs "
        + "UTF-8; the encoding of a database cannot be changed: remove the file, or choose another "
        + "path")
    #expect(try Data(contentsOf: URL(filePath: scratch.file("wide"))) == before)
  }

  @Test(arguments: [true, false])
  func `a link to nothing is named (review E)`(createsStore: Bool) throws {
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("link"), withDestinationPath: "nowhere.sqlite")
    let error = refusal("link", SQLiteStoreOptions(createsStore: createsStore))
    #expect(error?.code == .storeUnreachable)
    #expect(
      error?.message
        == "the store '\(scratch.file("link"))' cannot be opened: it is a symbolic link to "
        + "'nowhere.sqlite', which does not exist; remove the link, or create that file or the "
        + "store there")
  }

  @Test func `a path that is too long for SQLite is refused, and nothing is made`() throws {
    var folder = scratch.path
    while folder.utf8.count < 300 { folder += "/" + String(repeating: "f", count: 100) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    func path(_ count: Int) -> String {
      folder + "/" + String(repeating: "s", count: count - folder.utf8.count - 1)
    }
    let error = errorOf { _ = try SQLiteStore(model, at: .file(path(505))) }
    #expect(error?.code == .storeUnreachable)
    #expect(
      error?.message
        == "the store '\(path(505))' cannot be opened: SQLite takes paths of up to 504 bytes, and "
        + "'\(path(505))' has 505 without links; choose a shorter one")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    let library = try Library(SQLiteStore(model, at: .file(path(504))))
    try library.save { $0.inserts = [try library.insert("Tag", 1)] }
    // A copy has a longer name while it is made.
    let copying = errorOf { try SQLiteStoreFile(path(504)).backUp(to: path(490)) }
    #expect(copying?.message.contains("': SQLite takes paths of up to 504 bytes, and '") == true)
  }

  // MARK: Gone

  @Test(arguments: [true, false], [StoreKind.file, .rollbackJournal])
  func `a save to a file that is gone is refused (review L7)`(
    isReplaced: Bool, kind: StoreKind
  ) throws {
    let library = try Library(kind)
    try library.save { $0.inserts = [try library.insert("Tag", 1)] }
    let path = library.store.path
    try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
    if isReplaced { try FileManager.default.copyItem(atPath: path + ".old", toPath: path) }
    let errors = [
      errorOf { try library.save { $0.inserts = [try library.insert("Tag", 2)] } },
      errorOf { _ = try library.store.reserveKeys(root: 0, count: 1) },
    ]
    for error in errors {
      #expect(error?.code == .storeUnreachable)
      #expect(
        error?.message.hasPrefix(
          "the file of the store '\(path)' was \(isReplaced ? "replaced by another" : "removed") "
            + "while the store was open; nothing was saved: ") == true)
    }
    if isReplaced { try FileManager.default.removeItem(atPath: path) }
    try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
    try library.save { $0.inserts = [try library.insert("Tag", 3)] }
    #expect(try library.keys("Tag") == [1, 3])
  }

  // MARK: Only to read

  @Test func `a log that cannot be read is no reason to read without locks (review W8)`() throws {
    try open("store.sqlite").close()
    // A reader needs this file; a link to nothing in its place refuses it even to root.
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("store.sqlite-shm"), withDestinationPath: "nowhere/none")
    let error = refusal("store.sqlite", SQLiteStoreOptions(isReadOnly: true))
    #expect(error?.code == .storeUnreachable)
    #expect(error?.message.contains("cannot be read safely: it keeps a write-ahead log") == true)
  }

  // MARK: Keys

  @Test(arguments: [
    ("UPDATE _oxbow_keys SET last = 9223372036854775807", "'_oxbow_keys' has 9223372036854775807"),
    (
      "INSERT INTO Tag(_id, _version, label) VALUES (9223372036854775807, 1, 'last')",
      "a row of the table 'Tag' has 9223372036854775807 in '_id'"
    ),
  ])
  func `the last key is an error and no trap (review C4)`(sql: String, place: String) throws {
    let library = try Library()
    try library.intruder().execute(sql)
    let error = errorOf {
      _ = try library.store.reserveKeys(root: try library.entity("Tag").index, count: 64)
    }
    #expect(error?.code == .invalidStoredValue)
    #expect(error?.message.contains("has no key left for a new object of 'Tag': \(place)") == true)
    #expect(error?.message.contains("another program took the last key") == true)
  }

  @Test func `the keys before the last are handed out (review C4)`() throws {
    let library = try Library()
    let tag = try library.entity("Tag").index
    try library.intruder().execute("UPDATE _oxbow_keys SET last = 9223372036854775743")
    #expect(
      try library.store.reserveKeys(root: tag, count: 64)
        == 9_223_372_036_854_775_744..<9_223_372_036_854_775_807)
    #expect(errorOf { _ = try library.store.reserveKeys(root: tag, count: 1) } != nil)
  }

  // MARK: Waiting

  @Test func `the longest waiting time has an end and no trap (review C5)`() {
    #expect(LockFile.deadline(now: 5, waiting: 7) == 12)
    #expect(LockFile.deadline(now: 5, waiting: .max) == .max)
  }
}
