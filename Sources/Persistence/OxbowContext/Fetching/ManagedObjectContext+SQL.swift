public import OxbowModel
public import OxbowStore

// SQL of a program. The store answers it, so it sees only what was saved.

extension ManagedObjectContext {
  /// Returns the rows that a statement in SQL gives.
  ///
  /// ```swift
  /// let rows = try context.fetchRows(
  ///   sql: "SELECT \(\Book.author), count(*) AS n FROM \(Book.self) GROUP BY 1")
  /// ```
  ///
  /// The statement can only read, and it reads what was saved: unsaved changes are not in the rows.
  /// The arguments are the values of its parameters `?`, in order.
  ///
  /// - Throws: ``PersistenceError``: `invalidSQL` for a statement that does more than read, for
  ///   several statements and for SQL that the store does not know; why the store could not be
  ///   read; and any recorded error of a getter.
  public func fetchRows(
    sql: SQLText, arguments: [(any FetchValueConvertible)?] = []
  ) throws(PersistenceError) -> [SQLRow] {
    try begin("fetchRows(sql:)")
    noteLookupOfAll()
    statistics.fetches += 1
    return try store.rows(of: sql.with(arguments: arguments))
  }

  /// Returns the objects whose keys a statement in SQL gives, in its order.
  ///
  /// ```swift
  /// let long = try context.fetch(
  ///   Book.self, sql: "SELECT \(keyOf: Book.self) FROM \(Book.self) WHERE pages > \(500)")
  /// ```
  ///
  /// The statement finds what was saved. The objects are those of the context, with its unsaved
  /// changes, without deleted ones. The arguments are the values of its parameters `?`, in order.
  ///
  /// - Throws: ``PersistenceError``: as ``fetchRows(sql:arguments:)``, and `invalidSQL` for a
  ///   statement that gives no column of keys, or a key that no object of the class has.
  public func fetch<T: ManagedObject>(
    _ type: T.Type, sql: SQLText, arguments: [(any FetchValueConvertible)?] = []
  ) throws(PersistenceError) -> [T] {
    try begin("fetch(_:sql:)")
    let entity = try entity(of: type)
    noteLookup(entity.index)
    statistics.fetches += 1
    if hasGrown { sweep() }
    let keys = sql.with(arguments: arguments)
    return try objects(of: try store.rows(of: entity.index, keysFrom: keys), entity.index)
  }
}
