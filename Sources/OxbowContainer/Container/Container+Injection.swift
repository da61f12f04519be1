internal import OxbowDocuments

extension Container {
  /// Sets the properties of an object that was made elsewhere, as a definition says.
  ///
  /// Callbacks and post-processors run too; one that returns another object is an error, because the
  /// object is the caller's.
  ///
  /// - Parameters:
  ///   - object: The object; of the definition's class or a subclass.
  ///   - name: The name of the definition.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  /// - Throws: ``ContainerError``: `unknownObject`, `typeMismatch`, `confinedEscapes` for a definition whose
  ///   objects belong to threads or tasks, `constructionFailed`.
  public func inject<T: AnyObject>(
    into object: T, as name: String, file: String = #fileID, line: Int = #line,
    column: Int = #column
  ) throws {
    let place = SourceLocation(file: file, line: line, column: column)
    guard let entry = engine.entry(named: name) else { throw engine.unknown(name, at: place) }
    guard entry.sharing != .confined else {
      throw ContainerError(
        .confinedRequest(name, scope: entry.scope, at: entry.location),
        task: "inject as \"\(name)\"")
    }
    do {
      try entry.maker.inject(into: object)
    } catch let error as ContainerError {
      throw error.located(at: place)
    }
  }
}
