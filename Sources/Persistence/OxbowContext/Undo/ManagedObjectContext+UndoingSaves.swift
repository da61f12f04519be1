public import OxbowModel
public import OxbowStore

extension ManagedObjectContext {
  /// Takes back a save that is in the history of the store, of whichever context or program, as
  /// unsaved changes.
  ///
  /// ```swift
  /// for save in try imports.reversed() { try context.undo(save) }
  /// try context.save()
  /// ```
  ///
  /// New objects are deleted, with what delete rules do to others; deleted objects come back with
  /// their IDs, values and links; changed attributes and relationships have their values before
  /// again. What comes back to an ordered relationship comes last. If the save has changed links of
  /// an ordered relationship as well, those that stay keep the order of now. Derived attributes
  /// follow, and transient ones are in no history. The save is taken back as a whole, even if a
  /// filter has left out some of its changes. The next save writes the changes, with validation and
  /// as a row of the history of its own, which can be undone in turn; until then,
  /// ``undo(overwriting:)`` takes them back, as one group.
  ///
  /// A change conflicts with what happened since: another value of the same property, an object
  /// that is gone or exists again, a link of an object that would be deleted, a to-one relationship
  /// that leads elsewhere. Unsaved changes of the context and its parents count as well. What
  /// already is as before does not conflict, neither does what was changed and changed back. Where
  /// the history lacks saves since, or has a migration, what a row that was written again had is
  /// not known, and conflicts.
  ///
  /// - Throws: ``PersistenceError``: `conflict`, of which ``PersistenceError/conflicts`` has the
  ///   values that the save left (`base`), those that would come back (`mine`) and those of now
  ///   (`theirs`); `undoRefused` for a save whose history does not have what was before: it keeps
  ///   names only (`HistoryRecording.keys`), or the values were in files or above 64 KiB, or a
  ///   migration has removed what they belong to; `historyMissed`, `historyForeign`, `historyOff`,
  ///   `unsupported` as `PersistentStoreCoordinator.history(after:where:)`; `storeReadOnly` for a
  ///   context that reads one moment; why rows could not be read. Nothing has changed then.
  /// - Complexity: O(changes of the save), and of all later ones if rows that it wrote were written
  ///   again.
  public func undo(_ save: HistoryTransaction) throws(PersistenceError) {
    try begin("undo(_:)")
    guard !isPinned else { throw .undoInPinned(name) }
    let reversal = try HistoryReversal(of: save, in: self)
    let events = reversal.parts.map { coordinator.event(of: $0) }
    try takeIn(events)
    try reversal.make(try storedRows(of: reversal.items.map(\.reference)))
  }

  /// Merges saves, in the parents first: a child reads what they have.
  private func takeIn(_ events: [SaveEvent]) throws(PersistenceError) {
    try parent?.takeIn(events)
    try merge(events)
  }
}

// MARK: - Making it

extension HistoryReversal {
  /// Checks everything, and makes the changes.
  fileprivate func make(_ rows: [ObjectReference: SlabRow]) throws(PersistenceError) {
    let conflicts = try HistoryConflicts(of: self, rows)
    let returning = items.filter { $0.kind == .delete }
    var delta = try delta(conflicts)
    delta.vanished = items.filter { $0.kind == .insert && $0.exists(rows, in: context) }
      .map { GraphDelta.Object(object: context.object(at: $0.reference)) }
    var checker = DeltaApplier(delta, in: context, returning: Set(returning.map(\.reference)))
    try checker.read()
    try conflicts.refuse(checker.problems())
    delta.vanished = []
    var applier = DeltaApplier(delta, in: context)
    applier.missing = checker.missing
    try allOrNothing(checker.leaving, returning) { () throws(PersistenceError) in
      for item in returning { bringBack(item) }
      _ = try applier.apply()
      for object in checker.leaving where object._state.isDisjoint(with: [.deleted, .detached]) {
        try context.applyDeletion(of: object)
      }
      try context.throwPendingFault()
    }
  }

