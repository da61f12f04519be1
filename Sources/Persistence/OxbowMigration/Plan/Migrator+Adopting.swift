internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational

extension Migrator {
  /// Notes in a store without a history of the folder that the steps up to a number, or all, count
  /// as done; with 0, that none does.
  ///
  /// - Returns: The name of the last of them; `nil` when the store has a history or there is none.
  /// - Throws: ``PersistenceError`` with code `modelMismatch` when the store has another model than
  ///   the steps lead to, `migrationDrift` when its tables are not those of its model.
  @discardableResult
  public func baseline(upTo last: Int? = nil) throws -> String? {
    guard let sequence else { return nil }
    let place = last == 0 ? nil : try sequence.files(upTo: last)
    return try backend.exclusively { session in
      try session.transaction { store in
        guard let state = try store.state(), HistoryCheck(state.history).isEmpty else { return nil }
        guard sequence.places(of: state.modelHash).contains((place?.all.count ?? 0) - 1) else {
          let steps = place.map { "the steps up to '\($0.last.fileName)'" } ?? "no step"
          throw PersistenceError(
            .modelMismatch,
            "the store has the model \(state.modelHash.prefix(12))…, and \(steps) of "
              + "'\(sequence.folder)' lead to another one")
        }
        try requireSound(
          StepResolver(state, sequence: sequence, target: target, in: backend.dialect), in: store)
        try beforeChange?()
        if let file = place?.last {
          try append(.baselined, file, model: state.modelHash, to: store)
          return file.fileName
        }
        let start = HistoryEntry(
          id: HistoryCheck.start, name: "none", kind: MigrationStepKind.inferred.rawValue,
          event: .baselined, modelBefore: state.modelHash, modelAfter: state.modelHash)
        try append(start, Date(), to: store)
        return "none"
      }
    }
  }

  private func requireSound(_ resolver: StepResolver, in store: any MigrationReading) throws {
    try PersistenceError.refuse(
      resolver.differences(in: store), as: "difference", .migrationDrift,
      "the store's tables are not those of its model")
    try PersistenceError.refuse(
      resolver.rowProblems(in: store), as: "found", .migrationRefused,
      "the store has rows that no object can have; see 'store doctor'")
  }

  /// Makes a store of a database that something else made, when its tables are those of a model.
  ///
  /// The model is the one that the folder's steps lead to. Rows stay as they are.
  ///
  /// - Parameters:
  ///   - last: The number of the last step that counts as done; all of them without it.
  ///   - history: The names of the migrations that the database has had, for the store's history.
  ///   - tool: What applied them.
  /// - Returns: The name of the last file that counts as done.
  /// - Throws: ``PersistenceError`` with code `migrationRefused` when tables or rows are not the
  ///   model's, with what differs.
  package func adopt(
    upTo last: Int? = nil, history: [String], of tool: String
  ) throws -> String {
    guard let sequence else {
      throw PersistenceError.migrationFile("a folder is needed whose steps lead to a model")
    }
    let (file, model) = try end(of: sequence, upTo: last)
    return try backend.exclusively { session in
      try session.transaction { store in
        var resolver = try StepResolver(nil, sequence: sequence, target: nil, in: backend.dialect)
        let step = try resolver.inferred(to: model)
        try requireTables(of: step, file, in: store)
        try beforeChange?()
        try store.createStore()
        try store.setModel(step.record, nil)
        try appendImported(history, of: tool, model: step.record.hash, to: store)
        try append(.baselined, file, model: step.record.hash, to: store)
        return file.fileName
      }
    }
  }

  func appendImported(
    _ history: [String], of tool: String, model: String, to store: any MigrationTransaction
  ) throws {
    for name in history {
      let entry = HistoryEntry(
        id: "-", name: name, kind: tool, event: .imported, modelAfter: model)
      try append(entry, Date(), to: store)
    }
  }

  func end(
    of sequence: MigrationSequence, upTo last: Int?
  ) throws(PersistenceError) -> (MigrationFile, ManagedObjectModel) {
    let (file, done) = try sequence.files(upTo: last)
    guard let model = done.compactMap(\.modelAfter).last.flatMap({ sequence.models[$0] }) else {
      throw .migrationFile(
        "the steps of '\(sequence.folder)' up to '\(file.fileName)' lead to no model; the first step "
          + "is a model step: oxbowctl migrate new NAME --model MODEL --migrations "
          + sequence.folder.shellWord)
    }
    return (file, model)
  }

  private func requireTables(
    of step: ResolvedStep, _ file: MigrationFile, in store: any MigrationReading
  ) throws {
    var differences = try store.differences(from: step.tablesAfter)
    if differences.isEmpty {
      let mapping = step.after.mapping
      let written = WrittenColumns(allOf: mapping.tables)
      differences =
        try RowHeaderCheck(mapping: mapping).problems(in: store)
        + WrittenCheck(mapping: mapping, written: written).problems(in: store)
    }
    try PersistenceError.refuse(
      differences, as: "difference", .migrationRefused,
      "the tables are not those of the model behind '\(file.fileName)', so the database cannot be "
        + "used as a store as it is; --convert writes them anew and keeps the rows (--dry-run tells "
        + "how). Nothing was changed")
  }
}

extension MigrationSequence {
  /// The files up to a step, all of them without a number, and the last of them.
  func files(
    upTo last: Int?
  ) throws(PersistenceError) -> (last: MigrationFile, all: [MigrationFile]) {
    let all = files.filter { $0.number <= last ?? .max }
    guard let file = all.last, last == nil || file.number == last else {
      throw .migrationFile(
        "the folder '\(folder)' has no step \(last ?? 0); it has "
          + PersistenceError.listed(files.map(\.id)))
    }
    return (file, all)
  }
}
