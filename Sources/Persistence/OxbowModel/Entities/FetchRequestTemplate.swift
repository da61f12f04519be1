/// A fetch request that a model keeps under a name, with variables where values come later.
///
/// ```swift
/// FetchRequestTemplate(
///   "booksOf", entity: "Book", where: try FetchPredicate(format: "author.name == $name"))
/// ```
///
/// `context.fetch(template:_:)` runs it.
public struct FetchRequestTemplate: Sendable, Hashable {
  /// The template's name, unique in its model.
  public var name: String

  /// The name of the entity whose objects it finds.
  public var entityName: String

  /// The condition, or `nil` for all objects; its variables are `$name`.
  public var predicate: FetchPredicate?

  /// The largest number of objects, or `nil` for no limit.
  public var limit: Int?

  /// Whether objects of entities that inherit from the entity are included.
  public var includesSubentities: Bool

  /// Creates a template.
  public init(
    _ name: String, entity entityName: String, where predicate: FetchPredicate? = nil,
    limit: Int? = nil, includesSubentities: Bool = true
  ) {
    self.name = name
    self.entityName = entityName
    self.predicate = predicate
    self.limit = limit
    self.includesSubentities = includesSubentities
  }
}

extension ManagedObjectModel {
  /// Returns the fetch request template called `name`, or `nil`.
  public func fetchRequestTemplate(named name: String) -> FetchRequestTemplate? {
    fetchRequestTemplates.first { $0.name == name }
  }

  /// Returns a model with these templates added; one replaces the model's template of its name.
  public func adding(fetchRequestTemplates templates: [FetchRequestTemplate]) -> ManagedObjectModel
  {
    let names = Set(templates.map(\.name))
    return with(fetchRequestTemplates.filter { !names.contains($0.name) } + templates)
  }

  /// Returns a model without the fetch request templates of these names; a document that is written
  /// with it no longer has them.
  ///
  /// - Throws: ``PersistenceError`` with code `unknownTemplate` and near names.
  public func removing(
    fetchRequestTemplatesNamed names: String...
  ) throws(PersistenceError) -> ManagedObjectModel {
    for name in names { _ = try requireFetchRequestTemplate(named: name) }
    return with(fetchRequestTemplates.filter { !names.contains($0.name) })
  }

  private func with(_ templates: [FetchRequestTemplate]) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: entities, versionIdentifiers: versionIdentifiers,
      fetchRequestTemplates: templates, configurations: configurations,
      statesTemplates: statesTemplates, statesConfigurations: statesConfigurations)
  }

  package func requireFetchRequestTemplate(
    named name: String
  ) throws(PersistenceError) -> FetchRequestTemplate {
    if let found = fetchRequestTemplate(named: name) { return found }
    let names = fetchRequestTemplates.map(\.name)
    throw PersistenceError(
      .unknownTemplate,
      "the model has no fetch request template '\(name)'; it has \(PersistenceError.listed(names))",
      nearNames: PersistenceError.nearNames(to: name, among: names))
  }
}

extension PersistenceError.Code {
  /// A fetch request template that the model does not have.
  public static let unknownTemplate = Self(rawValue: "unknownTemplate")
}
