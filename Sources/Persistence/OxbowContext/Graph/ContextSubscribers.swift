public import OxbowModel
internal import OxbowStore

/// The objects of a context that have changed since its subscribers were last notified.
public struct ContextChange: Sendable, Hashable {
  /// New objects.
  public internal(set) var insertedObjectIDs: Set<ManagedObjectID> = []

  /// Objects whose unsaved changes differ from before.
  public internal(set) var updatedObjectIDs: Set<ManagedObjectID> = []

  /// Objects that the next save deletes.
  public internal(set) var deletedObjectIDs: Set<ManagedObjectID> = []

  /// Objects whose unsaved changes ended without a save: by a rollback, an undo, a refresh.
  public internal(set) var refreshedObjectIDs: Set<ManagedObjectID> = []

  /// Whether nothing has changed.
  public var isEmpty: Bool { self == ContextChange() }
}

/// A subscription to the changes or saves of a context, which ends with this object.
public final class ContextSubscription {
  fileprivate weak var subscribers: ContextSubscribers?
  fileprivate let number: Int

  fileprivate init(_ subscribers: ContextSubscribers, _ number: Int) {
    self.subscribers = subscribers
    self.number = number
  }

  /// Ends the subscription.
  public func cancel() { subscribers?.remove(number) }

  deinit { cancel() }
}

/// The subscribers of a context, and what they know.
final class ContextSubscribers {
  fileprivate typealias Saving = () throws(PersistenceError) -> Void

  fileprivate var onChange: [Int: (ContextChange) -> Void] = [:]
  fileprivate var onSave: [Int: Saving] = [:]
  private var known: [ObjectReference: UnsavedEdits] = [:]
  private var count = 0

  fileprivate func next() -> Int {
    count += 1
    return count
  }

  fileprivate func remove(_ number: Int) {
    onChange[number] = nil
    onSave[number] = nil
  }

  /// After a save, known changes are no longer unsaved.
  func forget() { known = [:] }

  /// The changes since the last call.
  fileprivate func take(from context: ManagedObjectContext) -> ContextChange {
    var change = ContextChange()
    var now: [ObjectReference: UnsavedEdits] = [:]
    for object in context.unsaved.objects {
      let edits = UnsavedEdits(of: object)
      now[object.reference] = edits
      if known[object.reference] != edits {
        change.add(object, isNew: known[object.reference] == nil)
      }
    }
    for reference in known.keys where now[reference] == nil {
      change.refreshedObjectIDs.insert(context.coordinator.id(of: reference))
    }
    known = now
    return change
  }
}

extension ContextChange {
  fileprivate mutating func add(_ object: ManagedObject, isNew: Bool) {
    if object.isDeleted {
      deletedObjectIDs.insert(object.objectID)
    } else if object.isInserted, isNew {
      insertedObjectIDs.insert(object.objectID)
    } else {
      updatedObjectIDs.insert(object.objectID)
    }
  }
}

extension ManagedObjectContext {
  /// Notifies of what the program changes in this context, saved or not.
  ///
  /// ```swift
  /// let subscription = context.onChange { change in redraw(change.updatedObjectIDs) }
  /// context.processPendingChanges()
  /// ```
  ///
  /// A context has no run loop that could end a round of changes: ``processPendingChanges()`` does,
  /// which every save calls first. It is Core Data's `NSManagedObjectContextObjectsDidChange`. For
  /// the saves of other contexts, use ``PersistentStoreCoordinator/onDidSave(_:)``.
  ///
  /// - Parameter body: Called where the context is. It may read and change objects; its own changes
  ///   come with the next call.
  /// - Returns: The subscription; keep it for as long as `body` should be called.
  public func onChange(_ body: @escaping (ContextChange) -> Void) -> ContextSubscription {
    subscribe { $0.onChange[$1] = body }
  }

  /// Notifies of each save that has something to write before it begins, before hooks and rules.
  ///
  /// It is Core Data's `NSManagedObjectContextWillSave`. Changes that the body makes are saved.
  ///
  /// - Parameter body: Called where the context is; an error that it throws refuses the save.
  /// - Returns: The subscription; keep it for as long as `body` should be called.
  public func onWillSave(
    _ body: @escaping () throws(PersistenceError) -> Void
  ) -> ContextSubscription {
    subscribe { $0.onSave[$1] = body }
  }

  private func subscribe(_ add: (ContextSubscribers, Int) -> Void) -> ContextSubscription {
    let subscribers = audience.subscribers ?? ContextSubscribers()
    audience.subscribers = subscribers
    let number = subscribers.next()
    add(subscribers, number)
    return ContextSubscription(subscribers, number)
  }

  /// Notifies the subscribers of ``onChange(_:)`` of the changes since the last call.
  ///
  /// Off the owner it does nothing, and the use is reported.
  ///
  /// - Complexity: O(unsaved changes).
  public func processPendingChanges() {
    guard isOwned("processPendingChanges()"), let subscribers = audience.subscribers,
      !subscribers.onChange.isEmpty
    else { return }
    let change = subscribers.take(from: self)
    guard !change.isEmpty else { return }
    for (_, body) in subscribers.onChange.sorted(by: { $0.key < $1.key }) {
      running("onChange") { body(change) }
    }
  }

  /// Notifies of changes, and of the save that begins.
  func tellOfSave() throws(PersistenceError) {
    processPendingChanges()
    for (_, body) in (audience.subscribers?.onSave ?? [:]).sorted(by: { $0.key < $1.key }) {
      try running("onWillSave") { () throws(PersistenceError) in try body() }
    }
    try throwPendingFault()
  }
}
