public import OxbowContext
public import OxbowModel
public import OxbowStore

// Names of Core Data that have other names here, so that the compiler says which.

extension PersistentContainer {
  /// Renamed: ``contexts``.
  @available(
    *, unavailable,
    message:
      "there is no main thread: 'store.contexts' has a context for each thread, 'store.perform { context in … }' one for a unit of work, 'store.makeContext()' one to keep"
  )
  public var viewContext: any ObjectContext { Refused.call() }

  /// Renamed: ``makeContext(_:)``.
  @available(*, unavailable, renamed: "makeContext()")
  public func newBackgroundContext() -> ManagedObjectContext { Refused.call() }

  /// Renamed: ``perform(_:)``.
  @available(
    *, unavailable, message: "write 'try store.perform { context in … }', or 'try await' it"
  )
  public func performBackgroundTask(_ block: (ManagedObjectContext) -> Void) { Refused.call() }

  /// Not needed.
  @available(
    *, unavailable,
    message: "the store is open when the container is made, or that throws; remove the call"
  )
  public func loadPersistentStores<Store>(completionHandler block: (Store, (any Error)?) -> Void) {
    Refused.call()
  }

  /// Renamed: ``init(_:types:options:contexts:)``.
  @available(
    *, unavailable,
    message: "write 'PersistentContainer(.file(path), types: […], options: SQLiteStoreOptions())'"
  )
  public var persistentStoreDescriptions: [Never] {
    get { Refused.call() }
    set { Refused.call() }
  }

  /// Renamed: ``coordinator``.
  @available(*, unavailable, renamed: "coordinator")
  public var persistentStoreCoordinator: PersistentStoreCoordinator { Refused.call() }

  /// Renamed: ``PersistentStoreCoordinator/model``.
  @available(*, unavailable, renamed: "coordinator.model")
  public var managedObjectModel: CompiledModel { Refused.call() }

  /// Renamed: ``init(_:types:options:contexts:)``.
  @available(
    *, unavailable,
    message:
      "write 'try PersistentContainer(.file(path), types: [Postcard.self])', with each class of the model"
  )
  public convenience init(name: String) { Refused.call() }

  /// Renamed: ``init(_:model:classes:options:contexts:)``.
  @available(
    *, unavailable,
    message: "write 'try PersistentContainer(.file(path), model: model, classes: [Postcard.self])'"
  )
  public convenience init(name: String, managedObjectModel model: ManagedObjectModel) {
    Refused.call()
  }
}
