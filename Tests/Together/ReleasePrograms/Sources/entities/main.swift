import Foundation
import Oxbow

// `@Entity` in a hierarchy, with one class for each kind of relationship and one repository behind
// a context for each thread.

@Entity class Item: ManagedObject {
  var title: String
  var price: Int = 5
  var note: String?
  @Attribute(transient: true) var isOpen: Bool = false
  @Relationship(inverse: \.items) var owner: Person?
}

@Entity class Book: Item {
  var pages: Int32 = 100
  @Relationship(inverse: \.books) var tags: Set<Tag> = []
}

@Entity final class AudioBook: Book {
  var minutes: Double = 1.5
}

@Entity final class Person: ManagedObject {
  var name: String = ""
  @Relationship(.cascade, inverse: \.owner) var items: [Item] = []
}

@Entity final class Tag: ManagedObject {
  var text: String = "none"
  @Relationship(inverse: \.tags) var books: Set<Book> = []
}

protocol Shelf {
  func fill() throws
  func lines() throws -> [String]
}

/// The only implementation of its protocol.
final class Library: Shelf, Sendable {
  let context: any ObjectContext & Sendable
  init(context: any ObjectContext & Sendable) { self.context = context }

  func fill() throws {
    let ada = try context.insert(Person.self)
    ada.name = "Ada"
    let lamp = try context.insert(Item.self)
    (lamp.title, lamp.note) = ("lamp", "new")
    let kim = try context.insert(Book.self)
    (kim.title, kim.pages) = ("Kim", 300)
    let emma = try context.insert(AudioBook.self)
    (emma.title, emma.price) = ("Emma", 9)
    let tag = try context.insert(Tag.self)
    tag.text = "novel"
    (kim.tags, emma.tags) = ([tag], [tag])
    ada.items = [kim, lamp, emma]
    try context.save()
  }

  func lines() throws -> [String] {
    let request = try FetchRequest<Item>(
      where: #Predicate { $0.price < 9 }, sortedBy: [SortKey("title")])
    let cheap = try context.fetch(request).map {
      "\(type(of: $0)) \($0.title) \($0.price) \($0.note ?? "-") \($0.owner?.name ?? "nobody")"
    }
    let all = try context.fetch(FetchRequest<Person>()).flatMap(\.items).map { item in
      let pages = (item as? Book).map { "\($0.pages) \($0.tags.map(\.text))" } ?? "no book"
      let minutes = (item as? AudioBook).map { "\($0.minutes)" } ?? "silent"
      return "\(item.title): \(pages), \(minutes), \(item.isOpen)"
    }
    return cheap + all
  }
}

func show(_ shelf: any Shelf) throws {
  try shelf.fill()
  try shelf.lines().forEach { print($0) }
}

let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

let types = EntityClasses(Item.self, Book.self, AudioBook.self, Person.self, Tag.self)
let builder = ContainerBuilder()
let model = builder.singleton(named: "model", factory: ModelFactory.init) {
  $0.set(\.classes, to: types)
}
let store = builder.singleton(named: "store", factory: StoreCoordinatorFactory.init) {
  $0.set(\.storePath, to: folder.appending(path: "items.sqlite").path)
  $0.set(\.model, model)
  $0.set(\.classes, to: types)
}
let own = builder.prototype(named: "own", factory: ContextFactory.init) {
  $0.set(\.coordinator, store)
}
let context = builder.proxy(named: "context", .threadLocal, of: own, as: ObjectContextProxy.self)
let library = builder.singleton(named: "library", { Library(context: $0) }, context)
let container = try builder.build()
try show(container.object(library))
try container.shutDown()
