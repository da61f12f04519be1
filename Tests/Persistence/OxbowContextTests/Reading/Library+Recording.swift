import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport

extension Library {
  /// A library whose statements are written down.
  init(recorder: LogRecorder, at location: StoreLocation = .inMemory) throws {
    let types: [any ModelObject.Type] = [Author.self, Book.self, Novel.self, Tag.self]
    coordinator = try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: types), classes: types), at: location,
      options: SQLiteStoreOptions(logger: recorder.statementLogger))
  }

  /// Authors with so many books each, of which every third is a novel; all books have two of four
  /// tags.
  func fill(authors: Int = 2, books: Int = 3) throws {
    let context = context()
    let tags = try ["t0", "t1", "t2", "t3"].map { name in
      try context.insert(Tag.self) { $0.name = name }
    }
    for number in 0..<authors {
      let author = try context.insert(Author.self) { $0.name = "A\(number)" }
      for place in 0..<books {
        let book = try place % 3 == 2 ? context.insert(Novel.self) : context.insert(Book.self)
        book.title = "A\(number)B\(place)"
        book.pages = Int32(100 * number + place)
        book.author = author
        book.tags = [tags[place % 4], tags[(place + 1) % 4]]
      }
    }
    try context.save()
  }
}

extension LogRecorder {
  /// The selects of rows that ran while `body` did.
  func selects<R>(during body: () throws -> R) rethrows -> (result: R, selects: [String]) {
    let before = statements.count
    let result = try body()
    return (result, statements.dropFirst(before).filter { $0.contains(" AS t0") })
  }
}
