public import OxbowContainer
internal import OxbowModel

extension ModelFactory: Component {
  /// What files can do with the factory: `paths`, `directory`, `classes`.
  public static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      ModelFactory.self, name: "ModelFactory", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { ModelFactory() }],
      properties: [
        .property(
          "paths", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, set: { $0.paths = $1 }),
        .property(
          "directory", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, set: { $0.directory = $1 }),
        .property(
          "classes", EntityClasses.self, typeName: "EntityClasses", sendability: .of(),
          accepts: { $0 is EntityClasses.Type }, set: { $0.classes = $1 }),
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
        .initialize(to: .component(ModelFactory.componentDescriptor))
    }
  )
}
