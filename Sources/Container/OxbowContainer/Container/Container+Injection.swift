internal import OxbowDocuments

extension Container {
  /// Sets the properties of an object that was made elsewhere, as a definition says.
  ///
  /// Properties that are arguments of the definition's initializer are set too, so they must be
  /// settable. Callbacks and post-processors run too; one that returns another object is an error,
  /// because the object is the caller's.
  ///
  /// - Parameters:
  ///   - object: The object; of the definition's class or a subclass.
  ///   - name: The name of the definition.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  /// - Throws: ``ContainerError``: `unknownObject`, `typeMismatch`, `confinedEscapes` for a
  ///   definition whose objects belong to threads or tasks, `unknownProperty` for a property that
  ///   only an initializer sets, `constructionFailed`.
  public func inject<T: AnyObject>(
    into object: T, as name: String, file: String = #fileID, line: Int = #line
  ) throws {
    let location = SourceLocation(file: file, line: line)
    guard let entry = engine.entry(named: name) else { throw engine.unknown(name, at: location) }
    try inject(object, as: entry, at: location)
  }

  /// Sets the properties of an object that was made elsewhere, as the one definition of its class
  /// says.
  ///
  /// ``ContainerBuilder/add(_:)`` makes a definition from the annotations of a class.
  ///
  /// Without a definition of its class, that of a superclass counts.
  ///
  /// - Throws: ``ContainerError``: `noObjectOfType` when no definition has the class, or several
  ///   have; and as when injected by name.
  public func inject<T: AnyObject>(
    into object: T, file: String = #fileID, line: Int = #line
  ) throws {
    let location = SourceLocation(file: file, line: line)
    try inject(
      object, as: engine.entry(ofClass: type(of: object as AnyObject), location), at: location)
  }

  private func inject(
    _ object: AnyObject, as entry: Engine.Entry, at location: SourceLocation
  ) throws {
    guard entry.sharing != .confined else {
      throw ContainerError(
        .confinedRequest(entry.name, scope: entry.scope).at(entry.location),
        task: "inject as \"\(entry.name)\"")
    }
    do {
      try asking(entry.name) {
        guard let provider = entry.provider as? any InjectingProvider else {
          // What a definition answers that makes no objects: its error.
          return _ = try entry.provider.makeAny(nil)
        }
        try provider.inject(into: object, engine.linker())
      }
    } catch let error as ContainerError {
      throw error.located(at: location)
    }
  }
}

extension Engine {
  /// The entry of the one definition of a class, or of the nearest superclass that has one.
  fileprivate func entry(ofClass type: AnyClass, _ location: SourceLocation) throws -> Entry {
    let nodes = plan.graph.nodes
    var current: AnyClass? = type
    while let step = current {
      let found = nodes.indices.filter { nodes[$0].type == step }
      if found.count == 1 { return entries[found[0]] }
      if found.count > 1 { throw Self.notOne(type, found.map { nodes[$0] }, location) }
      current = superclass(of: step)
    }
    throw Self.notOne(type, [], location)
  }

  private static func notOne(
    _ type: AnyClass, _ found: [AnyBinding], _ location: SourceLocation
  ) -> ContainerError {
    ContainerError(
      .notOneObject(typeName: "\(type)", candidates: found).at(location),
      task: "inject a \(type)")
  }
}
