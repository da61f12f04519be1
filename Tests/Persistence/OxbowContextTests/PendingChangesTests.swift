import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@Suite struct PendingChangesTests {
  let library: Library

  init() throws { library = try Library() }

  @Test
  func `fetch and count see unsaved inserts, updates and deletes under sort, limit and offset`()
    throws
  {
    let context = library.context()
    for (index, title) in ["b", "d", "f", "h"].enumerated() {
      _ = try library.book(title, pages: Int32(index), in: context)
    }
    try context.save()
    let stored = try context.fetch(FetchRequest<Book>(sortedBy: [SortKey("title")]))
    stored[0].title = "z"
    try context.delete(stored[1])
    _ = try library.book("a", in: context)
    _ = try library.book("g", in: context)

    func titles(_ limit: Int?, _ offset: Int, ascending: Bool = true) throws -> [String] {
      let request = FetchRequest<Book>(
        sortedBy: [SortKey("title", ascending: ascending)], limit: limit, offset: offset)
      let titles = try context.fetch(request).map(\.title)
      #expect(try context.count(request) == titles.count)
      #expect(try context.fetchIDs(request).count == titles.count)
      return titles
    }
    #expect(try titles(nil, 0) == ["a", "f", "g", "h", "z"])
    #expect(try titles(2, 0) == ["a", "f"])
    #expect(try titles(2, 1) == ["f", "g"])
    #expect(try titles(2, 4) == ["z"])
    #expect(try titles(2, 9) == [])
    #expect(try titles(3, 0, ascending: false) == ["z", "h", "g"])
  }

  @Test func `a condition is asked of unsaved values`() throws {
    let context = library.context()
    for (title, pages) in [("a", 10), ("b", 20), ("c", 30)] {
      _ = try library.book(title, pages: Int32(pages), in: context)
    }
    try context.save()
    let books = try context.fetch(FetchRequest<Book>(sortedBy: [SortKey("title")]))
    books[0].pages = 100
    books[2].pages = 1
    let long = FetchPredicate.comparison(
      .path(["pages"]), .greaterOrEqual, .value(.attribute(.integer(20))))
    let request = FetchRequest<Book>(where: long, sortedBy: [SortKey("title")])
    #expect(try context.fetch(request).map(\.title) == ["a", "b"])
    #expect(try context.count(request) == 2)
  }

  @Test func `a condition that follows a relationship sees unsaved changes of the other object`()
    throws
  {
    let context = library.context()
    let author = try context.insert(Author.self)
    author.name = "Ann"
    try library.book("a", in: context).author = author
    _ = try library.book("b", in: context)
    try context.save()
    author.name = "Bob"
    let request = FetchRequest<Book>(
      where: .comparison(.path(["author", "name"]), .equal, .value(.attribute(.string("Bob")))))
    #expect(try context.fetch(request).map(\.title) == ["a"])
    #expect(try context.count(request) == 1)
  }

  @Test(arguments: 0..<20)
  func `any mix of unsaved changes gives what a save would give`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let context = library.context()
    for _ in 0..<20 {
      _ = try library.book(letter(&random), pages: .random(in: 0..<5, using: &random), in: context)
    }
    try context.save()
    for book in try context.fetch(FetchRequest<Book>()) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: book.title = letter(&random)
      case 1: book.pages = .random(in: 0..<5, using: &random)
      case 2: try context.delete(book)
      case 3: _ = try library.book(letter(&random), pages: 3, in: context)
      default: break
      }
    }
    let requests = (0..<12).map { _ in
      FetchRequest<Book>(
        where: Bool.random(using: &random)
          ? .comparison(.path(["pages"]), .less, .value(.attribute(.integer(3)))) : nil,
        sortedBy: Bool.random(using: &random)
          ? [SortKey("title", ascending: .random(using: &random)), SortKey("pages")] : [],
        limit: Bool.random(using: &random) ? .random(in: 0..<9, using: &random) : nil,
        offset: .random(in: 0..<4, using: &random))
    }
    let before = try requests.map { try context.fetchIDs($0) }
    let counts = try requests.map { try context.count($0) }
    try context.save()
    let after = try requests.map { try library.context().fetchIDs($0) }
    for index in requests.indices {
      let isUnordered = requests[index].sortKeys.isEmpty && requests[index].limit == nil
      if isUnordered && requests[index].offset == 0 {
        #expect(Set(before[index]) == Set(after[index]), "seed \(seed)")
      } else {
        #expect(before[index] == after[index], "seed \(seed), request \(requests[index])")
      }
      #expect(counts[index] == after[index].count, "seed \(seed)")
    }
  }

  func letter(_ random: inout SeededRandom) -> String {
    ["a", "b", "c", "d", "é", "z"].randomElement(using: &random) ?? "a"
  }

  @Test func `what a store refuses of a condition is refused with unsaved changes too`() throws {
    let context = library.context()
    var deep = FetchPredicate.equal("title", "x")
    for number in 0..<150 {
      deep = .or([.and([deep, .isNotNil("title")]), .equal("title", "\(number)")])
    }
    let unbound = try FetchPredicate(format: "title == $wanted")
    for isChanged in [false, true] {
      if isChanged { _ = try library.book("new", in: context) }
      for (condition, text) in [(deep, "nested too deeply"), (unbound, "'$wanted' has no value")] {
        let error = #expect(throws: PersistenceError.self) {
          try context.fetch(Book.self, where: condition)
        }
        #expect(error?.code == .invalidPredicate && error?.message.contains(text) == true)
      }
    }
    let author = try context.insert(Author.self)
    let error = #expect(throws: PersistenceError.self) { try deep.matches(author) }
    #expect(error?.message.contains("nested too deeply") == true)
  }
}
