internal import OxbowContainer
internal import OxbowDocuments
internal import OxbowModel
internal import OxbowStore

/// Whether the model of a store has the entities of the repositories that keep their objects there,
/// which a container checks when it is built.
///
/// The classes that `persistentStore` and `tenantStores` get say what the model has, before a store
/// is opened.
struct StoreModelCheck {
  let types: [any ModelObject.Type]
  /// The definition of what opens the store, which a patch may have replaced.
  let opener: (name: String, location: SourceLocation)

  var definitionCheck: DefinitionCheck {
    let entities = types.map { $0.entityName }
    return DefinitionCheck { [opener] objects in
      objects.compactMap { object in
        guard let entity = (object.type as? any Stored.Type)?.entity,
          !entities.contains(entity.entityName), object.isKept(by: opener)
        else { return nil }
        return .missingEntity(entity, of: object, among: entities, of: opener)
      }
    }
  }
}

extension Stored {
  fileprivate static var entity: any ModelObject.Type { Entity.self }
}

extension DefinitionCheck.DefinedObject {
  /// Whether this is the only thing that opens stores and that the object reaches.
  fileprivate func isKept(by opener: (name: String, location: SourceLocation)) -> Bool {
    let all = reached().filter {
      $0.type == PersistentStoreCoordinator.self || $0.type == TenantStores.self
    }
    guard all.count == 1, let only = all.first else { return false }
    return only.name == opener.name && only.location == opener.location
  }
}

extension ContainerError.Problem {
  fileprivate static func missingEntity(
    _ entity: any ModelObject.Type, of object: DefinitionCheck.DefinedObject,
    among entities: [String], of opener: (name: String, location: SourceLocation)
  ) -> Self {
    Self(
      .invalidDefinition,
      "object \"\(object.name)\": the model of its store has no entity '\(entity.entityName)'",
      at: object.location,
      seen: entities.isEmpty
        ? "no classes at \(opener.location)"
        : "\(entities.map { "'\($0)'" }.joined(separator: ", ")) at \(opener.location)",
      expected: "'\(entity).self' among the types of the store",
      nextStep: "add '\(entity).self' to 'types' of its store",
      nearNames: OxbowDocuments.nearNames(to: entity.entityName, among: entities))
  }
}
