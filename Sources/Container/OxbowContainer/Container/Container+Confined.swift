internal import OxbowDocuments

extension Container {
  /// Works with an object that does not leave: that of the calling thread, or any other.
  ///
  /// The body is `@Sendable` and returns a `Sendable` value, so that the object stays inside.
  ///
  /// ```swift
  /// try container.withObject("job", as: Job.self) { job in try job.run() }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The object's name.
  ///   - type: Its type, or a type that it can be seen as.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - body: The work.
  /// - Returns: What `body` returns.
  /// - Throws: ``ContainerError``, and what `body` throws.
  public func withObject<T, R: Sendable>(
    _ name: String, as type: T.Type = T.self, file: String = #fileID, line: Int = #line,
    _ body: @Sendable (T) throws -> R
  ) throws -> R {
    guard let entry = engine.entry(named: name) else {
      throw engine.unknown(name, at: SourceLocation(file: file, line: line))
    }
    return try body(asking(name) { try cast(entry) })
  }

  /// Works with the object of a reference that does not leave.
  public func withObject<T, R: Sendable>(
    _ ref: Ref<T>, _ body: @Sendable (T) throws -> R
  ) throws -> R {
    let entry = try engine.entry(of: ref)
    return try body(asking(entry.name) { try cast(entry) })
  }

  /// Runs a unit of work that has its own objects of thread scope and its own targets of
  /// thread-local proxies.
  ///
  /// What the calling thread had before is out of sight meanwhile, and back afterwards; what the
  /// work made is released at its end, after what is ``ConfinedDisposable`` was disposed of. Call
  /// it around each job on threads that are not yours, such as those of a pool, where nothing else
  /// ends what a job leaves behind.
  ///
  /// - Parameter body: The work, on this thread.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func withThreadScope<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    guard let threads = engine.threads else { return try body() }
    return try threads.scope(body)
  }

  /// Runs a unit of asynchronous work that has its own objects of task scope.
  ///
  /// They are made when the work first asks for them (``withObject(_:as:_:)``, task-local proxies)
  /// and released at its end, after what is ``ConfinedDisposable`` was disposed of. They belong to
  /// the calling task: tasks that the work starts open scopes of their own.
  ///
  /// ```swift
  /// try await container.withTaskScope {
  ///   try container.withObject("request", as: Request.self) { $0.begin() }
  ///   try await respond()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - isolation: The actor on which the work runs: the caller's.
  ///   - body: The work.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func withTaskScope<R>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
  ) async rethrows -> R {
    try await engine.services.tasks.scope(body)
  }
}
