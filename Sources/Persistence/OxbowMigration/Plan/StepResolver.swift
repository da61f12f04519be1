internal import OxbowModel
internal import OxbowRelational

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

  /// The tables of the model that the store has now, likewise.
  private var tables: Tables?

  /// What follows from a model and the numbers of its entities.
  private struct Tables {
    let mapping: StoreMapping
    let fills: [DerivedFill]
    let roots: [Int64]

    init(of model: CompiledModel, _ entities: [EntityRecord]) {
      mapping = EntityNumbering.mapping(of: model, entities)
      fills = StepResolver.fills(of: model, entities)
      roots = EntityNumbering.roots(of: mapping)
    }
  }

  init(
    _ state: MigrationState?, sequence: MigrationSequence?, target: ManagedObjectModel?,
    code: [CodeStep] = []
  ) throws(PersistenceError) {
    (self.code, self.sequence, self.target) = (code, sequence, target)
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
      tables = nil
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
    let tables = tables(of: before)
    guard let hash = file.modelAfter, hash != before.versionHash else {
      return try step(action, file, from: before, tables, to: before, tables, entities)
    }
    let model = try model(hash, after: file)
    let after = try CompiledModel(model)
    let records = EntityNumbering.records(
      of: after, match: ModelMatch(from: before.source, to: model), before: entities)
    let tablesAfter = Tables(of: after, records)
    defer { (self.model, entities, self.tables) = (after, records, tablesAfter) }
    return try step(action, file, from: before, tables, to: after, tablesAfter, records)
  }

  private mutating func step(
    _ action: ResolvedStep.Action, _ file: MigrationFile, from before: CompiledModel,
    _ tablesBefore: Tables, to after: CompiledModel, _ tablesAfter: Tables,
    _ records: [EntityRecord]
  ) throws(PersistenceError) -> ResolvedStep {
    ResolvedStep(
      id: file.id, name: file.name, kind: file.kind, file: file, action: action,
      tablesBefore: tablesBefore.mapping.tables, tablesAfter: tablesAfter.mapping.tables,
      modelBefore: before.versionHash,
      difference: before === after
        ? .none : ModelDifference(from: before.source, to: after.source),
      fills: tablesAfter.fills, record: try record(after, records, tablesAfter.roots),
      createsStore: false, models: (before, after), mappingBefore: tablesBefore.mapping,
      mappingAfter: tablesAfter.mapping)
  }

  /// The tables of the model that the store has now.
  private mutating func tables(of model: CompiledModel) -> Tables {
    let found = tables ?? Tables(of: model, entities)
    tables = found
    return found
  }

  static func fills(
    of model: CompiledModel, _ records: [EntityRecord]
  ) -> [DerivedFill] {
    guard model.hasDerivations else { return [] }
    return DerivationGenerator(mapping: EntityNumbering.mapping(of: model, records)).fills
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
