import OxbowModel
import OxbowPlatform
import OxbowStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A store whose commit fails, or whose rows are others, when a test says so.
final class FailingStore: PersistentStore {
  let fails = Lock(false)
  let spoil = Lock<(@Sendable (RowSlab) -> RowSlab)?>(nil)
  let entities: Set<Int>
  private let store: any PersistentStore

  init(_ store: any PersistentStore, _ entities: Set<Int>) {
    self.store = store
    self.entities = entities
  }

  var identifier: UUID { store.identifier }
  var model: CompiledModel { store.model }
  var isReadOnly: Bool { store.isReadOnly }

  func requireHistory() throws(PersistenceError) -> any StoreHistory { try store.requireHistory() }

  func save(
    _ changes: ChangeSet, beforeCommit: () throws(PersistenceError) -> Void
  ) throws(PersistenceError) -> SaveResult {
    try store.save(changes) { () throws(PersistenceError) in
      try beforeCommit()
      if fails.withLock(\.self) { throw PersistenceError(.ioFailure, "the disk is gone") }
    }
  }

  func rows(of fetch: StoreFetch, unless isKnown: RowFilter?) throws(PersistenceError) -> [RowSlab]
  { try store.rows(of: fetch, unless: isKnown).map(spoil.withLock(\.self) ?? { $0 }) }
  func count(of fetch: StoreFetch) throws(PersistenceError) -> Int { try store.count(of: fetch) }
  func keys(of fetch: StoreFetch) throws(PersistenceError) -> [RowSlab] {
    try store.keys(of: fetch)
  }
  func places(of fetch: StoreFetch) throws(PersistenceError) -> [SortPlace] {
    try store.places(of: fetch)
  }
  func rows(of query: ColumnQuery) throws(PersistenceError) -> ColumnRows {
    try store.rows(of: query)
  }
  func check(_ query: ColumnQuery) throws(PersistenceError) -> [AttributeType] {
    try store.check(query)
  }
  func rows(of entity: Int, keys: [Int64]) throws(PersistenceError) -> [RowSlab] {
    try store.rows(of: entity, keys: keys)
  }
  func rows(
    related relationship: RelationshipID, to owners: [Int64]
  ) throws(PersistenceError) -> RelatedRows {
    try store.rows(related: relationship, to: owners)
  }
  func rows(of sql: SQLText) throws(PersistenceError) -> [SQLRow] { try store.rows(of: sql) }
  func rows(of entity: Int, keysFrom sql: SQLText) throws(PersistenceError) -> KeyedRows {
    try store.rows(of: entity, keysFrom: sql)
  }
  func reserveKeys(root: Int, count: Int) throws(PersistenceError) -> Range<Int64> {
    try store.reserveKeys(root: root, count: count)
  }
  func close() { store.close() }
}