  /// Makes the changes as one group for an undo, or none of them: a deletion reads what its rules
  /// need, and calls hooks.
  private func allOrNothing(
    _ leaving: [ManagedObject], _ returning: [Item],
    _ body: () throws(PersistenceError) -> Void
  ) throws(PersistenceError) {
    let log = context.undoLog
    log?.closeImplicitGroup()
    let recorded = log?.mark()
    let memento = leaving.isEmpty ? nil : GraphMemento(of: context)
    do throws(PersistenceError) {
      try context.undoGroup(nil, body)
    } catch {
      memento?.restore(context)
      if let recorded { log?.restore(recorded) }
      // A fault of an object without a row.
      for item in returning { context.registered(item.reference).map { context.expel($0) } }
      throw error
    }
  }

  /// The changes of objects that remain, and all links.
  private func delta(_ conflicts: HistoryConflicts) throws(PersistenceError) -> GraphDelta {
    var delta = GraphDelta()
    var coming = ended
    for item in items where item.kind != .insert {
      let entity = context.model.entities[item.reference.entity]
      for (index, value) in item.before.sorted(by: { $0.key < $1.key }) {
        let property = entity.properties[index]
        if let relationship = property.relationship {
          guard let id = value.objectIDs.first,
            let other = try? context.coordinator.reference(for: id)
          else { continue }
          coming.append(context.model.link(relationship, from: item.reference, to: other))
        } else if item.kind == .update {
          delta.attributes += change(of: property, item, value, conflicts)
        }
      }
    }
    delta.links =
      begun.map { GraphDelta.LinkChange(link: $0, isAdded: false) }
      + (try known(coming)).map { GraphDelta.LinkChange(link: $0, isAdded: true) }
    return delta
  }

  /// Links with the entities that their objects have: a key in the history says the root only, and
  /// of what only links were changed, the history has the entity that declares them.
  private func known(_ links: [GraphDelta.Link]) throws(PersistenceError) -> [GraphDelta.Link] {
    func exact(_ reference: ObjectReference) -> ObjectReference? {
      item(of: reference).flatMap { $0.kind == .update ? nil : $0.reference }
    }
    let ends = Set(links.flatMap { [$0.owner, $0.member] }).filter {
      exact($0) == nil && context.registered($0)?._state.contains(.fault) != false
    }
    if !ends.isEmpty { _ = try context.storedReferences(among: ends) }
    func known(_ reference: ObjectReference) -> ObjectReference {
      exact(reference) ?? context.registered(reference)?.reference
        ?? item(of: reference)?.reference ?? reference
    }
    return links.map { link in
      GraphDelta.Link(
        relationship: link.relationship, owner: known(link.owner), member: known(link.member))
    }
  }

  private func change(
    of property: CompiledProperty, _ item: Item, _ value: PropertyValue,
    _ conflicts: HistoryConflicts
  ) -> [GraphDelta.Attribute] {
    let now = conflicts.current[item.reference]?[property.name] ?? .null
    if value.isIdentical(to: now) { return [] }
    return [
      GraphDelta.Attribute(
        object: item.reference, property: property.index, before: .init(value: now.attribute),
        after: .init(value: value.attribute))
    ]
  }

  /// Makes an object again, without links.
  private func bringBack(_ item: Item) {
    let entity = context.model.entities[item.reference.entity]
    if let fault = context.registered(item.reference) {
      context.identity.remove(fault)
      fault._state.insert(.detached)
    }
    context.faults.errors[item.reference] = nil
    let object = context.makeNewObject(
      of: entity, key: item.reference.key, version: item.version == 0 ? version : item.version)
    for property in entity.properties {
      if property.relationship?.isLeftByDeletion == true {
        // Its members still have keys that lead to it.
        object.overlay?[property.index] = .unchanged
      } else if property.relationship == nil, let value = item.before[property.index] {
        object.setAttribute(property.index, to: value.attribute)
      }
    }
  }

  /// A version that no row deleted by the save can have had: each return of an object takes two
  /// saves, and raises its version by 1 << 32.
  private var version: Int64 { (number & 0x3FFF_FFFF) << 32 }
}

extension PersistenceError {
  fileprivate static func undoInPinned(_ context: String) -> PersistenceError {
    PersistenceError(
      .storeReadOnly,
      "no save was undone: the context '\(context)' reads one moment of the store, in which nothing "
        + "can be changed; undo it in a context without a pinned view")
  }
}
