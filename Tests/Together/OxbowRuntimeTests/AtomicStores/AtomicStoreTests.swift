import Foundation
import OxbowRuntime
import Testing

/// What Oxbow does with a store of the program's own.
struct AtomicStoreTests {
  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      "Author",
      attributes: [
        AttributeDescription("name", .string),
        AttributeDescription("rank", .double, isOptional: true),
        AttributeDescription("count", .integer64, isOptional: true, derivation: "books.@count"),
      ],
      relationships: [
        RelationshipDescription(
          "books", to: "Book", inverse: "author", isToMany: true, isOrdered: true,
          deleteRule: .cascade)
      ], uniquenessConstraints: [["name"]]),
    EntityDescription(
      "Book", attributes: [AttributeDescription("title", .string, isOptional: true)],
      relationships: [RelationshipDescription("author", to: "Author", inverse: "books")]),
  ])

  private func open(
    _ store: any AtomicStore, options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws -> PersistentContainer {
    try PersistentContainer(.atomic(store), model: Self.model, options: options)
  }

  private func insert(
    _ name: String, _ titles: [String] = [], _ context: ManagedObjectContext
  ) throws -> ManagedObject {
    let author = try context.insert(entityNamed: "Author")
    try author.setValue(name, for: "name")
    try author.setObjects(
      titles.map { title in
        let book = try context.insert(entityNamed: "Book")
        try book.setValue(title, for: "title")
        return book
      }, for: "books")
    return author
  }

  private func authors(_ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(
      FetchRequest<ManagedObject>(entityNamed: "Author", sortedBy: [SortKey("name")])
    ).map { try $0.value("name", as: String.self) ?? "" }
  }

  private func filled() throws -> (ScriptedStore, PersistentContainer) {
    let store = ScriptedStore()
    let container = try open(store)
    try container.perform { context in
      _ = try insert("Lem", ["Solaris", "Fiasko"], context)
      try context.save()
    }
    return (store, container)
  }

  // MARK: Saving

  @Test func `PS-01 a save hands over what has changed, whole and once`() throws {
    let (store, container) = try filled()
    defer { container.close() }
    let first = try #require(store.saves.last)
    #expect(first.changed.map(\.id.entity) == ["Author", "Book", "Book"])
    #expect(first.changed[0].relationships == ["books": [1, 2]])
    #expect(first.changed[0].attributes["count"] == .integer(2))
    #expect(first.changed[1].relationships == ["author": [1]])
    #expect(first.deleted.isEmpty)
    try container.perform { context in
      let books = try context.fetch(
        FetchRequest<ManagedObject>(entityNamed: "Book", sortedBy: [SortKey("title")]))
      try books[0].setValue("Fiasco", for: "title")
      try context.save()
      try context.delete(books[1])
      try context.save()
    }
    let (renamed, deleted) = (
      store.saves[store.saves.count - 2], store.saves[store.saves.count - 1]
    )
    #expect(renamed.changed.map(\.id) == [.init(entity: "Book", key: 2)])
    #expect(renamed.changed[0].version == 2)
    #expect(renamed.changed[0].attributes == ["title": .string("Fiasco")])
    #expect(deleted.deleted == [.init(entity: "Book", key: 1)])
    #expect(deleted.changed.map(\.id) == [.init(entity: "Author", key: 1)])
    #expect(deleted.changed[0].attributes["count"] == .integer(1))
    #expect(store.contents?.objects.map(\.id.entity) == ["Author", "Book"])
  }

  @Test func `PS-01 what a store throws refuses the save and is in its error`() throws {
    let (store, container) = try filled()
    defer { container.close() }
    let before = store.contents
    let context = container.makeContext()
    _ = try insert("Le Guin", ["Malafrena"], context)
    store.refuse()
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .storeFailed)
    #expect(error?.underlyingError as? ScriptedStore.Refusal == ScriptedStore.Refusal())
    #expect("\(try #require(error))".contains("'scripted' refused a save, and nothing was saved"))
    #expect(context.hasChanges)
    #expect(try authors(container.makeContext()) == ["Lem"])
    #expect(store.contents == before)
    store.refuse(false)
    try context.save()
    #expect(try authors(container.makeContext()) == ["Le Guin", "Lem"])
    #expect(store.contents?.objects.count == 5)
  }

  @Test func `PS-01 batches and increments reach the store, and are refused by it`() throws {
    let (store, container) = try filled()
    defer { container.close() }
    let context = container.makeContext()
    let books = FetchRequest<ManagedObject>(entityNamed: "Book")
    store.refuse()
    expectFailure(.storeFailed) {
      try context.batchUpdate(books, [("title", .value(.attribute(.string("all"))))])
    }
    expectFailure(.storeFailed) { try context.batchDelete(books) }
    #expect(
      try context.fetch(books).map { try $0.value("title", as: String.self) ?? "" }.contains(
        "Solaris"))
    store.refuse(false)
    try context.batchUpdate(books, [("title", .value(.attribute(.string("all"))))])
    #expect(
      store.saves.last?.changed.map(\.attributes) == [
        ["title": .string("all")], ["title": .string("all")],
      ])
    try context.batchDelete(books)
    #expect(store.saves.last?.deleted.count == 2)
    let saves = store.saves.count
    try context.batchDelete(books)
    #expect(store.saves.count == saves)
    #expect(store.saves.last?.changed.first?.attributes["count"] == .integer(0))
  }

  @Test func `PS-01 a store that asks its own coordinator while it saves gets an error`() throws {
    let (store, container) = try filled()
    defer { container.close() }
    store.whileSaving {
      let inner = container.makeContext()
      expectFailure(.insideHook) { _ = try authors(inner) }
      expectFailure(.insideHook) { try container.coordinator.setMetadata(1, for: "key") }
    }
    let saves = store.saves.count
    let context = container.makeContext()
    _ = try insert("Twain", [], context)
    try context.save()
    #expect(store.saves.count == saves + 1)
    store.whileSaving {}
    #expect(try authors(context) == ["Lem", "Twain"])
  }

  @Test func `PS-01 what breaks a rule never reaches the store`() throws {
    let (store, container) = try filled()
    defer { container.close() }
    let saves = store.saves.count
    let context = container.makeContext()
    try insert("Twain", [], context).setValue(Double.nan, for: "rank")
    #expect(throws: PersistenceError.self) { try context.save() }
    try context.rollback()
    _ = try insert("Lem", [], context)
    expectFailure(.uniquenessViolated) { try context.save() }
    #expect(store.saves.count == saves)
  }

  @Test func `PS-01 contexts of one coordinator meet as on any store`() throws {
    let (store, container) = try filled()
    defer { container.close() }
    let (one, other) = (container.makeContext(), container.makeContext())
    let request = FetchRequest<ManagedObject>(entityNamed: "Author")
    let (mine, theirs) = (try one.fetch(request)[0], try other.fetch(request)[0])
    try mine.setValue(1.0, for: "rank")
    try one.save()
    try theirs.setValue(2.0, for: "rank")
    let saves = store.saves.count
    expectFailure(.conflict) { try other.save() }
    #expect(store.saves.count == saves)
  }

  @Test func `PS-01 keys are reserved with a save, and most blocks of keys without`() throws {
    let (store, container) = try filled()
    defer { container.close() }
    // The new store has its first keys.
    #expect(store.saves.map(\.changed.count) == [0, 3])
    #expect((store.saves[0].metadata.lastKeys["Author"] ?? 0) >= 64)
    let context = container.makeContext()
    store.refuse()
    for number in 0..<500 { _ = try insert("\(number)", [], context) }
    expectFailure(.storeFailed) {
      for number in 0..<2000 { _ = try insert("more \(number)", [], context) }
    }
    store.refuse(false)
    container.close()
    let again = try open(ScriptedStore(store.contents))
    defer { again.close() }
    let key = try again.makeContext().insert(entityNamed: "Author").objectID.key
    #expect(key > (store.contents?.metadata.lastKeys["Author"] ?? 0))
  }

  @Test func `PS-01 questions are answered as by any store`() throws {
    let (_, container) = try filled()
    defer { container.close() }
    let context = container.makeContext()
    let found = try context.fetch(
      FetchRequest<ManagedObject>(
        entityNamed: "Author",
        where: FetchPredicate(format: "ANY books.title BEGINSWITH[c] 'sol' AND count == 2")))
    #expect(found.count == 1)
    #expect(
      try found[0].objects("books").map { try $0.value("title", as: String.self) } == [
        "Solaris", "Fiasko",
      ])
    expectFailure(.unsupported) {
      _ = try container.makePinnedContext()
    }
  }

  // MARK: Opening

  @Test func `PS-01 a store has one coordinator at a time`() throws {
    let (store, container) = try filled()
    let error = #expect(throws: PersistenceError.self) { try open(store) }
    #expect(error?.code == .storeLocked)
    #expect(error?.message.contains("'scripted' is open in another coordinator") == true)
    expectFailure(.storeLocked) { _ = try open(ScriptedStore(store.contents)) }
    #expect(store.closeCount == 0)
    container.close()
    container.close()
    #expect(store.closeCount == 1)
    try open(store).close()
    #expect(store.closeCount == 2)
  }

  @Test func `PS-01 a coordinator that is let go closes its store`() throws {
    let store = ScriptedStore()
    do { _ = try PersistentStoreCoordinator(CompiledModel(Self.model), at: .atomic(store)) }
    #expect(store.closeCount == 1)
  }

  @Test func `PS-01 a store that is read-only, and one that is not to be made`() throws {
    expectFailure(.notAStore) {
      _ = try open(ScriptedStore(), options: SQLiteStoreOptions(createsStore: false))
    }
    expectFailure(.notAStore) { _ = try open(ScriptedStore(isReadOnly: true)) }
    let (store, container) = try filled()
    container.close()
    for (reader, options) in [
      (ScriptedStore(store.contents, isReadOnly: true), SQLiteStoreOptions()),
      (ScriptedStore(store.contents), SQLiteStoreOptions(isReadOnly: true)),
    ] {
      let container = try open(reader, options: options)
      defer { container.close() }
      let context = container.makeContext()
      #expect(try authors(context) == ["Lem"])
      expectFailure(.storeReadOnly) { _ = try insert("Twain", [], context) }
      let author = try context.fetch(FetchRequest<ManagedObject>(entityNamed: "Author"))[0]
      try author.setValue(3.0, for: "rank")
      expectFailure(.storeReadOnly) { try context.save() }
      #expect(reader.saves.isEmpty)
    }
  }

  @Test func `PS-01 another model is refused with what differs`() throws {
    let (store, container) = try filled()
    container.close()
    let other = ManagedObjectModel(
      entities: [EntityDescription("Shop")] + Self.model.entities.filter { $0.name == "Shop" })
    let error = #expect(throws: PersistenceError.self) {
      try PersistentContainer(.atomic(store), model: other)
    }
    #expect(error?.code == .modelMismatch)
    let text = "\(try #require(error))"
    #expect(text.contains("only in the store: 'Author'"), "\(text)")
    #expect(text.contains("only in the model: 'Shop'"), "\(text)")
  }

  @Test func `PS-01 a store may convert what it loads to another model`() throws {
    let (store, container) = try filled()
    container.close()
    let old = try #require(store.contents)
    let model = ManagedObjectModel(
      entities: Self.model.entities.map { entity in
        guard entity.name == "Book" else { return entity }
        var entity = entity
        entity.attributes.append(AttributeDescription("pages", .integer32))
        return entity
      })
    var metadata = AtomicStoreMetadata(for: model, identifier: old.metadata.identifier)
    metadata.lastKeys = old.metadata.lastKeys
    let objects = old.objects.map { object in
      var object = object
      if object.id.entity == "Book" { object.attributes["pages"] = .integer(100) }
      return object
    }
    let converted = ScriptedStore(AtomicStoreContents(metadata: metadata, objects: objects))
    let again = try PersistentContainer(.atomic(converted), model: model)
    defer { again.close() }
    #expect(again.coordinator.storeIdentifier == container.coordinator.storeIdentifier)
    let pages = try again.makeContext().fetch(FetchRequest<ManagedObject>(entityNamed: "Book"))
      .map { try $0.value("pages", as: Int32.self) }
    #expect(pages == [100, 100])
  }

  @Test func `PS-01 contents of others come with links at one end and without derived values`()
    throws
  {
    let metadata = AtomicStoreMetadata(for: Self.model)
    let store = ScriptedStore(
      AtomicStoreContents(
        metadata: metadata,
        objects: [
          AtomicStoreObject(
            .init(entity: "Book", key: 7), attributes: ["title": .string("b")],
            relationships: ["author": [3]]),
          AtomicStoreObject(
            .init(entity: "Author", key: 3), attributes: ["name": .string("Lem")]),
          AtomicStoreObject(
            .init(entity: "Book", key: 5), attributes: ["title": .string("a")],
            relationships: ["author": [3]]),
        ]))
    let container = try open(store)
    defer { container.close() }
    #expect(container.coordinator.storeIdentifier == metadata.identifier)
    let context = container.makeContext()
    let author = try context.fetch(FetchRequest<ManagedObject>(entityNamed: "Author"))[0]
    #expect(try author.value("count", as: Int64.self) == 2)
    #expect(try author.objects("books").map(\.objectID.key) == [5, 7])
    #expect(try context.insert(entityNamed: "Book").objectID.key > 7)
  }

  static let misfits: [(AtomicStoreObject, String)] = [
    (.init(.init(entity: "Bok", key: 1)), "did you mean: 'Book'?"),
    (.init(.init(entity: "Book", key: 0)), "Book/p0: its key is out of range"),
    (.init(.init(entity: "Book", key: 1), version: 0), "its version is 0"),
    (.init(.init(entity: "Book", key: 9)), "Book/p9: it is there twice"),
    (
      .init(.init(entity: "Book", key: 1), attributes: ["titel": .string("")]),
      "a value for 'titel', which is not a stored attribute"
    ),
    (
      .init(.init(entity: "Book", key: 1), attributes: ["title": .integer(5)]),
      "its 'title' is '5', and needs TEXT"
    ),
    (.init(.init(entity: "Author", key: 1)), "it has no value for 'name'"),
    (
      .init(
        .init(entity: "Author", key: 1),
        attributes: ["name": .string("x"), "rank": .double(.nan)]), "its 'rank' is 'nan'"
    ),
    (
      .init(.init(entity: "Book", key: 1), relationships: ["author": [77]]),
      "leads to Author/p77, which is not there"
    ),
    (
      .init(.init(entity: "Book", key: 1), relationships: ["writer": [8]]),
      "keys for 'writer', which is not a stored relationship"
    ),
    (
      .init(.init(entity: "Book", key: 1), relationships: ["author": [8]]),
      "whose 'books' does not lead back"
    ),
    (
      .init(
        .init(entity: "Author", key: 1), attributes: ["name": .string("x")],
        relationships: ["books": [9, 9]]), "leads to an object twice"
    ),
    (
      .init(
        .init(entity: "Author", key: 1), attributes: ["name": .string("x")],
        relationships: ["books": [9]]), "does not lead back"
    ),
    (
      .init(.init(entity: "Author", key: 1), attributes: ["name": .string("Lem")]),
      "the same values, which the model wants to be unique"
    ),
  ]

  @Test(arguments: misfits)
  func `PS-01 contents that do not fit the model are refused with their object`(
    _ object: AtomicStoreObject, _ text: String
  ) throws {
    let good = [
      AtomicStoreObject(
        .init(entity: "Author", key: 8), attributes: ["name": .string("Lem")],
        relationships: ["books": [9]]),
      AtomicStoreObject(.init(entity: "Book", key: 9), relationships: ["author": [8]]),
    ]
    let store = ScriptedStore(
      AtomicStoreContents(
        metadata: AtomicStoreMetadata(for: Self.model), objects: good + [object]))
    let error = #expect(throws: PersistenceError.self) { try open(store) }
    #expect(error?.code == .invalidStoredValue)
    #expect("\(try #require(error))".contains(text), "\(error.map { "\($0)" } ?? "")")
    #expect(store.closeCount == 1)
    #expect(store.saves.isEmpty)
  }

  // MARK: Closing

  @Test func `PS-01 closing waits for a save, and later calls are refused`() throws {
    let store = ScriptedStore()
    let container = try open(store)
    let context = container.makeContext()
    _ = try insert("Lem", [], context)
    let closing = DispatchGroup()
    let started = OnceFlag()
    store.whileSaving {
      guard started.set() else { return }
      closing.enter()
      Thread {
        container.close()
        closing.leave()
      }.start()
      #expect(store.closeCount == 0)
    }
    try context.save()
    closing.wait()
    #expect(store.contents?.objects.count == 1)
    #expect(store.closeCount == 1)
    _ = try? insert("Twain", [], context)
    expectFailure(.storeClosed) { try context.save() }
  }
}

/// Set once.
private final class OnceFlag: @unchecked Sendable {
  // Sendable by argument: the flag is touched under the lock.

  private let lock = NSLock()
  private var isSet = false

  /// Sets it; false if it was already.
  func set() -> Bool {
    lock.withLock {
      defer { isSet = true }
      return !isSet
    }
  }
}
