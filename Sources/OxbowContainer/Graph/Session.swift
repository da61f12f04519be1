/// One build of a component on one thread: what is constructed already, and what waits for injection.
///
/// Inside a component, objects are handed to each other constructed but not yet injected (the early
/// reference of other containers); nobody outside sees any of them before all are complete. Confined
/// to the thread that builds.
package final class Session {
  package let group: Group
  /// Objects of this build by maker, for scopes that do not keep them in the maker.
  package var early: [ObjectIdentifier: AnyObject] = [:]
  private var pending: [() throws -> Void] = []

  package init(group: Group) { self.group = group }

  /// Puts off the injection of an object until every member is constructed.
  package func inject<T>(_ object: T, by construction: Construction<T>) {
    pending.append { [self] in try construction.inject(object, self) }
  }

  /// Injects everything that waits, and what is constructed meanwhile.
  package func finish() throws {
    var next = 0
    while next < pending.count {
      try pending[next]()
      next += 1
    }
    pending = []
  }
}
