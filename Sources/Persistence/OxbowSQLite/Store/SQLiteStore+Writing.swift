package import OxbowModel
internal import OxbowPlatform
internal import OxbowRelational
package import OxbowStore

extension SQLiteStore {
  /// A save of more objects and links has a transaction of its own, so that no
  /// other save has to wait for it.
  private static let largestSharedSave = 1000

  @discardableResult
  package func save(_ changes: ChangeSet) throws(PersistenceError) -> SaveResult {
    let mayShare = changes.count <= Self.largestSharedSave && keeper == nil
    return try save(changes, mayShare: mayShare) {}
  }

  @discardableResult
  package func save(
    _ changes: ChangeSet, beforeCommit: () throws(PersistenceError) -> Void
  ) throws(PersistenceError) -> SaveResult {
    try save(changes, mayShare: false, beforeCommit)
  }

  private func save(
    _ changes: ChangeSet, mayShare: Bool, _ beforeCommit: () throws(PersistenceError) -> Void
  ) throws(PersistenceError) -> SaveResult {
    guard !changes.isEmpty else {
      try beforeCommit()
      return SaveResult()
    }
    // It is not news for anyone, least of all for the consumer itself.
    if mayShare, changes.count == changes.acknowledgments.count {
      try acknowledge(changes.acknowledgments)
      return SaveResult()
    }
    do {
      let result = try settlingDisputes { mode in
        guard !mayShare else { return try commit(changes, mode) }
        let (result, token) = try change {
          try apply(changes, mode, &$0, $1)
        } beforeCommit: {
          try beforeCommit()
        }
        return result.with(token)
      }
      if options.history != .off { keepHistoryLimits() }
      return result
    } catch { throw PersistenceError(error, "saving to") }
  }

  /// Saves with deletes in blocks, and again row by row if others have changed some of the rows, so
  /// that the conflict has their names.
  private func settlingDisputes(
    _ save: (DeleteMode) throws -> SaveResult
  ) throws -> SaveResult {
    do { return try save(.inBlocks) } catch is DisputedBlock { return try save(.rowByRow) }
  }

  /// The saves that wait for the writer, to share its next commit.
  package var waitingSaves: Int { database.waitingCommits }

  private func apply(
    _ changes: ChangeSet, _ mode: DeleteMode, _ writer: inout ChangeWriter, _ state: StoreState
  ) throws -> SaveResult {
    writer.deleteMode = mode
    let settled = try settled(changes, &writer, state)
    writer.history?.announcement = changes.announcement
    try writer.note(settled.changes)
    if writer.searchNotes != nil { try writer.noteSearched(settled.changes) }
    let result = try writer.apply(settled)
    writer.history?.noteRest(settled.changes, writer.mapping)
    writer.history?.note(result.derived)
    if writer.connection.deferredForeignKeyViolations > 0 {
      throw try missingRows(writer.connection, state)
    }
    return result
  }

  /// What was written in a transaction that is not committed yet.
  fileprivate struct Written<R> {
    let result: R
    let mapping: StoreMapping
    /// What tells later whether it is committed.
    let mark: SaveMark
    /// The place after it in the history.
    var token: HistoryToken?
    /// How many rows it leaves behind for the search indexes.
    var waiting = 0
  }

  /// Applies a change set in a transaction that the saves of other threads may share.
  private func commit(_ changes: ChangeSet, _ mode: DeleteMode) throws -> SaveResult {
    try requireWritable()
    let last = Lock<Written<SaveResult>?>(nil)
    try using { database in
      try database.commit { connection in
        let written = try StatementRecord.planned {
          try self.write(on: connection, of: database) { writer, state in
            try self.apply(changes, mode, &writer, state)
          }
        }
        last.withLock { $0 = written }
      } isDurable: { connection in
        last.withLock { $0?.mark }.flatMap { self.bookkeeping.isDurable($0, connection) }
      }
      database.counters.addSave()
    }
    let written = last.withLock { $0 }
    catchUpInBackground(written?.waiting ?? 0)
    return written?.result.with(written?.token) ?? SaveResult()
  }

