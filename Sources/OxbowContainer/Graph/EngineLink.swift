internal import OxbowPlatform

/// The way from a container's makers back to the container.
///
/// Weak, because the container holds its makers. Sendable by argument: the reference is set once, while
/// the container is linked; reading a weak reference is atomic.
package final class EngineLink: @unchecked Sendable {
  private weak var owner: (any AnyObject & Sendable)?

  package init() {}

  package func set(_ owner: any AnyObject & Sendable) { self.owner = owner }

  /// A hold on the container, for something that is handed out and comes back for objects later.
  ///
  /// - Throws: `containerReleased` when the container is gone.
  package func hold(for name: String) throws -> EngineHold {
    EngineHold(owner: try owner(for: name))
  }

  /// The container's engine.
  ///
  /// - Throws: `containerReleased` when the container is gone.
  package func owner(for name: String) throws -> any AnyObject & Sendable {
    if let owner { return owner }
    throw ContainerError(.containerReleased(name), task: "get object \"\(name)\"")
  }
}

/// What a provider, factory or proxy holds of the container that made it: all of it.
///
/// So a container lives as long as something that was handed out can still ask for objects. A singleton
/// that holds a provider holds its container, and the container holds the singleton: `close()` ends that.
package struct EngineHold: Sendable {
  fileprivate let owner: any AnyObject & Sendable

  /// Runs `body`, which builds an object that no edge declares.
  ///
  /// - Throws: `constructionDeadlock` when calls of this kind are nested so deep that they cannot end.
  package func call<R>(for name: String, _ body: () throws -> R) throws -> R {
    try LateCalls.nested(for: name, body)
  }
}

/// Delivers something that holds the container, made anew for each place.
package final class LateMaker<T>: Maker<T>, @unchecked Sendable {
  private let name: String
  private let link: EngineLink
  private let deliver: @Sendable (EngineHold) -> T

  package init(
    _ name: String, _ link: EngineLink, deliver: @escaping @Sendable (EngineHold) -> T
  ) {
    self.name = name
    self.link = link
    self.deliver = deliver
  }

  package override func make(_ session: Session?) throws -> T { try fresh() }
  package override func fresh() throws -> T { deliver(try link.hold(for: name)) }
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
