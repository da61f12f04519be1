import Foundation
import Oxbow
import OxbowTesting
import Testing

// The code of docs/guide/fetching.md.

/// The entities of the guide, and what it asks.
enum FetchingGuide {
  @Entity class Book: ManagedObject {
    var title: String
    var pages: Int = 0
    var year: Int = 0
    @Relationship(inverse: \.books) var author: Author?
    @Relationship(inverse: \.books) var tags: Set<Tag> = []
  }

  @Entity final class Novel: Book {}

  @Entity final class Author: ManagedObject {
    var name: String
    @Relationship(inverse: \.author) var books: Set<Book> = []
  }

  @Entity final class Tag: ManagedObject {
    var label: String
    var rank: Int = 0
    @Relationship(inverse: \.tags) var books: Set<Book> = []
  }

  @Entity final class Account: ManagedObject {
    var number: String
    @Relationship(inverse: \.account) var bookings: Set<Booking> = []
  }

  @Entity final class Booking: ManagedObject {
    var amount: Decimal
    var date: Date
    @Relationship(inverse: \.bookings) var account: Account?
  }

  static let types: [any ModelObject.Type] = [
    Book.self, Novel.self, Author.self, Tag.self, Account.self, Booking.self,
  ]

  /// A store with two authors, three books and four bookings.
  static func store() throws -> PersistentContainer {
    let store = try PersistentContainer(.temporary, types: types)
    try store.perform { context in
      let lem = try context.insert(Author.self) { $0.name = "Lem" }
      let kafka = try context.insert(Author.self) { $0.name = "Kafka" }
      let novel = try context.insert(Tag.self) { ($0.label, $0.rank) = ("novel", 5) }
      for (title, pages, year, author) in [
        ("Solaris", 204, 1961, lem), ("His Master's Voice", 501, 1968, lem),
        ("The Trial", 255, 1925, kafka),
      ] {
        try context.insert(Book.self) {
          ($0.title, $0.pages, $0.year, $0.author, $0.tags) = (title, pages, year, author, [novel])
        }
      }
      let account = try context.insert(Account.self) { $0.number = "1" }
      for (amount, day) in [(60, 0), (50, 1), (-5, 2), (70, 40)] {
        try context.insert(Booking.self) {
          ($0.amount, $0.account) = (Decimal(amount), account)
          $0.date = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)
        }
      }
      try context.save()
    }
    return store
  }

  static func conditions() throws -> [FetchRequest<Book>] {
    let long = FetchRequest<Book>(where: try FetchPredicate(#Predicate<Book> { $0.pages > 500 }))
    let found = FetchRequest<Book>(
      where: .contains("title", "solaris", [.caseInsensitive, .diacriticInsensitive])
        && .any("tags", .equal("label", "novel") && .greater("rank", 3)))
    let kafka = try FetchPredicate(
      format: "author.name BEGINSWITH[c] %@ AND year BETWEEN {%d, %d}", "kafka", 1910, 1930)
    let template = try FetchPredicate(format: "author.name == $name AND year IN $years")
    let lem = try template.substituting(["name": "Lem", "years": [1961, 1968]])
    return [long, found, FetchRequest(where: kafka), FetchRequest(where: lem)]
  }

  static func books(of author: Author, in context: ManagedObjectContext) throws -> [Book] {
    let id = author.objectID
    let his = try context.fetch(Book.self, where: #Predicate { $0.author?.objectID == id })
    return his
  }

  static func templates() throws -> [String] {
    let condition = try FetchPredicate(format: "author.name == $name")
    let model = ManagedObjectModel(types: types).adding(fetchRequestTemplates: [
      FetchRequestTemplate("booksOf", entity: "Book", where: condition)
    ])
    let store = try PersistentContainer(.temporary, model: model, classes: types)
    return try store.perform { context in
      try context.insert(Book.self) { book in
        book.title = "Solaris"
        book.author = try context.insert(Author.self) { $0.name = "Lem" }
      }
      try context.save()
      let books: [Book] = try context.fetch(template: "booksOf", ["name": "Lem"])
      return books.map(\.title)
    }
  }

  static func ahead(_ context: ManagedObjectContext) throws -> [String] {
    let books = try context.fetch(
      Book.self, sortedBy: [.ascending(\.title)], prefetching: [\.author?.books, \.tags])
    return books.flatMap { book in (book.author?.books ?? []).map(\.title) }.sorted()
  }

  static func inBatches(_ context: ManagedObjectContext) throws -> Int {
    let books = try context.fetch(
      FetchRequest<Book>(sortedBy: [.ascending(\.title)], prefetching: [\.author]), batchSize: 50)
    // One statement for the IDs, one for 50 books, one for their authors.
    print(books.count, books[2].title)
    return books.count
  }

  static func asStream(_ store: PersistentContainer) async throws {
    let request = FetchRequest<Book>(where: .greater("pages", 250))
    let titles = store.stream(request, row: { $0.title })
    for try await title in titles { print(title) }
  }

  actor Editor {
    private let context: ManagedObjectContext

    init(_ store: PersistentContainer) { context = store.makeContext() }

    func addPages() async throws {
      for try await book in context.stream(FetchRequest<Book>(), pageSize: 200) { book.pages += 1 }
      try context.save()
    }
  }

  static func inSQL(_ context: ManagedObjectContext) throws -> [Int] {
    let rows = try context.fetchRows(
      sql: """
        SELECT \(\Book.author) AS author, count(*) AS n FROM \(Book.self)
        WHERE \(\Book.pages) > \(200) GROUP BY 1 ORDER BY 2
        """)
    for row in rows {
      print(try row.value("author", as: Int.self), try row.value("n", as: Int.self))
    }
    return try rows.map { try $0.value("n", as: Int.self) }
  }

  static func inGroups(_ context: ManagedObjectContext) throws -> [Decimal] {
    let lines = try context.aggregate(Booking.self, where: #Predicate { $0.amount > 0 }) {
      (
        account: $0.key(\.account?.number), year: $0.year(\.date), month: $0.month(\.date),
        sum: $0.sum(\.amount), n: $0.count()
      )
    }
    for line in lines { print(line.account ?? "none", line.year, line.month, line.sum) }
    let months = lines.map { String(format: "%04d-%02d", $0.year, $0.month) }  // "2026-03"
    #expect(months.allSatisfy { $0.count == 7 })
    return lines.map(\.sum)
  }

  static func ofGroups(_ context: ManagedObjectContext) throws -> [Decimal] {
    let top = try context.aggregate(
      Booking.self, having: { $0.sum(\.amount) > 100 && $0.count() >= 2 },
      sortedBy: { [.descending($0.sum(\.amount))] }, limit: 10
    ) { (account: $0.key(\.account?.number), sum: $0.sum(\.amount)) }
    return top.map(\.sum)
  }

  static func byName(_ context: ManagedObjectContext) throws -> Int {
    let request = RowRequest(
      "Booking",
      [
        "account.number as account", "month(date, 'Europe/Berlin') as month",
        "sum(amount) as total",
      ],
      having: try FetchPredicate(format: "total > 100 AND count(amount) > 1"),
      sortedBy: [.descending("total")])
    let rows = try context.fetchRows(request)
    for row in rows {
      print(row["account"] ?? .null, try row.value("total", as: Decimal.self) ?? 0)
    }
    return rows.count
  }
}

@Suite struct FetchingGuideTests {
  typealias Book = FetchingGuide.Book

  @Test func `conditions of the guide find what they say`() throws {
    let titles = try FetchingGuide.store().perform { context in
      try FetchingGuide.conditions().map { try context.fetch($0).map(\.title).sorted() }
    }
    #expect(
      titles == [
        ["His Master's Voice"], ["Solaris"], ["The Trial"], ["His Master's Voice", "Solaris"],
      ])
    #expect(try FetchingGuide.templates() == ["Solaris"])
  }

  @Test func `an object is compared by its ID`() throws {
    let titles = try FetchingGuide.store().perform { context in
      let kafka = try #require(
        try context.fetch(FetchingGuide.Author.self, where: .equal("name", "Kafka")).first)
      return try FetchingGuide.books(of: kafka, in: context).map(\.title)
    }
    #expect(titles == ["The Trial"])
  }

  @Test func `the error of the guide is that of the library`() throws {
    let text = try #require(try Guide(name: "fetching").texts("text").first)
    let error = try #require(
      #expect(throws: PersistenceError.self) {
        try FetchPredicate(format: "title BEGINWITH %@", "x")
      })
    let shown = "\(error)".split(whereSeparator: \.isWhitespace)
    #expect(shown.suffix(20) == text.split(whereSeparator: \.isWhitespace).suffix(20))
  }

  @Test func `relationships, batches, streams and SQL of the guide`() async throws {
    let store = try FetchingGuide.store()
    let context = store.makeContext()
    #expect(try FetchingGuide.ahead(context).count == 5)
    #expect(try FetchingGuide.inBatches(context) == 3)
    #expect(try FetchingGuide.inSQL(context) == [1, 2])
    try await FetchingGuide.asStream(store)
    try await FetchingGuide.Editor(store).addPages()
    let pages = try await store.perform { try $0.fetch(Book.self).map(\.pages).sorted() }
    #expect(pages == [205, 256, 502])
  }

  @Test(
    .objectContext { try PersistentContainer(.temporary, types: FetchingGuide.types) },
    .noUnplannedReads)
  func `the report reads nothing on the way`() throws {
    let context = try ObjectContextTrait.contexts
    let books = try context.fetch(Book.self, prefetching: [\.author])
    let names = books.map { $0.author?.name ?? "unknown" }
    #expect(names.isEmpty)
  }

  @Test(
    .objectContext { try PersistentContainer(.temporary, types: FetchingGuide.types) },
    .statements(atMost: 1), .noFullScans, .noLoopedFetches)
  func `a title is looked up once`() throws {
    let books = try ObjectContextTrait.contexts.fetch(
      FetchRequest<FetchingGuide.Book>(where: .equal("title", "Solaris")))
    #expect(books.isEmpty)
  }

  @Test func `sums and groups of the guide`() throws {
    let context = try FetchingGuide.store().makeContext()
    #expect(try FetchingGuide.inGroups(context) == [110, 70])
    #expect(try FetchingGuide.ofGroups(context) == [175])
    #expect(try FetchingGuide.byName(context) == 1)
  }
}
