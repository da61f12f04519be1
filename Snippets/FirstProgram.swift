import Foundation
import Oxbow

@Entity final class Author: ManagedObject {
  var name: String
  @Relationship(.cascade, inverse: \.author) var books: Set<Book> = []
}

@Entity final class Book: ManagedObject {
  var title: String
  var year: Int = 0
  @Relationship(inverse: \.books) var author: Author?
}

/// One object for all threads; its context is a proxy for that of the calling thread.
final class Library: Sendable {
  let context: any ObjectContext & Sendable
  init(context: any ObjectContext & Sendable) { self.context = context }

  func add(_ title: String, _ year: Int, by name: String) throws {
    let book = try context.insert(Book.self)
    (book.title, book.year) = (title, year)
    book.author = try context.insert(Author.self)
    book.author?.name = name
    try context.save()
  }

  func books(before year: Int) throws -> [String] {
    let request = try FetchRequest<Book>(
      where: #Predicate { $0.year < year }, sortedBy: [SortKey("author.name")])
    return try context.fetch(request).map { "\($0.author?.name ?? "?"): \($0.title)" }
  }
}

let types = EntityClasses(Author.self, Book.self)
let builder = ContainerBuilder()
let model = builder.singleton("model", factory: ModelFactory.init) { $0.set(\.classes, to: types) }
let store = builder.singleton("store", factory: StoreCoordinatorFactory.init) {
  $0.set(\.storePath, to: CommandLine.arguments.dropFirst().first ?? "library.sqlite")
  $0.set(\.model, model)
  $0.set(\.classes, to: types)
}
let own = builder.prototype("own", factory: ContextFactory.init) { $0.set(\.coordinator, store) }
let context = builder.threadLocalProxy("context", of: own, as: ObjectContextProxy.self)
let shared = builder.singleton("library", { Library(context: $0) }, context)
let container = try builder.build()
let library = try container.object(shared)

let done = DispatchSemaphore(value: 0)
let work = [("Frankenstein", 1818, "Mary Shelley"), ("Kindred", 1979, "Octavia Butler")]
for (title, year, name) in work {
  Thread {
    do { try library.add(title, year, by: name) } catch { print(error) }
    done.signal()
  }.start()
}
for _ in work { done.wait() }
for book in try library.books(before: 1900) { print(book) }
