#if PostgreSQL
  internal import OxbowFoundation
  internal import OxbowModel
  internal import OxbowRelational

  /// A store that was found or made.
  struct OpenedStore {
    let identifier: UUID
    let mapping: StoreMapping

    /// What is noted of saves; `nil` without a history.
    let history: HistoryPlan?

    /// Whether the server only reads what another one writes.
    let isReplica: Bool

    /// Whether transactions are not "read committed" unless they say so.
    let beginsReads: Bool
  }

  /// What is asked of a server before anything else.
  private struct ServerKind {
    let isReplica: Bool
    let beginsReads: Bool
  }

  /// Finds a store in a schema, or makes it.
  struct StoreOpening {
    let model: CompiledModel
    let location: PostgresLocation
    let options: PostgresStoreOptions
    let session: StoreSession

    private var path: String { session.path }

    func open() throws -> OpenedStore {
      try session.requireServer()
      let answer = try session.rows(
        "SELECT pg_is_in_recovery(), "
          + "current_setting('default_transaction_isolation') <> 'read committed'", [])
      let kind = ServerKind(
        isReplica: answer.first?.first == .integer(1),
        beginsReads: answer.first?.last == .integer(1))
      // Not of one moment: a migration that is waited for would be over, and not be seen.
      var contents = try inTransaction(.begin) { try StoreMetadata.read(session) }
      if case .empty = contents {
        try requireCreating(kind.isReplica)
        contents = try created()
      }
      switch contents {
      case .store(let metadata): return try opened(metadata, kind)
      case .coreData(let tables): throw session.foreign(tables.names)
      case .foreign(let tables): throw session.foreign(tables)
      case .empty: throw session.foreign([])
      }
    }

    private func inTransaction<R>(_ begin: ServerStatement, _ body: () throws -> R) throws -> R {
      _ = try session.send([
        begin, .lockLimit(milliseconds: options.waitMilliseconds),
        ServerStatement(session.names.search, isKept: false),
      ])
      let result = try body()
      _ = try session.send([.commit])
      return result
    }

    private func requireCreating(_ isReplica: Bool) throws(PersistenceError) {
      guard options.createsStore, !options.isReadOnly, !isReplica else {
        throw PersistenceError(
          .notAStore,
          "the schema '\(session.names.schema)' of '\(path)' has no tables, and opening it read-only, on "
            + "a replica or with 'createsStore: false' does not create a store; check the name of the "
            + "schema, or open it once so that it is made")
      }
    }

    private func created() throws -> DatabaseContents {
      do { return try inTransaction(.begin) { try create() } } catch let failure as ServerFailure
        where failure.state == "42501"
      {
        let schema = quoted(session.names.schema)
        throw PersistenceError(
          .storeReadOnly,
          "the role of the connection may not make the store '\(path)'; let the owner of the database "
            + "make its schema for the role (CREATE SCHEMA \(schema) AUTHORIZATION …), or allow it to "
            + "make schemas (GRANT CREATE ON DATABASE … TO …), or open it once as another role"
        ).adding("server", failure.message)
      }
    }

    /// Makes schema and tables in one transaction; of two programs, the second finds them.
    private func create() throws -> DatabaseContents {
      _ = try session.send([LockName.tables(session.names).inTransaction])
      if case .empty = try StoreMetadata.read(session) {
        let mapping = PlainLayout.mapping(of: model, in: PostgresDialect())
        try session.createOwnTables()
        _ = try session.send(
          TableDefinitions.statements(of: mapping.tables).map {
            ServerStatement($0, isKept: false)
          })
        try StoreMetadata.setModel(
          ModelRecord(new: mapping, ModelPart(whole: model)), session)
      }
      return try StoreMetadata.read(session)
    }

    private func opened(_ metadata: StoreMetadata, _ kind: ServerKind) throws -> OpenedStore {
      let versions = [PlainLayout.version, PlainLayout.versionWithHistory]
      guard versions.contains(metadata.layoutVersion) else { throw newer(metadata) }
      let part = ModelPart(whole: model)
      try metadata.checkModel(model, part, path, option: location.shown)
      let mapping = PlainLayout.mapping(
        of: model, numbers: try metadata.numbers(model, part, path), in: PostgresDialect())
      let opening = HistoryOpening(
        session: session, mapping: mapping, identifier: metadata.identifier,
        recording: options.history)
      return OpenedStore(
        identifier: metadata.identifier, mapping: mapping,
        history: try history(opening, isWritten: !options.isReadOnly && !kind.isReplica),
        isReplica: kind.isReplica, beginsReads: kind.beginsReads)
    }

    private func history(_ opening: HistoryOpening, isWritten: Bool) throws -> HistoryPlan? {
      let found = try inTransaction(.beginReading) {
        try isWritten && !opening.isComplete() ? nil : HistoryFound(plan: opening.plan())
      }
      if let found { return found.plan }
      do { return try inTransaction(.begin) { try opening.made() } } catch {
        guard let failure = error as? ServerFailure, failure.state == "42501" else { throw error }
        throw PersistenceError(
          .storeReadOnly,
          "the role of the connection may not make the history of the store '\(path)'; let the owner of "
            + "its schema open it once with a history, which gives the history to all roles that may "
            + "save, or open it without one"
        ).adding("server", failure.message)
      }
    }

    /// What was found of a history, of which there may be none.
    private struct HistoryFound {
      let plan: HistoryPlan?
    }

    private func newer(_ metadata: StoreMetadata) -> PersistenceError {
      PersistenceError(
        .storeNewer,
        "the store '\(path)' has the layout '\(metadata.layout)' version \(metadata.layoutVersion), "
          + "and this version of Oxbow reads '\(PlainLayout.name)' version "
          + "\(PlainLayout.version) or \(PlainLayout.versionWithHistory) on a server; use a newer one"
      )
    }
  }
#endif
