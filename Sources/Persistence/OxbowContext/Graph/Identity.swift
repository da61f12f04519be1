public import OxbowModel
internal import OxbowStore

/// The objects that a context has met, and their entities.
struct Identity {
  let model: CompiledModel

  /// The objects by root entity; the maps of other entities stay empty.
  let maps: ContiguousArray<IdentityMap>

  /// The class of each entity's objects, and its root entity.
  let types: ContiguousArray<ManagedObject.Type>
  let roots: ContiguousArray<Int>

  let classes: ClassTable

  init(of coordinator: PersistentStoreCoordinator) {
    model = coordinator.model
    classes = coordinator.shared { ClassTable(of: coordinator.model) }
    types = classes.types
    roots = classes.roots
    let unused = IdentityMap()
    maps = ContiguousArray(model.entities.map { $0.root == $0.index ? IdentityMap() : unused })
  }

  subscript(reference: ObjectReference) -> ManagedObject? {
    maps[roots[reference.entity]][reference.key]
  }

  /// The object of another row of a slab, if that is still the object's row.
  func object(_ slab: RowSlab, _ row: Int) -> ManagedObject? {
    self[slab.reference(at: row)].flatMap { $0._slab === slab ? $0 : nil }
  }

  /// The reference with the root entity, which does not depend on how a key was read.
  func root(_ reference: ObjectReference) -> ObjectReference {
    ObjectReference(entity: roots[reference.entity], key: reference.key)
  }

  func insert(_ object: ManagedObject) {
    maps[roots[object.entityIndex]].insert(object, at: object.key)
  }

  func remove(_ object: ManagedObject) { maps[roots[object.entityIndex]].remove(object.key) }

  /// Drops an object that nothing else holds; `reference` must be the caller's only trace of it.
  ///
  /// - Returns: The object, if something holds it.
  func dropIfUnheld(_ reference: ObjectReference) -> ManagedObject? {
    let map = maps[roots[reference.entity]]
    return map.dropIfUnheld(reference.key) ? nil : map[reference.key]
  }
  var count: Int { maps.reduce(0) { $0 + $1.count } }

  func forEach(_ body: (ManagedObject) -> Void) {
    for map in maps where map.count > 0 { map.forEach(body) }
  }

  func filter(_ isWanted: (ManagedObject) -> Bool) -> [ManagedObject] {
    var objects: [ManagedObject] = []
    forEach { if isWanted($0) { objects.append($0) } }
    return objects
  }

  /// Drops the clean objects that nothing else holds.
  func sweep() { for map in maps where map.count > 0 { map.sweep() } }
  func reset() { for map in maps { map.removeAll() } }
}

/// A row of a slab.
typealias SlabRow = (slab: RowSlab, row: Int)

/// The classes of a store's entities, looked up once for all contexts.
final class ClassTable: Sendable {
  let types: ContiguousArray<ManagedObject.Type>
  let roots: ContiguousArray<Int>
  let hooks: HookTable

  /// The entities that have a class of their own, by that class.
  let entities: [ObjectIdentifier: CompiledEntity]

  init(of model: CompiledModel) {
    types = ContiguousArray(model.entities.map { Self.type(of: $0, in: model) })
    roots = ContiguousArray(model.entities.map(\.root))
    hooks = HookTable(ContiguousArray(types.map { $0 as any AnyObject.Type }))
    var entities: [ObjectIdentifier: CompiledEntity] = [:]
    for (entity, type) in zip(model.entities, types)
    where (type as? any ModelObject.Type)?.entityName == entity.name {
      entities[ObjectIdentifier(type)] = entity
    }
    self.entities = entities
  }

  /// The class of an entity's objects: its own, or that of the nearest entity above.
  private static func type(of entity: CompiledEntity, in model: CompiledModel) -> ManagedObject.Type
  {
    entity.lineage(in: model).lazy.compactMap { $0.binding as? ManagedObject.Type }.first
      ?? ManagedObject.self
  }
}

extension CompiledModel {
  /// The link of an object's relationship, as the canonical end has it.
  func link(
    _ relationship: CompiledRelationship, from object: ObjectReference, to other: ObjectReference
  ) -> ChangeSet.Link {
    if !relationship.storage.isCanonical, let inverse = inverse(of: relationship) {
      return ChangeSet.Link(relationship: inverse.id, owner: other, member: object)
    }
    return ChangeSet.Link(relationship: relationship.id, owner: object, member: other)
  }
}

