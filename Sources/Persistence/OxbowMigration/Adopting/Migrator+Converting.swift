internal import OxbowFoundation
internal import OxbowModel
package import OxbowRelational

/// How the tables of another tool are to be read.
package struct ForeignOptions: Sendable {
  package var map: ForeignMap
  package var dates: NumericDates

  /// Whether what has no target may go.
  package var allowsLoss: Bool

  /// The number of the last step of the folder that counts as done; all of them without it.
  package var last: Int?

  package init(
    map: ForeignMap, dates: NumericDates = .unix, allowsLoss: Bool = false, last: Int? = nil
  ) {
    (self.map, self.dates, self.allowsLoss, self.last) = (map, dates, allowsLoss, last)
  }
}

extension Migrator {
  /// Plans what ``convert(_:history:of:show:progress:)`` would do; reads only.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationRefused` for whatever would be refused
  ///   there, after `show` has seen the plan; what goes without consent is not among it.
  package func planConversion(
    _ options: ForeignOptions, show: (ForeignPlan) throws -> Void
  ) throws {
    let goal = try goal(options)
    try backend.read { store in
      let conversion = try prepared(goal, options, in: store)
      try show(conversion.plan)
      try requireRows(conversion.builder, in: store)
    }
  }

  /// Makes a store of a database that another tool made, by writing its tables anew as those of a
  /// model.
  ///
  /// All of it is one transaction. What does not convert refuses it, and so does what would go
  /// without a target, unless that is allowed.
  ///
  /// - Parameters:
  ///   - options: How the tables are read.
  ///   - history: The names of the migrations that the database has had, for the store's history.
  ///   - tool: What applied them.
  ///   - show: Sees what will be done before anything is refused or written.
  ///   - progress: Hears now and then how many rows are written.
  /// - Returns: The name of the last file that counts as done; `nil` without a folder.
  /// - Throws: ``PersistenceError`` with code `migrationRefused`, with each reason.
  package func convert(
    _ options: ForeignOptions, history: [String], of tool: String,
    show: (ForeignPlan) throws -> Void = { _ in },
    progress: (StepProgress) -> Void = { _ in }
  ) throws -> String? {
    let goal = try goal(options)
    return try backend.exclusively { session in
      guard !backend.isInterrupted else { throw PersistenceError.interrupted }
      do {
        try session.transaction { store in
          let conversion = try prepared(goal, options, in: store)
          try show(conversion.plan)
          try requireRows(conversion.builder, in: store)
          try refuseLosses(conversion.plan, options)
          try beforeChange?()
          try run(conversion.builder.conversion, goal, in: store, progress)
          try note(history, tool, goal, in: store)
        }
      } catch let error as PersistenceError where error.code == .commitUnknown {
        let hash = goal.step.record.hash
        let isDone = try? session.transaction { try $0.state()?.modelHash == hash }
        guard isDone == true else { throw error }
      }
      return goal.file?.fileName
    }
  }
}

// MARK: - Parts

extension Migrator {
  private struct Goal {
    let file: MigrationFile?
    let step: ResolvedStep
    var mapping: StoreMapping { step.after.mapping }
  }

  private func goal(_ options: ForeignOptions) throws(PersistenceError) -> Goal {
    let (file, model) = try modelToConvertTo(options.last)
    var resolver = try StepResolver(nil, sequence: sequence, target: nil, in: backend.dialect)
    return Goal(file: file, step: try resolver.inferred(to: model))
  }

  private func modelToConvertTo(
    _ last: Int?
  ) throws(PersistenceError) -> (MigrationFile?, ManagedObjectModel) {
    if let sequence {
      let (file, model) = try end(of: sequence, upTo: last)
      if last == nil { try requireTarget(model.versionHash, sequence) }
      return (file, model)
    }
    guard let target else {
      throw PersistenceError(
        .migrationRefused,
        "a model is needed that the tables shall be those of: --model, or a folder")
    }
    return (nil, target)
  }

  private func prepared(
    _ goal: Goal, _ options: ForeignOptions, in store: any MigrationReading
  ) throws -> (builder: ConversionBuilder, plan: ForeignPlan) {
    guard let schema = try store.foreignSchema() else {
      throw PersistenceError(
        .migrationRefused,
        "the database is a store by now, or empty; look at it with 'migrate status'")
    }
    let builder = ConversionBuilder(
      schema, goal.mapping, ForeignValues(dates: options.dates), options.map)
    // With something unclear, statements may name what is not there.
    let losses = try builder.losses.compactMap { loss throws -> ForeignLoss? in
      var counted = loss
      if let condition = loss.condition { counted.count = try store.count(condition) }
      return counted.count == 0 ? nil : counted
    }
    return (builder, ForeignPlan(builder, losses: losses))
  }

  /// Refuses tables that are not clear, and rows that cannot become what the model wants.
  private func requireRows(
    _ builder: ConversionBuilder, in store: any MigrationReading
  ) throws {
    var problems = builder.problems
    if problems.isEmpty {
      problems = try builder.checks.compactMap { check in
        let count = try store.count(check.condition)
        return count == 0
          ? nil : "\(check.subject): \(count); \(check.advice)"
      }
    }
    try PersistenceError.refuse(
      problems, as: "found", .migrationRefused,
      "the tables cannot become those of the model; nothing was changed")
  }

  private func refuseLosses(
    _ plan: ForeignPlan, _ options: ForeignOptions
  ) throws(PersistenceError) {
    guard !options.allowsLoss, !plan.losses.isEmpty else { return }
    throw PersistenceError(
      .migrationRefused,
      "some of the database has no place in the model and would go; say where it belongs (--map), add "
        + "it to the model, or let it go with --allow-loss. Nothing was changed",
      details: plan.losses.map { .init(label: "goes", text: $0.description) }
        + plan.hints.map { .init(label: "did you mean", text: "--map \($0)") })
  }

  private func run(
    _ conversion: TableConversion, _ goal: Goal, in store: any MigrationTransaction,
    _ progress: (StepProgress) -> Void
  ) throws {
    try store.createStore()
    try store.setModel(goal.step.record, nil)
    try store.run(conversion, progress: progress)
    for fill in goal.step.after.fills { try store.run(fill) }
    var problems = try store.differences(from: goal.step.tablesAfter)
    if problems.isEmpty {
      let written = WrittenColumns(allOf: goal.step.tablesAfter)
      problems = try WrittenCheck(mapping: goal.mapping, written: written).problems(in: store)
    }
    try PersistenceError.refuse(
      problems, as: "difference", .migrationRefused,
      "the tables would not be those of the model; nothing was changed")
  }

  private func note(
    _ history: [String], _ tool: String, _ goal: Goal, in store: any MigrationTransaction
  ) throws {
    let hash = goal.step.record.hash
    try appendImported(history, of: tool, model: hash, to: store)
    if let file = goal.file { return try append(.baselined, file, model: hash, to: store) }
    let entry = HistoryEntry(
      id: "-", name: "converted", kind: tool, event: .imported, modelAfter: hash)
    try append(entry, Date(), to: store)
  }
}

extension ForeignLoss: CustomStringConvertible {
  /// "values of 'book.note': 3", "the view 'titles'".
  package var description: String {
    switch kind {
    case .values, .rows, .links: "\(subject): \(count)"
    case .table, .index, .view, .trigger: subject
    }
  }
}
