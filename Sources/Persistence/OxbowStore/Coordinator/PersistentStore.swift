package import OxbowFoundation
package import OxbowModel

/// The rows that a caller already has.
package struct RowFilter {
  /// The approximate number of rows.
  package let count: Int

  package let contains: (_ entity: Int, _ key: Int64, _ version: Int64) -> Bool

  package init(
    count: Int, contains: @escaping (_ entity: Int, _ key: Int64, _ version: Int64) -> Bool
  ) {
    self.count = count
    self.contains = contains
  }
}

/// A store of objects: requests in, rows out.
///
/// A store is safe to use from several threads. Every call is a unit of its own: a fetch reads one
/// moment of the store, a save happens as a whole or not at all.
package protocol PersistentStore: AnyObject, Sendable {
  /// The store's identifier, made with the store and kept in it.
  var identifier: UUID { get }

  /// The identifier of the store that keeps an entity, which differs if several stores are behind
  /// this one.
  func identifier(of entity: Int) -> UUID

  /// The compiled model that the store was opened with.
  var model: CompiledModel { get }

  /// What the store has done since it was opened; zero if it does not count.
  var statistics: StoreStatistics { get }

  /// Whether the store refuses to be changed.
  var isReadOnly: Bool { get }

  /// Whether its commit is the likeliest to fail, so that it is the first of several stores.
  var commitsFirst: Bool { get }

  /// On how many threads asynchronous callers work on it at once.
  var workThreads: Int { get }

  /// Where it reads.
  var readPlace: ReadPlace { get }

  /// The same store, read at a place; itself if it has no such place.
  func reading(at place: ReadPlace) -> any PersistentStore

  /// The rows that a fetch finds, in its order and each once; of rows that the caller knows, only
  /// the header is read (``RowSlab/hasValues(_:)``).
  ///
  /// - Throws: ``PersistenceError``; `invalidStoredValue` when a row does not fit the model.
  func rows(of fetch: StoreFetch, unless known: RowFilter?) throws(PersistenceError) -> [RowSlab]

  /// The number of rows that a fetch finds, its limit and offset applied.
  func count(of fetch: StoreFetch) throws(PersistenceError) -> Int

  /// The keys and entities of the rows that a fetch finds, in its order: slabs of faults.
  func keys(of fetch: StoreFetch) throws(PersistenceError) -> [RowSlab]

  /// The places of the rows that a fetch finds, in its order.
  func places(of fetch: StoreFetch) throws(PersistenceError) -> [SortPlace]

  /// The rows of values that a query gives.
  ///
  /// - Throws: ``PersistenceError``; `invalidPredicate` for what the store cannot answer and for a
  ///   sum without a result.
  func rows(of query: ColumnQuery) throws(PersistenceError) -> ColumnRows

  /// Checks that the store can answer a query for values, without running it, and returns the types
  /// of the columns.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidPredicate` or `unknownProperty`.
  func check(_ query: ColumnQuery) throws(PersistenceError) -> [AttributeType]

  /// What a search ranks by: the numbers of all texts of an entity's table, without unsaved ones.
  ///
  /// - Throws: ``PersistenceError``; `unsupported` where the store cannot rank.
  func wordStatistics(
    of search: RankedSearch, in entity: Int
  ) throws(PersistenceError) -> WordStatistics

  /// The rows of `entity` or below with these keys, in any order, without those that are gone.
  func rows(of entity: Int, keys: [Int64]) throws(PersistenceError) -> [RowSlab]

  /// The rows at the other end of a to-many relationship, each once, for all `owners` at once.
  func rows(related relationship: RelationshipID, to owners: [Int64])
    throws(PersistenceError) -> RelatedRows

  /// The rows that a statement of a program gives.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidSQL` for a statement that does more than read
  ///   or that the store cannot answer.
  func rows(of sql: SQLText) throws(PersistenceError) -> [SQLRow]

  /// The rows of `entity` or below whose keys a statement of a program gives, and the keys in the
  /// statement's order.
  ///
  /// - Throws: ``PersistenceError`` as ``rows(of:)``, and `invalidSQL` for a statement without keys
  ///   and for a key that no such row has.
  func rows(of entity: Int, keysFrom sql: SQLText) throws(PersistenceError) -> KeyedRows

  /// Keys for new objects below `root`, never handed out again.
  ///
  /// - Returns: A block of at least one key and of about `count`.
  func reserveKeys(root: Int, count: Int) throws(PersistenceError) -> Range<Int64>

  /// Whether keys that were reserved for a save and not used stay reserved after it; otherwise the
  /// next object gets one behind all that were handed out.
  var keepsReservedKeys: Bool { get }

  /// Applies a change set as a whole; the versions of the rows are those of ``RowVersion``.
  ///
  /// `beforeCommit` runs when nothing but the commit is left to do, and refuses the save by
  /// throwing.
  ///
  /// - Throws: ``PersistenceError``; with `conflict` and the object IDs when a row has another
  ///   version than the change set says, or is gone. Nothing was changed then.
  @discardableResult
  func save(
    _ changes: ChangeSet, beforeCommit: () throws(PersistenceError) -> Void
  ) throws(PersistenceError) -> SaveResult

  /// Applies a change set as a whole, and may commit it together with those of other threads.
  ///
  /// - Throws: ``PersistenceError`` as ``save(_:beforeCommit:)``, for this change set alone.
  @discardableResult
  func save(_ changes: ChangeSet) throws(PersistenceError) -> SaveResult

  /// Sets attributes of all objects that meet a condition, as a whole, and raises their versions.
  ///
  /// - Throws: ``PersistenceError``; `validation` for values that break a rule of the model,
  ///   `uniquenessViolated`, `invalidPredicate`. Nothing was changed then.
  func update(_ update: StoreUpdate) throws(PersistenceError) -> UpdatedRows

  /// A value that a program keeps with the store, read as one of `type`; `nil` without one.
  ///
  /// - Throws: ``PersistenceError``: `invalidStoredValue` for a value of another type.
  func metadata(_ key: String, _ type: AttributeType) throws(PersistenceError) -> AttributeValue?

  /// A value to keep under a key, as ``metadata(_:_:)`` will return it as one of `type`.
  ///
  /// - Throws: ``PersistenceError`` as that does; `validation` for a value that cannot be kept.
  func metadatum(
    _ value: AttributeValue, _ key: String, as type: AttributeType
  ) throws(PersistenceError) -> AttributeValue

  /// The keys of these values, in order.
  func metadataKeys() throws(PersistenceError) -> [String]

  /// A store that reads one moment of this one, from now until it is closed or a limit is reached;
  /// it refuses to be changed.
  ///
  /// - Throws: ``PersistenceError``: `unsupported` if readers and writers take turns, `viewEnded`
  ///   if there are too many views.
  func pinned(_ limits: PinnedViewLimits) throws(PersistenceError) -> any PersistentStore

  /// A store that reads one moment of this one, until it is closed or reaches a limit, also where
  /// readers and writers take turns: then writers wait for it.
  ///
  /// - Throws: ``PersistenceError`` as ``pinned(_:)``.
  func snapshot(_ limits: PinnedViewLimits) throws(PersistenceError) -> any PersistentStore

  /// The history of its saves.
  ///
  /// - Throws: ``PersistenceError``: `unsupported` for a store that cannot have one.
  func requireHistory() throws(PersistenceError) -> any StoreHistory

  /// The histories of the saves of other processes, of each store that follows them.
  var followedHistories: [any StoreHistory] { get }

  /// Whether the store applies increments and conditions of updates to an entity
  /// (``ChangeSet/Update``); otherwise a context does not use them.
  func appliesIncrements(to entity: Int) -> Bool

  /// The condition of the store, or of each one behind it, after reading it.
  ///
  /// - Throws: ``PersistenceError`` with what keeps the store from answering.
  func conditions() throws(PersistenceError) -> [StoreCondition]

  /// Closes the store. Calls in progress end first; later ones throw `storeClosed`.
  func close()
}

