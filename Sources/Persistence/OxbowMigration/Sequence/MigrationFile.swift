package import OxbowModel
package import OxbowRelational

/// One file of a migrations folder: a step.
public struct MigrationFile: Sendable {
  package enum Content: Sendable {
    case model(ManagedObjectModel)
    case script(up: MigrationScript, down: MigrationScript?)
    case code(CodeStub)
  }

  /// The number as it is written: "0001".
  public let id: String

  /// The number.
  public let number: Int

  /// The name without number and extension.
  public let name: String

  /// The path of the file.
  public let path: String

  /// The checksum of its text.
  public let checksum: Checksum

  /// The hash of the model that the store must have before: `nil` when the file does not say, empty
  /// when there must be no store yet.
  public let modelBefore: String?

  /// The hash of the model that it leaves behind, or `nil` for the model before.
  public let modelAfter: String?

  /// Whether the file says that the data that goes with it may go.
  public let allowsLoss: Bool

  /// Whether the file replaces all steps up to its number.
  public let isSquashed: Bool

  /// What `lint` does not report.
  package let allowances: [LintAllowance]

  package let content: Content

  /// What kind of step it is.
  public var kind: MigrationStepKind {
    switch content {
    case .model: .model
    case .script: .sql
    case .code: .code
    }
  }

  /// The name of the file.
  public var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The command that runs a step in Swift; `nil` for other steps.
  var run: String? {
    if case .code(let stub) = content { stub.run } else { nil }
  }

  package struct CodeStub: Sendable, Hashable {
    package var name: String
    package var version: String
    package var run: String
  }
}

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
