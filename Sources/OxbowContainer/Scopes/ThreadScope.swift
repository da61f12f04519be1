/// One object for each thread, released when the thread or a `withThreadScope` body ends.
///
/// Such an object never leaves its thread: it is reached in `withObject` bodies and through
/// thread-local proxies, and only other objects of the thread may refer to it.
package struct ThreadScope: Scope {
  package let name = "thread"
  package let sharing = Sharing.confined

  package init() {}

  package func makeMaker<T>(
    _ type: T.Type, named name: String, in group: Group, linker: Linker
  ) throws -> ScopedMaker<T> {
    let store = try linker.threads.store()
    let maker = ThreadMaker<T>(name: name, group: group, store: store)
    group.confined.append(maker)
    return maker
  }
}

/// Keeps one object for each thread, in the thread's frame.
///
/// The objects of a group are published in the frame together, when all are complete, so that a
/// provider that is called in a constructor never sees a half-injected one.
private final class ThreadMaker<T>: ScopedMaker<T>, ConfinedMember, @unchecked Sendable {
  private let store: ThreadStore
  private let slot: Int

  init(name: String, group: Group, store: ThreadStore) {
    self.store = store
    self.slot = store.reserveSlot()
    super.init(name: name, group: group)
  }

  override func make(_ session: Session?) throws -> T {
    let frame = store.frame
    if let box = frame[slot] { return unsafeDowncast(box, to: ThreadBox<T>.self).value }
    if let session, session.group === group { return try early(in: session) }
    try frame.building(slot, name) { try buildGroup(in: frame) }
    guard let box = frame[slot] else { return try linked().fresh(session) }
    return unsafeDowncast(box, to: ThreadBox<T>.self).value
  }

  private func buildGroup(in frame: ThreadFrame) throws {
    let session = Session(group: group)
    for member in group.confined { try member.construct(in: session) }
    try session.finish()
    for member in group.confined { member.publish(session, in: frame) }
  }

  func construct(in session: Session) throws { _ = try early(in: session) }

  func publish(_ session: Session, in frame: ThreadFrame) {
    frame[slot] = session.early[ObjectIdentifier(self)]
  }

  private func early(in session: Session) throws -> T {
    if let box = session.early[ObjectIdentifier(self)] {
      return unsafeDowncast(box, to: ThreadBox<T>.self).value
    }
    let construction = try linked()
    let object = try construction.construct(session)
    session.early[ObjectIdentifier(self)] = ThreadBox(object)
    session.inject(object, by: construction)
    return object
  }
}
