public import OxbowModel
internal import OxbowStore

/// The objects of a context that are others than when its subscribers were told last.
public struct ContextChange: Sendable, Hashable {
  /// New objects.
  public internal(set) var insertedObjectIDs: Set<ManagedObjectID> = []

  /// Objects with other unsaved changes than before.
  public internal(set) var updatedObjectIDs: Set<ManagedObjectID> = []

  /// Objects that the next save deletes.
  public internal(set) var deletedObjectIDs: Set<ManagedObjectID> = []

  /// Objects whose unsaved changes are gone without a save: by a rollback, an undo, a refresh.
  public internal(set) var refreshedObjectIDs: Set<ManagedObjectID> = []

  /// Whether nothing is another.
  public var isEmpty: Bool { self == ContextChange() }
}

/// Being told of the changes or saves of a context; ends with the object, or at once.
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

/// Who is told of a context's changes, and what they were told last.
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

  /// After a save, what was told is no longer unsaved.
  func forget() { known = [:] }

  /// What is another since the last call.
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
  /// Tells of what the program changes in this context, saved or not.
  ///
  /// ```swift
  /// let subscription = context.onChange { change in redraw(change.updatedObjectIDs) }
  /// context.processPendingChanges()
  /// ```
  ///
  /// A context has no run loop that could end a round of changes: they are told by
  /// ``processPendingChanges()``, which every save calls first. It is Core Data's
  /// `NSManagedObjectContextObjectsDidChange`. What others have saved is told by
  /// ``PersistentStoreCoordinator/onDidSave(_:)``.
  ///
  /// - Parameter body: Is called where the context is. It may read and change objects; what it
  ///   changes is told the next time.
  /// - Returns: What has to be kept for as long as the body is to be called.
  public func onChange(_ body: @escaping (ContextChange) -> Void) -> ContextSubscription {
    subscribe { $0.onChange[$1] = body }
  }

  /// Tells of each save before it begins: before hooks and rules, when there is something to save.
  ///
  /// It is Core Data's `NSManagedObjectContextWillSave`. What the body changes is saved.
  ///
  /// - Parameter body: Is called where the context is; what it throws refuses the save.
  /// - Returns: What has to be kept for as long as the body is to be called.
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

  /// Tells those who asked (``onChange(_:)``) of the changes since the last call.
  ///
  /// Without subscribers it does nothing. Off the owner it does nothing either, and the use is
  /// reported.
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

  /// Tells of changes, and of the save that begins.
  func tellOfSave() throws(PersistenceError) {
    processPendingChanges()
    for (_, body) in (audience.subscribers?.onSave ?? [:]).sorted(by: { $0.key < $1.key }) {
      try running("onWillSave") { () throws(PersistenceError) in try body() }
    }
    try throwPendingFault()
  }
}
