import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Parts of a result whose beginning is a place in its order.
@Suite struct SliceTests {
  let library: Library
  let context: ManagedObjectContext

  init() throws {
    library = try Library()
    context = library.context()
  }

  private func request(
    _ keys: [SortKey<Book>] = [.ascending(\.title)], where predicate: FetchPredicate? = nil
  ) -> FetchRequest<Book> { FetchRequest(where: predicate, sortedBy: keys) }

  private func fill(_ titles: String) throws {
    for (number, title) in titles.enumerated() {
      _ = try library.book(String(title), pages: Int32(number % 3), in: context)
    }
    try context.save()
  }

  private func titles(_ slice: FetchedSlice<Book>) -> String { slice.items.map(\.title).joined() }

  private func error(_ body: () throws -> Any) -> PersistenceError? {
    do {
      _ = try body()
      return nil
    } catch { return error as? PersistenceError }
  }

  // MARK: - All orders

  /// The IDs of all slices, first to last, and then last to first.
  private func walk(
    _ request: FetchRequest<ManagedObject>, by size: Int, in context: ManagedObjectContext
  ) throws -> (forward: [ManagedObjectID], backward: [ManagedObjectID]) {
    var slice = try context.slice(request, limit: size)
    #expect(slice.previous == nil)
    var forward = slice.items.map(\.objectID)
    while let next = slice.next, forward.count < 1000 {
      slice = try context.slice(request, after: PageToken("\(next)"), limit: size)
      forward += slice.items.map(\.objectID)
    }
    var backward = slice.items.map(\.objectID)
    while let previous = slice.previous, backward.count < 1000 {
      slice = try context.slice(request, after: PageToken("\(previous)"), limit: size)
      backward = slice.items.map(\.objectID) + backward
      #expect(slice.next != nil)
    }
    return (forward, backward)
  }

  @Test(arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
  func `PF-08 slices of any order are the whole, forward and backward, saved or not`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    var (asked, compared) = (0, 0)
    while asked < DifferentialTests.cases / 2 {
      let world = try AnyWorld(&random)
      var maker = AnyQuestion(world, SeededRandom(seed: random.next()))
      let child = ManagedObjectContext(parent: world.halfTouched)
      for _ in 0..<30 {
        asked += 1
        var whole = maker.request()
        (whole.limit, whole.offset) = (.max, 0)
        if random.chance(40) { whole.predicate = nil }
        var request = whole
        request.limit = nil
        let size = Int.random(in: 1...6, using: &random)
        for context in [world.untouched, world.touched, world.halfTouched, child] {
          guard let expected = try? context.fetchIDs(whole) else {
            // What cannot be computed for an object is met at the slice that comes to it.
            #expect(throws: PersistenceError.self) { try walk(request, by: size, in: context) }
            continue
          }
          let found = try walk(request, by: size, in: context)
          let text = "seed \(seed), question \(asked): \(request) by \(size)"
          #expect(found.forward == expected, "\(text)")
          #expect(found.backward == expected, "\(text)")
          compared += expected.count
        }
      }
    }
    print("Slices: seed \(seed), \(asked) requests, \(compared) objects compared")
    #expect(compared > asked)
  }

  // MARK: - Changes between slices

  @Test func `a condition on a set has the same tokens whatever order its values have (PF-08)`()
    throws
  {
    try fill("abcdef")
    let first = try context.slice(
      request(where: .not(.oneOf("title", ["a", "b"]))), limit: 2)
    let second = try context.slice(
      request(where: .not(.oneOf("title", ["b", "a"]))), after: first.next, limit: 2)
    #expect(titles(first) + titles(second) == "cdef")
  }

  @Test func `slices end where an object behind the order is newer in the store (PF-08)`() throws {
    let authors = try ["Lem", "Mann"].map { name in
      try context.insert(Author.self) { $0.name = name }
    }
    for (title, author) in zip(["a", "b"], authors) {
      try library.book(title, in: context).author = author
    }
    try context.save()
    let other = library.context()
    try other.existingObject(with: authors[0].objectID, as: Author.self).name = "Zola"
    try other.save()
    #expect(authors[0].name == "Lem")
    _ = try library.book("c", in: context)
    for keys: [SortKey<Book>] in [[.ascending(\.author?.name)], [.descending(\.author?.name)]] {
      var first = request(keys)
      first.limit = 2
      let expected = keys.map(\.isAscending) == [true] ? ["c", "b"] : ["a", "b"]
      #expect(try context.fetch(first).map(\.title) == expected)
      var slice = try context.slice(request(keys), limit: 1)
      var found = titles(slice)
      while let next = slice.next, found.count < 9 {
        slice = try context.slice(request(keys), after: next, limit: 1)
        found += titles(slice)
      }
      #expect(found.sorted() == ["a", "b", "c"], "\(found)")
    }
  }

