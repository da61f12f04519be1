internal import Logging
public import OxbowContainer
internal import OxbowModel
internal import OxbowStore

extension StoreCoordinatorFactory: Component {
  /// What files can set: `storePath`, `model`, `classes`, `readOnly`,
  /// `createsStore`, `usesWriteAheadLog`, `migrate`, `migrations`, `logger`.
  public static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      StoreCoordinatorFactory.self, name: "StoreCoordinatorFactory", sendability: .of(),
      product: .of(), initializers: [InitializerDescriptor { StoreCoordinatorFactory() }],
      properties: [
        .property(
          "storePath", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, set: { $0.storePath = $1 }),
        .property(
          "model", ManagedObjectModel.self, typeName: "ManagedObjectModel", sendability: .of(),
          isOptional: true, accepts: { $0 is ManagedObjectModel.Type }, set: { $0.model = $1 }),
        .property(
          "classes", EntityClasses.self, typeName: "EntityClasses", sendability: .of(),
          accepts: { $0 is EntityClasses.Type }, set: { $0.classes = $1 }),
        .property(
          "readOnly", Bool.self, typeName: "Bool", sendability: .of(),
          accepts: { $0 is Bool.Type }, set: { $0.readOnly = $1 }),
        .property(
          "createsStore", Bool.self, typeName: "Bool", sendability: .of(),
          accepts: { $0 is Bool.Type }, set: { $0.createsStore = $1 }),
        .property(
          "usesWriteAheadLog", Bool.self, typeName: "Bool", sendability: .of(),
          accepts: { $0 is Bool.Type }, set: { $0.usesWriteAheadLog = $1 }),
        .property(
          "migrate", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, set: { $0.migrate = $1 }),
        .property(
          "migrations", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, set: { $0.migrations = $1 }),
        .property(
          "logger", Logger.self, typeName: "Logger", sendability: .of(), isOptional: true,
          accepts: { $0 is Logger.Type }, set: { $0.logger = $1 }),
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
        .initialize(to: .component(StoreCoordinatorFactory.componentDescriptor))
    }
  )
}
