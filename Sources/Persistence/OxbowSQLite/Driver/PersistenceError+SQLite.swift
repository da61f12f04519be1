package import OxbowModel

extension PersistenceError {
  /// Turns what the driver throws into an error that says what happened and what to do.
  ///
  /// `action` is what was being done: "opening", "reading", "saving to".
  package init(_ error: any Error, _ action: String) {
    switch error {
    case let error as PersistenceError: self = error
    case let error as SQLiteError: self = .sqlite(error, action)
    case let error as LockFile.Unavailable: self = .locked(error)
    case let error as OutOfFiles: self = PersistenceError(.tooManyFiles, error.text)
    case let error as LockFile.Unusable: self = .unusable(error)
    case let error as DatabaseRegistry.Unreachable: self = .unreachable(error)
    case let error as Database.Closed:
      self = PersistenceError(
        .storeClosed, "the store '\(error.path)' was closed; open it again")
    case let error as Database.WriteRefused:
      self = .readOnly(error.path)
    case let error as Database.FileReplaced:
      self = .replaced(error)
    case let error as Database.RecoveryRefused:
      self = .recoveryNeeded(error.path)
    case let error as Database.ReadingRefused:
      self = PersistenceError(
        .storeUnreachable,
        "the store '\(error.path)' cannot be read safely: it keeps a write-ahead log, whose files "
          + "this user cannot make in the store's folder, and others may be writing the store; "
          + "give this user permission to write the folder, let a program that has it keep the "
          + "store open, or read a copy")
    case let error as ReaderPool.Exhausted:
      self = PersistenceError(
        .storeLocked,
        "all \(error.limit) readers of the store '\(error.path)' were busy for "
          + "\(error.milliseconds) ms; raise 'maximumReaders' or fetch less at once")
    case let error as ExternalFileError: self = PersistenceError(error)
    default:
      self = PersistenceError(.statementFailed, "\(action) failed: \(error)")
    }
  }

  private static func unusable(_ error: LockFile.Unusable) -> PersistenceError {
    if let folderless = DatabaseRegistry.Unreachable.folderless(error.storePath) {
      return unreachable(folderless)
    }
    return PersistenceError(
      .storeUnreachable,
      "the lock file '\(error.path)' cannot be opened: \(error.reason); the folder of a store "
        + "must be writable, or the store be opened read-only")
  }

  private static func unreachable(_ error: DatabaseRegistry.Unreachable) -> PersistenceError {
    guard !error.path.isEmpty else {
      return PersistenceError(
        .storeUnreachable, "the path of the store is empty; write the path of a file")
    }
    return uri(error.path)
      ?? PersistenceError(
        .storeUnreachable, "the store '\(error.path)' cannot be opened: \(error.reason)")
  }

  /// A path that is a URI, of which the beginning is shown: the rest may have a password.
  private static func uri(_ path: String) -> PersistenceError? {
    guard let end = path.firstRange(of: "://"),
      path[..<end.lowerBound].allSatisfy({ $0.isLetter || $0.isNumber })
    else { return nil }
    let scheme = path[..<end.lowerBound]
    return PersistenceError(
      .storeUnreachable,
      scheme.hasPrefix("postgres")
        ? "'\(scheme)://…' is on a server, and a store in a file was asked for; open it with "
          + "'PostgresLocation', which needs the trait 'PostgreSQL' and the product 'OxbowPostgres'"
        : "'\(scheme)://…' is a URI, and a store in a file has a path; write the path alone")
  }

  static func readOnly(_ path: String) -> PersistenceError {
    PersistenceError(
      .storeReadOnly,
      "the store '\(path)' cannot be changed: it was opened read-only, or the file's permissions "
        + "or its medium forbid it; nothing was saved")
  }

  private static func replaced(_ error: Database.FileReplaced) -> PersistenceError {
    PersistenceError(
      .storeUnreachable,
      "the file of the store '\(error.path)' was "
        + (error.isRemoved ? "removed " : "replaced by another ")
        + "while the store was open; nothing was saved: close the store, "
        + (error.isRemoved ? "put the file back" : "see that the file is the right one")
        + " and open it again")
  }

