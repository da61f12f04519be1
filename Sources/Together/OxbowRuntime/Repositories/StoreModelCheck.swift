internal import OxbowContainer
internal import OxbowDocuments
internal import OxbowModel
internal import OxbowStore

/// Whether the model of a store has the entities of the repositories that keep their objects there,
/// which a container checks when it is built.
///
/// The classes that `persistentStore` gets say what the model has, before anything is opened.
struct StoreModelCheck {
  let types: [any ModelObject.Type]
  /// The definition of the coordinator, which a patch may have replaced.
  let coordinator: (name: String, location: SourceLocation)

  var definitionCheck: DefinitionCheck {
    let entities = types.map { $0.entityName }
    return DefinitionCheck { [coordinator] objects in
      objects.compactMap { object in
        guard let entity = (object.type as? any Stored.Type)?.entity,
          !entities.contains(entity.entityName), object.isKept(by: coordinator)
        else { return nil }
        return .missingEntity(entity, of: object, among: entities, of: coordinator)
      }
    }
  }
}

extension Stored {
  fileprivate static var entity: any ModelObject.Type { Entity.self }
}

extension DefinitionCheck.DefinedObject {
  /// Whether this coordinator is the only one that the object reaches.
  fileprivate func isKept(by coordinator: (name: String, location: SourceLocation)) -> Bool {
    let all = reached().filter { $0.type == PersistentStoreCoordinator.self }
    guard all.count == 1, let only = all.first else { return false }
    return only.name == coordinator.name && only.location == coordinator.location
  }
}

extension ContainerError.Problem {
  fileprivate static func missingEntity(
    _ entity: any ModelObject.Type, of object: DefinitionCheck.DefinedObject,
    among entities: [String], of coordinator: (name: String, location: SourceLocation)
  ) -> Self {
    Self(
      .invalidDefinition,
      "object \"\(object.name)\": the model of its store has no entity '\(entity.entityName)'",
      at: object.location,
      seen: entities.isEmpty
        ? "no classes at \(coordinator.location)"
        : "\(entities.map { "'\($0)'" }.joined(separator: ", ")) at \(coordinator.location)",
      expected: "'\(entity).self' among the types of the store",
      nextStep: "add '\(entity).self' to 'types' of persistentStore",
      nearNames: OxbowDocuments.nearNames(to: entity.entityName, among: entities))
  }
}
