package import OxbowDocuments
internal import OxbowPlatform

/// A definition before it is linked, its type forgotten.
package class AnyBinding: Unreflected {
  package let name: String
  let scope: any Scope
  package let location: SourceLocation?
  /// The type of the objects.
  package let type: any Any.Type
  /// Whether the objects may be used by several threads: fixed where the type was spelled.
  let isSendable: Bool
  /// What the definition needs, constructor first, each in declared order.
  let dependencies: [Dependency]
  /// Whether the object is built together with the container.
  var isEager = false
  /// Whether the type is known to belong to no actor, so that its conformances hold on every
  /// thread.
  ///
  /// A type that belongs to a global actor is `Sendable`; a described class was seen to belong to
  /// none.
  var isNonisolated: Bool

  /// Whether the object is the one that counts where several fit a type.
  var isPrimary = false
  /// Whether each object belongs to the thread that asked for it, whatever its type says.
  var isThreadBound = false
  /// What the objects are, where their type is a class.
  var objects = ObjectClass.declared
  /// The texts that are injected.
  var texts: [TextNeed] = []
  /// What is behind the objects, where these are proxies with aspects.
  var surrounded: SurroundedObject?

  init(
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

  func makeProvider(in group: CycleGroup, linker: GraphLinker) throws -> AnyObjectProvider {
    preconditionFailure("abstract")
  }

  /// The same definition under another name, never eager.
  func renamed(_ name: String) -> AnyBinding { preconditionFailure("abstract") }

  func link(_ provider: AnyObjectProvider, with linker: GraphLinker) throws {
    preconditionFailure("abstract")
  }

  /// The same definition, of objects that run aspects around their own methods.
  func woven(_ methods: [WovenMethod]) -> AnyBinding {
    preconditionFailure("abstract")
  }

  /// A provider that throws an error in place of making objects.
  func failingProvider(_ error: ContainerError) -> AnyObjectProvider {
    preconditionFailure("abstract")
  }
}

extension AnyBinding {
  /// How far the class of a definition says which class its objects have.
  enum ObjectClass: Sendable {
    /// An initializer of the class makes them.
    case exact
    /// Code declares it: what it promises counts, and an object of a subclass is not a surprise.
    case declared
    /// A factory or a method makes them and may choose among subclasses.
    case open
  }
}

extension AnyBinding {
  /// What references to the definition lead to.
  func target(_ provider: AnyObjectProvider) -> GraphLinker.Target {
    GraphLinker.Target(
      provider: provider, type: type, isSendable: isSendable, isNonisolated: isNonisolated,
      sharing: scope.sharing)
  }
}

extension TypeFit {
  /// Whether objects of a class surely do not fit.
  func isMisfit(of objects: AnyBinding.ObjectClass) -> Bool {
    switch self {
    case .fits, .unknown: false
    case .misfit: true
    case .lacksProtocol: objects != .open
    case .isSuperclass: objects == .exact
    }
  }
}

extension AnyBinding {
  /// Whether the object cannot be asked for: it belongs to another definition.
  var isHidden: Bool { HiddenName.isHidden(name) }

  /// The name that people see.
  var shownName: String { HiddenName.shown(name) }
}

/// A definition of a `T` before it is linked: what it needs, how its objects are made, and a scope.
final class Binding<T>: AnyBinding {
  private let parts: (any Linking) throws -> Construction<T>.Parts

  init(
    _ name: String, scope: any Scope, location: SourceLocation?, isSendable: Bool,
    dependencies: [Dependency],
    parts: @escaping (any Linking) throws -> Construction<T>.Parts
  ) {
    self.parts = parts
    super.init(
      name: name, scope: scope, location: location, type: T.self, isSendable: isSendable,
      dependencies: dependencies)
  }

  convenience init(
    _ name: String, scope: any Scope, location: SourceLocation?, isSendable: Bool,
    recipe: Recipe<T>, injections: Injections<T>? = nil
  ) {
    self.init(
      name, scope: scope, location: location, isSendable: isSendable,
      dependencies: recipe.dependencies + (injections?.dependencies ?? [])
    ) { linker in
      Construction.Parts(
        constructor: try recipe.link(linker), injectors: try injections?.injectors(linker) ?? [])
    }
    texts = recipe.texts + (injections?.texts ?? [])
  }

  override func makeProvider(in group: CycleGroup, linker: GraphLinker) throws
    -> AnyObjectProvider
  {
    try scope.makeProvider(of: T.self, linker.setup(for: name, in: group))
  }

  override func renamed(_ name: String) -> AnyBinding {
    copy(named: name, dependencies: dependencies, parts: parts)
  }

  private func copy(
    named name: String, dependencies: [Dependency],
    parts: @escaping (any Linking) throws -> Construction<T>.Parts
  ) -> Binding<T> {
    let copy = Binding(
      name, scope: scope, location: location, isSendable: isSendable, dependencies: dependencies,
      parts: parts)
    copy.isNonisolated = isNonisolated
    copy.objects = objects
    copy.texts = texts
    return copy
  }

  override func woven(_ methods: [WovenMethod]) -> AnyBinding {
    let (parts, shownName) = (parts, shownName)
    let copy = copy(
      named: name,
      dependencies: dependencies + AspectTables.dependencies(methods, .injection, at: location)
    ) { linker in
      let tables = try AspectTables(methods, of: shownName, linker)
      var parts = try parts(linker)
      // First of all: setters and callbacks may call the methods.
      parts.injectors.insert(
        { try ($0 as? any WovenObject)?._weave(tables.table($1)) }, at: 0)
      return parts
    }
    copy.isEager = isEager
    copy.isPrimary = isPrimary
    return copy
  }

  override func failingProvider(_ error: ContainerError) -> AnyObjectProvider {
    ComputedProvider<T>(throwing: error)
  }

  override func link(_ provider: AnyObjectProvider, with linker: GraphLinker) throws {
    guard let provider = provider as? ScopedProvider<T> else { return }
    let parts = try parts(linker)
    let construction = Construction(
      name: shownName, location: location, constructor: parts.constructor,
      injectors: parts.injectors + containerInjection(linker),
      callbacks: parts.callbacks.observed(),
      processors: linker.processors, elsewhere: parts.elsewhere,
      ownership: linker.ownerships[name] ?? ownership)
    linker.hold(construction)
    provider.link(construction)
  }

  /// Whose matter the end of the objects is, if they are not defined in place.
  private var ownership: Ownership {
    scope.sharing != .fresh || HiddenName.isBehindProxy(name) ? .kept : .asker
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
  struct Parts {
    let constructor: Constructor<T>
    var injectors: [Injector<T>] = []
    var callbacks = Callbacks<T>()
    /// Sets what the constructor takes on an object that somebody else has made.
    var elsewhere: ((any Linking) throws -> [Injector<T>])?
  }
}

/// How an object is constructed: what that needs, and how it is linked.
struct Recipe<T> {
  let dependencies: [Dependency]
  var texts: [TextNeed] = []
  let link: (any Linking) throws -> Constructor<T>

  /// A recipe that calls a function with the objects of references.
  static func call<each D>(
    _ make: @escaping @Sendable (repeat each D) throws -> T, _ references: repeat Ref<each D>,
    labels: [String?] = [], at location: SourceLocation?
  ) -> Recipe<T> {
    var dependencies: [Dependency] = []
    var texts: [TextNeed] = []
    var position = 0
    for ref in repeat each references {
      let label = position < labels.count ? labels[position] : nil
      position += 1
      let number = position
      let role: InjectionSite.Path =
        label.map { .argument($0) } ?? .other { "initializer argument \(number)" }
      dependencies += ref.dependencies(.construction, role: role, at: location)
      if let text = ref.text { texts.append(TextNeed(text, role: role, at: location)) }
    }
    return Recipe(dependencies: dependencies, texts: texts) { linker in
      PackConstructor(make, (repeat try linker.provider(of: each references)))
    }
  }
}

extension Ref {
  /// What the reference needs: none for a constant.
  func dependencies(
    _ when: Dependency.Moment, role: InjectionSite.Path, at location: SourceLocation?
  ) -> [Dependency] {
    guard use != .constant else { return [] }
    return [
      Dependency(
        target: name, use: use, when: when, role: role, location: location, type: T.self,
        requiresSendable: requiresSendable, request: request, isOptional: isOptional, fit: fit)
    ]
  }
}
