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

  /// Whether the model was made with its templates, so that a document of it has no others.
  let statesTemplates: Bool

  /// Whether the model was made with its configurations, so that a document of it has no others.
  let statesConfigurations: Bool

  /// What the entities were read from; `nil` for a model that was made in code, or of several
  /// documents.
  var declaration: ModelDeclaration?

  /// Creates a model of `entities`.
  ///
  /// Without templates or configurations, a document that is written with the model keeps those
  /// that it has.
  public init(
    entities: [EntityDescription], versionIdentifiers: Set<String> = [],
    fetchRequestTemplates: [FetchRequestTemplate]? = nil,
    configurations: [String: [String]]? = nil
  ) {
    self.init(
      entities: entities, versionIdentifiers: versionIdentifiers,
      fetchRequestTemplates: fetchRequestTemplates ?? [], configurations: configurations ?? [:],
      statesTemplates: fetchRequestTemplates != nil, statesConfigurations: configurations != nil)
  }

  init(
    entities: [EntityDescription], versionIdentifiers: Set<String>,
    fetchRequestTemplates: [FetchRequestTemplate], configurations: [String: [String]],
    statesTemplates: Bool, statesConfigurations: Bool
  ) {
    self.configurations = configurations.mapValues { Set($0).sorted() }
    self.entities = entities.sorted { $0.name < $1.name }
    self.versionIdentifiers = versionIdentifiers
    self.fetchRequestTemplates = fetchRequestTemplates.sorted { $0.name < $1.name }
    self.statesTemplates = statesTemplates
    self.statesConfigurations = statesConfigurations
  }

  /// Returns the entity called `name`, or `nil`.
  public func entity(named name: String) -> EntityDescription? {
    entities.first { $0.name == name }
  }
}

extension ManagedObjectModel {
  /// Whether both say the same, however they were made.
  public static func == (a: Self, b: Self) -> Bool {
    a.entities == b.entities && a.versionIdentifiers == b.versionIdentifiers
      && a.fetchRequestTemplates == b.fetchRequestTemplates
      && a.configurations == b.configurations
  }

  /// Hashes the entities and the version's identifiers.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(entities)
    hasher.combine(versionIdentifiers)
  }
}
