internal import OxbowDocuments
internal import Synchronization

extension Container {
  /// Disposes of every singleton that is ``Disposable`` and was built, then closes the container.
  ///
  /// Dependents go first: an object can use everything that it refers to while it is disposed of,
  /// what it reaches through providers and lazy proxies included, unless that refers back to it.
  /// Nothing that is shared is built any more. An object that another thread builds at this moment
  /// is disposed of by that thread, whose request throws `containerReleased`.
  ///
  /// What was made for threads and tasks is ``ConfinedDisposable``: that of the calling thread ends
  /// now, that of others at the end of their thread or scope; that of tenants ends now. Prototypes
  /// are their owners' to end.
  /// A second call does nothing, even while the first one is at work.
  ///
  /// - Throws: ``ContainerError`` with the code `shutdownFailed` and a problem for each object that
  ///   threw; the others were disposed of, and the container is closed. `runRefused` while
  ///   ``run(_:)`` is at work, which shuts the container down itself.
  public func shutDown() throws {
    guard engine.endWithoutRun() else {
      throw ContainerError(.runs(), task: "shut down the container")
    }
    let problems = (try? inside("container") { engine.shutDown() }) ?? []
    if !problems.isEmpty { throw ContainerError("shut down the container", problems) }
  }
}

extension Engine {
  /// Disposes of what was built, but for the objects with some numbers, and closes.
  func shutDown(keeping used: Set<Int> = []) -> [ContainerError.Problem] {
    guard seal() else { return [] }
    services.tenants.close()
    services.existingThreads?.dropOwn()
    // A task has no objects of threads, but what is disposed of may save. A plain thread may have
    // in its own what is about to be saved.
    guard withUnsafeCurrentTask(body: { $0 != nil }) else { return disposeOfAll(keeping: used) }
    return ThreadStorage.apart { disposeOfAll(keeping: used) }
  }

  private func disposeOfAll(keeping used: Set<Int>) -> [ContainerError.Problem] {
    // Taken out before the first one ends, which may close the container.
    let objects = endings(without: used)
    var problems: [ContainerError.Problem] = []
    for (name, object, location) in objects {
      do { try services.disposals.dispose(object) } catch {
        problems.append(.shutdownFailed(name, error).at(location))
      }
    }
    close()
    return problems
  }

  private typealias Ending = (name: String, object: Any, location: SourceLocation?)

  /// Each entry's object, then what ends with it, the newest first, unless the container keeps that
  /// under another name.
  private func endings(without used: Set<Int>) -> [Ending] {
    let kept = Set(entries.compactMap { identity(of: existing(of: $0)) })
    let spared = Set(used.compactMap { identity(of: existing(of: entries[$0])) })
    return plan.graph.byDependents.filter { !used.contains($0) }.flatMap { number in
      let entry = entries[number]
      let own = existing(of: entry).map { Ending(entry.name, $0, entry.location) }
      let others = belongings(of: entry).endings.map { Ending($0.name, $0.object, entry.location) }
      return [own].compactMap(\.self)
        + others.filter { identity(of: $0.object).map(kept.contains) != true }
    }.filter { identity(of: $0.object).map(spared.contains) != true }
  }

  private func belongings(of entry: Entry) -> [Belongings.Item] {
    proxy(of: entry)?.belongings(keptBy: services.disposals) ?? entry.provider.belongings
  }

  /// What tells an object from others; nil for a value.
  func identity(of object: Any?) -> ObjectIdentifier? {
    guard let object, type(of: object) is AnyClass else { return nil }
    return ObjectIdentifier(object as AnyObject)
  }

  /// Ends the building of objects that all share.
  ///
  /// - Returns: Whether that is new.
  func seal() -> Bool {
    guard !isShutDown.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    for entry in entries {
      entry.provider.seal()
      proxy(of: entry)?.sealTarget(keptBy: services.disposals)
    }
    return true
  }

  /// Answers no more requests, and ends what keeps the objects in circles.
  ///
  /// Other threads may be asking: what they use stays until the container's life ends.
  func close() {
    container.close()
    for entry in entries {
      proxy(of: entry)?.closeTarget(keptBy: services.disposals)
      entry.provider.close()
    }
    services.close()
  }

  /// The object that all share, where that is a proxy.
  private func proxy(of entry: Entry) -> (any ForwardingProxy)? {
    entry.provider.existing as? any ForwardingProxy
  }

  /// The object that is kept for all: of a lazy proxy that the container made, the target.
  func existing(of entry: Entry) -> Any? {
    proxy(of: entry)?.target(keptBy: services.disposals) ?? entry.provider.existing
  }

  /// Takes the providers apart and releases all objects.
  ///
  /// - Precondition: No caller can ask for an object any more.
  func takeApart() {
    for entry in entries {
      entry.provider.close()
      entry.provider.takeApart()
    }
    services.end()
  }

  /// Disposes of what was built before something failed.
  ///
  /// - Returns: What is to be thrown: the failure, with what was wrong with the end.
  func ended(after error: any Error) -> any Error {
    let problems = shutDown()
    guard let failure = error as? ContainerError, !problems.isEmpty else { return error }
    return failure.adding(problems)
  }
}
