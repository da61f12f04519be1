import OxbowMigration
import OxbowModel
import OxbowRelational
import OxbowTestSupport
import Testing

// A commit that reports an error may be durable all the same. The backend here has no database: its
// first commit fails, and the store has the step afterwards, or not.
@Suite struct CommitUnknownTests {
  @Test func `a step that is in the store counts as applied`() throws {
    let backend = FailingBackend(isDurable: true)
    let migrator = Migrator(backend, target: Models.first)
    #expect(try migrator.apply().map(\.modelAfter) == [Models.first.versionHash])
    #expect(backend.kept.history.count == 1)
  }

  @Test func `when no one can look, it is not known (review M21)`() throws {
    let backend = FailingBackend(isDurable: true)
    backend.failsAgain = true
    let migrator = Migrator(backend, target: Models.first)
    let error = #expect(throws: PersistenceError.self) { try migrator.apply() }
    #expect(error?.code == .commitUnknown)
  }

  @Test func `a step that is not in the store is an error`() throws {
    let backend = FailingBackend(isDurable: false)
    let migrator = Migrator(backend, target: Models.first)
    let error = #expect(throws: PersistenceError.self) { try migrator.apply() }
    #expect(error?.code == .commitUnknown)
    #expect(backend.kept.history.isEmpty)
  }
}

@Suite struct ResolvingTests {
  @Test func `steps are resolved once for all of them, not once for each (review M7)`() throws {
    let folder = try TemporaryFolder()
    let migrations = folder.file("Migrations")
    try folder.write("", to: "Migrations/.keep")
    _ = try MigrationSequence(folder: migrations).addModelStep(named: "initial", to: Models.first)
    for number in 2...30 {
      let id = "000\(number)".suffix(4)
      try folder.write("-- oxbow: model unchanged\nSELECT 1;\n", to: "Migrations/\(id)_script.sql")
    }
    let backend = FailingBackend(isDurable: true)
    backend.hasFailed = true
    let migrator = try Migrator(backend, folder: migrations, target: nil)
    #expect(try migrator.apply().count == 30)
    // Without the lock, and under it when the store was made meanwhile.
    #expect(backend.stateReads <= 2)
  }
}

/// One store in memory whose first commit reports an error.
final class FailingBackend: MigrationBackend, MigrationSession, @unchecked Sendable {
  // Sendable by argument: each test uses its backend on one thread.

  struct Store {
    var model: ModelRecord?
    var history: [HistoryEntry] = []
  }

  let isDurable: Bool
  var hasFailed = false

  /// How often the whole state was asked for, which is what resolving the steps costs.
  var stateReads = 0

  /// Whether the store cannot be opened after the first commit.
  var failsAgain = false
  var kept = Store()
  var working = Store()

  init(isDurable: Bool) { self.isDurable = isDurable }

  var store: String { "memory" }
  var engine: String { "none" }

  func statements(of migration: TableMigration) -> [MigrationOperation] { [] }

  func state() throws -> MigrationState? { try Transaction(self).state() }

  func read<R>(_ body: (any MigrationReading) throws -> R) throws -> R {
    try body(Transaction(self))
  }

  func exclusively<R>(_ body: (any MigrationSession) throws -> R) throws -> R { try body(self) }

  func transaction<R>(_ body: (any MigrationTransaction) throws -> R) throws -> R {
    if hasFailed, failsAgain { throw PersistenceError(.storeReadOnly, "no way in") }
    working = kept
    let result = try body(Transaction(self))
    let fails = !hasFailed
    hasFailed = true
    if !fails || isDurable { kept = working }
    working = kept
    if fails { throw PersistenceError(.commitUnknown, "the disk") }
    return result
  }

  struct Transaction: MigrationTransaction {
    let backend: FailingBackend

    init(_ backend: FailingBackend) { self.backend = backend }

    func state() throws -> MigrationState? {
      backend.stateReads += 1
      return backend.working.model.map {
        MigrationState(
          layout: "plain", layoutVersion: 1, identifier: "", modelHash: $0.hash, model: $0.document,
          entities: $0.entities, history: backend.working.history)
      }
    }

    func mark() throws -> MigrationMark? {
      backend.working.model.map {
        MigrationMark(modelHash: $0.hash, lastEvent: Int64(backend.working.history.count))
      }
    }

    func run(_ conversion: TableConversion, progress: (StepProgress) -> Void) throws {}
    func count(_ condition: DataCheck.Condition) throws -> Int { 0 }
    func rowCount(of table: String) throws -> Int? { 0 }
    func takenNames(_ migration: TableMigration) throws -> [String] { [] }
    func differences(from tables: [TableSchema]) throws -> [String] { [] }
    func contents(leavingOut columns: [String: Set<String>]) throws -> [String: TableContents] {
      [:]
    }
    func edit(_ body: (any RowEditing) throws -> Void) throws -> WrittenColumns { .init() }
    func noteKeys(of root: EntityMapping) {}
    func removeProgress() throws {}
    func createStore() throws {}
    func makeBoxes(of tables: [TableSchema]) throws {}
    func run(_ migration: TableMigration, progress: (StepProgress) -> Void) throws {}
    func run(_ script: MigrationScript, progress: (StepProgress) -> Void) throws -> WrittenColumns {
      .init()
    }
    func run(_ fill: DerivedFill) throws {}
    func setModel(_ record: ModelRecord, _ renaming: HistoryRenaming?) throws {
      backend.working.model = record
    }
    func append(_ entry: HistoryEntry) throws { backend.working.history.append(entry) }
  }
}
