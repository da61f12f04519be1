internal import OxbowModel

// Names of Core Data that differ here, so that the compiler says which to use.

extension FetchedResults {
  /// Renamed: ``objects``.
  @available(*, unavailable, renamed: "objects")
  public var fetchedObjects: [Object]? { Refused.call() }

  /// Renamed: ``refetch()``.
  @available(
    *, unavailable,
    message:
      "the results are fetched where they are made; 'try results.refetch()' fetches them again"
  )
  public func performFetch() throws { Refused.call() }

  /// Renamed: ``request``.
  @available(*, unavailable, renamed: "request")
  public var fetchRequest: FetchRequest<Object> { Refused.call() }

  /// Renamed: ``context``.
  @available(*, unavailable, renamed: "context")
  public var managedObjectContext: ManagedObjectContext { Refused.call() }

  /// Renamed: ``changes()``.
  @available(
    *, unavailable,
    message: "write 'for try await change in results.changes()', or call 'try results.update()'"
  )
  public var delegate: Any? {
    get { Refused.call() }
    set { Refused.call() }
  }

  /// Renamed: `FetchedResultsSection.indexTitle`.
  @available(*, unavailable, message: "write 'results.sections.map(\\.indexTitle)'")
  public var sectionIndexTitles: [String] { Refused.call() }

  /// Renamed: ``position(of:)``.
  @available(*, unavailable, renamed: "position(of:)")
  public func indexPath(forObject object: Object) -> Never { Refused.call() }
}
