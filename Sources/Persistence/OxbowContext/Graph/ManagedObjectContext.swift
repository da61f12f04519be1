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
/// sweep drops them: at the end of `perform`, and at a fetch or a save when their number has
/// doubled since the last. ``sweep()`` does it at once.
public final class ManagedObjectContext {
  /// The coordinator of the store that the context works on.
  public let coordinator: PersistentStoreCoordinator

  /// The name that reports use.
  public let name: String

  /// The context that this one saves to, or `nil` when it saves to the store.
  public let parent: ManagedObjectContext?

  /// Where rows come from, and where saves go: the coordinator's store, or the parent.
  let store: any PersistentStore

  /// What an unplanned read of the store by a getter does.
  public var faultPolicy = FaultPolicy.allow

  /// What a save does where somebody else has saved the same object first.
  public var mergePolicy = MergePolicy.error

  /// The conflicts that the last save resolved by its policy, with the values of both sides.
  public internal(set) var mergedConflicts: [MergeConflict] = []

  /// What has the last word on what a merge policy has merged.
  ///
  /// Inside the save, after the policy and the hooks, it gets the conflicts that were merged, and
  /// can change objects: what it sets is validated and saved with the rest, and no hook takes it
  /// back. Where others save again meanwhile, it is called again with what was merged then. What it
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

  /// What a program keeps with the context, under names of its own.
  public var userInfo: [String: Any] = [:]

  /// Whether a report or a refusal of such a read names the code that asked: file, line, function.
  ///
  /// It reads the program's debug information, milliseconds in a small program and a second in one
  /// of some hundred megabytes, and is left out where the system has no backtraces.
  public var namesCallSites = false

  /// What the context did since it was made.
  public internal(set) var statistics = ContextStatistics()

  let model: CompiledModel
  var token: ContextToken { unsafeDowncast(tokenStorage.unsafelyUnwrapped, to: ContextToken.self) }
  private var tokenStorage: AnyObject?

  /// The objects by root entity, and the class of each entity's objects.
  let maps: ContiguousArray<IdentityMap>
  let types: ContiguousArray<ManagedObject.Type>
  let roots: ContiguousArray<Int>
  /// The hooks of these classes, and the one that is running.
  let hooks: HookTable
  var runningHook: RunningHook?

  /// The objects whose `prepareForDeletion()` runs or has run for a deletion under way.
  var preparing: Set<ManagedObject> = []

  /// How often hooks may change what the hooks before have left, before that is an error.
  static let hookRounds = 100
  var entitiesByType: [ObjectIdentifier: CompiledEntity] = [:]

  /// The one that was asked for last: an import asks for the same again and again.
  @exclusivity(unchecked) var lastEntity: (type: ManagedObject.Type, entity: CompiledEntity)?

  /// What the next save writes; unchecked as well.
  @exclusivity(unchecked) var unsaved = UnsavedChanges()

  /// Why objects could not be read, and the first such error that no call has thrown yet.
  var faultErrors: [ObjectReference: PersistenceError] = [:]
  var pendingFault: PersistenceError?

  /// Why getters returned stand-ins, by the object that was asked: saves are refused until each of
  /// these objects is refreshed, or all is rolled back.
  var standIns: [ObjectReference: PersistenceError] = [:]

  /// The objects that a save found to be out of date; a rollback makes them be read again.
  var conflicted: [ManagedObjectID] = []

  /// For each entity, the to-one relationships that are compared with the other end when a row
  /// arrives.
  ///
  /// Each row asks: unchecked, because nothing is called while it is changed.
  @exclusivity(unchecked) var watched: ContiguousArray<[CompiledProperty]>

  /// Counts the moments from which a member of a loaded collection may lead elsewhere.
  var confirmation = 0

  /// For objects with an edited to-one end, the objects whose rows arrived since and lead to them:
  /// once the edit is taken back, these rows decide.
  var overtaken: [ObjectReference: [(property: CompiledProperty, reference: ObjectReference)]] = [:]

  /// The objects deleted since the last save to which relationships without inverse may lead, and
  /// how many of them the links in memory have been searched for.
  var deletedTargets: Set<ObjectReference> = []
  var searchedTargets = 0

  /// The links without inverse that ended because the next save deletes what they led to, by that
  /// object.
  var untiedLinks: [ObjectReference: [UntiedLink]] = [:]

  #if OXBOW_INVARIANT_CHECKS
    /// How many operations there were since the last look at what must hold.
    var operationsSinceCheck = 0
  #endif

  /// The saves of others that are to be merged, or `nil` when the context does not do that.
  var news: News?

