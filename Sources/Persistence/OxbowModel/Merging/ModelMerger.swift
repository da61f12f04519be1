internal import OxbowDocuments

/// Brings the entities of several models together and collects what does not fit.
struct ModelMerger {
  var problems: [PersistenceError] = []

  mutating func merge(_ models: [ManagedObjectModel]) -> ManagedObjectModel {
    let byName = Dictionary(grouping: models.flatMap(\.entities), by: \.name)
    var entities: [EntityDescription] = []
    for (name, declarations) in byName.sorted(by: { $0.key < $1.key }) {
      let bases = declarations.filter { !$0.isExtension }
      guard let base = merged(bases) else {
        problems.append(
          PersistenceError(
            .modelConflict,
            "entity '\(name)' is marked as an extension (\(ManagedObjectModel.extensionKey)), but"
              + " no other model declares it", at: declarations.first?.location))
        continue
      }
      entities.append(
        declarations.filter(\.isExtension).reduce(base) { extended($0, by: $1) })
    }
    let identifiers = models.reduce(into: Set<String>()) { $0.formUnion($1.versionIdentifiers) }
    var merged = ManagedObjectModel(
      entities: entities, versionIdentifiers: identifiers,
      fetchRequestTemplates: templates(of: models),
      configurations: models.reduce(into: [:]) { all, model in
        all.merge(model.configurations) { $0 + $1 }
      }, statesTemplates: models.contains(where: \.statesTemplates),
      statesConfigurations: models.contains(where: \.statesConfigurations))
    if models.count == 1 { merged.declaration = models[0].declaration }
    return merged
  }

  /// The fetch request templates of all models; two of one name must be identical.
  private mutating func templates(of models: [ManagedObjectModel]) -> [FetchRequestTemplate] {
    var byName: [String: FetchRequestTemplate] = [:]
    for template in models.flatMap(\.fetchRequestTemplates) {
      if let known = byName[template.name], known != template {
        problems.append(
          PersistenceError(
            .modelConflict,
            "the fetch request template '\(template.name)' is declared twice, in two ways; rename "
              + "one of them"))
      }
      byName[template.name] = template
    }
    return Array(byName.values)
  }

  /// The entity that all declarations agree on; the first one when they do not.
  private mutating func merged(_ declarations: [EntityDescription]) -> EntityDescription? {
    guard let first = declarations.first else { return nil }
    var result = first
    for other in declarations.dropFirst() {
      // A class declares no fetched properties, and may be that of an entity that has some.
      var compared = other
      compared.fetchedProperties = first.fetchedProperties
      if compared != first {
        for difference in EntityDifference(first, compared).texts {
          conflict("entity '\(first.name)'", difference, first.location, other.location)
        }
      }
      addFetchedProperties(of: other, to: &result)
    }
    return result
  }

  /// Adds the fetched properties that an entity does not have; those of one name must be identical.
  private mutating func addFetchedProperties(
    of other: EntityDescription, to entity: inout EntityDescription
  ) {
    for property in other.fetchedProperties where !entity.fetchedProperties.contains(property) {
      if entity.fetchedProperties.contains(where: { $0.name == property.name }) {
        conflict(
          "entity '\(entity.name)'", "fetched property '\(property.name)' is declared differently",
          entity.location, property.location)
      } else {
        entity.fetchedProperties.append(property)
      }
    }
  }

  private mutating func extended(
    _ base: EntityDescription, by other: EntityDescription
  ) -> EntityDescription {
    var result = base
    for difference in EntityDifference(extending: base, other).texts {
      conflict("entity '\(base.name)'", difference, base.location, other.location)
    }
    for attribute in other.attributes {
      if !contains(attribute, attribute.name, result, attribute.location) {
        result.attributes.append(attribute)
      }
    }
    for relationship in other.relationships {
      if !contains(relationship, relationship.name, result, relationship.location) {
        result.relationships.append(relationship)
      }
    }
    result.uniquenessConstraints += other.uniquenessConstraints.filter {
      !base.uniquenessConstraints.contains($0)
    }
    result.fetchIndexes += other.fetchIndexes.filter { !base.fetchIndexes.contains($0) }
    addFetchedProperties(of: other, to: &result)
    for (key, value) in other.userInfo where key != ManagedObjectModel.extensionKey {
      result.userInfo[key] = value
    }
    return result
  }

  /// Whether an entity has a property already; a conflict when it has another one of that name.
  private mutating func contains<Property: Hashable>(
    _ property: Property, _ name: String, _ entity: EntityDescription, _ location: SourceLocation?
  ) -> Bool {
    let attribute = entity.attributes.first { $0.name == name }
    let relationship = entity.relationships.first { $0.name == name }
    guard attribute != nil || relationship != nil else { return false }
    let same = attribute as? Property == property || relationship as? Property == property
    if !same {
      conflict(
        "entity '\(entity.name)'", "property '\(name)' is declared differently",
        attribute?.location ?? relationship?.location ?? entity.location, location)
    }
    return true
  }

  private mutating func conflict(
    _ subject: String, _ difference: String, _ first: SourceLocation?, _ second: SourceLocation?
  ) {
    problems.append(
      PersistenceError(
        .modelConflict, "\(subject) is declared in two models that differ: \(difference)",
        at: second,
        details: [
          .init(label: "declared", text: first.map(\.description) ?? "in code"),
          .init(label: "declared", text: second.map(\.description) ?? "in code"),
        ]))
  }
}

extension EntityDescription {
  fileprivate var isExtension: Bool {
    let value = userInfo[ManagedObjectModel.extensionKey]?.lowercased()
    return value == "yes" || value == "true"
  }
}
