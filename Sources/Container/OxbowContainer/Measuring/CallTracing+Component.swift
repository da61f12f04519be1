#if Tracing
  // What `@Component` writes for `CallTracing`, by hand, because this target builds without macros.

  extension CallTracing: nonisolated Component {
    /// What files can do with the class.
    nonisolated public class var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        CallTracing.self, name: "CallTracing", sendability: .of(), product: .of(),
        isolation: ComponentIsolation.of(type(of: CallTracing._isolationProbe)),
        initializers: [InitializerDescriptor { CallTracing() }])
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
          to: .component(CallTracing.componentDescriptor))
      }
    )

    /// Its type says which actor the class belongs to.
    private static func _isolationProbe() {}
  }
#endif
