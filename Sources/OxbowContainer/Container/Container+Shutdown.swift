/// A shared object that has something to end before the container lets go of it: a connection, a file.
public protocol Disposable: Sendable {
  /// Ends the object. Called once, by ``Container/shutDown()``.
  func dispose() throws
}

extension Container {
  /// Disposes of every singleton that is ``Disposable`` and was built, then closes the container.
  ///
  /// Dependents go first: an object can use everything that it refers to while it is disposed of, what
  /// it reaches through providers and lazy proxies included, unless that refers back to it. Nothing is
  /// built for the purpose. Call it when no thread uses the container any more.
  ///
  /// - Throws: ``ContainerError`` with the code `shutdownFailed` and a problem for each object that threw;
  ///   the others were disposed of, and the container is closed.
  public func shutDown() throws {
    var problems: [ContainerError.Problem] = []
    for entry in engine.entriesByDependents {
      guard let object = entry.maker.standing as? any Disposable else { continue }
      do { try object.dispose() } catch {
        problems.append(.shutdownFailed(entry.name, at: entry.location, error))
      }
    }
    close()
    if !problems.isEmpty { throw ContainerError("shut down the container", problems) }
  }
}

extension Engine {
  /// The entries with those first that nobody needs, arrows of providers and proxies included as far as
  /// they close no circle.
  fileprivate var entriesByDependents: [Entry] {
    let graph = plan.graph
    let all = Adjacency(graph.nodes.count) { graph.arrows[$0].map(\.target) }
      .stronglyConnected()
    let built = plan.components.flatMap(\.self)
    let rank = Dictionary(uniqueKeysWithValues: zip(built, built.indices))
    let order = all.flatMap { members in
      members.sorted { rank[$0, default: 0] < rank[$1, default: 0] }
    }
    return order.reversed().map { entries[$0] }
  }
}
