/// An empty store in memory where the steps of a folder are tried, to see what they would meet in
/// any store.
package protocol MigrationRehearsal {
  /// Changes the tables as a model step does.
  func run(_ migration: TableMigration) throws

  /// Runs a statement under the rules of scripts; returns why it cannot be run, and then leaves the
  /// store as it was.
  func run(_ statement: MigrationScript) throws -> RehearsalFailure?

  /// Ends a script, of which every statement was run.
  func endScript() throws

  /// Makes the assignments of an `UPDATE` in a row that has a value everywhere; returns why a
  /// column does not take what it is given, and leaves the store as it was.
  func assign(_ assignments: String, to table: String) throws -> String?

  /// What distinguishes the tables from others, in words, and the views and triggers that do not
  /// work.
  func differences(from tables: [TableSchema]) throws -> [String]

  /// A number that moves when a table, an index, a view or a trigger does.
  func schemaVersion() throws -> Int64

  /// Runs `body` and leaves the store as it was before.
  func takingBack<R>(_ body: () throws -> R) throws -> R
}

/// Why a statement of a script cannot be run.
package struct RehearsalFailure: Hashable, Sendable {
  package var text: String

  /// Whether the rules of scripts refuse it, rather than the database.
  package var isRefused: Bool

  package init(_ text: String, isRefused: Bool) {
    self.text = text
    self.isRefused = isRefused
  }
}
