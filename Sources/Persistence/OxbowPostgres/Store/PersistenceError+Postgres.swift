#if PostgreSQL
  internal import OxbowModel

  extension PersistenceError {
    /// Turns what the driver throws into an error that says what happened and what to do.
    ///
    /// `action` is what was being done: "opening", "reading", "saving to"; `place` names the store.
    init(_ error: any Error, _ action: String, _ place: String) {
      switch error {
      case let error as PersistenceError: self = error
      case let error as ServerFailure: self = .server(error, action, place)
      case ConnectionPool.Refusal.closed:
        self = PersistenceError(
          .storeClosed, "the store '\(place)' was closed; open it again")
      case ConnectionPool.Refusal.exhausted:
        self = PersistenceError(
          .storeLocked,
          "all connections to the store '\(place)' were busy; raise 'connections', or do less at once"
        )
      case ConnectionPool.Refusal.unreachable(let failure): self = .unreachable(failure, place)
      default: self = PersistenceError(.statementFailed, "\(action) '\(place)' failed: \(error)")
      }
    }

    /// A server that was not reached, or that refuses a connection; libpq's own words are English.
    static func unreachable(_ failure: ServerFailure, _ place: String) -> PersistenceError {
      let (code, advice) = advice(failure)
      return PersistenceError(
        code, "the server of the store '\(place)' cannot be used: \(advice)"
      ).adding("server", failure.message)
    }

    private static func advice(_ failure: ServerFailure) -> (Code, String) {
      func says(_ words: String...) -> Bool { words.contains { failure.message.contains($0) } }
      if failure.isOfFullServer {
        return (
          .storeLocked,
          "it takes no further connection now; try again, or let each program open fewer"
        )
      }
      if failure.state == "57P03" {
        return (.storeLocked, "it is starting or stopping; try again in a moment")
      }
      if says("session is read-only", "session is not read-only", "hot standby", "in recovery") {
        return (
          .storeUnreachable,
          "none of its hosts is of the kind that 'target_session_attrs' of the location asks for; "
            + "while another server takes over, try again, otherwise check the hosts"
        )
      }
      if says("pg_hba.conf") {
        return (
          .storeUnreachable,
          "it does not accept this user for this database from here, or not this kind of connection; "
            + "add an entry to its 'pg_hba.conf', or change the location"
        )
      }
      if says("SSL", "certificate") {
        return (
          .storeUnreachable,
          "it and the location do not agree about TLS; check 'sslmode' and 'sslrootcert' of the "
            + "location, that the certificate is for the host's name, and that the server has TLS"
        )
      }
      return (
        .storeUnreachable,
        "see what the server says; check that it runs, and the host, port, database, user and "
          + "password of the location"
      )
    }

    private static func server(
      _ failure: ServerFailure, _ action: String, _ place: String
    ) -> PersistenceError {
      if failure.isCancelled { return .cancelled }
      let (code, text) = meaning(of: failure, action)
      var error = PersistenceError(code, "\(action) the store '\(place)' failed: \(text)")
      let state = failure.state.map { "\($0): " } ?? ""
      error = error.adding("server", state + failure.message)
      if let detail = failure.detail, code == .notAStore { error = error.adding("detail", detail) }
      if let statement = failure.statement, code == .statementFailed {
        error = error.adding("SQL", statement)
      }
      return error
    }

    private static func meaning(
      of failure: ServerFailure, _ action: String
    ) -> (Code, String) {
      if failure.endsConnection { return lost(failure) }
      if let mark = failure.guardMark { return meaning(of: mark) }
      switch failure.state {
      case "40001", "40P01", "55P03":
        return (
          .storeLocked,
          "others hold what is needed; nothing was changed: try again"
        )
      case ServerFailure.ofLongStatement:
        return (
          .storeLocked,
          "the server has ended a statement that took too long, or that was cancelled there; try again, "
            + "or raise 'statement_timeout' of the role, or 'answerMilliseconds' of the store's options"
        )
      case "53100": return (.storeFull, "the disk of the server is full; make room there")
      case "53200", "53300", "53400":
        return (.storeLocked, "the server has too little memory or too few places; try again later")
      case "25006":
        return (
          .storeReadOnly,
          "the server is a replica, or the role may only read; connect to the primary server "
            + "('target_session_attrs=read-write')"
        )
      default: return rarely(failure, action)
      }
    }

    /// What a guard has found, where no object explains it.
    private static func meaning(of mark: GuardMark) -> (Code, String) {
      switch mark {
      case .swallowed:
        (
          .statementFailed,
          "a trigger or rule has kept rows out; nothing was saved: another program made it, and it "
            + "must not do that"
        )
      case .conflict, .fenced, .migrated, .acknowledged:
        (
          .storeLocked,
          "rows were changed by others at each attempt, or a trigger or policy keeps them from being "
            + "changed; nothing was saved: try again, and look at what other programs have made in "
            + "the schema"
        )
      }
    }

    private static func lost(_ failure: ServerFailure) -> (Code, String) {
      (
        .storeUnreachable,
        failure.state == "25P03"
          ? "the server has ended a transaction that was idle for too long; read again"
          : "the connection to the server was lost; try again, and see whether the server runs"
      )
    }

    private static func rarely(_ failure: ServerFailure, _ action: String) -> (Code, String) {
      switch failure.state {
      case "42501" where failure.source == "rls.c":
        return (
          .storeReadOnly,
          "policies of a table hide rows from the role, and this needs all of them; connect as the owner "
            + "of the table if it has not FORCE ROW LEVEL SECURITY, or as a role with BYPASSRLS"
        )
      case "42501" where failure.source == "execMain.c":
        return (
          .storeReadOnly,
          "a policy of a table does not let the role write such a row, and nothing was saved; see its "
            + "policies in 'pg_policies', or connect as another role"
        )
      case "42501":
        return (
          .storeReadOnly,
          "the role of the connection may not do this; let the owner grant it USAGE of the schema and of "
            + "its sequences, and SELECT, INSERT, UPDATE and DELETE on its tables, or connect as "
            + "another role"
        )
      case "42P01", "42703", "3F000", "42804", "42883":
        return (
          .notAStore,
          "the schema lacks what the model needs: another program changed its tables; restore a "
            + "backup"
        )
      case "26000", "42P05":
        return (
          .statementFailed,
          "the server does not know a statement that was prepared: a pooler gives each transaction "
            + "another connection; open the store with 'preparesStatements: false'"
        )
      case "22003":
        return (.invalidPredicate, "a number does not fit into its type; use smaller ones")
      case "22021":
        return (.validation, "a text is not in UTF-8; write it anew")
      case "54000" where !failure.isOfIndexEntry:
        return (
          .validation,
          "an object has more values, or longer ones, than a row of the server takes; keep some of them "
            + "in objects of another entity"
        )
      case "54000":
        return (
          .validation,
          "a value of an index has more than about 2,700 bytes, which an index of the server does not "
            + "take; shorten it, or take its attribute out of fetch indexes and unique constraints"
        )
      default:
        return (.statementFailed, "the server has refused a statement; see what it says")
      }
    }

    /// Whether the server has ended a statement because it took too long.
    var isOfLongStatement: Bool {
      details.contains { $0.label == "server" && $0.text.hasPrefix(ServerFailure.ofLongStatement) }
    }

    /// A question or a change that stores on a server do not know yet.
    static func notYet(_ what: String, _ instead: String) -> PersistenceError {
      PersistenceError(
        .unsupported, "a store on a PostgreSQL server does not have \(what) yet; \(instead)")
    }
  }
#endif
