/// A set of entities: what the data is.
///
/// A model is an immutable value. It comes from Swift types, from Xcode's model documents, or from
/// code, with the same result. It is not checked before a ``CompiledModel`` is compiled from it, so
/// that models that refer to each other's entities can be merged first.
public struct ManagedObjectModel: Sendable, Hashable {
  /// The entities, sorted by name.
  public internal(set) var entities: [EntityDescription]

  /// The identifiers that the model's author gave this version.
  public let versionIdentifiers: Set<String>

  /// The fetch requests that the model keeps under a name, sorted by it; no part of the version.
  public let fetchRequestTemplates: [FetchRequestTemplate]

  /// The names of the entities of each configuration, sorted, by the configuration's name; no part
  /// of the version.
  ///
  /// A configuration says which entities one of several stores keeps.
  public internal(set) var configurations: [String: [String]]

  /// Creates a model of `entities`.
  public init(
    entities: [EntityDescription], versionIdentifiers: Set<String> = [],
    fetchRequestTemplates: [FetchRequestTemplate] = [], configurations: [String: [String]] = [:]
  ) {
    self.configurations = configurations.mapValues { Set($0).sorted() }
    self.entities = entities.sorted { $0.name < $1.name }
    self.versionIdentifiers = versionIdentifiers
    self.fetchRequestTemplates = fetchRequestTemplates.sorted { $0.name < $1.name }
  }

  /// Returns the entity called `name`, or `nil`.
  public func entity(named name: String) -> EntityDescription? {
    entities.first { $0.name == name }
  }
}