  private static func recoveryNeeded(_ path: String) -> PersistenceError {
    PersistenceError(
      .storeUnreachable,
      "the store '\(path)' cannot be read: a program ended while it was changing it, and what it "
        + "left in '-journal' or '-wal' beside the store has to be worked in first, which this "
        + "user may not do; open the store once with permission to write it and its folder")
  }

  private static func locked(_ error: LockFile.Unavailable) -> PersistenceError {
    let holders = error.holders.map(\.description).joined(separator: ", ")
    return PersistenceError(
      .storeLocked,
      "could not \(error.purpose) within \(error.milliseconds) ms: "
        + (holders.isEmpty ? "another process" : holders) + " holds '\(error.path)'; try again, or "
        + "end that process")
  }

  private static func sqlite(_ error: SQLiteError, _ action: String) -> PersistenceError {
    let (code, text) = explain(error, action)
    var result = PersistenceError(code, text)
    result.details.append(Detail(label: "SQLite", text: "\(error.code): \(error.message)"))
    // A file that is not a database fails at the first statement, whichever that is.
    if let sql = error.sql, code != .notAStore {
      result.details.append(Detail(label: "statement", text: sql))
    }
    return result
  }

  private static func explain(_ error: SQLiteError, _ action: String) -> (Code, String) {
    let path = error.path
    if error.isOfTheSystem, let files = OutOfFiles(path, error.systemError) {
      return (.tooManyFiles, files.text)
    }
    if error.code == .readOnlyRollback {
      return (.storeUnreachable, recoveryNeeded(path).message)
    }
    if error.isDiskFull, !error.isOutcomeUnknown { return (.storeFull, full(path)) }
    if error.isOutcomeUnknown {
      return (
        .commitUnknown,
        "the system failed while a save to '\(path)' was being committed: it may be in the store "
          + "or not; check the disk, open the store again and look before you repeat the save"
      )
    }
    switch error.code.primary {
    case .notADatabase:
      return (
        .notAStore,
        "'\(path)' is not an SQLite database: it has other contents, or is encrypted; check the path"
      )
    case .busy, .locked:
      return (
        .storeLocked,
        "the store '\(path)' is locked by another connection or program; nothing was changed: try "
          + "again, or close the program that has it open"
      )
    case .readOnly: return (.storeReadOnly, readOnly(path).message)
    case .corrupt:
      if let definition = UnreadableDefinition(error.message) {
        return (.storeUnreachable, definition.text(path))
      }
      return (
        .storeCorrupt,
        "the database '\(path)' is damaged; stop writing to it, keep a copy of all its files, and "
          + "restore a backup or try the '.recover' command of the sqlite3 shell on the copy"
      )
    case .cannotOpen:
      return (
        .storeUnreachable,
        "the store '\(path)' cannot be opened: check that it exists, that its folder does, and "
          + "that this user may read and write both"
      )
    case .inputOutput:
      return (
        .ioFailure,
        "reading or writing the file of the store '\(path)' failed; nothing was changed: check the "
          + "disk and the file system"
      )
    case .error where isTooDeep(error.message):
      return (
        .invalidPredicate,
        "the condition is nested too deeply for SQLite: its parser has room for about a hundred "
          + "parentheses and operators that are open at once; write it flatter, many alternatives "
          + "as one list of 'or' or as 'oneOf'"
      )
    case .error where error.message == "integer overflow":
      return (.invalidPredicate, PersistenceError.integerOverflow.message)
    case .constraint where error.code == .constraintFunction:
      return (.invalidPredicate, error.message)
    default:
      return (.statementFailed, "\(action) the store '\(path)' failed")
    }
  }

  private static func full(_ path: String) -> String {
    "the disk of the store '\(path)' is full, or the store has reached its size limit; nothing was "
      + "saved: free space, or raise 'maximumBytes', and save again"
  }

  /// What SQLite says when a statement is nested too deeply, which only conditions are.
  private static func isTooDeep(_ message: String) -> Bool {
    message == "parser stack overflow" || message.hasPrefix("Expression tree is too large")
  }
}
