internal import Logging
public import OxbowContainer
internal import OxbowContext
internal import OxbowModel
internal import OxbowSQLite
internal import OxbowStore

// What `@Component` would write for the factories, in short: this target builds without macros.

extension ModelFactory: nonisolated Component {
  /// What files can do with the class.
  nonisolated public class var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      ModelFactory.self, name: "ModelFactory", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { ModelFactory() }],
      properties: [
        .value("paths", \.paths), .value("directory", \.directory),
        .value("documents", \.documents, "[String]") { $0 is String.Type },
        .value("classes", \.classes),
        .value("configurations", \.configurations, "[String: [String]]") { $0 is [String].Type },
      ])
  }
}

extension StoreCoordinatorFactory: nonisolated Component {
  /// What files can do with the class.
  nonisolated public class var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      StoreCoordinatorFactory.self, name: "StoreCoordinatorFactory", sendability: .of(),
      product: .of(), initializers: [InitializerDescriptor { StoreCoordinatorFactory() }],
      properties: [
        .value("storePath", \.storePath), .optional("location", \.location),
        .value("stores", \.stores, "[SQLiteStoreDescription]") {
          $0 is SQLiteStoreDescription.Type
        },
        .optional("model", \.model), .optional("managedObjectModel", \.managedObjectModel),
        .value("storeUrl", \.storeUrl), .value("classes", \.classes),
        .value("readOnly", \.readOnly), .value("migrate", \.migrate),
        .value("migrations", \.migrations), .value("createsStore", \.createsStore),
        .value("usesWriteAheadLog", \.usesWriteAheadLog), .value("workThreads", \.workThreads),
        .value("history", \.history), .value("followsOtherProcesses", \.followsOtherProcesses),
        .optional("logger", \.logger), .value("options", \.options),
        .optional("storeMigrations", \.storeMigrations),
      ])
  }
}

extension ContextFactory: nonisolated Component {
  /// What files can do with the class.
  nonisolated public class var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      ContextFactory.self, name: "ContextFactory", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { ContextFactory() }],
      properties: [
        .optional("coordinator", \.coordinator),
        .optional("persistentStoreCoordinator", \.persistentStoreCoordinator),
        .value("name", \.name), .value("mergePolicy", \.mergePolicy),
        .value("isUndoEnabled", \.isUndoEnabled),
        .value(
          "automaticallyMergesChangesFromParent", \.automaticallyMergesChangesFromParent),
        .optional("transactionAuthor", \.transactionAuthor), .value("readPlace", \.readPlace),
      ])
  }
}

extension PropertyDescriptor where Owner: AnyObject {
  /// A property, whose type is a list where `typeName` and `accepts` are given: the test is for its
  /// elements then.
  fileprivate static func value<Value: Sendable>(
    _ name: String, _ path: any ReferenceWritableKeyPath<Owner, Value> & Sendable,
    _ typeName: String = "\(Value.self)",
    accepts: @escaping @Sendable (any Any.Type) -> Bool = { $0 is Value.Type }
  ) -> Self {
    .property(
      name, Value.self, typeName: typeName, sendability: .of(), accepts: accepts,
      get: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 })
  }

  /// A property that may be nil.
  fileprivate static func optional<Value: Sendable>(
    _ name: String, _ path: any ReferenceWritableKeyPath<Owner, Value?> & Sendable
  ) -> Self {
    .property(
      name, Value.self, typeName: "\(Value.self)", sendability: .of(), isOptional: true,
      accepts: { $0 is Value.Type }, get: { $0[keyPath: path] },
      set: { $0[keyPath: path] = $1 }, clear: { $0[keyPath: path] = nil })
  }
}

/// The records by which a container finds the factories.
private enum FactoryRecords {
  private typealias Records = (ComponentRecord, ComponentRecord, ComponentRecord, ComponentRecord)

  #if objectFormat(MachO)
    @section("__DATA_CONST,__oxbow") @used
  #elseif objectFormat(ELF)
    @section("oxbow_components") @used
  #endif
  private static let records: Records = (
    (version: 1, describe: { $0.hold(.component(ModelFactory.componentDescriptor)) }),
    (version: 1, describe: { $0.hold(.component(StoreCoordinatorFactory.componentDescriptor)) }),
    (version: 1, describe: { $0.hold(.component(ContextFactory.componentDescriptor)) }),
    (version: 1, describe: { $0.hold(.group(PersistentStoreFactory.group)) })
  )
}

extension UnsafeMutableRawPointer {
  fileprivate func hold(_ entry: RegistryEntry) {
    assumingMemoryBound(to: RegistryEntry.self).initialize(to: entry)
  }
}
