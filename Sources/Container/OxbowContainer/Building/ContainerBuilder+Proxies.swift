internal import OxbowDocuments

extension ContainerBuilder {
  /// Defines one object for the whole container, built by the first call of one of its methods.
  ///
  /// Whoever refers to it gets a proxy. The proxy breaks circles of initializers, too.
  ///
  /// - Parameters:
  ///   - name: The name of the object, unique in its container.
  ///   - proxy: The proxy class of a protocol that the object conforms to.
  ///   - make: Constructs the object.
  ///   - dependencies: What the constructor needs, in order.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  ///   - configure: Says which properties are set afterwards.
  /// - Returns: A reference to the proxy.
  @discardableResult
  public func singleton<Proxy: ForwardingProxy, T: Sendable, each D>(
    _ name: String, lazy proxy: Proxy.Type,
    _ make: @escaping @Sendable (repeat each D) throws -> T, _ dependencies: repeat Ref<each D>,
    file: String = #fileID, line: Int = #line, column: Int = #column,
    configure: (inout Injections<T>) -> Void = { _ in }
  ) -> Ref<Proxy> {
    let location = SourceLocation(file: file, line: line, column: column)
    let target = define(
      HiddenName.behindProxy(name), scope: PrototypeScope(), isSendable: true,
      isHidden: true, at: location, recipe: .call(make, repeat each dependencies, at: location),
      configure)
    return lazyProxy(name, of: target, as: proxy, file: file, line: line, column: column)
  }

  /// Defines a proxy that asks for an object when one of its methods is first called.
  ///
  /// All threads use the one object, so its class must be `Sendable`.
  ///
  /// - Parameters:
  ///   - name: The name of the proxy, unique in its container.
  ///   - target: The object; what that means on the first call is its scope's matter.
  ///   - proxy: The proxy class of a protocol that the object conforms to.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  /// - Returns: A reference to the proxy, one for the whole container.
  @discardableResult
  public func lazyProxy<Target, Proxy: ForwardingProxy>(
    _ name: String, of target: Ref<Target>, as proxy: Proxy.Type, file: String = #fileID,
    line: Int = #line, column: Int = #column
  ) -> Ref<Proxy> {
    self.proxy(
      name, .lazy, of: target, as: proxy,
      at: SourceLocation(file: file, line: line, column: column))
  }

  /// Defines a proxy that has an object of its own for each thread.
  ///
  /// The proxy is `Sendable` and shared; the objects need not be. Each is released when its thread
  /// or the `withThreadScope` body in which it was made ends.
  ///
  /// - Parameters:
  ///   - name: The name of the proxy, unique in its container.
  ///   - target: The definition of the objects. Of one in thread scope the proxy uses the thread's
  ///     object; of any other it makes a new one for each thread.
  ///   - proxy: The proxy class of a protocol that the objects conform to.
  ///   - slot: Proxies with one slot name share their objects.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  /// - Returns: A reference to the proxy, one for the whole container.
  @discardableResult
  public func threadLocalProxy<Target, Proxy: ForwardingProxy>(
    _ name: String, of target: Ref<Target>, as proxy: Proxy.Type, slot: String? = nil,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) -> Ref<Proxy> {
    self.proxy(
      name, .threadLocal, of: target, as: proxy, slot: slot,
      at: SourceLocation(file: file, line: line, column: column))
  }

  /// Defines a proxy whose calls go to the calling task's object.
  ///
  /// The proxy is `Sendable` and shared; the objects need not be. Each belongs to one
  /// ``Container/withTaskScope(isolation:_:)``.
  ///
  /// - Parameters:
  ///   - name: The name of the proxy, unique in its container.
  ///   - target: The definition of the objects, of task scope.
  ///   - proxy: The proxy class of a protocol that the objects conform to.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  /// - Returns: A reference to the proxy, one for the whole container.
  @discardableResult
  public func taskLocalProxy<Target, Proxy: ForwardingProxy>(
    _ name: String, of target: Ref<Target>, as proxy: Proxy.Type, file: String = #fileID,
    line: Int = #line, column: Int = #column
  ) -> Ref<Proxy> {
    self.proxy(
      name, .taskLocal, of: target, as: proxy,
      at: SourceLocation(file: file, line: line, column: column))
  }

  private func proxy<Target, Proxy: ForwardingProxy>(
    _ name: String, _ kind: ProxyKind, of target: Ref<Target>, as proxy: Proxy.Type,
    slot: String? = nil, at location: SourceLocation
  ) -> Ref<Proxy> {
    // A provider, a value or several objects are no target.
    if target.linking != nil { report(.noName("object \"\(name)\", proxy", at: location)) }
    return add(
      Binding<Proxy>(
        name, scope: SingletonScope(), location: location, isSendable: true,
        recipe: .proxy(
          kind, of: target.name, request: target.request, named: name, slot: slot, at: location)))
  }
}
