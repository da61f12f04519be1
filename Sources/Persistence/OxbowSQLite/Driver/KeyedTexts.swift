internal import OxbowPlatform
internal import OxbowRelational

/// A database of its own with one table, of texts by key.
///
/// For settings; a store keeps objects. One connection, for one thread at a time; each change is a
/// transaction, and other processes see it.
package final class KeyedTexts: Sendable {
  private let connection: Lock<Connection>

  /// Opens a database, and makes it and its table where there are none.
  package init(path: String) throws {
    let connection = try Connection(path: path, configuration: .init(role: .sole))
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS texts (key TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL) "
        + "WITHOUT ROWID")
    self.connection = Lock(connection)
  }

  /// The text of a key; nil when there is none.
  package func text(forKey key: String) throws -> String? {
    try connection.withLock { try Self.text(forKey: key, $0) }
  }

  /// Sets the text of a key, or removes it.
  package func setText(_ text: String?, forKey key: String) throws {
    try connection.withLock { try Self.setText(text, forKey: key, $0) }
  }

  /// Changes the text of a key while no other connection changes the database.
  package func update(forKey key: String, _ change: (String?) throws -> String?) throws {
    try connection.withLock { connection in
      try connection.transaction(.write) {
        try Self.setText(change(Self.text(forKey: key, connection)), forKey: key, connection)
      }
    }
  }

  private static func text(forKey key: String, _ connection: Connection) throws -> String? {
    try connection.text("SELECT text FROM texts WHERE key = ?", [.text(key)])
  }

  private static func setText(
    _ text: String?, forKey key: String, _ connection: Connection
  ) throws {
    guard let text else {
      return try connection.run("DELETE FROM texts WHERE key = ?", [.text(key)])
    }
    try connection.run(
      "INSERT INTO texts (key, text) VALUES (?, ?) "
        + "ON CONFLICT (key) DO UPDATE SET text = excluded.text", [.text(key), .text(text)])
  }
}
