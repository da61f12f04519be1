#if PostgreSQL
  // A change set as statements, each about any number of rows. Those that change rows which the
  // context has read end the transaction when a row has another version, or is gone; foreign keys
  // and unique values are checked by COMMIT, so that the order of rows does not matter. Keys are
  // sorted and tables come in one order, so that saves seldom wait for each other in a circle.

  internal import OxbowFoundation
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  struct SaveStatements {
    let store: PostgresStore
    private(set) var list: [ServerStatement] = []

    /// Objects in whose rows links alone are written, so that their rows must be there.
    private(set) var linked: [ObjectReference] = []

    var assignments: LinkAssignments
    var positions: LinkPositions

    var mapping: StoreMapping { store.mapping }
    var names: ServerNames { store.names }
    var encoder: RowEncoder { RowEncoder(store: store) }

    /// A statement inserts up to so many rows; more are copied.
    static let rowsOfInsert = 2000

    /// - Throws: ``PersistenceError``: `validation` for a value that no column can have,
    ///   `unsupported`.
    init(
      _ changes: ChangeSet, _ positions: LinkPositions, _ store: PostgresStore
    ) throws(PersistenceError) {
      self.store = store
      self.positions = positions
      assignments = try LinkAssignments(changes, store.mapping, &self.positions)
      delete(changes.deletes)
      removeLinks(changes.unlinks)
      try update(changes.updates)
      try insert(changes)
      updateRest()
      try addLinks(changes.links)
      try place(changes.placements)
      try keep(changes.metadata)
      acknowledge(changes.acknowledgments)
    }

    mutating func add(_ statement: ServerStatement) { list.append(statement) }

    mutating func noteLinked(_ reference: ObjectReference) { linked.append(reference) }

    private mutating func acknowledge(_ acknowledgments: [HistoryAcknowledgment]) {
      for item in acknowledgments {
        guard let new = item.new.place(in: store.identifier) else { continue }
        let old = item.old.place(in: store.identifier)?.number ?? 0
        add(HistoryStatements(names).acknowledge(item.consumer, from: old, to: new.number))
      }
    }

    private mutating func keep(_ values: [ChangeSet.Metadatum]) throws(PersistenceError) {
      let statements = FactStatements(names)
      for value in values {
        let name = MetadataTables.ownName(value.key)
        guard let kept = value.value else {
          add(statements.remove(name))
          continue
        }
        add(statements.write(name, try SQLValue(metadatum: kept, value.key)))
      }
    }
  }
#endif
