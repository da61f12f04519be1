/// Makes thread-local proxies: one object for the program, one target for each thread.
///
/// In a file, `class="ThreadLocalProxyFactory"` with `factoryObject` referring to a definition does the
/// same; the proxy class is the one that is known for the protocol of that definition's objects, or the
/// one that the property `protocol` names. In code, `builder.threadLocalProxy` is shorter.
public final class ThreadLocalProxyFactory<Proxy: ForwardingProxy>: FactoryObject {
  /// What makes the target of each thread.
  public var factoryObject: (any FactoryObject<Proxy.Target> & Sendable)?

  /// Proxies of one name and protocol share their targets within a container.
  public var name: String?

  package var services: ContainerServices?

  /// Creates a factory that is not complete yet.
  public init() {}

  /// Makes a proxy; no target is built.
  ///
  /// - Throws: `factoryIncomplete` without a factory object; `threadKeysExhausted`.
  public func object() throws -> Proxy {
    guard let factoryObject else {
      throw ContainerError(
        .factoryIncomplete("ThreadLocalProxyFactory", property: "factoryObject"),
        task: "make a proxy")
    }
    let services = services ?? ContainerServices()
    let store = try services.threads.store()
    let slot = services.slot(named: name, of: Proxy.Target.self, in: store)
    return Proxy(
      source: ThreadLocalSource(
        name ?? "thread-local object", store: store, slot: slot, hooks: Proxy.threadLocalHooks,
        endingBy: services.link
      ) { try factoryObject.object() })
  }
}

extension ThreadLocalProxyFactory: ContainerServiceUser {}
