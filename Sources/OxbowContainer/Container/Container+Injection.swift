extension Container {
  /// Sets the properties of an object that was made elsewhere, as a definition says.
  ///
  /// Callbacks and post-processors run too; one that returns another object is an error, because the
  /// object is the caller's.
  ///
  /// - Parameters:
  ///   - object: The object; of the definition's class or a subclass.
  ///   - name: The name of the definition.
  /// - Throws: ``ContainerError``: `unknownObject`, `typeMismatch`, `confinedEscapes` for a definition whose
  ///   objects belong to threads or tasks, `constructionFailed`.
  public func inject<T: AnyObject>(into object: T, as name: String) throws {
    let entry = try engine.entry(named: name)
    guard entry.sharing != .confined else {
      throw ContainerError(
        .confinedRequest(name, scope: entry.scope), task: "inject as \"\(name)\"")
    }
    try entry.maker.inject(into: object)
  }
}
