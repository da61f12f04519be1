package import OxbowModel

/// The entities of each of several stores.
package struct StoreParts {
  package let parts: [ModelPart]

  /// Divides a model: each store has a configuration or, without a name, all remaining entities.
  package init(
    _ model: CompiledModel, _ configurations: [String?]
  ) throws(PersistenceError) {
    guard !configurations.isEmpty else {
      throw PersistenceError(.invalidModel, "there is no store; give at least one")
    }
    var names: [Set<String>] = []
    for name in configurations {
      names.append(Set(try name.map(model.source.requireConfiguration(named:)) ?? []))
    }
    let rest = Set(model.entities.map(\.name)).subtracting(names.joined())
    for index in names.indices where configurations[index] == nil { names[index] = rest }
    let problems = Self.problems(model, names, configurations)
    guard problems.isEmpty else {
      throw .collecting(
        .invalidModel, "the stores do not fit the model in \(problems.count) points", problems)
    }
    parts = names.map { ModelPart($0, of: model) }
  }

  private static func problems(
    _ model: CompiledModel, _ names: [Set<String>], _ configurations: [String?]
  ) -> [PersistenceError] {
    func title(_ index: Int) -> String {
      configurations[index].map { "the store of '\($0)'" } ?? "the store without a configuration"
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
