// A change set in SQL, within one transaction:
//
//   1. deletes, with the join rows of what is deleted
//   2. join rows of links that end
//   3. updates, with the keys that links and unlinks set in the same row
//   4. inserts, likewise
//   5. keys in rows that are neither
//   6. join rows of links that begin
//   7. positions in orders
//   8. values of the program's own
//   9. derived attributes, of all objects behind which something changed
//
// Foreign keys are deferred, so their order does not matter; unique indexes are not, so what makes
// room comes first. A row is written once, whatever changes in it: a required key could not be
// empty between two statements. Nothing of the change set is consumed: it can be applied again.

internal import CSQLite
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// Applies one change set on one connection; belongs to one call of one thread.
struct ChangeWriter: ~Copyable {
  let mapping: StoreMapping
  let connection: Connection
  let statements: StatementTexts
  let store: UUID
  let bookkeeping: any SaveBookkeeping

  var binder = RowBinder()
  var assignments = LinkAssignments()
  var nextPositions = NextPositions()
  var conflicts: [ManagedObjectID] = []
  var deleteMode = DeleteMode.inBlocks

  /// What the history of the store notes of the save; `nil` where it notes nothing.
  var history: HistoryRecord?

  /// Whether the store has a history, which may note nothing of this save.
  var storeHasHistory = false

  /// What is noted for the search indexes; `nil` where the store has none.
  var searchNotes: SearchNotes?

  /// What tells later whether the save is in the store, where its rows do.
  var mark = SaveMark.nothing

  /// From how many bytes on Core Data's layout has a value in a file.
  var externalThreshold = Int.max

  /// Which values go into files; `nil` where none do.
  var externals: ExternalValues?

  init(
    mapping: StoreMapping, connection: Connection, statements: StatementTexts, store: UUID,
    bookkeeping: any SaveBookkeeping
  ) {
    self.mapping = mapping
    self.connection = connection
    self.statements = statements
    self.store = store
    self.bookkeeping = bookkeeping
  }

  var generator: ChangeGenerator { ChangeGenerator(mapping.dialect) }

  /// Applies a change set.
  ///
  /// - Throws: ``PersistenceError`` with `conflict` and all objects that others changed.
  mutating func apply(_ settled: SettledChanges) throws -> SaveResult {
    var changes = settled.changes
    // Where objects led before is known only now.
    var derived = try mapping.model.derivations.isEmpty ? nil : AffectedDerivations(changes, self)
    var layout = try bookkeeping.begin(&changes, self)
    conflicts = settled.gone
    try gather(changes)
    try delete(changes.deletes)
    try removeLinks(changes.unlinks)
    try update(changes.updates)
    try insert(changes.inserts)
    try updateRest()
    try addLinks(changes)
    if layout == nil { try reorder(changes.placements, changes) }
    try layout?.reorder(changes.placements, self)
    if !changes.metadata.isEmpty { try bookkeeping.keep(changes.metadata, connection) }
    for acknowledgment in changes.acknowledgments { try connection.acknowledge(acknowledgment) }
    guard conflicts.isEmpty else {
      throw conflicts == settled.gone
        ? PersistenceError.gone(conflicts) : PersistenceError.conflict(conflicts)
    }
    if let done = try layout?.finish(changes, self) { mark = done }
    return SaveResult(
      derived: try derived?.compute(self) ?? [], found: settled.found,
      raised: layout?.raised ?? [])
  }

  func root(_ entity: Int) -> Int { mapping.entities[entity].root }

  func id(_ entity: Int, _ key: Int64) -> ManagedObjectID {
    ManagedObjectID(
      store: store, rootEntityName: mapping.model.entities[root(entity)].name,
      entityName: mapping.model.entities[entity].name, key: key)
  }
}
