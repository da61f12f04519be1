#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  // Increments and conditions become values and versions before anything is written: the rows are
  // locked in the transaction of the save, so that one that was read stays as it is.

  /// A save and what had to be read for it.
  struct SettledSave {
    var settled: SettledChanges
    var positions: LinkPositions

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
      var save = SettledSave(settled: SettledChanges(changes: changes), positions: positions)
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
      save.positions.answer(results)
      if let record = transaction.record {
        look?.answer(
          results.dropFirst(opening.count + rows.count).prefix(questions.count), in: record)
      }
      guard !roots.isEmpty else { return save }
      let session = ReadSession(self, connection, nil, isOfSave: true)
      defer { session.forget() }
      for (index, root) in roots.enumerated() {
        let slabs = try RowDecoder(self, shape(root)).rows(results[opening.count + index])
        for object in session.note(slabs) {
          save.objects[ObjectKey(root: root, key: object.key)] = object
        }
      }
      do { try settle(waiting, &save) } catch { throw session.failure ?? error }
      return save
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

    private func settle(_ waiting: [ChangeSet.Update], _ save: inout SettledSave) throws {
      let objects = save.objects
      func object(_ reference: ObjectReference) -> StoredObject? {
        objects[ObjectKey(root: root(reference.entity), key: reference.key)]
      }
      var failures: [(ManagedObjectID, FetchPredicate)] = []
      for update in waiting {
        guard let condition = update.condition, let object = object(update.reference),
          try !condition.isTrue(for: object)
        else { continue }
        failures.append((id(update.reference), condition))
      }
      guard failures.isEmpty else { throw PersistenceError.conditionFailed(failures) }
      try save.settled.settle(in: model, id: id) { object($0).map { ($0.slab, $0.row) } }
    }
  }
#endif
