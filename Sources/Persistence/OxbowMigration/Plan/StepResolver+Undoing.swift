internal import OxbowModel
internal import OxbowRelational

extension StepResolver {
  /// Returns what takes back a step that a store has had.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationRefused` when there is no way back.
  mutating func undo(
    _ entry: HistoryEntry, _ file: MigrationFile?
  ) throws(PersistenceError) -> ResolvedStep {
    guard let now = current else { throw Self.refused(entry, "there is no store") }
    let model = try modelBefore(entry, now.model)
    let (action, after): (ResolvedStep.Action, NumberedModel)
    if let down = try down(entry, file) {
      action = down
      let match = ModelMatch(from: model.source, to: now.model.source)
      after =
        model === now.model
        ? now : NumberedModel(model, match: ModelMatch(inverting: match), after: now)
    } else {
      let inverse = try TableMigrationBuilder.inverse(of: model, to: now)
      (action, after) = (.tables(inverse.migration), inverse.before)
    }
    return ResolvedStep(
      id: entry.id, name: entry.name, kind: MigrationStepKind(rawValue: entry.kind) ?? .inferred,
      file: file, action: action, before: now, after: after, record: try record(of: after),
      isUndo: true)
  }

  /// What a file itself says about the way back; `nil` when it follows from the models.
  private func down(
    _ entry: HistoryEntry, _ file: MigrationFile?
  ) throws(PersistenceError) -> ResolvedStep.Action? {
    switch (MigrationStepKind(rawValue: entry.kind), file?.content) {
    case (.sql, .script(_, let down?)): return .script(down)
    case (.sql, _):
      throw Self.refused(
        entry, "its script has no section \"down\"; restore a backup, or write a step that goes on")
    case (.code, .code(let stub)):
      let code = code.first { $0.name == stub.name && $0.version == stub.version }
      guard let code else { throw StepResolver.missing(stub, entry.name, self.code) }
      guard let undo = code.undo else {
        throw Self.refused(
          entry, "the step in Swift has no undo; restore a backup, or write a step that goes on")
      }
      return .code(stub, .plain(stub.name, version: stub.version, undo))
    case (.code, _):
      throw Self.refused(
        entry, "it is a step in Swift; give its folder, in the program that has the step")
    default: return nil
    }
  }

  private func modelBefore(
    _ entry: HistoryEntry, _ after: CompiledModel
  ) throws(PersistenceError) -> CompiledModel {
    guard let hash = entry.modelBefore else {
      throw Self.refused(
        entry, "it made the store; remove the store's file when nothing in it is needed")
    }
    if hash == after.versionHash { return after }
    if let model = sequence?.models[hash] { return try CompiledModel(model) }
    if let target, target.versionHash == hash { return try CompiledModel(target) }
    throw Self.refused(
      entry,
      "the model before it (\(hash.prefix(12))…) is in no file of the folder; give its document "
        + "with --model")
  }

  /// A step in Swift that the program does not have, or has in another version.
  static func missing(
    _ stub: MigrationFile.CodeStub, _ file: String, _ code: [CodeStep]
  ) -> PersistenceError {
    let other = code.first { $0.name == stub.name }
    let seen = other.map { "has version \($0.version) of it" } ?? "does not have it"
    return PersistenceError(
      .migrationRefused,
      "'\(file)' is a step in Swift ('\(stub.name)' version \(stub.version)), and this program "
        + "\(seen); run: \(stub.run)")
  }

  static func refused(_ entry: HistoryEntry, _ reason: String) -> PersistenceError {
    PersistenceError(
      .migrationRefused, "the step \(entry.id) '\(entry.name)' cannot be taken back: \(reason)")
  }
}
