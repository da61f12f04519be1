internal import Logging
public import OxbowContainer
internal import OxbowModel
internal import OxbowSQLite
internal import OxbowStore

// What `@Component` writes for `StoreCoordinatorFactory`, by hand, because this target builds
// without macros.

extension StoreCoordinatorFactory: nonisolated Component {
  /// What files can do with the class.
  nonisolated public class var componentDescriptor: ComponentDescriptor {
    let isolation = ComponentIsolation.of(type(of: StoreCoordinatorFactory._isolationProbe))
    return ComponentDescriptor(
      StoreCoordinatorFactory.self, name: "StoreCoordinatorFactory", sendability: .of(),
      product: .of(), isolation: isolation,
      initializers: [
        InitializerDescriptor { StoreCoordinatorFactory() }
      ],
      properties: [
        .property(
          "storePath", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, get: { $0.storePath }, set: { $0.storePath = $1 }),
        .property(
          "location", StoreLocation.self, typeName: "StoreLocation", sendability: .of(),
          isOptional: true, accepts: { $0 is StoreLocation.Type }, get: { $0.location },
          set: { $0.location = $1 }, clear: { $0.location = nil }),
        .property(
          "stores", [SQLiteStoreDescription].self, typeName: "[SQLiteStoreDescription]",
          sendability: .of(), accepts: { $0 is SQLiteStoreDescription.Type }, get: { $0.stores },
          set: { $0.stores = $1 }),
        .property(
          "model", ManagedObjectModel.self, typeName: "ManagedObjectModel", sendability: .of(),
          isOptional: true, accepts: { $0 is ManagedObjectModel.Type }, get: { $0.model },
          set: { $0.model = $1 }, clear: { $0.model = nil }),
        .property(
          "managedObjectModel", ManagedObjectModel.self, typeName: "ManagedObjectModel",
          sendability: .of(), isOptional: true, accepts: { $0 is ManagedObjectModel.Type },
          get: { $0.managedObjectModel }, set: { $0.managedObjectModel = $1 },
          clear: { $0.managedObjectModel = nil }),
        .property(
          "storeUrl", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, get: { $0.storeUrl }, set: { $0.storeUrl = $1 }),
        .property(
          "classes", EntityClasses.self, typeName: "EntityClasses", sendability: .of(),
          accepts: { $0 is EntityClasses.Type }, get: { $0.classes }, set: { $0.classes = $1 }),
        .property(
          "readOnly", Bool.self, typeName: "Bool", sendability: .of(), accepts: { $0 is Bool.Type },
          get: { $0.readOnly }, set: { $0.readOnly = $1 }),
        .property(
          "migrate", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, get: { $0.migrate }, set: { $0.migrate = $1 }),
        .property(
          "migrations", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, get: { $0.migrations }, set: { $0.migrations = $1 }),
        .property(
          "createsStore", Bool.self, typeName: "Bool", sendability: .of(),
          accepts: { $0 is Bool.Type }, get: { $0.createsStore }, set: { $0.createsStore = $1 }),
        .property(
          "usesWriteAheadLog", Bool.self, typeName: "Bool", sendability: .of(),
          accepts: { $0 is Bool.Type }, get: { $0.usesWriteAheadLog },
          set: { $0.usesWriteAheadLog = $1 }),
        .property(
          "history", HistoryRecording.self, typeName: "HistoryRecording", sendability: .of(),
          accepts: { $0 is HistoryRecording.Type }, get: { $0.history }, set: { $0.history = $1 }),
        .property(
          "logger", Logger.self, typeName: "Logger", sendability: .of(), isOptional: true,
          accepts: { $0 is Logger.Type }, get: { $0.logger }, set: { $0.logger = $1 },
          clear: { $0.logger = nil }),
        .property(
          "options", SQLiteStoreOptions.self, typeName: "SQLiteStoreOptions", sendability: .of(),
          accepts: { $0 is SQLiteStoreOptions.Type }, get: { $0.options },
          set: { $0.options = $1 }),
        .property(
          "storeMigrations", StoreMigrations.self, typeName: "StoreMigrations", sendability: .of(),
          isOptional: true, accepts: { $0 is StoreMigrations.Type }, get: { $0.storeMigrations },
          set: { $0.storeMigrations = $1 }, clear: { $0.storeMigrations = nil }),
      ])
  }

  #if objectFormat(MachO)
    @section("__DATA_CONST,__oxbow") @used
  #elseif objectFormat(ELF)
    @section("oxbow_components") @used
  #endif
  nonisolated private static let _componentRecord: ComponentRecord = (
    version: 1,
    describe: {
      $0.assumingMemoryBound(to: RegistryEntry.self).initialize(
        to: .component(StoreCoordinatorFactory.componentDescriptor))
    }
  )

  /// Its type says which actor the class belongs to.
  private static func _isolationProbe() {}
}
