import Foundation
import OxbowModel
import OxbowPlatform
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import Testing

/// Saves each change set on a thread of its own; see ``saveTogether(_:waiting:meanwhile:)``.
func saveTogether(_ changes: [ChangeSet], _ store: SQLiteStore) throws -> [PersistenceError?] {
  try saveTogether(changes.map { (store, $0) })
}

/// Saves each change set on a thread of its own, while the writer of the first store is busy, so
/// that they come to it in their order.
///
/// The writer goes on when `waiting` saves wait, all unless said otherwise, and after `meanwhile`.
/// What a save runs is noted in its record, if it has one.
///
/// - Returns: The errors, in the order of the saves.
func saveTogether(
  _ saves: [(store: SQLiteStore, changes: ChangeSet)], waiting: Int? = nil,
  notedIn records: [StatementRecord?]? = nil, meanwhile: () throws -> Void = {}
) throws -> [PersistenceError?] {
  let errors = Lock([PersistenceError?](repeating: nil, count: saves.count))
  let ended = Lock(0)
  let threads = DispatchGroup()
  let store = saves[0].store
  let busy = try BusyWriter(store)
  for (place, save) in saves.enumerated() {
    threads.enter()
    Thread.detachNewThread {
      let error = errorOf {
        try StatementRecord.noting(for: records?[place]) {
          _ = try save.store.save(save.changes)
        }
      }
      errors.withLock { $0[place] = error }
      ended.withLock { $0 += 1 }
      threads.leave()
    }
    // One that waited for too long, on a busy machine, has ended.
    while store.waitingSaves + ended.withLock(\.self) < min(place + 1, waiting ?? saves.count) {
      sched_yield()
    }
  }
  try meanwhile()
  busy.release()
  threads.wait()
  return errors.withLock(\.self)
}

/// A save that keeps the writer of a store busy, and is rolled back.
private final class BusyWriter: Sendable {
  private let isReleased = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ store: SQLiteStore) throws {
    let hasBegun = DispatchSemaphore(value: 0)
    var changes = ChangeSet()
    changes.inserts = [try Self.insert(store.model)]
    let insertion = changes
    Thread.detachNewThread { [isReleased, hasEnded] in
      _ = errorOf {
        try store.save(insertion) { () throws(PersistenceError) in
          hasBegun.signal()
          isReleased.wait()
          throw PersistenceError(.unsupported, "only to keep the writer busy")
        }
      }
      hasBegun.signal()
      hasEnded.signal()
    }
    hasBegun.wait()
  }

  private static func insert(_ model: CompiledModel) throws -> ChangeSet.Insert {
    let entity = try #require(model.entities.first { !$0.description.isAbstract })
    let values = entity.properties.map { property -> AttributeValue? in
      guard let attribute = property.attribute, !attribute.isOptional else { return nil }
      return attribute.type == .string ? .string("") : .integer(0)
    }
    return ChangeSet.Insert(
      entity: entity.index, key: 1 << 40, values: ContiguousArray(values))
  }

  func release() {
    isReleased.signal()
    hasEnded.wait()
  }
}
