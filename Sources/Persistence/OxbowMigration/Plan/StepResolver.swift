internal import OxbowModel
internal import OxbowRelational

/// Resolves the steps of a store, one after the other, from the model that it has.
struct StepResolver {
  let sequence: MigrationSequence?
  let target: ManagedObjectModel?
  let code: [CodeStep]

  /// The model that the store has now; `nil` when there is no store yet.
  private(set) var current: NumberedModel?

  private let dialect: any Dialect

  /// The document of the last step's model: scripts leave the same one behind again and again.
  private var document: (hash: String, text: String)?

  init(
    _ state: MigrationState?, sequence: MigrationSequence?, target: ManagedObjectModel?,
    code: [CodeStep] = [], in dialect: any Dialect = SQLiteDialect()
  ) throws(PersistenceError) {
    (self.sequence, self.target, self.code, self.dialect) = (sequence, target, code, dialect)
    current = try state.map { state throws(PersistenceError) in
      NumberedModel(
        try CompiledModel(Self.model(of: state, sequence, target)), state.entities, in: dialect)
    }
  }

  /// The model that the store has, from wherever it is known.
  private static func model(
    of state: MigrationState, _ sequence: MigrationSequence?, _ target: ManagedObjectModel?
  ) throws(PersistenceError) -> ManagedObjectModel {
    if let model = sequence?.models[state.modelHash] { return model }
    if let target, target.versionHash == state.modelHash { return target }
    if let text = state.model {
      let model = try ModelDocument(Array(text.utf8), file: "the store's own model").model
      if model.versionHash == state.modelHash { return model }
    }
    throw PersistenceError(
      .modelMismatch,
      "the store keeps no document of its model \(state.modelHash.prefix(12))…, and neither the "
        + "migrations nor the model given have it; give the model that the store was written with")
  }

  mutating func next(_ file: MigrationFile) throws(PersistenceError) -> ResolvedStep {
    switch file.content {
    case .model(let model): return try step(to: model, file)
    case .script(let script, _): return try step(.script(script), file)
    case .code(let stub):
      let code = code.first { $0.name == stub.name && $0.version == stub.version }
      return try step(.code(stub, code), file)
    }
  }

  /// Returns the step from the store's model to the target, without a file.
  mutating func inferred(to model: ManagedObjectModel) throws(PersistenceError) -> ResolvedStep {
    try step(to: model, nil)
  }

  private mutating func step(
    to model: ManagedObjectModel, _ file: MigrationFile?
  ) throws(PersistenceError) -> ResolvedStep {
    let compiled = try CompiledModel(model)
    guard let before = current else {
      let after = NumberedModel(new: compiled, in: dialect)
      return try step(.tables(TableMigrationBuilder.creation(of: after)), file, to: after)
    }
    let match = ModelMatch(from: before.model.source, to: model)
    let after = NumberedModel(compiled, match: match, after: before)
    let migration = try TableMigrationBuilder.migration(from: before, to: after, match: match)
    return try step(.tables(migration), file, to: after)
  }

  private mutating func step(
    _ action: ResolvedStep.Action, _ file: MigrationFile
  ) throws(PersistenceError) -> ResolvedStep {
    guard let before = current else {
      let kind = file.kind == .sql ? "a script" : "a step in Swift"
      throw PersistenceError(
        .migrationRefused,
        "'\(file.fileName)' is \(kind), and there is no store for it yet: the first step of a "
          + "folder is a model step")
    }
    guard let hash = file.modelAfter, hash != before.hash else {
      return try step(action, file, to: before)
    }
    let model = try model(hash, after: file)
    let after = NumberedModel(
      try CompiledModel(model), match: ModelMatch(from: before.model.source, to: model),
      after: before)
    return try step(action, file, to: after)
  }

  private mutating func step(
    _ action: ResolvedStep.Action, _ file: MigrationFile?, to after: NumberedModel
  ) throws(PersistenceError) -> ResolvedStep {
    defer { current = after }
    return ResolvedStep(
      id: file?.id ?? "-", name: file?.name ?? "inferred", kind: file?.kind ?? .inferred,
      file: file, action: action, before: current, after: after, record: try record(of: after))
  }

  private func model(
    _ hash: String, after file: MigrationFile
  ) throws(PersistenceError) -> ManagedObjectModel {
    if let model = sequence?.models[hash] { return model }
    if let target, target.versionHash == hash { return target }
    throw .migrationFile(
      "'\(file.fileName)' leaves the model \(hash.prefix(12))… behind, which is neither the model "
        + "of a step in the folder nor the model given")
  }

  mutating func record(of state: NumberedModel) throws(PersistenceError) -> ModelRecord {
    if document?.hash != state.hash {
      document = (state.hash, try ModelWriter.text(state.model.source))
    }
    return ModelRecord(
      hash: state.hash, document: document?.text ?? "", entities: state.entities,
      roots: EntityNumbering.roots(of: state.mapping))
  }
}
