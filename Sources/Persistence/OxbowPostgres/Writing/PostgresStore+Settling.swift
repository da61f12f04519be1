#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  // Increments and conditions become values and versions before anything is written: the rows are
  // locked in the transaction of the save, so that one that was read stays as it is.

  /// A change set that says which values are written over which versions.
  struct SettledSave {
    var changes: ChangeSet
    var positions: LinkPositions

    /// See `SaveResult.found`.
    var found: [RowSlab] = []

    /// The objects that are gone from the store.
    var gone: [ManagedObjectID] = []
  }

  extension PostgresStore {
    /// Whether a save has to read before it writes.
    func mustLook(_ changes: ChangeSet, _ positions: LinkPositions) -> Bool {
      !positions.needed.isEmpty || changes.updates.contains(where: \.needsRow)
    }

    /// Reads what a save has to know, in one round trip behind `opening`, and settles it.
    ///
    /// - Throws: ``PersistenceError``: `conditionFailed` with all objects that do not meet their
    ///   condition; `validation` for an increment of no value and for a sum that breaks a rule of
    ///   the model; `overflow`.
    func settled(
      _ changes: ChangeSet, _ positions: LinkPositions, _ opening: [ServerStatement],
      _ connection: ServerConnection
    ) throws -> SettledSave {
      var settled = SettledSave(changes: changes, positions: positions)
      let waiting = changes.updates.filter(\.needsRow)
      let roots = Set(waiting.map { root($0.entity) }).sorted()
      let keys = Dictionary(grouping: waiting) { root($0.entity) }
      let rows = roots.map { lockedRows($0, keys[$0]?.map(\.key) ?? []) }
      let results = try connection.run(
        opening + rows + positions.questions(mapping, names))
      settled.positions.answer(results)
      guard !waiting.isEmpty else { return settled }
      let session = ReadSession(self, connection, nil, isOfSave: true)
      defer { session.forget() }
      var objects: [ObjectKey: StoredObject] = [:]
      for (index, root) in roots.enumerated() {
        let slabs = try RowDecoder(self, shape(root)).rows(results[opening.count + index])
        for object in session.note(slabs) {
          objects[ObjectKey(root: root, key: object.key)] = object
        }
      }
      do { try settle(waiting, objects, &settled) } catch { throw session.failure ?? error }
      return settled
    }

    private func lockedRows(_ root: Int, _ keys: [Int64]) -> ServerStatement {
      let shape = shape(root)
      return ServerStatement(
        rowsStatement(shape, keys.sorted()).text + " ORDER BY \(shape.key) FOR NO KEY UPDATE",
        [Parameter(keys: keys.sorted())])
    }

    private func settle(
      _ waiting: [ChangeSet.Update], _ objects: [ObjectKey: StoredObject],
      _ settled: inout SettledSave
    ) throws {
      func object(_ update: ChangeSet.Update) -> StoredObject? {
        objects[ObjectKey(root: root(update.entity), key: update.key)]
      }
      var failures: [(ManagedObjectID, FetchPredicate)] = []
      for update in waiting {
        guard let condition = update.condition, let object = object(update),
          try !condition.isTrue(for: object)
        else { continue }
        failures.append((id(update.reference), condition))
      }
      guard failures.isEmpty else { throw PersistenceError.conditionFailed(failures) }
      settled.changes.updates.removeAll(where: \.needsRow)
      var differing: Set<ObjectIdentifier> = []
      for update in waiting {
        guard let object = object(update) else {
          settled.gone.append(id(update.reference))
          continue
        }
        let written = try update.written(
          over: object.slab._version(object.row), in: model, id(update.reference)
        ) { object.predicateValue(of: $0) }
        settled.changes.updates.append(written)
        if object.slab._version(object.row) != update.version, !update.checksVersion,
          differing.insert(ObjectIdentifier(object.slab)).inserted
        {
          settled.found.append(object.slab)
        }
      }
    }
  }
#endif
