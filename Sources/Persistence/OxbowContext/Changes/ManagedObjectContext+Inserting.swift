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

  /// Makes a new object of a key; `version` is that of the last row that had the key, 0 for none.
  @inline(__always)
  func makeNewObject(of entity: CompiledEntity, key: Int64, version: Int64) -> ManagedObject {
    let slab = slabForNewRow()
    _ = slab.beginRow(key: key, version: version, entity: entity.index)
    let object = types[entity.index].init(
      _slab: slab, row: slab.count - 1, state: stateOfObjects.union(.inserted))
    object.overlay = Overlay.copying(newCells(of: entity))
    add(object, key: key, root: entity.root)
    undoLog?.noteInsertion(object)
    return object
  }

  /// Makes a new object as a draft; `nil` where that cannot be: objects of the entity have more
  /// than their row, or somebody wants to know of each change.
  @inline(__always)
  private func makeDraft(of entity: CompiledEntity, key: Int64) -> ManagedObject? {
    guard stateOfObjects.isEmpty, token.sign.pointee.hasPlainContext,
      let slab = slabForDraft(of: entity)
    else { return nil }
    let object = types[entity.index].init(
      _slab: slab, row: slab.appendDraft(key: key), state: [.inserted, .draft])
    if !entity.relationships.isEmpty { object.links = Overlay.copying(newLinks(of: entity)) }
    add(object, key: key, root: entity.root)
    return object
  }

  private func add(_ object: ManagedObject, key: Int64, root: Int) {
    maps[root].insert(object, at: key)
    unsaved.insert(object)
    token.unsavedWork.isPresent = true
  }

  /// The cells of a draft: no object, no members.
  private func newLinks(of entity: CompiledEntity) -> ContiguousArray<Overlay.Cell> {
    if let known = newLinks[entity.index] { return known }
    let cells = ContiguousArray(
      zip(entity.properties, newCells(of: entity)).map { property, cell in
        property.relationship == nil ? .unchanged : cell
      })
    newLinks[entity.index] = cells
    return cells
  }

  /// The cells of a new object: default values, no object, no members.
  func newCells(of entity: CompiledEntity) -> ContiguousArray<Overlay.Cell> {
    if let known = newCells[entity.index] { return known }
    let cells = ContiguousArray(
      entity.properties.map { property -> Overlay.Cell in
        switch property.kind {
        case .attribute(let attribute) where attribute.derivation != nil: .null
        case .attribute(let attribute): attribute.defaultValue.map { .attribute($0) } ?? .null
        case .relationship(let relationship):
          relationship.isToMany ? .collection(CollectionState(members: MemberList())) : .null
        }
      })
    newCells[entity.index] = cells
    return cells
  }
}
