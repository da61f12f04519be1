public import OxbowFoundation
internal import OxbowModel

extension ObjectContext {
  /// Makes a copy of an object, with copies of the objects that belong to it.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func copy<T: ManagedObject>(
    of object: T, depth: Int = .max, following: CopiedRelationships = .owned
  ) throws -> T {
    try call([.of(object)]) { try $0.copy(of: object, depth: depth, following: following) }
  }

  /// Returns objects as JSON, with the objects that they lead to up to a depth.
  @available(*, noasync, message: "use perform { context in … }")
  public func json(
    of objects: [ManagedObject], depth: Int, cycles: GraphCycles = .reference,
    indented: Bool = false
  ) throws -> Data {
    try call([.of(objects)]) {
      try $0.json(of: objects, depth: depth, cycles: cycles, indented: indented)
    }
  }

  /// Returns objects as JSON, with the objects along paths.
  @available(*, noasync, message: "use perform { context in … }")
  public func json<T: ManagedObject>(
    of objects: [T], including: PrefetchPaths<T>, excluding: PrefetchPaths<T> = PrefetchPaths(),
    cycles: GraphCycles = .reference, indented: Bool = false
  ) throws -> Data {
    try call([.of(objects)]) {
      try $0.json(
        of: objects, including: including, excluding: excluding, cycles: cycles, indented: indented)
    }
  }

  /// Makes or changes objects from JSON.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func importJSON(
    _ json: Data, as entity: String? = nil, matching: JSONMatching = [.id, .uniqueValues],
    file: String = "JSON"
  ) throws -> [ManagedObject] {
    try call([.of(json)]) { try $0.importJSON(json, as: entity, matching: matching, file: file) }
  }

  /// Writes what a request finds as JSON, in units of work.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func writeJSON<T: ManagedObject>(
    of request: FetchRequest<T>, to path: String, including: PrefetchPaths<T> = PrefetchPaths(),
    excluding: PrefetchPaths<T> = PrefetchPaths(), cycles: GraphCycles = .reference,
    indented: Bool = false, unitOfWork: Int = 1_000
  ) throws -> Int {
    try call([.of(request), .of(path)]) {
      try $0.writeJSON(
        of: request, to: path, including: including, excluding: excluding, cycles: cycles,
        indented: indented, unitOfWork: unitOfWork)
    }
  }

  /// Passes on what a request finds as JSON, in units of work.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func writeJSON<T: ManagedObject>(
    of request: FetchRequest<T>, including: PrefetchPaths<T> = PrefetchPaths(),
    excluding: PrefetchPaths<T> = PrefetchPaths(), cycles: GraphCycles = .reference,
    indented: Bool = false, unitOfWork: Int = 1_000, _ write: (Data) throws -> Void
  ) throws -> Int {
    try call([.of(request)]) {
      try $0.writeJSON(
        of: request, including: including, excluding: excluding, cycles: cycles, indented: indented,
        unitOfWork: unitOfWork, write)
    }
  }

  /// Makes objects of a JSON document, and saves each unit of work.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func importJSON(
    contentsOf path: String, as entity: String? = nil,
    matching: JSONMatching = [.id, .uniqueValues], unitOfWork: Int = 1_000
  ) throws -> Int {
    try call([.of(path)]) {
      try $0.importJSON(contentsOf: path, as: entity, matching: matching, unitOfWork: unitOfWork)
    }
  }

  /// Makes objects of the parts of a JSON document, and saves each unit of work.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func importJSON(
    parts: some Sequence<Data>, as entity: String? = nil,
    matching: JSONMatching = [.id, .uniqueValues], file: String = "JSON", unitOfWork: Int = 1_000
  ) throws -> Int {
    try call([.of(parts)]) {
      try $0.importJSON(
        parts: parts, as: entity, matching: matching, file: file, unitOfWork: unitOfWork)
    }
  }
}
