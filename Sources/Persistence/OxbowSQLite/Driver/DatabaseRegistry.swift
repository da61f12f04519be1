internal import CSQLite
internal import OxbowModel
internal import OxbowPlatform

/// The databases that this process has open, by file and not by path.
///
/// Two coordinators over one file must share its writer: SQLite's bug in the write-ahead log needs
/// two connections that write and checkpoint at once, and POSIX drops a process's locks on a file
/// when any of its descriptors is closed.
package enum DatabaseRegistry {
  /// One file with a lock of its own, so that opening one file does not hold up another.
  private final class Entry: Sendable {
    struct State {
      var database: Database?
      var users = 0
      /// Whether it is forgotten: the next one that opens the file makes another.
      var isOver = false
    }
    let state = Lock(State())
  }

  private static let entries = Lock([DatabaseKey: Entry]())

  /// The file cannot be created or found.
  package struct Unreachable: Error, Hashable, Sendable {
    package let path: String
    package let reason: String
  }

  /// Refuses to do something with a file that is lent to a test.
  static func refuseLent(_ path: String, _ action: String) throws {
    guard let file = System.fileID(path),
      let entry = entries.withLock({ $0[DatabaseKey(file: file, isReadOnly: false)] }),
      let database = entry.state.withLock({ $0.database }), database.lending.withLock({ $0 != nil })
    else { return }
    throw PersistenceError.unsupported(action, inScopeOf: path)
  }

  /// Opens the database at a path, or joins those that have it open; ``release(_:)`` ends it.
  package static func acquire(
    _ path: String, _ configuration: Database.Configuration
  ) throws -> Database {
    while true {
      do { return try acquireWhatIsThere(path, configuration) } catch is Database.Overtaken {}
    }
  }

  private static func acquireWhatIsThere(
    _ path: String, _ configuration: Database.Configuration
  ) throws -> Database {
    let file = try locate(path, creating: !configuration.isReadOnly)
    let key = DatabaseKey(file: file, isReadOnly: configuration.isReadOnly)
    let entry = entries.withLock { entries in
      if let entry = entries[key] { return entry }
      let entry = Entry()
      entries[key] = entry
      return entry
    }
    return try entry.state.withLock { state in
      guard !state.isOver else { throw Database.Overtaken(path: path) }
      defer { if state.users == 0 { forget(key, &state) } }
      let database =
        try state.database
        ?? Database(path: System.realPath(path), configuration: configuration, key: key)
      if state.database != nil { try database.raiseSynchronous(to: configuration.synchronous) }
      state.database = database
      state.users += 1
      return database
    }
  }

  private static func forget(_ key: DatabaseKey, _ state: inout Entry.State) {
    state = Entry.State(isOver: true)
    entries.withLock { $0[key] = nil }
  }

  /// Leaves a database; the last user closes it.
  package static func release(_ database: Database) {
    guard let key = database.key, let entry = entries.withLock({ $0[key] }) else {
      return database.close()
    }
    entry.state.withLock { state in
      guard state.database === database else { return }
      state.users -= 1
      guard state.users == 0 else { return }
      database.close()
      forget(key, &state)
    }
  }

  /// How many files are open, for tests.
  static var count: Int { entries.withLock { $0.count } }

  private static func locate(_ path: String, creating: Bool) throws -> System.FileID {
    if let long = Unreachable.tooLong(path) { throw long }
    if creating {
      let status = System.createFile(path)
      // A read-only file system answers so for a file that exists as well.
      guard status == 0 || System.fileID(path) != nil else {
        throw Unreachable.folderless(path)
          ?? OutOfFiles(path, status)
          ?? Unreachable(path: path, reason: System.message(status)) as any Error
      }
    }
    if let unfit = Unreachable.unfit(path) { throw unfit }
    guard let file = System.fileID(path) else { throw Unreachable.missing(path) }
    return file
  }
}

extension DatabaseRegistry.Unreachable {
  /// There is nothing at the path, or a link to nothing.
  static func missing(_ path: String) -> Self {
    danglingLink(path) ?? Self(path: path, reason: "there is no such file")
  }

  /// There is no folder for the file; `nil` when there is one.
  static func folderless(_ path: String) -> Self? {
    guard let end = path.lastIndex(of: "/"), end > path.startIndex else { return nil }
    let folder = String(path[..<end])
    guard System.fileID(folder) == nil else { return nil }
    return Self(path: path, reason: "its folder '\(folder)' does not exist; make it first")
  }

  /// There is a link to nothing at the path; `nil` when there is not.
  static func danglingLink(_ path: String) -> Self? {
    System.danglingLink(path).map { target in
      Self(
        path: path,
        reason: "it is a symbolic link to '\(target)', which does not exist; remove the link, or "
          + "create that file or the store there")
    }
  }

  /// SQLite has no room for the path, with what it appends for the files beside it; `nil` when it
  /// has.
  static func tooLong(_ path: String) -> Self? {
    let count = pathWithoutLinks(path).utf8.count
    guard let vfs = sqlite3_vfs_find(nil)?.pointee, count > vfs.mxPathname - 8 else { return nil }
    return Self(
      path: path,
      reason: "SQLite takes paths of up to \(vfs.mxPathname - 8) bytes, and '\(path)' has \(count) "
        + "without links; choose a shorter one")
  }

  /// There is something at the path that cannot be a database file; `nil` when there is not.
  static func unfit(_ path: String) -> Self? {
    if System.isDirectory(path) { return Self(path: path, reason: "it is a directory") }
    if System.isSpecial(path) { return Self(path: path, reason: "it is not a regular file") }
    return nil
  }
}
