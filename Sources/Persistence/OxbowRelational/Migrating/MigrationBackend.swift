/// The database side of a migration: reads one store's state and changes its tables.
///
/// `OxbowMigration` decides what is to be done and calls this; each kind of database has its own
/// backend. Everything throws `PersistenceError`.
package protocol MigrationBackend {
  /// What commands call the store.
  var store: String { get }

  /// The engine as the history names it: "SQLite 3.40.1".
  var engine: String { get }

  /// How the engine says what a migration asks and does.
  var dialect: any Dialect { get }

  /// Whether the program was asked to stop; what runs then is rolled back.
  var isInterrupted: Bool { get }

  /// What the store says of itself; `nil` when there is no store yet.
  ///
  /// Reads only, and leaves no trace.
  func state() throws -> MigrationState?

  /// Runs `body` over one moment of the store, reading only.
  func read<R>(_ body: (any MigrationReading) throws -> R) throws -> R

  /// The statements that a change would run, in order.
  func statements(of migration: TableMigration) -> [MigrationOperation]

  /// How a change is made beside programs; `nil` where the engine has no such way.
  func onlineChange(_ migration: TableMigration) -> OnlineChange?

  /// What computes a derived attribute.
  func operation(of fill: DerivedFill) -> MigrationOperation

  /// Runs `body` while no other process uses the store.
  ///
  /// - Throws: `PersistenceError` with code `storeLocked`, naming who has it open.
  func exclusively<R>(_ body: (any MigrationSession) throws -> R) throws -> R
}

extension MigrationBackend {
  package var dialect: any Dialect { SQLiteDialect() }
  package var isInterrupted: Bool { false }
  package func onlineChange(_ migration: TableMigration) -> OnlineChange? { nil }

  package func operation(of fill: DerivedFill) -> MigrationOperation {
    MigrationOperation(.fill, table: fill.table, statements: [fill.statement])
  }
}

/// What can be asked of a store.
package protocol MigrationReading {
  /// What the store says of itself; `nil` when it is an empty file.
  func state() throws -> MigrationState?

  /// What moves with each step; `nil` when it is an empty file.
  func mark() throws -> MigrationMark?

  /// The number of rows or links that meet a condition.
  func count(_ condition: DataCheck.Condition) throws -> Int

  /// The whole numbers of a statement's first column.
  func integers(_ statement: String) throws -> [Int64]

  /// The number of rows of a table; `nil` when there is no such table.
  func rowCount(of table: String) throws -> Int?

  /// About how many bytes each table takes with its indexes, by name.
  func bytesByTable() throws -> [String: Int]

  /// About how many rows each table has, by name, as far as the engine knows without reading them.
  func estimatedRows() throws -> [String: Int]

  /// Describes the names that a change needs and that are taken.
  func takenNames(_ migration: TableMigration) throws -> [String]

  /// Describes how the store's tables differ from `tables`; other tables do not count.
  func differences(from tables: [TableSchema]) throws -> [String]

  /// What all tables but the store's own have, by name, without the values of some columns.
  func contents(leavingOut columns: [String: Set<String>]) throws -> [String: TableContents]

  /// The tables of a database that another tool made; `nil` for a store and for an empty file.
  func foreignSchema() throws -> ForeignSchema?
}

extension MigrationReading {
  package func integers(_ statement: String) throws -> [Int64] { [] }
  package func bytesByTable() throws -> [String: Int] { [:] }
  package func estimatedRows() throws -> [String: Int] { [:] }
  package func foreignSchema() throws -> ForeignSchema? { nil }
  package func contents() throws -> [String: TableContents] { try contents(leavingOut: [:]) }
}

/// A store that this process has for itself.
package protocol MigrationSession {
  /// Runs `body` in one transaction: all of it is done, or nothing.
  ///
  /// - Throws: `PersistenceError` with code `commitUnknown` when the system failed in the commit;
  ///   the next transaction sees what is on the medium.
  func transaction<R>(_ body: (any MigrationTransaction) throws -> R) throws -> R

  /// Does a part of a change beside programs, or the range of it that is behind a key.
  ///
  /// `note` writes how far that is, in the same transaction: the last key of the range, or `nil`
  /// when the part is over.
  ///
  /// - Returns: What was noted.
  func run(
    _ part: OnlineChange.Part, after key: Int64?,
    note: (any MigrationTransaction, Int64?) throws -> Void
  ) throws -> Int64?
}

