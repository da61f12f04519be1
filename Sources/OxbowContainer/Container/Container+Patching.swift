internal import OxbowDocuments

extension Container {
  /// Returns a container like this one in which some objects are others: for tests.
  ///
  /// The two share nothing. This container never changes, so there is nothing to undo, and tests that run
  /// at the same time cannot see each other's objects. All definitions are checked again.
  ///
  /// ```swift
  /// let container = try app.patched { $0.replace("clock") { FixedClock(noon) } }
  /// ```
  ///
  /// Close it when the test is over, if its singletons have providers or proxies; `withPatches` does.
  ///
  /// - Parameters:
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  ///   - patch: Says what is replaced.
  /// - Returns: The container; none of its objects is built, except eager ones.
  /// - Throws: ``ContainerError``: `unknownObject` for a name that is not defined, and every problem that
  ///   `build()` would find.
  public func patched(
    file: String = #fileID, line: Int = #line, column: Int = #column,
    _ patch: (inout ContainerPatch) throws -> Void
  ) throws -> Container {
    var patches = ContainerPatch(at: SourceLocation(file: file, line: line, column: column))
    try patch(&patches)
    let plan = try engine.plan.patched(patches.changes, at: patches.location)
    guard plan.problems.isEmpty else {
      throw ContainerError("patch the container", plan.problems)
    }
    return try Container(plan: plan, builder: engine.builder)
  }

  /// Runs `body` with a patched container, and closes that afterwards.
  ///
  /// - Parameters:
  ///   - patch: Says what is replaced.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  ///   - body: The work.
  /// - Returns: What `body` returns.
  /// - Throws: What ``patched(file:line:column:_:)`` throws, and what `body` throws.
  public func withPatches<R>(
    _ patch: (inout ContainerPatch) throws -> Void, file: String = #fileID, line: Int = #line,
    column: Int = #column, _ body: (Container) throws -> R
  ) throws -> R {
    let container = try patched(file: file, line: line, column: column, patch)
    defer { container.close() }
    return try body(container)
  }

  /// Runs asynchronous `body` with a patched container, and closes that afterwards.
  ///
  /// - Parameters:
  ///   - patch: Says what is replaced.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  ///   - isolation: The actor on which the work runs: the caller's.
  ///   - body: The work.
  /// - Returns: What `body` returns.
  /// - Throws: What ``patched(file:line:column:_:)`` throws, and what `body` throws.
  public func withPatches<R>(
    _ patch: (inout ContainerPatch) throws -> Void, file: String = #fileID, line: Int = #line,
    column: Int = #column, isolation: isolated (any Actor)? = #isolation,
    _ body: (Container) async throws -> R
  ) async throws -> R {
    let container = try patched(file: file, line: line, column: column, patch)
    defer { container.close() }
    return try await body(container)
  }
}