  /// What another context does between two statements of a slice.
  enum Disturbance: CaseIterable, Sendable {
    case renamesAuthor, deletesBook, movesBook

    func happen(in context: ManagedObjectContext) throws {
      let title = FetchRequest<Book>(where: .equal("title", "b"))
      switch self {
      case .renamesAuthor:
        let request = FetchRequest<Author>(where: .equal("name", "b"))
        for author in try context.fetch(request) { author.name = "y" }
      case .deletesBook: for book in try context.fetch(title) { try context.delete(book) }
      case .movesBook:
        let last = try context.fetch(FetchRequest<Author>(where: .equal("name", "f"))).first
        for book in try context.fetch(title) { book.author = last }
      }
      try context.save()
    }
  }

  /// A store whose selects are counted: before the last of `count` is over, another context works.
  private func disturbed(
    _ disturbance: Disturbance, at location: StoreLocation
  ) throws -> (library: Library, after: (Int?) -> Void) {
    let (pause, store) = (Lock<Int?>(nil), Lock<PersistentStoreCoordinator?>(nil))
    let recorder = LogRecorder { entry in
      let isTime = pause.withLock { left in
        guard let now = left, entry.message.hasPrefix("SELECT") else { return false }
        left = now == 0 ? nil : now - 1
        return now == 0
      }
      guard isTime, let coordinator = store.withLock({ $0 }) else { return }
      do {
        try disturbance.happen(in: ManagedObjectContext(coordinator: coordinator))
      } catch { Issue.record(error) }
    }
    let library = try Library(recorder: recorder, at: location)
    return (
      library,
      { count in
        store.withLock { $0 = count == nil ? nil : library.coordinator }
        pause.withLock { $0 = count }
      }
    )
  }

