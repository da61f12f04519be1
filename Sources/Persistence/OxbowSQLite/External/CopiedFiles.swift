internal import OxbowModel
internal import OxbowRelational

/// The files of a backup.
///
/// They come into the folder beside it before the copy of the database gets its name, and a file
/// that is there already, from an older backup, is not copied again: a file never changes. Files of
/// the older backup alone are removed when it has been replaced.
///
/// Two backups to one place take turns from their first file on, because each removes the files
/// that only the other has.
struct CopiedFiles {
  private let folder: ExternalFolder
  private var turn: Int32?
  private var isConcerned = false
  private var names: Set<String> = []
  private var added: [String] = []

  /// Whether the store has no table of files.
  private(set) var isEmpty = true

  init(into folder: ExternalFolder) {
    self.folder = folder
  }

  /// Finds out whether there are files to copy, or files of an older backup.
  mutating func lookForFiles(of database: Connection) throws {
    isEmpty = try !database.hasFiles()
    isConcerned = !isEmpty || System.isDirectory(folder.path)
  }

  /// Waits for others that copy files to this place.
  mutating func takeTurn() throws {
    if isConcerned, turn == nil { turn = try folder.lock() }
  }

  /// Copies the files that a database refers to at the moment of its read transaction.
  ///
  /// - Throws: ``PersistenceError`` for a file that cannot be read or written.
  mutating func copy(from database: Connection) throws {
    try lookForFiles(of: database)
    // The first file may have come since.
    try takeTurn()
    guard !isEmpty, let source = database.externalFolder else { return }
    for (name, file) in try database.listedFiles() where !file.isDiscarded {
      let reference = FileReference(name: name, byteCount: file.byteCount)
      names.insert(name)
      guard folder.problem(of: reference) != nil else { continue }
      folder.remove(name)
      let bytes = try source.bytes(of: reference)
      added.append(name)
      try bytes.withUnsafeBytes { try folder.writeForGood($0, reference) }
    }
    if !added.isEmpty { try folder.synchronizeAll() }
  }

  /// Removes what was copied, when the backup was not made.
  func undo() {
    for name in added { folder.remove(name) }
    if isConcerned { folder.removeIfEmpty() }
  }

  /// Removes the files of the backup that was replaced.
  func removeOthers() {
    guard isConcerned else { return }
    for name in folder.names where !names.contains(name) { folder.remove(name) }
    for name in folder.incomingNames { folder.drop(name) }
    folder.removeIfEmpty()
  }

  /// Lets the next backup to this place have its turn.
  mutating func end() {
    if let turn { System.closeFile(turn) }
    turn = nil
  }
}
