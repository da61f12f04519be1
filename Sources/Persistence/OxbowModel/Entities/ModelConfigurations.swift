extension ManagedObjectModel {
  /// Returns the entities of a configuration as a model of their own: what the store of the
  /// configuration keeps, for migrations and tools.
  ///
  /// - Throws: ``PersistenceError`` with code `unknownConfiguration` and near names.
  public func model(ofConfiguration name: String) throws(PersistenceError) -> ManagedObjectModel {
    keeping(Set(try requireConfiguration(named: name)))
  }

  /// The models of several stores, by their configurations; `nil` for the entities that no other
  /// store has.
  package func models(
    ofConfigurations names: [String?]
  ) throws(PersistenceError) -> [ManagedObjectModel] {
    var lists: [Set<String>?] = []
    for name in names {
      guard let name else {
        lists.append(nil)
        continue
      }
      lists.append(Set(try requireConfiguration(named: name)))
    }
    let rest = Set(entities.map(\.name)).subtracting(lists.compactMap { $0 }.joined())
    return lists.map { keeping($0 ?? rest) }
  }

  package func requireConfiguration(named name: String) throws(PersistenceError) -> [String] {
    if let found = configurations[name] { return found }
    let names = configurations.keys.sorted()
    throw PersistenceError(
      .unknownConfiguration,
      "the model has no configuration '\(name)'; it has \(PersistenceError.listed(names))",
      nearNames: PersistenceError.nearNames(to: name, among: names))
  }

  /// Returns a model with other configurations: the names of entities, by the name of the
  /// configuration.
  public func with(configurations: [String: [String]]) -> ManagedObjectModel {
    var model = ManagedObjectModel(
      entities: entities, versionIdentifiers: versionIdentifiers,
      fetchRequestTemplates: fetchRequestTemplates, configurations: configurations,
      statesTemplates: statesTemplates, statesConfigurations: true)
    model.declaration = declaration
    return model
  }

  func keeping(_ names: Set<String>) -> ManagedObjectModel {
    var part = ManagedObjectModel(
      entities: entities.filter { names.contains($0.name) }, versionIdentifiers: versionIdentifiers)
    part.declaration = declaration
    return part
  }
}

extension PersistenceError.Code {
  /// A configuration that the model does not have.
  public static let unknownConfiguration = Self(rawValue: "unknownConfiguration")
  /// Several stores were saved, and the commit of one failed after that of another.
  public static let partlySaved = Self(rawValue: "partlySaved")
}
