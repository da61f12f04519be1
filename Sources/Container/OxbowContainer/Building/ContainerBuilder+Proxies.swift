internal import OxbowDocuments

extension ContainerBuilder {
  /// Defines one object for the whole container, built by the first call of one of its methods.
  ///
  /// What refers to it gets a proxy. The proxy breaks circles of initializers, too.
  ///
  /// - Parameters:
  ///   - name: The name of the object, unique in its container; by default that of the protocol.
  ///   - proxy: The proxy class of a protocol that the object conforms to.
  ///   - make: Constructs the object.
  ///   - dependencies: What the constructor needs, in order.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  ///   - configure: Says which properties are set afterwards.
  /// - Returns: A reference to the proxy.
  @discardableResult
  public func singleton<Proxy: ForwardingProxy, T: Sendable, each D>(
    named name: String? = nil, lazy proxy: Proxy.Type,
    _ make: @escaping @Sendable (repeat each D) throws -> T, _ dependencies: repeat Ref<each D>,
    file: String = #fileID, line: Int = #line, configure: (inout Injections<T>) -> Void = { _ in }
  ) -> Ref<Proxy> {
    let location = SourceLocation(file: file, line: line)
    let name = name ?? defaultName(of: Proxy.Target.self)
    let target = define(
      HiddenName.behindProxy(name), PrototypeScope(), isSendable: true,
      DefinitionTraits<SharedScope>(), isHidden: true, at: location,
      .call(make, repeat each dependencies, at: location), configure)
    return self.proxy(named: name, .lazy, of: target, as: proxy, file: file, line: line)
  }

  /// Defines a proxy that finds its target when one of its methods is called.
  ///
  /// The proxy is `Sendable`, and one for the whole container. The target of a lazy one is used by
  /// all threads, so its class must be `Sendable`, too; the others need not be.
  ///
  /// - Parameters:
  ///   - name: The name of the proxy, unique in its container; by default that of the protocol.
  ///   - kind: How the target is found.
  ///   - target: The definition of the targets.
  ///   - proxy: The proxy class of a protocol that the targets conform to.
  ///   - slot: Thread-local proxies with one slot name share their targets.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  /// - Returns: A reference to the proxy.
  @discardableResult
  public func proxy<Target, Proxy: ForwardingProxy>(
    named name: String? = nil, _ kind: ProxyKind, of target: Ref<Target>, as proxy: Proxy.Type,
    slot: String? = nil, file: String = #fileID, line: Int = #line
  ) -> Ref<Proxy> {
    let location = SourceLocation(file: file, line: line)
    let name = name ?? defaultName(of: Proxy.Target.self)
    // A provider, a value or several objects cannot be a target.
    if target.linking != nil { report(.noName("object \"\(name)\", proxy").at(location)) }
    if slot != nil, kind != .threadLocal {
      note(
        ContainerError.Note(
          "proxy \"\(name)\" does not use its slot; only thread-local proxies share their targets",
          at: location))
    }
    return add(
      Binding<Proxy>(
        name, scope: SingletonScope(), location: location, isSendable: true,
        recipe: .proxy(
          kind, of: target.name, request: target.request, named: name, slot: slot, at: location)))
  }
}
