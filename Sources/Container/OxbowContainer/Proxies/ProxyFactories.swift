/// Makes lazy proxies: objects that are built by the first call.
///
/// In a file, `class="LazyProxyFactory"` with `factoryObject` referring to a definition does the
/// same; the proxy class is the one that is known for the protocol of that definition's objects, or
/// the one that the property `protocol` names. In code, `builder.proxy` is shorter.
public final class LazyProxyFactory<Proxy: ForwardingProxy>: FactoryObject, ContainerServiceUser {
  /// What makes the target.
  ///
  /// All threads use one target, so its class must be `Sendable`.
  public var factoryObject: (any FactoryObject<Proxy.Target> & Sendable)?

  /// What is built, for messages.
  public var name = "lazy object"

  var services: ContainerServices?

  /// Creates a factory that is not complete yet.
  public init() {}

  /// Makes a proxy; its target is not built.
  ///
  /// - Throws: `factoryIncomplete` without a factory object; `sharedNotSendable` when that belongs
  ///   to a definition whose objects are not `Sendable`.
  public func object() throws -> Proxy {
    let factory = try required(factoryObject, of: .lazy)
    if (factory as? DefaultFactory<Proxy.Target>)?.makesSendable == false {
      throw ContainerError(
        .sharedNotSendable(name, typeName: "the target", scope: "lazy proxy"), task: "make a proxy")
    }
    let services = services ?? ContainerServices()
    return Proxy(
      source: try Proxy.sources(.lazy, named: name, services: services)({ _ in
        try factory.object()
      }))
  }
}

/// Makes thread-local proxies: one object for the program, one target for each thread.
///
/// In a file, `class="ThreadLocalProxyFactory"` with `factoryObject` referring to a definition does
/// the same; the proxy class is the one that is known for the protocol of that definition's
/// objects, or the one that the property `protocol` names. In code, `builder.proxy` is
/// shorter.
public final class ThreadLocalProxyFactory<Proxy: ForwardingProxy>: FactoryObject,
  ContainerServiceUser
{
  /// What makes the target of each thread.
  public var factoryObject: (any FactoryObject<Proxy.Target> & Sendable)?

  /// Proxies of one name and protocol share their targets within a container.
  public var name: String?

  var services: ContainerServices?

  /// Creates a factory that is not complete yet.
  public init() {}

  /// Makes a proxy; no target is built.
  ///
  /// - Throws: `factoryIncomplete` without a factory object; `threadKeysExhausted`.
  public func object() throws -> Proxy {
    let factory = try required(factoryObject, of: .threadLocal)
    let sources = try Proxy.sources(
      .threadLocal, named: name ?? "thread-local object", slot: name,
      services: services ?? ContainerServices())
    return Proxy(source: sources { _ in try factory.object() })
  }
}

private func required<Target>(
  _ factory: (any FactoryObject<Target> & Sendable)?, of kind: ProxyKind
) throws -> any FactoryObject<Target> & Sendable {
  if let factory { return factory }
  throw ContainerError(
    .factoryIncomplete(kind.rawValue, property: "factoryObject"), task: "make a proxy")
}
