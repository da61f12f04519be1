internal import OxbowModel
internal import OxbowRelational

/// The texts of the statements that change rows, each made once (`ChangeGenerator`).
typealias StatementTexts = Memo<ChangeStatement, String>

/// What tells one such statement from another; entities by their index.
enum ChangeStatement: Hashable, Sendable {
  case insert(entity: Int)
  case update(entity: Int, ChangeGenerator.UpdateShape)
  case clear(entity: Int, columns: [Int], key: Int)
  case delete(entity: Int, hasVersion: Bool)
  case deleteBlock(entity: Int, KeyParameters, hasVersion: Bool)
  case values(entity: Int, columns: [Int], KeyParameters)
  case link(table: String, moving: [Int])
  case hasLink(table: String)
  case unlink(table: String)
  case unlinkAll(table: String, column: String)
  case unlinkBlock(table: String, column: String, KeyParameters)
  case positionInRow(entity: Int, column: Int)
  case positionInJoin(table: String, column: String)
  case lastPosition(table: String, position: String, column: String)
  /// The computation of a derived attribute, by its index among those of the model.
  case derive(Int)
  /// The objects from which a step of a derived attribute leads to others.
  case origins(RelationshipID)
}
