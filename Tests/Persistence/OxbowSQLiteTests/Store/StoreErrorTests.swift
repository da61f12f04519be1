import OxbowModel
import OxbowPlatform
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

@Suite struct StoreErrorTests {
  let scratch: Scratch
  let model: CompiledModel

  init() throws {
    scratch = try Scratch()
    model = try CompiledModel(libraryModel())
  }

  func open(
    _ name: String = "store.sqlite", _ options: SQLiteStoreOptions = .init(),
    model: CompiledModel? = nil
  ) throws -> SQLiteStore {
    var options = options
    options.busyMilliseconds = min(options.busyMilliseconds, 40)
    return try SQLiteStore(
      model ?? self.model, at: .file(scratch.file(name)), options: options)
  }

  func refusal(
    _ name: String = "store.sqlite", _ options: SQLiteStoreOptions = .init(),
    model: CompiledModel? = nil
  ) -> PersistenceError? {
    errorOf { try open(name, options, model: model).close() }
  }

  // MARK: Opening

  @Test func `a file that is no database is refused and not touched`() throws {
    let path = try scratch.write("<?xml version=\"1.0\"?>", to: "text.xml")
    let error = refusal("text.xml")
    #expect(error?.code == .notAStore)
    #expect(
      error?.description == """
        '\(path)' is not an SQLite database: it has other contents, or is encrypted; check the path
          SQLite: SQLITE_NOTADB (26): file is not a database
        """)
    #expect(
      try String(contentsOf: URL(filePath: path), encoding: .utf8) == "<?xml version=\"1.0\"?>")
  }

  @Test func `a database of something else is refused and named by its tables`() throws {
    let other = try Connection(
      path: scratch.file("other"), configuration: Connection.Configuration(role: .sole))
    try other.execute("CREATE TABLE customers(id); CREATE TABLE orders(id)")
    let error = refusal("other")
    #expect(error?.code == .notAStore)
    #expect(
      error?.message == "'\(scratch.file("other"))' is an SQLite database, but not an Oxbow store: "
        + "it has the tables 'customers', 'orders'; check the path")
  }

  @Test func `a URI in place of a path is refused, and shows no password`() {
    let options = SQLiteStoreOptions(createsStore: false)
    func refusal(at path: String, _ options: SQLiteStoreOptions) -> PersistenceError? {
      errorOf { try SQLiteStore(model, at: .file(path), options: options).close() }
    }
    for options in [SQLiteStoreOptions(), options] {
      let server = refusal(at: "postgres://app:geheim@localhost/shop", options)
      #expect(server?.code == .storeUnreachable)
      #expect(
        server?.description
          == "'postgres://…' is on a server, and a store in a file was asked for; open it with "
          + "'PostgresLocation', which needs the trait 'PostgreSQL' and the product 'OxbowPostgres'"
      )
      #expect(
        refusal(at: "file:///none/s.sqlite", options)?.description
          == "'file://…' is a URI, and a store in a file has a path; write the path alone")
      #expect(
        refusal(at: "", options)?.description
          == "the path of the store is empty; write the path of a file")
    }
  }

  @Test func `folders that are missing and directories are named`() {
    #expect(
      refusal("missing/store")?.message
        == "the store '\(scratch.file("missing/store"))' cannot be opened: its folder "
        + "'\(scratch.file("missing"))' does not exist; make it first"
    )
    #expect(
      refusal(".")?.message
        == "the store '\(scratch.file("."))' cannot be opened: it is a directory"
    )
    let error = refusal("none", SQLiteStoreOptions(createsStore: false))
    #expect(error?.code == .storeUnreachable)
    #expect(
      error?.message
        == "the store '\(scratch.file("none"))' cannot be opened: there is no such file")
    #expect((try? scratch.files()) == [])
  }

  @Test func `an empty database is not a store unless one may be created`() throws {
    _ = try scratch.write("", to: "empty")
    #expect(refusal("empty", SQLiteStoreOptions(isReadOnly: true))?.code == .notAStore)
    #expect(
      refusal("empty", SQLiteStoreOptions(createsStore: false))?.message
        == "the database '\(scratch.file("empty"))' is empty, and opening it does not create a "
        + "store"
    )
    try open("empty").close()
    #expect(refusal("empty", SQLiteStoreOptions(createsStore: false)) == nil)
  }

  @Test func `a store of another model names both, what differs and what to run`() throws {
    let store = try open()
    store.close()
    var entities = libraryModel(extra: [AttributeDescription("subtitle", .string)]).entities
    entities.removeAll { $0.name == "Reader" }
    entities.append(EntityDescription("Loan"))
    let other = try CompiledModel(ManagedObjectModel(entities: entities))
    let error = refusal(model: other)
    #expect(error?.code == .modelMismatch)
    #expect(
      error?.description == """
        the store '\(scratch.file())' was written for another model: it has \
        \(model.versionHash.prefix(12)), the model is \(other.versionHash.prefix(12)); see what \
        differs with 'oxbowctl migrate status --store \(scratch.file())', and change the store \
        with 'oxbowctl migrate apply', or in the program with 'StoreMigrations(.automatic)'
          changed: 'Book'
          only in the store: 'Reader'
          only in the model: 'Loan'
        """)
    #expect(refusal() == nil)
  }

  @Test func `a newer layout is refused`() throws {
    let library = try Library()
    try library.intruder().execute(
      "UPDATE _oxbow_metadata SET value = 6 WHERE name = 'layout_version'")
    for error in refusals(of: library) {
      #expect(error?.code == .storeNewer)
      #expect(
        error?.message
          == "the store '\(library.store.path)' has the layout 'plain' version 6, and this "
          + "version of Oxbow reads 'plain' up to version 5; use a newer one")
    }
  }

  /// What opening a store and what migrating it say, which read the same metadata.
  private func refusals(of library: Library) -> [PersistenceError?] {
    let path = library.store.path
    return [
      errorOf { _ = try SQLiteStore(library.model, at: .file(path)) },
      errorOf { _ = try SQLiteMigrationBackend(path: path).state() },
    ]
  }

  @Test(arguments: [
    ("DELETE FROM _oxbow_metadata WHERE name = 'layout'", "has no 'layout'"),
    (
      "UPDATE _oxbow_metadata SET value = 'x' WHERE name = 'store_uuid'",
      "has no usable 'store_uuid'"
    ),
    (
      "UPDATE _oxbow_metadata SET value = 1 WHERE name = 'model_hash'", "has no usable 'model_hash'"
    ),
  ])
  func `a fact that is missing or of another kind is named`(sql: String, seen: String) throws {
    let library = try Library()
    try library.intruder().execute(sql)
    for error in refusals(of: library) {
      #expect(error?.code == .notAStore)
      #expect(
        error?.message
          == "'\(library.store.path)' has the tables of an Oxbow store, but '_oxbow_metadata' "
          + "\(seen), which every store has; restore a backup")
    }
  }

  @Test func `a row whose version cannot be counted up is named`() throws {
    let library = try Library()
    try library.save { $0.inserts = [try library.insert("Tag", 1)] }
    try library.intruder().execute("UPDATE Tag SET _version = \(Int64.max)")
    let error = errorOf {
      try library.save {
        $0.updates = [try library.update("Tag", 1, .max, ["label": .string("x")])]
      }
    }
    #expect(error?.code == .invalidStoredValue)
    #expect(
      error?.message
        == "the row of 'x-oxbow://\(library.store.identifier)/Tag/p1' has 9223372036854775807 in "
        + "'_version', the largest number there is, so that no save can count it up; nothing was "
        + "saved: another program wrote it: set it to 1")
  }

  @Test func `a store without its tables is refused`() throws {
    let library = try Library()
    library.store.close()
    try library.intruder().execute("DROP TABLE Tag_related; ALTER TABLE Book DROP COLUMN weight")
    let error = errorOf {
      _ = try SQLiteStore(library.model, at: .file(library.store.path))
    }
    #expect(error?.code == .notAStore)
    #expect(
      error?.message.contains("lacks what its model needs: 'Book.weight', 'Tag_related'") == true)
  }

  // MARK: Locks

  @Test func `a store that another program is writing is locked, not lost`() throws {
    let library = try Library(options: SQLiteStoreOptions(busyMilliseconds: 30))
    let other = try library.intruder()
    try other.execute("BEGIN IMMEDIATE")
    let error = errorOf {
      try library.save { $0.inserts = [try library.insert("Tag", 1)] }
    }
    #expect(error?.code == .storeLocked)
    #expect(
      error?.message
        == "the store '\(library.store.path)' is locked by another connection or program; "
        + "nothing was changed: try again, or close the program that has it open")
    #expect(try library.keys("Tag").isEmpty)
    try other.execute("ROLLBACK")
    try library.save { $0.inserts = [try library.insert("Tag", 1)] }
  }

  @Test func `another Oxbow process that writes is named`() throws {
    let library = try Library(options: SQLiteStoreOptions(busyMilliseconds: 30))
    // A second lock file of this process excludes as that of another process does.
    let other = try LockFile(
      besideStore: library.store.path, usage: .shared, milliseconds: 0)
    let error = try other.withWriteLock(milliseconds: 0) {
      errorOf { try library.save { $0.inserts = [try library.insert("Tag", 1)] } }
    }
    #expect(error?.code == .storeLocked)
    let process = ProcessInfo.processInfo.processIdentifier
    #expect(
      error?.message.hasPrefix("could not write to the store within 30 ms: process \(process) on ")
        == true)
    try library.save { $0.inserts = [try library.insert("Tag", 1)] }
  }

  @Test func `a store that is being migrated cannot be opened`() throws {
    let migration = try LockFile(
      besideStore: scratch.file(), usage: .alone, milliseconds: 0)
    let error = refusal()
    #expect(error?.code == .storeLocked)
    #expect(error?.message.hasPrefix("could not open the store within 40 ms: process ") == true)
    migration.close()
    #expect(refusal() == nil)
  }

  // MARK: Read-only, full

  @Test func `a read-only store is read and not written`() throws {
    let writer = try open()
    let tag = try model.requireEntity(named: "Tag")
    var changes = ChangeSet()
    changes.inserts = [
      ChangeSet.Insert(
        entity: tag.index, key: 1,
        values: ContiguousArray(tag.properties.map { $0.attribute == nil ? nil : .string("x") }))
    ]
    try writer.save(changes)
    let reader = try open("store.sqlite", SQLiteStoreOptions(isReadOnly: true))
    #expect(reader.isReadOnly)
    #expect(reader.identifier == writer.identifier)
    #expect(try reader.count(of: StoreFetch(entity: tag.index)) == 1)
    let errors = [
      errorOf { try reader.save(changes) },
      errorOf { _ = try reader.reserveKeys(root: tag.index, count: 1) },
    ]
    for error in errors {
      #expect(error?.code == .storeReadOnly)
      #expect(
        error?.message
          == "the store '\(reader.path)' cannot be changed: it was opened read-only, or the "
          + "file's permissions or its medium forbid it; nothing was saved")
    }
    writer.close()
    #expect(try reader.count(of: StoreFetch(entity: tag.index)) == 1)
    reader.close()
  }

  @Test func `a full store keeps what it has`() throws {
    let library = try Library(options: SQLiteStoreOptions(maximumBytes: 300_000))
    try library.save { $0.inserts = [try library.insert("Tag", 1)] }
    let error = errorOf {
      try library.save {
        $0.inserts = try (2...100).map {
          try library.insert(
            "Tag", $0, ["label": .string(String(repeating: "x", count: 10_000))])
        }
      }
    }
    #expect(error?.code == .storeFull)
    #expect(
      error?.message
        == "the disk of the store '\(library.store.path)' is full, or the store has reached "
        + "its size limit; nothing was saved: free space, or raise 'maximumBytes', and save again")
    #expect(try library.keys("Tag") == [1])
    try library.save { $0.inserts = [try library.insert("Tag", 2)] }
    #expect(try library.keys("Tag") == [1, 2])
  }

  // MARK: Values of other programs

  /// Makes the table of books one that accepts everything, and writes one value into its row.
  func spoil(_ library: Library, _ column: String, _ value: String) throws {
    let other = try library.intruder()
    let columns = try other.rows("SELECT name FROM pragma_table_info('Book')").map { row in
      guard case .text(let name) = row[0] else { return "" }
      return name == "_id" ? "_id INTEGER PRIMARY KEY" : quoted(name)
    }
    try other.execute(
      "CREATE TABLE loose(\(columns.joined(separator: ", "))); INSERT INTO loose SELECT * FROM "
        + "Book;DROP TABLE Book; ALTER TABLE loose RENAME TO Book;"
        + "UPDATE Book SET \(quoted(column)) = \(value) WHERE _id = 2")
  }

  @Test(arguments: [
    ("title", "NULL", "NULL", "TEXT in UTF-8"),
    ("title", "7", "the INTEGER 7", "TEXT in UTF-8"),
    ("title", "CAST(x'61ff' AS TEXT)", "TEXT of 2 bytes that is not UTF-8", "TEXT in UTF-8"),
    ("pages", "3000000000", "the INTEGER 3000000000", "an INTEGER from -2147483648 to 2147483647"),
    ("pages", "'x'", "TEXT of 1 bytes", "an INTEGER from -2147483648 to 2147483647"),
    ("grade", "40000", "the INTEGER 40000", "an INTEGER from -32768 to 32767 or NULL"),
    ("isLent", "2", "the INTEGER 2", "0 or 1 or NULL"),
    ("price", "'12,5'", "TEXT of 4 bytes", "TEXT with a decimal number of up to 38 digits or NULL"),
    ("number", "x'00'", "a BLOB of 1 bytes", "a BLOB of 16 bytes or NULL"),
    ("cover", "'text'", "TEXT of 4 bytes", "a BLOB or NULL"),
    ("weight", "'heavy'", "TEXT of 5 bytes", "a REAL or NULL"),
    ("author", "'x'", "TEXT of 1 bytes", "the key of an object or NULL"),
    (
      "_author_type", "99", "the INTEGER 99", "the number of an entity in _oxbow_entities or NULL"
    ),
  ])
  func `a value that does not fit is named`(
    column: String, value: String, seen: String, expected: String
  ) throws {
    let library = try Library()
    try library.save {
      $0.inserts = [try library.insert("Book", 1), try library.insert("Book", 2)]
    }
    // The store is open meanwhile: it has to notice that the table lost its NOT NULL.
    #expect(try library.keys("Book") == [1, 2])
    try spoil(library, column, value)
    let text =
      "the column '\(column)' of the table 'Book' has \(seen) in the row with _id 2, where the "
      + "model needs \(expected); another program wrote it: correct the row in the store"
    let open = errorOf { _ = try library.keys("Book") }
    #expect(open?.code == .invalidStoredValue)
    #expect(open?.message == text)
    let second = try SQLiteStore(library.model, at: .file(library.store.path))
    defer { second.close() }
    let book = try library.entity("Book").index
    #expect(errorOf { _ = try second.rows(of: StoreFetch(entity: book)) }?.message == text)
    #expect(library.keys(try second.rows(of: book, keys: [1])) == [1])
  }

  @Test func `a row of no entity is named`() throws {
    let library = try Library()
    try library.save { $0.inserts = [try library.insert("Reader", 1)] }
    try library.intruder().execute("UPDATE Person SET _type = 77")
    let error = errorOf { _ = try library.keys("Person") }
    #expect(error?.code == .invalidStoredValue)
    #expect(
      error?.message
        == "the column '_type' of the table 'Person' has 77 in the row with _id 1, the "
        + "number of no entity, where the number of 'Reader', 'Writer' was expected; another "
        + "program wrote it: correct the row in the store")
  }

  // MARK: Another schema

  @Test func `a store that was migrated meanwhile refuses all work`() throws {
    let library = try Library()
    try library.save { $0.inserts = [try library.insert("Tag", 1)] }
    #expect(try library.keys("Tag") == [1])
    try library.intruder().execute(
      "ALTER TABLE Tag RENAME COLUMN label TO caption;"
        + "UPDATE _oxbow_metadata SET value = 'another' WHERE name = 'model_hash'")
    let errors = [
      errorOf { _ = try library.keys("Tag") },
      errorOf { try library.save { $0.inserts = [try library.insert("Tag", 2)] } },
      errorOf { _ = try library.store.reserveKeys(root: 0, count: 1) },
    ]
    for error in errors {
      #expect(error?.code == .storeWasMigrated)
      #expect(
        error?.message
          == "the model of the store '\(library.store.path)' was changed by a migration "
          + "while it was open here; nothing was changed by this call: close it, and open it with "
          + "the new model")
    }
    #expect(try library.intruder().integer("SELECT count(*) FROM Tag") == 1)
  }

  @Test func `a save finds a migration that no read has seen`() throws {
    let library = try Library()
    try library.intruder().execute(
      "CREATE TABLE more(x);"
        + "UPDATE _oxbow_metadata SET value = 'another' WHERE name = 'model_hash'")
    let error = errorOf { try library.save { $0.inserts = [try library.insert("Tag", 2)] } }
    #expect(error?.code == .storeWasMigrated)
  }

  @Test func `a change of the schema that leaves the model alone is taken`() throws {
    let library = try Library()
    try library.save { $0.inserts = [try library.insert("Tag", 1)] }
    #expect(try library.keys("Tag") == [1])
    try library.intruder().execute("CREATE INDEX mine ON Tag(label); CREATE VIEW v AS SELECT 1")
    #expect(try library.keys("Tag") == [1])
    try library.save { $0.inserts = [try library.insert("Tag", 2)] }
    #expect(try library.keys("Tag") == [1, 2])
  }

  @Test func `a change of the schema while it is looked at is not overlooked`() throws {
    // How many tables are still to be looked at, and the program that then changes one.
    let rest = Lock(0)
    let other = Lock<Connection?>(nil)
    let recorder = LogRecorder { entry in
      guard entry.message.contains("pragma_table_info") else { return }
      let isLast = rest.withLock { rest in
        rest -= 1
        return rest == 0
      }
      guard isLast else { return }
      other.withLock { other in
        try? other?.execute(
          """
          PRAGMA foreign_keys = OFF; BEGIN; CREATE TABLE copy AS SELECT * FROM Book;
          DROP TABLE Book; ALTER TABLE copy RENAME TO Book; UPDATE Book SET pages = NULL; COMMIT
          """)
      }
    }
    let library = try Library(options: SQLiteStoreOptions(logger: recorder.statementLogger))
    try library.save { $0.inserts = [try library.insert("Book", 1, ["pages": .integer(7)])] }
    #expect(try library.only("Book", 1)["pages"] == "7")
    let intruder = try library.intruder()
    defer { intruder.close() }
    other.withLock { $0 = intruder }
    try intruder.execute("CREATE TABLE mine(x)")
    let tables = Set(try library.store.current().mapping.tables.map(\.name))
    rest.withLock { $0 = tables.count }
    let error = errorOf { _ = try library.only("Book", 1) }
    #expect(rest.withLock { $0 } <= 0)
    #expect(error?.code == .invalidStoredValue)
  }

  // MARK: Files

  @Test func `two stores of one file share their writer and see each other`() throws {
    let first = try open()
    let second = try open()
    #expect(first.identifier == second.identifier)
    let tag = try model.requireEntity(named: "Tag").index
    #expect(try first.reserveKeys(root: tag, count: 5) == 1..<6)
    #expect(try second.reserveKeys(root: tag, count: 5) == 6..<11)
    first.close()
    #expect(try second.reserveKeys(root: tag, count: 1) == 11..<12)
    second.close()
    #expect(try scratch.files() == ["store.sqlite", "store.sqlite-lock"])
  }

  @Test func `a temporary store leaves nothing`() throws {
    let store = try SQLiteStore(model, at: .temporary)
    let path = store.path
    #expect(FileManager.default.fileExists(atPath: path))
    store.close()
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(
      !FileManager.default.fileExists(atPath: URL(filePath: path).deletingLastPathComponent().path))
  }

  @Test func `several threads may create one store`() async throws {
    let stores = try await withThrowingTaskGroup(of: SQLiteStore.self) { group in
      for _ in 0..<8 { group.addTask { try self.open() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(stores.map(\.identifier)).count == 1)
    for store in stores { store.close() }
  }
}
