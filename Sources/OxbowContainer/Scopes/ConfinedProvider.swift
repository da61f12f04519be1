/// Keeps one object for each thread or task, in its frame.
///
/// The objects of a group are published in the frame together, when all are complete, so that a
/// provider that is called in a constructor never sees a half-injected one.
package final class ConfinedProvider<T>: ScopedProvider<T>, ConfinedMember, @unchecked Sendable {
  // Sendable by argument: nothing changes here; the objects are in the frames of their threads or tasks.

  private let place: any ConfinedPlace
  private let slot: Int
  private let link: WeakContainerReference

  package init(name: String, group: CycleGroup, linker: Linker, place: any ConfinedPlace) {
    self.place = place
    self.slot = place.reserveSlot()
    self.link = linker.link
    super.init(name: name, group: group, linker: linker)
  }

  /// Whether the thread or task that asks has its object.
  package override var isBuilt: Bool { (try? place.frame(for: name)[slot]) != nil }

  package override func make(_ session: Session?) throws -> T {
    let frame = try place.frame(for: name)
    if let box = frame[slot] { return unsafeDowncast(box, to: ObjectBox<T>.self).value }
    if let session, session.group === group { return try early(in: session) }
    try frame.building(slot, name) { try buildGroup(in: frame) }
    guard let box = frame[slot] else { return try linked().fresh(session) }
    return unsafeDowncast(box, to: ObjectBox<T>.self).value
  }

  private func buildGroup(in frame: ThreadFrame) throws {
    let session = Session(group: group)
    for member in group.confined { try member.construct(in: session) }
    try session.finish()
    for member in group.confined { member.publish(session, in: frame) }
  }

  package func construct(in session: Session) throws { _ = try early(in: session) }

  package func publish(_ session: Session, in frame: ThreadFrame) {
    frame[slot] = session.early[ObjectIdentifier(self)].map {
      let box = unsafeDowncast($0, to: ObjectBox<T>.self)
      return link.lastWords(for: box.value, named: name)
        .map { ObjectBox(box.value, lastWords: $0) } ?? box
    }
  }

  private func early(in session: Session) throws -> T {
    if let box = session.early[ObjectIdentifier(self)] {
      return unsafeDowncast(box, to: ObjectBox<T>.self).value
    }
    return try session.apart {
      let construction = try linked()
      let object = try construction.construct(session)
      session.early[ObjectIdentifier(self)] = ObjectBox(object)
      session.inject(object, by: construction) { [self] in
        session.early[ObjectIdentifier(self)] = ObjectBox($0)
      }
      return object
    }
  }
}
