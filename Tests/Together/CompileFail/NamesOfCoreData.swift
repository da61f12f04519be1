// What the compiler says to a program of Core Data, line by line.
// expect-error: has been renamed to 'count(_:)'
// expect-error: 'perform' is unavailable: a context is used where it was made
// expect-error: 'performAndWait' is unavailable: a context is used where it was made
// expect-error: 'managedObjectContext' has been renamed to 'context'
// expect-error: has been renamed to 'init(entityNamed:)'
// expect-error: 'value(forKey:)' is unavailable: use the property
// expect-error: 'setValue(_:forKey:)' is unavailable: use the property
// expect-error: 'mutableSetValue(forKey:)' is unavailable: a relationship is a set
// expect-error: 'validateForInsert()' is unavailable: a save asks the rules
// expect-error: a context makes its objects; write 'try context.insert(Type.self)'
// expect-error: 'fetchRequest()' is unavailable: write 'FetchRequest<Postcard>()'
// expect-error: 'fetchBatchSize' is unavailable: write 'try context.fetch(request, batchSize: 50)'
// expect-error: 'returnsObjectsAsFaults' is unavailable: rows are read with their objects
// expect-error: 'sortDescriptors' is unavailable: an order has keys
// expect-error: 'resultType' is unavailable: the call says what is wanted
// expect-error: 'propertiesToFetch' is unavailable: write 'context.fetchRows(RowRequest(
// expect-error: 'propertiesToGroupBy' is unavailable: write 'context.aggregate'
// expect-error: 'execute()' is unavailable: write 'try context.fetch(request)'
// expect-error: write 'SortKey("title", ascending: true)'
// expect-error: 'undoManager' is unavailable: set 'context.isUndoEnabled = true'
// expect-error: 'persistentStoreCoordinator' has been renamed to 'coordinator'
// expect-error: 'execute' is unavailable: write 'context.batchInsert'
// expect-error: 'obtainPermanentIDs(for:)' is unavailable: an ID is final
// expect-error: 'uriRepresentation()' is unavailable: write 'id.description'
// expect-error: 'isTemporaryID' is unavailable: an ID is final
// expect-error: 'init(value:)' has been replaced by 'FetchPredicate.constant(_:)'
// expect-error: 'viewContext' is unavailable: there is no main thread
// expect-error: 'newBackgroundContext()' has been renamed to 'makeContext()'
// expect-error: 'performBackgroundTask' is unavailable: write 'try store.perform
// expect-error: 'loadPersistentStores(completionHandler:)' is unavailable: the store is open
// expect-error: write 'try PersistentContainer(.file(path), types: [Postcard.self])'
// expect-error: 'fetchedObjects' has been renamed to 'objects'
// expect-error: 'performFetch()' is unavailable: the results are fetched where they are made
// expect-error: 'NSManagedObject' has been renamed to 'ManagedObject'
// expect-error: 'NSManagedObjectContext' has been renamed to 'ManagedObjectContext'
// expect-error: 'NSFetchRequest' has been renamed to 'FetchRequest'
// expect-error: 'NSPersistentStoreDescription' is unavailable: name the place as
// expect-error: 'NSMergeByPropertyStoreTrumpMergePolicy' has been renamed to
// expect-error: 'NSPredicate' has been renamed to 'FetchPredicate'
// expect-error: 'NSSortDescriptor' has been renamed to 'SortKey'
// expect-error: 'ModelContext' has been renamed to 'ManagedObjectContext'
// expect-error: 'FetchDescriptor' has been renamed to 'FetchRequest'
// expect-error: 'primitiveValue(forKey:)' is unavailable: use the property
// expect-error: 'validateValue(_:forKey:)' is unavailable: write 'try object.validateValue(
// expect-error: 'entity' is unavailable: write 'object.entityDescription'
// expect-error: 'evaluate(with:)' is unavailable: write 'try predicate.matches(object)'
// expect-error: 'sectionIndexTitles' is unavailable: write 'results.sections.map(

import Oxbow

@Entity final class Book: ManagedObject {
  var title: String = ""
}

func objects(_ context: ManagedObjectContext, _ book: Book) throws {
  _ = book.managedObjectContext
  _ = book.value(forKey: "title")
  book.setValue("x", forKey: "title")
  _ = book.mutableSetValue(forKey: "tags")
  try book.validateForInsert()
  _ = book.primitiveValue(forKey: "title")
  try book.validateValue("x", forKey: "title")
  _ = book.entity
  _ = FetchPredicate.isNil("title").evaluate(with: book)
  _ = Book(entity: Book.entityDescription, insertInto: context)
  _ = book.objectID.uriRepresentation()
  _ = book.objectID.isTemporaryID
}

func requests(_ context: any ObjectContext, _ results: FetchedResults<Book>) throws {
  _ = Book.fetchRequest()
  var request = FetchRequest<Book>(entityName: "Book")
  request.fetchBatchSize = 3
  request.returnsObjectsAsFaults = false
  request.sortDescriptors = []
  request.resultType = .countResultType
  request.propertiesToFetch = ["title"]
  request.propertiesToGroupBy = ["title"]
  _ = try request.execute()
  _ = SortKey<Book>(key: "title", ascending: true)
  _ = FetchPredicate(value: true)
  _ = try context.count(for: request)
  _ = results.fetchedObjects
  _ = results.sectionIndexTitles
  try results.performFetch()
}

func contexts(_ context: ManagedObjectContext, _ store: PersistentContainer) throws {
  context.perform { print("x") }
  context.performAndWait { print("x") }
  try context.undoManager?.undo()
  _ = context.persistentStoreCoordinator
  _ = try context.execute(1)
  try context.obtainPermanentIDs(for: [])
  context.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
  _ = store.viewContext
  _ = store.newBackgroundContext()
  store.performBackgroundTask { context in print(context.name) }
}

func stores() {
  let store = PersistentContainer(name: "Library")
  store.loadPersistentStores { (description: NSPersistentStoreDescription, _) in print(description)
  }
}

func types(_ object: NSManagedObject, _ context: NSManagedObjectContext) -> NSFetchRequest<Book>? {
  nil
}

func others(_ condition: NSPredicate, _ order: [NSSortDescriptor], _ context: ModelContext) {}

func descriptor() -> FetchDescriptor<Book>? { nil }
