extension Container {
  /// Runs a unit of asynchronous work that has its own objects of task scope.
  ///
  /// They are made when the work first asks for them (``withObject(_:as:_:)``, task-local proxies) and
  /// released at its end, after what is ``ConfinedDisposable`` was disposed of. They belong to the calling task: tasks that the work starts open scopes of
  /// their own.
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
