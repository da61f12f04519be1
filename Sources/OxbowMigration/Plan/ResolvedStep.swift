internal import OxbowModel
internal import OxbowSQL

/// A step with everything that running it needs.
struct ResolvedStep {
  /// What is to be done.
  enum Action {
    case tables(TableMigration)
    case script(MigrationScript)
  }

  let id: String
  let name: String
  let kind: MigrationStepKind
  let file: MigrationFile?
  let action: Action

  /// The tables that must be there before and after; before is empty for a new store.
  let tablesBefore: [TableSchema]
  let tablesAfter: [TableSchema]

  let modelBefore: String?
  let difference: ModelDifference
  /// The derived attributes that are computed at the end.
  let fills: [DerivedFill]

  let record: ModelRecord
  let createsStore: Bool

  var label: String { kind == .inferred ? "the inferred step" : file?.fileName ?? name }
}
