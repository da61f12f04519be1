public import OxbowModel
internal import OxbowStore

/// The objects that a fetch finds, read a page at a time while they are used.
///
/// ```swift
/// actor Importer {
///   let context: ManagedObjectContext
///   func mark() async throws {
///     for try await book in context.stream(FetchRequest<Book>()) { book.pages += 1 }
///     try context.save()
///   }
/// }
/// ```
///
/// The sequence is used where its context is, and is not `Sendable`, like its objects. The store is
/// read off the context's actor, so others may use the actor meanwhile; a page is read again if the
/// context has read or saved something until it came. Changes that are unsaved when the sequence
/// starts, in the context or its parents, count, as in a fetch; then it decides at its start which
/// objects come. Otherwise pages are decided as in a ``FetchStream``. Deleted objects are left out.
///
/// A task that is cancelled stops the statement that runs: the sequence throws `cancelled` and has
/// ended.
public struct ObjectStream<Object: ManagedObject>: AsyncSequence {
  fileprivate let context: ManagedObjectContext
  fileprivate let request: FetchRequest<Object>
  fileprivate let pageSize: Int

  /// Starts to read.
  public func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

  /// Reads the objects.
  public struct Iterator: AsyncIteratorProtocol {
    private let stream: ObjectStream
    private var cursor: FetchCursor?
    private var page = [Object]().makeIterator()

    fileprivate init(stream: ObjectStream) { self.stream = stream }

    /// Returns the next object, or `nil` after the last.
    ///
    /// - Throws: ``PersistenceError``: why a page could not be read, or `cancelled`.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(PersistenceError) -> Object? {
      while true {
        if let object = page.next() { return object }
        guard let objects = try await nextPage(isolation: actor) else { return nil }
        page = objects.makeIterator()
      }
    }

    /// Returns the next object, or `nil` after the last.
    public mutating func next() async throws(PersistenceError) -> Object? {
      try await next(isolation: nil)
    }

    private mutating func nextPage(
      isolation actor: isolated (any Actor)?
    ) async throws(PersistenceError) -> [Object]? {
      let context = stream.context
      if cursor == nil {
        cursor = try context.cursor(of: stream.request, size: stream.pageSize)
      }
      guard let start = cursor else { return nil }
      guard let rows = try await rows(from: start, context, isolation: actor) else { return nil }
      do throws(PersistenceError) { return try context.page(of: rows, stream.request) } catch {
        cursor?.end()
        throw error
      }
    }

    private mutating func rows(
      from start: FetchCursor, _ context: ManagedObjectContext,
      isolation actor: isolated (any Actor)?
    ) async throws(PersistenceError) -> KeyedRows? {
      // A parent is read where it is.
      guard context.parent == nil else { return try readHere(from: start, context) }
      let moment = Moment(of: context)
      let (next, result) = await start.advanced(
        in: context.store, on: context.coordinator.workThreads
      ) { rows, _ in rows }
      cursor = next
      let rows = try result.get()
      // What the context has saved, read or merged meanwhile may be newer than the page.
      return moment == Moment(of: context) ? rows : try readHere(from: start, context)
    }

    /// Reads a page where the context is.
    private mutating func readHere(
      from start: FetchCursor, _ context: ManagedObjectContext
    ) throws(PersistenceError) -> KeyedRows? {
      var next = start
      cursor?.end()
      if Task.isCancelled { throw .cancelled }
      let rows = try next.next(from: context.store)
      cursor = next
      return rows
    }
  }
}

/// What a context has read, written and dropped until now.
private struct Moment: Equatable {
  let token: ObjectIdentifier
  let rowChanges: Int
  let statistics: ContextStatistics

  init(of context: ManagedObjectContext) {
    token = ObjectIdentifier(context.token)
    rowChanges = context.token.rowChanges
    statistics = context.statistics
  }
}

extension ManagedObjectContext {
  /// Returns what a request finds as a sequence of objects that is read while it is used.
  ///
  /// - Returns: The sequence; its iterators throw errors of the request, and of a `pageSize` that
  ///   is not positive.
  public func stream<T: ManagedObject>(
    _ request: FetchRequest<T>, pageSize: Int = 500
  ) -> ObjectStream<T> {
    ObjectStream(context: self, request: request, pageSize: pageSize)
  }

  fileprivate func cursor<T: ManagedObject>(
    of request: FetchRequest<T>, size: Int
  ) throws(PersistenceError) -> FetchCursor {
    try PersistenceError.require("pageSize", size, atLeast: 1)
    try begin("stream")
    var fetch = try storeFetch(request)
    fetch.cancellation = ReadCancellation()
    if request.includesPendingChanges, try isDisturbed(fetch) {
      return FetchCursor(fetch, keys: try mergedObjects(fetch).map(\.key), size: size)
    }
    guard try isDisturbedAbove(fetch) else { return FetchCursor(fetch, size: size) }
    return FetchCursor(fetch, keys: try store.keys(of: fetch).keys, size: size)
  }

  /// Whether unsaved changes of a parent can alter the result of a fetch.
  private func isDisturbedAbove(_ fetch: StoreFetch) throws(PersistenceError) -> Bool {
    guard let parent else { return false }
    if try parent.isDisturbed(fetch) { return true }
    return try parent.isDisturbedAbove(fetch)
  }

  fileprivate func page<T: ManagedObject>(
    of rows: KeyedRows, _ request: FetchRequest<T>
  ) throws(PersistenceError) -> [T] {
    try begin("stream")
    statistics.fetches += 1
    if hasGrown { sweep() }
    let objects: [T] = try objects(of: rows, try storeFetch(request).entity)
    try prefetch(objects, request.prefetching)
    return objects
  }
}
