internal import OxbowPlatform

/// What a container has for its providers and proxies: where objects of threads and tasks are kept,
/// what disposes of objects, and the way back to the container.
package final class ContainerServices: Sendable {
  private struct SlotKey: Hashable, Sendable {
    let name: String
    let type: ObjectIdentifier
  }

  private let madeThreads = Lock<ThreadStorage?>(nil)
  package let tasks = TaskStorage()
  package let disposals = Disposals()
  /// The way to the container; nil for services of no container.
  package let container: WeakContainerReference?
  private let slots = Lock<[SlotKey: Int]>([:])

  package init(container: WeakContainerReference? = nil) { self.container = container }

  /// Where the objects of threads are kept, if a definition or proxy has needed that.
  package var existingThreads: ThreadStorage? { madeThreads.withLock { $0 } }

  /// Where the objects of threads are kept.
  ///
  /// - Throws: `threadKeysExhausted`.
  package func threads() throws -> ThreadStorage {
    try madeThreads.withLock { made in
      if let made { return made }
      let storage = try ThreadStorage()
      made = storage
      return storage
    }
  }

  /// Ends the objects of this thread; those of others, and of tasks, can be asked for no more.
  package func close() {
    existingThreads?.close()
    tasks.close()
  }

  /// Ends the objects of all threads, none of which can ask for one any more.
  package func end() {
    existingThreads?.dropAll()
    disposals.forget()
  }

  /// The slot of a name; proxies of one name and type share their objects.
  package func slot<Target>(
    named name: String?, of type: Target.Type, in threads: ThreadStorage
  ) -> Int {
    guard let name else { return threads.reserveSlot() }
    let key = SlotKey(name: name, type: ObjectIdentifier(type))
    return slots.withLock { slots in
      if let slot = slots[key] { return slot }
      let slot = threads.reserveSlot()
      slots[key] = slot
      return slot
    }
  }
}

/// A factory that wants the container's services.
package protocol ContainerServiceUser: AnyObject {
  var services: ContainerServices? { get set }
}
