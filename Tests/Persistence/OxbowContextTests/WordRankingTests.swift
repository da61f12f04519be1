import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

/// PS-15: ranked searches of contexts, with and without an index, saved and unsaved.
@Suite struct WordRankingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(
    isIndexed: Bool = true, isReadOnly: Bool = false
  ) throws -> PersistentStoreCoordinator {
    let types: [any ModelObject.Type] = [Author.self, Book.self, Novel.self, Tag.self]
    var model = ManagedObjectModel(types: types)
    model = ManagedObjectModel(
      entities: model.entities.map { entity in
        var entity = entity
        for index in entity.attributes.indices
        where isIndexed && entity.attributes[index].name == "title" {
          entity.attributes[index].search = .words
        }
        return entity
      })
    return try PersistentStoreCoordinator(
      CompiledModel(model, classes: types), at: .file(folder.file("library.sqlite")),
      options: SQLiteStoreOptions(isReadOnly: isReadOnly))
  }

  private static let texts = [
    "Iron and rust and old gates", "Rust", "Rust rust", "Gates of iron", "Nothing", "An old tale",
    "Another tale", "More tales", "Tales", "The end",
  ]

  /// A store with some books, of which the index has none, the first, or all.
  private func fill(_ coordinator: PersistentStoreCoordinator) throws -> ManagedObjectContext {
    let context = coordinator.context()
    let author = try context.insert(Author.self) { $0.name = "Rusty" }
    for (number, text) in Self.texts.enumerated() {
      let book = try context.insert(number == 3 ? Novel.self : Book.self) {
        ($0.title, $0.pages) = (text, Int32(number % 2))
      }
      book.author = author
    }
    try context.save()
    return context
  }

  private func titles(
    _ context: ManagedObjectContext, _ search: String, limit: Int? = nil, offset: Int = 0,
    sortedBy keys: [SortKey<Book>] = [.rank]
  ) throws -> [String] {
    let request = FetchRequest<Book>(
      where: try .words("title", search), sortedBy: keys, limit: limit, offset: offset)
    let titles = try context.fetch(request).map(\.title)
    #expect(try context.count(request) == titles.count)
    let ids = try context.fetchIDs(request)
    #expect(try ids.map { try context.existingObject(with: $0, as: Book.self).title } == titles)
    return titles
  }

  @Test(arguments: [true, false])
  func `PS-15 the best objects come first, in every kind of fetch`(isIndexed: Bool) async throws {
    let coordinator = try open(isIndexed: isIndexed)
    defer { coordinator.close() }
    let context = try fill(coordinator)
    let store = try #require(coordinator.store as? SQLiteStore)
    for caughtUp in [false, true] {
      if caughtUp { while try !store.catchUpSearch() {} }
      let best = ["Iron and rust and old gates", "Gates of iron", "Rust rust", "Rust"]
      let search = "rust OR iron"
      #expect(try titles(context, search) == best)
      #expect(try titles(context, "rust OR iron NOT old") == Array(best[1...]) + [best[0]])
      #expect(try titles(context, search, limit: 2, offset: 1) == Array(best[1...2]))
      #expect(
        try titles(context, search, limit: 3, sortedBy: [SortKey("pages"), .rank])
          == [best[0], best[2], best[1]])
      #expect(
        try titles(context, search, sortedBy: [SortKey("rank()", ascending: false)])
          == best.reversed())
      let request = FetchRequest<Book>(
        where: try .words("title", search) && .less("pages", 1), sortedBy: [.rank])
      #expect(
        try context.fetch(request, batchSize: 1).map(\.title) == [best[0], best[2]])
      var streamed: [String] = []
      for try await book in context.stream(request, pageSize: 1) { streamed.append(book.title) }
      #expect(streamed == [best[0], best[2]])
      let novels = FetchRequest<Novel>(where: try .words("title", "iron"), sortedBy: [.rank])
      #expect(try context.fetch(novels).map(\.title) == ["Gates of iron"])
    }
  }

  @Test(arguments: [true, false])
  func `PS-15 a view of a moment ranks the texts of that moment (PS-12)`(isIndexed: Bool) throws {
    let coordinator = try open(isIndexed: isIndexed)
    defer { coordinator.close() }
    let context = try fill(coordinator)
    let store = try #require(coordinator.store as? SQLiteStore)
    let rows = RowRequest(
      "Book", ["title", .rank], where: try .words("title", "rust"), sortedBy: [.rank])
    for caughtUp in [false, true] {
      if caughtUp { while try !store.catchUpSearch() {} }
      let (before, ranks) = (try titles(context, "rust"), try context.fetchRows(rows))
      let view = try ManagedObjectContext(pinning: coordinator)
      for book in try context.fetch(Book.self, where: .words("title", "rust")) {
        book.title += " and much else besides, so that the means are others"
      }
      _ = try context.insert(Book.self) { $0.title = "rust, rust, rust \(caughtUp)" }
      try context.save()
      while try !store.catchUpSearch() {}
      #expect(try titles(view, "rust") == before)
      #expect(try titles(view, "rust", limit: 2, offset: 1) == Array(before[1...2]))
      let seen = try view.fetchRows(rows)
      #expect(seen.map { $0["rank()"] } == ranks.map { $0["rank()"] })
      #expect(try titles(context, "rust").count == before.count + 1)
    }
  }

  @Test(arguments: [true, false])
  func `PS-15 each of several stores ranks its own texts (PS-08)`(isIndexed: Bool) throws {
    let alone = try open(isIndexed: isIndexed)
    let expected = try titles(fill(alone), "rust OR iron")
    alone.close()
    let stores = try TwoStores()
    let coordinator = try stores.open(searching: isIndexed ? ["title"] : [])
    defer { coordinator.close() }
    let context = try fill(coordinator)
    for number in 1...20 {
      _ = try context.insert(Picture.self) { $0.title = "rust iron \(number)" }
    }
    try context.save()
    #expect(try titles(coordinator.context(), "rust OR iron") == expected)
    #expect(
      try titles(coordinator.context(), "rust OR iron", limit: 2, offset: 1)
        == Array(expected[1...2]))
    _ = try context.insert(Book.self) { $0.title = "rust iron rust" }
    #expect(try titles(context, "rust iron OR rust")[0] == "rust iron rust")
    let pictures = FetchRequest<Picture>(
      where: try .words("title", "rust iron"), sortedBy: [.rank], limit: 2)
    #expect(try context.fetch(pictures).map(\.title) == ["rust iron 1", "rust iron 2"])
  }

  @Test(arguments: [true, false])
  func `PS-15 unsaved texts are ranked by the numbers of the saved ones`(isIndexed: Bool) throws {
    let coordinator = try open(isIndexed: isIndexed)
    defer { coordinator.close() }
    let context = try fill(coordinator)
    let rust = try #require(try context.fetch(Book.self, where: .equal("title", "Rust")).first)
    rust.title = "Rust in a text that is far longer than it was"
    _ = try context.insert(Book.self) { $0.title = "Rust rust rust" }
    let expected = ["Rust rust rust", "Rust rust", "Iron and rust and old gates", rust.title]
    #expect(try titles(context, "rust") == expected)
    #expect(try titles(context, "rust", limit: 2, offset: 1) == Array(expected[1...2]))
    let child = ManagedObjectContext(parent: context)
    #expect(try titles(child, "rust") == expected)
    _ = try child.insert(Book.self) { $0.title = "rust rust rust rust" }
    #expect(try titles(child, "rust") == ["rust rust rust rust"] + expected)
    let rows = RowRequest(
      "Book", [.rank, .snippet("title", SnippetStyle(words: 3), as: "piece"), "title"],
      where: try .words("title", "rust"), sortedBy: [.rank], limit: 4)
    let unsaved = try context.fetchRows(rows)
    #expect(try unsaved.map { try $0.value("title", as: String.self) } == expected)
    #expect(
      try unsaved.map { try $0.value("piece", as: String.self) }
        == ["[Rust] [rust] [rust]", "[Rust] [rust]", "…and [rust] and…", "[Rust] in a…"])
    let ranks = try unsaved.compactMap { try $0.value("rank()", as: Double.self) }
    #expect(ranks == ranks.sorted() && ranks.allSatisfy { $0 < 0 } && Set(ranks).count == 4)
    try context.save()
    let saved = try coordinator.context().fetchRows(rows)
    #expect(saved.map { $0["piece"] } == unsaved.map { $0["piece"] })
  }

  @Test func `PS-15 ties come in the order of keys, and other keys decide first`() throws {
    let coordinator = try open()
    defer { coordinator.close() }
    let context = coordinator.context()
    for number in 1...6 as ClosedRange<Int32> {
      _ = try context.insert(Book.self) { ($0.title, $0.pages) = ("rust \(number)", number / 3) }
    }
    for isSaved in [false, true] {
      if isSaved { try context.save() }
      #expect(try titles(context, "rust", limit: 3) == ["rust 1", "rust 2", "rust 3"])
      #expect(
        try titles(
          context, "rust", limit: 3, sortedBy: [.rank, SortKey("pages", ascending: false)])
          == ["rust 6", "rust 3", "rust 4"])
    }
  }

  @Test func `PS-15 a rank through a relationship, of several texts, and of a computed one`() throws
  {
    let coordinator = try open()
    defer { coordinator.close() }
    let context = try fill(coordinator)
    for isChanged in [false, true] {
      if isChanged { _ = try context.insert(Author.self) { $0.name = "x" } }
      func titles(_ condition: FetchPredicate) throws -> [String] {
        try context.fetch(
          FetchRequest<Book>(where: condition, sortedBy: [.rank, SortKey("title")], limit: 3)
        ).map(\.title)
      }
      #expect(
        try titles(.words(["title", "author.name"], "rust OR rusty"))
          == ["Rust rust", "Rust", "Iron and rust and old gates"])
      let either = try FetchPredicate(format: "title ?? 'none' WORDS 'rust'")
      #expect(try titles(either) == ["Rust rust", "Rust", "Iron and rust and old gates"])
      #expect(try titles(try .words("title", "")) == [])
    }
  }

  @Test func `PS-15 a list by rank follows each save`() throws {
    let coordinator = try open()
    defer { coordinator.close() }
    let context = try fill(coordinator)
    let list = try FetchedResults(
      FetchRequest<Book>(where: .words("title", "rust"), sortedBy: [.rank], limit: 2), in: context)
    #expect(list.objects.map(\.title) == ["Rust rust", "Rust"])
    let other = coordinator.context()
    _ = try other.insert(Book.self) { $0.title = "rust rust rust" }
    try other.save()
    _ = try list.update()
    #expect(list.objects.map(\.title) == ["rust rust rust", "Rust rust"])
    list.objects[1].title = "Dust"
    _ = try list.update()
    #expect(list.objects.map(\.title) == ["rust rust rust", "Rust"])
  }

  @Test func `PS-15 a store for reading and a pinned view rank what is not indexed`() throws {
    let coordinator = try open()
    let context = try fill(coordinator)
    let store = try #require(coordinator.store as? SQLiteStore)
    while try !store.catchUpSearch() {}
    _ = try context.insert(Book.self) { $0.title = "rust rust rust" }
    for book in try context.fetch(Book.self, where: .equal("title", "Rust")) { book.title = "Dust" }
    try context.save()
    let expected = ["rust rust rust", "Rust rust", "Iron and rust and old gates"]
    #expect(try titles(context, "rust") == expected)
    coordinator.close()
    let reader = try open(isReadOnly: true)
    defer { reader.close() }
    #expect(try titles(reader.context(), "rust") == expected)
  }

  @Test func `PS-15 a rank without a search is refused, whatever is unsaved`() throws {
    let coordinator = try open()
    defer { coordinator.close() }
    let context = coordinator.context()
    _ = try context.insert(Book.self) { $0.title = "Rust" }
    for isSaved in [false, true] {
      if isSaved { try context.save() }
      let fetch = #expect(throws: PersistenceError.self) {
        try context.fetch(FetchRequest<Book>(where: .equal("title", "Rust"), sortedBy: [.rank]))
      }
      let message =
        "'rank()' needs a search for words in the condition, such as '.words(\"body\", text)': it "
        + "says how well each object meets it"
      #expect(fetch?.code == .invalidPredicate && fetch?.message == message)
      let rows = #expect(throws: PersistenceError.self) {
        try context.fetchRows(RowRequest("Book", ["title"], sortedBy: [.rank]))
      }
      #expect(rows?.message == message)
      let number = #expect(throws: PersistenceError.self) {
        try context.fetchRows(
          RowRequest("Book", [.snippet("pages")], where: try .words("title", "rust")))
      }
      #expect(
        number?.message
          == "the column 'snippet(pages)' takes a piece of a whole number; it needs a text")
      let compared = #expect(throws: PersistenceError.self) {
        try context.fetch(
          FetchRequest<Book>(
            where: try .words("title", "rust"),
            sortedBy: [SortKey("rank()", comparing: .caseInsensitive)]))
      }
      #expect(
        compared?.message
          == "'rank()' is not text, so a sort key cannot say how its texts compare; leave out "
          + "'comparing'")
    }
  }
}
