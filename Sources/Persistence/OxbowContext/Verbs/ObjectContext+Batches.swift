public import OxbowFoundation
public import OxbowModel

extension ObjectContext {
  /// Changes the objects of a class in the store, without making objects.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func batchUpdate<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: FetchPredicate? = nil,
    _ assign: (inout BatchAssignments<T>) -> Void
  ) throws -> BatchResult {
    try call([.of(type), .of(predicate), .function]) {
      try $0.batchUpdate(type, where: predicate, assign)
    }
  }

  /// Changes the objects in the store that meet a `#Predicate`, without making objects.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func batchUpdate<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: Predicate<T>,
    _ assign: (inout BatchAssignments<T>) -> Void
  ) throws -> BatchResult { try batchUpdate(type, where: try FetchPredicate(predicate), assign) }

  /// Changes the objects in the store that meet a request, without making objects.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func batchUpdate<T: ManagedObject>(
    _ request: FetchRequest<T>, _ values: [(name: String, value: FetchExpression)]
  ) throws -> BatchResult {
    try call([.of(request), .of(values)]) { try $0.batchUpdate(request, values) }
  }

  /// Deletes the objects of a class in the store, without making objects.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func batchDelete<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: FetchPredicate? = nil
  ) throws -> BatchResult {
    try call([.of(type), .of(predicate)]) { try $0.batchDelete(type, where: predicate) }
  }

  /// Deletes the objects in the store that meet a `#Predicate`, without making objects.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func batchDelete<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: Predicate<T>
  ) throws -> BatchResult { try batchDelete(type, where: try FetchPredicate(predicate)) }

  /// Deletes the objects in the store that meet a request, without making objects.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func batchDelete<T: ManagedObject>(_ request: FetchRequest<T>) throws -> BatchResult {
    try call([.of(request)]) { try $0.batchDelete(request) }
  }

  /// Makes rows in the store, one for each element, without making objects.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func batchInsert<T: ManagedObject & ModelObject, Elements: Sequence>(
    _ type: T.Type, _ elements: Elements,
    _ fill: (Elements.Element, inout BatchAssignments<T>) -> Void
  ) throws -> BatchResult {
    try call([.of(type), .function, .function]) { try $0.batchInsert(type, elements, fill) }
  }
}
