internal import OxbowPlatform

/// The databases that this process has open, by file and not by path.
///
/// Two coordinators over one file must share its writer: SQLite's bug in the write-ahead log needs
/// two connections that write and checkpoint at once, and POSIX drops a process's locks on a file
/// when any of its descriptors is closed.
package enum DatabaseRegistry {
  struct Key: Hashable, Sendable {
    let file: System.FileID
    let isReadOnly: Bool
  }

  /// One file's place: its own lock, so that opening one file does not hold up another.
  private final class Place: Sendable {
    struct State {
      var database: Database?
      var users = 0
    }
    let state = Lock(State())
  }

  private static let places = Lock([Key: Place]())

  /// The file cannot be created or found.
  package struct Unreachable: Error, Hashable, Sendable {
    package let path: String
    package let reason: String
  }

  /// Opens the database at a path, or joins those that have it open; ``release(_:)`` ends it.
  package static func acquire(
    _ path: String, _ configuration: Database.Configuration
  ) throws -> Database {
    let file = try locate(path, creating: !configuration.isReadOnly)
    let key = Key(file: file, isReadOnly: configuration.isReadOnly)
    let place = places.withLock { places in
      if let place = places[key] { return place }
      let place = Place()
      places[key] = place
      return place
    }
    return try place.state.withLock { state in
      let database =
        try state.database
        ?? Database(path: System.realPath(path), configuration: configuration, key: key)
      if state.database != nil { try database.raiseSynchronous(to: configuration.synchronous) }
      state.database = database
      state.users += 1
      return database
    }
  }

  /// Leaves a database; the last user closes it.
  package static func release(_ database: Database) {
    guard let key = database.key, let place = places.withLock({ $0[key] }) else {
      return database.close()
    }
    place.state.withLock { state in
      guard state.database === database else { return }
      state.users -= 1
      guard state.users == 0 else { return }
      database.close()
      state.database = nil
    }
  }

  private static func locate(_ path: String, creating: Bool) throws -> System.FileID {
    if creating {
      let status = System.createFile(path)
      // A read-only file system answers so for a file that exists as well.
      guard status == 0 || System.fileID(path) != nil else {
        throw Unreachable(path: path, reason: System.message(status))
      }
    }
    guard !System.isDirectory(path) else {
      throw Unreachable(path: path, reason: "it is a directory")
    }
    guard let file = System.fileID(path) else { throw Unreachable.missing(path) }
    return file
  }
}

extension DatabaseRegistry.Unreachable {
  /// There is nothing at the path, or a link to nothing.
  static func missing(_ path: String) -> Self {
    guard let target = System.linkTarget(path) else {
      return Self(path: path, reason: "there is no such file")
    }
    return Self(
      path: path,
      reason:
        "it is a symbolic link to '\(target)', which does not exist; remove the link, or create "
        + "that file or the store there")
  }
}
