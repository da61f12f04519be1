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
  /// Whether the type is known to belong to no actor, so that its conformances hold on every thread.
  ///
  /// A type that belongs to a global actor is `Sendable`; a described class was seen to belong to none.
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

/// How far the class of a definition says which class its objects have.
package enum ObjectClass: Sendable {
  /// An initializer of the class makes them.
  case exact
  /// Code declares it: what it promises counts, and an object of a subclass is no surprise.
  case declared
  /// A factory or a method makes them and may choose among subclasses.
  case open
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
  package func isMisfit(of objects: ObjectClass) -> Bool {
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

/// A definition of a `T` before it is linked: what it needs, the way to assemble its parts, and a scope.
package final class Binding<T>: AnyBinding {
  private let assemble: (Linker) throws -> Assembly<T>

  package init(
    _ name: String, scope: any Scope, location: SourceLocation?, isSendable: Bool,
    dependencies: [Dependency],
    assemble: @escaping (Linker) throws -> Assembly<T>
  ) {
    self.assemble = assemble
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
      Assembly(
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
      assemble: assemble)
    copy.isNonisolated = isNonisolated
    copy.objects = objects
    return copy
  }

  package override func failingProvider(_ error: ContainerError) -> AnyObjectProvider {
    ComputedProvider<T>(throwing: error)
  }

  package override func link(_ provider: AnyObjectProvider, with linker: GraphLinker) throws {
    guard let provider = provider as? ScopedProvider<T> else { return }
    let parts = try assemble(linker)
    let construction = Construction(
      name: shownName, location: location, constructor: parts.constructor,
      injectors: parts.injectors + containerInjection(linker),
      callbacks: parts.callbacks.observed(),
      processors: linker.processors, elsewhere: parts.elsewhere)
    linker.hold(construction)
    provider.link(construction)
  }
}

extension Binding {
  /// Gives the container to an object that asks for it, after its properties.
  private func containerInjection(_ linker: GraphLinker) -> [Injector<T>] {
    guard let inject = linker.containerInjection?(T.self) else { return [] }
    let (name, container) = (shownName, linker.container)
    return [{ object, _ in try inject(object, name, container) }]
  }
}

/// What makes one definition's objects, linked.
package struct Assembly<T> {
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
    self.elsewhere = elsewhere
    self.constructor = constructor
    self.injectors = injectors
    self.callbacks = callbacks
  }
}

/// How an object is constructed: what that needs, and the way to link it.
package struct Recipe<T> {
  package let dependencies: [Dependency]
  package let link: (Linker) throws -> Constructor<T>

  package init(dependencies: [Dependency], link: @escaping (Linker) throws -> Constructor<T>) {
    self.dependencies = dependencies
    self.link = link
  }

  /// A recipe that calls a function with the objects of references.
  package static func call<each D>(
    _ make: @escaping @Sendable (repeat each D) throws -> T, _ references: repeat Ref<each D>,
    labels: [String?] = [], at location: SourceLocation?
  ) -> Recipe<T> {
    var dependencies: [Dependency] = []
    var position = 0
    for ref in repeat each references {
      let label = position < labels.count ? labels[position] : nil
      position += 1
      let number = position
      dependencies += ref.dependencies(
        .construction,
        role: label.map { .argument($0) } ?? .other { "initializer argument \(number)" },
        at: location)
    }
    return Recipe(dependencies: dependencies) { linker in
      PackConstructor(make, (repeat try linker.provider(of: each references)))
    }
  }
}

/// How one property is set: what that needs, and the way to link it.
package struct Injection<T> {
  package let dependencies: [Dependency]
  package let link: (Linker) throws -> Injector<T>

  package init(dependencies: [Dependency], link: @escaping (Linker) throws -> Injector<T>) {
    self.dependencies = dependencies
    self.link = link
  }

  /// What some injections need.
  ///
  /// A loop, because a key path in generic code is made anew each time.
  package static func dependencies(of injections: [Injection<T>]) -> [Dependency] {
    var dependencies: [Dependency] = []
    for injection in injections { dependencies += injection.dependencies }
    return dependencies
  }

  /// An injection that hands the object of a reference to a setter.
  package static func reference<V>(
    _ ref: Ref<V>, role: Dependency.Role, at location: SourceLocation?,
    set: @escaping @Sendable (T, V) throws -> Void
  ) -> Injection<T> {
    Injection(dependencies: ref.dependencies(.injection, role: role, at: location)) { linker in
      let provider = try linker.provider(of: ref)
      return { object, session in try set(object, provider.make(session)) }
    }
  }
}

extension Ref {
  /// The arrow that the reference stands for; none for a constant.
  package func dependencies(
    _ when: Dependency.Moment, role: Dependency.Role, at location: SourceLocation?
  ) -> [Dependency] {
    guard use != .constant else { return [] }
    return [
      Dependency(
        target: name, use: use, when: when, role: role, location: location, type: T.self,
        requiresSendable: requiresSendable, request: request, isOptional: isOptional, fit: fit)
    ]
  }
}
