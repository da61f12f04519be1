public import OxbowContainer
internal import OxbowModel

// What `@Component` writes for `ModelFactory`, by hand, because this target builds without macros.

extension ModelFactory: nonisolated Component {
  /// What files can do with the class.
  nonisolated public class var componentDescriptor: ComponentDescriptor {
    let isolation = ComponentIsolation.of(type(of: ModelFactory._isolationProbe))
    return ComponentDescriptor(
      ModelFactory.self, name: "ModelFactory", sendability: .of(), product: .of(),
      isolation: isolation,
      initializers: [
        InitializerDescriptor { ModelFactory() }
      ],
      properties: [
        .property(
          "paths", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, get: { $0.paths }, set: { $0.paths = $1 }),
        .property(
          "directory", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, get: { $0.directory }, set: { $0.directory = $1 }),
        .property(
          "documents", [String].self, typeName: "[String]", sendability: .of(),
          accepts: { $0 is String.Type }, get: { $0.documents }, set: { $0.documents = $1 }),
        .property(
          "classes", EntityClasses.self, typeName: "EntityClasses", sendability: .of(),
          accepts: { $0 is EntityClasses.Type }, get: { $0.classes }, set: { $0.classes = $1 }),
        .property(
          "configurations", ([String: [String]]).self, typeName: "[String: [String]]",
          sendability: .of(), accepts: { $0 is [String].Type }, get: { $0.configurations },
          set: { $0.configurations = $1 }),
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
        to: .component(ModelFactory.componentDescriptor))
    }
  )

  /// Its type says which actor the class belongs to.
  private static func _isolationProbe() {}
}
