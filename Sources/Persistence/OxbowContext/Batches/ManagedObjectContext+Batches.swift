public import OxbowFoundation
public import OxbowModel
internal import OxbowStore

// Changes of many objects in the store, without reading them. For the context, they are like a save
// of another context.

extension ManagedObjectContext {
  /// Sets attributes of all objects of a class that meet a condition, in one statement.
  ///
  /// ```swift
  /// let result = try context.batchUpdate(Book.self, where: .greater("pages", 500)) {
  ///   $0.set(\.isLong, to: true)
  ///   $0.set(\.price, toFormat: "price * 1.1")
  /// }
  /// print(result.count)
  /// ```
  ///
  /// It happens at once, as a save of its own: the condition and the expressions see the store, not
  /// the unsaved changes of this context. The rules of the model's attributes are checked, hooks
  /// and rules of classes do not run, and nothing is recorded for undo. Versions are raised: a
  /// context with unsaved changes of such an object finds a conflict. Clean objects of this context
  /// have the new values when the call returns; other contexts hear of it as of a save.
  ///
  /// - Returns: The objects that were updated, those of subclasses included.
  /// - Throws: ``PersistenceError``: `unknownProperty` and `invalidPredicate` for properties that
  ///   the model does not have and expressions that a store cannot compute, `validation` with the
  ///   rules that values would break, `uniquenessViolated`, `unsupported` in a child context; why
  ///   the store could not be written. Nothing has changed then.
  @discardableResult
  public func batchUpdate<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: FetchPredicate? = nil,
    _ assign: (inout BatchAssignments<T>) -> Void
  ) throws(PersistenceError) -> BatchResult {
    var assignments = BatchAssignments<T>()
    assign(&assignments)
    if let error = assignments.error { throw error }
    return try batchUpdate(FetchRequest<T>(where: predicate), assignments.values)
  }

  /// Sets attributes of all objects that a request finds, by name.
  ///
  /// ```swift
  /// try context.batchUpdate(
  ///   FetchRequest<ManagedObject>(entityNamed: "Book"), [("pages", .value(.null))])
  /// ```
  ///
  /// - Throws: ``PersistenceError`` as with a class.
  @discardableResult
  public func batchUpdate<T: ManagedObject>(
    _ request: FetchRequest<T>, _ values: [(name: String, value: FetchExpression)]
  ) throws(PersistenceError) -> BatchResult {
    try beginBatch("batchUpdate")
    let fetch = try storeFetch(request)
    let values = try checked(values, of: model.entities[fetch.entity])
    guard !values.isEmpty else { return BatchResult(objectIDs: []) }
    var update = StoreUpdate(fetch, values)
    (update.author, update.contextName) = (work.author, name)
    update.announcement = coordinator.newAnnouncement()
    let updated = try uncancelled { () throws(PersistenceError) in try store.update(update) }
    statistics.saves += updated.objects.isEmpty ? 0 : 1
    work.note(updated.historyToken)
    var changes = ChangeSet()
    changes.updates = updated.objects.map {
      ChangeSet.Update(entity: $0.entity, key: $0.key, version: 0, values: [])
    }
    changes.announcement = update.announcement
    tell(changes, SaveResult(derived: updated.derived), updated.historyToken)
    return BatchResult(objectIDs: updated.objects.map { coordinator.id(of: $0) })
  }

  /// Sets attributes of all objects that meet a `#Predicate`.
  ///
  /// - Throws: ``PersistenceError`` as with a `FetchPredicate`, and `unsupported` for what a store
  ///   cannot answer.
  @discardableResult
  public func batchUpdate<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: Predicate<T>,
    _ assign: (inout BatchAssignments<T>) -> Void
  ) throws(PersistenceError) -> BatchResult {
    try batchUpdate(type, where: try FetchPredicate(predicate), assign)
  }

  /// Deletes all objects of a class that meet a condition, without reading the objects.
  ///
  /// Delete rules are followed through all levels, so that nothing is orphaned: cascades, nullified
  /// links and denied deletions. It happens at once, as a save of its own; the rest is as for
  /// ``batchUpdate(_:where:_:)-(_,FetchPredicate?,_)``.
  ///
  /// - Returns: The objects that were deleted, those of cascades included.
  /// - Throws: ``PersistenceError``: `validation` for a deletion that is denied, or that would take
  ///   a required object away from another; `conflict` when others save the same objects again and
  ///   again, or still lead to one without an inverse relationship; and as for an update. Nothing
  ///   has changed then.
  @discardableResult
  public func batchDelete<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: FetchPredicate? = nil
  ) throws(PersistenceError) -> BatchResult {
    try batchDelete(FetchRequest<T>(where: predicate))
  }

  /// Deletes all objects that a request finds, without reading the objects.
  ///
  /// - Throws: ``PersistenceError`` as with a class.
  @discardableResult
  public func batchDelete<T: ManagedObject>(
    _ request: FetchRequest<T>
  ) throws(PersistenceError) -> BatchResult {
    try beginBatch("batchDelete")
    let fetch = try storeFetch(request)
    for attempt in 1... {
      var plan = BatchDeletion(in: self)
      try plan.collect(fetch)
      var changes = plan.changes
      guard !changes.deletes.isEmpty else { break }
      do throws(PersistenceError) {
        try saveAndTell(&changes)
        return BatchResult(objectIDs: changes.deletes.map { coordinator.id(of: $0.reference) })
      } catch {
        // Another context saved one of the objects meanwhile.
        guard error.code == .conflict, attempt < Self.batchAttempts else { throw error }
      }
    }
    return BatchResult(objectIDs: [])
  }

  /// Writes a change set that no objects have made, and notifies others of it.
  private func saveAndTell(_ changes: inout ChangeSet) throws(PersistenceError) {
    (changes.author, changes.contextName) = (work.author, name)
    changes.announcement = coordinator.newAnnouncement()
    let toSave = changes
    let result = try uncancelled { () throws(PersistenceError) in try store.save(toSave) }
    statistics.saves += 1
    work.note(result.historyToken)
    if !store.keepsReservedKeys { coordinator.forgetReservedKeys() }
    tell(changes, result, result.historyToken)
  }

  /// How often others may save objects of a deletion while it is planned.
  private static let batchAttempts = 5

  /// Deletes all objects that meet a `#Predicate`.
  ///
  /// - Throws: ``PersistenceError`` as with a `FetchPredicate`, and `unsupported` for what a store
  ///   cannot answer.
  @discardableResult
  public func batchDelete<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: Predicate<T>
  ) throws(PersistenceError) -> BatchResult {
    try batchDelete(type, where: try FetchPredicate(predicate))
  }

  /// Inserts one object for each element of a sequence, without making objects.
  ///
  /// ```swift
  /// try context.batchInsert(Book.self, lines) { line, book in
  ///   book.set(\.title, to: line.title)
  ///   book.set(\.pages, to: line.pages)
  /// }
  /// ```
  ///
  /// All of them are one save. Attributes that are not set have the model's default values. The
  /// rules of the model's attributes are checked; a required relationship cannot be met, and is
  /// refused.
  ///
  /// - Returns: The new objects, in the order of the elements.
  /// - Throws: ``PersistenceError``: `validation`, `uniquenessViolated`, `unknownProperty`, and as
  ///   for ``insert(_:)``. Nothing has changed then.
  @discardableResult
  public func batchInsert<T: ManagedObject & ModelObject, Elements: Sequence>(
    _ type: T.Type, _ elements: Elements,
    _ fill: (Elements.Element, inout BatchAssignments<T>) -> Void
  ) throws(PersistenceError) -> BatchResult {
    try beginBatch("batchInsert")
    let insertion = try BatchInsertion(of: try entity(of: type), in: self)
    var changes = ChangeSet()
    for element in elements {
      var assignments = BatchAssignments<T>()
      fill(element, &assignments)
      if let error = assignments.error { throw error }
      changes.inserts.append(try insertion.insert(assignments.values))
    }
    guard !changes.isEmpty else { return BatchResult(objectIDs: []) }
    try saveAndTell(&changes)
    return BatchResult(objectIDs: changes.inserts.map { coordinator.id(of: $0.reference) })
  }
}