extension CompiledEntity {
  /// The entity and those above it, nearest first.
  func lineage(in model: CompiledModel) -> some Sequence<CompiledEntity> {
    sequence(first: self) { $0.parent.map { model.entities[$0] } }
  }
}

// MARK: - Objects by reference

extension ManagedObjectContext {
  /// Returns the object of `id` if the context has met it.
  ///
  /// Off the owner, `nil`; the use is reported, and the owner's next throwing call throws it.
  public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    guard isOwned("registeredObject(for:)"), let reference = try? coordinator.reference(for: id)
    else { return nil }
    return registered(reference)
  }

  /// The number of objects that the context holds; off the owner 0, and the use is reported.
  public var registeredCount: Int {
    isOwned("registeredCount") ? identity.count : 0
  }

  /// Drops the clean objects that nothing else holds.
  ///
  /// Off the owner it does nothing, and the use is reported.
  public func sweep() {
    guard isOwned("sweep()") else { return }
    identity.sweep()
    forgetObservers()
    work.sweepThreshold = max(4096, 2 * registeredCount)
  }

  /// Whether the number of objects has doubled since the last sweep, so that another one costs
  /// little for each.
  var hasGrown: Bool { registeredCount > work.sweepThreshold }
  func registered(_ reference: ObjectReference) -> ManagedObject? { identity[reference] }
}

// MARK: - Objects by what the next save does with them, under the names that Core Data has

extension ManagedObjectContext {
  /// The new objects, which the next save inserts; empty off the owner, where the use is reported.
  ///
  /// - Complexity: O(changed objects), as for the other sets of changes.
  public var insertedObjects: Set<ManagedObject> {
    isOwned("insertedObjects") ? Set(unsaved.inserted) : []
  }

  /// The saved objects with unsaved changes, which the next save updates; empty off the owner,
  /// where the use is reported.
  ///
  /// New objects and those that the next save deletes are not among them, whatever was changed.
  public var updatedObjects: Set<ManagedObject> {
    isOwned("updatedObjects") ? Set(unsaved.updated) : []
  }

  /// The saved objects that the next save deletes; empty off the owner, where the use is reported.
  public var deletedObjects: Set<ManagedObject> {
    isOwned("deletedObjects") ? Set(unsaved.deleted) : []
  }

  /// The objects that the context holds, faults included; empty off the owner, where the use is
  /// reported.
  ///
  /// Clean objects that nothing else holds are among them until the next sweep.
  ///
  /// - Complexity: O(registered objects).
  public var registeredObjects: Set<ManagedObject> {
    guard isOwned("registeredObjects") else { return [] }
    var objects: Set<ManagedObject> = []
    objects.reserveCapacity(registeredCount)
    identity.forEach { objects.insert($0) }
    return objects
  }
}

// MARK: - Entities by class

extension ManagedObjectContext {
  /// The entity of a class.
  ///
  /// - Throws: ``PersistenceError``: `unknownEntity` if the model has no such entity,
  ///   `classMismatch` if the entity is bound to another class or to none.
  func entity<T: ManagedObject>(of type: T.Type) throws(PersistenceError) -> CompiledEntity {
    if let last = drafts.lastEntity, last.type == type { return last.entity }
    guard let entity = identity.classes.entities[ObjectIdentifier(type)] else {
      throw mismatch(of: type)
    }
    drafts.lastEntity = (type, entity)
    return entity
  }

  private func mismatch<T: ManagedObject>(of type: T.Type) -> PersistenceError {
    guard let named = type as? any ModelObject.Type else {
      return PersistenceError(
        .classMismatch,
        "'\(type)' is not the class of an entity; mark it with @Entity or name the entity")
    }
    guard let entity = model.entity(named: named.entityName) else {
      return .unknownEntity(of: type, named: named.entityName, among: model.entities.map(\.name))
    }
    let opened = identity.types[entity.index]
    // A class without `@Entity` has the entity of its superclass.
    func isAbove<Known: ManagedObject>(_ known: Known.Type) -> Bool {
      type is Known.Type && known != ManagedObject.self
    }
    guard !isAbove(opened) else {
      return PersistenceError(
        .classMismatch,
        "the class '\(type)' does not have an entity of its own: '\(entity.name)' is that of '\(opened)'; "
          + "mark '\(type)' with @Entity")
    }
    return PersistenceError(
      .classMismatch,
      "the entity '\(entity.name)' was opened with the class '\(opened)', not with '\(type)'; pass "
        + "'\(type).self' among the classes when the store is opened")
  }
}
