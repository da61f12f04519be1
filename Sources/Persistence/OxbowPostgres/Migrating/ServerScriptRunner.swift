#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational

  /// Runs a script's statements inside a transaction that it cannot end, each with a look at what
  /// it has changed.
  struct ServerScriptRunner {
    let script: MigrationScript
    let session: StoreSession

    /// Runs the statements; returns what they wrote.
    func run(progress: (StepProgress) -> Void) throws -> WrittenColumns {
      let scanned = ServerScript(script.text)
      do {
        let before = try session.counters()
        var last = before
        for statement in scanned.statements {
          last = try run(statement, scanned, last)
          progress(.bytes(statement.range.upperBound, of: scanned.bytes.count))
        }
        return last.written(since: before)
      } catch let failure as ScriptFailure { throw failure.error(in: script.file) }
    }

    private func run(
      _ statement: ServerScript.Statement, _ scanned: ServerScript, _ before: TableCounters
    ) throws -> TableCounters {
      let start = statement.range.lowerBound
      if let refusal = ServerScriptRules.refusal(statement.words) {
        throw failure(refusal, isRefused: true, scanned, start)
      }
      let results: [ServerResult]
      do {
        results = try session.send([
          ServerStatement(scanned.text(of: statement), isKept: false, readsTexts: true),
          TableCounters.question(session.names),
        ])
      } catch { throw self.error(error, scanned, start) }
      let counters = TableCounters(results[1])
      if let table = counters.ownChange(since: before) {
        throw failure(
          ServerScriptRules.refusal(writing: table), isRefused: true, scanned, start)
      }
      return counters
    }

    /// The words for what the server refuses; the rest is not the statement's fault.
    private func error(
      _ error: ServerFailure, _ scanned: ServerScript, _ start: Int
    ) -> any Error {
      guard error.isOfStatement else { return error }
      let text = String(decoding: scanned.bytes[start...], as: UTF8.self).unicodeScalars
      let before = text.prefix(max(0, (error.position ?? 1) - 1))
      let offset = before.reduce(0) { $0 + UTF8.width($1) }
      let detail = error.detail.map { "; \($0)" } ?? ""
      // What a script for files often is for a server: a syntax error, an unknown function.
      let isForeign = ["42601", "42883"].contains(error.state)
      return failure(
        "\(error.message)\(detail) (\(error.state ?? ""))"
          + (isForeign ? "; a script for a server is in PostgreSQL's SQL, not in SQLite's" : ""),
        isUnderstood: error.state?.hasPrefix("42") != true, scanned, start + offset)
    }

    private func failure(
      _ reason: String, isRefused: Bool = false, isUnderstood: Bool = true,
      _ scanned: ServerScript, _ offset: Int
    ) -> ScriptFailure {
      let place = scanned.place(offset)
      return ScriptFailure(
        reason: reason, isRefused: isRefused, isUnderstood: isUnderstood,
        line: script.firstLine + place.line, column: place.column)
    }
  }

  extension StoreSession {
    func counters() throws -> TableCounters {
      let results = try send([
        ServerStatement("SHOW track_counts", isKept: false, readsTexts: true),
        TableCounters.question(names),
      ])
      guard results[0].rows == [[.text("on")]] else {
        throw PersistenceError(
          .migrationRefused,
          "the server of the store '\(path)' does not count the rows that a transaction writes, so it "
            + "cannot be seen what a step writes; switch 'track_counts' on for the role")
      }
      return TableCounters(results[1])
    }
  }

  extension ServerFailure {
    /// Whether it is about the statement, and not about the connection, locks or the machine.
    var isOfStatement: Bool {
      guard !endsConnection, !isOfLocks, !isCancelled, let state else { return false }
      return [
        "21", "22", "23", "25", "2B", "2D", "2F", "38", "3B", "42", "44", "55", "P0", "XX", "0A",
      ]
      .contains { state.hasPrefix($0) } && state != "25006" && state != "42501"
    }
  }
#endif
