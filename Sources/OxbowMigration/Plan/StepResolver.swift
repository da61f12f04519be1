internal import OxbowModel
internal import OxbowSQL

/// Resolves the steps of a store, one after the other, from the model that it has.
struct StepResolver {
  let sequence: MigrationSequence?
  private(set) var model: CompiledModel?
  private(set) var entities: [EntityRecord]
  let target: ManagedObjectModel?

  /// The steps in Swift that the program has.
  let code: [CodeStep]

  /// The document of the last step's model: scripts leave the same one behind again and again.
  private var document: (hash: String, text: String)?

  init(
    _ state: MigrationState?, sequence: MigrationSequence?, target: ManagedObjectModel?,
    code: [CodeStep] = []
  ) throws(PersistenceError) {
    self.code = code
    self.sequence = sequence
    self.target = target
    entities = state?.entities ?? []
    model = try state.map { state throws(PersistenceError) in
      try CompiledModel(Self.model(of: state, sequence, target))
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

  /// Returns what the next file of the folder does.
  mutating func next(_ file: MigrationFile) throws(PersistenceError) -> ResolvedStep {
    switch file.content {
    case .model(let model): return try step(to: model, file: file, kind: .model)
    case .script(let script, _): return try step(.script(script), file)
    case .code(let stub):
      let code = code.first { $0.name == stub.name && $0.version == stub.version }
      return try step(.code(stub, code), file)
    }
  }

  /// Returns the step from the store's model to the target, without a file.
  mutating func inferred(to model: ManagedObjectModel) throws(PersistenceError) -> ResolvedStep {
    try step(to: model, file: nil, kind: .inferred)
  }

  private mutating func step(
    to model: ManagedObjectModel, file: MigrationFile?, kind: MigrationStepKind
  ) throws(PersistenceError) -> ResolvedStep {
    let after = try CompiledModel(model)
    let before = self.model
    let migration =
      try before.map { before throws(PersistenceError) in
        try TableMigrationBuilder.migration(from: before, to: after, entities: entities)
      } ?? TableMigrationBuilder.creation(of: after)
    defer {
      self.model = after
      entities = migration.entities
    }
    return ResolvedStep(
      id: file?.id ?? "-", name: file?.name ?? "inferred", kind: kind, file: file,
      action: .tables(migration), tablesBefore: migration.before, tablesAfter: migration.after,
      modelBefore: before?.versionHash,
      difference: ModelDifference(
        from: before?.source ?? ManagedObjectModel(entities: []), to: model),
      fills: before == nil ? [] : Self.fills(of: after, migration.entities),
      record: try record(after, migration.entities, migration.roots),
      createsStore: before == nil, models: before.map { ($0, after) })
  }

  private mutating func step(
    _ action: ResolvedStep.Action, _ file: MigrationFile
  ) throws(PersistenceError) -> ResolvedStep {
    guard let before = self.model else {
      let kind = file.kind == .sql ? "a script" : "a step in Swift"
      throw PersistenceError(
        .migrationRefused,
        "'\(file.fileName)' is \(kind), and there is no store for it yet: the first step of a "
          + "folder is a model step")
    }
    let model = try model(after: file, before: before.source)
    let after = model == before.source ? before : try CompiledModel(model)
    let records =
      file.modelAfter == nil
      ? entities
      : EntityNumbering.records(
        of: after, match: ModelMatch(from: before.source, to: model), before: entities)
    let mapping = EntityNumbering.mapping(of: after, records)
    let mappingBefore = EntityNumbering.mapping(of: before, entities)
    defer {
      self.model = after
      entities = records
    }
    return ResolvedStep(
      id: file.id, name: file.name, kind: file.kind, file: file, action: action,
      tablesBefore: mappingBefore.tables, tablesAfter: mapping.tables,
      modelBefore: before.versionHash,
      difference: ModelDifference(from: before.source, to: model),
      fills: Self.fills(of: after, records),
      record: try record(after, records, EntityNumbering.roots(of: mapping)), createsStore: false,
      models: (before, after), mappingBefore: mappingBefore,
      mappingAfter: mapping)
  }

  static func fills(
    of model: CompiledModel, _ records: [EntityRecord]
  ) -> [DerivedFill] {
    guard model.hasDerivations else { return [] }
    return DerivationGenerator(mapping: EntityNumbering.mapping(of: model, records)).fills
  }

  private func model(
    after file: MigrationFile, before: ManagedObjectModel
  ) throws(PersistenceError) -> ManagedObjectModel {
    guard let hash = file.modelAfter, hash != before.versionHash else { return before }
    if let model = sequence?.models[hash] { return model }
    if let target, target.versionHash == hash { return target }
    throw .migrationFile(
      "'\(file.fileName)' leaves the model \(hash.prefix(12))… behind, which is neither the model "
        + "of a step in the folder nor the model given")
  }

  mutating func record(
    _ model: CompiledModel, _ entities: [EntityRecord], _ roots: [Int64]
  ) throws(PersistenceError) -> ModelRecord {
    if document?.hash != model.versionHash {
      document = (model.versionHash, try ModelWriter.text(model.source))
    }
    return ModelRecord(
      hash: model.versionHash, document: document?.text ?? "", entities: entities, roots: roots)
  }
}