extension MigrationSession {
  package func run(
    _ part: OnlineChange.Part, after key: Int64?,
    note: (any MigrationTransaction, Int64?) throws -> Void
  ) throws -> Int64? { nil }
}

/// A transaction of a migration.
package protocol MigrationTransaction: MigrationReading {
  func createStore() throws

  /// Changes the tables; says now and then how far that is.
  func run(_ migration: TableMigration, progress: (StepProgress) -> Void) throws

  /// Makes the tables of a store from those of another tool, which go.
  func run(_ conversion: TableConversion, progress: (StepProgress) -> Void) throws

  /// Runs a script's statements, and says behind each how far that is; returns what they wrote.
  func run(_ script: MigrationScript, progress: (StepProgress) -> Void) throws -> WrittenColumns

  /// Runs `body`, which may do with rows what a script may; returns what it wrote.
  func edit(_ body: (any RowEditing) throws -> Void) throws -> WrittenColumns

  /// Notes that the keys which a root's table has were given.
  func noteKeys(of root: EntityMapping) throws

  /// Makes the indexes of boxes that tables should have, behind statements of somebody else's:
  /// these may have written tables anew, and cannot name such an index.
  func makeBoxes(of tables: [TableSchema]) throws

  /// Computes a derived attribute for all objects.
  func run(_ fill: DerivedFill) throws

  /// Notes the model that the store has from now on, and what that means for its history of saves.
  func setModel(_ record: ModelRecord, _ renaming: HistoryRenaming?) throws

  func append(_ entry: HistoryEntry) throws

  /// Removes the event that says how far a step is; an event that is over is never removed.
  func removeProgress() throws

  /// Removes what was made beside programs for a step that is not over.
  func discardPrepared() throws
}

extension MigrationTransaction {
  package func discardPrepared() throws {}
}

/// How far a step is that is not durable yet.
package enum StepProgress: Hashable, Sendable {
  /// Rows of a table that is written anew, and how many it has.
  case rows(table: String, Int, of: Int)
  /// Bytes of a script that have run, and how many it has.
  case bytes(Int, of: Int)
}

/// Reads and writes rows during a step in Swift, under the rules of scripts.
package protocol RowEditing {
  /// All rows of a statement; for small results only.
  func rows(_ statement: String, _ values: [SQLValue]) throws -> [[SQLValue]]

  /// Runs a statement to its end; returns how many rows it changed.
  @discardableResult
  func run(_ statement: String, _ values: [SQLValue]) throws -> Int

  /// How many rows were changed so far, those that triggers changed included.
  var changes: Int { get }
}

extension RowEditing {
  /// The whole number in the first column of the first row, if there is one.
  package func integer(_ statement: String, _ values: Int64...) throws -> Int64? {
    guard case .integer(let number)? = try rows(statement, values.map { .integer($0) }).first?.first
    else { return nil }
    return number
  }
}

/// What a script wrote: tables with new rows, columns with other values, and tables that lost rows,
/// in lower case.
package struct WrittenColumns: Hashable, Sendable {
  private var tables: Set<String>
  private var columns: [String: Set<String>] = [:]
  private var shrunk: Set<String> = []

  /// Nothing, or all columns of some tables.
  package init(allOf tables: [TableSchema] = []) {
    self.tables = Set(tables.map { $0.name.lowercased() })
  }

  package mutating func insert(into table: String) { tables.insert(table.lowercased()) }

  package mutating func update(_ column: String, of table: String) {
    columns[table.lowercased(), default: []].insert(column.lowercased())
  }

  package mutating func delete(from table: String) { shrunk.insert(table.lowercased()) }

  package mutating func formUnion(_ other: WrittenColumns) {
    tables.formUnion(other.tables)
    columns.merge(other.columns) { $0.union($1) }
    shrunk.formUnion(other.shrunk)
  }

  /// Whether a column may have values that it had not.
  package func contains(_ column: String, of table: String) -> Bool {
    let table = table.lowercased()
    return tables.contains(table) || columns[table]?.contains(column.lowercased()) == true
  }

  /// Whether a table may have lost rows.
  package func hasDeleted(from table: String) -> Bool { shrunk.contains(table.lowercased()) }
}

