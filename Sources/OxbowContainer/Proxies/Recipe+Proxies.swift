package import OxbowDocuments

extension Recipe where T: ForwardingProxy {
  /// A proxy whose target is the object of a definition, asked for by the first call.
  package static func lazyProxy(
    of target: String, request: TypeRequest? = nil, named name: String, at location: SourceLocation?
  ) -> Recipe<T> {
    proxy(of: target, request, named: name, use: .lazySource, at: location) { linker in
      let provider = try linker.provider(named: target, as: T.Target.self)
      let disposals = linker.services.disposals
      return { hold in
        T(
          source: LazySource(name, of: disposals) {
            try hold.call(for: name) { try provider.make(nil) }
          })
      }
    }
  }

  /// A proxy whose target is an object of a definition for each thread.
  ///
  /// A definition of thread scope has one already; any other makes a new one for each thread.
  package static func threadProxy(
    of target: String, request: TypeRequest? = nil, named name: String, slot: String?,
    at location: SourceLocation?
  ) -> Recipe<T> {
    proxy(of: target, request, named: name, use: .threadSource, at: location) { linker in
      let provider = try linker.provider(named: target, as: T.Target.self)
      let confined = linker.sharing(target) == .confined
      let store = try linker.threads.store()
      let slot = linker.services.slot(named: slot, of: T.Target.self, in: store)
      // An object of thread scope ends in the slot of its own definition.
      let link = confined ? nil : linker.link
      return { hold in
        T(
          source: ThreadLocalSource(
            name, store: store, slot: slot, hooks: T.threadLocalHooks, endingBy: link
          ) {
            try hold.call(for: name) { confined ? try provider.make(nil) : try provider.fresh() }
          })
      }
    }
  }

  /// A proxy whose target is the object of the task that calls.
  package static func taskProxy(
    of target: String, request: TypeRequest? = nil, named name: String, at location: SourceLocation?
  ) -> Recipe<T> {
    proxy(of: target, request, named: name, use: .taskSource, at: location) { linker in
      let provider = try linker.provider(named: target, as: T.Target.self)
      let tasks = linker.services.tasks
      return { hold in
        T(
          source: TaskScopeSource(tasks, provider) {
            try hold.call(for: name) { try provider.make(nil) }
          })
      }
    }
  }

  private static func proxy(
    of target: String, _ request: TypeRequest?, named name: String, use: ReferenceUse,
    at location: SourceLocation?,
    link: @escaping (Linker) throws -> @Sendable (ContainerReference) -> T
  ) -> Recipe<T> {
    let dependency = Dependency(
      target: target, use: use, when: .later, role: .other { "proxy" }, location: location,
      type: T.Target.self, requiresSendable: use == .lazySource, request: request,
      fit: { T.accepts($0) ? .fits : TypeFit.of($0, in: T.Target.self, whereTested: true) })
    return Recipe(dependencies: [dependency]) { linker in
      ProxyConstructor(DeferredProvider(name, linker.link, deliver: try link(linker)))
    }
  }
}

private final class ProxyConstructor<T>: Constructor<T> {
  private let proxies: DeferredProvider<T>

  init(_ proxies: DeferredProvider<T>) { self.proxies = proxies }

  override func construct(_ session: Session?) throws -> T { try proxies.make(session) }
}