extension PersistentStore {
  package func identifier(of entity: Int) -> UUID { identifier }

  package var statistics: StoreStatistics { StoreStatistics() }

  package func conditions() throws(PersistenceError) -> [StoreCondition] { [] }

  package var commitsFirst: Bool { false }

  package var keepsReservedKeys: Bool { true }

  package var readPlace: ReadPlace { .primary }

  package func reading(at place: ReadPlace) -> any PersistentStore { self }

  package var workThreads: Int { 16 }

  package var followedHistories: [any StoreHistory] { [] }

  @discardableResult
  package func save(_ changes: ChangeSet) throws(PersistenceError) -> SaveResult {
    try save(changes) {}
  }

  package func appliesIncrements(to entity: Int) -> Bool { false }

  package func update(_ update: StoreUpdate) throws(PersistenceError) -> UpdatedRows {
    throw PersistenceError(
      .unsupported,
      "the store cannot update objects without reading them; fetch the objects and change them")
  }

  package func metadata(
    _ key: String, _ type: AttributeType
  ) throws(PersistenceError) -> AttributeValue? { throw .keepsNoMetadata }

  package func metadatum(
    _ value: AttributeValue, _ key: String, as type: AttributeType
  ) throws(PersistenceError) -> AttributeValue { throw .keepsNoMetadata }

  package func metadataKeys() throws(PersistenceError) -> [String] { throw .keepsNoMetadata }

  package func pinned(_ limits: PinnedViewLimits) throws(PersistenceError) -> any PersistentStore {
    throw PersistenceError(
      .unsupported,
      "this store cannot keep one moment for a reader: only a store in one file with a write-ahead "
        + "log, or on a server, can; fetch what has to agree in one context, or open such a store")
  }

  package func snapshot(
    _ limits: PinnedViewLimits
  ) throws(PersistenceError) -> any PersistentStore { try pinned(limits) }

  /// Refuses: a store has to know how to do that.
  package func requireHistory() throws(PersistenceError) -> any StoreHistory {
    throw PersistenceError(
      .unsupported,
      "this store cannot keep a history of its saves: one in a file, in memory or on a server can")
  }

  /// Refuses: a store has to know how to do that.
  package func wordStatistics(
    of search: RankedSearch, in entity: Int
  ) throws(PersistenceError) -> WordStatistics {
    throw PersistenceError(
      .unsupported,
      "this store cannot rank what a search for words finds; sort by attributes instead")
  }

  package func rows(of fetch: StoreFetch) throws(PersistenceError) -> [RowSlab] {
    try rows(of: fetch, unless: nil)
  }
}

extension PersistenceError {
  fileprivate static var keepsNoMetadata: PersistenceError {
    PersistenceError(.unsupported, "this store keeps no values beside its objects")
  }
}
