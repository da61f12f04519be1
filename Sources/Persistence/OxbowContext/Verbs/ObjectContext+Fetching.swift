public import OxbowModel
public import OxbowStore

extension ObjectContext {
  /// Returns the objects that meet a request, unsaved changes included.
  @available(*, noasync, message: "use perform { context in … }")
  public func fetch<T: ManagedObject>(_ request: FetchRequest<T>) throws -> [T] {
    try call([.of(request)]) { try $0.fetch(request) }
  }

  /// Returns the objects that meet a request, read in batches.
  @available(*, noasync, message: "use perform { context in … }")
  public func fetch<T: ManagedObject>(_ request: FetchRequest<T>, batchSize: Int) throws
    -> FetchedObjects<T>
  {
    try call([.of(request), .of(batchSize)]) { try $0.fetch(request, batchSize: batchSize) }
  }

  /// Returns a part of what a request finds.
  @available(*, noasync, message: "use perform { context in … }")
  public func slice<T: ManagedObject>(
    _ request: FetchRequest<T>, after token: PageToken? = nil, limit: Int
  ) throws -> FetchedSlice<T> {
    try call([.of(request), .of(token), .of(limit)]) {
      try $0.slice(request, after: token, limit: limit)
    }
  }

  /// Returns the number of objects that meet a request.
  @available(*, noasync, message: "use perform { context in … }")
  public func count<T: ManagedObject>(_ request: FetchRequest<T>) throws -> Int {
    try call([.of(request)]) { try $0.count(request) }
  }

  /// Returns the IDs of the objects that meet a request.
  @available(*, noasync, message: "use perform { context in … }")
  public func fetchIDs<T: ManagedObject>(_ request: FetchRequest<T>) throws -> [ManagedObjectID] {
    try call([.of(request)]) { try $0.fetchIDs(request) }
  }

  /// Returns rows of values.
  @available(*, noasync, message: "use perform { context in … }")
  public func fetchRows(_ request: RowRequest) throws -> [FetchedRow] {
    try call([.of(request)]) { try $0.fetchRows(request) }
  }

  /// Returns the rows that a statement in SQL gives.
  @available(*, noasync, message: "use perform { context in … }")
  public func fetchRows(
    sql: SQLText, arguments: [(any FetchValueConvertible)?] = []
  ) throws -> [SQLRow] {
    let sql = sql.with(arguments: arguments)
    return try call([.of(sql)]) { try $0.fetchRows(sql: sql) }
  }

  /// Returns the objects whose keys a statement in SQL gives.
  @available(*, noasync, message: "use perform { context in … }")
  public func fetch<T: ManagedObject>(
    _ type: T.Type, sql: SQLText, arguments: [(any FetchValueConvertible)?] = []
  ) throws -> [T] {
    let sql = sql.with(arguments: arguments)
    return try call([.of(type), .of(sql)]) { try $0.fetch(type, sql: sql) }
  }

  /// Returns what a fetch request template of the model finds.
  @available(*, noasync, message: "use perform { context in … }")
  public func fetch<T: ManagedObject>(
    template name: String, _ values: [String: (any FetchArgument)?] = [:], as type: T.Type = T.self,
    sortedBy sortKeys: [SortKey<T>] = []
  ) throws -> [T] {
    try call([.of(name), .of(values), .of(type), .of(sortKeys)]) {
      try $0.fetch(template: name, values, as: type, sortedBy: sortKeys)
    }
  }

  /// Returns the object of an ID, a fault if the context has not met it.
  @available(*, noasync, message: "use perform { context in … }")
  public func object(with id: ManagedObjectID) throws -> ManagedObject {
    try call([.of(id)]) { try $0.object(with: id) }
  }

  /// Returns the object of an ID, read from the store if necessary.
  @available(*, noasync, message: "use perform { context in … }")
  public func existingObject<T: ManagedObject>(with id: ManagedObjectID, as type: T.Type = T.self)
    throws -> T
  {
    try call([.of(id), .of(type)]) { try $0.existingObject(with: id, as: type) }
  }

  /// Reads the rows of faults ahead.
  @available(*, noasync, message: "use perform { context in … }")
  public func load(_ objects: [ManagedObject]) throws {
    try call([.of(objects)]) { try $0.load(objects) }
  }

  /// Reads a relationship of several objects ahead.
  @available(*, noasync, message: "use perform { context in … }")
  public func load(_ relationship: String, of objects: [ManagedObject]) throws {
    try call([.of(relationship), .of(objects)]) { try $0.load(relationship, of: objects) }
  }

  /// Reads relationships of `objects` ahead, along paths of any length.
  @available(*, noasync, message: "use perform { context in … }")
  public func prefetch<T: ManagedObject>(_ objects: [T], _ paths: PrefetchPaths<T>) throws {
    try call([.of(objects), .of(paths)]) { try $0.prefetch(objects, paths) }
  }

  /// Forgets an object's unsaved changes, and reads its row again with its next access.
  @available(*, noasync, message: "use perform { context in … }")
  public func refresh(_ object: ManagedObject) throws {
    try call([.of(object)]) { try $0.refresh(object) }
  }

  /// Reads an object's row again, with or without its unsaved changes.
  @available(*, noasync, message: "use perform { context in … }")
  public func refresh(_ object: ManagedObject, mergingChanges: Bool) throws {
    try call([.of(object), .of(mergingChanges)]) {
      try $0.refresh(object, mergingChanges: mergingChanges)
    }
  }

  /// Reads the rows of all objects again with their next access.
  @available(*, noasync, message: "use perform { context in … }")
  public func refreshAllObjects(mergingChanges: Bool = true) throws {
    try call([.of(mergingChanges)]) { try $0.refreshAllObjects(mergingChanges: mergingChanges) }
  }

  /// Returns the value that the program keeps with the store under a key.
  @available(*, noasync, message: "use perform { context in … }")
  public func metadata<T: AttributeConvertible>(_ key: String, as type: T.Type = T.self) throws
    -> T?
  {
    try call([.of(key), .of(type)]) { try $0.metadata(key, as: type) }
  }

  /// Counts of what the context has done since it was made.
  @available(*, noasync, message: "use perform { context in … }")
  public var statistics: ContextStatistics { get throws { try call { $0.statistics } } }
}
