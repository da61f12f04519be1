internal import OxbowModel
internal import OxbowPlatform
internal import OxbowStore

// A fetch in parts. Without an order of its own, a part begins after the last key of the one
// before, and nothing is held in between. With an order or a limit, the keys are read first, in
// order, and then the rows of one part after the other.

/// A fetch that is read in parts, and its position.
struct FetchCursor: Sendable {
  let fetch: StoreFetch
  let size: Int
  private var position: Position

  private enum Position: Sendable {
    case start
    case after(Int64)
    case keys(ArraySlice<Int64>)
    case end
  }
  var cancellation: ReadCancellation? { fetch.cancellation }

  init(_ fetch: StoreFetch, size: Int) {
    self.fetch = fetch
    self.size = size
    position = .start
  }

  /// A cursor over objects that are already known.
  init(_ fetch: StoreFetch, keys: [Int64], size: Int) {
    self.fetch = fetch
    self.size = size
    position = keys.isEmpty ? .end : .keys(keys[...])
  }

  /// Ends the cursor, because nothing follows an error.
  mutating func end() { position = .end }

  /// The rows of the next part, and their keys in order; some rows may no longer exist.
  mutating func next(from store: any PersistentStore) throws(PersistenceError) -> KeyedRows? {
    switch position {
    case .end: return nil
    case .start where hasOrder:
      let keys = try store.keys(of: fetch).keys
      position = keys.isEmpty ? .end : .keys(keys[...])
      return try next(from: store)
    case .start: return try rows(after: nil, from: store)
    case .after(let key): return try rows(after: key, from: store)
    case .keys(let keys): return try rows(keys, from: store)
    }
  }

  private var hasOrder: Bool { !fetch.sortKeys.isEmpty || fetch.limit != nil || fetch.offset > 0 }

  private mutating func rows(
    after key: Int64?, from store: any PersistentStore
  ) throws(PersistenceError) -> KeyedRows? {
    var part = fetch
    part.afterKey = key
    part.limit = size
    let slabs = try store.rows(of: part)
    let keys = slabs.keys
    position = keys.count < size ? .end : keys.last.map { .after($0) } ?? .end
    return keys.isEmpty ? nil : KeyedRows(slabs: slabs, keys: keys)
  }

  private mutating func rows(
    _ keys: ArraySlice<Int64>, from store: any PersistentStore
  ) throws(PersistenceError) -> KeyedRows {
    var part = StoreFetch(entity: fetch.entity)
    part.includesSubentities = fetch.includesSubentities
    part.cancellation = fetch.cancellation
    part.keys = Array(keys.prefix(size))
    let slabs = try store.rows(of: part)
    position = keys.count > size ? .keys(keys.dropFirst(size)) : .end
    return KeyedRows(slabs: slabs, keys: part.keys ?? [])
  }

  /// Reads the next part and makes something of it, off the caller's actor; stops if the caller's
  /// task is cancelled.
  consuming func advanced<Part: Sendable>(
    in store: any PersistentStore, on threads: WorkThreads,
    _ make: @escaping @Sendable (KeyedRows, ReadCancellation?) throws(PersistenceError) -> Part
  ) async -> (cursor: FetchCursor, part: Result<Part?, PersistenceError>) {
    let (start, cancellation) = (self, cancellation)
    return await withTaskCancellationHandler {
      await threads.run { Self.read(start, store, make) }
    } onCancel: {
      cancellation?.cancel()
    }
  }

  private static func read<Part: Sendable>(
    _ cursor: FetchCursor, _ store: any PersistentStore,
    _ make: @Sendable (KeyedRows, ReadCancellation?) throws(PersistenceError) -> Part
  ) -> (cursor: FetchCursor, part: Result<Part?, PersistenceError>) {
    var cursor = cursor
    do throws(PersistenceError) {
      let rows = try StatementRecord.planned { () throws(PersistenceError) in
        try cursor.next(from: store)
      }
      guard let rows else { return (cursor, .success(nil)) }
      return (cursor, .success(try make(rows, cursor.cancellation)))
    } catch {
      cursor.end()
      return (cursor, .failure(error))
    }
  }
}

extension ManagedObjectContext {
  /// The objects of rows below `entity`, in the order of their keys.
  ///
  /// New objects have no rows and are found by their keys; deleted ones are left out.
  func objects<T: ManagedObject>(
    of rows: KeyedRows, _ entity: Int, as type: T.Type = T.self
  ) throws(PersistenceError) -> [T] {
    var objects: [Int64: T] = [:]
    objects.reserveCapacity(rows.keys.count)
    for slab in rows.slabs {
      for object in try register(slab) where !object._state.contains(.deleted) {
        objects[object.key] = object as? T
      }
    }
    return rows.keys.compactMap { objects[$0] ?? newObject($0, identity.roots[entity]) as? T }
  }

  private func newObject(_ key: Int64, _ root: Int) -> ManagedObject? {
    guard !unsaved.isEmpty, let object = identity.maps[root][key] else { return nil }
    return object._state.contains(.inserted) && !object._state.contains(.deleted) ? object : nil
  }
}
