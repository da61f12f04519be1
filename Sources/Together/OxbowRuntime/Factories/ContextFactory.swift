public import OxbowContainer
public import OxbowContext
public import OxbowStore

/// Makes a context for the thread on which it is asked to.
///
/// A context belongs to one thread, so its definition is of thread scope, or is behind a
/// `ThreadLocalProxyFactory`:
///
/// ```xml
/// <object id="threadContext" class="ContextFactory" singleton="false">
///   <property name="coordinator" ref="coordinator"/>
///   <property name="mergePolicy" value="mergeByProperty"/>
/// </object>
/// <object id="context" class="ThreadLocalProxyFactory">
///   <property name="factoryObject" ref="threadContext"/>
/// </object>
/// ```
public final class ContextFactory: FactoryObject {
  /// The coordinator of the store.
  public var coordinator: PersistentStoreCoordinator?

  /// ``coordinator`` by the name that it has in the Oxen container.
  public var persistentStoreCoordinator: PersistentStoreCoordinator? {
    get { coordinator }
    set { coordinator = newValue }
  }

  /// The name that the context's reports use.
  public var name = "context"

  /// What a save of the contexts does where another writer has saved the same object first; in
  /// files, the name of a policy.
  public var mergePolicy: MergePolicy = .error

  /// Whether the contexts record their changes, so that they can be undone.
  public var isUndoEnabled = false

  /// Whether the contexts bring their objects up to date with other contexts' saves.
  public var automaticallyMergesChangesFromParent = false

  /// Who changes objects in the contexts, for the history of the store.
  public var transactionAuthor: String?

  /// Where the contexts read, of a store on a server that has replicas; in files, the name of a
  /// place.
  public var readPlace: ReadPlace = .primary

  /// Creates a factory that is not complete yet.
  public init() {}

  /// Makes a context that belongs to the calling thread, or to the task for which it is made.
  ///
  /// - Throws: ``ContainerError`` with code `factoryIncomplete` without a coordinator.
  public func object() throws -> any ObjectContext {
    guard let coordinator else {
      throw ContainerError(
        .factoryIncomplete("ContextFactory", property: "coordinator"), task: "make a context")
    }
    return ManagedObjectContext(
      coordinator: coordinator, name: name, owner: TaskContext.newOwner,
      options: ContextOptions(
        mergePolicy: mergePolicy, isUndoEnabled: isUndoEnabled,
        automaticallyMergesChangesFromParent: automaticallyMergesChangesFromParent,
        transactionAuthor: transactionAuthor, readPlace: readPlace))
  }
}

extension ContextFactory: ThreadBoundFactory {}
