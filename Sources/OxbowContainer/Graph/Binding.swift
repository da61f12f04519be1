package import OxbowDocuments

/// A definition before it is linked, its type forgotten.
package class AnyBinding {
  package let name: String
  package let scope: any Scope
  package let location: SourceLocation?
  /// The type of the objects.
  package let type: any Any.Type
  /// Whether the objects may be used by several threads: fixed where the type was spelled.
  package let isSendable: Bool
  /// What the definition needs, constructor first, each in declared order.
  package let dependencies: [Dependency]
  /// Whether the object is built together with the container.
  package var isEager = false
  /// Whether the type is known to belong to no actor, so that its conformances hold on every
  /// thread.
  ///
  /// A type that belongs to a global actor is `Sendable`; a described class was seen to belong to
  /// none.
  package var isNonisolated: Bool

  /// Whether the object is the one that counts where several fit a type.
  package var isPrimary = false
  /// What the objects are, where their type is a class.
  package var objects = ObjectClass.declared

  package init(
    name: String, scope: any Scope, location: SourceLocation?, type: any Any.Type,
    isSendable: Bool, dependencies: [Dependency]
  ) {
    self.name = name
    self.scope = scope
    self.location = location
    self.type = type
    self.isSendable = isSendable
    self.dependencies = dependencies
    isNonisolated = !isSendable
  }

  package func makeProvider(in group: CycleGroup, linker: GraphLinker) throws -> AnyObjectProvider {
    preconditionFailure("abstract")
  }

  /// The same definition under another name, never eager.
  package func renamed(_ name: String) -> AnyBinding { preconditionFailure("abstract") }

  package func link(_ provider: AnyObjectProvider, with linker: GraphLinker) throws {
    preconditionFailure("abstract")
  }

  /// A provider that throws an error in place of making objects.
  package func failingProvider(_ error: ContainerError) -> AnyObjectProvider {
    preconditionFailure("abstract")
  }
}

extension AnyBinding {
  /// How far the class of a definition says which class its objects have.
  package enum ObjectClass: Sendable {
    /// An initializer of the class makes them.
    case exact
    /// Code declares it: what it promises counts, and an object of a subclass is no surprise.
    case declared
    /// A factory or a method makes them and may choose among subclasses.
    case open
  }
}

extension AnyBinding {
  /// What references to the definition lead to.
  package func target(_ provider: AnyObjectProvider) -> GraphLinker.Target {
    GraphLinker.Target(
      provider: provider, type: type, isSendable: isSendable, isNonisolated: isNonisolated,
      sharing: scope.sharing)
  }
}

extension TypeFit {
  /// Whether objects of a class surely do not fit.
  package func isMisfit(of objects: AnyBinding.ObjectClass) -> Bool {
    switch self {
    case .fits, .unknown: false
    case .misfit: true
    case .lacksProtocol: objects != .open
    case .isSuperclass: objects == .exact
    }
  }
}

extension AnyBinding {
  /// Whether nobody can ask for the object: it belongs to another definition.
  package var isHidden: Bool { HiddenName.isHidden(name) }

  /// The name that people see.
  package var shownName: String { HiddenName.shown(name) }
}

/// A definition of a `T` before it is linked: what it needs, how its objects are made, and a scope.
package final class Binding<T>: AnyBinding {
  private let parts: (Linker) throws -> Construction<T>.Parts

  package init(
    _ name: String, scope: any Scope, location: SourceLocation?, isSendable: Bool,
    dependencies: [Dependency],
    parts: @escaping (Linker) throws -> Construction<T>.Parts
  ) {
    self.parts = parts
    super.init(
      name: name, scope: scope, location: location, type: T.self, isSendable: isSendable,
      dependencies: dependencies)
  }

  package convenience init(
    _ name: String, scope: any Scope, location: SourceLocation?, isSendable: Bool,
    recipe: Recipe<T>, injections: [Injection<T>] = []
  ) {
    self.init(
      name, scope: scope, location: location, isSendable: isSendable,
      dependencies: recipe.dependencies + Injection.dependencies(of: injections)
    ) { linker in
      Construction.Parts(
        constructor: try recipe.link(linker), injectors: try injections.map { try $0.link(linker) })
    }
  }

  package override func makeProvider(in group: CycleGroup, linker: GraphLinker) throws
    -> AnyObjectProvider
  {
    try scope.makeProvider(of: T.self, linker.setup(for: name, in: group))
  }

  package override func renamed(_ name: String) -> AnyBinding {
    let copy = Binding(
      name, scope: scope, location: location, isSendable: isSendable, dependencies: dependencies,
      parts: parts)
    copy.isNonisolated = isNonisolated
    copy.objects = objects
    return copy
  }

  package override func failingProvider(_ error: ContainerError) -> AnyObjectProvider {
    ComputedProvider<T>(throwing: error)
  }

  package override func link(_ provider: AnyObjectProvider, with linker: GraphLinker) throws {
    guard let provider = provider as? ScopedProvider<T> else { return }
    let parts = try parts(linker)
    let construction = Construction(
      name: shownName, location: location, constructor: parts.constructor,
      injectors: parts.injectors + containerInjection(linker),
      callbacks: parts.callbacks.observed(),
      processors: linker.processors, elsewhere: parts.elsewhere)
    linker.hold(construction)
    provider.link(construction)
  }

  /// Gives the container to an object that asks for it, after its properties.
  private func containerInjection(_ linker: GraphLinker) -> [Injector<T>] {
    guard let inject = linker.containerInjection?(T.self) else { return [] }
    let (name, container) = (shownName, linker.container)
    return [{ object, _ in try inject(object, name, container) }]
  }
}

extension Construction {
  /// What makes an object, linked; a factory has these without a definition of its own.
  package struct Parts {
    package let constructor: Constructor<T>
    package var injectors: [Injector<T>] = []
    package var callbacks = Callbacks<T>()
    /// Sets what the constructor takes on an object that somebody else has made.
    package var elsewhere: ((Linker) throws -> [Injector<T>])?

    package init(
      constructor: Constructor<T>, injectors: [Injector<T>] = [],
      callbacks: Callbacks<T> = Callbacks(),
      elsewhere: ((Linker) throws -> [Injector<T>])? = nil
    ) {
      self.constructor = constructor
      self.injectors = injectors
      self.callbacks = callbacks
      self.elsewhere = elsewhere
    }
  }
}
