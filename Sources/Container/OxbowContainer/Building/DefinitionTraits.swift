/// What a definition says beside its name, its scope and how its object is made.
///
/// ```swift
/// builder.singleton(traits: [.eager, .primary], SystemClock.init)
/// ```
public struct DefinitionTraits<Scope>: OptionSet, Sendable {
  /// The bits of the traits.
  public let rawValue: Int

  /// Creates traits from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The object is the one that counts where several fit a type.
  public static var primary: Self { Self(rawValue: 1) }
}

extension DefinitionTraits where Scope == SharedScope {
  /// The object is built together with the container.
  public static var eager: Self { Self(rawValue: 2) }

  /// The container lets go of the object when nothing else holds it.
  public static var weak: Self { Self(rawValue: 4) }

  /// There is one object for each tenant, made when work for the tenant first asks for it, and
  /// ended, if it is ``ConfinedDisposable``, before the tenant's store is closed.
  ///
  /// Objects of other scopes have a ``Provider``, which finds that of the current tenant, and code
  /// has ``Container/withObject(_:as:file:line:_:)``. Where no tenant is current, they throw
  /// `noTenant`.
  public static var tenant: Self { Self(rawValue: 8) }

  var scope: any OxbowContainer.Scope {
    if contains(.tenant) { return TenantScope() }
    return contains(.weak) ? WeakSingletonScope() : SingletonScope()
  }
}

/// The scope of singletons, for their traits.
public enum SharedScope {}

/// A scope whose objects have one user at a time, so that they need not be `Sendable`.
public struct UnsharedScope: Sendable {
  let scope: any Scope

  /// A new object for each request and each place where it is injected.
  public static let prototype = UnsharedScope(scope: PrototypeScope())

  /// One object for everything that is made for one request.
  ///
  /// A request is one call of the container, of a provider, a factory or a lazy proxy. An object
  /// that outlives its request, such as a singleton, is a request of its own while it is built.
  public static let objectGraph = UnsharedScope(scope: ObjectGraphScope())

  /// One object for each thread, reached by ``Container/withObject(_:as:_:)`` and thread-local
  /// proxies.
  public static let thread = UnsharedScope(scope: ConfinedScope.thread)

  /// One object for each ``Container/withTaskScope(isolation:_:)``, reached in its body and through
  /// task-local proxies.
  public static let task = UnsharedScope(scope: ConfinedScope.task)
}
