import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// PS-15: searches for words in contexts, where saved and unsaved objects are asked alike.
@Suite struct WordConditionTests {
  let library: Library
  let context: ManagedObjectContext

  init() throws {
    library = try Library()
    context = library.context()
    let author = try context.insert(Author.self) { $0.name = "Nadia Rust" }
    for title in ["Rust and iron", "The Rusty Gate", "Éclair; e-mail", "東京物語", ""] {
      try library.book(title, in: context).author = author
    }
    _ = try context.insert(Novel.self) { ($0.title, $0.genre) = ("Iron Novel", "rust belt") }
  }

  private func titles(_ condition: FetchPredicate, _ context: ManagedObjectContext? = nil) throws
    -> [String]
  {
    try (context ?? self.context).fetch(
      FetchRequest<Book>(where: condition, sortedBy: [SortKey("title")])
    ).map(\.title)
  }

  @Test(arguments: [
    ("rust*", ["Rust and iron", "The Rusty Gate"]), ("RUST NOT gate", ["Rust and iron"]),
    ("iron", ["Iron Novel", "Rust and iron"]), ("\"rust and\"", ["Rust and iron"]),
    ("gate OR novel", ["Iron Novel", "The Rusty Gate"]), ("eclair mail", ["Éclair; e-mail"]),
    ("京物", ["東京物語"]), ("ust", []), ("", []),
  ])
  func `PS-15 the same books are found unsaved, saved and changed`(
    search: String, expected: [String]
  ) throws {
    let condition = try FetchPredicate.words("title", search)
    #expect(try titles(condition) == expected)
    #expect(try context.count(FetchRequest<Book>(where: condition)) == expected.count)
    try context.save()
    #expect(try titles(condition) == expected)
    #expect(try titles(condition, library.context("other")) == expected)
    for book in try context.fetch(Book.self) { book.title = "nothing" }
    #expect(try titles(condition) == [])
    try context.rollback()
    #expect(try titles(condition) == expected)
    let child = ManagedObjectContext(parent: context)
    #expect(try titles(condition, child) == expected)
  }

  @Test func `PS-15 PG-10 a child asks its parent's unsaved texts, and its own`() throws {
    let child = ManagedObjectContext(parent: context)
    _ = try library.book("Rust never sleeps", in: child)
    let condition = try FetchPredicate.words("title", "rust")
    #expect(try titles(condition, child) == ["Rust and iron", "Rust never sleeps"])
    #expect(try titles(condition) == ["Rust and iron"])
    try child.save()
    #expect(try titles(condition) == ["Rust and iron", "Rust never sleeps"])
  }

  @Test func `PS-15 terms in several texts, through relationships, and quantifiers`() throws {
    for isSaved in [false, true] {
      if isSaved { try context.save() }
      #expect(
        try titles(.words(["title", "author.name"], "rust nadia gate")) == ["The Rusty Gate"])
      #expect(
        try titles(.words(["title", "author.name"], "\"nadia rust\" mail")) == ["Éclair; e-mail"])
      #expect(try titles(.not(.words("author.name", "nadia"))) == ["Iron Novel"])
      #expect(try titles(FetchPredicate(format: "ANY author.books.title WORDS 'gate'")).count == 5)
      #expect(
        try titles(FetchPredicate(format: "NONE author.books.title WORDS 'gate'")) == ["Iron Novel"]
      )
      #expect(
        try context.fetch(Novel.self, where: .words(["genre", "title"], "belt iron")).map(\.title)
          == ["Iron Novel"])
      #expect(
        try context.fetch(Author.self, where: .any("books", .words("title", "tokyo OR 東京"))).count
          == 1)
    }
  }

  @Test func `PS-15 PS-09 a list follows texts that begin and cease to meet a search`() throws {
    try context.save()
    let list = try FetchedResults(
      FetchRequest<Book>(where: .words("title", "rust*"), sortedBy: [SortKey("title")]), in: context
    )
    #expect(list.objects.map(\.title) == ["Rust and iron", "The Rusty Gate"])
    list.objects[0].title = "Dust and iron"
    _ = try library.book("Rusts", in: context)
    #expect(try !list.update().isEmpty)
    #expect(list.objects.map(\.title) == ["Rusts", "The Rusty Gate"])
    let other = library.context("other")
    for book in try other.fetch(Book.self, where: .words("title", "gate")) { book.title = "Gate" }
    try other.save()
    #expect(try !list.update().isEmpty)
    #expect(list.objects.map(\.title) == ["Rusts"])
  }

  @Test func `PS-15 batches take a search as their condition`() throws {
    try context.save()
    let result = try context.batchUpdate(Book.self, where: .words("title", "rust* NOT iron")) {
      $0.set(\.pages, to: 9)
    }
    #expect(result.count == 1)
    #expect(try titles(.equal("pages", 9), library.context("other")) == ["The Rusty Gate"])
    #expect(try context.batchDelete(Book.self, where: .not(.words("title", "iron"))).count == 4)
  }

  @Test func `PS-15 what cannot be searched is refused, whatever is unsaved`() throws {
    for isSaved in [false, true] {
      if isSaved { try context.save() }
      let number = #expect(throws: PersistenceError.self) { try titles(.words("pages", "rust")) }
      #expect(number?.message == "a whole number cannot be searched with 'words'; it needs text")
      let name = #expect(throws: PersistenceError.self) { try titles(.words("titel", "rust")) }
      #expect(name?.code == .unknownProperty && name?.nearNames == ["title"])
      let search = #expect(throws: PersistenceError.self) {
        try titles(.words([.path(["title"])], .value("rust OR".fetchValue)))
      }
      #expect(search?.code == .invalidPredicate)
    }
  }
}
