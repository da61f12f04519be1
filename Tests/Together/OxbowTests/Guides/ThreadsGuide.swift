import Oxbow
import OxbowTesting
import Testing

// The code of docs/guide/threads.md.

/// The entities of the guide, and what it does with them.
enum ThreadsGuide {
  @Entity final class Book: ManagedObject {
    var title: String
    @Relationship(inverse: \.books) var author: Author?
  }

  @Entity final class Author: ManagedObject {
    @Relationship(inverse: \.author) var books: Set<Book> = []
  }

  static func store(with titles: String...) throws -> PersistentContainer {
    let store = try PersistentContainer(.temporary, types: [Book.self, Author.self])
    try store.perform { context in
      for title in titles { try context.insert(Book.self).title = title }
      try context.save()
    }
    return store
  }

  static func title(in store: PersistentContainer) throws -> [String] {
    let titles = try store.perform { context in
      try context.fetch(Book.self).map(\.title)
    }
    return titles
  }

  static func id(in store: PersistentContainer) throws -> ManagedObjectID {
    try #require(try store.perform { try $0.fetchIDs(Book.self).first })
  }

  struct Parameter {
    func rename(_ id: ManagedObjectID, to title: String, in context: ManagedObjectContext) throws {
      let book = try context.existingObject(with: id, as: Book.self)
      book.title = title
    }
  }

  struct RetryingUnits {
    func rename(_ id: ManagedObjectID, to title: String, in store: PersistentContainer) throws {
      try store.perform(retrying: TransactionRetry(attempts: 5)) { context in
        try context.existingObject(with: id, as: Book.self).title = title
        try context.save()
      }
    }
  }

  struct Retrying {
    func rename(_ id: ManagedObjectID, to title: String, in context: ManagedObjectContext) throws {
      while true {
        try context.existingObject(with: id, as: Book.self).title = title
        do { return try context.save() } catch {
          guard error.code == .conflict else { throw error }
          try context.rollback()
        }
      }
    }
  }

  final class Books: Sendable {
    private let context: any ObjectContext & Sendable

    init(context: any ObjectContext & Sendable) { self.context = context }

    func rename(_ id: ManagedObjectID, to title: String) throws {
      try context.existingObject(with: id, as: Book.self).title = title
      try context.save()
    }
  }
}

@Suite struct ThreadsGuideTests {
  typealias Book = ThreadsGuide.Book

  @Test func `a context as a parameter`() throws {
    let store = try ThreadsGuide.store(with: "Kim")
    let id = try ThreadsGuide.id(in: store)
    try store.perform { context in
      try ThreadsGuide.Parameter().rename(id, to: "Emma", in: context)
      try context.save()
    }
    #expect(try ThreadsGuide.title(in: store) == ["Emma"])
  }

  @Test func `an actor keeps its context (PS-04)`() async throws {
    let store = try ThreadsGuide.store(with: "Kim")
    let id = try ThreadsGuide.id(in: store)
    let library = ContextActor(store)
    try await library.perform { context in
      try context.existingObject(with: id, as: Book.self).title = "Kindred"
      try context.save()
    }
    #expect(try ThreadsGuide.title(in: store) == ["Kindred"])
  }

  @Test func `inside tasks`() async throws {
    let store = try ThreadsGuide.store(with: "Kim")
    let id = try ThreadsGuide.id(in: store)
    let books = ThreadsGuide.Books(context: store.contexts)
    try await store.withTaskContext { try books.rename(id, to: "Kindred") }
    #expect(try ThreadsGuide.title(in: store) == ["Kindred"])
  }

  @Test func `inside tasks, with the store of a container`() async throws {
    let builder = ContainerBuilder()
    let injected = builder.persistentStore(
      at: .temporary, types: [Book.self, ThreadsGuide.Author.self])
    let shared = builder.singleton(ThreadsGuide.Books.init(context:), injected)
    let container = try builder.build()
    let store = try PersistentContainer(
      coordinator: container.object("coordinator", as: PersistentStoreCoordinator.self))
    let id = try await store.perform { context in
      let book = try context.insert(Book.self) { $0.title = "Kim" }
      try context.save()
      return book.objectID
    }
    let books = try container.object(shared)
    let error = #expect(throws: PersistenceError.self) { try books.rename(id, to: "Kindred") }
    #expect(error?.code == .insideTask)
    #expect(error?.message.contains("`store.withTaskContext { … }`") == true)
    try await store.withTaskContext { try books.rename(id, to: "Emma") }
    #expect(try ThreadsGuide.title(in: store) == ["Emma"])
    let context = try container.object(injected)
    try await context.withTaskContext { try books.rename(id, to: "Kindred") }
    #expect(try ThreadsGuide.title(in: store) == ["Kindred"])
    try container.shutDown()
  }

  @Test func `objects whose context is gone`() throws {
    let store = try ThreadsGuide.store(with: "Kim")
    let books = try store.makeContext().fetch(Book.self)  // the context is gone
    print(books[0].title)  // as it was read
    print(books[0].author as Any)  // nil
    print(books[0].faultError as Any)  // "reading 'author' of 'Book/p1' had no effect, because …"
    #expect(books[0].title == "Kim")
    #expect(books[0].author == nil)
    #expect(
      books[0].faultError?.message.hasPrefix(
        "reading 'author' of 'Book/p1' had no effect, because the object belongs to no context")
        == true)
  }

  @Test func `a report reads one moment (PS-12)`() throws {
    let store = try ThreadsGuide.store(with: "Kim", "Emma")
    let report = try store.makePinnedContext()
    let count = try report.count(Book.self)
    let books = try report.fetch(Book.self)  // as many as were counted
    #expect(books.count == count)
    try store.perform { context in
      try context.insert(Book.self).title = "Kindred"
      try context.save()
    }
    #expect(try report.fetch(Book.self).count == count)
    #expect(try ThreadsGuide.title(in: store).count == 3)
  }

  @Test func `a save that meets a newer version is made again`() throws {
    let store = try ThreadsGuide.store(with: "Kim")
    let id = try ThreadsGuide.id(in: store)
    let late = store.makeContext()
    _ = try late.existingObject(with: id, as: Book.self).title
    try store.perform { try ThreadsGuide.Retrying().rename(id, to: "Emma", in: $0) }
    try ThreadsGuide.Retrying().rename(id, to: "Kindred", in: late)
    #expect(try ThreadsGuide.title(in: store) == ["Kindred"])
    try ThreadsGuide.RetryingUnits().rename(id, to: "Beloved", in: store)
    #expect(try ThreadsGuide.title(in: store) == ["Beloved"])
  }
}
