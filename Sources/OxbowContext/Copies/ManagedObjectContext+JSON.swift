#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import OxbowModel
internal import OxbowStore

// Objects as JSON, and JSON as objects.

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
  /// The objects are written as they are in memory, unsaved changes included; links to objects
  /// that are gone or to be deleted are left out. Each has its entity,
  /// its ID, its attributes and its relationships; what is derived or kept in memory only is left
  /// out, and the parts of a composite attribute are keys by their paths (`"place.x"`). Every value
  /// is read as exactly what was written: decimal numbers are texts, bytes are base64, moments are
  /// texts in ISO form, or seconds since 2001 where these would not be exact.
  ///
  /// - Parameters:
  ///   - objects: The objects; the document is an array of them.
  ///   - depth: How many relationships may lead from one of `objects` to an object that is written
  ///     as a whole; 0 for `objects` alone, `Int.max` for all that can be reached.
  ///   - cycles: What is written where objects lead to each other.
  ///   - indented: Whether for people.
  /// - Returns: The document, in UTF-8.
  /// - Throws: ``PersistenceError``: `unsupported` for a circle that is refused, and where objects
  ///   are inside of 200 others; `foreignObject`, `wrongOwner`, and why rows could not be read.
  /// - Complexity: One request for each relationship of each entity and level.
  public func json(
    of objects: [ManagedObject], depth: Int, cycles: GraphCycles = .reference,
    indented: Bool = false
  ) throws(PersistenceError) -> Data {
    try begin("json(of:)")
    try requireOwn(objects, "write")
    var writer = try GraphWriter(
      objects, depth: depth, cycles, isIndented: indented, in: self)
    return Data(try writer.write(objects))
  }

  /// Makes objects of JSON, or changes those that are there, and links them.
  ///
  /// ```swift
  /// let books = try context.importJSON(data, as: "Book")
  /// try context.save()
  /// ```
  ///
  /// An object of the document becomes the object of this store that has its ID, or the same unique
  /// attributes; else a new one. What the document says of it is set, and nothing else: a
  /// relationship that is given has the objects that are given, in their order. Objects can be
  /// inside of each other or refer to each other (`{"$ref": id}`), to objects anywhere in the
  /// document and to those of this store. The result is unsaved; rules are checked by the save.
  ///
  /// - Parameters:
  ///   - json: An object or an array of objects.
  ///   - entity: The name of the entity of those that do not say it (`"$entity"`). Inside of
  ///     others, it is the one that the relationship leads to.
  ///   - matching: How objects that are there are found; `[]` to make all anew.
  ///   - file: The name of the document for messages.
  /// - Returns: The objects of the document that are not inside of others.
  /// - Throws: ``PersistenceError`` with code `invalidJSON` and all problems, each with its JSON
  ///   path and its location; `wrongOwner`, and why rows could not be read or keys not be reserved.
  ///   Nothing has changed then.
  /// - Complexity: One request for each hundred objects that may be there.
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
    return try GraphMaker(reader.items, in: self).make(reader.top)
  }
}