  /// Those of its children.
  var childNews: [News.Weak] = []

  /// Merges them; a function of a layer above.
  var newsMerger: ((ManagedObjectContext) throws(PersistenceError) -> Void)?

  /// Who is told of changes and saves, or `nil` when nobody ever was.
  var subscribers: ContextSubscribers?

  /// The deletions since the last save, where the policy may take them back.
  var deletions: [Deletion] = []

  /// The changes that can be undone (`undoLog`), or `nil` when the context records none.
  var undoStorage: AnyObject?

  /// How many groups of changes are kept; 0 for all.
  var levelsOfUndo = 0

  /// The conditions under which objects were changed since the last save.
  var conditions: [ObjectReference: [EditCondition]] = [:]

  /// The unit of work that runs (`transaction`), or `nil`: `save()` writes at once then.
  var transactionStorage: AnyObject?

  /// The root entities that a call has asked for since the last unit of work began: after a lookup,
  /// a value that is taken may be the work of another writer, and else it is a mistake.
  @exclusivity(unchecked) var lookups: Set<Int> = []

  /// Whether a fetch asks objects in memory: what they have to read for it is not an unplanned
  /// fault.
  var isAnsweringFetch = false

  /// The cells of new objects by entity, and those of drafts.
  var newCells: [Int: ContiguousArray<Overlay.Cell>] = [:]
  var newLinks: [Int: ContiguousArray<Overlay.Cell>] = [:]

  /// Who waits for changes of properties, or `nil` when the context is not observable.
  var observers: Observers?

  /// The state that all objects have: each that is made asks, and nothing is called meanwhile.
  @exclusivity(unchecked) var stateOfObjects: ObjectState = []

  /// The rows of new objects by entity; unchecked, because nothing is called while they change.
  @exclusivity(unchecked) var draftRows: ContiguousArray<DraftRows>

  /// The slabs of rows that come one by one: those of new objects that are not drafts, which have
  /// their keys until they are saved, and of faults without a cohort.
  var newRows: RowSlab?
  var singleFaults: RowSlab?

  /// The number of objects at which the next sweep happens.
  var sweepThreshold = 4096

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - coordinator: The coordinator of the store.
  ///   - name: The name that reports use.
  ///   - owner: Who may use the context.
  public convenience init(
    coordinator: PersistentStoreCoordinator, name: String = "context",
    owner: ContextOwner = .holder
  ) {
    self.init(coordinator, name, owner, parent: nil, coordinator.store)
  }

  /// Creates a context over a store, which is the coordinator's or stands for `parent`.
  init(
    _ coordinator: PersistentStoreCoordinator, _ name: String, _ owner: ContextOwner,
    parent: ManagedObjectContext?, _ store: any PersistentStore
  ) {
    self.coordinator = coordinator
    self.name = name
    self.parent = parent
    self.store = store
    model = coordinator.model
    // Objects are in the maps of their root entities; those of the others stay empty.
    let unused = IdentityMap()
    maps = ContiguousArray(model.entities.map { $0.root == $0.index ? IdentityMap() : unused })
    watched = model.oneToOnes
    draftRows = ContiguousArray(repeating: .none, count: model.entities.count)
    roots = ContiguousArray(model.entities.map(\.root))
    let types = ContiguousArray(model.entities.map { Self.type(of: $0, in: coordinator.model) })
    self.types = types
    hooks = coordinator.shared {
      HookTable(ContiguousArray(types.map { $0 as any AnyObject.Type }))
    }
    tokenStorage = ContextToken(
      coordinator: coordinator, owner: owner, name: name, context: self)
  }

  deinit { token.end() }

  /// Gives up all objects: from now on they belong to no context.
  func renewToken() {
    let old = token
    old.tearDown()
    tokenStorage = ContextToken(
      coordinator: coordinator, owner: old.owner, name: name, context: self)
    token.recordsEdits(undoStorage != nil)
  }

  /// The class of an entity's objects: its own, or that of the nearest entity above.
  private static func type(of entity: CompiledEntity, in model: CompiledModel) -> ManagedObject.Type
  {
    if let type = entity.binding as? ManagedObject.Type { return type }
    return entity.parent.map { type(of: model.entities[$0], in: model) } ?? ManagedObject.self
  }
}

/// What a context did.
public struct ContextStatistics: Sendable, Hashable {
  /// Requests to the store that a call asked for: fetches, counts, loads.
  public internal(set) var fetches = 0

  /// Requests to the store that a getter caused.
  public internal(set) var faultsFired = 0

  /// Rows with values that these requests brought, for objects that are registered or not.
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
