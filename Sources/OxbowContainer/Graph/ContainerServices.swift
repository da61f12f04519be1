internal import OxbowPlatform

/// What a container has for the factories of proxies: the objects of its threads, and their slots.
package final class ContainerServices: Sendable {
  private struct SlotKey: Hashable, Sendable {
    let name: String
    let type: ObjectIdentifier
  }

  package let threads: ThreadStores
  package let tasks = TaskStore()
  package let disposals = Disposals()
  /// The way to the container; nil for services of no container.
  package let link: WeakContainerReference?
  private let slots = Lock<[SlotKey: Int]>([:])

  package init(threads: ThreadStores = ThreadStores(), link: WeakContainerReference? = nil) {
    self.threads = threads
    self.link = link
  }

  /// Ends the objects of this thread; those of others, and of tasks, can be asked for no more.
  package func close() {
    threads.existing?.close()
    tasks.close()
  }

  /// Ends the objects of all threads, none of which can ask for one any more.
  package func end() {
    threads.existing?.dropAll()
    disposals.forget()
  }

  /// The slot of a name; proxies of one name and type share their objects.
  package func slot<Target>(
    named name: String?, of type: Target.Type, in store: ThreadStore
  ) -> Int {
    guard let name else { return store.reserveSlot() }
    let key = SlotKey(name: name, type: ObjectIdentifier(type))
    return slots.withLock { slots in
      if let slot = slots[key] { return slot }
      let slot = store.reserveSlot()
      slots[key] = slot
      return slot
    }
  }
}

/// A factory that wants the container's services.
package protocol ContainerServiceUser: AnyObject {
  var services: ContainerServices? { get set }
}
