internal import OxbowDocuments

/// How a proxy finds its target; the one route from a definition to a proxy.
///
/// Files name a kind by the class of its factory.
public enum ProxyKind: String, CaseIterable, Sendable {
  /// One object for all threads, asked for by the first call; its class must be `Sendable`.
  case lazy = "LazyProxyFactory"
  /// An object for each thread: the thread's own where the target has thread scope, else a new one.
  /// It is released when the thread, or the `withThreadScope` body that made it, ends.
  case threadLocal = "ThreadLocalProxyFactory"
  /// The object of the task that calls, of a definition of task scope: see
  /// ``Container/withTaskScope(isolation:_:)``.
  case taskLocal = "TaskLocalProxyFactory"

  /// What a proxy's dependency on its target delivers.
  var use: ReferenceUse {
    switch self {
    case .lazy: .lazySource
    case .threadLocal: .threadSource
    case .taskLocal: .taskSource
    }
  }
}

extension ForwardingProxy {
  /// What makes a source of targets that a function makes, which gives what ends with them, too.
  typealias SourceMaker =
    @Sendable (_ make: @escaping @Sendable (Belongings) throws -> Target)
    -> any ProxySource<Target>

  /// What makes sources of a kind.
  ///
  /// Thread-local sources of one slot name share their targets; with `disposes` a target ends with
  /// the slot, and nowhere else. `isBuilt` says whether a task has its target.
  ///
  /// - Throws: `threadKeysExhausted`.
  static func sources(
    _ kind: ProxyKind, named name: String, slot: String? = nil, services: ContainerServices,
    disposes: Bool = true, isBuilt: @escaping @Sendable () -> Bool = { false }
  ) throws -> SourceMaker {
    switch kind {
    case .lazy:
      return { LazySource(name, of: services, $0) }
    case .threadLocal:
      let threads = try services.threads()
      let number = services.slot(named: slot, of: Target.self, in: threads)
      let container = disposes ? services.container : nil
      return {
        ThreadLocalSource(
          name, in: threads, slot: number, hooks: threadLocalHooks, endingBy: container, $0)
      }
    case .taskLocal:
      return { [tasks = services.tasks] make in
        TaskLocalSource(isMaterialized: { tasks.isOpen && isBuilt() }) { try make(Belongings()) }
      }
    }
  }
}

extension Recipe where T: ForwardingProxy {
  /// A proxy whose targets are objects of a definition.
  ///
  /// A definition of thread scope has an object for each thread already; of any other a
  /// thread-local proxy makes a new one for each thread.
  static func proxy(
    _ kind: ProxyKind, of target: String, request: TypeRequest? = nil, named name: String,
    slot: String? = nil, at location: SourceLocation?
  ) -> Recipe<T> {
    let dependency = Dependency(
      target: target, use: kind.use, when: .later, role: .other { "proxy" }, location: location,
      type: T.Target.self, requiresSendable: kind == .lazy, request: request,
      fit: { T.accepts($0) ? .fits : TypeFit.of($0, in: T.Target.self, whereTested: true) })
    return Recipe(dependencies: [dependency]) { linker in
      let provider = try linker.provider(named: target, as: T.Target.self)
      let isConfined = linker.sharing(target) == .confined
      let source = try T.sources(
        kind, named: name, slot: slot, services: linker.services, disposes: !isConfined
      ) { provider.isBuilt }
      let makesNew = kind == .threadLocal && !isConfined
      let proxies = linker.container.deferred(name) { container in
        T(
          source: source { belongings in
            try container.call(for: name) {
              makesNew
                ? try provider.fresh(for: belongings) : try provider.make(for: belongings)
            }
          })
      }
      return PackConstructor({ $0 }, proxies)
    }
  }
}

/// What the container knows of a proxy class, so that files can ask for lazy and thread-local
/// objects.
public struct ProxyDescriptor: Sendable {
  /// The name of the protocol.
  public let name: String

  /// The type of the targets, `any P`.
  public let targetType: any Any.Type

  let proxyType: any Any.Type
  private let acceptsType: @Sendable (any Any.Type) -> Bool
  private let bind:
    @Sendable (ProxyKind, String, String, String?, any Scope, SourceLocation?) -> AnyBinding
  private let weave: @Sendable (AnyBinding, String, [WovenMethod]) -> AnyBinding

  /// The methods of the protocol itself around which aspects may run.
  let methods: [ForwardedMethod]

  /// Describes a proxy class.
  ///
  /// - Parameters:
  ///   - type: The proxy class.
  ///   - name: The name of the protocol.
  public init<Proxy: ForwardingProxy>(_ type: Proxy.Type, name: String) {
    self.name = name
    targetType = Proxy.Target.self
    proxyType = Proxy.self
    methods = Proxy._methods
    weave = { old, original, methods in
      Binding<Proxy>(
        old.name, scope: old.scope, location: old.location, isSendable: old.isSendable,
        recipe: .woven(original, methods, at: old.location))
    }
    acceptsType = { $0 == Proxy.Target.self || Proxy.accepts($0) }
    bind = { kind, name, target, slot, scope, location in
      Binding<Proxy>(
        name, scope: scope, location: location, isSendable: true,
        recipe: .proxy(kind, of: target, named: name, slot: slot, at: location))
    }
  }

  /// Whether objects of a type can be targets.
  public func accepts(_ type: any Any.Type) -> Bool { acceptsType(type) }

  /// The binding of a proxy around the object of another one, whose methods have aspects.
  func woven(
    _ old: AnyBinding, original: String, _ methods: [WovenMethod]
  ) -> AnyBinding { weave(old, original, methods) }

  /// The binding of a proxy of the objects of a definition.
  func binding(
    _ name: String, _ kind: ProxyKind, of target: String, slot: String? = nil, scope: any Scope,
    at location: SourceLocation?
  ) -> AnyBinding {
    bind(kind, name, target, slot, scope, location)
  }
}
