internal import OxbowModel
internal import OxbowStore

// Fetched results are brought up to date by a fetch, or by a decision about the changed objects.

extension FetchedResults {
  /// The current objects of the results, and their places in the order if known.
  struct Found {
    var objects: [Object]
    var positions: [SortPosition]?
  }

  /// Takes over what `find` finds, and returns the difference; if it fails, the next update knows
  /// that it has missed something.
  func taking(
    _ news: SaveNews, _ find: (SaveNews) throws(PersistenceError) -> Found
  ) throws(PersistenceError) -> FetchedResultsChange {
    // News is heard once: a replica that is late must not hide it.
    if !news.isComplete || !news.events.isEmpty { _ = context.primaryStore }
    do throws(PersistenceError) {
      return try take(try find(news), derived: Set(news.events.flatMap(\.derived)))
    } catch {
      self.news.mailbox.forget()
      throw error
    }
  }

  /// Takes over what was found; `derived` are the objects with changed derived values, which change
  /// without a new version.
  private func take(
    _ found: Found, derived: Set<ObjectReference>
  ) throws(PersistenceError) -> FetchedResultsChange {
    let references = ContiguousArray(found.objects.lazy.map(\.reference))
    let new = FetchedResultsLayout(references, sectionName.map { found.objects.map($0) })
    try context.throwPendingFault()
    if let name = new.repeatedName { throw .scatteredSection(name) }
    let edits = editsNow()
    let newVersions = newVersions(of: found.objects)
    let edited = Set(edits.keys).union(pending.keys).filter { edits[$0] != pending[$0] }
    let change = FetchedResultsChange(
      from: layout, to: new, touched: edited.union(newVersions.keys).union(derived),
      context.coordinator.id)
    (objects, positions, layout, pending) = (found.objects, found.positions, new, edits)
    versions.merge(newVersions) { $1 }
    if !change.deletions.isEmpty {
      let left = Set(references)
      versions = versions.filter { left.contains($0.key) }
    }
    seenRows = (context.token, context.token.rowChanges)
    return change
  }

  /// The versions of the objects that differ from the last update.
  private func newVersions(of objects: [Object]) -> [ObjectReference: Int64] {
    let others = objects.lazy.filter { self.versions[$0.reference] != $0.version }
    return Dictionary(others.map { ($0.reference, $0.version) }) { $1 }
  }

  /// The edits of the changed objects of the entity.
  private func editsNow() -> [ObjectReference: UnsavedEdits] {
    guard !context.unsaved.isEmpty else { return [:] }
    let wanted = context.model.entities[fetch.entity].subtree
    let objects = context.unsaved.objects.filter { wanted.contains($0.entityIndex) }
    return Dictionary(objects.map { ($0.reference, UnsavedEdits(of: $0)) }) { $1 }
  }

  /// The result of a fetch.
  func found() throws(PersistenceError) -> Found {
    let objects = try context.fetch(request)
    guard fetch.sortKeys.isEmpty, fetch.limit == nil, fetch.offset == 0 else {
      return Found(objects: objects)
    }
    return Found(objects: objects.sorted { $0.key < $1.key })
  }
}

// MARK: - In memory

extension FetchedResults {
  /// The objects of the request, decided in memory for those that may have changed since the last
  /// update.
  func decided(_ news: SaveNews) throws(PersistenceError) -> Found {
    // This ends links to deleted objects.
    _ = try context.isDisturbed(fetch)
    let candidates = candidates(news)
    guard !candidates.isEmpty else { return Found(objects: objects, positions: positions) }
    let matching = try matching(candidates)
    try context.prefetch(matching.filter { versions[$0.reference] == nil }, request.prefetching)
    return try merged(matching, besides: candidates)
  }

  /// Whether nothing relevant has happened since the last update.
  func isUpToDate(_ news: SaveNews) -> Bool {
    context.untieDeleted()
    guard let seenRows, seenRows.token === context.token,
      seenRows.count == context.token.rowChanges
    else { return false }
    return news.isComplete && namedCandidates(news).isEmpty
  }

