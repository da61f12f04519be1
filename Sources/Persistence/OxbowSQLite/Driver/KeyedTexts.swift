internal import OxbowModel
internal import OxbowPlatform
internal import OxbowRelational

/// A database of its own with one table, of texts by key.
///
/// For settings; a store keeps objects. One connection, for one thread at a time; each change is a
/// transaction, and other processes see it.
package final class KeyedTexts: Sendable {
  /// Used by the thread that has the turn.
  private let connection: Connection
  private let turn = Lock(())

  /// The number of the thread that updates a text, or 0.
  private let updating = Lock<UInt>(0)

  /// Opens a database, and makes it and its table where there are none.
  package init(path: String) throws {
    connection = try Connection(path: path, configuration: .init(role: .sole))
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS texts (key TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL) "
        + "WITHOUT ROWID")
  }

  /// The text of a key; nil when there is none.
  package func text(forKey key: String) throws -> String? {
    if isUpdating { return try read(key) }
    return try turn.withLock { _ in try read(key) }
  }

  /// Sets the text of a key, or removes it.
  package func setText(_ text: String?, forKey key: String) throws {
    try requireOutside()
    try turn.withLock { _ in try write(text, key) }
  }

  /// Changes the text of a key while no other connection changes the database; `change` may read.
  package func update(forKey key: String, _ change: (String?) throws -> String?) throws {
    try requireOutside()
    try turn.withLock { _ in
      updating.withLock { $0 = currentThreadNumber() }
      defer { updating.withLock { $0 = 0 } }
      try connection.transaction(.write) { try write(change(read(key)), key) }
    }
  }

  private var isUpdating: Bool { updating.withLock { $0 } == currentThreadNumber() }

  /// Refuses a change inside of a change, which would wait for itself.
  private func requireOutside() throws {
    guard isUpdating else { return }
    throw PersistenceError(
      .insideHook,
      "a text in '\(connection.path)' was to be changed by the closure that changes another one; "
        + "change them one after the other")
  }

  private func read(_ key: String) throws -> String? {
    try connection.text("SELECT text FROM texts WHERE key = ?", [.text(key)])
  }

  private func write(_ text: String?, _ key: String) throws {
    guard let text else {
      return try connection.run("DELETE FROM texts WHERE key = ?", [.text(key)])
    }
    try connection.run(
      "INSERT INTO texts (key, text) VALUES (?, ?) "
        + "ON CONFLICT (key) DO UPDATE SET text = excluded.text", [.text(key), .text(text)])
  }
}
