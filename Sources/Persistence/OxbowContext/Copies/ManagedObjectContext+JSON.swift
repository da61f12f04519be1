public import OxbowFoundation
public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Writes objects, and those that they lead to, as JSON.
  ///
  /// ```swift
  /// let data = try context.json(of: books, depth: 1)
  /// ```
  ///
  /// ```json
  /// [{"$entity": "Book", "$id": "x-oxbow://…/Book/p1", "title": "Kindred",
  ///   "author": {"$entity": "Author", "$id": "…", "books": [{"$ref": "x-oxbow://…/Book/p1"}]}}]
  /// ```
  ///
  /// The objects are written as they are in memory, unsaved changes included; links to missing or
  /// deleted objects are left out. Each has its entity, its ID, its attributes and its
  /// relationships, without derived and transient attributes; the parts of a composite attribute
  /// are keys by their paths (`"place.x"`). Every value can be read back exactly: decimal numbers
  /// are texts, bytes are base64, moments are texts in ISO form, or seconds since 2001 if ISO form
  /// would not be exact.
  ///
  /// Objects that are more than `depth` relationships away are not written as a whole: 0 writes
  /// `objects` alone, `Int.max` all that can be reached.
  ///
  /// - Throws: ``PersistenceError``: `unsupported` for a refused circle, and for objects inside 200
  ///   others; `foreignObject`, `wrongOwner`, and why rows could not be read.
  /// - Complexity: One request for each relationship of each entity and level. At the depth,
  ///   references are written for all objects of to-many relationships; if these are many, name
  ///   paths instead (``json(of:including:excluding:cycles:indented:)``) or leave them out
  ///   (`cycles: .omit`), which does not read them.
  public func json(
    of objects: [ManagedObject], depth: Int, cycles: GraphCycles = .reference,
    indented: Bool = false
  ) throws(PersistenceError) -> Data {
    try begin("json(of:)")
    try requireOwn(objects, "write")
    let levels = try GraphLevels(
      from: objects, depth: depth, rim: cycles == .reference ? .links : .nothing, in: self)
    var writer = GraphWriter(
      .levels(levels, depth: depth), cycles, isIndented: indented, in: self)
    try writer.write(objects)
    return Data(writer.finish())
  }

  /// Writes objects, and those that paths lead to, as JSON.
  ///
  /// ```swift
  /// let data = try context.json(of: bookings, including: [\.account?.owner, \.tags])
  /// ```
  ///
  /// An object has its attributes, the relationships that a path names, and references for its
  /// other to-one relationships, which costs nothing to find. Other to-many relationships are left
  /// out, and not read. An object that is met again where paths name more of it is written again,
  /// with the same ID; ``importJSON(_:as:matching:file:)`` makes one object of both.
  ///
  /// What `excluding` names is left out, by paths along the included ones (`.named("account.note",
  /// "run")`). Without references (`cycles`), to-one relationships that no path names are left out
  /// too.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty` for a path that the model does not have, and
  ///   as ``json(of:depth:cycles:indented:)``.
  /// - Complexity: One request for each step of the paths, and for each other to-one relationship
  ///   whose keys the delete rule `noAction` may have left behind; nothing else is read.
  public func json<T: ManagedObject>(
    of objects: [T], including: PrefetchPaths<T>, excluding: PrefetchPaths<T> = PrefetchPaths(),
    cycles: GraphCycles = .reference, indented: Bool = false
  ) throws(PersistenceError) -> Data {
    try begin("json(of:)")
    try requireOwn(objects, "write")
    let entities = Set(objects.lazy.map(\.entityIndex)).sorted().map { model.entities[$0] }
    let paths = try GraphPaths(including, excluding: excluding, from: entities, in: self)
    try load(objects.filter(\.isFault))
    try prefetch(objects, including)
    var writer = GraphWriter(.paths(paths), cycles, isIndented: indented, in: self)
    try writer.write(objects)
    return Data(writer.finish())
  }

  /// Makes or changes objects from JSON, and links them.
  ///
  /// ```swift
  /// let books = try context.importJSON(data, as: "Book")
  /// try context.save()
  /// ```
  ///
  /// An object of the document is the object of this store with its ID or its unique attributes, or
  /// else a new one. Only the properties in the document are set: a relationship gets exactly the
  /// objects that are given, in their order. Objects can be inside each other or refer to each
  /// other (`{"$ref": id}`), to objects anywhere in the document and to those of this store. The
  /// result is unsaved; rules are checked by the save.
  ///
  /// - Parameters:
  ///   - json: An object or an array of objects.
  ///   - entity: The entity of objects that do not name theirs (`"$entity"`). Inside others, it is
  ///     the relationship's.
  ///   - matching: How existing objects are found; `[]` to make only new ones.
  ///   - file: The name of the document for messages.
  /// - Returns: The objects of the document that are not inside others.
  /// - Throws: ``PersistenceError`` with code `invalidJSON` and all problems, each with its JSON
  ///   path and its location; `wrongOwner`, and why rows could not be read or keys not be reserved.
  ///   Nothing has changed then.
  /// - Complexity: One request for each hundred objects that may exist.
  @discardableResult
  public func importJSON(
    _ json: Data, as entity: String? = nil, matching: JSONMatching = [.id, .uniqueValues],
    file: String = "JSON"
  ) throws(PersistenceError) -> [ManagedObject] {
    try begin("importJSON")
    let entity = try entity.map { (name) throws(PersistenceError) in
      try model.requireEntity(named: name)
    }
    var reader = GraphReader(in: self, matching)
    try reader.read(Array(json), file: file, as: entity)
    try reader.resolve()
    let maker = GraphMaker(reader.items, in: self)
    let objects = try maker.make()
    return reader.top.compactMap { maker.target($0, objects) }
  }

  /// Inserts all objects of documents; an ID in them is a name.
  ///
  /// - Parameters:
  ///   - documents: Objects or arrays of objects, which may refer to each other's names.
  ///   - named: Objects that they may refer to, by their names.
  /// - Returns: The objects with names.
  /// - Throws: ``PersistenceError`` as ``importJSON(_:as:matching:file:)``, and for a name that two
  ///   objects have.
  package func insertGraph(
    _ documents: [(file: String, bytes: [UInt8])], named: [String: ManagedObject] = [:]
  ) throws(PersistenceError) -> [String: ManagedObject] {
    try begin("importJSON")
    var reader = GraphReader(in: self, [])
    (reader.named, reader.hasUniqueNames) = (named, true)
    for document in documents { try reader.read(document.bytes, file: document.file, as: nil) }
    try reader.resolve()
    let objects = try GraphMaker(reader.items, in: self).make()
    return reader.ids.mapValues { objects[$0] }
  }
}
