internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

// Increments and conditions become values and versions before anything is written: inside the
// transaction of the save, in which no other program writes, a row that was read stays as it is.

extension SQLiteStore {
  package func appliesIncrements(to entity: Int) -> Bool { true }

  /// Looks at the rows of the updates that ask for it.
  ///
  /// - Throws: ``PersistenceError``: `conditionFailed` with all objects that do not meet their
  ///   condition; `validation` for an increment of no value and for a sum that breaks a rule of the
  ///   model; `overflow`.
  func settled(
    _ changes: ChangeSet, _ writer: inout ChangeWriter, _ state: StoreState
  ) throws -> SettledChanges {
    var settled = SettledChanges(changes: changes)
    let waiting = changes.updates.filter(\.needsRow)
    guard !waiting.isEmpty else { return settled }
    let rows = try rows(of: waiting, writer.connection, state)
    try checkConditions(waiting, rows, writer, state)
    try settled.settle(in: model, id: { writer.id($0.entity, $0.key) }, row: { rows[$0] })
    return settled
  }

  private typealias StoredRow = (slab: RowSlab, row: Int)

  /// The rows of updates as the store has them.
  private func rows(
    of updates: [ChangeSet.Update], _ connection: Connection, _ state: StoreState
  ) throws -> [ObjectReference: StoredRow] {
    var rows: [ObjectReference: StoredRow] = [:]
    for (entity, group) in Dictionary(grouping: updates, by: \.entity) {
      for slab in try self.rows(of: entity, keys: group.map(\.key), connection, state) {
        for row in 0..<slab.count { rows[slab.reference(at: row)] = (slab, row) }
      }
    }
    return rows
  }

  private func checkConditions(
    _ updates: [ChangeSet.Update], _ rows: [ObjectReference: StoredRow],
    _ writer: borrowing ChangeWriter, _ state: StoreState
  ) throws {
    var failures: [(ManagedObjectID, FetchPredicate)] = []
    for update in updates {
      guard let condition = update.condition, rows[update.reference] != nil else { continue }
      var fetch = StoreFetch(entity: update.entity)
      fetch.predicate = condition
      fetch.keys = [update.key]
      let sql = try generator(state).count(fetch, state.reader(update.entity).shape)
      if try writer.connection.integer(sql.text, sql.values) == 0 {
        failures.append((writer.id(update.entity, update.key), condition))
      }
    }
    if !failures.isEmpty { throw PersistenceError.conditionFailed(failures) }
  }
}
