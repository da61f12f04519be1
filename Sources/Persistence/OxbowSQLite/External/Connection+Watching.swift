internal import OxbowRelational

extension Connection {
  private static let watchPrefix = "oxbow_watch_"

  /// Discards files when cells that refer to them are overwritten or deleted, in a transaction that
  /// writes.
  ///
  /// The triggers belong to the connection, not to the store's schema. They are made anew when the
  /// schema has changed, and when the transaction that made them was rolled back.
  func watch(_ columns: ExternalColumns, schemaVersion: Int64) throws {
    let prefix = "\(Self.watchPrefix)\(schemaVersion)_"
    let count = try integer(
      "SELECT count(*) FROM temp.sqlite_schema WHERE type = 'trigger' AND name GLOB ?",
      [.text(prefix + "*")])
    guard count != Int64(2 * columns.all.count) else { return }
    try dropWatches()
    for (number, column) in columns.all.enumerated() {
      for trigger in column.triggers(prefix: "\(prefix)\(number)") { try execute(trigger) }
    }
  }

  private func dropWatches() throws {
    let names = try texts(
      "SELECT name FROM temp.sqlite_schema WHERE type = 'trigger' AND name GLOB ?",
      [.text(Self.watchPrefix + "*")])
    for name in names { try execute("DROP TRIGGER temp.\(quoted(name))") }
  }
}
