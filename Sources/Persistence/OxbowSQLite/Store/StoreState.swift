internal import OxbowModel
internal import OxbowRelational

/// What a store knows of its file at one schema version: immutable, and replaced when another
/// program changes the schema without changing the model.
final class StoreState: Sendable {
  let mapping: StoreMapping
  let declarations: TableDeclarations
  let schemaVersion: Int64

  /// The columns that may refer to files; `nil` where the store has no files.
  let externalColumns: ExternalColumns?

  /// Whether the store has a history.
  let hasHistory: Bool

  /// What this opening notes of each save; `nil` where it notes nothing.
  let history: HistoryPlan?

  /// The search indexes; `nil` where the store has none.
  let searchPlan: SearchPlan?

  /// The indexes of boxes that the store has as the mapping wants them; `nil` where it has none.
  let boxes: BoxPlan?

  let texts = StatementTexts()

  private struct ReaderKey: Hashable {
    let entity: Int
    let includesSubentities: Bool
    let isFault: Bool
  }

  private let readers = Memo<ReaderKey, RowReader>()

  private struct TextKey: Hashable {
    let relationship: RelationshipID?
    let entity: Int
    let keys: KeyParameters
  }

  /// The texts of selects by key and by owner, for each form of the keys that occurred.
  private let selects = Memo<TextKey, String>()

  init(
    mapping: StoreMapping, declarations: TableDeclarations, schemaVersion: Int64, hasFiles: Bool,
    hasHistory: Bool, history: HistoryPlan?, searchPlan: SearchPlan?, boxes: BoxPlan?
  ) {
    self.mapping = mapping
    externalColumns = hasFiles ? ExternalColumns(mapping) : nil
    (self.hasHistory, self.history) = (hasHistory, history)
    (self.searchPlan, self.boxes) = (searchPlan, boxes)
    self.declarations = declarations
    self.schemaVersion = schemaVersion
  }

  /// The text of a select by keys: rows by key, or related rows.
  func select(
    _ entity: Int, relationship: RelationshipID? = nil, _ keys: KeyParameters,
    _ make: () -> String
  ) -> String {
    selects.value(TextKey(relationship: relationship, entity: entity, keys: keys), make)
  }

  /// The compiled reader for the rows of an entity.
  func reader(_ entity: Int, includesSubentities: Bool = true, isFault: Bool = false) -> RowReader {
    let key = ReaderKey(
      entity: entity, includesSubentities: includesSubentities, isFault: isFault)
    return readers.value(key) {
      let shape = RowShape(
        of: mapping.model.entities[entity], includesSubentities: includesSubentities, in: mapping)
      return RowReader(
        shape: shape, mapping: mapping, declarations: declarations, isFault: isFault)
    }
  }
}
