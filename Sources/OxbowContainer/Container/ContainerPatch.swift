internal import OxbowDocuments

/// What a patched container has in place of another one's objects.
///
/// See ``Container/patched(_:)``.
public struct ContainerPatch {
  private(set) var replacements: [(name: String, make: (AnyBlueprint) -> AnyBlueprint)] = []
  let location: SourceLocation

  init(at location: SourceLocation) { self.location = location }

  /// Puts another object in the place of one.
  ///
  /// The definition keeps its name and scope; what it constructed and injected counts no more. The
  /// object may have another type as long as it fits everywhere the name is referred to.
  ///
  /// - Parameters:
  ///   - name: The name of the object.
  ///   - make: Makes what takes its place.
  public mutating func replace<T>(_ name: String, with make: @escaping @Sendable () throws -> T) {
    append(name, isSendable: false, make)
  }

  /// Puts a `Sendable` object in the place of one.
  public mutating func replace<T: Sendable>(
    _ name: String, with make: @escaping @Sendable () throws -> T
  ) {
    append(name, isSendable: true, make)
  }

  /// Puts another object in the place of that of a reference.
  public mutating func replace<Old, T>(
    _ ref: Ref<Old>, with make: @escaping @Sendable () throws -> T
  ) {
    append(ref.name, isSendable: false, make)
  }

  /// Puts a `Sendable` object in the place of that of a reference.
  public mutating func replace<Old, T: Sendable>(
    _ ref: Ref<Old>, with make: @escaping @Sendable () throws -> T
  ) {
    append(ref.name, isSendable: true, make)
  }

  private mutating func append<T>(
    _ name: String, isSendable: Bool, _ make: @escaping @Sendable () throws -> T
  ) {
    let location = location
    replacements.append(
      (
        name,
        { old in
          Blueprint<T>(
            old.name, scope: old.scope, location: location, isSendable: isSendable,
            recipe: .call(make, at: location))
        }
      ))
  }
}

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
    var changes = ContainerPatch(at: SourceLocation(file: file, line: line, column: column))
    try patch(&changes)
    let plan = try engine.plan.patched(changes.replacements, at: changes.location)
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
}
