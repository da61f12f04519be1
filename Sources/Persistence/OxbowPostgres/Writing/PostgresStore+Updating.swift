#if PostgreSQL
  internal import OxbowFoundation
  package import OxbowModel
  internal import OxbowRelational
  package import OxbowStore

  // An update of many objects reads and locks them, computes their values in memory, as other
  // stores would, and writes them in one transaction.

  extension PostgresStore {
    package func update(_ update: StoreUpdate) throws(PersistenceError) -> UpdatedRows {
      try requireWritable()
      try examiner.check(update.fetch)
      try examiner.check(update)
      let question = try ServerQuestion(update.fetch, self)
      guard !question.shape.shape.entities.isEmpty else { return UpdatedRows(objects: []) }
      let result = try transacted(nil) { transaction throws in
        transaction.beginRecord()
        let opening =
          transaction.takeOpening() + (question.sql == nil ? [] : Self.ownSettings(self.names))
        let session = ReadSession(self, transaction.connection, nil, isOfSave: true)
        defer { session.forget() }
        let run = { try transaction.connection.run(opening + [question.lockedCandidates]) }
        let results = try question.sql.map { try session.saying($0, run) } ?? run()
        let decoder = RowDecoder(self, question.shape)
        let objects = session.note(try decoder.rows(results[opening.count]))
        var changes = ChangeSet()
        do {
          let found = try self.found(
            update.fetch, objects, isMet: question.hasExactCondition
          ).map { objects[$0] }
          transaction.record?.note(found, before: update, mapping)
          changes.updates = try changedRows(update, found)
        } catch { throw session.failure ?? error }
        let positions = LinkPositions(changes, mapping)
        transaction.explains = Conflict(changes)
        let statements = try SaveStatements(changes, positions, self).list
        let (values, rest) = try derived(changes, statements, transaction)
        let updated = changes.updates.map(\.reference)
        transaction.record?.note(update, updated)
        transaction.record?.note(values)
        return (UpdatedRows(objects: updated, derived: values), rest)
      }
      announceToOthers()
      return result
    }

    /// The updates, whose values keep the rules of the model.
    private func changedRows(
      _ update: StoreUpdate, _ objects: [StoredObject]
    ) throws(PersistenceError) -> [ChangeSet.Update] {
      var failures: [PersistenceError] = []
      var updates: [ChangeSet.Update] = []
      for object in objects {
        var values: [(property: Int, value: AttributeValue?)] = []
        for (property, expression) in update.assignments {
          let value = try value(of: expression, property, object)
          values.append((property, value))
          guard let attribute = object.predicateEntity.properties[property].attribute else {
            continue
          }
          let id = object.predicateID
          failures += attribute.failures(for: value, of: "\(id)", object: id)
        }
        updates.append(
          ChangeSet.Update(
            entity: object.entity, key: object.key, version: object.slab._version(object.row),
            values: values))
        guard failures.count < 8 else { break }
      }
      guard failures.isEmpty else {
        throw PersistenceError.collecting(
          .validation, "nothing was updated: \(failures.count) rules of the model would be broken",
          failures)
      }
      return updates
    }

    private func value(
      of expression: FetchExpression, _ property: Int, _ object: StoredObject
    ) throws(PersistenceError) -> AttributeValue? {
      let attribute = object.predicateEntity.properties[property].attribute
      let type = attribute?.type == .float ? AttributeType.double : attribute?.type ?? .undefined
      let found = try expression.value(for: object).stored(as: type)
      if case .attribute(let value) = found { return value.rounded(for: attribute?.type) }
      return nil
    }
  }
#endif
