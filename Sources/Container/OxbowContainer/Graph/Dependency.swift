internal import OxbowDocuments

/// What one definition needs of another one.
///
/// Dependencies are what validation sees. They have everything that a message about them says, and
/// make its texts when there is one.
final class Dependency: Sendable {
  /// When the other object is needed.
  enum Moment: Sendable {
    /// Before the constructor runs.
    case construction
    /// After the constructor, before the object is handed out.
    case injection
    /// Whenever somebody asks, through a provider, factory or proxy.
    case later
  }

  /// The name of the definition that is needed.
  let target: String
  /// What arrives: the object itself, or something that fetches or makes it.
  let use: ReferenceUse
  let when: Moment
  /// Where it is injected, for messages: `property "captain"`, `initializer argument 2`.
  var role: String { path.text }
  let location: SourceLocation?
  /// The name of the type that is wanted.
  var typeName: String { "\(type)" }
  /// Whether only a `Sendable` object is let in.
  let requiresSendable: Bool
  let fit: @Sendable (any Any.Type) -> TypeFit
  /// What is asked for, where a type is said and no name; the target is the request's token then.
  let request: TypeRequest?
  /// Whether nothing is delivered where nothing is defined.
  let isOptional: Bool
  private let type: any Any.Type
  private let path: InjectionSite.Path

  init(
    target: String, use: ReferenceUse, when: Moment,
    role path: InjectionSite.Path, location: SourceLocation?,
    type: any Any.Type, requiresSendable: Bool, request: TypeRequest? = nil,
    isOptional: Bool = false,
    fit: @escaping @Sendable (any Any.Type) -> TypeFit
  ) {
    self.target = target
    self.use = use
    self.when = use == .object ? when : .later
    self.path = path
    self.location = location
    self.type = type
    self.requiresSendable = requiresSendable
    self.request = request
    self.isOptional = isOptional
    self.fit = fit
  }

  /// The point of injection in an object, for messages.
  func subject(in owner: String) -> String { "object \"\(owner)\", \(role)" }

  /// The same dependency on a definition that answers its request, and therefore fits.
  func directed(to name: String) -> Dependency {
    Dependency(
      target: name, use: use, when: when, role: path, location: location, type: type,
      requiresSendable: requiresSendable, isOptional: isOptional, fit: { _ in .fits })
  }

  /// The same dependency, needed before the object exists.
  func neededBeforeConstruction() -> Dependency {
    Dependency(
      target: target, use: use, when: .construction, role: path, location: location, type: type,
      requiresSendable: requiresSendable, request: request, isOptional: isOptional, fit: fit)
  }
}

/// What a reference delivers.
enum ReferenceUse: Sendable {
  /// The object, by the rules of its scope.
  case object
  /// A value that the reference itself has.
  case constant
  /// A `Provider`, which asks for the object when it is called.
  case provider
  /// A `FactoryObject`, which makes a new object on every call, whatever the scope.
  case factory
  /// A `Lazy`, which asks for the object when it is first used, and keeps it.
  case lazy
  /// The source of a lazy proxy, which makes one object on first use.
  case lazySource
  /// The source of a thread-local proxy, which has one object for each thread.
  case threadSource
  /// The source of a task-local proxy, which has one object for each task's scope.
  case taskSource
}

extension ReferenceUse {
  /// What messages call that which is delivered in place of an object.
  var deliveredName: String {
    switch self {
    case .provider: "Provider"
    case .lazy: "Lazy"
    default: "factory"
    }
  }
}
