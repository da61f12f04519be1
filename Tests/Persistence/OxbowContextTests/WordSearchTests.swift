import Foundation
import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

/// Searches for words of contexts, in a store that keeps an index of titles and names.
@Suite struct WordSearchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(
    _ name: String = "library", hasLog: Bool = true
  ) throws -> PersistentStoreCoordinator {
    let types: [any ModelObject.Type] = [Author.self, Book.self, Novel.self, Tag.self]
    var model = ManagedObjectModel(types: types)
    model = ManagedObjectModel(
      entities: model.entities.map { entity in
        var entity = entity
        for index in entity.attributes.indices
        where ["title", "name"].contains(entity.attributes[index].name) {
          entity.attributes[index].search = .words
        }
        return entity
      })
    return try PersistentStoreCoordinator(
      CompiledModel(model, classes: types), at: .file(folder.file("\(name).sqlite")),
      options: SQLiteStoreOptions(usesWriteAheadLog: hasLog))
  }

  private func titles(
    _ context: ManagedObjectContext, _ predicate: FetchPredicate
  ) throws -> [String] {
    let request = FetchRequest<Book>(where: predicate, sortedBy: [SortKey("title")])
    let titles = try context.fetch(request).map(\.title)
    #expect(try context.count(request) == titles.count)
    return titles
  }

  @Test(arguments: [true, false])
  func `PS-15 a search sees unsaved, saved and indexed texts alike`(hasLog: Bool) throws {
    let coordinator = try open(hasLog: hasLog)
    defer { coordinator.close() }
    let context = coordinator.context()
    let store = try #require(coordinator.store as? SQLiteStore)
    let search = try FetchPredicate.words("title", "eden OR fiasco")
    let book = try context.insert(Book.self) { $0.title = "Eden" }
    _ = try context.insert(Novel.self) { $0.title = "Fiasco" }
    #expect(try titles(context, search) == ["Eden", "Fiasco"])
    try context.save()
    #expect(try titles(context, search) == ["Eden", "Fiasco"])
    while try !store.catchUpSearch() {}
    #expect(try titles(context, search) == ["Eden", "Fiasco"])
    book.title = "Solaris"
    #expect(try titles(context, search) == ["Fiasco"])
    #expect(try titles(coordinator.context(), search) == ["Eden", "Fiasco"])
    try context.save()
    #expect(try titles(coordinator.context(), search) == ["Fiasco"])
    #expect(try titles(coordinator.context(), .not(search)) == ["Solaris"])
  }

  // MARK: Random questions

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  private static let words = [
    "Rust", "rüst", "iron", "e-mail", "mail", "Straße", "strasse", "ΕΛΛΑΣ", "ελλάς", "हिन्दी", "東京",
    "京",
    "한국어", "and", "OR", "not", "a1", "don't",
  ]

  private func text(_ random: inout SeededRandom) -> String {
    (0..<Int.random(in: 0...5, using: &random)).map { _ in
      Self.words.randomElement(using: &random) ?? ""
    }.joined(separator: [" ", ", ", "-"].randomElement(using: &random) ?? " ")
  }

  private func search(_ depth: Int, _ random: inout SeededRandom) -> String {
    func word() -> String { Self.words.randomElement(using: &random) ?? "" }
    switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &random) {
    case 0: return "\"\(word()) \(word())\""
    case 1: return "\"\(word().prefix(2))\"*"
    case 2, 3: return "\"\(word())\""
    case 4: return "(\(search(depth - 1, &random)) OR \(search(depth - 1, &random)))"
    case 5: return "(\(search(depth - 1, &random)) NOT \(search(depth - 1, &random)))"
    default: return "(\(search(depth - 1, &random)) \(search(depth - 1, &random)))"
    }
  }

  /// Changes a few objects of a context, saved or not.
  private func change(_ context: ManagedObjectContext, _ random: inout SeededRandom) throws {
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let (books, authors) = (try context.fetch(Book.self), try context.fetch(Author.self))
      let author = authors.randomElement(using: &random)
      guard let book = books.randomElement(using: &random), !random.chance(25) else {
        guard books.count < 40 else { continue }
        let new = try context.insert(random.chance(50) ? Book.self : Novel.self)
        (new.title, new.author) = (text(&random), author)
        continue
      }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: if authors.count < 8 { try context.insert(Author.self).name = text(&random) }
      case 1: try context.delete(book)
      case 2: author?.name = text(&random)
      case 3: book.author = author
      default: book.title = text(&random)
      }
    }
  }

  /// Asks in each way, and compares with the words of the objects.
  private func ask(
    _ context: ManagedObjectContext, _ random: inout SeededRandom, _ comment: Comment
  ) throws -> Int {
    let query = try WordQuery(search(2, &random))
    let paths = [["title"], ["author.name"], ["title", "author.name"]].randomElement(using: &random)
    let condition = try FetchPredicate.words(paths ?? ["title"], query.description)
    let books = try context.fetch(Book.self)
    func meets(_ book: Book) -> Bool {
      let texts = (paths ?? ["title"]).compactMap { $0 == "title" ? book.title : book.author?.name }
      return WordMatcher(query).matches(texts.map { TextWords($0) })
    }
    let (wanted, others) = (Set(books.filter(meets)), Set(books.filter { !meets($0) }))
    let request = FetchRequest<Book>(where: condition)
    #expect(try Set(context.fetch(request)) == wanted, comment)
    #expect(try context.count(request) == wanted.count, comment)
    #expect(try Set(context.fetch(Book.self, where: .not(condition))) == others, comment)
    let owners = try context.fetch(Author.self, where: .any("books", condition))
    #expect(Set(owners) == Set(wanted.compactMap(\.author)), comment)
    return 4
  }

  /// `OXBOW_AGREEMENT_ROUNDS=5000` asks four times as many questions; `OXBOW_RANDOM_SEED=7` begins
  /// with another seed.
  @Test(arguments: [true, false])
  func `PS-15 random questions have the same answers unsaved, saved and indexed`(
    hasLog: Bool
  ) throws {
    let seed = Self.number("OXBOW_RANDOM_SEED") ?? Int.random(in: 1...1_000_000)
    let rounds = Self.number("OXBOW_AGREEMENT_ROUNDS") ?? 60
    print("Unsaved words: seed \(seed)")
    var questions = 0
    // A store grows, and with it the time of a question that memory answers.
    for first in stride(from: 0, to: rounds, by: 100) {
      questions += try play(hasLog: hasLog, seed: seed + first, rounds: min(100, rounds - first))
    }
    print("unsaved words, log \(hasLog): \(questions) questions")
  }

  /// How many questions a program of changes in a new store has asked.
  private func play(hasLog: Bool, seed: Int, rounds: Int) throws -> Int {
    var random = SeededRandom(seed: UInt64(seed))
    let coordinator = try open("library \(seed)", hasLog: hasLog)
    defer { coordinator.close() }
    let store = try #require(coordinator.store as? SQLiteStore)
    let context = coordinator.context()
    context.automaticallyMergesChangesFromParent = true
    var questions = 0
    for round in 0..<rounds {
      let comment: Comment = "seed \(seed), round \(round)"
      let child = random.chance(20) ? ManagedObjectContext(parent: context) : nil
      try change(child ?? context, &random)
      questions += try ask(child ?? context, &random, comment)
      try child?.save()
      if random.chance(40) {
        try context.save()
      } else if random.chance(10) {
        try context.rollback()
      }
      if random.chance(30) { _ = try store.catchUpSearch() }
      if random.chance(20) {
        let other = coordinator.context("other")
        if !context.hasChanges { try change(other, &random) }
        try other.save()
      }
    }
    return questions
  }

  // MARK: Batches and relationships

  @Test func `PS-15 batches are searched as they are`() throws {
    let coordinator = try open()
    defer { coordinator.close() }
    let context = coordinator.context()
    let store = try #require(coordinator.store as? SQLiteStore)
    try context.batchInsert(Book.self, 1...20) { number, book in
      book.set(\.title, to: "Book \(number)")
      book.set(\.pages, to: Int32(number))
    }
    while try !store.catchUpSearch() {}
    try context.batchUpdate(Book.self, where: .greater("pages", 15)) {
      $0.set(\.title, to: "Long")
    }
    #expect(try titles(context, try .words("title", "long")).count == 5)
    #expect(try titles(context, try .words("title", "book")).count == 15)
    try context.batchDelete(Book.self, where: .less("pages", 11))
    #expect(try titles(context, try .words("title", "book")).count == 5)
    while try !store.catchUpSearch() {}
    #expect(try titles(context, try .words("title", "long")).count == 5)
    #expect(try titles(context, try .words("title", "book*")).count == 5)
  }

  @Test func `PS-15 searches follow relationships to one object and to many`() throws {
    let coordinator = try open()
    defer { coordinator.close() }
    let context = coordinator.context()
    let store = try #require(coordinator.store as? SQLiteStore)
    for (name, book) in [("Stanisław Lem", "Eden"), ("Philip Dick", "Ubik")] {
      let author = try context.insert(Author.self) { $0.name = name }
      let book = try context.insert(Book.self) { $0.title = book }
      book.author = author
    }
    _ = try context.insert(Book.self) { $0.title = "Anonymous" }
    try context.save()
    for isIndexed in [false, true] {
      if isIndexed { while try !store.catchUpSearch() {} }
      let fresh = coordinator.context()
      let byName = try FetchPredicate.words("author.name", "stanisław")
      #expect(try titles(fresh, byName) == ["Eden"])
      #expect(try titles(fresh, .not(byName)) == ["Anonymous", "Ubik"])
      let request = FetchRequest<Author>(where: .any("books", try .words("title", "ubik")))
      #expect(try fetchedNames(fresh, request) == ["Philip Dick"])
      let both = try FetchPredicate.words(["title", "author.name"], "lem eden")
      #expect(try titles(fresh, both) == ["Eden"])
    }
  }

  private func fetchedNames(
    _ context: ManagedObjectContext, _ request: FetchRequest<Author>
  ) throws -> [String] {
    try context.fetch(request).map(\.name)
  }
}
