extension ObjectContext {
  /// Reads relationships of `objects` ahead, along paths of any length; see
  /// ``ManagedObjectContext/prefetch(_:_:)``.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func prefetch<T: ManagedObject>(_ objects: [T], _ paths: PrefetchPaths<T>) throws {
    _ = try paths.tree()
    for path in paths.paths { try load(path.joined(separator: "."), of: objects) }
  }
}
