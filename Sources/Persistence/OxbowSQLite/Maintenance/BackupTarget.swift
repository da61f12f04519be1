internal import OxbowModel
internal import OxbowRelational

/// Where a copy of a store goes: first into a file of its own beside the destination, which gets
/// the destination's name once it is whole.
struct BackupTarget {
  private let path: String
  private let part: String
  private let folder: ExternalFolder

  /// The permissions of the copy; `nil` for those that SQLite gives a new file.
  private let permissions: UInt32?

  /// The copy is as private as the file that it replaces, otherwise as the store, unless there are
  /// `permissions`.
  ///
  /// - Throws: ``PersistenceError`` with `storeUnreachable` for a path that may not be written,
  ///   that of the store itself among them.
  init(
    _ path: String, of store: String, _ overwriting: Bool, permissions: UInt32? = nil
  ) throws(PersistenceError) {
    self.path = path
    // The copy is written, even that of a store that may only be read.
    self.permissions =
      (permissions ?? System.permissions(path) ?? System.permissions(store)).map { $0 | 0o600 }
    folder = ExternalFolder(ofStore: path, permissions: self.permissions)
    part = "\(path).part-\(System.processID)-\(UInt32.random(in: 0 ... .max))"
    if let unfit = DatabaseRegistry.Unreachable.unfit(path) {
      throw Self.refused(path, unfit.reason)
    }
    guard let file = System.fileID(path) else { return }
    guard file != System.fileID(store) else {
      throw Self.refused(path, "it is the store itself; choose another path")
    }
    guard overwriting else {
      throw Self.refused(path, "it exists already; choose another path, or allow overwriting it")
    }
    for suffix in ["-wal", "-journal"] where (System.size(path + suffix) ?? 0) > 0 {
      throw Self.refused(
        path, "'\(path)\(suffix)' beside it belongs to a database in use; choose another path")
    }
  }

  private static func refused(_ path: String, _ reason: String) -> PersistenceError {
    PersistenceError(.storeUnreachable, "nothing was written to '\(path)': \(reason)")
  }

  /// Copies a database, checks the copy and gives it its name.
  func receive(_ database: Database, _ progress: ((StoreProgress) -> Void)?) throws {
    try database.read { try receive($0, progress) }
  }

  /// Copies what a connection reads at one moment, checks the copy and gives it its name.
  func receive(_ source: Connection, _ progress: ((StoreProgress) -> Void)?) throws {
    var files = CopiedFiles(into: folder)
    defer { files.end() }
    do {
      try fill(from: source, &files, progress)
      let failure = System.rename(part, path)
      guard failure == 0 else { throw Self.refused(path, System.message(failure)) }
      System.synchronizeFolder(of: path)
      files.removeOthers()
    } catch {
      files.undo()
      for suffix in ["", "-journal", "-wal", "-shm"] { System.remove(part + suffix) }
      guard (error as? SQLiteError)?.code.primary == .full else { throw error }
      throw PersistenceError(
        .storeFull,
        "nothing was written to '\(path)': the disk is full; free space there, or choose another "
          + "path")
    }
  }

  /// Makes the file that is filled, readable by those who can read the store.
  private func makePart() throws {
    guard let permissions else { return }
    let failure = System.writeFile(
      part, UnsafeRawBufferPointer(start: nil, count: 0), permissions: permissions,
      isSynchronized: false)
    guard failure == 0 else { throw Self.refused(path, System.message(failure)) }
  }

  private func fill(
    from source: Connection, _ files: inout CopiedFiles, _ progress: ((StoreProgress) -> Void)?
  ) throws {
    try makePart()
    let copy = try Connection(path: part, configuration: .init(role: .sole))
    defer { copy.close() }
    try source.transaction(.read) {
      // The first read fixes the moment.
      _ = try source.integer("SELECT count(*) FROM sqlite_schema")
      try source.copy(into: copy) { completed, total in
        progress?(StoreProgress(completedPages: completed, totalPages: total))
      }
      // As long as the moment is kept, so are its files.
      try files.copy(from: source)
    }
    // A copy is one file, with nothing beside it.
    try copy.execute("PRAGMA journal_mode = DELETE")
    if !files.isEmpty { try copy.run(FilesTable.removeDiscarded) }
    let findings = try copy.findings("PRAGMA quick_check(1)")
    guard findings.isEmpty else { throw PersistenceError.damaged(source.path, findings) }
  }
}

extension Connection {
  /// What one of SQLite's checks finds, in its words.
  func findings(_ check: String) throws -> [String] {
    try rows(check).compactMap { row in
      guard case .text(let text)? = row.first, text != "ok" else { return nil }
      return text
    }
  }
}

extension PersistenceError {
  /// A store that does not pass SQLite's check.
  static func damaged(_ path: String, _ findings: [String]) -> PersistenceError {
    PersistenceError(
      .storeCorrupt,
      "the store '\(path)' is damaged, and no copy of it was made: \(listed(findings)); keep the "
        + "file, and restore an older backup")
  }
}
