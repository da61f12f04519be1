package import OxbowDocuments

/// One arrow of the declared graph: a definition that needs another one's object.
///
/// Edges are what validation sees; they carry everything that a message about them needs, and make its
/// texts when there is one.
package final class Edge: Sendable {
  /// When the other object is needed.
  package enum Strength: Sendable {
    /// Before the constructor runs.
    case hard
    /// After the constructor, before the object is handed out.
    case soft
    /// Whenever somebody asks, through a provider, factory or proxy.
    case late
  }

  /// The name of the definition that is needed.
  package let target: String
  /// What arrives: the object itself, or something that fetches or makes it.
  package let use: ReferenceUse
  package let strength: Strength
  /// Where it goes, for messages: `property "captain"`, `initializer argument 2`.
  package var role: String { describe() }
  package let location: SourceLocation?
  /// The name of the type that the place wants.
  package var typeName: String { "\(type)" }
  /// Whether the place lets only a `Sendable` object in.
  package let requiresSendable: Bool
  package let fit: @Sendable (any Any.Type) -> TypeFit
  /// What is asked for, where the place says a type; the target is the request's token then.
  package let request: TypeRequest?
  private let type: any Any.Type
  private let describe: @Sendable () -> String

  package init(
    target: String, use: ReferenceUse, strength: Strength,
    role: @escaping @autoclosure @Sendable () -> String, location: SourceLocation?,
    type: any Any.Type, requiresSendable: Bool, request: TypeRequest? = nil,
    fit: @escaping @Sendable (any Any.Type) -> TypeFit
  ) {
    self.target = target
    self.use = use
    self.strength = use == .object ? strength : .late
    self.describe = role
    self.location = location
    self.type = type
    self.requiresSendable = requiresSendable
    self.request = request
    self.fit = fit
  }

  /// The same arrow to a definition that answers its request.
  package func directed(to name: String) -> Edge {
    Edge(
      target: name, use: use, strength: strength, role: self.role, location: location, type: type,
      requiresSendable: requiresSendable, fit: fit)
  }

  /// The same arrow, needed before the object exists.
  package func hardened() -> Edge {
    Edge(
      target: target, use: use, strength: .hard, role: self.role, location: location, type: type,
      requiresSendable: requiresSendable, request: request, fit: fit)
  }
}

/// What a reference delivers.
package enum ReferenceUse: Sendable {
  /// The object, by the rules of its scope.
  case object
  /// A value that stands in the reference itself.
  case constant
  /// A `Provider`, which asks for the object when it is called.
  case provider
  /// A `FactoryObject`, which makes a new object on every call, whatever the scope.
  case factory
  /// The source of a lazy proxy, which makes one object on first use.
  case lazySource
  /// The source of a thread-local proxy, which has one object for each thread.
  case threadSource
  /// The source of a task-local proxy, which has one object for each task's scope.
  case taskSource
}
