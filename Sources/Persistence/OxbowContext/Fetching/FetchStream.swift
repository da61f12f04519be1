public import OxbowModel
internal import OxbowPlatform
public import OxbowStore

/// What a fetch finds, read a page at a time while it is used: values, for any isolation domain.
///
/// ```swift
/// let titles = coordinator.stream(FetchRequest<Book>(), row: \.title)
/// for try await title in titles { print(title) }
/// ```
///
/// Each page is read off the caller's actor, in a context of its own that ends with it; objects
/// never leave it, values do. A page sees one moment of the store. A request with an order, a limit
/// or an offset decides at the start which objects come and in which order; objects deleted since
/// are left out. Otherwise each page decides when it is read, in the order of keys. Nothing is held
/// between pages.
///
/// A task that is cancelled stops the statement that runs: the sequence throws `cancelled` and has
/// ended. Each iterator reads anew.
public struct FetchStream<Value: Sendable>: AsyncSequence, Sendable {
  /// The values in pages: arrays of up to the page's size, and never empty.
  public let pages: FetchPages<Value>

  /// Starts to read.
  public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

  /// Reads the values one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var pages: FetchPages<Value>.Iterator
    fileprivate var page = [Value]().makeIterator()

    /// Returns the next value, or `nil` after the last.
    ///
    /// - Throws: ``PersistenceError``: why a page could not be read, or `cancelled`.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(PersistenceError) -> Value? {
      while true {
        if let value = page.next() { return value }
        guard let values = try await pages.next(isolation: actor) else { return nil }
        page = values.makeIterator()
      }
    }

    /// Returns the next value, or `nil` after the last.
    public mutating func next() async throws(PersistenceError) -> Value? {
      try await next(isolation: nil)
    }
  }
}

/// The pages of a ``FetchStream``.
public struct FetchPages<Value: Sendable>: AsyncSequence, Sendable {
  fileprivate let start: @Sendable () throws(PersistenceError) -> FetchCursor
  fileprivate let store: any PersistentStore
  fileprivate let threads: WorkThreads
  fileprivate let values: ValuesOfPage

  fileprivate typealias ValuesOfPage =
    @Sendable (KeyedRows, ReadCancellation?) throws(PersistenceError) -> [Value]

  /// Starts to read.
  public func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

  /// Reads the pages one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let pages: FetchPages
    private var cursor: FetchCursor?

    fileprivate init(pages: FetchPages) { self.pages = pages }

    /// Returns the next page, or `nil` after the last.
    ///
    /// - Throws: ``PersistenceError``: why the page could not be read, or `cancelled`.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(PersistenceError) -> [Value]? {
      while true {
        if cursor == nil { cursor = try pages.start() }
        guard let start = cursor else { return nil }
        let (next, result) = await start.advanced(
          in: pages.store, on: pages.threads, pages.values)
        cursor = next
        guard let values = try result.get() else { return nil }
        if !values.isEmpty { return values }
      }
    }

    /// Returns the next page, or `nil` after the last.
    public mutating func next() async throws(PersistenceError) -> [Value]? {
      try await next(isolation: nil)
    }
  }
}

extension PersistentStoreCoordinator {
  /// Returns what a request finds as a sequence of values that is read while it is used.
  ///
  /// `row` makes a value of an object, off the caller's actor. Relationships that it follows are
  /// named in the `prefetching` of the request, or read for a page at a time. `place` says where
  /// the store is read, if it is on a server that has replicas.
  ///
  /// - Returns: The sequence; its iterators throw errors of the request, and of a `pageSize` that
  ///   is not positive.
  public func stream<T: ManagedObject, Value: Sendable>(
    _ request: FetchRequest<T>, pageSize: Int = 500, at place: ReadPlace = .primary,
    row: @escaping @Sendable (T) throws(PersistenceError) -> Value
  ) -> FetchStream<Value> {
    let store = store.reading(at: place)
    let start = { @Sendable () throws(PersistenceError) -> FetchCursor in
      try PersistenceError.require("pageSize", pageSize, atLeast: 1)
      let context = self.pageContext(store)
      var fetch = try context.storeFetch(request)
      fetch.cancellation = ReadCancellation()
      return FetchCursor(fetch, size: pageSize)
    }
    let values = {
      @Sendable
      (
        rows: KeyedRows, cancellation: ReadCancellation?
      ) throws(PersistenceError) -> [Value] in
      try self.pageContext(store).values(of: rows, request, cancellation, row)
    }
    return FetchStream(
      pages: FetchPages(start: start, store: store, threads: workThreads, values: values))
  }

  private func pageContext(_ store: any PersistentStore) -> ManagedObjectContext {
    ManagedObjectContext(self, "stream", .holder, parent: nil, store)
  }
}

extension ManagedObjectContext {
  fileprivate func values<T: ManagedObject, Value>(
    of rows: KeyedRows, _ request: FetchRequest<T>, _ cancellation: ReadCancellation?,
    _ row: (T) throws(PersistenceError) -> Value
  ) throws(PersistenceError) -> [Value] {
    let objects: [T] = try objects(of: rows, try storeFetch(request).entity)
    try prefetch(objects, request.prefetching)
    var values: [Value] = []
    values.reserveCapacity(objects.count)
    for object in objects {
      if cancellation?.isCancelled == true { throw .cancelled }
      values.append(try row(object))
    }
    try throwPendingFault()
    return values
  }
}
