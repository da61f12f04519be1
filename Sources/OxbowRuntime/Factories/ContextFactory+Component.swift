public import OxbowContainer
internal import OxbowStore

extension ContextFactory: Component {
  /// What files can do with the factory: `coordinator`, `name`.
  public static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      ContextFactory.self, name: "ContextFactory", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { ContextFactory() }],
      properties: [
        .property(
          "coordinator", PersistentStoreCoordinator.self, typeName: "PersistentStoreCoordinator",
          sendability: .of(), isOptional: true,
          accepts: { $0 is PersistentStoreCoordinator.Type }, set: { $0.coordinator = $1 }),
        .property(
          "name", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, set: { $0.name = $1 }),
      ])
  }

  #if objectFormat(MachO)
    @section("__DATA_CONST,__oxbow") @used
  #elseif objectFormat(ELF)
    @section("oxbow_components") @used
  #endif
  private static let _record: ComponentRecord = (
    version: 1,
    describe: {
      $0.assumingMemoryBound(to: RegistryEntry.self)
        .initialize(to: .component(ContextFactory.componentDescriptor))
    }
  )
}
