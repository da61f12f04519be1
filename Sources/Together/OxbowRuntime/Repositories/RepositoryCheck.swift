public import OxbowContainer
internal import OxbowContext
internal import OxbowDocuments
internal import OxbowFoundation
public import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// The texts of a repository's methods, which a container checks when it is built.
///
/// `@Repository` leaves one in a section record where a protocol has `@Query` texts. A container
/// with an object of the protocol checks them in `build()`: whether they can be read, and whether
/// the entity's class, and the classes of its relationships, have the names and types.
public struct RepositoryCheck: Sendable {
  /// A method with a text.
  public struct Method: Sendable {
    let name: String
    let line: Int
    let column: Int
    fileprivate let check: @Sendable (CompiledModel) throws(PersistenceError) -> Void

    /// Describes a method by its name with labels, its `@Query`, the types of its parameters, and
    /// the place of the text.
    public init<Entity: ModelObject>(
      _ name: String, _ query: @autoclosure @escaping @Sendable () -> RepositoryQuery<Entity>,
      _ arguments: [String: any Any.Type], line: Int, column: Int
    ) {
      self.name = name
      self.line = line
      self.column = column
      let samples = arguments.mapValues { Optional(sample(of: $0) as any FetchArgument) }
      nonisolated(unsafe) let given = samples  // Values of Sendable enumerations.
      check = { (model) throws(PersistenceError) in try query().check(given, model) }
    }
  }

  /// The name of the protocol.
  let name: String
  let file: String
  let methods: [Method]
  let entity: any ModelObject.Type
  let accepts: @Sendable (any Any.Type) -> Bool

  /// Describes the texts of a protocol, whose objects `accepts` recognizes by their type.
  public init(
    _ name: String, of entity: any ModelObject.Type, file: String, methods: [Method],
    accepts: @escaping @Sendable (any Any.Type) -> Bool
  ) {
    self.name = name
    self.file = file
    self.methods = methods
    self.entity = entity
    self.accepts = accepts
  }

  /// The check for a record.
  public var definitionCheck: DefinitionCheck {
    DefinitionCheck { definitions in
      guard let first = definitions.first(where: { accepts($0.type) }) else { return [] }
      return problems(of: first.name)
    }
  }

  private func problems(of object: String) -> [ContainerError.Problem] {
    // A model that cannot be compiled is reported when its store is opened.
    let types = ReachableClasses(from: entity).types
    guard let model = try? CompiledModel(ManagedObjectModel(types: types), classes: types) else {
      return []
    }
    return methods.compactMap { method in
      do throws(PersistenceError) {
        try method.check(model)
        return nil
      } catch {
        return .invalidQuery(error, of: method, in: self, object: object)
      }
    }
  }
}

extension RepositoryQuery where Entity: ModelObject {
  /// Reads the text and generates its statement, for a store that is never opened.
  fileprivate func check(
    _ samples: [String: (any FetchArgument)?], _ model: CompiledModel
  ) throws(PersistenceError) {
    let template = try template.get()
    let entity = try model.requireEntity(named: Entity.entityName)
    let mapping = PlainLayout.mapping(of: model)
    var fetch = StoreFetch(entity: entity.index)
    fetch.predicate = try template?.substituting(samples)
    fetch.sortKeys = sortKeys.map {
      OrderingTerm(path: $0.path, ascending: $0.isAscending, comparing: $0.comparison)
    }
    let shape = RowShape(of: entity, includesSubentities: true, in: mapping)
    _ = try SelectGenerator(mapping: mapping, store: UUID()).rows(fetch, shape)
  }
}

extension ContainerError.Problem {
  fileprivate static func invalidQuery(
    _ error: PersistenceError, of method: RepositoryCheck.Method, in check: RepositoryCheck,
    object: String
  ) -> Self {
    Self(
      .invalidQuery,
      "object \"\(object)\": the text of '\(check.name).\(method.name)' cannot be asked of "
        + "'\(check.entity)'",
      at: SourceLocation(file: check.file, line: method.line, column: method.column),
      seen: error.message,
      expected: "a condition on '\(check.entity)' in format text",
      nextStep: "correct the text of '@Query'", nearNames: error.nearNames, underlying: error)
  }
}

/// A class of entities and all classes that its relationships reach, superclasses included.
private struct ReachableClasses {
  private(set) var types: [any ModelObject.Type] = []
  private var seen: Set<ObjectIdentifier> = []

  init(from type: any ModelObject.Type) {
    add(type)
    var next = 0
    while next < types.count {
      for (path, _) in types[next]._keyPaths {
        if let end = destination(of: Swift.type(of: path).valueType) { add(end) }
      }
      next += 1
    }
  }

  private mutating func add(_ type: any ModelObject.Type) {
    guard seen.insert(ObjectIdentifier(type)).inserted else { return }
    types.append(type)
    let parent: AnyClass? = (type as AnyClass?).flatMap { superclass(of: $0) }
    if let parent = parent as? any ModelObject.Type { add(parent) }
  }

  private func destination(of type: any Any.Type) -> (any ModelObject.Type)? {
    (type as? any WrappedType.Type)?.wrapped as? any ModelObject.Type
  }
}

/// A type around another one, as relationships and arguments have it.
private protocol WrappedType {
  static var wrapped: any Any.Type { get }
  static var isList: Bool { get }
}

extension Optional: WrappedType {
  fileprivate static var wrapped: any Any.Type { Wrapped.self }
  fileprivate static var isList: Bool { false }
}
extension Array: WrappedType {
  fileprivate static var wrapped: any Any.Type { Element.self }
  fileprivate static var isList: Bool { true }
}
extension Set: WrappedType {
  fileprivate static var wrapped: any Any.Type { Element.self }
  fileprivate static var isList: Bool { true }
}

/// Some argument of a type, for the check of a text.
private func sample(of type: any Any.Type) -> FetchArgumentValue {
  if let list = type as? any WrappedType.Type {
    guard list.isList else { return sample(of: list.wrapped) }
    guard case .value(let element) = sample(of: list.wrapped), element != .null else {
      return .list([])
    }
    return .list([element])
  }
  guard let type = type as? any AttributeConvertible.Type else { return .value(.null) }
  return .value(type.attributePlaceholder.fetchValue)
}
