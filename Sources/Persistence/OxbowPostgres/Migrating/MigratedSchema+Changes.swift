#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational

  extension MigratedSchema {
    func createStore() throws { try session.createOwnTables() }

    func createHistory() throws {
      try session.sharingNewTables { try session.create([HistoryTable.table]) }
    }

    func note(_ entry: HistoryEntry) throws {
      _ = try session.send([
        HistoryStatements(session.names).addMigration(noting: entry.noteInHistory)
      ])
    }

    // MARK: Steps

    func run(_ migration: TableMigration, progress: (StepProgress) -> Void) throws {
      try checked {
        try discardPrepared(keeping: migration.before)
        for operation in ServerChangePlan(migration).operations {
          for statement in operation.statements { try session.execute(statement) }
        }
      }
    }

    func run(
      _ script: MigrationScript, progress: (StepProgress) -> Void
    ) throws -> WrittenColumns {
      try checked {
        try ServerScriptRunner(script: script, session: session).run(progress: progress)
      }
    }

    func edit(_ body: (any RowEditing) throws -> Void) throws -> WrittenColumns {
      try checked { try ServerRowEditor.run(session, body) }
    }

    // Conditions of boxes are decided in memory.
    func makeBoxes(of tables: [TableSchema]) {}

    func run(_ fill: DerivedFill) throws {
      try checked { try ServerFill(fill, session.names)?.run(session) }
    }

    func run(_ conversion: TableConversion, progress: (StepProgress) -> Void) throws {
      throw PersistenceError.notYet(
        "a conversion of another tool's tables", "make a store, and copy the rows with a script")
    }

    /// Runs a change, and refuses it when it breaks references, or what others have made.
    private func checked<R>(_ body: () throws -> R) throws -> R {
      do {
        let result = try session.sharingNewTables(body)
        try session.forgetStatements()
        // What a script has set for the transaction ends with it.
        for statement in ServerChangePlan.settling + [session.names.search] {
          try session.execute(statement)
        }
        return result
      } catch let failure as ServerFailure { throw refusal(failure) ?? failure }
    }

    func refusal(_ failure: ServerFailure) -> PersistenceError? {
      let text: String
      switch failure.state {
      case "23503":
        text = "the step would leave references that lead nowhere, and was rolled back"
      case "23505", "23P01":
        text =
          "the step would leave values that are not unique, and was rolled back; merge or delete the "
          + "rows with a script before this step"
      // The second is for a column whose type changes below a view, a rule or a trigger.
      case "2BP01", "0A000":
        text =
          "views, triggers or references of others need what the step changes, and it was rolled "
          + "back; drop them with a script before this step, and make them again after it"
      default: return nil
      }
      let error = PersistenceError(.migrationRefused, text).adding("server", failure.message)
      return failure.detail.map { error.adding("detail", $0) } ?? error
    }
  }
#endif
