package import OxbowRelational

/// What a migration of a store would do, decided and not run.
public struct MigrationPlan: Sendable {
  /// How a step can be taken back.
  public enum Reversibility: String, Sendable, Hashable, CaseIterable, Codable {
    /// The tables of before can be made again, and nothing is lost.
    case lossless
    /// The tables of before can be made again, but the step removes or changes values for good.
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

  /// One step of a plan.
  public struct Step: Sendable {
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
    /// The changes of the tables; empty for a script.
    public let operations: [Operation]
    /// The statements of a script.
    public let script: String?
    /// The command that runs a step in Swift; `nil` when this program can.
    public let run: String?
    /// The rows that are written anew; `nil` for a script, which decides itself.
    public let rows: Int?
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

    /// Whether data goes.
    public var isDestructive: Bool { !losses.isEmpty }
  }

  /// Data that goes with a step.
  public struct Loss: Sendable, Hashable {
    /// What goes, in words: "values of 'File.kind'".
    public let subject: String
    /// How many there are; `nil` when steps ahead decide, and in a plan that counts no rows.
    public let count: Int?
  }

  /// A change of one table.
  public struct Operation: Sendable, Hashable {
    /// How a table is changed.
    public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
      /// A table is made.
      case create
      /// A table or a column gets another name.
      case rename
      /// Columns are added.
      case alter
      /// The table is written anew.
      case rebuild
      /// A table is removed.
      case drop
      /// Indexes are made or removed.
      case index
      /// A new table gets its rows from others.
      case fill
      /// Rows are removed.
      case delete
    }

    /// What is done.
    public let kind: Kind
    /// The table's name.
    public let table: String
    /// The rows that are read or written; `nil` when they are not known.
    public let rows: Int?
    /// The statements, in order.
    public let statements: [String]
    /// About how many bytes are written anew; `nil` where that is little, or not known yet.
    public let bytes: Int?
  }

  /// The store that was planned for; `nil` when there is none yet.
  public let store: Store?

  /// Whether rows were counted; without that, nothing but the store's schema and history was read.
  public let countsRows: Bool

  /// The steps, in order; empty when there is nothing to do.
  public let steps: [Step]
}

/// Which steps a store has had, and which are pending.
public struct MigrationStatus: Sendable {
  /// How it is known which steps a store has had.
  public enum Origin: String, Sendable, Hashable, CaseIterable, Codable {
    /// There is no store yet.
    case nothing
    /// By the store's history.
    case history
    /// By the hash of the store's model, which a step of the folder leaves behind.
    case model
    /// By the hash of the store's model, which several places of the folder's line have: the place
    /// is not certain, and nothing is applied before somebody says it.
    case several
    /// By the model that the store keeps; there is no folder.
    case inferred
  }

  /// How it is known which steps the store has had.
  public let origin: Origin
  /// The hash of the store's model; `nil` when there is no store yet.
  public let model: String?
  /// The last step that the store has had; at the first of several places.
  public let last: String?
  /// The steps that the store may be behind, when there are several; an empty text for the place
  /// before the first.
  public let places: [String]
  /// The steps that the store has not had, as file names.
  public let pending: [String]
  /// The command that runs the first pending step in Swift, as its stub has it; `nil` without one.
  public let run: String?
  /// The hash of the model given, and whether all pending steps lead to it; `nil` without one.
  public let targetModel: String?
  /// Whether all pending steps lead to the model given.
  public let leadsToTarget: Bool
  /// The events of the store's history, as the store keeps them.
  package let history: [HistoryEntry]
}
