/// Makes lazy proxies: objects that are built by the first call.
///
/// In a file, `class="LazyProxyFactory"` with `factoryObject` referring to a definition does the same;
/// the proxy class is the one that is known for the protocol of that definition's objects, or the one
/// that the property `protocol` names. In code, `builder.lazyProxy` is shorter.
public final class LazyProxyFactory<Proxy: ForwardingProxy>: FactoryObject {
  /// What makes the target.
  ///
  /// All threads use one target, so its class must be `Sendable`.
  public var factoryObject: (any FactoryObject<Proxy.Target> & Sendable)?

  /// What is built, for messages.
  public var name = "lazy object"

  package var services: ContainerServices?

  /// Creates a factory that is not complete yet.
  public init() {}

  /// Makes a proxy; its target is not built.
  ///
  /// - Throws: `factoryIncomplete` without a factory object; `sharedNotSendable` when that belongs to a
  ///   definition whose objects are not `Sendable`.
  public func object() throws -> Proxy {
    guard let factoryObject else {
      throw ContainerError(
        .factoryIncomplete("LazyProxyFactory", property: "factoryObject"), task: "make a proxy")
    }
    if (factoryObject as? any SharingFactory)?.makesSendable == false {
      throw ContainerError(
        .sharedNotSendable(
          name, typeName: "the target", scope: "lazy proxy", at: nil), task: "make a proxy")
    }
    return Proxy(
      source: LazySource(name, of: services?.disposals) { try factoryObject.object() })
  }
}

extension LazyProxyFactory: ContainerServiceUser {}
