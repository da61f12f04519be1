internal import OxbowModel
internal import OxbowRelational

/// A step with everything that running it needs.
struct ResolvedStep {
  enum Action {
    case tables(TableMigration)
    case script(MigrationScript)
    /// A step in Swift; without it, the program does not have it.
    case code(MigrationFile.CodeStub, CodeStep?)
  }

  let id: String
  let name: String
  let kind: MigrationStepKind
  let file: MigrationFile?
  var action: Action

  /// The model before, `nil` for a new store, and the model after.
  let before: NumberedModel?
  let after: NumberedModel

  /// The model after, as the store keeps it.
  let record: ModelRecord

  var isUndo = false

  /// Whether derived attributes have their values already.
  var keepsDerivedValues = false

  /// The derived attributes that are computed at its end.
  var fills: [DerivedFill] { createsStore || keepsDerivedValues ? [] : after.fills }

  /// The columns before and after it that have a moment, by table.
  var moments: [String: Set<String>] {
    (before?.moments ?? [:]).merging(after.moments) { $0.union($1) }
  }

  var createsStore: Bool { before == nil }
  var modelBefore: String? { before?.hash }

  /// The tables from which it begins.
  var tablesBefore: [TableSchema] {
    if case .tables(let migration) = action {
      migration.before
    } else {
      before?.mapping.tables ?? []
    }
  }

  var tablesAfter: [TableSchema] { after.mapping.tables }

  var difference: ModelDifference {
    before?.model === after.model
      ? .none
      : ModelDifference(
        from: before?.model.source ?? ManagedObjectModel(entities: []), to: after.model.source)
  }

  /// What it means for the names in a history of saves; `nil` for a new store.
  var renaming: HistoryRenaming? {
    guard let before else { return nil }
    let (old, new) = (before.model, after.model)
    let match =
      isUndo
      ? ModelMatch(inverting: ModelMatch(from: new.source, to: old.source))
      : ModelMatch(from: old.source, to: new.source)
    return HistoryRenaming(from: old, to: new, entities: match.successors) { entity in
      match.attributes(of: entity).merging(match.relationships(of: entity)) { first, _ in first }
    }
  }

  var isBatched: Bool {
    if case .code(_, let code?) = action, case .batched = code.work { true } else { false }
  }

  /// Whether it is a step in Swift that the program does not have.
  var isWithoutCode: Bool {
    if case .code(_, nil) = action { true } else { false }
  }

  /// Whether the step's file allows that what goes may go.
  ///
  /// That is said of the change in the file, and not of what a store with another model has beside.
  var allowsLoss: Bool {
    guard !isUndo, let file, file.allowsLoss else { return false }
    return file.modelBefore == nil || file.modelBefore == modelBefore
  }

  var event: HistoryEntry.Event { isUndo ? .undone : .applied }

  var label: String {
    let label = kind == .inferred ? "the inferred step" : file?.fileName ?? name
    return isUndo ? "taking back \(label)" : label
  }
}
