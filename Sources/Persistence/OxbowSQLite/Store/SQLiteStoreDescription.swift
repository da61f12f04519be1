public import OxbowModel
public import OxbowStore

/// One of several stores: where it is, and whose entities it keeps.
public struct SQLiteStoreDescription: Sendable {
  /// The name of a configuration of the model, or `nil` for all entities that no other store has.
  public var configuration: String?

  /// Where the store is.
  public var location: StoreLocation

  /// How it is opened.
  public var options: SQLiteStoreOptions

  /// Describes a store.
  public init(
    _ location: StoreLocation, configuration: String? = nil,
    options: SQLiteStoreOptions = .init()
  ) {
    self.configuration = configuration
    self.location = location
    self.options = options
  }
}

extension PersistentStoreCoordinator {
  /// Opens several stores, each for the entities of a configuration of the model.
  ///
  /// ```swift
  /// let coordinator = try PersistentStoreCoordinator(
  ///   model, stores: [
  ///     .init(.file(cache), configuration: "Cache"), .init(.file(documents)),
  ///   ])
  /// ```
  ///
  /// An entity is in one store, with all entities of its hierarchy, and a fetch goes to the store
  /// of its entity. A relationship does not lead from one store to another. A save that changes
  /// several stores checks and writes all of them, and commits none before all are ready; should a
  /// commit fail after another one has succeeded, the error is `partlySaved` and says what is
  /// saved.
  ///
  /// - Throws: ``PersistenceError``: `unknownConfiguration`; `invalidModel` with every entity that
  ///   is in no store or in several, and every relationship between two stores; and whatever
  ///   opening a store throws.
  public convenience init(
    _ model: CompiledModel, stores: [SQLiteStoreDescription]
  ) throws(PersistenceError) {
    let parts = try StoreParts(model, stores).parts
    var opened: [(store: any PersistentStore, entities: Set<Int>)] = []
    do throws(PersistenceError) {
      for (description, part) in zip(stores, parts) {
        let store = try SQLiteStore(
          model, part: part, at: description.location, options: description.options)
        opened.append((store, part.entities))
      }
    } catch {
      for (store, _) in opened { store.close() }
      throw error
    }
    self.init(
      store: CombinedStore(opened, model), logger: stores.lazy.compactMap(\.options.logger).first)
  }
}

/// Which entities each of several stores has.
private struct StoreParts {
  let parts: [ModelPart]

  init(_ model: CompiledModel, _ stores: [SQLiteStoreDescription]) throws(PersistenceError) {
    guard !stores.isEmpty else {
      throw PersistenceError(.invalidModel, "there is no store; give at least one")
    }
    var names: [Set<String>] = []
    for store in stores {
      names.append(
        Set(try store.configuration.map(model.source.requireConfiguration(named:)) ?? []))
    }
    let rest = Set(model.entities.map(\.name)).subtracting(names.joined())
    let others = stores.indices.filter { stores[$0].configuration == nil }
    for index in others { names[index] = rest }
    let problems = Self.problems(model, names, stores)
    guard problems.isEmpty else {
      throw .collecting(
        .invalidModel, "the stores do not fit the model in \(problems.count) points", problems)
    }
    parts = names.map { ModelPart($0, of: model) }
  }

  private static func problems(
    _ model: CompiledModel, _ names: [Set<String>], _ stores: [SQLiteStoreDescription]
  ) -> [PersistenceError] {
    func title(_ index: Int) -> String {
      stores[index].configuration.map { "the store of '\($0)'" }
        ?? "the store without a configuration"
    }
    var problems: [PersistenceError] = []
    func report(_ text: String, _ entity: CompiledEntity) {
      problems.append(PersistenceError(.invalidModel, text, at: entity.description.location))
    }
    let places = model.entities.map { entity in
      names.indices.filter { names[$0].contains(entity.name) }
    }
    for entity in model.entities {
      guard let place = places[entity.index].first else {
        report(
          "the entity '\(entity.name)' is in no configuration of a store; add it to one, or add a "
            + "store without a configuration, which has all that is left", entity)
        continue
      }
      if places[entity.index].count > 1 {
        let list = places[entity.index].map(title).joined(separator: " and ")
        report(
          "the entity '\(entity.name)' is in \(list), and the objects of an entity are in one store; "
            + "take it out of all configurations but one", entity)
        continue
      }
      if let parent = entity.parent, places[parent].first != place {
        report(
          "the entity '\(entity.name)' is in \(title(place)), and its parent "
            + "'\(model.entities[parent].name)' is not; a hierarchy is in one store", entity)
      }
      for property in entity.relationships where property.declaringEntity == entity.index {
        guard let relationship = property.relationship,
          let other = places[relationship.destination].first, other != place
        else { continue }
        report(
          "the relationship '\(property.name)' of '\(entity.name)' leads from \(title(place)) to "
            + "'\(relationship.description.destination)' in \(title(other)), and no relationship can;"
            + " keep an identifier in an attribute, and find the objects with a fetched property or "
            + "a fetch", entity)
      }
    }
    return problems
  }
}
