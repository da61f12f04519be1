internal import OxbowDocuments

extension Container {
  // MARK: - By type

  /// Returns the one object that fits a type and may be used by several threads.
  ///
  /// - Parameters:
  ///   - type: The type: a class, or a protocol.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  ///   - accepts: Whether objects of a type fit: `{ $0 is any P.Type }`. Needed for a protocol that is
  ///     private to a file or has arguments, unless a property of an annotated class or a proxy class has
  ///     its type.
  /// - Returns: The object.
  /// - Throws: ``ContainerError``: `noObjectOfType` when there is none, or more than one, and what a
  ///   request by name throws.
  public func object<T: Sendable>(
    ofType type: T.Type = T.self, file: String = #fileID, line: Int = #line, column: Int = #column,
    _ accepts: ((any Any.Type) -> Bool)? = nil
  ) throws -> T {
    try object(
      oneName(
        ofType: type, at: SourceLocation(file: file, line: line, column: column), accepts))
  }

  /// Returns the one object that fits a type: a new one, or one that is `Sendable`.
  ///
  /// - Parameters:
  ///   - type: The type: a class, or a protocol.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  ///   - accepts: Whether objects of a type fit.
  /// - Returns: The object.
  /// - Throws: ``ContainerError``: `noObjectOfType` when there is none, or more than one, and what a
  ///   request by name throws.
  public func object<T>(
    ofType type: T.Type = T.self, file: String = #fileID, line: Int = #line, column: Int = #column,
    _ accepts: ((any Any.Type) -> Bool)? = nil
  ) throws -> sending T {
    try object(
      oneName(
        ofType: type, at: SourceLocation(file: file, line: line, column: column), accepts))
  }

  /// Returns all objects that fit a type and may be used by several threads.
  ///
  /// - Parameters:
  ///   - type: The type: a class, or a protocol.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  ///   - accepts: Whether objects of a type fit.
  /// - Returns: The objects, in the order of their definitions.
  /// - Throws: ``ContainerError``: `noObjectOfType` when nothing tells which objects fit, and what a
  ///   request by name throws.
  public func objects<T: Sendable>(
    ofType type: T.Type = T.self, file: String = #fileID, line: Int = #line, column: Int = #column,
    _ accepts: ((any Any.Type) -> Bool)? = nil
  ) throws -> [T] {
    try names(ofType: type, file: file, line: line, column: column, accepts).map { try object($0) }
  }

  /// Returns all objects that fit a type: new ones, and those that are `Sendable`.
  ///
  /// - Parameters:
  ///   - type: The type: a class, or a protocol.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  ///   - accepts: Whether objects of a type fit.
  /// - Returns: The objects, in the order of their definitions.
  /// - Throws: ``ContainerError``: `noObjectOfType` when nothing tells which objects fit, and what a
  ///   request by name throws.
  public func objects<T>(
    ofType type: T.Type = T.self, file: String = #fileID, line: Int = #line, column: Int = #column,
    _ accepts: ((any Any.Type) -> Bool)? = nil
  ) throws -> sending [T] {
    // Each is the caller's alone or Sendable; see `object(_:as:)`.
    nonisolated(unsafe) let objects: [T] = try names(
      ofType: type, file: file, line: line, column: column, accepts
    ).map { try object($0) }
    return objects
  }

  /// The names of the objects that surely fit a type, in the order of their definitions.
  ///
  /// - Parameters:
  ///   - type: The type: a class, or a protocol.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  ///   - accepts: Whether objects of a type fit.
  /// - Returns: The names.
  /// - Throws: ``ContainerError``: `noObjectOfType` when nothing tells which objects fit.
  public func names<T>(
    ofType type: T.Type, file: String = #fileID, line: Int = #line, column: Int = #column,
    _ accepts: ((any Any.Type) -> Bool)? = nil
  ) throws -> [String] {
    try candidates(
      ofType: type, at: SourceLocation(file: file, line: line, column: column), accepts
    ).map(\.name)
  }

  private func oneName<T>(
    ofType type: T.Type, at location: SourceLocation, _ accepts: ((any Any.Type) -> Bool)?
  ) throws -> String {
    let found = try candidates(ofType: type, at: location, accepts)
    let one = TypeResolution.primary(among: found)
    if one.count == 1 { return one[0].name }
    throw ContainerError(
      .notOneObject(
        typeName: "\(T.self)", candidates: one.map { ($0.name, "\($0.type)", $0.location) },
        at: location),
      task: "get an object of a type")
  }

  private func candidates<T>(
    ofType type: T.Type, at location: SourceLocation, _ accepts: ((any Any.Type) -> Bool)?
  ) throws -> [AnyBinding] {
    guard let fits = accepts ?? engine.plan.types.test(for: type) else {
      throw ContainerError(
        .cannotTestType("\(T.self)", at: location), task: "get an object of a type")
    }
    return engine.plan.graph.nodes.filter { !$0.isHidden && ($0.type == type || fits($0.type)) }
  }
}
