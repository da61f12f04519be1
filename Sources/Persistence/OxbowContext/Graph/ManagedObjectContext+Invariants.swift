#if OXBOW_INVARIANT_CHECKS
  internal import OxbowModel
  internal import OxbowStore

  // What holds in a context between its operations, whatever a program does. Built with
  // `Scripts/invariants` only, which runs the tests with it. All objects are looked at, so a
  // context with many of them is looked at less often: an operation pays for 256 of them.

  extension ManagedObjectContext {
    /// Stops the program when the context is in a state that no operation may leave.
    func requireInvariants(before action: String) {
      work.operationsSinceCheck += 1
      guard work.operationsSinceCheck * 256 >= identity.count else { return }
      work.operationsSinceCheck = 0
      guard let broken = brokenInvariant() else { return }
      preconditionFailure("before \(action) of the context '\(name)': \(broken)")
    }

    /// What does not hold, or `nil`.
    func brokenInvariant() -> String? {
      var broken: String?
      var counts = Counts()
      identity.forEach { object in
        counts.add(object)
        if broken == nil, let text = brokenInvariant(of: object) { broken = "\(object) \(text)" }
      }
      return broken ?? brokenInvariant(of: counts) ?? brokenInvariantOfDeletions()
    }

    /// How many objects are in the states that the next save looks at.
    private struct Counts {
      var inserted = 0
      var updated = 0
      var deleted = 0

      mutating func add(_ object: ManagedObject) {
        if object._state.contains(.inserted) { inserted += 1 }
        if object._state.isUpdated { updated += 1 }
        if object._state.contains(.deleted) { deleted += 1 }
      }
    }

    /// The lists of the save have exactly the objects in their states, each once.
    private func brokenInvariant(of counts: Counts) -> String? {
      for (name, objects, count) in [
        ("inserted", Array(unsaved.inserted), counts.inserted),
        ("updated", Array(unsaved.updated), counts.updated),
        ("deleted", Array(unsaved.deleted), counts.deleted),
      ] {
        if Set(objects).count != objects.count { return "the list of \(name) has one twice" }
        if objects.count != count {
          return "\(count) objects are \(name), and \(objects.count) are in the list"
        }
      }
      return !unsaved.isEmpty && !token.unsavedWork.isPresent
        ? "there are unsaved changes that would not be reported" : nil
    }

    private func brokenInvariantOfDeletions() -> String? {
      if let target = inverses.untiedLinks.keys.first(where: {
        !inverses.deletedTargets.contains($0)
      }) {
        return "links to \(target) are kept, which is not deleted"
      }
      for target in inverses.deletedTargets {
        guard let object = registered(target) else { continue }
        if !object._state.contains(.deleted) { return "\(object) is not a target that is deleted" }
      }
      return inverses.searchedTargets > inverses.deletedTargets.count
        ? "\(inverses.searchedTargets) targets were searched of \(inverses.deletedTargets.count)"
        : nil
    }

    private func brokenInvariant(of object: ManagedObject) -> String? {
      if object.token !== token { return "has the sign of another context" }
      if registered(object.reference) !== object { return "is not at its key" }
      return brokenState(of: object) ?? brokenLinks(of: object)
    }

    private func brokenState(of object: ManagedObject) -> String? {
      let state = object._state
      if state.contains(.detached) { return "is registered and belongs to no context" }
      if state.isSuperset(of: [.inserted, .deleted]) { return "is new and deleted" }
      if state.contains(.inserted), state.contains(.fault) { return "is new and a fault" }
      if state.contains(.draft), !state.contains(.inserted) { return "is a draft and not new" }
      if state.isUpdated, !state.contains(.listed) { return "is changed and in no list" }
      if state.contains(.overlaid) != (object.links != nil) {
        return "has another overlay than its state says"
      }
      return nil
    }

    /// Edits are in objects that are saved, and not in faults.
    private func brokenLinks(of object: ManagedObject) -> String? {
      guard let links = object.links else { return nil }
      let state = object._state
      if links.count != object.entity.properties.count { return "has cells of another entity" }
      if links.hasEdits, state.isDisjoint(with: .changed) { return "has edits that no save writes" }
      for property in object.entity.properties {
        if case .collection(let collection) = links[property.index] {
          guard let text = collection.brokenInvariant(inverses.deletedTargets) else { continue }
          return "has in '\(property.name)' \(text)"
        }
        if property.slot >= 0, state.contains(.fault), !state.contains(.deleted),
          links.isEdit(at: property.index)
        {
          return "is a fault with an edit of '\(property.name)'"
        }
      }
      return nil
    }
  }

  extension CollectionState {
    /// What does not hold, or `nil`; a new order is given without what is deleted, which is not
    /// shown.
    fileprivate func brokenInvariant(_ deleted: Set<ObjectReference>) -> String? {
      if added.contains(where: { removed.contains($0) }) { return "what came and went" }
      if added.contains(where: { arrivals.isEmpty ? false : !arrivals.contains($0) }) {
        return "what came without a place"
      }
      guard let members else { return isReordered ? "an order of members that are unknown" : nil }
      if Set(members).count != members.count { return "a member twice" }
      let shown = deleted.union(members)
      if added.contains(where: { !shown.contains($0) }) { return "no member that came" }
      if removed.contains(where: { members.contains($0) }) { return "a member that went" }
      return arrivals.contains { !shown.contains($0) } ? "no member that came last" : nil
    }
  }
#endif
