internal import OxbowContainer

/// A whole store in one definition of a file, whose object is the context of each thread.
///
/// ```xml
/// <object id="context" class="PersistentStoreFactory">
///   <property name="storePath" value="library.sqlite"/>
///   <property name="classes" ref="classes"/>
///   <property name="mergePolicy" value="mergeByProperty"/>
/// </object>
/// ```
///
/// It has the properties of ``ModelFactory``, ``StoreCoordinatorFactory`` and ``ContextFactory``,
/// and becomes the four definitions that `builder.persistentStore` makes in code: `model`,
/// `coordinator`, `threadContext` and `context`, of `archiveContext` `archiveModel` and so on.
/// Classes declare the model where no documents do.
enum PersistentStoreFactory {
  static let group = DefinitionGroup("PersistentStoreFactory") { store in
    let parts = StoreNames(context: store.name)
    let names = Set(store.properties.map(\.name))
    let makesModel = names.isDisjoint(with: ["model", "managedObjectModel"])
    let hasDocuments = !names.isDisjoint(with: ["paths", "directory", "documents"])
    let ofModel = Set(makesModel ? ModelFactory.componentDescriptor.propertyNames : [])
      .subtracting(hasDocuments ? ["classes"] : [])
    let ofContext = Set(ContextFactory.componentDescriptor.propertyNames)
    let ofCoordinator = Set(StoreCoordinatorFactory.componentDescriptor.propertyNames)

    let model = part(parts.model, "ModelFactory", of: store) { ofModel.contains($0) }
    // What no factory has is reported of the coordinator's.
    var coordinator = part(parts.coordinator, "StoreCoordinatorFactory", of: store) {
      ofCoordinator.contains($0) || !ofModel.contains($0) && !ofContext.contains($0)
    }
    var context = part(parts.threadContext, "ContextFactory", of: store) { ofContext.contains($0) }
    context.scope = "prototype"
    context.properties.append(.reference("coordinator", to: coordinator.name, at: store.location))
    var proxy = store
    proxy.className = "ThreadLocalProxyFactory"
    proxy.properties = [.reference("factoryObject", to: context.name, at: store.location)]
    guard makesModel else { return [coordinator, context, proxy] }
    coordinator.properties.append(.reference("model", to: model.name, at: store.location))
    return [model, coordinator, context, proxy]
  }

  private static func part(
    _ name: String, _ className: String, of store: ObjectDefinition, has: (String) -> Bool
  ) -> ObjectDefinition {
    var part = ObjectDefinition(
      name, class: className, properties: store.properties.filter { has($0.name) },
      at: store.location, classAt: store.classLocation)
    part.booleans = store.booleans
    return part
  }
}
