internal import OxbowModel
internal import OxbowRelational

// The files of transactions. `newFiles` has their names until each was settled, at the end of the
// writer's turn: a turn may have several transactions.

extension Connection {
  /// The folder of large values, whether it is there or not; `nil` in memory.
  var externalFolder: ExternalFolder? {
    path == ":memory:" ? nil : ExternalFolder(ofStore: path)
  }

  /// Whether values of the store may be in files.
  func hasFiles() throws -> Bool {
    guard externalFolder != nil else { return false }
    return try integer(FilesTable.exists) == 1
  }

  /// How many files there are beside the store, and their bytes.
  func fileTotals() throws -> (count: Int, bytes: Int) {
    guard try hasFiles(), let row = try rows(FilesTable.total).first,
      case .integer(let count) = row[0], case .integer(let bytes) = row[1]
    else { return (0, 0) }
    return (Int(count), Int(bytes))
  }

  private var synchronizesFiles: Bool { synchronous != .off }

  /// Writes a value into a file that is there if, and only if, the transaction commits.
  ///
  /// - Returns: What the cell has.
  /// - Throws: ``ExternalFileError``, or what SQLite reports.
  func writeFile(_ bytes: UnsafeRawBufferPointer) throws -> FileReference {
    let reference = try writeUnlistedFile(bytes)
    try list(reference)
    return reference
  }

  /// Writes a value into a file that is to be listed (``list(_:)``) before the transaction commits.
  func writeUnlistedFile(_ bytes: UnsafeRawBufferPointer) throws -> FileReference {
    guard let folder = externalFolder else {
      throw PersistenceError(.unsupported, "a store in memory has no files")
    }
    let reference = try folder.write(bytes, isSynchronized: synchronizesFiles)
    newFiles.append(reference.name)
    return reference
  }

  /// Gives the table of files a row for a file.
  func list(_ reference: FileReference) throws {
    try run(FilesTable.add, [.text(reference.name), .integer(Int64(reference.byteCount))])
  }

  /// Makes the names of new files durable, before their transaction commits.
  func synchronizeFiles() throws {
    guard !newFiles.isEmpty, synchronizesFiles else { return }
    try externalFolder?.synchronize()
  }

  /// Leaves the files of a commit that may be durable or not until another one has succeeded.
  ///
  /// A file too many of a store of Core Data is swept later; one that the log still knows would be
  /// missed when the log is read after a crash. Of former values, their own cells decide.
  func leaveFiles() {
    newFiles = []
    coreDataFiles.removeAll { !$0.isFormer }
    hasDoubtfulFiles = true
  }

  /// Keeps the files of what was committed, and removes those of what was rolled back; after
  /// transactions, before anyone else writes.
  ///
  /// When the store cannot be asked, they stay until the next turn or the next opening; in a scope,
  /// until its end.
  func settleFiles() {
    guard scope == nil else { return }
    // What cannot be asked now is left for a sweep.
    try? settleCoreDataFiles()
    do {
      try settleNewFiles()
      if hasDoubtfulFiles { try settleAbandonedFiles() }
      hasDoubtfulFiles = false
    } catch {
      hasDoubtfulFiles = true
    }
  }

  private func settleNewFiles() throws {
    guard !newFiles.isEmpty, let folder = externalFolder else { return }
    let names = newFiles
    newFiles = []
    for name in names { try isListed(name) ? folder.keep(name) : folder.drop(name) }
  }

  fileprivate func isListed(_ name: String) throws -> Bool {
    try integer(FilesTable.isListed, [.text(name)]) == 1
  }
}

// MARK: - What was left

extension Connection {
  /// Settles the files of transactions that were not settled: their program has ended, or their
  /// commit reported an I/O error.
  ///
  /// A commit that failed may still be in the write-ahead log, whole but beyond its end, and would
  /// be read after a crash. A commit of our own takes its place, so files are removed after it.
  func settleAbandonedFiles() throws {
    guard let folder = externalFolder, !folder.incomingNames.isEmpty else { return }
    var lost: [String] = []
    var kept: [String] = []
    try transaction(.write) {
      // No save is between writing a file and committing now.
      for name in folder.incomingNames {
        if try isListed(name) { kept.append(name) } else { lost.append(name) }
      }
      if !lost.isEmpty { try continueHistory(with: countSave(hasHistory: hasHistory())) }
    }
    for name in kept { folder.keep(name) }
    for name in lost { folder.drop(name) }
  }
}

extension Database {
  /// Settles and removes what programs before have left, as far as no other program is in the way.
  func tidyFiles() {
    discardedFiles.arePossible = true
    guard let isUntidy = try? read({ try $0.hasUntidyFiles() }), isUntidy else { return }
    try? write { connection in
      try connection.settleAbandonedFiles()
      discardedFiles.removeAll(connection)
    }
  }

  /// Makes the table of files, from which on bytes that look like a reference are one: values that
  /// do already are moved into files.
  func makeFilesTable() throws {
    try write { connection in
      try connection.transaction(.write) {
        guard try !connection.hasFiles() else { return }
        try connection.create([FilesTable.table])
        try connection.run(FilesTable.raiseLayout)
        for column in try connection.fileColumns() { try connection.moveLookalikes(of: column) }
      }
    }
  }
}

extension Connection {
  fileprivate func hasUntidyFiles() throws -> Bool {
    guard scope == nil, let folder = externalFolder else { return false }
    if !folder.incomingNames.isEmpty { return true }
    return try integer(FilesTable.discardedTotal) ?? 0 > 0
  }

  fileprivate func moveLookalikes(of column: FileColumn) throws {
    for row in try rows(column.references) {
      guard case .blob(let bytes) = row[1], FileReference(bytes) != nil, row[0] != .null else {
        continue
      }
      let reference = try bytes.withUnsafeBytes { try writeFile($0) }
      try run(column.assignment, [.blob(reference.bytes), row[0]])
    }
  }
}
