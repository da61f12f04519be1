package import OxbowDocuments

extension PersistenceError.Code {
  /// A file of the migrations folder, or the folder as a whole, is not as it should be.
  public static let migrationFile = Self(rawValue: "migrationFile")
  /// The store was written by a later version of Oxbow, in a layout that this one does not know.
  public static let storeNewer = Self(rawValue: "storeNewer")
  /// A change that would lose data or that has no safe way was refused.
  public static let migrationRefused = Self(rawValue: "migrationRefused")
  /// The store's tables are not those of the model that it claims.
  public static let migrationDrift = Self(rawValue: "migrationDrift")
  /// The program was asked to stop, by Ctrl-C for example, and a migration stopped between two
  /// transactions.
  public static let interrupted = Self(rawValue: "interrupted")
  /// A file that somebody changed would be written over.
  public static let fileChanged = Self(rawValue: "fileChanged")
}

extension PersistenceError {
  /// A problem at a location in a file, for targets that know no documents.
  package init(_ code: Code, _ message: String, file: String, line: Int, column: Int) {
    self.init(code, message, at: SourceLocation(file: file, line: line, column: column))
  }

  package static let interrupted = PersistenceError(
    .interrupted,
    "the migration was interrupted; what was not done was rolled back, and running it again goes on"
  )

  package static func migrationFile(
    _ message: String, at location: SourceLocation? = nil
  ) -> PersistenceError {
    PersistenceError(.migrationFile, message, at: location)
  }
}
