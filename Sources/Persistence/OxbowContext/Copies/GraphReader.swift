internal import OxbowDocuments
internal import OxbowModel
internal import OxbowStore

/// Reads a document of objects: everything is checked and found before anything changes.
struct GraphReader {
  struct Item {
    let entity: CompiledEntity
    let path: JSONPath
    let location: SourceLocation

    var values: [(property: CompiledProperty, value: AttributeValue?)] = []
    var links: [(property: CompiledProperty, ends: [End])] = []

    /// The existing object.
    var object: ManagedObject?

    /// An earlier item that is the same new object.
    var twin: Int?
  }

  /// The other end of a link.
  enum End {
    case item(Int)
    case object(ManagedObject)
    /// An ID that was not looked up yet.
    case reference(String, JSONPath, SourceLocation)
  }

  let context: ManagedObjectContext
  let matching: JSONMatching
  var items: [Item] = []

  /// The objects that are not inside others.
  var top: [End] = []
  var ids: [String: Int] = [:]
  var problems: [PersistenceError] = []

  /// The objects of the store that were looked up, by ID.
  var known: [String: ManagedObject] = [:]

  /// The objects of earlier parts of the document, by their IDs there; `nil` if the document is
  /// read as a whole.
  var earlier: [String: ManagedObjectID]?

  /// Objects that references mean by names, although no document has them.
  var named: [String: ManagedObject] = [:]

  /// Whether an ID belongs to one object of all documents, and to none that is `named`.
  var hasUniqueNames = false

  /// The links whose objects may come in a later part, each with its item.
  var postponed: [(item: Int, property: CompiledProperty, ends: [End])] = []

  init(in context: ManagedObjectContext, _ matching: JSONMatching) {
    self.context = context
    self.matching = matching
  }

  /// The depth counts twice, because objects are inside arrays.
  static let limits = DocumentLimits(
    maximumBytes: .max, maximumDepth: 2 * GraphWriter.deepest + 16, maximumElements: .max)

  mutating func read(
    _ bytes: [UInt8], file: String, as entity: CompiledEntity?
  ) throws(PersistenceError) {
    let root: JSONValue
    do throws(DocumentError) {
      root = try JSONReader.parse(bytes, file: file, limits: Self.limits)
    } catch {
      throw PersistenceError(.invalidJSON, error.message, at: error.location)
    }
    guard case .array(let values) = root.content else {
      top = [item(root, as: entity, JSONPath())].compactMap(\.self)
      return
    }
    read(values, from: 0, as: entity)
  }

  /// Reads elements of a document, starting at a number.
  mutating func read(_ values: [JSONValue], from start: Int, as entity: CompiledEntity?) {
    top = values.enumerated().compactMap { index, value in
      item(value, as: entity, JSONPath(steps: [.index(start + index)]))
    }
  }

  mutating func note(
    _ text: String, _ path: JSONPath, at location: SourceLocation, nearNames: [String] = []
  ) {
    problems.append(
      PersistenceError(.invalidJSON, "\(path) \(text)", at: location, nearNames: nearNames))
  }

  /// Reads an object or a reference to one; mistakes are noted.
  private mutating func item(
    _ json: JSONValue, as expected: CompiledEntity?, _ path: JSONPath
  ) -> End? {
    guard case .dictionary(let members) = json.content else {
      note("is \(json.seen), and has to be an object", path, at: json.location)
      return nil
    }
    if let reference = json[GraphWriter.Key.reference] {
      guard case .text(let id) = reference.content, members.count == 1 else {
        note(
          "refers to \(reference.seen): a reference is the ID of an object, in quotes, and has no "
            + "other keys", path, at: reference.location)
        return nil
      }
      return .reference(id, path, reference.location)
    }
    guard let entity = entity(json, as: expected, path) else { return nil }
    let index = place(json, entity, path)
    for member in members { read(member, of: entity, index, path) }
    return .item(index)
  }

