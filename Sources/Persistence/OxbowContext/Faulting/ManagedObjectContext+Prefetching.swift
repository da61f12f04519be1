public import OxbowModel
internal import OxbowStore

// Relationships along paths, read ahead level by level. A level has the objects that one step leads
// to, however many they are, and takes one statement.

extension ManagedObjectContext {
  /// Reads relationships of `objects` ahead, along paths of any length.
  ///
  /// ```swift
  /// try context.prefetch(books, [\.author?.books, \.tags])
  /// ```
  ///
  /// Afterwards no getter along the paths reads the store. Rows in memory are not read again, and
  /// unsaved changes of relationships count.
  ///
  /// Each level sees a moment of its own. An object that another context deletes between two levels
  /// is a fault that cannot be read, as without prefetching.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty` for a step that is not a relationship there,
  ///   `foreignObject` for objects of another context, or why the store could not be read.
  /// - Complexity: One statement for each level that is not in memory.
  public func prefetch<T: ManagedObject>(
    _ objects: [T], _ paths: PrefetchPaths<T>
  ) throws(PersistenceError) {
    try begin("prefetch")
    try requireOwn(objects, "prefetch relationships of")
    let tree = try paths.tree()
    for entity in Set(objects.lazy.map(\.entityIndex)).sorted() {
      try check(tree, from: model.entities[entity])
    }
    guard !tree.steps.isEmpty else { return }
    try readFaults(objects.map(\.reference))
    try prefetch(objects.filter { !$0._state.contains(.fault) }, tree)
  }

  /// Checks that each step of the paths is a relationship.
  func check(_ tree: PrefetchTree, from entity: CompiledEntity) throws(PersistenceError) {
    for step in tree.steps {
      for property in try relationships(called: step.name, of: entity) {
        guard let relationship = property.relationship else { continue }
        try check(step.tree, from: model.entities[relationship.destination])
      }
    }
  }

  /// The relationship of a step; if only entities below have it, those of each of them.
  private func relationships(
    called name: String, of entity: CompiledEntity
  ) throws(PersistenceError) -> [CompiledProperty] {
    let holders =
      entity.property(named: name) == nil ? entity.subtree.map { model.entities[$0] } : [entity]
    let found = holders.compactMap { $0.property(named: name) }
    guard !found.isEmpty else {
      let names = holders.flatMap { $0.relationships.map(\.name) }
      throw .unknownRelationship(name, of: entity.name, among: Array(Set(names)))
    }
    if let attribute = found.first(where: { $0.relationship == nil }) {
      throw .attributeInPrefetchPath(attribute.name, of: entity.name)
    }
    return found
  }

  /// Reads the steps of a tree for objects whose rows are in memory.
  func prefetch(_ objects: [ManagedObject], _ tree: PrefetchTree) throws(PersistenceError) {
    for step in tree.steps {
      var next: [ManagedObject] = []
      for (property, holders) in holders(of: step.name, among: objects) {
        try readEnds(of: property, holders)
        guard !step.tree.steps.isEmpty else { continue }
        for holder in holders { next.append(contentsOf: readObjects(of: property, holder)) }
      }
      try prefetch(next.uniqued().filter { !$0._state.contains(.fault) }, step.tree)
    }
  }

  /// The objects with a relationship of this name, by relationship: sub-entities may each declare
  /// one.
  func holders(
    of name: String, among objects: [ManagedObject]
  ) -> [(property: CompiledProperty, objects: [ManagedObject])] {
    var groups: [(property: CompiledProperty, objects: [ManagedObject])] = []
    for (entity, objects) in objects.grouped(by: \.entityIndex) {
      let property = model.entities[entity].property(named: name)
      guard let property, let id = property.relationship?.id else { continue }
      if let known = groups.firstIndex(where: { $0.property.relationship?.id == id }) {
        groups[known].objects += objects
      } else {
        groups.append((property, objects))
      }
    }
    return groups
  }

  /// Reads the objects of a relationship of several objects, in one statement.
  private func readEnds(
    of property: CompiledProperty, _ objects: [ManagedObject]
  ) throws(PersistenceError) {
    guard property.relationship?.isToMany == true else {
      return try readFaults(objects.compactMap { $0.destination(of: property) })
    }
    let unread = objects.filter { object in
      !object._state.contains(.inserted) && object.loadedMembers(of: property) == nil
    }
    if !unread.isEmpty { statistics.fetches += 1 }
    try readMembers(of: property, unread)
    // A collection that was loaded before may contain faults.
    guard unread.count < objects.count else { return }
    let members = objects.compactMap { confirmedMembers(of: property, $0) }
    try readFaults(members.flatMap { Array($0) })
  }

  /// Reads the rows of references that are not in memory; a missing row's object keeps the error.
  func readFaults(
    _ references: some Collection<ObjectReference>
  ) throws(PersistenceError) {
    let unread = references.filter(isUnread)
    guard !unread.isEmpty else { return }
    for (root, references) in unread.grouped(by: { identity.roots[$0.entity] }) {
      statistics.fetches += 1
      let keys = references.map(\.key).uniqued()
      for slab in try store.rows(of: root, keys: keys) { try register(slab) }
    }
    for reference in references where isUnread(reference) {
      let object = object(at: reference)
      keepError(.rowGone([object.objectID]), of: object)
    }
  }

  /// Whether the row of a reference has not been read.
  func isUnread(_ reference: ObjectReference) -> Bool {
    guard let known = registered(reference) else { return true }
    return known._state.contains(.fault) && !known._state.contains(.inaccessible)
  }
}

extension PersistenceError {
  fileprivate static func unknownRelationship(
    _ name: String, of entity: String, among names: [String]
  ) -> PersistenceError {
    PersistenceError(
      .unknownProperty,
      "'\(name)' cannot be prefetched: the entity '\(entity)' has no such relationship; it has "
        + listed(names), nearNames: nearNames(to: name, among: names))
  }

  fileprivate static func attributeInPrefetchPath(
    _ name: String, of entity: String
  ) -> PersistenceError {
    PersistenceError(
      .unknownProperty,
      "'\(name)' cannot be prefetched: it is an attribute of '\(entity)' and comes with its object; "
        + "a path to prefetch consists of relationships")
  }
}