  /// What others save between the statements of a slice is in the rows and in the token, or in none
  /// of them: else unchanged objects would be in no slice.
  @Test(arguments: Disturbance.allCases, [false, true])
  func `slices have all unchanged objects whatever is saved between their statements (PF-08)`(
    _ disturbance: Disturbance, _ hasChanges: Bool
  ) throws {
    for (count, isAscending) in (0...4).flatMap({ [($0, true), ($0, false)] }) {
      let folder = try TemporaryFolder()
      let (library, after) = try disturbed(disturbance, at: .file(folder.file("store")))
      let mine = library.context()
      for name in "abcdef" {
        let author = try mine.insert(Author.self) { $0.name = String(name) }
        try mine.insert(Book.self) { ($0.title, $0.author) = (String(name), author) }
      }
      _ = try library.book("0", in: mine)
      try mine.save()
      if hasChanges {
        for author in try mine.fetch(FetchRequest<Author>(where: .equal("name", "f"))) {
          author.name = "g"
        }
      }
      let keys: [SortKey<Book>] = [
        isAscending ? .ascending(\.author?.name) : .descending(\.author?.name)
      ]
      after(count)
      var slice = try mine.slice(request(keys), limit: 2)
      after(nil)
      var found = titles(slice)
      while let next = slice.next, found.count < 20 {
        slice = try mine.slice(request(keys), after: next, limit: 2)
        found += titles(slice)
      }
      for title in "0acdef" {
        #expect(
          found.filter { $0 == title }.count == 1,
          "\(found) does not have '\(title)' once, \(count) \(isAscending)")
      }
    }
  }

  @Test func `behind deleted objects, an empty slice leads back to the last that is there (PF-08)`()
    throws
  {
    try fill("abcd")
    let first = try context.slice(request(), limit: 2)
    for book in try context.slice(request(), after: first.next, limit: 2).items {
      try context.delete(book)
    }
    try context.save()
    let second = try context.slice(request(), after: first.next, limit: 2)
    #expect(second.items.isEmpty && second.next == nil && second.previous != nil)
    let back = try context.slice(request(), after: second.previous, limit: 2)
    #expect(titles(back) == "ab" && back.previous == nil)
    for book in back.items { try context.delete(book) }
    let none = try context.slice(request(), after: second.previous, limit: 2)
    #expect(none.items.isEmpty && none.previous == nil && none.next != nil)
    _ = try library.book("b", in: context)
    #expect(titles(try context.slice(request(), after: none.next, limit: 2)) == "b")
  }

  @Test func `objects that come and go do not shift the slices behind them`() throws {
    try fill("abcdefgh")
    let first = try context.slice(request(), limit: 3)
    #expect(titles(first) == "abc")
    for book in first.items { try context.delete(book) }
    _ = try library.book("aa", in: context)
    try context.save()
    let second = try context.slice(request(), after: first.next, limit: 3)
    #expect(titles(second) == "def")
    _ = try library.book("ee", in: context)
    let third = try context.slice(request(), after: second.next, limit: 3)
    #expect(titles(third) == "gh")
    #expect(third.next == nil)
    let back = try context.slice(request(), after: third.previous, limit: 3)
    #expect(titles(back) == "eeef")
  }

  @Test func `a slice may have all objects`() throws {
    try fill("ab")
    #expect(try context.slice(request(), limit: .max).items.count == 2)
  }

  @Test func `a place behind a relationship is that of the store, not of an old object`() throws {
    let author = try context.insert(Author.self) { $0.name = "Lem" }
    for title in ["a", "b", "c"] {
      try context.insert(Book.self) { ($0.title, $0.author) = (title, author) }
    }
    try context.save()
    let other = library.context()
    try other.existingObject(with: author.objectID, as: Author.self).name = "Asimov"
    try other.save()
    #expect(author.name == "Lem")
    let request = request([.ascending(\.author?.name)])
    let first = try context.slice(request, limit: 1)
    #expect(titles(try context.slice(request, after: first.next, limit: 5)) == "bc")
  }

  @Test func `without pending changes a slice has the places of the store`() throws {
    try fill("abc")
    var request = request()
    request.includesPendingChanges = false
    for book in try context.fetch(Book.self) { book.title = "z" }
    let first = try context.slice(request, limit: 1)
    let rest = try context.slice(request, after: first.next, limit: 5)
    #expect(rest.items.count == 2)
  }

  @Test func `a slice reads relationships ahead`() throws {
    try fill("abc")
    var request = request()
    request.prefetching = [\.author]
    #expect(try context.slice(request, limit: 2).items.count == 2)
    request.prefetching = .named("athor")
    #expect(error { try context.slice(request, limit: 2) }?.nearNames == ["author"])
  }

  // MARK: - Tokens

  @Test func `a token is a text without characters that an address escapes`() throws {
    try fill("a>?~ü€b")
    var slice = try context.slice(request(), limit: 1)
    while let token = slice.next {
      let text = "\(token)"
      #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
      #expect(PageToken(text) == token)
      let json = try JSONEncoder().encode([token])
      #expect(try JSONDecoder().decode([PageToken].self, from: json) == [token])
      slice = try context.slice(request(), after: token, limit: 1)
    }
  }

  @Test(arguments: ["", "x", "!", "WzFd", "WzIsZmFsc2UsMSwxLDEsMSxbXV0"])
  func `another text is not a token`(text: String) throws {
    #expect(PageToken(text) == nil)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([PageToken].self, from: Data("[\"\(text)\"]".utf8))
    }
    guard case .dataCorrupted(let context) = error else { return }
    #expect(context.debugDescription == "'\(text)' is not the token of a slice")
  }

  @Test func `a token of another request or store is refused, and the error says what differs`()
    throws
  {
    try fill("abc")
    let token = try context.slice(request(), limit: 1).next
    func message(_ request: FetchRequest<Book>) -> String {
      let error = error { try context.slice(request, after: token, limit: 1) }
      #expect(error?.code == .pageTokenForeign)
      return error?.message ?? ""
    }
    let order = """
      the token of the slice was made for another entity or order; pass it with the request that it \
      comes from, or begin again without a token
      """
    #expect(message(request([.descending(\.title)])) == order)
    #expect(message(request([.ascending(\.title, comparing: .numeric)])) == order)
    #expect(message(request([.ascending(\.title), .ascending(\.pages)])) == order)
    let condition = message(request(where: .greater("pages", 0)))
    #expect(condition.hasPrefix("the token of the slice was made for another condition, or for"))
    let other = try Library().context()
    let store = error { try other.slice(request(), after: token, limit: 1) }
    #expect(store?.message.hasPrefix("the token of the slice was made for another store") == true)
    let novels = error {
      try context.slice(
        FetchRequest<Novel>(sortedBy: [.ascending(\.title)]), after: token, limit: 1)
    }
    #expect(novels?.message == order)
  }

  @Test func `a token with other values than its order has is refused`() throws {
    try fill("abc")
    let token = try #require(try context.slice(request(), limit: 1).next)
    let padded = "\(token)" + String(repeating: "=", count: (4 - "\(token)".utf8.count % 4) % 4)
    let json = String(decoding: try #require(Data(base64Encoded: padded)), as: UTF8.self)
    for (values, code) in [
      ("[]", PersistenceError.Code.pageTokenForeign), (#"[{"integer":1}]"#, .pageTokenForeign),
    ] {
      let forged = Data(json.replacing(#"[{"string":"a"}]"#, with: values).utf8)
      let other = try #require(PageToken(forged.base64EncodedString()))
      #expect(other != token)
      #expect(error { try context.slice(request(), after: other, limit: 1) }?.code == code)
    }
  }

  private static let forgedValues = [
    "null", #"{"integer":9223372036854775807}"#, #"{"integer":-9223372036854775808}"#,
    #"{"double":"inf"}"#, #"{"double":"-inf"}"#, #"{"double":"nan"}"#, #"{"double":"-0.0"}"#,
    #"{"double":1e308}"#, #"{"date":"inf"}"#, #"{"date":"nan"}"#, #"{"date":-1e300}"#,
    #"{"decimal":"1e127"}"#, #"{"decimal":"-99999999999999999999999999999999999999e90"}"#,
    #"{"decimal":"0.00000000000000000000000000000000000001"}"#, #"{"string":""}"#,
    #"{"string":"a\u0000b"}"#, #"{"string":"\uFFFF"}"#, #"{"data":""}"#, #"{"boolean":true}"#,
    #"{"uuid":"00000000-0000-0000-0000-000000000000"}"#, #"{"url":"x:"}"#,
  ]

  @Test func `a token with any values is refused or is a place, saved or not (PF-08)`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    var (places, refused) = (0, 0)
    for _ in 0..<20 {
      let world = try AnyWorld(&random)
      var maker = AnyQuestion(world, SeededRandom(seed: random.next()))
      let child = ManagedObjectContext(parent: world.halfTouched)
      for _ in 0..<40 {
        var request = maker.request()
        (request.limit, request.offset) = (nil, 0)
        guard let token = (try? world.untouched.slice(request, limit: 1))?.next else { continue }
        let text = "\(token)" + String(repeating: "=", count: (4 - "\(token)".utf8.count % 4) % 4)
        let json = String(
          decoding: try #require(
            Data(
              base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/"))),
          as: UTF8.self)
        let origin = json.split(separator: ",")[2...4].joined(separator: ",")
        let key = [Int64.min, 0, 3, .max].randomElement(using: &random) ?? 0
        let values = request.sortKeys.map { _ in
          Self.forgedValues.randomElement(using: &random) ?? "null"
        }
        let forged = "[1,\(random.chance(50)),\(origin),\(key),[\(values.joined(separator: ","))]]"
        guard let other = PageToken(Data(forged.utf8).base64EncodedString()) else { continue }
        for context in [world.untouched, world.touched, world.halfTouched, child] {
          // In memory a condition may be refused that a store takes.
          guard (try? context.fetch(request)) != nil else { continue }
          do {
            let slice = try context.slice(request, after: other, limit: 2)
            places += 1
            for token in [slice.next, slice.previous] {
              if let token { #expect(PageToken("\(token)") == token, "seed \(seed): \(forged)") }
            }
          } catch {
            refused += 1
            #expect(error.code == .pageTokenForeign, "seed \(seed): \(forged), \(request)")
          }
        }
      }
    }
    #expect(places > 100 && refused > 100, "\(places) places, \(refused) refused")
  }

  @Test func `a slice refuses a size, limits of the request and the order of ranks`() throws {
    #expect(
      error { try context.slice(request(), limit: 0) }?.message
        == "'limit' of a request is 0; pass a positive number")
    var limited = request()
    limited.limit = 3
    #expect(
      error { try context.slice(limited, limit: 1) }?.message == """
        a slice has its size from 'limit:' and its beginning from its token; leave out 'limit' and \
        'offset' of the request
        """)
    let ranked = try request([.rank], where: .words("title", "a"))
    #expect(
      error { try context.slice(ranked, limit: 1) }?.message == """
        a slice cannot be in the order of ranks, which all change with each text that is saved; \
        fetch with a limit and an offset
        """)
  }
}