  /// The item of an object: a new one, unless the document already has its ID.
  private mutating func place(
    _ json: JSONValue, _ entity: CompiledEntity, _ path: JSONPath
  ) -> Int {
    let item = Item(entity: entity, path: path, location: json.location)
    if case .text(let id)? = json[GraphWriter.Key.id]?.content {
      if hasUniqueNames, ids[id] != nil || named[id] != nil {
        let place = ids[id].map { " at \(items[$0].location)" } ?? ""
        note(
          "has the name \"\(id)\", which another object\(place) has already", path,
          at: json.location)
      } else if let known = ids[id] {
        guard items[known].entity !== entity else { return known }
        note(
          "is of '\(entity.name)', and \(items[known].path) with the same ID is of "
            + "'\(items[known].entity.name)'", path, at: json.location)
      }
      ids[id] = items.count
    }
    items.append(item)
    return items.count - 1
  }

  /// The entity of an object: the one that it names, or else the expected one.
  private mutating func entity(
    _ json: JSONValue, as expected: CompiledEntity?, _ path: JSONPath
  ) -> CompiledEntity? {
    let given = json[GraphWriter.Key.entity]
    let location = given?.location ?? json.location
    guard let entity = given == nil ? expected : given.flatMap({ entity(named: $0, path) }) else {
      if given == nil {
        note("does not say its entity; add \"\(GraphWriter.Key.entity)\"", path, at: location)
      }
      return nil
    }
    if let expected, !entity.isKind(of: expected) {
      note(
        "is of '\(entity.name)', and '\(expected.name)' or an entity below is needed", path,
        at: location)
      return nil
    }
    guard entity.isAbstract else { return entity }
    let names = PersistenceError.listed(entity.concrete.map { context.model.entities[$0].name })
    note(
      "is of '\(entity.name)', which is abstract and has no objects of its own; "
        + "\"\(GraphWriter.Key.entity)\" has to be one of \(names)", path, at: location)
    return nil
  }

  private mutating func entity(named json: JSONValue, _ path: JSONPath) -> CompiledEntity? {
    var name = ""
    if case .text(let text) = json.content { name = text }
    if let found = context.model.entity(named: name) { return found }
    note(
      "is of the entity \(json.seen), which the model does not have", path, at: json.location,
      nearNames: PersistenceError.nearNames(to: name, among: context.model.entities.map(\.name)))
    return nil
  }

  private mutating func read(
    _ member: JSONValue.Entry, of entity: CompiledEntity, _ index: Int, _ path: JSONPath
  ) {
    guard member.key != GraphWriter.Key.entity else { return }
    guard member.key != GraphWriter.Key.id else {
      if case .text = member.value.content { return }
      return note("has \(member.value.seen) as its ID, not a text", path, at: member.location)
    }
    guard let property = entity.property(named: member.key) else {
      return note(
        "has the key \"\(member.key)\", and '\(entity.name)' has no such property", path,
        at: member.location,
        nearNames: PersistenceError.nearNames(
          to: member.key, among: entity.properties.map(\.name)))
    }
    let path = path.appending(.key(member.key))
    switch property.kind {
    case .attribute(let attribute): read(member.value, attribute, property, index, path)
    case .relationship(let relationship):
      read(member.value, relationship, property, index, path)
    }
  }

  private mutating func read(
    _ json: JSONValue, _ attribute: AttributeDescription, _ property: CompiledProperty,
    _ index: Int, _ path: JSONPath
  ) {
    guard attribute.derivation == nil else {
      return note("is derived, and the store computes it; leave it out", path, at: json.location)
    }
    guard !property.isComposite else {
      return note(
        "is composite; give its parts, as in \"\(property.name).part\"", path, at: json.location)
    }
    guard let value = attribute.type.value(json) else {
      return note(
        "is \(json.seen), and has to be \(attribute.type.expectedJSON)", path, at: json.location)
    }
    items[index].values.append((property, value))
  }

  private mutating func read(
    _ json: JSONValue, _ relationship: CompiledRelationship, _ property: CompiledProperty,
    _ index: Int, _ path: JSONPath
  ) {
    let destination = context.model.entities[relationship.destination]
    var ends: [End] = []
    switch (json.content, relationship.isToMany) {
    case (.array(let values), true):
      ends = values.enumerated().compactMap { number, value in
        item(value, as: destination, path.appending(.index(number)))
      }
    case (.null, false): break
    case (_, false): ends = item(json, as: destination, path).map { [$0] } ?? []
    case (_, true):
      return note("is \(json.seen), and has to be an array of objects", path, at: json.location)
    }
    items[index].links.append((property, ends))
  }
}
