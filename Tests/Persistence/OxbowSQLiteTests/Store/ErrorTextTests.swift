import CSQLite
import FoundationEssentials
import OxbowModel
import OxbowRelational
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import Testing

@Suite struct ErrorTextTests {
  func error(_ code: Int32, isCommit: Bool = false) -> PersistenceError {
    PersistenceError(
      SQLiteError(
        code: ResultCode(code), message: "as SQLite says", sql: "COMMIT", path: "/x/store",
        isCommit: isCommit), "saving to")
  }

  @Test(arguments: [
    (
      10, "ioFailure",
      "reading or writing the file of the store '/x/store' failed; nothing was changed: check the "
        + "disk and the file system"
    ),
    (
      11, "storeCorrupt",
      "the database '/x/store' is damaged; stop writing to it, keep a copy of all its files, and "
        + "restore a backup or try the '.recover' command of the sqlite3 shell on the copy"
    ),
    (
      14, "storeUnreachable",
      "the store '/x/store' cannot be opened: check that it exists, that its folder does, and that "
        + "this user may read and write both"
    ),
    (
      517, "storeLocked",
      "the store '/x/store' is locked by another connection or program; nothing was changed: try "
        + "again, or close the program that has it open"
    ),
    (1, "statementFailed", "saving to the store '/x/store' failed"),
  ])
  func `each kind of failure says what happened and what to do`(
    number: Int32, code: String, text: String
  ) {
    let error = error(number)
    #expect(error.code.rawValue == code)
    #expect(error.message == text)
    #expect(
      error.details.map { "\($0.label): \($0.text)" } == [
        "SQLite: \(ResultCode(number)): as SQLite says", "statement: COMMIT",
      ])
  }

  @Test func `a commit with an I/O error is neither saved nor lost`() {
    let unknown = error(1034, isCommit: true)
    #expect(unknown.code == .commitUnknown)
    #expect(
      unknown.message
        == "the system failed while a save to '/x/store' was being committed: it may be "
        + "in the store or not; check the disk, open the store again and look before you repeat "
        + "the save"
    )
    #expect(error(13, isCommit: true).code == .storeFull)
  }

  @Test func `a damaged database is named, and the rest stays readable`() throws {
    let library = try Library()
    try library.save {
      $0.inserts = try (1...300).map {
        try library.insert("Tag", $0, ["label": .string(String(repeating: "x", count: 500))])
      }
      $0.inserts += [try library.insert("Shelf", 1)]
    }
    let path = library.store.path
    let page = try library.intruder().integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'Tag'")
    library.store.close()
    var bytes = try Data(contentsOf: URL(filePath: path))
    let start = (Int(try #require(page)) - 1) * 4096
    bytes.replaceSubrange(start..<start + 4096, with: Data(repeating: 0x77, count: 4096))
    try bytes.write(to: URL(filePath: path))
    let store = try SQLiteStore(library.model, at: .file(path))
    defer { store.close() }
    let error = errorOf { _ = try store.rows(of: try library.fetch("Tag")) }
    #expect(error?.code == .storeCorrupt)
    #expect(library.keys(try store.rows(of: try library.fetch("Shelf"))) == [1])
  }
}

extension ErrorTextTests {
  /// Runs statements as any other program would.
  static func execute(_ path: String, _ statements: String) throws {
    var handle: OpaquePointer?
    try #require(sqlite3_open(path, &handle) == SQLITE_OK)
    defer { sqlite3_close(handle) }
    try #require(sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK)
  }

  @Test func `W3: an index over JSON leaves a store as usable as it was`() throws {
    let library = try Library()
    try library.save { $0.inserts = [try library.insert("Tag", 1, ["label": .string("{}")])] }
    let path = library.store.path
    library.store.close()
    try Self.execute(path, "CREATE INDEX byKey ON Tag(json_extract(label, '$.a'))")
    let store = try SQLiteStore(library.model, at: .file(path))
    defer { store.close() }
    #expect(library.keys(try store.rows(of: try library.fetch("Tag"))) == [1])
  }

  @Test(arguments: [
    ("replace(sql, 'STRICT', 'STRICTER')", "unknown table option: STRICTER"),
    ("replace(sql, '(', '(,')", "near \",\": syntax error"),
  ])
  func `W3: a definition that this SQLite does not understand is named, and not called damage`(
    change: String, reason: String
  ) throws {
    let library = try Library()
    let path = library.store.path
    library.store.close()
    try Self.execute(
      path,
      "PRAGMA writable_schema = ON;"
        + "UPDATE sqlite_schema SET sql = \(change) WHERE name = 'Tag'")
    let error = errorOf { _ = try SQLiteStore(library.model, at: .file(path)) }
    #expect(error?.code == .storeUnreachable)
    #expect(
      error?.message.hasPrefix(
        "the database '\(path)' cannot be read: SQLite \(LibraryVersion.current) does not understand "
          + "the definition of 'Tag' in it (\(reason))") == true, "\(String(describing: error))")
  }
}
