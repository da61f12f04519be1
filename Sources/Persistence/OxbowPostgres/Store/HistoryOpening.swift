#if PostgreSQL
  internal import OxbowFoundation
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  /// Finds the history of a store, or makes it, inside of a transaction.
  struct HistoryOpening {
    let session: StoreSession
    let mapping: StoreMapping
    let identifier: UUID

    /// What this opening wants to have noted; `off` for what the store says.
    let recording: HistoryRecording

    /// What is noted of saves; `nil` without a history.
    func plan() throws -> HistoryPlan? {
      guard let facts = try facts() else { return nil }
      return HistoryPlan(
        facts.recording(or: recording), try facts.place(identifier, session.path),
        try HistoryNames(session, mapping.model), mapping)
    }

    /// Makes what is missing, in a transaction that has read nothing yet: who makes the tables
    /// waits for those who have read the facts, who must not wait for it.
    func made() throws -> HistoryPlan? {
      _ = try session.send([LockName.tables(session.names).inTransaction])
      if try facts() == nil { try create() }
      try HistoryNames.add(
        HistoryNames.missing(session, mapping.model, ModelPart(whole: mapping.model)), session)
      if recording != .off {
        try session.writeFact(HistoryStatements.recordingFact, .text(recording.rawValue))
      }
      return try plan()
    }

    /// Whether the tables are there, if this opening wants them, and all names have numbers.
    func isComplete() throws -> Bool {
      guard let facts = try facts() else { return recording == .off }
      guard recording == .off || facts.recording == recording else { return false }
      return try HistoryNames.missing(
        session, mapping.model, ModelPart(whole: mapping.model)
      ).isEmpty
    }

    /// Makes the tables while nothing is saved: saves under way end before, and later ones see the
    /// history, which their guard asks for.
    private func create() throws {
      try session.execute(
        "LOCK TABLE \(quoted(MetadataTables.metadata.name)) IN ACCESS EXCLUSIVE MODE")
      try session.sharingNewTables {
        for statement in TableDefinitions.history { try session.execute(statement) }
      }
      try session.writeFact(HistoryTables.Fact.instance.rawValue, .text(UUID().uuidString))
      try session.writeFact(HistoryTables.Fact.from.rawValue, .integer(1))
      try session.writeFact(MetadataTables.Fact.saves.rawValue, .integer(0))
      try session.writeFact(
        MetadataTables.Fact.layoutVersion.rawValue,
        .integer(Int64(PlainLayout.versionWithHistory)))
    }

    private func facts() throws -> HistoryFacts? {
      let facts = FactStatements(session.names)
      let found = facts.values(
        try session.send([
          facts.read([
            MetadataTables.Fact.layoutVersion.rawValue, HistoryTables.Fact.instance.rawValue,
            HistoryStatements.recordingFact,
          ])
        ])[0])
      let version = found[MetadataTables.Fact.layoutVersion.rawValue]?.integerValue ?? 0
      guard version >= PlainLayout.versionWithHistory else { return nil }
      return HistoryFacts(
        instance: found[HistoryTables.Fact.instance.rawValue]?.textValue,
        recording: found[HistoryStatements.recordingFact]?.textValue
          .flatMap(HistoryRecording.init(rawValue:)))
    }
  }

  /// What the facts of a store say of its history.
  private struct HistoryFacts {
    let instance: String?

    /// What is noted by programs that do not say it.
    let recording: HistoryRecording?

    func recording(or own: HistoryRecording) -> HistoryRecording {
      own == .off ? recording ?? .keys : own
    }

    /// The place before the first save.
    func place(_ store: UUID, _ path: String) throws(PersistenceError) -> HistoryPlace {
      guard let instance = instance.flatMap(UUID.init(uuidString:)) else {
        throw .historyWithoutInstance(path)
      }
      return HistoryPlace(store: store, instance: instance, number: 0)
    }
  }
#endif
