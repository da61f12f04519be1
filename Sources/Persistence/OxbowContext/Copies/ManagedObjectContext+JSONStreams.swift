internal import OxbowDocuments
public import OxbowFoundation
public import OxbowModel
internal import OxbowStore

// Documents of many objects, of which only a part is in memory at a time.

extension ManagedObjectContext {
  /// Writes what a request finds to a file as JSON, in units of work.
  ///
  /// ```swift
  /// try context.writeJSON(
  ///   of: FetchRequest<Booking>(), to: "bookings.json", including: [\.account])
  /// ```
  ///
  /// The document is that of ``json(of:including:excluding:cycles:indented:)``. The request decides
  /// at the start which objects come, and in which order; they are read a unit at a time, and those
  /// that nothing else holds are dropped again. The file replaces the one at its path when all of
  /// it was written.
  ///
  /// - Returns: The number of elements of the array.
  /// - Throws: ``PersistenceError``: `ioFailure` for a file that cannot be written, and as `fetch`
  ///   and `json(of:)`.
  @discardableResult
  public func writeJSON<T: ManagedObject>(
    of request: FetchRequest<T>, to path: String, including: PrefetchPaths<T> = PrefetchPaths(),
    excluding: PrefetchPaths<T> = PrefetchPaths(), cycles: GraphCycles = .reference,
    indented: Bool = false, unitOfWork: Int = 1_000
  ) throws(PersistenceError) -> Int {
    try DocumentFile.writing(path) { (write) throws(PersistenceError) in
      try self.writeJSON(of: request, including, excluding, cycles, indented, unitOfWork, write)
    } failure: {
      PersistenceError(.ioFailure, $0.message)
    }
  }

  /// Writes what a request finds as JSON, in units of work, and passes each part of the text on.
  ///
  /// The parameters are those for files, and `write`, which gets the parts of the text in UTF-8; a
  /// part may end within a character.
  ///
  /// - Returns: The number of elements of the array.
  /// - Throws: What `write` throws, and ``PersistenceError`` as for files.
  @discardableResult
  public func writeJSON<T: ManagedObject>(
    of request: FetchRequest<T>, including: PrefetchPaths<T> = PrefetchPaths(),
    excluding: PrefetchPaths<T> = PrefetchPaths(), cycles: GraphCycles = .reference,
    indented: Bool = false, unitOfWork: Int = 1_000, _ write: (Data) throws -> Void
  ) throws -> Int {
    var failure: (any Error)?
    do {
      return try writeJSON(of: request, including, excluding, cycles, indented, unitOfWork) {
        (bytes) throws(PersistenceError) in
        do { try write(Data(bytes)) } catch {
          failure = error
          throw PersistenceError(.ioFailure, "the text could not be handed on")
        }
      }
    } catch { throw failure ?? error }
  }

  private func writeJSON<T: ManagedObject>(
    of request: FetchRequest<T>, _ including: PrefetchPaths<T>, _ excluding: PrefetchPaths<T>,
    _ cycles: GraphCycles, _ indented: Bool, _ unitOfWork: Int,
    _ write: ([UInt8]) throws(PersistenceError) -> Void
  ) throws(PersistenceError) -> Int {
    try PersistenceError.require("unitOfWork", unitOfWork, atLeast: 1)
    let found = try fetch(request, batchSize: unitOfWork)
    let paths = try GraphPaths(
      including, excluding: excluding, from: [model.entities[try storeFetch(request).entity]],
      in: self)
    var writer = GraphWriter(.paths(paths), cycles, isIndented: indented, in: self)
    for start in stride(from: 0, to: found.count, by: unitOfWork) {
      let unit = try found.present(start..<min(start + unitOfWork, found.count))
      try prefetch(unit, including)
      try writer.write(unit)
      try write(writer.take())
    }
    let count = writer.count
    try write(writer.finish())
    return count
  }

  /// Makes or changes objects from a JSON file, and saves them in units of work.
  ///
  /// ```swift
  /// try context.importJSON(contentsOf: "bookings.json", as: "Booking")
  /// ```
  ///
  /// The document is read as by ``importJSON(_:as:matching:file:)``. Some elements of its array are
  /// in memory at a time, and the IDs of all. References to objects of later units are set at the
  /// end of the document, so a required relationship must lead to an object of its own unit or an
  /// earlier one.
  ///
  /// Each unit is saved. After an error, the earlier units are saved, and the error says how many
  /// elements these are; its own unit is rolled back. A document whose objects have unique
  /// attributes can be imported again.
  ///
  /// - Returns: The number of elements of the array.
  /// - Throws: ``PersistenceError``: `unsupported` when the context has unsaved changes,
  ///   `invalidJSON` with all problems of a unit, what refuses a save.
  @discardableResult
  public func importJSON(
    contentsOf path: String, as entity: String? = nil,
    matching: JSONMatching = [.id, .uniqueValues], unitOfWork: Int = 1_000
  ) throws(PersistenceError) -> Int {
    try DocumentFile.reading(path) { (source) throws(PersistenceError) in
      try self.importJSON(source, as: entity, matching, file: path, unitOfWork)
    } failure: {
      PersistenceError(.ioFailure, $0.message)
    }
  }

  /// Makes or changes objects from the parts of a JSON document, and saves them in units of work;
  /// see ``importJSON(contentsOf:as:matching:unitOfWork:)``.
  ///
  /// The parameters are those for files; `parts` are the text in UTF-8, divided anywhere, and
  /// `file` is its name for messages.
  ///
  /// - Returns: The number of elements of the array.
  /// - Throws: ``PersistenceError``, as for files.
  @discardableResult
  public func importJSON(
    parts: some Sequence<Data>, as entity: String? = nil,
    matching: JSONMatching = [.id, .uniqueValues], file: String = "JSON", unitOfWork: Int = 1_000
  ) throws(PersistenceError) -> Int {
    var iterator = parts.makeIterator()
    return try importJSON(
      { iterator.next().map { Array($0) } }, as: entity, matching, file: file, unitOfWork)
  }

  private func importJSON(
    _ source: @escaping JSONElements.Source, as entity: String?, _ matching: JSONMatching,
    file: String, _ unitOfWork: Int
  ) throws(PersistenceError) -> Int {
    try PersistenceError.require("unitOfWork", unitOfWork, atLeast: 1)
    try begin("importJSON")
    guard !hasChanges else {
      throw PersistenceError(
        .unsupported,
        "the context '\(name)' has unsaved changes, and an import in units of work saves after each; "
          + "save them or roll back first")
    }
    let entity = try entity.map { (name) throws(PersistenceError) in
      try model.requireEntity(named: name)
    }
    let elements = JSONElements(file: file, limits: GraphReader.limits, from: source)
    var work = GraphImport(elements, as: entity, matching, in: self)
    return try work.run(unitOfWork: unitOfWork)
  }
}
