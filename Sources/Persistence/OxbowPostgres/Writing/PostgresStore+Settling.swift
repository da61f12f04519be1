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

    /// The rows that were read, and are locked.
    var objects: [ObjectKey: StoredObject] = [:]
  }

  extension PostgresStore {
    /// Whether a save has to read before it writes.
    func mustLook(_ changes: ChangeSet, _ positions: LinkPositions, _ look: HistoryLook?) -> Bool {
      !positions.needed.isEmpty || changes.updates.contains(where: \.needsRow)
        || look?.isNeeded == true
    }

    /// Reads what a save and its history have to know, in one round trip behind `opening`, and
    /// settles the save.
    ///
    /// - Throws: ``PersistenceError``: `conditionFailed` with all objects that do not meet their
    ///   condition; `validation` for an increment of no value and for a sum that breaks a rule of
    ///   the model; `overflow`.
    func settled(
      _ changes: ChangeSet, _ positions: LinkPositions, _ look: HistoryLook?,
      _ transaction: WriteTransaction
    ) throws -> SettledSave {
      var settled = SettledSave(changes: changes, positions: positions)
      let (opening, connection) = (transaction.takeOpening(), transaction.connection)
      let waiting = changes.updates.filter(\.needsRow)
      var keys = look?.keys ?? [:]
      for update in waiting { keys[root(update.entity), default: []].insert(update.key) }
      let roots = keys.keys.sorted()
      let rows = roots.map { root in
        lockedRows(root, keys[root] ?? [], forDeleting: look?.deletedRoots.contains(root) == true)
      }
      let questions = look?.questions(names) ?? []
      let results = try connection.run(
        opening + rows + questions + positions.questions(mapping, names))
      settled.positions.answer(results)
      if let record = transaction.record {
        look?.answer(
          results.dropFirst(opening.count + rows.count).prefix(questions.count), in: record)
      }
      guard !roots.isEmpty else { return settled }
      let session = ReadSession(self, connection, nil, isOfSave: true)
      defer { session.forget() }
      for (index, root) in roots.enumerated() {
        let slabs = try RowDecoder(self, shape(root)).rows(results[opening.count + index])
        for object in session.note(slabs) {
          settled.objects[ObjectKey(root: root, key: object.key)] = object
        }
      }
      do { try settle(waiting, settled.objects, &settled) } catch {
        throw session.failure ?? error
      }
      return settled
    }

    private func lockedRows(
      _ root: Int, _ keys: Set<Int64>, forDeleting: Bool
    ) -> ServerStatement {
      let shape = shape(root)
      let keys = keys.sorted()
      return ServerStatement(
        rowsStatement(shape, keys).text
          + " ORDER BY \(shape.key) FOR \(forDeleting ? "" : "NO KEY ")UPDATE",
        [Parameter(keys: keys)])
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
