internal import OxbowPlatform

/// One object for the whole container for as long as somebody holds it; then the next request builds
/// another one.
package struct WeakSingletonScope: Scope {
  package let name = "weakSingleton"
  package let sharing = Sharing.shared
  package let needsClass = true
  package let meaning = "one object for the whole container while somebody holds it"

  package init() {}

  package func makeProvider<T>(
    _ type: T.Type, named name: String, in group: CycleGroup, linker: Linker
  ) throws -> ScopedProvider<T> {
    let provider = WeakSingletonProvider<T>(name: name, group: group, linker: linker)
    group.weak.append(provider)
    return provider
  }
}

/// Keeps a weak reference to the object.
///
/// The reference is guarded by a lock of its own, on each hit: a weak reference that is read while
/// another is put in its place is a race (`docs/decisions/0140`). Builds run under the group's gate,
/// one at a time, and publish all weak members that they made together.
private final class WeakSingletonProvider<T>: ScopedProvider<T>, WeakMember, @unchecked Sendable {
  private struct Place {
    weak var object: AnyObject?
    var isClosed = false
  }
  private let place = Lock(Place())

  override var existing: Any? { living() }
  override var isBuilt: Bool { living() != nil }

  override func make(_ session: Session?) throws -> T {
    if let object = living() { return object }
    if let session, session.group === group { return try early(in: session) }
    try group.buildShared(for: name)
    var made: T?
    try group.gate.run(
      for: name,
      unless: {
        made = living(); return made != nil
      }
    ) {
      made = try build()
    }
    if let made { return made }
    // The thread that built did so between this one's look and its wait; the object may have ended.
    return try make(session)
  }

  func publish(_ session: Session) {
    guard let object = session.early[ObjectIdentifier(self)] else { return }
    nonisolated(unsafe) let shared = (object as? Box)?.value as AnyObject  // Sendable by validation
    place.withLock { $0.object = shared }
  }

  private func build() throws -> T {
    let session = Session(group: group)
    _ = try early(in: session)
    try session.finish()
    for member in group.weak { member.publish(session) }
    let object = try early(in: session)
    // A shutdown that sealed the gate later finds the object where it is published now.
    guard group.gate.isSealed else { return object }
    disposals.abandon(object, named: name)
    throw ContainerError(.containerReleased(name), task: "get object \"\(name)\"")
  }

  override func close() {
    super.close()
    place.withLock { $0.isClosed = true }
  }

  private func early(in session: Session) throws -> T {
    if let box = session.early[ObjectIdentifier(self)] as? Box { return box.value }
    return try session.apart {
      let construction = try linked()
      let object = try construction.construct(session)
      guard type(of: object as Any) is AnyClass else {
        throw ContainerError(
          .weakValue(name, typeName: "\(type(of: object))"), task: "get object \"\(name)\"")
      }
      let box = Box(object)
      session.early[ObjectIdentifier(self)] = box
      session.inject(object, by: construction) { box.value = $0 }
      return object
    }
  }

  private func living() -> T? {
    let object: AnyObject? = place.withLock { place in
      // Sendable by validation.
      nonisolated(unsafe) let object = place.isClosed ? nil : place.object
      return object
    }
    // Not `object as? T`: what is nothing is an `Any`, too.
    return object.flatMap { $0 as? T }
  }

  private final class Box {
    var value: T
    init(_ value: T) { self.value = value }
  }
}
