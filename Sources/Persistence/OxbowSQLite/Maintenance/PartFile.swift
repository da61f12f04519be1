internal import OxbowFoundation
internal import OxbowModel

/// A database file that is filled beside its place, and gets its name once it is whole.
struct PartFile {
  /// Where it will be, and where it is until then.
  let path: String
  let part: String

  /// Its permissions; `nil` for those that SQLite gives a new file.
  private let permissions: UInt32?

  /// - Throws: ``PersistenceError`` with `storeUnreachable` for a path where no database can be.
  init(_ path: String, permissions: UInt32?) throws(PersistenceError) {
    (self.path, self.permissions) = (path, permissions)
    part = "\(path).part-\(System.processID)-\(UInt32.random(in: 0 ... .max))"
    let unfit =
      DatabaseRegistry.Unreachable.unfit(path) ?? DatabaseRegistry.Unreachable.tooLong(part)
    if let unfit { throw refused(unfit.reason) }
  }

  func refused(_ reason: String) -> PersistenceError {
    PersistenceError(.storeUnreachable, "nothing was written to '\(path)': \(reason)")
  }

  /// Makes the file that is filled, readable by those who can read the store.
  func make() throws(PersistenceError) {
    removeLeftovers()
    guard let permissions else { return }
    let failure = System.writeFile(
      part, UnsafeRawBufferPointer(start: nil, count: 0), permissions: permissions,
      isSynchronized: false)
    if let files = OutOfFiles(path, failure) { throw PersistenceError(.tooManyFiles, files.text) }
    guard failure == 0 else { throw refused(System.message(failure)) }
  }

  /// Removes what was filled.
  func discard() { System.removeDatabase(part) }

  /// Removes what programs that were killed have left here, after a day: a copy is as large as its
  /// store, and its name does not come again.
  private func removeLeftovers() {
    let cut = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let (folder, prefix) = (path[..<cut], path[cut...] + ".part-")
    let limit = Int(Date().timeIntervalSince1970) - 24 * 3600
    for name in System.names(in: folder.isEmpty ? "." : String(folder)) {
      guard name.hasPrefix(prefix), Self.isOfPart(name.dropFirst(prefix.count)),
        let stamp = System.stamp(folder + name), stamp.seconds < limit
      else { continue }
      System.remove(folder + name)
    }
  }

  /// Whether the end of a name is that of ``part``, or of what SQLite has beside it.
  private static func isOfPart(_ end: Substring) -> Bool {
    let parts = end.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count >= 2 && Int(parts[0]) != nil && UInt32(parts[1]) != nil
      && ["", "journal", "wal", "shm"].contains(parts.dropFirst(2).joined(separator: "-"))
  }

  /// Gives the file its name, which another one may have in the meantime.
  ///
  /// - Throws: ``PersistenceError`` with `storeUnreachable`, and what is `taken` for a path where
  ///   there is something by now; `nil` for one that replaces it.
  func settle(_ taken: String?) throws(PersistenceError) {
    let failure = taken == nil ? System.rename(part, path) : System.name(part, path)
    if failure == System.isTaken, let taken { throw refused(taken) }
    guard failure == 0 else { throw refused(System.message(failure)) }
    System.synchronizeFolder(of: path)
  }

  /// Runs `body`, which fills and settles the file; if it fails, `undo` and then the file goes.
  func receive<R>(undoing undo: () -> Void, _ body: () throws -> R) throws -> R {
    do { return try body() } catch {
      undo()
      discard()
      guard (error as? SQLiteError)?.code.primary == .full else { throw error }
      throw PersistenceError(
        .storeFull,
        "nothing was written to '\(path)': the disk is full; free space there, or choose another "
          + "path")
    }
  }
}
