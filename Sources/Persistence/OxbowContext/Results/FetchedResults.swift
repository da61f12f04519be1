public import OxbowModel
internal import OxbowStore

/// The objects that a request finds, in order, kept up to date: what a list on a screen shows, or a
/// cache of a service.
///
/// ```swift
/// let shelf = try FetchedResults(
///   FetchRequest<Book>(sortedBy: [.ascending(\.title)]), in: context,
///   sectionName: { String($0.title.prefix(1)) })
/// for try await change in shelf.changes() { redraw(shelf.objects, change) }
/// ```
///
/// Nothing changes by itself between two calls: ``update()`` brings ``objects`` up to date with the
/// unsaved changes of the context and with the saves of all contexts of its coordinator, and
/// returns the difference. ``changes()`` calls it after each save. What a program shows agrees with
/// what the context would fetch at that moment.
///
/// Which objects came and went is decided in memory, for the changed objects: one request reads
/// their rows by key. The request is fetched again if it has a limit or an offset, follows
/// relationships, compares with the current time or contains SQL, if its context has a parent, or
/// if the list of changes has grown too long. The saves of other processes count if the store
/// follows them; otherwise only ``refetch()`` sees them.
///
/// The results are used where their context is, and hold it and their objects. It is Core Data's
/// `NSFetchedResultsController`, without a delegate.
public final class FetchedResults<Object: ManagedObject> {
  /// The request.
  ///
  /// Without sort keys, objects come in the order of their object keys.
  public let request: FetchRequest<Object>

  /// The context of the objects.
  public let context: ManagedObjectContext

  /// The objects as of the last update.
  public internal(set) var objects: [Object] = []

  /// The sections of the objects: one if there is no section name, none if there is no object.
  public var sections: [FetchedResultsSection] { layout.sections }

  /// The store's form of the request, and whether the values of an object alone decide whether and
  /// where it is found.
  let fetch: StoreFetch
  private let isDecidable: Bool

  /// The name of an object's section.
  let sectionName: ((Object) -> String)?

  /// The references of the objects at the last update, their sections and their versions.
  var layout = FetchedResultsLayout()
  var versions: [ObjectReference: Int64] = [:]

  /// The place of each object in the order, from the first decision in memory on.
  var positions: [SortPosition]?

  /// The context's token and its count of row changes at the last update.
  var seenRows: (token: ContextToken, count: Int)?

  /// The edits that objects of the entity had at the last update.
  var pending: [ObjectReference: UnsavedEdits] = [:]

  /// The saves since the last update.
  let news: News

  /// Fetches the objects.
  ///
  /// `sectionName` makes the name of an object's section of its values; the sort keys of the
  /// request must group the objects of a section.
  ///
  /// - Throws: ``PersistenceError``: as a fetch, and `invalidPredicate` if objects of one section
  ///   do not follow one another in the order of the request.
  public init(
    _ request: FetchRequest<Object>, in context: ManagedObjectContext,
    sectionName: ((Object) -> String)? = nil
  ) throws(PersistenceError) {
    var request = request
    // Sections and versions are made of values.
    request.includesPropertyValues = true
    self.request = request
    self.context = context
    self.sectionName = sectionName
    fetch = try context.storeFetch(request)
    isDecidable = request.includesPendingChanges && context.decides(fetch)
    news = News(of: context)
    try refetch()
  }

  /// The position of an object in the results, or `nil` if it is not one of them.
  ///
  /// - Complexity: O(objects).
  public func position(of object: Object) -> FetchedResultsPosition? {
    guard let index = objects.firstIndex(of: object),
      let section = sections.firstIndex(where: { $0.indices.contains(index) })
    else { return nil }
    return FetchedResultsPosition(
      section: section, item: index - sections[section].indices.lowerBound, index: index)
  }

  /// Fetches the request again, and so sees what other processes have saved even if the store does
  /// not follow them.
  ///
  /// - Returns: The difference from the last update.
  /// - Throws: ``PersistenceError``: as a fetch; the objects stay as they were then.
  @discardableResult
  public func refetch() throws(PersistenceError) -> FetchedResultsChange {
    try context.begin("refetch()")
    return try taking(news.mailbox.take()) { _ throws(PersistenceError) in try found() }
  }

  /// Brings the objects up to date.
  ///
  /// - Returns: The difference from the last update.
  /// - Throws: ``PersistenceError``: as a fetch; the objects stay as they were then, and the next
  ///   update fetches.
  /// - Complexity: O(objects) comparisons of versions, and one request for the changed rows; O(1)
  ///   if no save and no unsaved change concerns the entity and the context has not read a newer
  ///   row.
  @discardableResult
  public func update() throws(PersistenceError) -> FetchedResultsChange {
    try context.begin("update()")
    let news = news.mailbox.take()
    if isDecidable, isUpToDate(news) { return FetchedResultsChange() }
    return try taking(news) { news throws(PersistenceError) in
      // A reset has ended all objects at once.
      guard news.isComplete, isDecidable, objects.first?.token.hasContext != false else {
        return try found()
      }
      return try decided(news)
    }
  }
}
