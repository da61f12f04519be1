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

/// One value for all threads; its context is a proxy for that of the calling thread.
struct Library: Sendable {
  let context: any ObjectContext & Sendable

  func add(_ title: String, _ year: Int, by name: String) throws {
    let author = try context.insert(Author.self) { $0.name = name }
    try context.insert(Book.self) { ($0.title, $0.year, $0.author) = (title, year, author) }
    try context.save()
  }

  func books(before year: Int) throws -> [Book] {
    try context.fetch(
      Book.self, where: #Predicate { $0.year < year }, sortedBy: [.ascending(\.author?.name)])
  }
}

let path = CommandLine.arguments.dropFirst().first ?? "library.sqlite"
let builder = ContainerBuilder()
let context = builder.persistentStore(at: .file(path), types: [Author.self, Book.self])
let shared = builder.singleton(Library.init(context:), context)
let library = try builder.build().object(shared)
let work = [("Frankenstein", 1818, "Mary Shelley"), ("Kindred", 1979, "Octavia Butler")]
let done = DispatchSemaphore(value: 0)
for (title, year, name) in work {
  Thread {
    do { try library.add(title, year, by: name) } catch { print(error) }
    done.signal()
  }.start()
}
for _ in work { done.wait() }
for book in try library.books(before: 1900) { print("\(book.author?.name ?? "?"): \(book.title)") }
