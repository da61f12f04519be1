internal import OxbowPlatform
internal import Synchronization

/// A tenant for as long as its store is open: what objects of tenant scope belong to.
///
/// What opens stores of tenants makes one for each, binds it around work for the tenant, and ends
/// it before the store is closed.
package final class Tenancy: Sendable {
  /// The tenant for which the calling code runs, on a thread or in a task; child tasks inherit it.
  @TaskLocal package static var current: Tenancy?

  private struct State {
    /// The objects of each container.
    var objects: [ObjectIdentifier: TenantObjects] = [:]
    /// What belongs to this tenancy and another one, by that one, which is kept for its address.
    var shared: [ObjectIdentifier: (both: Tenancy, other: Tenancy)] = [:]
    var isOver = false
  }

  private let state = Lock(State())
  private let bind: @Sendable (_ work: () -> Void) -> Void

  /// Creates the tenancy of a store that is open; `bind` runs work for the tenant, which ends
  /// objects.
  package init(_ bind: @escaping @Sendable (_ work: () -> Void) -> Void) { self.bind = bind }

  /// The tenancy of work for this tenant inside of work for a tenant of other stores.
  ///
  /// Its objects belong to both tenants, and end with the first of them.
  package func inside(_ outer: Tenancy) -> Tenancy {
    let made = Tenancy { [bind, outerBind = outer.bind] work in outerBind { bind(work) } }
    // The same of the two decides which was made first, whichever is inside of the other.
    let isFirst = ObjectIdentifier(self) < ObjectIdentifier(outer)
    let (first, second) = isFirst ? (self, outer) : (outer, self)
    let both = first.share(made, with: second)
    if both === made, second.share(made, with: first) !== made { made.end() }
    return both
  }

  /// What belongs to this one and another one, the first that was made; this one if it has ended.
  private func share(_ made: Tenancy, with other: Tenancy) -> Tenancy {
    state.withLock { state in
      if let known = state.shared[ObjectIdentifier(other)] { return known.both }
      guard !state.isOver else { return self }
      state.shared[ObjectIdentifier(other)] = (made, other)
      return made
    }
  }

  private func forget(sharedWith other: Tenancy) {
    state.withLock { $0.shared[ObjectIdentifier(other)] = nil }
  }

  /// Disposes of the tenant's objects, the newest of each container first, and lets none be made
  /// any more.
  package func end() {
    let (shared, all) = state.withLock { state in
      state.isOver = true
      return (Array(state.shared.values), Array(state.objects.values))
    }
    for (both, other) in shared {
      both.end()
      other.forget(sharedWith: self)
    }
    for objects in all { objects.end() }
    state.withLock { ($0.shared, $0.objects) = ([:], [:]) }
  }

  /// The tenant's objects of a container, made if there are none; `nil` when the tenancy is over.
  fileprivate func objects(in storage: TenantStorage) -> TenantObjects? {
    state.withLock { state in
      if let objects = state.objects[ObjectIdentifier(storage)] { return objects }
      guard !state.isOver else { return nil }
      let objects = TenantObjects(of: self, in: storage.registry)
      state.objects[ObjectIdentifier(storage)] = objects
      return objects
    }
  }

  /// Whether a container has objects for the tenant, for tests.
  package var hasObjects: Bool { state.withLock { !$0.objects.isEmpty } }

  fileprivate func forget(_ objects: TenantObjects) {
    state.withLock { state in
      for (key, value) in state.objects where value === objects { state.objects[key] = nil }
    }
  }

  fileprivate func run(_ work: () -> Void) { Self.$current.withValue(self) { bind(work) } }
}

/// Where the objects of tenants are kept, for one container.
final class TenantStorage: Sendable {
  typealias Registry = Lock<[ObjectIdentifier: TenantObjects]>

  /// The objects of all tenants whose stores are open.
  fileprivate let registry = Registry([:])
  private let slots = Atomic<Int>(0)
  private let isClosed = Atomic<Bool>(false)

  /// Returns the number of a new slot, which each tenant has.
  func reserveSlot() -> Int { slots.add(1, ordering: .relaxed).oldValue }

