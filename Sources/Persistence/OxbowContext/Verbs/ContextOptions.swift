public import OxbowStore

/// The settings of a store's new contexts, given once where they are defined.
///
/// ```swift
/// let store = try PersistentContainer(
///   .file("library.sqlite"), types: [Book.self],
///   contexts: ContextOptions(mergePolicy: .mergeByProperty))
/// ```
public struct ContextOptions: Sendable, Hashable {
  /// How a save resolves conflicts with other contexts' saves of the same objects.
  public var mergePolicy: MergePolicy

  /// Whether changes are recorded, so that they can be undone.
  public var isUndoEnabled: Bool

  /// Whether objects are brought up to date with the saves of others.
  public var automaticallyMergesChangesFromParent: Bool

  /// Who changes objects, for the history of the store; see
  /// ``ManagedObjectContext/transactionAuthor``.
  public var transactionAuthor: String?

  /// Where objects are read, of a store on a server that has replicas; see
  /// ``ManagedObjectContext/readPlace``.
  public var readPlace: ReadPlace

  /// Creates options, by default those of a context without any.
  public init(
    mergePolicy: MergePolicy = .error, isUndoEnabled: Bool = false,
    automaticallyMergesChangesFromParent: Bool = false, transactionAuthor: String? = nil,
    readPlace: ReadPlace = .primary
  ) {
    self.mergePolicy = mergePolicy
    self.isUndoEnabled = isUndoEnabled
    self.automaticallyMergesChangesFromParent = automaticallyMergesChangesFromParent
    self.transactionAuthor = transactionAuthor
    self.readPlace = readPlace
  }
}

extension ManagedObjectContext {
  /// Creates a context with options.
  public convenience init(
    coordinator: PersistentStoreCoordinator, name: String = "context",
    owner: ContextOwner = .holder, options: ContextOptions
  ) {
    self.init(coordinator: coordinator, name: name, owner: owner)
    self.options = options
  }

  /// Merge policy, undo, merging, author and place of reading of the context, as one value.
  public var options: ContextOptions {
    get {
      ContextOptions(
        mergePolicy: mergePolicy, isUndoEnabled: isUndoEnabled,
        automaticallyMergesChangesFromParent: automaticallyMergesChangesFromParent,
        transactionAuthor: transactionAuthor, readPlace: readPlace)
    }
    set {
      mergePolicy = newValue.mergePolicy
      isUndoEnabled = newValue.isUndoEnabled
      automaticallyMergesChangesFromParent = newValue.automaticallyMergesChangesFromParent
      transactionAuthor = newValue.transactionAuthor
      readPlace = newValue.readPlace
    }
  }
}
