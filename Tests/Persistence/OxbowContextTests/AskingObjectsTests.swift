import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is asked of objects and contexts where Core Data's users look for it (review 2, P2 to P11).
@Suite struct AskingObjectsTests {
  let library: Library
  let context: ManagedObjectContext

  init() throws {
    library = try Library()
    context = library.context()
  }

  // MARK: Conditions

  @Test func `P2 a condition is asked of an object, with its unsaved changes`() throws {
    let author = try context.insert(Author.self) { $0.name = "Lem" }
    let book = try library.book("Summa", pages: 600, in: context)
    book.author = author
    let condition = try FetchPredicate(format: "pages > 500 AND author.name BEGINSWITH 'L'")
    #expect(try condition.matches(book))
    try context.save()
    let other = library.context("other")
    let fault = try other.object(with: book.objectID)
    #expect(try condition.matches(fault))
    book.pages = 5
    #expect(try !condition.matches(book))
    #expect(try FetchPredicate(format: "ANY books.pages == 5").matches(author))
    try context.delete(book)
    #expect(try FetchPredicate(format: "books.@count == 0").matches(author))
  }

  @Test func `P2 a condition that does not fit the object is an error`() throws {
    let book = try library.book("Summa", in: context)
    #expect(throws: PersistenceError.self) {
      try FetchPredicate.equal("nobody", 1).matches(book)
    }
    try context.delete(book)
    let error = #expect(throws: PersistenceError.self) {
      try FetchPredicate.equal("pages", 1).matches(book)
    }
    #expect(error?.code == .foreignObject)
  }

  // MARK: Orders

  @Test func `P7 a key of a superclass orders objects of a class below`() throws {
    for title in ["b", "a"] {
      let novel = try context.insert(Novel.self)
      novel.title = title
    }
    let keys = [SortKey<ManagedObject>("title")] + [SortKey<ManagedObject>("pages")]
    let titles = try context.fetch(Novel.self, sortedBy: keys.map { SortKey<Novel>($0) })
      .map(\.title)
    #expect(titles == ["a", "b"])
    let long: SortKey<Book> = .descending(\.title)
    #expect(try context.fetch(Novel.self, sortedBy: [SortKey(long)]).map(\.title) == ["b", "a"])
    let error = #expect(throws: PersistenceError.self) {
      try context.fetch(Novel.self, sortedBy: [SortKey(SortKey<Author>("name"))])
    }
    #expect(error?.code == .invalidPredicate)
  }

  // MARK: By name

  @Test func `P10 values and descriptions by name`() throws {
    let book = try library.book("Summa", pages: 600, in: context)
    #expect(try book.attribute("title") == .string("Summa"))
    try book.setAttribute(.integer(7), for: "pages")
    #expect(book.pages == 7)
    #expect(book.entityDescription.attributes.map(\.name).contains("title"))
    let author = try context.insert(Author.self)
    #expect(try author.attribute("age") == nil)
    try author.setAttribute(.integer(3), for: "age")
    try author.setAttribute(nil, for: "age")
    #expect(author.age == nil)
    let error = #expect(throws: PersistenceError.self) { try book.attribute("titel") }
    #expect(error?.code == .unknownProperty && error?.nearNames == ["title"])
    #expect(throws: PersistenceError.self) { try book.attribute("author") }
  }

  @Test func `P11 whole numbers fit Double, Float and Decimal, and 0 and 1 a Boolean`() throws {
    let types: [AttributeType] = [.double, .float, .decimal, .boolean]
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Row",
        attributes: types.map { AttributeDescription($0.rawValue, $0, isOptional: true) })
    ])
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(model, classes: []), at: .inMemory)
    let context = ManagedObjectContext(coordinator: coordinator)
    let row = try context.insert(entityNamed: "Row")
    for type in types { try row.setValue(1, for: type.rawValue) }
    #expect(try row.attribute(AttributeType.double.rawValue) == .double(1))
    #expect(try row.attribute(AttributeType.float.rawValue) == .double(1))
    #expect(try row.attribute(AttributeType.decimal.rawValue) == .decimal(1))
    #expect(try row.attribute(AttributeType.boolean.rawValue) == .boolean(true))
    for (type, value) in [(AttributeType.boolean, 2), (.double, Int.max), (.float, 1 << 24 + 1)] {
      #expect(throws: PersistenceError.self) { try row.setValue(value, for: type.rawValue) }
    }
    #expect(throws: PersistenceError.self) { try row.setValue(1.5, for: "Decimal") }
    try context.save()
  }

  @Test func `P11 rows without columns have all stored attributes`() throws {
    _ = try library.book("Summa", pages: 600, in: context)
    let row = try #require(try context.fetchRows(RowRequest("Book")).first)
    #expect(row["title"] == .attribute(.string("Summa")))
    #expect(row["pages"] == .attribute(.integer(600)))
    try context.save()
    #expect(try context.fetchRows(RowRequest("Book", [])).count == 1)
  }

  @Test(arguments: [false, true]) func `conditions are summed`(isSaved: Bool) throws {
    for pages in [1, 6, 7] as [Int32] { _ = try library.book("b", pages: pages, in: context) }
    if isSaved { try context.save() }
    let rows = try context.fetchRows(
      RowRequest("Book", ["sum(TERNARY(pages > 5, 1, 0)) as long", "sum(pages ** 2) as squares"]))
    #expect(rows.map { $0["long"] } == [.attribute(.integer(2))])
    #expect(rows.map { $0["squares"] } == [.attribute(.double(86))])
    let odd = try FetchPredicate(format: "(pages ^ 1) < pages")
    #expect(try context.count(Book.self, where: odd) == 2)
  }

  @Test func `a value is validated before it is set`() throws {
    let book = try library.book("Summa", in: context)
    try book.validateValue("x", for: "title")
    let error = #expect(throws: PersistenceError.self) {
      try book.validateAttribute(nil, for: "title")
    }
    #expect(error?.validationFailures.map(\.rule) == [.required])
    #expect(error?.validationFailures.map(\.property) == ["title"])
    #expect(book.title == "Summa")
  }

  // MARK: Contexts

  @Test func `all objects are refreshed, and unsaved changes stay if they are merged`() throws {
    let books = try ["a", "b"].map { try library.book($0, in: context) }
    try context.save()
    let other = library.context("other")
    for book in try other.fetch(Book.self) { book.pages = 9 }
    try other.save()
    books[0].title = "mine"
    let new = try library.book("new", in: context)
    try context.refreshAllObjects()
    #expect(books.map(\.pages) == [9, 9] && books[0].title == "mine" && new.title == "new")
    try context.save()
    books[1].title = "lost"
    try context.refreshAllObjects(mergingChanges: false)
    #expect(books[1].title == "b" && !context.hasChanges)
  }

  @Test func `a batch deletes objects of an entity without those of entities below`() throws {
    _ = try library.book("book", in: context)
    let novel = try context.insert(Novel.self)
    novel.title = "novel"
    try context.save()
    var request = FetchRequest<Book>()
    request.includesSubentities = false
    #expect(try context.batchDelete(request).count == 1)
    #expect(try library.titlesOnDisk() == ["novel"])
  }

  @Test func `a context keeps what a program puts into it`() throws {
    context.userInfo["author"] = "Lem"
    #expect(context.userInfo["author"] as? String == "Lem")
  }

  // MARK: Events

  @Test func `P4 a context reports its changes, each once`() throws {
    var heard: [ContextChange] = []
    let subscription = context.onChange { heard.append($0) }
    let book = try library.book("a", in: context)
    let other = try library.book("b", in: context)
    context.processPendingChanges()
    context.processPendingChanges()
    #expect(heard.map(\.insertedObjectIDs) == [[book.objectID, other.objectID]])
    book.title = "c"
    try context.save()
    #expect(heard.count == 2 && heard[1].updatedObjectIDs == [book.objectID])
    other.title = "d"
    try context.delete(book)
    context.processPendingChanges()
    #expect(heard.last?.updatedObjectIDs == [other.objectID])
    #expect(heard.last?.deletedObjectIDs == [book.objectID])
    try context.rollback()
    context.processPendingChanges()
    #expect(heard.last?.refreshedObjectIDs == [book.objectID, other.objectID])
    subscription.cancel()
    other.title = "e"
    context.processPendingChanges()
    #expect(heard.count == 4)
  }

  @Test func `P4 a save is reported before it begins, and may be refused`() throws {
    var saves = 0
    var refusal: PersistenceError?
    let subscription = context.onWillSave { () throws(PersistenceError) in
      saves += 1
      for book in try context.fetch(Book.self) { book.pages = 3 }
      if let refusal { throw refusal }
    }
    try context.save()
    #expect(saves == 0)
    let book = try library.book("a", in: context)
    try context.save()
    #expect(saves == 1 && book.pages == 3 && !context.hasChanges)
    book.title = "b"
    refusal = PersistenceError(.validation, "not today")
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(context.hasChanges)
    withExtendedLifetime(subscription) {}
  }

  @Test func `P4 a body that hears of changes must not save`() throws {
    var code: PersistenceError.Code?
    let subscription = context.onChange { _ in
      do throws(PersistenceError) { try context.save() } catch { code = error.code }
    }
    _ = try library.book("a", in: context)
    context.processPendingChanges()
    #expect(code == .insideHook)
    withExtendedLifetime(subscription) {}
  }

  // MARK: Merging

  @Test func `P3 a program has the last word on what its policy has merged`() throws {
    let other = library.context("other")
    let (mine, theirs) = try library.sharedBook(context, other)
    theirs.pages = 10
    theirs.title = "theirs"
    try other.save()
    mine.title = "mine"
    context.mergePolicy = .mergeByPropertyStoreTrump
    var seen: [[String]] = []
    context.afterMerging = { conflicts, context throws(PersistenceError) in
      seen.append(conflicts.map { "\($0.kind) \($0.contestedProperties)" })
      for id in conflicts.map(\.objectID) {
        let book = try context.existingObject(with: id, as: Book.self)
        book.title += " and mine"
        book.author?.name = "shared"
      }
    }
    try context.save()
    #expect(seen == [["update [\"title\"]"]])
    #expect(try library.titlesOnDisk() == ["theirs and mine"])
    #expect(mine.pages == 10)
    #expect(try library.context().fetch(Author.self).first?.name == "shared")
  }

  @Test func `P3 what the rule throws refuses the save, and nothing has changed`() throws {
    let other = library.context("other")
    let (mine, theirs) = try library.sharedBook(context, other)
    theirs.title = "theirs"
    try other.save()
    mine.title = "mine"
    context.mergePolicy = .mergeByPropertyObjectTrump
    context.afterMerging = { _, context throws(PersistenceError) in
      for book in try context.fetch(Book.self) { book.pages = 77 }
      throw PersistenceError(.validation, "not today")
    }
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.message == "not today")
    #expect(mine.title == "mine" && mine.pages == 1)
    #expect(try library.titlesOnDisk() == ["theirs"])
    context.afterMerging = nil
    try context.save()
    #expect(try library.titlesOnDisk() == ["mine"])
  }

  @Test func `P3 what the rule sets is validated`() throws {
    let other = library.context("other")
    let (mine, theirs) = try library.sharedBook(context, other)
    theirs.pages = 10
    try other.save()
    mine.title = "mine"
    context.mergePolicy = .mergeByProperty
    context.afterMerging = { conflicts, context throws(PersistenceError) in
      let book = try context.existingObject(with: conflicts[0].objectID, as: Book.self)
      try book.setAttribute(nil, for: "title")
    }
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.validationFailures.map(\.property) == ["title"])
    #expect(mine.title == "mine")
  }
}
