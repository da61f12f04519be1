public import OxbowModel
public import OxbowStore

/// A unit of work: objects fetched, changed and saved together.
///
/// A context holds one object for each row that it has met, remembers what was changed, and writes
/// all of it in one transaction. Nothing that others save appears in it before a fetch or a
/// refresh.
///
/// ## Isolation
/// A context is not `Sendable`, so the compiler keeps it and its objects in one isolation domain: a
/// function that takes it as a parameter, an actor that owns it, or the body of `perform`. Contexts
/// that reach code through a Sendable proxy are bound to their thread and checked at run time.
///
/// ## Memory
/// The context holds its objects until they are clean and nothing else holds them; then the next
/// sweep drops them: at the end of an actor's `perform`, and at a fetch or a save when their number
/// has doubled since the last. ``sweep()`` does it at once.
public final class ManagedObjectContext {
  /// The coordinator of the context's store.
  public let coordinator: PersistentStoreCoordinator

  /// The name that reports use.
  public var name: String { token.name }

  /// The context that this one saves to, or `nil` when it saves to the store.
  public var parent: ManagedObjectContext? { relatives.parent }

  /// Where rows come from and saves go: the coordinator's store, or the parent.
  @exclusivity(unchecked) private(set) var store: any PersistentStore

  /// The store where saves go: whether a batch may delete, and what others have saved, is read
  /// there, as what a replica has may be older.
  ///
  /// What is read next, of a replica or not, has all that is saved by now.
  var primaryStore: any PersistentStore { store.reading(at: .primary) }

  /// Where the context reads, of a store on a server that has replicas.
  ///
  /// A context that reads a replica saves to the primary server as any other: what has changed
  /// there meanwhile is a conflict. After a save that failed it reads from the primary server until
  /// one succeeds, so that merging sees what is there. It is `primary` for stores without a
  /// replica, and cannot be set for a context that is pinned or that has a parent.
  public var readPlace: ReadPlace {
    get { parent?.readPlace ?? store.readPlace }
    set {
      guard parent == nil, !isPinned, newValue != store.readPlace else { return }
      store = coordinator.store.reading(at: newValue)
    }
  }

  /// What an unplanned read of the store by a getter does.
  public var faultPolicy: FaultPolicy {
    get { faults.policy }
    set { faults.policy = newValue }
  }

  /// Whether a report or a refusal of such a read names the calling code: file, line, function.
  ///
  /// It reads the program's debug information, which takes milliseconds in a small program and a
  /// second in one of some hundred megabytes. It has no effect where the system has no backtraces.
  public var namesCallSites: Bool {
    get { faults.namesCallSites }
    set { faults.namesCallSites = newValue }
  }

  /// How a save resolves conflicts with other contexts' saves of the same objects.
  public var mergePolicy: MergePolicy {
    get { merging.policy }
    set { merging.policy = newValue }
  }

  /// The conflicts that the last save resolved by its policy, with the values of both sides.
  public var mergedConflicts: [MergeConflict] { merging.conflicts }

  /// Called after a merge policy has merged conflicts, to correct the result.
  ///
  /// It runs inside the save, after the policy and the hooks, with the merged conflicts, and may
  /// change objects: its changes are validated and saved with the rest, and no hook undoes them. If
  /// others save again meanwhile, it is called again with the new conflicts. An error that it
  /// throws refuses the save, and nothing has changed then.
  ///
  /// ```swift
  /// context.afterMerging = { conflicts, context throws(PersistenceError) in
  ///   for id in conflicts.map(\.objectID) {
  ///     guard let country = context.registeredObject(for: id) as? Country else { continue }
  ///     country.total = country.moods.count
  ///   }
  /// }
  /// ```
  public var afterMerging:
    (
      (_ conflicts: [MergeConflict], _ context: ManagedObjectContext) throws(PersistenceError) ->
        Void
    )?
  {
    get { merging.afterMerging }
    set { merging.afterMerging = newValue }
  }

  /// Values that a program keeps with the context, under names of its own.
  public var userInfo: [String: Any] = [:]

  /// Counts of what the context has done since it was made.
  public internal(set) var statistics = ContextStatistics()

  var model: CompiledModel { identity.model }
  var hooks: HookTable { identity.classes.hooks }
  var token: ContextToken { unsafeDowncast(tokenStorage.unsafelyUnwrapped, to: ContextToken.self) }
  private var tokenStorage: AnyObject?

  // The parts of a context: each has all of its state, and says what a save, a reset and a memento
  // mean for it. Those that every row or edit asks are unchecked, because nothing is called while
  // they change.
  let identity: Identity
  @exclusivity(unchecked) var unsaved = UnsavedChanges()
  @exclusivity(unchecked) var inverses: Inverses
  var faults = Faults()
  @exclusivity(unchecked) var drafts: Drafts
  var relatives: Relatives
  @exclusivity(unchecked) var audience = Audience()
  var merging = MergeSettings()
  @exclusivity(unchecked) var work = ContextWork()

  /// Creates a context.
  public convenience init(
    coordinator: PersistentStoreCoordinator, name: String = "context",
    owner: ContextOwner = .holder
  ) {
    self.init(coordinator, name, owner, parent: nil, coordinator.store)
  }

  /// Creates a context over a store: the coordinator's, or one that represents `parent`.
  init(
    _ coordinator: PersistentStoreCoordinator, _ name: String, _ owner: ContextOwner,
    parent: ManagedObjectContext?, _ store: any PersistentStore
  ) {
    self.coordinator = coordinator
    self.store = store
    identity = Identity(of: coordinator)
    inverses = Inverses(of: identity.model)
    drafts = Drafts(of: identity.model)
    relatives = Relatives(parent: parent)
    tokenStorage = ContextToken(
      coordinator: coordinator, owner: owner, name: name, context: self)
  }

  deinit { token.end() }

  /// Gives up all objects, which then belong to no context.
  func renewToken() {
    let old = token
    old.tearDown()
    tokenStorage = ContextToken(
      coordinator: coordinator, owner: old.owner, name: old.name, context: self)
    token.recordsEdits(undoLog != nil)
  }
}

/// Counts of what a context has done.
public struct ContextStatistics: Sendable, Hashable {
  /// Requests to the store that a call asked for: fetches, counts, loads.
  public internal(set) var fetches = 0

  /// Requests to the store that a getter caused.
  public internal(set) var faultsFired = 0

  /// Rows with values that these requests brought, of registered objects or not.
  public internal(set) var rowsRead = 0

  /// Saves that wrote something.
  public internal(set) var saves = 0

  /// Rows that these saves inserted.
  public internal(set) var inserted = 0
  /// Rows that these saves updated.
  public internal(set) var updated = 0
  /// Rows that these saves deleted.
  public internal(set) var deleted = 0
}