  /// Changes the store in one transaction of its own, which counts as a save.
  ///
  /// - Returns: What `body` returns, and the place after it in the history, if there is one.
  func change<R>(
    _ body: (inout ChangeWriter, StoreState) throws -> R, beforeCommit: () throws -> Void = {}
  ) throws -> (R, HistoryToken?) {
    try requireWritable()
    let written = try using { database in
      try database.write { connection in
        var written: Written<R>?
        do {
          try transaction(on: connection) {
            let changed = try StatementRecord.planned {
              try write(on: connection, of: database, body)
            }
            written = changed
            try beforeCommit()
            try keeper?.keep(connection, changed.mapping)
          }
        } catch let error as SQLiteError where error.isOutcomeUnknown {
          let isDurable = written.flatMap { bookkeeping.isDurable($0.mark, connection) }
          try error.outcome(isDurable).get()
        }
        guard let written else {
          throw PersistenceError(.commitUnknown, "a change of the store '\(path)' had no result")
        }
        database.counters.addSave()
        return written
      }
    }
    catchUpInBackground(written.waiting)
    return (written.result, written.token)
  }

  /// Runs `body`, of which the keeper's save is the last part, in a transaction.
  private func transaction<R>(on connection: Connection, _ body: () throws -> R) throws -> R {
    guard let keeper else { return try connection.transaction(.write, body) }
    try keeper.requireInStep()
    do { return try connection.transaction(.write, body) } catch {
      throw keeper.explained(error)
    }
  }

  private func requireWritable() throws {
    try keeper?.requireOutside()
    if keeper?.isReadOnly == true { throw PersistenceError.readOnly(path) }
    if view != nil { throw PersistenceError.writesThroughView(path) }
  }

  private func write<R>(
    on connection: Connection, of database: Database,
    _ body: (inout ChangeWriter, StoreState) throws -> R
  ) throws -> Written<R> {
    try requirePlace(database)
    let state = try checkSchema(connection)
    var writer = ChangeWriter(
      mapping: state.mapping, connection: connection, statements: state.texts, store: identifier,
      bookkeeping: bookkeeping)
    writer.externalThreshold = externalStorageThreshold
    if let columns = state.externalColumns {
      try connection.watch(columns, schemaVersion: state.schemaVersion)
      database.discardedFiles.arePossible = true
      writer.externals = ExternalValues(columns, threshold: externalStorageThreshold)
    }
    if options.history != .off {
      connection.wakes = database.lockFile
      writer.history = HistoryRecord(
        try requireHistoryPlan(state), of: identifier, connection)
    }
    writer.storeHasHistory = state.hasHistory
    if let plan = state.searchPlan { writer.searchNotes = SearchNotes(plan: plan) }
    let result = try body(&writer, state)
    let mark = try bookkeeping.end(writer)
    try writer.history?.write(mark.number, session: database.session, connection)
    var written = Written(result: result, mapping: state.mapping, mark: mark)
    written.waiting = writer.searchNotes?.count ?? 0
    written.token = writer.history.map { HistoryToken([$0.origin.at(mark.number ?? .max)]) }
    return written
  }

  package func reserveKeys(root: Int, count: Int) throws(PersistenceError) -> Range<Int64> {
    do {
      try requireWritable()
      return try using { database in
        try database.write { connection in
          try transaction(on: connection) {
            try requirePlace(database)
            let mapping = try checkSchema(connection).mapping
            let keys = try bookkeeping.reserve(
              Int64(max(1, count)), mapping.entities[root], mapping, connection)
            try keeper?.keep(keysBelow: keys.upperBound, of: root, connection, mapping)
            return keys
          }
        }
      }
    } catch { throw PersistenceError(error, "reserving keys in") }
  }

  // COMMIT would fail as well, but could not say which row it is.
  private func missingRows(
    _ connection: Connection, _ state: StoreState
  ) throws -> PersistenceError {
    var found: [String] = []
    for table in state.mapping.tables where !table.foreignKeys.isEmpty && found.count < 8 {
      let rows = try connection.rows(
        "SELECT rowid, parent, fkid FROM pragma_foreign_key_check(?) LIMIT 8", [.text(table.name)])
      found += rows.map { row in
        let row = (row[0] == .null ? "" : " with _id \(row[0])", row[1])
        guard case .text(let parent) = row.1 else { return "'\(table.name)'" }
        return "a row of '\(table.name)'\(row.0) refers to a missing row of '\(parent)'"
      }
    }
    return .missingRows(found)
  }
}

extension SQLiteStore.Written: Sendable where R: Sendable {}

extension SaveResult {
  /// The result with the place after the save in the history.
  fileprivate func with(_ token: HistoryToken?) -> Self {
    guard let token else { return self }
    var result = self
    result.historyToken = token
    return result
  }
}
