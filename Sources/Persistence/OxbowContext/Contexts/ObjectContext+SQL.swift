public import OxbowModel
public import OxbowStore

extension ObjectContext {
  /// Returns the rows that a statement in SQL gives; see
  /// ``ManagedObjectContext/fetchRows(sql:)``.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func fetchRows(
    sql: SQLText, arguments: [(any FetchValueConvertible)?]
  ) throws -> [SQLRow] { try fetchRows(sql: sql.with(arguments: arguments)) }

  /// Returns the objects whose keys a statement in SQL gives; see
  /// ``ManagedObjectContext/fetch(_:sql:)``.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func fetch<T: ManagedObject>(
    _ type: T.Type, sql: SQLText, arguments: [(any FetchValueConvertible)?]
  ) throws -> [T] { try fetch(type, sql: sql.with(arguments: arguments)) }
}
