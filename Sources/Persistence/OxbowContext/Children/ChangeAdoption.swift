internal import OxbowModel
internal import OxbowStore

/// The save of a child: its changes are made in the parent, with the functions that edit.
///
/// Whatever can fail comes first: conflicts are found, and everything that the changes need is
/// read.
struct ChangeAdoption {
  let changes: ChangeSet
  let parent: ManagedObjectContext
  let versions: ParentStore

  init(of changes: ChangeSet, in parent: ManagedObjectContext, _ versions: ParentStore) {
    self.changes = changes
    self.parent = parent
    self.versions = versions
  }

  /// Makes the changes, or none of them.
  ///
  /// - Throws: ``PersistenceError``: `conflict` with the objects that the parent has changed since
  ///   the child read them, or no longer has; why rows could not be read.
  func make(_ beforeCommit: () throws(PersistenceError) -> Void) throws(PersistenceError) {
    try read()
    try checkVersions()
    try checkIncrements()
    try checkEnds()
    try prepareDeletions()
    // On a copy: nothing has changed yet.
    var unsaved = parent.unsaved
    for item in changes.acknowledgments { try unsaved.acknowledge(item) }
    try beforeCommit()
    // A hook of the parent may need rows that cannot be read.
    let mayFail = !changes.deletes.isEmpty && parent.hooks.all.contains(.prepareForDeletion)
    let memento = mayFail ? GraphMemento(of: parent) : nil
    do throws(PersistenceError) {
      try makeAll()
    } catch {
      memento?.restore(parent)
      throw error
    }
  }

  private func makeAll() throws(PersistenceError) {
    for item in changes.inserts { insert(item) }
    var applier = DeltaApplier(try delta(), in: parent, endsUnread: true)
    _ = try applier.apply()
    for item in changes.deletes {
      // Not `delete`, which would first merge what others save meanwhile.
      if let object = object(item.entity, item.key) { try parent.applyDeletion(of: object) }
    }
    parent.inverses.doubt()
    try parent.throwPendingFault()
    for item in changes.metadata { parent.unsaved.metadata[item.key] = item }
    for item in changes.acknowledgments { try parent.unsaved.acknowledge(item) }
    if !changes.metadata.isEmpty || !changes.acknowledgments.isEmpty {
      parent.token.unsavedWork.isPresent = true
    }
  }

  private func object(_ entity: Int, _ key: Int64) -> ManagedObject? {
    parent.registered(ObjectReference(entity: entity, key: key))
  }

  private var linkEnds: Set<ObjectReference> {
    Set((changes.links + changes.unlinks).flatMap { [$0.owner, $0.member] })
  }

  private var inserted: Set<ObjectReference> {
    Set(changes.inserts.map(\.reference))
  }
}

// MARK: - Reading and checking

extension ChangeAdoption {
  private func read() throws(PersistenceError) {
    var needed = linkEnds
    needed.formUnion(changes.updates.map(\.reference))
    needed.formUnion(changes.deletes.map(\.reference))
    let faults = needed.subtracting(inserted).map { parent.object(at: $0) }
      .filter { $0._state.contains(.fault) }
    if !faults.isEmpty { _ = try parent.read(faults) }
    for placement in changes.placements {
      guard let (property, owner) = end(of: placement),
        owner.loadedMembers(of: property) == nil, !owner._state.contains(.inserted)
      else { continue }
      try parent.readMembers(of: property, [owner])
    }
  }

  private func checkVersions() throws(PersistenceError) {
    var conflicts: [ObjectReference] = []
    func check(_ entity: Int, _ key: Int64, _ version: Int64?) {
      if !isThere(entity, key, version) {
        conflicts.append(ObjectReference(entity: entity, key: key))
      }
    }
    for item in changes.updates {
      check(item.entity, item.key, item.checksVersion ? item.version : nil)
    }
    for item in changes.deletes { check(item.entity, item.key, item.version) }
    // What comes back in the child may have come back here too.
    conflicts += changes.inserts.map(\.reference).filter { isThere($0.entity, $0.key, nil) }
    guard conflicts.isEmpty else { throw changed(conflicts) }
  }

  /// Whether the parent has an object as the child has read it.
  private func isThere(_ entity: Int, _ key: Int64, _ version: Int64?) -> Bool {
    guard let object = object(entity, key),
      object._state.isDisjoint(with: [.fault, .deleted])
    else { return false }
    return version == nil || versions.version(of: object) == version
  }

  /// Checks conditions and increments with the parent's objects.
  private func checkIncrements() throws(PersistenceError) {
    var failures: [(ManagedObjectID, FetchPredicate)] = []
    for item in changes.updates {
      guard let object = object(item.entity, item.key) else { continue }
      if let condition = item.condition,
        try !condition.isTrue(for: ObjectPredicateTarget(object: object))
      {
        failures.append((object.objectID, condition))
      }
      for (property, by) in item.increments {
        _ = try object.incremented(object.entity.properties[property], by: by)
      }
    }
    if !failures.isEmpty { throw .conditionFailed(failures) }
  }

