import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

@Suite struct FaultTests {
  let library: Library

  init() throws { library = try Library() }

  /// Two authors with three books each.
  func fill() throws {
    let context = library.context()
    for name in ["A", "B"] {
      let author = try context.insert(Author.self)
      author.name = name
      for number in 1...3 {
        let book = try library.book("\(name)\(number)", in: context)
        book.author = author
      }
    }
    try context.save()
  }

  @Test func `a row is one object in a context (PF-01)`() throws {
    try fill()
    let context = library.context()
    let first = try context.fetch(FetchRequest<Book>(sortedBy: [SortKey("title")]))
    let second = try context.fetch(FetchRequest<Book>(sortedBy: [SortKey("title")]))
    #expect(first.count == 6)
    #expect(zip(first, second).allSatisfy { $0 === $1 })
    let id = first[0].objectID
    #expect(try context.object(with: id) === first[0])
    #expect(context.registeredObject(for: id) === first[0])
  }

  @Test func `a relationship is read ahead of those that have it, each entity its own`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription("Person", attributes: [AttributeDescription("name", .string)]),
      EntityDescription(
        "Employee", parent: "Person",
        relationships: [RelationshipDescription("projects", to: "Project", isToMany: true)]),
      EntityDescription(
        "Customer", parent: "Person",
        attributes: [AttributeDescription("nick", .string, isOptional: true)],
        relationships: [RelationshipDescription("projects", to: "Project", isToMany: true)]),
      EntityDescription("Project"),
    ])
    let coordinator = try PersistentStoreCoordinator(CompiledModel(model), at: .inMemory)
    let writer = ManagedObjectContext(coordinator: coordinator)
    let people = try ["Employee", "Customer"].map { entity in
      let person = try writer.insert(entityNamed: entity)
      try person.setValue(entity, for: "name")
      try person.setObjects([writer.insert(entityNamed: "Project")], for: "projects")
      return person
    }
    try writer.save()
    let context = ManagedObjectContext(coordinator: coordinator)
    let found = try people.map { try context.existingObject(with: $0.objectID) }
    try found[1].setValue("new", for: "nick")
    try context.load("projects", of: found)
    #expect(try found[1].value("nick", as: String.self) == "new")
    for person in found { #expect(try person.objects("projects").count == 1) }
    #expect(context.statistics.fetches == 4)
    let error = #expect(throws: PersistenceError.self) { try context.load("nick", of: found) }
    #expect(error?.code == .unknownProperty)
  }

  @Test func `faults that were asked for one by one are read one by one`() throws {
    try fill()
    let ids = try library.context().fetchIDs(FetchRequest<Book>())
    let context = library.context()
    let new = try library.book("new", in: context)
    let faults = try ids.map { try context.object(with: $0) }
    #expect((faults[0] as? Book)?.title == "A1")
    #expect(faults.map(\.isFault) == [false, true, true, true, true, true])
    #expect(new.title == "new" && new.hasChanges)
    try context.save()
    #expect(faults.map(\.isFault) == [false, true, true, true, true, true])
    try context.load(faults)
    #expect(faults.allSatisfy { !$0.isFault })
  }

  @Test func `PF-01 a fetch of what is registered brings what others have changed, and no more`()
    throws
  {
    try fill()
    let context = library.context()
    let request = FetchRequest<Book>(sortedBy: [SortKey("title")])
    let held = try context.fetch(request)
    let fault = try context.object(with: held[0].objectID)
    let elsewhere = library.context()
    let others = try elsewhere.fetch(request)
    for index in [1, 2] { others[index].pages = 90 }
    try elsewhere.delete(others[5])
    try elsewhere.save()
    held[2].pages = 7
    try context.refresh(held[3])
    // The one that is edited here keeps its edit and its version; the one that is a fault is read.
    for books in [try context.fetch(request), try context.fetch(request)] {
      #expect(books.count == 5)
      #expect(zip(books, held).allSatisfy { $0 === $1 })
      #expect(books.map(\.pages) == [0, 90, 7, 0, 0])
    }
    #expect(fault === held[0])
    #expect(throws: PersistenceError.self) { try context.save() }
    try context.rollback()
    #expect(try context.fetch(request).map(\.pages) == [0, 90, 90, 0, 0])
  }

  @Test func `touching one to-one relationship reads the objects of the whole fetch (PF-03)`()
    throws
  {
    try fill()
    let context = library.context()
    let books = try context.fetch(FetchRequest<Book>(sortedBy: [SortKey("title")]))
    #expect(books.compactMap { $0.author?.name } == ["A", "A", "A", "B", "B", "B"])
    #expect(context.statistics.faultsFired == 1)
  }

  @Test func `touching one to-many relationship reads it for the whole fetch (PF-03)`() throws {
    try fill()
    let context = library.context()
    let authors = try context.fetch(FetchRequest<Author>(sortedBy: [SortKey("name")]))
    #expect(
      authors.map { $0.books.map(\.title).sorted() } == [["A1", "A2", "A3"], ["B1", "B2", "B3"]])
    #expect(context.statistics.faultsFired == 1)
  }

  @Test func `relationships that were loaded ahead fire no fault (PF-05)`() throws {
    try fill()
    let context = library.context()
    context.faultPolicy = .refuse
    let authors = try context.fetch(FetchRequest<Author>())
    try context.load("books", of: authors)
    #expect(authors.flatMap(\.books).count == 6)
    let books = try context.fetch(FetchRequest<Book>())
    #expect(Set(books.compactMap { $0.author?.name }) == ["A", "B"])
    #expect(context.statistics.faultsFired == 0)
  }

  @Test func `a refused fault gives a stand-in, and the next call throws (PF-04)`() throws {
    try fill()
    let context = library.context()
    let id = try #require(try context.fetchIDs(FetchRequest<Book>()).first)
    context.faultPolicy = .refuse
    let book = try #require(try context.object(with: id) as? Book)
    #expect(book.isFault)
    #expect(book.title == "")
    let error = #expect(throws: PersistenceError.self) { try context.fetch(FetchRequest<Book>()) }
    #expect(error?.code == .faultRefused)
    try context.load([book])
    #expect(book.title == "A1")
  }

  @Test
  func
    `a fault whose row is gone reads as a stand-in, and save refuses until a refresh (review S-L5)`()
    throws
  {
    try fill()
    let context = library.context()
    let id = try #require(try context.fetchIDs(FetchRequest<Book>()).first)
    let book = try #require(try context.object(with: id) as? Book)
    let killer = library.context()
    try killer.delete(try killer.existingObject(with: id, as: Book.self))
    try killer.save()

    _ = try library.book("kept", in: context)
    #expect(book.title == "")
    #expect(book.faultError?.code == .rowGone)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .rowGone)
    #expect(error?.objectIDs == [id])
    #expect("\(error!)".contains("'\(id)'"))
    #expect(try library.titlesOnDisk().contains("kept") == false)
    let again = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(again?.code == .rowGone)
    #expect("\(again!)".contains("refresh that object, or roll back"))
    #expect(try library.titlesOnDisk().contains("kept") == false)
    try context.refresh(book)
    try context.save()
    #expect(try library.titlesOnDisk().contains("kept"))
  }

  @Test func `loading a fault whose row is gone throws`() throws {
    let context = library.context()
    let book = try library.book("Solaris", in: context)
    try context.save()
    let id = book.objectID
    try context.delete(book)
    try context.save()
    let error = #expect(throws: PersistenceError.self) {
      try library.context().existingObject(with: id, as: Book.self)
    }
    #expect(error?.code == .rowGone)
  }

  @Test func `clean objects that are not held are swept`() throws {
    try fill()
    let context = library.context()
    var books = try context.fetch(FetchRequest<Book>())
    #expect(context.registeredCount == 6)
    let kept = books[0]
    books[1].pages = 5
    books = []
    context.sweep()
    #expect(context.registeredCount == 2)
    #expect(kept.title != "")
    try context.save()
    context.sweep()
    #expect(context.registeredCount == 1)
  }

  @Test func `a rule that may not read stops one save, and not the next one`() throws {
    let crew = EntityDescription(
      "Crew", attributes: [],
      relationships: [
        RelationshipDescription(
          "members", to: "Member", inverse: "crew", isToMany: true, maximumCount: 9)
      ])
    let member = EntityDescription(
      "Member", attributes: [],
      relationships: [RelationshipDescription("crew", to: "Crew", inverse: "members")])
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(entities: [crew, member]), classes: []), at: .inMemory)
    let writer = ManagedObjectContext(coordinator: coordinator, name: "writer")
    let written = try writer.insert(entityNamed: "Crew")
    try writer.insert(entityNamed: "Member").setObjects([written], for: "crew")
    try writer.save()

    let context = ManagedObjectContext(coordinator: coordinator, name: "context")
    let found = try context.existingObject(with: written.objectID, as: ManagedObject.self)
    context.faultPolicy = .refuse
    try context.insert(entityNamed: "Member").setObjects([found], for: "crew")
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .faultRefused)
    try context.load("members", of: [found])
    try context.save()
    #expect(try found.objects("members").count == 2)
  }

  @Test func `an object that was released on another thread does no harm`() throws {
    try fill()
    let context = library.context()
    final class Box: @unchecked Sendable { var books: [Book] = [] }
    for _ in 0..<50 {
      let box = Box()
      box.books = try context.fetch(FetchRequest<Book>())
      let done = ThreadRunner { box.books = [] }
      _ = try context.fetch(FetchRequest<Book>())
      context.sweep()
      done.join()
    }
    #expect(try context.count(FetchRequest<Book>()) == 6)
  }

  @Test func `sub-entities come as their own classes (PM-02)`() throws {
    let context = library.context()
    let novel = try context.insert(Novel.self)
    novel.title = "Emma"
    novel.genre = "comedy"
    _ = try library.book("Atlas", in: context)
    try context.save()
    let other = library.context()
    let books = try other.fetch(FetchRequest<Book>(sortedBy: [SortKey("title")]))
    #expect(books.map { "\(type(of: $0))" } == ["Book", "Novel"])
    #expect((books[1] as? Novel)?.genre == "comedy")
    var plain = FetchRequest<Book>()
    plain.includesSubentities = false
    #expect(try other.fetch(plain).map(\.title) == ["Atlas"])
    #expect(try other.fetch(FetchRequest<Novel>()).map(\.title) == ["Emma"])
  }
}
