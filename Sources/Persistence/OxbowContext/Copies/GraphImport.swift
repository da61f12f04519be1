internal import OxbowDocuments
internal import OxbowModel
internal import OxbowStore

/// Reads a document of objects one part at a time, and saves each part.
struct GraphImport {
  private let context: ManagedObjectContext
  private let entity: CompiledEntity?
  private let matching: JSONMatching
  private var elements: JSONElements

  /// The objects of the earlier parts, by their IDs in the document.
  private var earlier: [String: ManagedObjectID] = [:]
  private var postponed: [Link] = []

  /// The number of elements of the array that were saved.
  private var saved = 0

  /// A link that waits for the end of the document.
  private struct Link {
    let owner: ManagedObjectID
    let property: CompiledProperty
    let ends: [End]
  }

  private enum End {
    case object(ManagedObjectID)
    case reference(String, JSONPath, SourceLocation)
  }

  init(
    _ elements: JSONElements, as entity: CompiledEntity?, _ matching: JSONMatching,
    in context: ManagedObjectContext
  ) {
    self.elements = elements
    self.entity = entity
    self.matching = matching
    self.context = context
  }

  /// Reads the whole document.
  ///
  /// - Returns: The number of elements of the array.
  mutating func run(unitOfWork: Int) throws(PersistenceError) -> Int {
    do throws(PersistenceError) {
      while true {
        let values = try next(unitOfWork)
        if values.isEmpty { break }
        try make(values)
        saved += values.count
      }
      for part in postponed.parts(of: unitOfWork) { try link(Array(part)) }
      return saved
    } catch {
      try context.rollback()
      throw saved == 0
        ? error
        : error.adding(
          "saved", "\(saved) elements of the array before; what follows them was not imported")
    }
  }

  private mutating func next(_ count: Int) throws(PersistenceError) -> [JSONValue] {
    var values: [JSONValue] = []
    do throws(DocumentError) {
      while values.count < count, let value = try elements.next() { values.append(value) }
    } catch {
      throw PersistenceError(.invalidJSON, error.message, at: error.location)
    }
    return values
  }

  private mutating func make(_ values: [JSONValue]) throws(PersistenceError) {
    var reader = GraphReader(in: context, matching)
    reader.earlier = earlier
    reader.read(values, from: saved, as: entity)
    try reader.resolve()
    let maker = GraphMaker(reader.items, in: context)
    let objects = try maker.make()
    try context.save()
    // The reader must not hold the table while it grows, which would copy it.
    reader.earlier = nil
    for (text, item) in reader.ids {
      let id = objects[item].savedID
      if !matching.contains(.id) || id.description != text { earlier[text] = id }
    }
    for link in reader.postponed {
      let ends = link.ends.compactMap { end -> End? in
        if case .reference(let text, let path, let location) = end {
          return .reference(text, path, location)
        }
        return maker.target(end, objects).map { .object($0.savedID) }
      }
      postponed.append(
        Link(owner: objects[link.item].savedID, property: link.property, ends: ends))
    }
  }

  /// Sets links whose other ends have arrived since.
  private func link(_ links: [Link]) throws(PersistenceError) {
    let ends = links.flatMap(\.ends).compactMap { id(of: $0) }
    let found = try context.objects(withIDs: Set(links.map(\.owner) + ends))
    var problems: [PersistenceError] = []
    for link in links {
      guard let owner = found[link.owner] else { continue }
      var targets: [ManagedObject] = []
      for end in link.ends {
        if let target = id(of: end).flatMap({ found[$0] }) {
          targets.append(target)
        } else if case .reference(let text, let path, let location) = end {
          problems.append(.unknownReference(text, path, at: location))
        }
      }
      try owner.setObjects(targets.uniqued(), for: link.property.name)
    }
    guard problems.isEmpty else {
      throw .collecting(
        .invalidJSON, "\(problems.count) references of the document lead nowhere", problems)
    }
    try context.save()
  }

  private func id(of end: End) -> ManagedObjectID? {
    switch end {
    case .object(let id): id
    case .reference(let text, _, _): earlier[text] ?? ManagedObjectID(text)
    }
  }
}

extension ManagedObject {
  /// The ID after a save, which may have merged a new object into the one with its unique values.
  fileprivate var savedID: ManagedObjectID { successor ?? objectID }
}

extension PersistenceError {
  static func unknownReference(
    _ id: String, _ path: JSONPath, at location: SourceLocation, among names: [String] = []
  ) -> PersistenceError {
    PersistenceError(
      .invalidJSON,
      "\(path) refers to \"\(id)\", which is neither in the document nor in this store",
      at: location, nearNames: nearNames(to: id, among: names))
  }
}