/// What a table is and has, to compare one moment with another.
///
/// Neither the order of columns nor that of rows counts, nor do the versions of rows.
package struct TableContents: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case table, view
  }

  package var kind = Kind.table
  package var structure: TableSchema
  package var rows: Int
  package var hash: String

  /// The names of the triggers of others, sorted.
  package var triggers: [String] = []

  package init(structure: TableSchema, rows: Int, hash: String) {
    (self.structure, self.rows, self.hash) = (structure, rows, hash)
  }
}

/// The model of a store, as the store keeps it.
package struct ModelRecord: Hashable, Sendable {
  package var hash: String

  /// The model document, so that the store can be understood without any other file; `nil` when no
  /// document can hold the model.
  package var document: String?
  package var entities: [EntityRecord]
  package var roots: [Int64]

  package init(hash: String, document: String?, entities: [EntityRecord], roots: [Int64]) {
    (self.hash, self.document, self.entities, self.roots) = (hash, document, entities, roots)
  }
}

/// What a store says of itself.
package struct MigrationState: Hashable, Sendable {
  package var layout: String
  package var layoutVersion: Int
  package var identifier: String
  package var modelHash: String

  /// The model document that the store keeps, or `nil` when it keeps none.
  package var model: String?
  package var entities: [EntityRecord]
  package var history: [HistoryEntry]

  package init(
    layout: String, layoutVersion: Int, identifier: String, modelHash: String, model: String?,
    entities: [EntityRecord], history: [HistoryEntry]
  ) {
    (self.layout, self.layoutVersion, self.identifier, self.modelHash) = (
      layout, layoutVersion, identifier, modelHash
    )
    (self.model, self.entities, self.history) = (model, entities, history)
  }
}

/// What moves with each step of a store: less than its state, for a reader that knows the rest.
package struct MigrationMark: Hashable, Sendable {
  package var modelHash: String

  /// The sequence number of the last event of the history, 0 for none.
  package var lastEvent: Int64

  package init(modelHash: String, lastEvent: Int64) {
    self.modelHash = modelHash
    self.lastEvent = lastEvent
  }
}

package struct MigrationScript: Hashable, Sendable {
  /// The path of its file, for messages.
  package var file: String

  /// The statements, and the line of the file where they begin, counted from 1.
  package var text: String
  package var firstLine: Int

  package init(file: String, text: String, firstLine: Int) {
    (self.file, self.text, self.firstLine) = (file, text, firstLine)
  }
}

/// A change of one table, as a plan shows it.
public struct MigrationOperation: Sendable, Hashable, Codable {
  /// How a table is changed.
  public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
    /// A table is made.
    case create
    /// A table or a column gets another name.
    case rename
    /// Columns are added.
    case alter
    /// The table is written anew.
    case rebuild
    /// A table is removed.
    case drop
    /// Indexes are made or removed.
    case index
    /// A new table gets its rows from others.
    case fill
    /// Rows are removed.
    case delete
  }

  /// What is done.
  public let kind: Kind
  /// The table's name.
  public let table: String
  /// The statements, in order.
  public let statements: [String]
  /// What each statement keeps from others; `nil` in a file, which a migration has for itself.
  public let locks: [StatementLock]?
  /// What programs notice of it; `nil` in a file.
  public package(set) var remarks: [MigrationRemark]?
  /// The rows that are read or written; `nil` when they are not known.
  public package(set) var rows: Int?
  /// About how many bytes are written anew; `nil` where that is little, or not known yet.
  public package(set) var bytes: Int?

  package init(
    _ kind: Kind, table: String, statements: [String], locks: [StatementLock]? = nil,
    rows: Int? = nil, bytes: Int? = nil
  ) {
    (self.kind, self.table, self.statements) = (kind, table, statements)
    self.locks = locks
    (self.rows, self.bytes) = (rows, bytes)
  }
}
