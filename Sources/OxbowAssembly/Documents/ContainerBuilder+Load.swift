public import OxbowContainer
public import OxbowDocuments

extension ContainerBuilder {
  /// Adds the definitions of a wiring file; what stands in it tells its kind.
  ///
  /// What is wrong with its markup is reported by `build()`, together with everything else; what is
  /// worth knowing by `check()`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limits: What it may cost.
  /// - Throws: ``ContainerError`` with the code `unreadableDocument` for a file that cannot be opened or
  ///   is not well-formed.
  public func load(xml path: String, limits: DocumentLimits = .default) throws {
    add(try AssemblyDocument(contentsOf: path, limits: limits))
  }

  /// Adds the definitions of an XML document in memory.
  ///
  /// - Parameters:
  ///   - text: The document.
  ///   - file: The name that places carry.
  ///   - limits: What it may cost.
  /// - Throws: ``ContainerError`` with the code `unreadableDocument` for a document that is not
  ///   well-formed.
  public func load(
    xmlText text: String, file: String = "text", limits: DocumentLimits = .default
  ) throws {
    add(try AssemblyDocument(Array(text.utf8), file: file, limits: limits))
  }

  /// Adds the definitions of a property list.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limits: What it may cost.
  /// - Throws: ``ContainerError`` with the code `unreadableDocument` for a file that cannot be opened or
  ///   is no XML property list.
  public func load(plist path: String, limits: DocumentLimits = .default) throws {
    add(try AssemblyDocument(contentsOf: path, limits: limits))
  }

  /// Adds the definitions of a property list in memory.
  ///
  /// - Parameters:
  ///   - text: The document.
  ///   - file: The name that places carry.
  ///   - limits: What it may cost.
  /// - Throws: ``ContainerError`` with the code `unreadableDocument` for a document that is no XML
  ///   property list.
  public func load(
    plistText text: String, file: String = "text", limits: DocumentLimits = .default
  ) throws {
    add(try AssemblyDocument(Array(text.utf8), file: file, limits: limits))
  }

  /// Adds the definitions of a document that was read.
  ///
  /// - Parameter document: The document.
  public func add(_ document: AssemblyDocument) {
    for problem in document.problems { report(problem) }
    for remark in document.notes { note(remark) }
    for definition in document.definitions { add(definition) }
  }
}
