internal import OxbowModel
internal import OxbowRelational

/// Where a copy of a store goes: first into a file of its own beside the destination, which gets
/// the destination's name once it is whole.
struct BackupTarget {
  private let file: PartFile
  private let folder: ExternalFolder
  private let permissions: UInt32
  private let overwriting: Bool
  /// Keeps the store that is overwritten from being opened meanwhile.
  private let former: LockFile?

  private static let taken =
    "it exists already; choose another path, or allow overwriting it ('overwriting: true', or "
    + "--overwrite)"

  /// The copy is as private as the file that it replaces, otherwise as the store, unless there are
  /// `permissions`.
  ///
  /// - Throws: ``PersistenceError`` with `storeUnreachable` for a path that may not be written,
  ///   that of the store itself among them.
  init(
    _ path: String, of store: String, _ overwriting: Bool, permissions: UInt32? = nil
  ) throws(PersistenceError) {
    self.overwriting = overwriting
    // The copy is written, even that of a store that may only be read.
    let permissions =
      (permissions ?? System.permissions(path) ?? System.permissions(store)).map { $0 | 0o600 }
    self.permissions = permissions ?? 0o600
    folder = ExternalFolder(ofStore: path, permissions: permissions)
    file = try PartFile(path, permissions: permissions)
    let id = System.fileID(path)
    guard id == nil || id != System.fileID(store) else {
      throw file.refused("it is the store itself; choose another path")
    }
    guard id == nil || overwriting else { throw file.refused(Self.taken) }
    former = id == nil ? nil : try Self.former(path)
    try Self.refuseLog(beside: file)
  }

  /// Refuses a log or a journal beside the place, even one that was left without its database:
  /// SQLite would work it into the copy.
  private static func refuseLog(beside file: PartFile) throws(PersistenceError) {
    let path = file.path
    for suffix in ["-wal", "-journal"] where (System.size(path + suffix) ?? 0) > 0 {
      let database = System.fileID(path) == nil ? "that is gone" : "in use"
      throw file.refused(
        "'\(path)\(suffix)' beside it belongs to a database \(database); choose another path")
    }
  }

  /// Gives the copy its name, unless an older one was opened while it was made.
  private func settle() throws(PersistenceError) {
    let opened = try overwriting && former == nil ? Self.former(file.path) : nil
    defer { withExtendedLifetime(opened) {} }
    try Self.refuseLog(beside: file)
    try file.settle(overwriting ? nil : Self.taken)
  }

  /// Takes the lock of a store that is there, which no program may have open.
  private static func former(_ path: String) throws(PersistenceError) -> LockFile? {
    let store = System.realPath(path)
    do {
      try DatabaseRegistry.refuseLent(store, "overwritten")
      guard System.fileID(store + "-lock") != nil else { return nil }
      return try LockFile.current(besideStore: store, usage: .alone, milliseconds: 0)
    } catch let error as LockFile.Unavailable {
      let holders = error.holders.map(\.description).joined(separator: ", ")
      throw PersistenceError(
        .storeLocked,
        "nothing was written to '\(path)': it is a store that is open"
          + (holders.isEmpty ? "" : " in \(holders)") + "; close it, or choose another path")
    } catch { throw PersistenceError(error, "overwriting") }
  }

  /// Copies a database, checks the copy and gives it its name.
  func receive(_ database: Database, _ progress: ((StoreProgress) -> Void)?) throws {
    try receive(progress) { try database.read($0) }
  }

  /// Copies what a connection reads at one moment, checks the copy and gives it its name.
  func receive(_ source: Connection, _ progress: ((StoreProgress) -> Void)?) throws {
    try receive(progress) { try $0(source) }
  }

  /// Copies what `lend` lends, from nothing each time that it does.
  func receive(
    _ progress: ((StoreProgress) -> Void)?,
    from lend: ((Connection) throws -> Void) throws -> Void
  ) throws {
    var files = CopiedFiles(into: folder)
    var values = CopiedValues(beside: file.path, permissions: permissions)
    let former = overwriting ? Self.values(of: file.path) : []
    defer { files.end() }
    try file.receive(
      undoing: {
        files.undo()
        values.undo()
      }
    ) {
      // Others that copy to this place are waited for while nothing of the store is held.
      try lend { try files.lookForFiles(of: $0) }
      try files.takeTurn()
      var missing: Set<String> = []
      repeat {
        missing = values.missing
        try lend { source in
          file.discard()
          try fill(from: source, &files, &values, progress)
        }
        // What a save has replaced meanwhile is not asked for at the next moment.
      } while values.missing != missing
      try settle()
      files.removeOthers()
      values.remove(former)
    }
  }

  /// The names of the files that a backup of a store of Core Data refers to.
  private static func values(of path: String) -> Set<String> {
    (try? SQLiteStoreFile.valuesOfCoreData(path)) ?? []
  }

  private func fill(
    from source: Connection, _ files: inout CopiedFiles, _ values: inout CopiedValues,
    _ progress: ((StoreProgress) -> Void)?
  ) throws {
    try file.make()
    let copy = try Connection(path: file.part, configuration: .init(role: .sole))
    defer { copy.close() }
    let isOfCoreData = try source.transaction(.read) {
      // The first read fixes the moment.
      _ = try source.integer("SELECT count(*) FROM sqlite_schema")
      try source.copy(into: copy) { completed, total in
        progress?(StoreProgress(completedPages: completed, totalPages: total))
      }
      // As long as the moment is kept, so are its files.
      try files.copy(from: source)
      let isOfCoreData = try source.isOfCoreData
      if isOfCoreData { try values.copy(from: source) }
      return isOfCoreData
    }
    // A copy is one file, with nothing beside it.
    try copy.execute("PRAGMA journal_mode = DELETE")
    if !files.isEmpty { try copy.run(FilesTable.removeDiscarded) }
    let findings = try copy.findings("PRAGMA quick_check(1)")
    guard findings.isEmpty else { throw PersistenceError.damaged(source.path, findings) }
    // An app's store stays in the mode that it has.
    if isOfCoreData, try source.journalModeOfHeader() == "wal" {
      try copy.execute(CoreDataTables.log)
    }
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