  private func changed(_ references: [ObjectReference]) -> PersistenceError {
    let ids = references.map { parent.coordinator.id(of: $0) }
    return PersistenceError(
      .conflict,
      "nothing was saved: the context '\(parent.name)' has changed or deleted "
        + PersistenceError.listed(ids.map { "\($0)" })
        + " since its child read them; refresh these objects and make the changes again, or set a "
        + "merge policy", objectIDs: ids)
  }

  /// Checks that both objects of each link exist.
  private func checkEnds() throws(PersistenceError) {
    let leaving = Set(changes.deletes.map(\.reference))
    let ends = Set(changes.links.flatMap { [$0.owner, $0.member] })
      .subtracting(inserted).subtracting(leaving)
    let missing = ends.filter {
      parent.registered($0)?._state.isDisjoint(with: [.fault, .deleted]) != true
    }
    guard !missing.isEmpty else { return }
    let ids = missing.sorted { $0.precedes($1) }.map { parent.coordinator.id(of: $0) }
    throw PersistenceError(
      .conflict,
      "nothing was saved: the context '\(parent.name)' has no "
        + PersistenceError.listed(ids.map { "\($0)" })
        + " any more, to which the changes of its child lead; lead elsewhere, or roll back")
  }

  private func prepareDeletions() throws(PersistenceError) {
    for item in changes.deletes {
      if let object = object(item.entity, item.key) {
        _ = try parent.deletions(cascadingFrom: object)
      }
    }
  }
}

// MARK: - Making

extension ChangeAdoption {
  private func insert(_ item: ChangeSet.Insert) {
    let entity = parent.model.entities[item.entity]
    let object: ManagedObject
    if let known = parent.registered(item.reference), known._state.contains(.deleted) {
      // Deleted here, and written again by the child.
      parent.takeBackDeletions(of: [known])
      object = known
    } else {
      // A fault of an object that was gone.
      parent.registered(item.reference)?._state.insert(.detached)
      object = parent.makeNewObject(
        of: entity, key: item.key, version: item.version == RowVersion.first ? 0 : item.version)
    }
    for (index, value) in item.values.enumerated()
    where entity.properties[index].attribute?.derivation == nil
      && entity.properties[index].relationship == nil
    {
      object.setAttribute(index, to: value)
    }
  }

  /// The changes in the parent, except for objects that come and go.
  private func delta() throws(PersistenceError) -> GraphDelta {
    var delta = GraphDelta()
    for item in changes.updates { try add(item, to: &delta) }
    delta.links =
      changes.unlinks.map { .init(link: $0, isAdded: false) }
      + changes.links.map { .init(link: $0, isAdded: true) }
    delta.orders = orders()
    return delta
  }

  /// Adds an update: an increment stays one, except under a condition, which was checked for the
  /// parent's value.
  private func add(_ item: ChangeSet.Update, to delta: inout GraphDelta) throws(PersistenceError) {
    guard let object = object(item.entity, item.key) else { return }
    func set(_ property: Int, _ value: AttributeValue?) {
      delta.attributes.append(
        .init(
          object: object.reference, property: property, before: .init(), after: .init(value: value))
      )
    }
    for (property, value) in item.values + item.transients { set(property, value) }
    for (property, by) in item.increments {
      if item.condition == nil {
        delta.increments.append(.init(object: object.reference, property: property, by: by))
      } else {
        set(property, try object.incremented(object.entity.properties[property], by: by))
      }
    }
  }

  /// The ordered collection of a placement.
  private func end(of placement: ChangeSet.Placement) -> (CompiledProperty, ManagedObject)? {
    let property = parent.model.property(placement.relationship)
    guard
      let ordered = placement.isOfOwner ? property : parent.model.inverse(of: property),
      let owner = parent.registered(placement.isOfOwner ? placement.owner : placement.member)
    else { return nil }
    return (ordered, owner)
  }

  /// The places that the child gave members: of all that it knew, in its order, before those that
  /// came to the parent since; or the last places.
  private func orders() -> [GraphDelta.Order] {
    var groups: [(end: GraphDelta.End, items: [ChangeSet.Placement])] = []
    for placement in changes.placements {
      guard let (property, owner) = end(of: placement) else { continue }
      let end = GraphDelta.End(object: owner.reference, property: property.index)
      if groups.last?.end != end { groups.append((end, [])) }
      groups[groups.count - 1].items.append(placement)
    }
    return groups.map { end, items in
      let members = items.sorted { ($0.position ?? 0) < ($1.position ?? 0) }
        .map { $0.isOfOwner ? $0.member : $0.owner }
      return GraphDelta.Order(
        end: end, after: MemberList(members), othersAreFirst: items.first?.position == nil)
    }
  }
}
