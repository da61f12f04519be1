#if Metrics
  // What `@Component` writes for `CallTiming`, by hand, because this target builds without macros.

  extension CallTiming: nonisolated Component {
    /// What files can do with the class.
    nonisolated public class var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        CallTiming.self, name: "CallTiming", sendability: .of(), product: .of(),
        isolation: ComponentIsolation.of(type(of: CallTiming._isolationProbe)),
        initializers: [InitializerDescriptor { CallTiming() }])
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
          to: .component(CallTiming.componentDescriptor))
      }
    )

    /// Its type says which actor the class belongs to.
    private static func _isolationProbe() {}
  }
#endif
