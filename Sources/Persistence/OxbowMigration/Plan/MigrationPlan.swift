@_exported public import struct OxbowRelational.MigrationOperation

/// What a migration of a store would do, decided and not run.
///
/// It is the value that `oxbowctl migrate plan --json` writes. Somebody can look at it, and
/// ``Migrator/apply(upTo:allowsLoss:approved:online:progress:)`` then refuses to do anything else.
public struct MigrationPlan: Sendable, Hashable, Codable {
  /// How a step can be taken back.
  public enum Reversibility: String, Sendable, Hashable, CaseIterable, Codable {
    /// The earlier tables can be made again, and nothing is lost.
    case lossless
    /// The earlier tables can be made again, but the step removes or changes values for good.
    case lossy
    /// The script, or the step in Swift, says how.
    case scripted
    /// There is no way back.
    case none
  }

  /// The store as it was when a plan was made.
  public struct Store: Sendable, Hashable, Codable {
    /// What names the store, wherever its file is.
    public let identifier: String
    /// The hash of its model.
    public let model: String
    /// How many events its history has.
    public let events: Int
  }

  /// A change of one table.
  public typealias Operation = MigrationOperation

  /// One step of a plan.
  public struct Step: Sendable, Hashable, Codable {
    /// The number of the file, or "-" for an inferred step.
    public let id: String
    /// The name of the step.
    public let name: String
    /// What kind of step it is.
    public let kind: MigrationStepKind
    /// The path of the file, when there is one.
    public let path: String?
    /// The checksum of the file's text, when there is one.
    public let checksum: String?
    /// The model hash before, `nil` for a new store.
    public let modelBefore: String?
    /// The model hash after.
    public let modelAfter: String
    /// The points in which the model changes.
    public let changes: [ModelChange]
    /// The same in words.
    public let summary: [String]
    /// The changes of the tables; empty for a script.
    public let operations: [Operation]
    /// The statements of a script.
    public let script: String?
    /// The command that runs a step in Swift; `nil` when this program can.
    public let run: String?
    /// The rows that are written anew; `nil` for a script, which decides itself.
    public let rows: Int?
    /// About how many bytes are written anew, in tables and indexes; `nil` when steps ahead decide.
    public let bytes: Int?
    /// Whether data goes.
    public let isDestructive: Bool
    /// What no table has any more after the step, as far as there is any.
    public let losses: [Loss]
    /// Whether the step's file allows that this goes.
    public let allowsLoss: Bool
    /// Whether the step puts values in place of others, or of missing ones.
    public let replacesValues: Bool
    /// How the step can be taken back.
    public let reversibility: Reversibility
    /// The objects with which the step cannot be taken back, in words; without any it can.
    public let refusesUndo: [String]
    /// What the rows must be like, found out when the step runs.
    public let checks: [String]

    private enum CodingKeys: String, CodingKey {
      case id, name, kind, path, checksum, modelBefore, modelAfter, operations, script, run, rows
      case bytes, losses, replacesValues, refusesUndo, checks
      case changes = "modelChanges"
      case summary = "changes"
      case isDestructive = "destructive"
      case allowsLoss = "lossAllowed"
      case reversibility = "reversible"
    }
  }

  /// Data that goes with a step.
  public struct Loss: Sendable, Hashable, Codable {
    /// What goes, in words: "values of 'File.kind'".
    public let subject: String
    /// How many there are; `nil` when steps ahead decide, and in a plan that counts no rows.
    public let count: Int?
  }

  /// The store that was planned for; `nil` when it does not exist yet.
  public let store: Store?

  /// The number of the last step, when one was asked for.
  public let upTo: Int?

  /// Whether rows were counted; without that, nothing but the store's schema and history was read.
  public let countsRows: Bool

  /// The steps, in order; empty when there is nothing to do.
  public let steps: [Step]

  private enum CodingKeys: String, CodingKey {
    case store = "state"
    case upTo, countsRows, steps
  }
}
