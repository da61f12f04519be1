/// What kind of step a migration is.
public enum MigrationStepKind: String, Sendable, Hashable, CaseIterable, Codable {
  /// A change of the model; the tables follow from it.
  case model
  /// A script in the database's language.
  case sql
  /// A step in Swift, in a program of the project's own.
  case code
  /// A change of the model without a file, from the model that the store keeps.
  case inferred
}
