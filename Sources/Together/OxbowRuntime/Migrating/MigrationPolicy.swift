/// What opening a store does when the store has not had all its migrations.
public enum MigrationPolicy: String, Sendable, Hashable, CaseIterable {
  /// Applies what is pending, as `oxbowctl migrate apply` does.
  ///
  /// With a folder, its steps; without one, the step that can be inferred from the model that the
  /// store keeps, unless it would remove data.
  case automatic

  /// Refuses to open the store while anything is pending, and says how to apply it.
  case requireUpToDate

  /// Never migrates and does not look at a folder: opens a store of exactly this model.
  case never
}
