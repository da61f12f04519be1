internal import OxbowModel
internal import OxbowStore

// What is looked at before a relationship changes.

extension ManagedObjectContext {
  /// Whether `objects` may become the other end of a relationship; if not, the error was recorded.
  func accepts(_ objects: [ManagedObject], for property: CompiledProperty, of owner: ManagedObject)
    -> Bool
  {
    guard let relationship = property.relationship else { return false }
    let destination = model.entities[relationship.destination]
    if owner.isDeleted {
      refuse((.foreignObject, "the object is to be deleted"), property, [owner])
      return false
    }
    if let runningHook, runningHook.permission != .all {
      refuse((.insideHook, "\(runningHook.name) must not change it"), property, [owner])
      return false
    }
    for object in objects {
      if let problem = problem(with: object, destination) {
        refuse(problem, property, [owner, object])
        return false
      }
    }
    return true
  }

  private func refuse(
    _ problem: (code: PersistenceError.Code, text: String), _ property: CompiledProperty,
    _ objects: [ManagedObject]
  ) {
    record(
      PersistenceError(
        problem.code, "'\(property.name)' of '\(objects[0])' was not changed: \(problem.text)",
        objectIDs: objects.map(\.objectID)))
  }

  private func problem(with object: ManagedObject, _ destination: CompiledEntity)
    -> (code: PersistenceError.Code, text: String)?
  {
    guard object.token === token, !object.isOrphan else {
      let name = object.token.name
      let text =
        object.token === token || !object.token.hasContext
        ? "belonged to the context '\(name)' and belongs to none any more; fetch or insert another"
        : "belongs to the context '\(name)'; fetch it here by its ID"
      return (.foreignObject, "'\(object)' \(text)")
    }
    guard object.entity.isKind(of: destination) else {
      return (
        .classMismatch, "it leads to '\(destination.name)', not to '\(object.entity.name)'"
      )
    }
    return object.isDeleted ? (.foreignObject, "'\(object)' is to be deleted") : nil
  }

  /// Reads the rows whose keys a change of links has to compare with, all in one request for each
  /// end.
  ///
  /// `gained` are the objects that `owner` is to lead to, `lost` those that it is to lead to no
  /// more.
  ///
  /// - Returns: Whether the change can be made; if not, the error was recorded and nothing changes.
  func prepareLinks(
    of owner: ManagedObject, _ property: CompiledProperty, gained: [ManagedObject],
    lost: [ManagedObject]
  ) -> Bool {
    guard let relationship = property.relationship, let inverse = relationship.inverse else {
      return true
    }
    if undoLog != nil, !readOrders(property, owner, gained: gained, lost: lost) { return false }
    guard relationship.isOneToOne || relationship.storage == .inverseKey else { return true }
    guard readFaults(among: gained + lost, property, owner) else { return false }
    if let gone = gained.first(where: \.isFault) {
      recordStandIn(.rowGone([gone.objectID]), for: gone)
      return false
    }
    guard relationship.isOneToOne else { return true }
    // The object that the gained one led to before loses it.
    let former = gained.compactMap { toOne($0, $0.entity.properties[inverse]) }
    return readFaults(among: former, property, owner)
  }

  /// Reads the ordered collections that lose a member, so that undo knows its place.
  ///
  /// - Returns: Whether the store could be read; if not, the error was recorded.
  private func readOrders(
    _ property: CompiledProperty, _ owner: ManagedObject, gained: [ManagedObject],
    lost: [ManagedObject]
  ) -> Bool {
    guard let relationship = property.relationship, let inverse = model.inverse(of: relationship)
    else { return true }
    do throws(PersistenceError) {
      if inverse.isOrdered { try readOrders(of: lost, inverse) }
      if relationship.isOrdered, !inverse.isToMany {
        let back = model.entities[inverse.entity].properties[inverse.property]
        try readOrders(of: gained.compactMap { toOne($0, back) }, relationship)
      }
      return true
    } catch {
      recordStandIn(error, for: owner)
      return false
    }
  }

  /// Reads the rows of those objects that are faults; a row that is gone stays one.
  ///
  /// - Returns: Whether the store could be read; if not, the error was recorded.
  private func readFaults(
    among objects: [ManagedObject], _ property: CompiledProperty, _ owner: ManagedObject
  ) -> Bool {
    let faults = objects.filter(\.isFault)
    guard let first = faults.first else { return true }
    let action = "changing '\(property.name)' of '\(owner)'"
    guard permit("the object '\(first)'", action, first) else { return false }
    do throws(PersistenceError) {
      _ = try read(faults)
      return true
    } catch {
      recordStandIn(error, for: first)
      return false
    }
  }
}
