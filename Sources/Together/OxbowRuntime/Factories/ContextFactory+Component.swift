public import OxbowContainer
internal import OxbowContext
internal import OxbowStore

// What `@Component` writes for `ContextFactory`, by hand, because this target builds without
// macros.

extension ContextFactory: nonisolated Component {
  /// What files can do with the class.
  nonisolated public class var componentDescriptor: ComponentDescriptor {
    let isolation = ComponentIsolation.of(type(of: ContextFactory._isolationProbe))
    return ComponentDescriptor(
      ContextFactory.self, name: "ContextFactory", sendability: .of(), product: .of(),
      isolation: isolation,
      initializers: [
        InitializerDescriptor { ContextFactory() }
      ],
      properties: [
        .property(
          "coordinator", PersistentStoreCoordinator.self, typeName: "PersistentStoreCoordinator",
          sendability: .of(), isOptional: true, accepts: { $0 is PersistentStoreCoordinator.Type },
          get: { $0.coordinator }, set: { $0.coordinator = $1 }, clear: { $0.coordinator = nil }),
        .property(
          "persistentStoreCoordinator", PersistentStoreCoordinator.self,
          typeName: "PersistentStoreCoordinator", sendability: .of(), isOptional: true,
          accepts: { $0 is PersistentStoreCoordinator.Type },
          get: { $0.persistentStoreCoordinator }, set: { $0.persistentStoreCoordinator = $1 },
          clear: { $0.persistentStoreCoordinator = nil }),
        .property(
          "name", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, get: { $0.name }, set: { $0.name = $1 }),
        .property(
          "mergePolicy", MergePolicy.self, typeName: "MergePolicy", sendability: .of(),
          accepts: { $0 is MergePolicy.Type }, get: { $0.mergePolicy }, set: { $0.mergePolicy = $1 }
        ),
        .property(
          "isUndoEnabled", Bool.self, typeName: "Bool", sendability: .of(),
          accepts: { $0 is Bool.Type }, get: { $0.isUndoEnabled }, set: { $0.isUndoEnabled = $1 }),
        .property(
          "automaticallyMergesChangesFromParent", Bool.self, typeName: "Bool", sendability: .of(),
          accepts: { $0 is Bool.Type }, get: { $0.automaticallyMergesChangesFromParent },
          set: { $0.automaticallyMergesChangesFromParent = $1 }),
        .property(
          "transactionAuthor", String.self, typeName: "String", sendability: .of(),
          isOptional: true, accepts: { $0 is String.Type }, get: { $0.transactionAuthor },
          set: { $0.transactionAuthor = $1 }, clear: { $0.transactionAuthor = nil }),
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
        to: .component(ContextFactory.componentDescriptor))
    }
  )

  /// Its type says which actor the class belongs to.
  private static func _isolationProbe() {}
}
