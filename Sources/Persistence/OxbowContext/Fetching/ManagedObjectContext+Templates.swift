public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Returns what a fetch request template of the model finds, with values for its variables.
  ///
  /// ```swift
  /// let books: [Book] = try context.fetch(template: "booksOf", ["name": "Lem"])
  /// ```
  ///
  /// - Throws: ``PersistenceError``: `unknownTemplate`; `invalidPredicate`, which names a variable
  ///   without a value; `classMismatch` when the template's objects are not `T`; and as
  ///   ``fetch(_:)``.
  public func fetch<T: ManagedObject>(
    template name: String, _ values: [String: (any FetchArgument)?] = [:], as type: T.Type = T.self,
    sortedBy sortKeys: [SortKey<T>] = []
  ) throws(PersistenceError) -> [T] {
    try fetch(request(template: name, values, sortedBy: sortKeys))
  }

  /// Returns a fetch request template of the model as a request, with values for its variables.
  ///
  /// - Throws: ``PersistenceError``: `unknownTemplate`, and `invalidPredicate`, which names a
  ///   variable without a value.
  public func request<T: ManagedObject>(
    template name: String, _ values: [String: (any FetchArgument)?] = [:], as type: T.Type = T.self,
    sortedBy sortKeys: [SortKey<T>] = []
  ) throws(PersistenceError) -> FetchRequest<T> {
    let template = try model.source.requireFetchRequestTemplate(named: name)
    var request = FetchRequest<T>(
      entityNamed: template.entityName, where: try template.predicate?.substituting(values),
      sortedBy: sortKeys, limit: template.limit)
    request.includesSubentities = template.includesSubentities
    return request
  }
}
