/// A strongly connected component of the declared graph: what is built and published as a unit.
///
/// Most groups have one member. Members of a larger one refer to each other in a circle, at least
/// one of whose arrows is a property, so all are constructed first and injected after.
///
/// Waits between groups follow the arrows between them, which form no circle, so threads that enter
/// a circle of objects from two ends cannot wait for each other for ever.
final class CycleGroup: @unchecked Sendable {
  // Sendable by argument: the lists change only while the container is linked; `cell` guards
  // itself.

  /// Whether a member can be reached from itself.
  let isCyclic: Bool
  /// Guards the shared members.
  let cell = OnceCell()
  /// The groups that this one needs, at the deeper end of dependencies that are not deferred.
  var lower: [CycleGroup] = []
  /// The members whose objects are shared, those that constructors need first.
  var shared: [any CycleMember] = []
  /// Lets one thread at a time build weak members.
  let gate = OnceCell()
  /// The members whose objects are kept weakly.
  var weak: [any CycleMember] = []
  /// The members whose objects belong to threads or tasks, those that constructors need first.
  var confined: [any CycleMember] = []
  /// The members whose objects belong to tenants, in the same order.
  var ofTenants: [any CycleMember] = []
  /// What ends with the shared members; guarded by `cell`.
  private(set) var belongings: [Belongings.Item] = []
  /// The length of the longest chain of groups below.
  var depth = 0

  init(isCyclic: Bool) { self.isCyclic = isCyclic }

  /// Ends the building of objects that all share.
  func seal() {
    cell.seal()
    gate.seal()
  }

  /// Ends the building of objects that all share, and requests for them.
  func close() {
    cell.close()
    gate.close()
  }

  /// Releases members and other groups.
  ///
  /// - Precondition: No member can be asked for.
  func takeApart() {
    lower = []
    shared = []
    belongings = []
    weak = []
    confined = []
    ofTenants = []
  }

  /// Builds the shared members, of which one was asked for, unless they are built already.
  ///
  /// - Throws: What a constructor or setter throws; `constructionDeadlock`; `containerReleased`.
  func buildShared(for name: String) throws {
    if shared.isEmpty || cell.isReady { return }
    var isBuilt = false
    do {
      try cell.run(for: name) {
        try buildMembers()
        isBuilt = true
      }
    } catch {
      // The container was shut down meanwhile, and has not seen these objects.
      if isBuilt { abandonShared() }
      throw error
    }
  }

  private func abandonShared() {
    for member in (shared + weak).reversed() { member.abandon() }
    shared.first?.abandon(belongings)
    belongings = []
  }

  /// Runs `body`, which constructs the member of a name, in a build of this group: the present one,
  /// if it is one, else a build of its own that is finished afterwards.
  ///
  /// The request continues.
  func build<T>(
    for name: String, in context: BuildContext?, _ body: (BuildContext) throws -> T
  ) throws -> T {
    if let context, context.group === self { return try body(context) }
    try buildShared(for: name)
    // What is kept weakly is shared too, and is not what this build would make of it.
    let kept = try weak.map { try $0.kept() }
    return try withExtendedLifetime(kept) {
      let inner = BuildContext(
        group: self, request: context?.request ?? BuildContext.Request(),
        belongings: context?.belongings)
      let object = try body(inner)
      try inner.finish()
      return object
    }
  }

  /// Builds members whose objects belong to something, and publishes all of them.
  func build(_ members: [any CycleMember], in objects: LocalObjects? = nil) throws {
    let context = BuildContext(group: self, belongings: Belongings())
    do {
      for member in members { try member.construct(in: context) }
      try context.finish()
    } catch {
      discard(members, of: context, in: objects)
      throw error
    }
    for member in members { member.publish(context, in: objects) }
  }

  private func buildMembers() throws {
    if depth > 128 { try buildLower() }
    let context = BuildContext(group: self, belongings: Belongings())
    do {
      for member in shared { try member.construct(in: context) }
      try context.finish()
      for member in weak { member.publish(context, in: nil) }
      belongings = context.belongings?.items ?? []
    } catch {
      discard(shared + weak, of: context)
      throw error
    }
  }

  /// Disposes of what a build has made that failed, and drops it; of the members, those that others
  /// need come first.
  func discard(
    _ members: [any CycleMember], of context: BuildContext, in objects: LocalObjects? = nil
  ) {
    var ended: Set<ObjectIdentifier> = []
    for member in members.reversed() { member.discard(context, in: objects, &ended) }
    for item in context.belongings?.items.endings ?? [] {
      members.first?.discard(item.object, named: item.name, in: objects, &ended)
    }
  }

  /// Builds the shared groups below from the bottom up, so that a long chain of singletons does not
  /// become a deep recursion.
  private func buildLower() throws {
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
    var stack = [(group: self, next: 0)]
    while let (group, next) = stack.last {
      guard next < group.lower.count else {
        stack.removeLast()
        if group !== self, let name = group.shared.first?.name { try group.buildShared(for: name) }
        continue
      }
      stack[stack.count - 1].next += 1
      let below = group.lower[next]
      let isBuilt = !below.shared.isEmpty && below.cell.isReady
      if !isBuilt, seen.insert(ObjectIdentifier(below)).inserted { stack.append((below, 0)) }
    }
  }
}

/// A member of a group: its object is built together with those of the others, or not at all.
protocol CycleMember: AnyObject, Sendable {
  var name: String { get }
  /// Constructs the object and puts off its injection, unless that was done in this build.
  func construct(in context: BuildContext) throws
  /// Makes the finished object the one that others get: of the thread or task, if it belongs to
  /// one.
  func publish(_ context: BuildContext, in objects: LocalObjects?)
  /// Disposes of an object whose group could not be finished, and drops it, unless it is among
  /// those that have ended already.
  func discard(
    _ context: BuildContext, in objects: LocalObjects?, _ ended: inout Set<ObjectIdentifier>)
  /// Disposes of what belongs to an object whose group could not be finished.
  func discard(
    _ object: Any, named name: String, in objects: LocalObjects?,
    _ ended: inout Set<ObjectIdentifier>)
  /// The object, built if it is not there, where it is kept weakly.
  func kept() throws -> AnyObject?
  /// Disposes of an object that will not be asked for, and drops it.
  func abandon()
  /// Disposes of what belongs to objects that will not be asked for.
  func abandon(_ belongings: [Belongings.Item])
}

extension CycleMember {
  func kept() throws -> AnyObject? { nil }
  func abandon() {}
}
