public import OxbowContext
public import OxbowModel

extension PersistentContainer {
  /// Returns what a request finds as a sequence of values that is read while it is used.
  ///
  /// ```swift
  /// for try await title in store.stream(FetchRequest<Book>(), row: { $0.title }) { print(title) }
  /// ```
  ///
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - pageSize: How many objects are read at once.
  ///   - row: Makes a value of an object. It runs off the caller's actor.
  /// - Returns: The sequence; errors of the request are thrown by its iterators.
  /// - Precondition: `pageSize` is positive.
  public func stream<T: ManagedObject, Value: Sendable>(
    _ request: FetchRequest<T>, pageSize: Int = 500,
    row: @escaping @Sendable (T) throws(PersistenceError) -> Value
  ) -> FetchStream<Value> { coordinator.stream(request, pageSize: pageSize, row: row) }
}
