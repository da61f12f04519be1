public import OxbowContainer
public import OxbowDocuments

extension ContainerBuilder {
  /// Adds the definitions of a wiring file; its content tells its kind.
  ///
  /// What is wrong with its markup is reported by `build()`, together with everything else; what is
  /// worth knowing by `check()`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limits: What it may cost.
  /// - Throws: ``ContainerError`` with the code `unreadableDocument` for a file that cannot be
  ///   opened or is not well-formed, such as a binary property list.
  public func load(_ path: String, limits: DocumentLimits = .default) throws {
    add(try AssemblyDocument(contentsOf: path, limits: limits))
  }

  /// Adds the definitions of a document in memory, whose places have the name of the file.
  ///
  /// - Throws: ``ContainerError`` with the code `unreadableDocument` for a document that is not
  ///   well-formed.
  public func load(
    text: String, file: String = "text", limits: DocumentLimits = .default
  ) throws {
    add(try AssemblyDocument(Array(text.utf8), file: file, limits: limits))
  }

  /// Adds the definitions of a document that was read, and the placeholders that it names.
  ///
  /// A file of placeholders that cannot be read is reported by `build()`, at the place that names
  /// it.
  ///
  /// - Parameter document: The document.
  public func add(_ document: AssemblyDocument) {
    for problem in document.problems { report(problem) }
    for remark in document.notes { note(remark) }
    for file in document.placeholderFiles { load(file) }
    for definition in document.definitions { add(definition) }
    for alias in document.aliases { add(alias) }
    for aspect in document.aspects { add(aspect) }
  }

  /// Adds an aspect of a file: a singleton of its class, and what it runs around.
  private func add(_ aspect: AspectDefinition) {
    guard !compatibility.contains(.idleAspects) else {
      return note(
        ContainerError.Note("aspect \"\(aspect.name)\" is not applied", at: aspect.location))
    }
    add(aspect.object)
    add(
      AspectBinding(
        aspect.name, aspect.joinPoints.map(\.pointcut), order: 0, at: aspect.location))
  }

  private func load(_ file: PlaceholderFile) {
    do {
      try placeholders.load(file.path)
    } catch let error as ContainerError {
      for problem in error.problems { report(problem.named(by: file)) }
    } catch {
      report(.unreadableProperties(file.path, error).named(by: file))
    }
  }
}

extension ContainerError.Problem {
  /// The problem where the file is named, when it has no location in the file.
  fileprivate func named(by file: PlaceholderFile) -> Self {
    guard underlying != nil, let location = file.location else { return self }
    var problem = self
    problem.location = location
    return problem
  }
}
