@_exported public import struct OxbowRelational.HistoryEntry

/// Which steps a store has had, and which are pending.
public struct MigrationStatus: Sendable, Hashable, Codable {
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
  public let history: [HistoryEntry]

  /// The event of the step that is under way, with how far it is; `nil` without one.
  public var underWay: HistoryEntry? { HistoryCheck(history).unfinished }

  private enum CodingKeys: String, CodingKey {
    case model, last, places, pending, run, leadsToTarget, history
    case origin = "position"
    case targetModel = "target"
  }
}
