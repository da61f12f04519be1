internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational

extension ResolvedStep {
  /// How the step is made beside programs; `nil` where there is nothing to make so.
  func onlineChange(_ backend: any MigrationBackend) -> OnlineChange? {
    guard !createsStore, case .tables(let migration) = action else { return nil }
    return backend.onlineChange(migration)
  }

  /// The step as it is when all was made beside programs.
  func closing(_ backend: any MigrationBackend) -> ResolvedStep {
    guard let change = onlineChange(backend) else { return self }
    var step = self
    step.action = .tables(change.closing)
    step.keepsDerivedValues = true
    return step
  }

  /// Whether derived attributes keep their values: they are those of before, and what objects have
  /// stays as it is.
  fileprivate func leavesDerived(_ change: OnlineChange) -> Bool {
    let known = Set(before?.model.source.derivedAttributes ?? [])
    return known.isSuperset(of: after.model.source.derivedAttributes) && !renamesProperties
      && change.parts.allSatisfy { $0.operation.kind != .fill }
  }

  /// Whether names mean other properties than before, as derivations may see.
  private var renamesProperties: Bool {
    let old = before?.model.source.entities ?? []
    return after.model.source.entities.contains { entity in
      let former = old.first { $0.name == entity.renamingIdentifier ?? entity.name }
      let known = Set(former?.propertyNames ?? [])
      return former.map { $0.name != entity.name } ?? false
        || entity.formerNames.contains { known.contains($0) }
    }
  }

  /// Whether it is anything but a change of tables.
  var isDoneWithoutTables: Bool { if case .tables = action { false } else { true } }

  var changesModel: Bool { modelBefore != record.hash }
}

extension Migrator {
  /// Refuses steps that cannot be made beside programs, with each reason.
  func requireOnline(
    _ steps: [ResolvedStep], _ allowsLoss: Bool
  ) throws(PersistenceError) {
    let changing = steps.filter(\.changesModel)
    if changing.count > 1 {
      throw PersistenceError(
        .migrationRefused,
        "\(changing.count) steps change the model, and programs of before end with the first of them; "
          + "online, apply one at a time (--up-to \(changing[0].id)) and start its programs between, or "
          + "put them into one step")
    }
    try PersistenceError.refuse(
      steps.flatMap { reasons($0, allowsLoss) }, as: "reason", .migrationRefused,
      "the steps cannot be made online; apply them without --online while no program needs the store"
    )
  }

  private func reasons(_ step: ResolvedStep, _ allowsLoss: Bool) -> [String] {
    guard !step.createsStore, !step.isBatched else { return [] }
    guard case .tables = step.action else {
      return [
        "\(step.label): it is a script, or a step in Swift without batches, and runs as a whole"
      ]
    }
    guard let change = step.onlineChange(backend) else {
      return ["\(step.label): the store is in a file, which a migration has for itself"]
    }
    var reasons = change.refusals
    if !step.fills.isEmpty, !step.leavesDerived(change) {
      reasons.append("derived attributes are computed for all objects at once")
    }
    if !allowsLoss, !step.allowsLoss {
      reasons += step.losses.map {
        "it would remove \($0.subject), which programs may still save; allow the loss with "
          + "--allow-loss, or in its file"
      }
    }
    return reasons.map { "\(step.label): \($0)" }
  }

  /// Makes what a step needs beside programs, from where the store's history says that it is.
  ///
  /// Each part is noted in its own transaction, so that a run that was ended goes on behind it.
  func prepare(
    _ step: ResolvedStep, baseline: MigrationFile?, _ session: any MigrationSession,
    _ progress: (MigrationProgress) -> Void
  ) throws {
    guard let change = step.onlineChange(backend), !change.parts.isEmpty else { return }
    let start = Date()
    var position = try session.transaction { store in
      let first = OnlinePosition(change)
      let history = HistoryCheck(try store.state()?.history ?? [])
      if let found = first.resumed(history.unfinished) { return found }
      // What was made for another change is of no use.
      try store.discardPrepared()
      if let baseline { try append(.baselined, baseline, model: step.modelBefore, to: store) }
      try note(first, of: step, started: start, in: store)
      return first
    }
    while !position.isOver {
      guard !backend.isInterrupted else { throw PersistenceError.interrupted }
      let part = change.parts[position.done]
      let last = try session.run(part, after: position.key) { store, last in
        let found = HistoryCheck(try store.state()?.history ?? []).unfinished?.cursor
        guard found == position.description else {
          throw PersistenceError(
            .storeLocked,
            "\(step.label): another migration has gone on with the store, whose lock this one has lost; "
              + "see 'migrate status', and apply again")
        }
        var next = position
        next.advance(last)
        try note(next, of: step, started: start, in: store)
      }
      position.advance(last)
      progress(.prepared(name: step.label, parts: position.done, count: position.count))
    }
  }

  /// Throws away what was prepared, where nothing else is to be done.
  func discardPrepared() throws {
    try backend.exclusively { session in
      try session.transaction { try discardPrepared(in: $0) }
    }
  }

  /// Throws away what was prepared for a step that is not made so.
  func discardPrepared(in store: any MigrationTransaction) throws {
    guard HistoryCheck(try store.state()?.history ?? []).isPreparing else { return }
    try store.discardPrepared()
    try store.removeProgress()
  }

  private func note(
    _ position: OnlinePosition, of step: ResolvedStep, started: Date,
    in store: any MigrationTransaction
  ) throws {
    var progress = entry(of: step)
    progress.event = HistoryEntry.Event.progressed.rawValue
    progress.cursor = position.description
    // The store has the model of before until the step is over.
    progress.modelAfter = step.modelBefore
    try store.removeProgress()
    try append(progress, started, to: store)
  }
}

extension EntityDescription {
  fileprivate var propertyNames: [String] { attributes.map(\.name) + relationships.map(\.name) }

  /// The names that properties had which have another one now.
  fileprivate var formerNames: [String] {
    attributes.compactMap { $0.renamingIdentifier == $0.name ? nil : $0.renamingIdentifier }
      + relationships.compactMap { $0.renamingIdentifier == $0.name ? nil : $0.renamingIdentifier }
  }
}

extension ManagedObjectModel {
  fileprivate struct DerivedAttribute: Hashable {
    let entity: String
    let attribute: AttributeDescription
  }

  fileprivate var derivedAttributes: [DerivedAttribute] {
    entities.flatMap { entity in
      entity.attributes.filter { $0.derivation != nil }
        .map { DerivedAttribute(entity: entity.name, attribute: $0) }
    }
  }
}
