// Names of Core Data and SwiftData that have other names here, so that the compiler says which.
// Names of other modules win over these, as Foundation's own NSPredicate does where it is imported.

#if !canImport(CoreData)

  /// Renamed: ``ManagedObject``.
  @available(*, unavailable, renamed: "ManagedObject")
  public typealias NSManagedObject = ManagedObject

  /// Renamed: ``ManagedObjectContext``.
  @available(*, unavailable, renamed: "ManagedObjectContext")
  public typealias NSManagedObjectContext = ManagedObjectContext

  /// Renamed: ``ManagedObjectID``.
  @available(*, unavailable, renamed: "ManagedObjectID")
  public typealias NSManagedObjectID = ManagedObjectID

  /// Renamed: ``ManagedObjectModel``.
  @available(*, unavailable, renamed: "ManagedObjectModel")
  public typealias NSManagedObjectModel = ManagedObjectModel

  /// Renamed: ``PersistentContainer``.
  @available(*, unavailable, renamed: "PersistentContainer")
  public typealias NSPersistentContainer = PersistentContainer

  /// Renamed: ``PersistentStoreCoordinator``.
  @available(*, unavailable, renamed: "PersistentStoreCoordinator")
  public typealias NSPersistentStoreCoordinator = PersistentStoreCoordinator

  /// Renamed: ``EntityDescription``.
  @available(*, unavailable, renamed: "EntityDescription")
  public typealias NSEntityDescription = EntityDescription

  /// Renamed: ``AttributeDescription``.
  @available(*, unavailable, renamed: "AttributeDescription")
  public typealias NSAttributeDescription = AttributeDescription

  /// Renamed: ``RelationshipDescription``.
  @available(*, unavailable, renamed: "RelationshipDescription")
  public typealias NSRelationshipDescription = RelationshipDescription

  /// Renamed: ``MergePolicy``.
  @available(*, unavailable, renamed: "MergePolicy")
  public typealias NSMergePolicy = MergePolicy

  /// Renamed: ``FetchPredicate``.
  @available(*, unavailable, renamed: "FetchPredicate")
  public typealias NSPredicate = FetchPredicate

  /// Renamed: ``FetchExpression``.
  @available(*, unavailable, renamed: "FetchExpression")
  public typealias NSExpression = FetchExpression

  /// Refused: NSCompoundPredicate has another form here.
  @available(*, unavailable, message: "write '&&', '||' and '!' between conditions")
  public typealias NSCompoundPredicate = FetchPredicate

  /// Renamed: ``SortKey``.
  @available(*, unavailable, renamed: "SortKey")
  public typealias NSSortDescriptor = Never

  /// Renamed: ``FetchRequest``.
  @available(*, unavailable, renamed: "FetchRequest")
  public typealias NSFetchRequest<Result> = Never

  /// Renamed: ``FetchedResults``.
  @available(*, unavailable, renamed: "FetchedResults")
  public typealias NSFetchedResultsController<Result> = Never

  /// Refused: NSPersistentStoreDescription has another form here.
  @available(
    *, unavailable,
    message:
      "name the place as '.file(path)', '.inMemory' or '.temporary', and the rest in 'SQLiteStoreOptions'"
  )
  public typealias NSPersistentStoreDescription = Never

  /// Refused: NSBatchInsertRequest has another form here.
  @available(*, unavailable, message: "write 'try context.batchInsert(Postcard.self, …)'")
  public typealias NSBatchInsertRequest = Never

  /// Refused: NSBatchUpdateRequest has another form here.
  @available(*, unavailable, message: "write 'try context.batchUpdate(Postcard.self, …)'")
  public typealias NSBatchUpdateRequest = Never

  /// Refused: NSBatchDeleteRequest has another form here.
  @available(*, unavailable, message: "write 'try context.batchDelete(Postcard.self, …)'")
  public typealias NSBatchDeleteRequest = Never

  /// Refused: NSMappingModel has another form here.
  @available(
    *, unavailable,
    message: "write steps of a migration: 'oxbowctl migrate new', and docs/guide/migrations.md"
  )
  public typealias NSMappingModel = Never

  /// Refused: NSEntityMigrationPolicy has another form here.
  @available(
    *, unavailable,
    message: "write a step of a migration in Swift: 'CodeStep', and docs/guide/migrations.md"
  )
  public typealias NSEntityMigrationPolicy = Never

  /// Refused: NSAtomicStore has another form here.
  @available(*, unavailable, message: "conform to 'AtomicStore': docs/guide/own-stores.md")
  public typealias NSAtomicStore = Never

  /// Refused: NSIncrementalStore has another form here.
  @available(*, unavailable, message: "conform to 'AtomicStore': docs/guide/own-stores.md")
  public typealias NSIncrementalStore = Never

  /// Refused: NSFetchRequestResult has another form here.
  @available(
    *, unavailable,
    message:
      "name the class: 'FetchRequest<Postcard>()', or 'FetchRequest<ManagedObject>(entityNamed:)'"
  )
  public typealias NSFetchRequestResult = Never

  /// Refused: NSAsynchronousFetchRequest has another form here.
  @available(*, unavailable, message: "write 'for try await … in store.stream(request) { … }'")
  public typealias NSAsynchronousFetchRequest = Never

  /// Refused: NSPersistentHistoryChangeRequest has another form here.
  @available(
    *, unavailable,
    message: "write 'coordinator.history(after:)', or 'coordinator.deleteHistory(before:)'"
  )
  public typealias NSPersistentHistoryChangeRequest = Never

  /// Refused: NSPersistentCloudKitContainer has another form here.
  @available(*, unavailable, message: "there is no CloudKit here; write 'PersistentContainer'")
  public typealias NSPersistentCloudKitContainer = Never

  /// Renamed: ``MergePolicy/error``.
  @available(*, unavailable, renamed: "MergePolicy.error")
  public var NSErrorMergePolicy: MergePolicy { Refused.call() }

  /// Renamed: ``MergePolicy/mergeByPropertyStoreTrump``.
  @available(*, unavailable, renamed: "MergePolicy.mergeByPropertyStoreTrump")
  public var NSMergeByPropertyStoreTrumpMergePolicy: MergePolicy { Refused.call() }

  /// Renamed: ``MergePolicy/mergeByPropertyObjectTrump``.
  @available(*, unavailable, renamed: "MergePolicy.mergeByPropertyObjectTrump")
  public var NSMergeByPropertyObjectTrumpMergePolicy: MergePolicy { Refused.call() }

  /// Renamed: ``MergePolicy/overwrite``.
  @available(*, unavailable, renamed: "MergePolicy.overwrite")
  public var NSOverwriteMergePolicy: MergePolicy { Refused.call() }

  /// Renamed: ``MergePolicy/rollback``.
  @available(*, unavailable, renamed: "MergePolicy.rollback")
  public var NSRollbackMergePolicy: MergePolicy { Refused.call() }

#endif

#if !canImport(SwiftData)
  /// Renamed: ``ManagedObjectContext``.
  @available(*, unavailable, renamed: "ManagedObjectContext")
  public typealias ModelContext = ManagedObjectContext

  /// Renamed: ``PersistentContainer``.
  @available(*, unavailable, renamed: "PersistentContainer")
  public typealias ModelContainer = PersistentContainer

  /// Renamed: ``FetchRequest``.
  @available(*, unavailable, renamed: "FetchRequest")
  public typealias FetchDescriptor<Result> = Never

  /// Renamed: ``ManagedObjectID``.
  @available(*, unavailable, renamed: "ManagedObjectID")
  public typealias PersistentIdentifier = ManagedObjectID

  /// Renamed: ``ManagedObject``.
  @available(*, unavailable, renamed: "ManagedObject")
  public typealias PersistentModel = ManagedObject
#endif
