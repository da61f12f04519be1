#if PostgreSQL
  internal import OxbowFoundation
  internal import OxbowModel
  internal import OxbowRelational

  /// A store that was found or made.
  struct OpenedStore {
    let identifier: UUID
    let mapping: StoreMapping

    /// Whether the server only reads what another one writes.
    let isReplica: Bool
  }

  /// Finds a store in a schema, or makes it.
  struct StoreOpening {
    let model: CompiledModel
    let names: ServerNames
    let place: String
    let options: PostgresStoreOptions
    let connection: ServerConnection

    private static let oldestVersion = 140_000

    func open() throws -> OpenedStore {
      try requireServer()
      let isReplica = try connection.run("SELECT pg_is_in_recovery()").cell(0, 0)?.first == 1
      var tables = try tableNames()
      if tables.isEmpty {
        try requireCreating(isReplica)
        try create()
        tables = try tableNames()
      }
      guard tables.contains(MetadataTables.metadata.name) else { throw foreign(tables) }
      return try read(isReplica)
    }

    private func requireServer() throws(PersistenceError) {
      let version = connection.serverVersion
      guard version >= Self.oldestVersion else {
        throw PersistenceError(
          .unsupported,
          "the server of the store '\(place)' is PostgreSQL \(version / 10_000), and Oxbow needs 14 or "
            + "later; use a newer server")
      }
      guard let encoding = connection.setting("server_encoding"), encoding != "UTF8" else { return }
      throw PersistenceError(
        .notAStore,
        "the database of the store '\(place)' keeps texts in \(encoding), and Oxbow compares them by "
          + "their bytes in UTF-8; make a database with ENCODING 'UTF8'")
    }

    private func tableNames() throws -> [String] {
      let result = try connection.run(
        "SELECT c.relname::text FROM pg_catalog.pg_class AS c "
          + "JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
          + "WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY 1",
        [.text(names.schema)])
      return (0..<result.count).compactMap { result.text($0, 0) }
    }

    private func requireCreating(_ isReplica: Bool) throws(PersistenceError) {
      guard options.createsStore, !options.isReadOnly, !isReplica else {
        throw PersistenceError(
          .notAStore,
          "the schema '\(names.schema)' of '\(place)' has no tables, and opening it does not create a "
            + "store")
      }
    }

    private func foreign(_ tables: [String]) -> PersistenceError {
      PersistenceError(
        .notAStore,
        "the schema '\(names.schema)' of '\(place)' belongs to something else: it has "
          + "\(PersistenceError.listed(tables)) and no '\(MetadataTables.metadata.name)'; give the "
          + "location another schema")
    }
  }

  // MARK: - Making

  extension StoreOpening {
    /// Makes schema and tables in one transaction; of two programs, the second finds them.
    private func create() throws {
      let mapping = PlainLayout.mapping(of: model, in: PostgresDialect())
      let lock = Parameter.text("oxbow " + names.schema)
      _ = try connection.run([
        .begin,
        ServerStatement(
          "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [lock], isKept: false),
      ])
      guard try tableNames().isEmpty else {
        _ = try connection.run([.rollback])
        return
      }
      let schema = ServerStatement(
        "CREATE SCHEMA IF NOT EXISTS \(quoted(names.schema))", isKept: false)
      let tables = TableDefinitions(mapping, names).statements.map {
        ServerStatement($0, isKept: false)
      }
      // Making a schema that is there needs a right on the database all the same.
      let isThere = try connection.run(
        "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1", [.text(names.schema)])
      _ = try connection.run(
        (isThere.count > 0 ? [] : [schema]) + tables + facts(mapping) + entities(mapping)
          + [.commit])
    }

    private func facts(_ mapping: StoreMapping) -> [ServerStatement] {
      var facts: [(MetadataTables.Fact, SQLValue)] = [
        (.identifier, .text(UUID().uuidString)), (.layout, .text(PlainLayout.name)),
        (.layoutVersion, .integer(Int64(PlainLayout.version))),
        (.modelHash, .text(model.versionHash)),
      ]
      if let document = try? ModelWriter.text(model.source) {
        facts.append((.model, .text(document)))
      }
      return facts.map { FactStatements(names).write($0.rawValue, $1) }
    }

    private func entities(_ mapping: StoreMapping) -> [ServerStatement] {
      model.entities.flatMap { entity in
        let number = Parameter.integer(mapping.entities[entity.index].number)
        let record = ServerStatement(
          "INSERT INTO \(names.entities) VALUES ($1, $2, $3)",
          [number, .text(entity.name), .text(entity.description.versionHash)])
        let keys = ServerStatement("INSERT INTO \(names.keys) VALUES ($1, 0)", [number])
        return entity.root == entity.index ? [record, keys] : [record]
      }
    }
  }

  // MARK: - Reading

  extension StoreOpening {
    private func read(_ isReplica: Bool) throws -> OpenedStore {
      let statements = FactStatements(names)
      let results = try connection.run([
        statements.readAll,
        ServerStatement("SELECT \"name\", \"number\" FROM \(names.entities)", isKept: false),
      ])
      let facts = statements.values(results[0])
      func text(_ fact: MetadataTables.Fact) throws(PersistenceError) -> String {
        guard case .text(let text)? = facts[fact.rawValue] else { throw missing(fact) }
        return text
      }
      guard let identifier = UUID(uuidString: try text(.identifier)) else {
        throw missing(.identifier)
      }
      try checkLayout(try text(.layout), facts[MetadataTables.Fact.layoutVersion.rawValue])
      try checkModel(try text(.modelHash))
      let mapping = PlainLayout.mapping(
        of: model, numbers: try numbers(results[1]), in: PostgresDialect())
      return OpenedStore(identifier: identifier, mapping: mapping, isReplica: isReplica)
    }

    private func missing(_ fact: MetadataTables.Fact) -> PersistenceError {
      PersistenceError(
        .notAStore,
        "'\(place)' has the tables of an Oxbow store, but '\(MetadataTables.metadata.name)' has no "
          + "usable '\(fact.rawValue)', which every store has; restore a backup")
    }

    private func checkLayout(_ name: String, _ version: SQLValue?) throws(PersistenceError) {
      guard name != PlainLayout.name || version != .integer(Int64(PlainLayout.version)) else {
        return
      }
      throw PersistenceError(
        .storeNewer,
        "the store '\(place)' has the layout '\(name)' version \(version?.description ?? "none"), and "
          + "this version of Oxbow reads '\(PlainLayout.name)' version \(PlainLayout.version) on a "
          + "server; use a newer one")
    }

    private func checkModel(_ hash: String) throws(PersistenceError) {
      guard hash != model.versionHash else { return }
      throw PersistenceError(
        .modelMismatch,
        "the store '\(place)' was written for another model: it has \(hash.prefix(12)), the model is "
          + "\(model.versionHash.prefix(12)); stores on a server are not migrated yet: open it with the "
          + "model that it was written for, or give the location another schema")
    }

    private func numbers(_ result: ServerResult) throws(PersistenceError) -> [Int64] {
      var known: [String: Int64] = [:]
      for row in 0..<result.count {
        if let name = result.text(row, 0) { known[name] = result.integer(row, 1) }
      }
      var numbers: [Int64] = []
      for entity in model.entities {
        guard let number = known[entity.name] else {
          throw PersistenceError(
            .notAStore,
            "the store '\(place)' has no number for the entity '\(entity.name)' in "
              + "'\(MetadataTables.entities.name)'; restore a backup")
        }
        numbers.append(number)
      }
      return numbers
    }
  }
#endif
