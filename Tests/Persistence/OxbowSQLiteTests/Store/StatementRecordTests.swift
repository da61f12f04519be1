import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

// PS-16: what tasks cause is noted for them.

@Suite struct StatementRecordTests {
  private func tags(_ library: Library, _ keys: [Int64]) throws -> ChangeSet {
    var changes = ChangeSet()
    changes.inserts = try keys.map { try library.insert("Tag", $0, ["label": .string("\($0)")]) }
    return changes
  }

  @Test(arguments: [StoreKind.file, .rollbackJournal, .withHistory])
  func `a save that shares a commit is noted for the task that saves (PS-16)`(
    _ kind: StoreKind
  ) throws {
    let library = try Library(kind)
    let records = (1...8).map { $0 % 2 == 0 ? StatementRecord() : nil }
    let before = library.store.statistics
    let changes = try (1...8).map { number in
      try tags(library, (1...Int64(number)).map { $0 + Int64(number) * 100 })
    }
    let errors = try saveTogether(changes.map { (library.store, $0) }, notedIn: records)
    #expect(errors.compactMap(\.?.code) == [])
    #expect(library.store.statistics.since(before).commits == 1)
    #expect(records.map { $0?.runs } == [nil, 2, nil, 4, nil, 6, nil, 8])
    for entry in records.compactMap({ $0?.entries }).joined() {
      #expect(entry.text.hasPrefix("INSERT OR ABORT INTO \"Tag\" "))
    }
  }

  @Test func `a record inside another one notes for both (PS-16)`() throws {
    let library = try Library(.inMemory)
    let outer = StatementRecord()
    let inner = try StatementRecord.noting(for: outer) {
      try library.store.save(try tags(library, [1]))
      let inner = StatementRecord()
      try StatementRecord.noting(for: inner) {
        _ = try library.store.save(try tags(library, [2, 3]))
      }
      return inner
    }
    #expect(outer.entries.map(\.work.runs) == [3])
    #expect(inner.entries.map(\.work.runs) == [2])
  }

  @Test(arguments: StoreKind.allCases)
  func `scans are seen beside a logger, which counts them itself (PS-16)`(
    _ kind: StoreKind
  ) throws {
    let recorder = LogRecorder()
    let library = try Library(
      kind, options: SQLiteStoreOptions(logger: recorder.statementLogger))
    try library.store.save(try tags(library, Array(1...50)))
    let record = StatementRecord(StatementRecord.Interest(scannedRows: 10))
    let fetch = try library.fetch("Tag", .equal("label", "7"))
    try StatementRecord.noting(for: record) { _ = try library.store.rows(of: fetch, unless: nil) }
    #expect(record.entries.map(\.scannedTables) == [["Tag"]])
    #expect(record.entries.map(\.work.rows) == [1])
    #expect(record.entries.map { $0.work.scannedRows >= 49 } == [true])
  }

  @Test func `nothing is noted where no task records (PS-16)`() throws {
    let library = try Library(.inMemory)
    let record = StatementRecord()
    try library.store.save(try tags(library, [1]))
    #expect(record.entries.isEmpty)
    #expect(StatementRecord.isNeeded)
  }

  @Test func `a statement is looked at again when it scans more than before (PS-16)`() {
    let record = StatementRecord(StatementRecord.Interest(scannedRows: 100))
    var looks = 0
    func note(scanned: Int = 0, indexed: Int = 0, _ tables: [String]?) {
      record.note(
        "SELECT", isReading: true,
        .init(runs: 1, rows: 0, scannedRows: scanned, indexedRows: indexed)
      ) { _ in
        looks += 1
        return tables
      }
    }
    note(scanned: 400, nil)
    note(scanned: 400, [])
    note(scanned: 400, ["Tag"])
    #expect(record.entries.map(\.scannedTables) == [[]])
    note(indexed: 10_000, ["Tag"])
    note(scanned: 90_000, ["Book"])
    #expect(record.entries.map(\.scannedTables) == [["Tag"]])
    #expect(looks == 3)
  }
}
