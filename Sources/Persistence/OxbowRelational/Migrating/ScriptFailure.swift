package import OxbowModel

/// Why a statement of a script cannot be run, and where it is.
package struct ScriptFailure: Error {
  package let reason: String

  /// Whether the rules of scripts refuse it.
  package let isRefused: Bool

  /// Whether it makes sense to the database, so that rows may be what it failed for.
  package let isUnderstood: Bool
  package let line: Int
  package let column: Int

  package init(reason: String, isRefused: Bool, isUnderstood: Bool, line: Int, column: Int) {
    (self.reason, self.isRefused, self.isUnderstood) = (reason, isRefused, isUnderstood)
    (self.line, self.column) = (line, column)
  }

  package func error(in file: String) -> PersistenceError {
    PersistenceError(
      isRefused || !isUnderstood ? .migrationFile : .migration,
      isRefused
        ? "\(reason); the script was rolled back"
        : "the statement failed and the script was rolled back: \(reason)",
      file: file, line: line, column: column)
  }
}
