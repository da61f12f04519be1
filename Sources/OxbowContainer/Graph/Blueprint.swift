package import OxbowDocuments

/// A definition before it is linked, its type forgotten.
package class AnyBlueprint {
  package let name: String
  package let scope: any Scope
  package let location: SourceLocation?
  /// The type of the objects.
  package let type: any Any.Type
  /// Whether the objects may be used by several threads: fixed where the type was spelled.
  package let isSendable: Bool
  /// What the definition needs, constructor first, each in declared order.
  package let edges: [Edge]
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
    isSendable: Bool, edges: [Edge]
  ) {
    self.name = name
    self.scope = scope
    self.location = location
    self.type = type
    self.isSendable = isSendable
    self.edges = edges
    isNonisolated = !isSendable
  }

  package func makeMaker(in group: Group, linker: Linker) throws -> AnyMaker {
    preconditionFailure("abstract")
  }

  /// The same definition under another name, never eager.
  package func renamed(_ name: String) -> AnyBlueprint { preconditionFailure("abstract") }

  package func link(_ maker: AnyMaker, with linker: Linker) throws {
    preconditionFailure("abstract")
  }

  /// A maker that throws an error in place of making objects.
  package func brokenMaker(_ error: ContainerError) -> AnyMaker {
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

extension AnyBlueprint {
  /// Whether nobody can ask for the object: it belongs to another definition.
  package var isHidden: Bool { HiddenName.isHidden(name) }

  /// The name that people see.
  package var shownName: String { HiddenName.shown(name) }
}

/// A definition of a `T` before it is linked: what it needs, the way to assemble its parts, and a scope.
package final class Blueprint<T>: AnyBlueprint {
  private let assemble: (Linker) throws -> Assembly<T>

  package init(
    _ name: String, scope: any Scope, location: SourceLocation?, isSendable: Bool, edges: [Edge],
    assemble: @escaping (Linker) throws -> Assembly<T>
  ) {
    self.assemble = assemble
    super.init(
      name: name, scope: scope, location: location, type: T.self, isSendable: isSendable,
      edges: edges)
  }

  package convenience init(
    _ name: String, scope: any Scope, location: SourceLocation?, isSendable: Bool,
    recipe: Recipe<T>, injections: [Injection<T>] = []
  ) {
    self.init(
      name, scope: scope, location: location, isSendable: isSendable,
      edges: recipe.edges + Injection.edges(of: injections)
    ) { linker in
      Assembly(
        constructor: try recipe.link(linker), injectors: try injections.map { try $0.link(linker) })
    }
  }

  package override func makeMaker(in group: Group, linker: Linker) throws -> AnyMaker {
    try scope.makeMaker(T.self, named: name, in: group, linker: linker)
  }

  package override func renamed(_ name: String) -> AnyBlueprint {
    let copy = Blueprint(
      name, scope: scope, location: location, isSendable: isSendable, edges: edges,
      assemble: assemble)
    copy.isNonisolated = isNonisolated
    copy.objects = objects
    return copy
  }

  package override func brokenMaker(_ error: ContainerError) -> AnyMaker {
    BrokenMaker<T>(error)
  }

  package override func link(_ maker: AnyMaker, with linker: Linker) throws {
    guard let maker = maker as? ScopedMaker<T> else { return }
    let parts = try assemble(linker)
    let construction = Construction(
      name: shownName, location: location, constructor: parts.constructor,
      injectors: parts.injectors + awareness(linker), callbacks: parts.callbacks.observed(),
      processors: linker.processors, elsewhere: parts.elsewhere)
    linker.hold(construction)
    maker.link(construction)
  }
}

extension Blueprint {
  /// Hands the container to an object that wants it, after its properties.
  private func awareness(_ linker: Linker) -> [Injector<T>] {
    guard let introduction = linker.introduction, introduction.concerns(T.self) else { return [] }
    let (name, link) = (shownName, linker.link)
    return [{ object, _ in try introduction.introduce(object, named: name, link) }]
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
  package let edges: [Edge]
  package let link: (Linker) throws -> Constructor<T>

  package init(edges: [Edge], link: @escaping (Linker) throws -> Constructor<T>) {
    self.edges = edges
    self.link = link
  }

  /// A recipe that calls a function with the objects of references.
  package static func call<each D>(
    _ make: @escaping @Sendable (repeat each D) throws -> T, _ needs: repeat Ref<each D>,
    labels: [String?] = [], at location: SourceLocation?
  ) -> Recipe<T> {
    var edges: [Edge] = []
    var position = 0
    for ref in repeat each needs {
      let label = position < labels.count ? labels[position] : nil
      position += 1
      let number = position
      edges += ref.edges(
        .hard, role: label.map { .argument($0) } ?? .other { "initializer argument \(number)" },
        at: location)
    }
    return Recipe(edges: edges) { linker in
      PackConstructor(make, (repeat try linker.maker(of: each needs)))
    }
  }
}

/// How one property is set: what that needs, and the way to link it.
package struct Injection<T> {
  package let edges: [Edge]
  package let link: (Linker) throws -> Injector<T>

  package init(edges: [Edge], link: @escaping (Linker) throws -> Injector<T>) {
    self.edges = edges
    self.link = link
  }

  /// What some injections need.
  ///
  /// A loop, because a key path in generic code is made anew each time.
  package static func edges(of injections: [Injection<T>]) -> [Edge] {
    var edges: [Edge] = []
    for injection in injections { edges += injection.edges }
    return edges
  }

  /// An injection that hands the object of a reference to a setter.
  package static func reference<V>(
    _ ref: Ref<V>, role: Edge.Role, at location: SourceLocation?,
    set: @escaping @Sendable (T, V) throws -> Void
  ) -> Injection<T> {
    Injection(edges: ref.edges(.soft, role: role, at: location)) { linker in
      let maker = try linker.maker(of: ref)
      return { object, session in try set(object, maker.make(session)) }
    }
  }
}

extension Ref {
  /// The arrow that the reference stands for; none for a constant.
  package func edges(
    _ strength: Edge.Strength, role: Edge.Role, at location: SourceLocation?
  ) -> [Edge] {
    guard use != .constant else { return [] }
    return [
      Edge(
        target: name, use: use, strength: strength, role: role, location: location, type: T.self,
        requiresSendable: requiresSendable, request: request, isOptional: isOptional, fit: fit)
    ]
  }
}
