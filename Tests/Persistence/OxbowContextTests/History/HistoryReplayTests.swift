import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

/// Random saves of several contexts, whose history is played backwards.
@Suite struct HistoryReplayTests {
  private static let seed: UInt64 = 29

  /// What an object has, by the names of its properties.
  private typealias Row = [String: PropertyValue]
  private typealias Snapshot = [ManagedObjectID: Row]

  private func snapshot(_ coordinator: PersistentStoreCoordinator) throws -> Snapshot {
    let context = coordinator.context()
    var rows: Snapshot = [:]
    for book in try context.fetch(FetchRequest<Book>()) {
      rows[book.objectID] = [
        "title": .attribute(.string(book.title)), "pages": .attribute(.integer(Int64(book.pages))),
        "author": PropertyValue(book.author?.objectID),
      ]
    }
    for author in try context.fetch(FetchRequest<Author>()) {
      rows[author.objectID] = [
        "name": .attribute(.string(author.name)),
        "age": PropertyValue(author.age.map { .integer(Int64($0)) }),
      ]
    }
    return rows
  }

  /// One random piece of work; it may be refused.
  private func play(
    _ context: ManagedObjectContext, _ random: inout SeededRandom
  ) throws {
    let books = try context.fetch(FetchRequest<Book>(sortedBy: [SortKey("title")]))
    let authors = try context.fetch(FetchRequest<Author>(sortedBy: [SortKey("name")]))
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let book = books.randomElement(using: &random)
      let author = authors.randomElement(using: &random)
      switch Int.random(in: 0...9, using: &random) {
      case 0...2:
        let type = Bool.random(using: &random) ? Book.self : Novel.self
        let new = try context.insert(type)
        new.title = "title \(Int.random(in: 0...999, using: &random))"
        new.author = author
      case 3:
        let new = try context.insert(Author.self)
        new.name = "name \(Int.random(in: 0...999, using: &random))"
      case 4: if let book, !book.isDeleted { try context.delete(book) }
      case 5: if let author, !author.isDeleted, authors.count > 4 { try context.delete(author) }
      case 6:
        if let book, !book.isDeleted { try context.increment(\Book.pages, of: book, by: 3) }
      case 7:
        if let book, !book.isDeleted { book.author = author?.isDeleted == true ? nil : author }
      case 8:
        if let author, !author.isDeleted { author.age = Int.random(in: 0...99, using: &random) }
      default: if let book, !book.isDeleted { book.title += "!" }
      }
    }
  }

  private func save(
    _ context: ManagedObjectContext, _ random: inout SeededRandom
  ) throws {
    switch Int.random(in: 0...9, using: &random) {
    case 0:
      try context.rollback()
      let limit = Int.random(in: 0...20, using: &random)
      try context.batchUpdate(Book.self, where: .greater("pages", limit)) { $0.set(\.pages, to: 1) }
    case 1:
      try context.rollback()
      try context.batchDelete(Book.self, where: .equal("title", "title 7"))
    default:
      do throws(PersistenceError) { try context.save() } catch { try context.rollback() }
    }
  }

  /// Takes a save back.
  private func takeBack(_ save: HistoryTransaction, _ rows: inout Snapshot) throws {
    for change in save.changes {
      let id = try #require(change.objectID)
      switch change.kind {
      case .insert: rows[id] = nil
      case .delete: rows[id] = change.before
      case .update:
        guard let before = change.before else { continue }
        for (name, value) in before { rows[id]?[name] = value }
      }
    }
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 the history of random saves, played backwards, gives each state`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open(.values)
    defer { coordinator.close() }
    var random = SeededRandom(seed: Self.seed)
    let contexts = ["a", "b", "c"].map { coordinator.context($0) }
    contexts[1].mergePolicy = .mergeByProperty
    var states: [Int64: Snapshot] = [0: try snapshot(coordinator)]
    for _ in 0..<400 {
      let context = contexts[Int.random(in: 0...2, using: &random)]
      // What is refused, as a link to an object that is to be deleted, leaves the rest to be saved.
      try? play(context, &random)
      try save(context, &random)
      let number = try coordinator.currentHistoryToken().number
      states[number] = try snapshot(coordinator)
    }
    let saves = try coordinator.saves()
    #expect(saves.count > 200)
    var rows = try snapshot(coordinator)
    for save in saves.reversed() {
      try takeBack(save, &rows)
      guard let known = states[save.number - 1] else { continue }
      for (id, row) in known {
        let found = (rows[id] ?? [:]).filter { row[$0.key] != nil }
        try #require(found == row, "seed \(Self.seed), before save \(save.number), \(id)")
      }
      try #require(
        Set(known.keys) == Set(rows.keys), "seed \(Self.seed), before save \(save.number)")
    }
  }
}