// MARK: - Before and after

extension ManagedObjectContext {
  private func beginBatch(_ action: String) throws(PersistenceError) {
    try begin(action)
    try requireNoTransaction(action)
    guard let parent else { return }
    throw PersistenceError(
      .unsupported,
      "'\(action)' was called in the context '\(name)', whose parent is the context "
        + "'\(parent.name)': a batch changes the store, past the parent; call it in a context "
        + "without a parent")
  }

  private func checked(
    _ values: [(name: String, value: FetchExpression)], of entity: CompiledEntity
  ) throws(PersistenceError) -> [(property: Int, value: FetchExpression)] {
    var checked: [(property: Int, value: FetchExpression)] = []
    for (name, value) in values {
      let property = try entity.requireProperty(named: name)
      try property.requireBatchAttribute(of: entity)
      checked.removeAll { $0.property == property.index }
      if case .value(.attribute(let constant)) = value {
        let rounded = constant.rounded(for: property.attribute?.type)
        checked.append((property.index, .value(.attribute(rounded))))
      } else {
        checked.append((property.index, value))
      }
    }
    return checked
  }

  /// Notifies others of changes in the store, and brings the objects of this context up to date.
  private func tell(_ changes: ChangeSet, _ result: SaveResult, _ place: HistoryToken?) {
    if coordinator.hasSubscribers {
      coordinator.announce(
        changes, result, by: name, at: place, except: relatives.news?.subscription)
    }
    var concerning = changes
    // Links of the others are as they were, so only objects in memory have to be read.
    concerning.updates.removeAll { registered($0.reference) == nil }
    concerning.inserts = []
    let event = coordinator.event(of: concerning, result, by: name, at: place)
    do throws(PersistenceError) {
      try withoutRecording { () throws(PersistenceError) in try merge([event]) }
    } catch {
      // The change is made; rows that could not be read are read with the next access.
      for object in concerning.updates.compactMap({ registered($0.reference) })
      where object._state.isDisjoint(with: .changed) {
        object.becomeFault(model, owner: token)
      }
    }
  }
}

extension CompiledProperty {
  func requireBatchAttribute(of entity: CompiledEntity) throws(PersistenceError) {
    let reason: String
    if relationship != nil {
      reason = "is a relationship, whose other end would have to change with it: change objects"
    } else if attribute?.derivation != nil {
      reason = "is derived, and computed by the store"
    } else if isComposite {
      reason = "is composite: set its parts by their paths, as in '\(name).part'"
    } else if slot < 0 {
      reason = "is kept in memory only"
    } else {
      return
    }
    throw PersistenceError(
      .unknownProperty, "a batch cannot set '\(name)' of '\(entity.name)': it \(reason)")
  }
}
