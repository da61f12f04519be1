public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Makes a new object of a class's entity, with the model's default values.
  ///
  /// - Returns: The object, to be written by the next save.
  /// - Throws: ``PersistenceError``: `unknownEntity`, `invalidModel` for an abstract entity,
  ///   `storeReadOnly` and others when no key can be reserved.
  public func insert<T: ManagedObject>(_ type: T.Type = T.self) throws(PersistenceError) -> T {
    try begin("insert")
    let object = try makeObject(of: try entity(of: type))
    // `entity(of:)` has checked that objects of this entity are `T`.
    return unsafeDowncast(object, to: T.self)
  }

  /// Makes a new object of the entity called `name`.
  public func insert(entityNamed name: String) throws(PersistenceError) -> ManagedObject {
    try begin("insert")
    return try makeObject(of: try model.requireEntity(named: name))
  }

  private func makeObject(of entity: CompiledEntity) throws(PersistenceError) -> ManagedObject {
    guard !entity.isAbstract else {
      throw PersistenceError(
        .invalidModel,
        "the entity '\(entity.name)' is abstract and has no objects of its own; insert one of "
          + PersistenceError.listed(entity.concrete.map { model.entities[$0].name }))
    }
    let key = try coordinator.makeKey(for: entity)
    let object = makeDraft(of: entity, key: key) ?? makeNewObject(of: entity, key: key, version: 0)
    if hooks.has(.awakeFromInsert, entity.index) {
      running("awakeFromInsert()") { (object as? any AwakeFromInsertHook)?.awakeFromInsert() }
    }
    return object
  }

  /// Makes a new object of a key; `version` is that of the last row with the key, 0 for none.
  @inline(__always)
  func makeNewObject(of entity: CompiledEntity, key: Int64, version: Int64) -> ManagedObject {
    let slab = drafts.slabForNewRow(token)
    slab.beginRow(key: key, version: version, entity: entity.index)
    let object = identity.types[entity.index].init(
      _slab: slab, row: slab.count - 1, state: audience.stateOfObjects.union(.inserted))
    object.overlay = Overlay.copying(drafts.cells(of: entity))
    add(object, key: key, root: entity.root)
    undoLog?.note { $0.noteInsertion(object) }
    return object
  }

  /// Makes a new object as a draft, or returns `nil` if it cannot be one: objects of the entity
  /// have more than their row, or each change is observed or recorded.
  @inline(__always)
  private func makeDraft(of entity: CompiledEntity, key: Int64) -> ManagedObject? {
    guard audience.stateOfObjects.isEmpty, token.sign.pointee.hasPlainContext,
      let slab = drafts.slab(of: entity, token)
    else { return nil }
    let object = identity.types[entity.index].init(
      _slab: slab, row: slab.appendDraft(key: key), state: [.inserted, .draft])
    if !entity.relationships.isEmpty { object.links = Overlay.copying(drafts.links(of: entity)) }
    add(object, key: key, root: entity.root)
    return object
  }

  private func add(_ object: ManagedObject, key: Int64, root: Int) {
    identity.maps[root].insert(object, at: key)
    unsaved.insert(object)
    token.unsavedWork.isPresent = true
  }
}

// MARK: - Filling in

extension ManagedObjectContext {
  /// Makes a new object of a class's entity and fills it in.
  ///
  /// ```swift
  /// try context.insert(Book.self) {
  ///   $0.title = "Kindred"
  ///   $0.author = octavia
  /// }
  /// ```
  ///
  /// - Returns: The object, to be written by the next save.
  /// - Throws: ``PersistenceError`` as ``insert(_:)``.
  @discardableResult
  public func insert<T: ManagedObject>(
    _ type: T.Type = T.self, filling fill: (T) -> Void
  ) throws(PersistenceError) -> T {
    let object = try insert(type)
    fill(object)
    return object
  }

  /// Makes a new object of a class's entity and fills it in; if that fails, there is no new object.
  ///
  /// Objects that `fill` linked to the new one are unlinked again, whatever the delete rules say;
  /// its other changes stay.
  ///
  /// - Returns: The object, to be written by the next save.
  /// - Throws: ``PersistenceError`` as ``insert(_:)``, and what `fill` throws.
  @discardableResult
  public func insert<T: ManagedObject>(
    _ type: T.Type = T.self, filling fill: (T) throws -> Void
  ) throws -> T {
    try filled(insert(type), by: fill)
  }

  /// Undoes the insert of an object, and of nothing that it leads to.
  ///
  /// An error that a getter has recorded stays for the next throwing call.
  ///
  /// - Throws: ``PersistenceError``: what the object's `prepareForDeletion()` has recorded.
  func withdraw(_ object: ManagedObject) throws(PersistenceError) {
    guard object.isInserted else { return }
    let pending = faults.pending
    faults.pending = nil
    defer { faults.pending = pending ?? faults.pending }
    for property in object.entity.relationships { object.setObjects(of: property, to: []) }
    // Without links, no rule can keep the object.
    try applyDeletion(of: object)
  }
}

/// A new object, filled in; if that fails, its insert is undone.
package func filled<T: ManagedObject>(
  _ object: T, by fill: (T) throws -> Void
) throws -> T {
  do {
    try fill(object)
    return object
  } catch {
    try? object.context?.withdraw(object)
    throw error
  }
}