  /// The objects that may have come, gone or moved.
  private func candidates(_ news: SaveNews) -> Set<ObjectReference> {
    var candidates = namedCandidates(news)
    for object in objects
    where versions[object.reference] != object.version || object._state.contains(.detached) {
      candidates.insert(object.reference)
    }
    return candidates
  }

  /// The candidates that saves, unsaved changes and the last update name.
  private func namedCandidates(_ news: SaveNews) -> Set<ObjectReference> {
    var candidates = Set(pending.keys)
    for event in news.events {
      candidates.formUnion(event.inserted)
      candidates.formUnion(event.updated)
      candidates.formUnion(event.deleted)
      candidates.formUnion(event.derived)
    }
    candidates.formUnion(context.unsaved.objects.lazy.map(\.reference))
    let entity = context.model.entities[fetch.entity]
    let wanted = Set(fetch.includesSubentities ? entity.subtree : [entity.index])
    return candidates.filter { wanted.contains($0.entity) }
  }

  /// The candidates that the request finds; rows of unchanged ones are read.
  private func matching(
    _ candidates: Set<ObjectReference>
  ) throws(PersistenceError) -> [Object] {
    let isChanged = { (reference: ObjectReference) in
      self.context.registered(reference).map { !$0._state.isDisjoint(with: .changed) } ?? false
    }
    context.statistics.fetches += 1
    let stored = try context.storedReferences(among: candidates.filter { !isChanged($0) })
    var matching: [Object] = []
    for reference in candidates.sorted(by: { $0.key < $1.key }) {
      guard let object = context.registered(reference) as? Object, !object._state.contains(.deleted)
      else { continue }
      if isChanged(reference) {
        // As in a fetch: an object that remains a fault no longer exists in the store.
        if object._state.contains(.fault), try !context.read([object]).isEmpty { continue }
      } else if !stored.contains(reference) {
        continue
      }
      if try context.matches(object, fetch) { matching.append(object) }
    }
    return matching
  }

  /// The other objects, with the matching ones where they belong.
  private func merged(
    _ matching: [Object], besides candidates: Set<ObjectReference>
  ) throws(PersistenceError) -> Found {
    let keys = fetch.sortKeys
    let stays = objects.map { !candidates.contains($0.reference) }
    let staying = zip(objects, stays).filter(\.1).map(\.0)
    let places =
      if let positions { zip(positions, stays).filter(\.1).map(\.0) } else {
        try self.positions(of: staying, keys)
      }
    let known = zip(staying, places).map { (object: $0, position: $1) }
    var arriving = zip(matching, try positions(of: matching, keys))
      .map { (object: $0, position: $1) }
    arriving.sort { keys.areInOrder($0.position, $1.position) }
    var found = Found(objects: [], positions: [])
    var next = 0
    for entry in arriving {
      while next < known.count, keys.areInOrder(known[next].position, entry.position) {
        found.append(known[next])
        next += 1
      }
      found.append(entry)
    }
    for entry in known[next...] { found.append(entry) }
    return found
  }

  private func positions(
    of objects: [Object], _ keys: [OrderingTerm]
  ) throws(PersistenceError) -> [SortPosition] {
    var positions: [SortPosition] = []
    positions.reserveCapacity(objects.count)
    for object in objects {
      positions.append(try keys.position(of: ObjectPredicateTarget(object: object)))
    }
    return positions
  }
}

extension FetchedResults.Found {
  fileprivate mutating func append(_ entry: (object: Object, position: SortPosition)) {
    objects.append(entry.object)
    positions?.append(entry.position)
  }
}

extension ManagedObjectContext {
  /// Whether the values of an object alone decide whether and where a fetch finds it.
  ///
  /// A rank depends on the texts of all others.
  func decides(_ fetch: StoreFetch) -> Bool {
    guard !fetch.sortKeys.haveRank, fetch.limit == nil, fetch.offset == 0, parent == nil,
      let chains = try? RelationshipChains(of: fetch, in: model)
    else { return false }
    return chains.found.isEmpty && !chains.dependsOnTime
  }
}

extension PersistenceError {
  fileprivate static func scatteredSection(_ name: String) -> PersistenceError {
    PersistenceError(
      .invalidPredicate,
      "the objects of the section '\(name)' do not follow one another in the order of the request; "
        + "sort first by what the section name is made of")
  }
}