  /// The objects of the current tenant.
  ///
  /// - Throws: `noTenant` where none is current, or its store was closed; `containerReleased` when
  ///   the storage was closed.
  func objects(for name: String) throws -> TenantObjects {
    guard let tenancy = Tenancy.current else {
      throw ContainerError(.noTenant(name), getting: name)
    }
    // What is being disposed of may ask for the others.
    if let objects = registry.withLock({ $0[ObjectIdentifier(tenancy)] }) { return objects }
    guard !isClosed.load(ordering: .acquiring) else {
      throw ContainerError(.containerReleased(name), getting: name)
    }
    guard let objects = tenancy.objects(in: self) else {
      throw ContainerError(.tenantOver(name), getting: name)
    }
    // Closing ends those that it finds, which these are too late for.
    guard !isClosed.load(ordering: .acquiring) else {
      objects.end()
      throw ContainerError(.containerReleased(name), getting: name)
    }
    return objects
  }

  /// Answers no more requests, and ends the objects of all tenants.
  func close() {
    isClosed.store(true, ordering: .releasing)
    for objects in registry.withLock({ Array($0.values) }) { objects.end() }
  }
}

/// The objects that one container has for one tenant; all threads that work for it use them.
final class TenantObjects: Sendable {
  private struct State {
    var boxes: [Int: AnyObjectBox] = [:]
    var order: [Int] = []
    var cells: [ObjectIdentifier: OnceCell] = [:]
    var isEnding = false
  }

  /// Whether the objects end, and on which thread.
  private enum End {
    case no, over
    case by(_ thread: UInt)
  }

  private let state = Lock(State())
  private let ending = Monitor(End.no)
  private let tenancy: Tenancy
  private let registry: TenantStorage.Registry

  fileprivate init(of tenancy: Tenancy, in registry: TenantStorage.Registry) {
    self.tenancy = tenancy
    self.registry = registry
    registry.withLock { $0[ObjectIdentifier(tenancy)] = self }
  }

  /// The box in a slot.
  func box(in slot: Int) -> AnyObjectBox? { state.withLock { $0.boxes[slot] } }

  /// What builds the objects of a group, here only a number, once for all threads.
  ///
  /// - Throws: `noTenant` when the objects end.
  func cell(of group: ObjectIdentifier, for name: String) throws -> OnceCell {
    let cell = state.withLock { state -> OnceCell? in
      guard !state.isEnding else { return nil }
      if let cell = state.cells[group] { return cell }
      let cell = OnceCell()
      state.cells[group] = cell
      return cell
    }
    if let cell { return cell }
    throw ContainerError(.tenantOver(name), getting: name)
  }

  /// Puts an object into its slot; one that comes too late ends at once.
  func keep(_ box: AnyObjectBox, in slot: Int) {
    let isKept = state.withLock { state in
      guard !state.isEnding else { return false }
      state.boxes[slot] = box
      state.order.append(slot)
      return true
    }
    if !isKept { box.willDrop() }
  }

  /// Disposes of the objects, the newest first; older ones can be used meanwhile.
  ///
  /// While another thread does, it waits: what they use is about to end as well.
  func end() {
    guard beginEnd() else { return }
    defer { ending.update { $0 = .over } }
    state.withLock { $0.isEnding = true }
    tenancy.run {
      while let slot = state.withLock({ $0.order.popLast() }) {
        box(in: slot)?.willDrop()
        // The last reference ends outside the lock.
        let box = state.withLock { $0.boxes.removeValue(forKey: slot) }
        withExtendedLifetime(box) {}
      }
    }
    _ = registry.withLock { $0.removeValue(forKey: ObjectIdentifier(tenancy)) }
    tenancy.forget(self)
  }

  /// Whether the objects have not ended, and this thread is to end them.
  private func beginEnd() -> Bool {
    let own = currentThreadNumber()
    return ending.wait { ending in
      switch ending {
      case .no:
        ending = .by(own)
        return true
      case .by(let thread): return thread == own ? false : nil
      case .over: return false
      }
    }
  }
}
