#if PostgreSQL
  package import OxbowModel
  package import OxbowRelational

  /// Copies a store on a server, or makes one of a copy.
  ///
  /// A store is read in one transaction, beside saves of others; a migration waits. One is made in
  /// one transaction too, under the lock of migrations: other programs do not see it before.
  package struct PostgresCopyEngine: CopyEngine {
    private let backend: PostgresMigrationBackend

    /// - Throws: ``PersistenceError``: `storeUnreachable` for a location that cannot be read.
    package init(
      _ location: PostgresLocation, busyMilliseconds: Int = 5000,
      interruption: (@Sendable () -> Bool)? = nil
    ) throws(PersistenceError) {
      backend = try PostgresMigrationBackend(
        location, busyMilliseconds: busyMilliseconds, interruption: interruption)
    }

    package var place: String { backend.store }
    package var isFile: Bool { false }

    package func read<R>(_ body: (any CopySource) throws -> R) throws -> R {
      try backend.worded("copying") { try body(ServerSource(backend.reading(), backend)) }
    }

    package func make<R>(
      _ contents: StoreContents, _ body: (any CopyTarget) throws -> R
    ) throws -> R {
      try backend.worded("copying to") {
        try backend.alone {
          let session = try backend.connect()
          try session.begin(.begin)
          defer { session.rollBack() }
          let target = try ServerTarget(session, contents, backend)
          let result = try body(target)
          try target.finish(contents)
          return result
        }
      }
    }
  }

  // MARK: - From a server

  private final class ServerSource: CopySource {
    let contents: StoreContents
    var tally: CopyTally { CopyTally() }
    private let session: StoreSession
    private let backend: PostgresMigrationBackend
    private let mapping: StoreMapping
    private let tables: [CopiedTable]

    init(_ session: StoreSession, _ backend: PostgresMigrationBackend) throws {
      (self.session, self.backend) = (session, backend)
      switch try StoreMetadata.read(session) {
      case .store(let metadata): contents = try StoreContents(metadata, session)
      case .coreData(let tables): throw session.foreign(tables.names)
      case .foreign(let tables): throw session.foreign(tables)
      case .empty:
        throw PersistenceError(
          .notAStore,
          "there is no store at '\(session.path)'; check the location and its schema")
      }
      mapping = contents.mapping(in: PostgresDialect())
      let missing = try Self.missing(mapping, session)
      guard missing.isEmpty else { throw PersistenceError.uncopied(session.path, lacking: missing) }
      tables = mapping.copiedTables
    }

    /// Tables and columns that are not there; a column of another type would be read as something
    /// else.
    private static func missing(_ mapping: StoreMapping, _ session: StoreSession) throws -> [String]
    {
      let live = try LiveTables(session)
      return mapping.tables.flatMap { table -> [String] in
        guard let found = live[table.name] else { return [table.name] }
        return table.columns.filter { found.column(named: $0.name)?.type != $0.type }
          .map { "\(table.name).\($0.name)" }
      }
    }

    func leftovers() throws -> CopyLeftovers {
      var leftovers = CopyLeftovers()
      leftovers.otherTables = try contents.otherTables(session, mapping)
      if try session.tableNames().contains(HistoryTables.saves.name) {
        leftovers.historySaves = try count(HistoryTables.saves.name)
      }
      return leftovers
    }

    func count(of table: Int) throws -> Int { try count(tables[table].name) }

    private func count(_ table: String) throws -> Int {
      try backend.worded("copying") {
        let name = session.names.table(table)
        return Int(try session.integers("SELECT count(*) FROM \(name)").first ?? 0)
      }
    }

    func rows(of table: Int, _ body: ([SQLValue]) throws -> Void) throws {
      let table = tables[table]
      let types = table.columns.map(\.codec.serverType)
      let columns = table.list { column in
        quoted(column.name) + (column.codec.serverType == .numeric ? "::text" : "")
      }
      var reader = CopiedRows(types)
      try backend.worded("copying") {
        try session.connection.receive(
          "COPY (SELECT \(columns) FROM \(session.names.table(table.name)) "
            + "ORDER BY \(table.order)) TO STDOUT (FORMAT binary)",
          stoppingWhen: session.isStopping
        ) { message in
          try reader.read(message) { cells in try body(row(cells, table)) }
        }
      }
    }

    private func row(_ cells: [SQLValue?], _ table: CopiedTable) throws -> [SQLValue] {
      var row: [SQLValue] = []
      row.reserveCapacity(cells.count)
      for (cell, column) in zip(cells, table.columns) {
        guard let settled = cell.flatMap(column.settled), settled.isNumber else {
          throw PersistenceError.uncopied(column, column.codec.need, table.place(row))
        }
        row.append(settled)
      }
      return row
    }
  }

  extension SQLValue {
    /// Whether it is not NaN, which no store keeps.
    fileprivate var isNumber: Bool {
      if case .real(let number) = self { !number.isNaN } else { true }
    }
  }

  // MARK: - To a server

  private final class ServerTarget: CopyTarget {
    private(set) var tally = CopyTally()
    private let session: StoreSession
    private let backend: PostgresMigrationBackend
    private let mapping: StoreMapping
    private let tables: [CopiedTable]

    init(
      _ session: StoreSession, _ contents: StoreContents, _ backend: PostgresMigrationBackend
    ) throws {
      (self.session, self.backend) = (session, backend)
      guard case .empty = try StoreMetadata.read(session) else {
        throw PersistenceError(
          .storeUnreachable,
          "nothing was written to '\(session.path)': the schema has tables already; choose another "
            + "schema, or drop this one if it is not needed")
      }
      mapping = contents.mapping(in: PostgresDialect())
      tables = mapping.copiedTables
      try session.createOwnTables()
      for table in mapping.tables { try session.execute(TableDefinitions.table(table)) }
    }

    func insert(into table: Int, _ rows: (([SQLValue]) throws -> Void) throws -> Void) throws {
      let table = tables[table]
      try backend.worded("copying to") {
        var sender = RowSender(
          session.connection, into: "\(session.names.table(table.name)) (\(table.list()))",
          table.columns.map(\.codec.serverType))
        do {
          // Worded here: the source would take the failure for its own.
          try rows { row in
            try backend.worded("copying to") {
              try check(row, table)
              try sender.append(row)
            }
          }
          try sender.finish()
        } catch {
          sender.cancel()
          throw error
        }
      }
    }

    /// Refuses a row that no message takes, and counts texts that are written differently.
    private func check(_ row: [SQLValue], _ table: CopiedTable) throws {
      var bytes = 0
      for value in row {
        bytes += value.byteCount
        if case .text(let text) = value, TextCoding.isConcerned(text.utf8) {
          tally.encodedTexts += 1
        }
      }
      guard bytes > RowEncoder.largestValue else { return }
      throw PersistenceError(
        .validation,
        "\(table.place(row)) has values of \(bytes) bytes, and a store on a server takes up to a "
          + "thousand million for an object; nothing was copied: keep large values in files, and the "
          + "files' names in the store")
    }

    /// Constraints and indexes are made of all rows at once, and the facts are the last that is
    /// written.
    func finish(_ contents: StoreContents) throws {
      do {
        for table in mapping.tables {
          for index in table.orders {
            try session.execute(TableDefinitions.index(index, on: table.name))
          }
        }
        for table in mapping.tables {
          for key in table.foreignKeys {
            try session.execute(TableDefinitions.foreignKey(key, on: table.name))
          }
          try session.execute("ANALYZE \(quoted(table.name))")
        }
      } catch let failure as ServerFailure { throw refusal(failure) ?? failure }
      try contents.write(session)
      try session.commit("the copy", "look at it with 'oxbowctl store info'")
    }

    private func refusal(_ failure: ServerFailure) -> PersistenceError? {
      let text: String
      switch failure.state {
      case "23503": text = "a link leads to an object that is not there"
      case "23505", "23P01": text = "two objects have the same values, which the model wants unique"
      default: return nil
      }
      let error = PersistenceError(
        .invalidStoredValue,
        "nothing was written to '\(session.path)': \(text); another program wrote it, so correct the "
          + "rows in the store that is copied"
      ).adding("server", failure.message)
      return failure.detail.map { error.adding("detail", $0) } ?? error
    }
  }
#endif
