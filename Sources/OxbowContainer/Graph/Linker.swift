internal import OxbowPlatform

/// Turns references into makers while a container is built.
package final class Linker {
  package let link: EngineLink
  package let services = ContainerServices()
  /// Where the objects of threads are kept.
  package var threads: ThreadStores { services.threads }
  private var makers: [String: AnyMaker] = [:]
  private var blueprints: [String: AnyBlueprint] = [:]

  package init(link: EngineLink) { self.link = link }

  package func add(_ maker: AnyMaker, for blueprint: AnyBlueprint) {
    makers[blueprint.name] = maker
    blueprints[blueprint.name] = blueprint
  }

  /// Whether a definition's objects may be used by several threads.
  package func isSendable(_ name: String) -> Bool { blueprints[name]?.isSendable ?? false }

  /// Who may see a definition's objects.
  package func sharing(_ name: String) -> Sharing? { blueprints[name]?.scope.sharing }

  /// The maker that a reference leads to.
  package func maker<T>(of ref: Ref<T>) throws -> Maker<T> {
    if let linking = ref.linking { return try linking(self) }
    return try maker(named: ref.name, as: T.self)
  }

  /// The maker of a definition, seen as one of `T`.
  package func maker<T>(named name: String, as type: T.Type) throws -> Maker<T> {
    guard let maker = makers[name] else {
      throw ContainerError(
        .missingReference(
          name, in: nil, role: nil, at: nil, near: [], count: makers.count), task: "link")
    }
    return maker as? Maker<T> ?? CastMaker(maker, named: name)
  }
}

/// The way from a provider or proxy back to the container that made it.
///
/// Weak, because the container holds the objects that hold providers. Sendable by argument: the
/// reference is set once, while the container is linked; reading a weak reference is atomic.
package final class EngineLink: @unchecked Sendable {
  package weak var owner: AnyObject?

  package init() {}

  /// Runs `body` while the container is held.
  ///
  /// - Throws: `containerReleased` when the container is gone; `constructionDeadlock` when calls of
  ///   this kind are nested so deep that they cannot end.
  package func call<R>(for name: String, _ body: () throws -> R) throws -> R {
    guard let owner else {
      throw ContainerError(.containerReleased(name), task: "get object \"\(name)\"")
    }
    defer { withExtendedLifetime(owner) {} }
    return try LateCalls.nested(for: name, body)
  }
}

/// Counts how deep calls of providers inside constructors are nested on a thread.
private enum LateCalls {
  private final class Depth { var value = 0 }

  /// Some hundred frames of construction each; a thread's stack holds far more than this many.
  private static let limit = 100
  private static let depth = try? ThreadLocal<Depth>()

  static func nested<R>(for name: String, _ body: () throws -> R) throws -> R {
    guard let depth else { return try body() }
    let current = depth.value ?? Depth()
    if current.value == 0 { depth.value = current }
    guard current.value < limit else {
      throw ContainerError(
        .endlessConstruction(name, limit: limit), task: "get object \"\(name)\"")
    }
    current.value += 1
    defer { current.value -= 1 }
    return try body()
  }
}
