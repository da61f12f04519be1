public import OxbowModel
internal import OxbowStore

/// The changes of fetched results, as saves make them.
///
/// ```swift
/// for try await change in shelf.changes() { redraw(shelf.objects, change) }
/// ```
///
/// The sequence is used where the results' context is, and is not `Sendable`. It waits for a save
/// of any context of the coordinator, updates the results, and returns the difference, if there is
/// any. Saves that come between two elements are one element. Unsaved changes of the results'
/// context count when the next save wakes the sequence; call ``FetchedResults/update()`` to see
/// them at once.
///
/// There is one reader: a change is given to the first caller that updates the results. A task that
/// is cancelled ends the sequence.
public struct FetchedResultsChanges<Object: ManagedObject>: AsyncSequence {
  fileprivate let results: FetchedResults<Object>

  /// Starts to wait for changes; what has changed since the last update is the first of them.
  public func makeAsyncIterator() -> Iterator { Iterator(results: results) }

  /// Waits for changes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let results: FetchedResults<Object>

    /// Returns the next change, or `nil` when the task is cancelled.
    ///
    /// - Throws: ``PersistenceError``: as ``FetchedResults/update()``; `storeClosed` once the store
    ///   is closed.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(PersistenceError) -> FetchedResultsChange? {
      let mailbox = results.news.mailbox
      while !Task.isCancelled {
        // A closed store has no more saves, and a fetch says so.
        let isEnded = mailbox.isEnded
        let change = try isEnded ? results.refetch() : results.update()
        if !change.isEmpty { return change }
        if isEnded { return nil }
        await mailbox.wait()
      }
      return nil
    }

    /// Returns the next change, or `nil` when the task is cancelled.
    public mutating func next() async throws(PersistenceError) -> FetchedResultsChange? {
      try await next(isolation: nil)
    }
  }
}

extension FetchedResults {
  /// The changes from the last update on.
  public func changes() -> FetchedResultsChanges<Object> { FetchedResultsChanges(results: self) }
}
