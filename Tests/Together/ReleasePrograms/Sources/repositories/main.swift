// Repositories and aspects as optimized builds see them: each protocol has one implementation that
// is written by hand beside what macros write.

import Foundation
import Oxbow

@Entity final class Book: ManagedObject {
  var title: String = ""
  var pages: Int = 0
}

@Proxied(aspects: true) @Repository protocol Books: Repository<Book> {
  func find(titleContains: String, limit: Int) throws -> [Book]
  func count(pagesAtLeast: Int) throws -> Int
  @Query("pages < $pages", sortedBy: "title") func shorter(than pages: Int) throws -> [Book]
}
extension BooksProxy: BooksForwarding {}

struct StoredBooks: Books, Stored {
  let context: any ObjectContext & Sendable
}

/// A double, as tests have it.
final class NoBooks: Books, Stored, Sendable {
  let words = ["a", "b"]
  let context: any ObjectContext & Sendable
  init(context: any ObjectContext & Sendable) { self.context = context }
  func find(titleContains: String, limit: Int) throws -> [Book] { [] }
  func count(pagesAtLeast: Int) throws -> Int { words.count }
  func shorter(than pages: Int) throws -> [Book] { [] }
}

@Proxied(aspects: true) protocol Clock: AnyObject {
  var offset: Int { get set }
  func hour(_ zone: String) throws -> Int
  func name() -> String
}
extension ClockProxy: ClockForwarding {}

/// The only one.
final class WallClock: Clock, @unchecked Sendable {
  // Sendable by argument: the program has one thread.
  var offset = 1
  let words = ["wall", "clock"]
  func hour(_ zone: String) throws -> Int { zone.count + offset }
  func name() -> String { words.joined(separator: " ") }
}

final class Shift: NonThrowingAspect {
  func around(_ call: Invocation, proceed: () throws -> Void) rethrows {
    print("before \(call)")
    try proceed()
    print("result \(call.result ?? "none")")
  }
}

func use(_ books: any Books) throws {
  print(try books.find(titleContains: "a", limit: 2).map(\.title).sorted())
  print(try books.count(pagesAtLeast: 100))
  print(try books.shorter(than: 250).map(\.title))
}

func use(_ clock: any Clock & Sendable) throws {
  clock.offset = 5
  clock.offset += 1
  print(try clock.hour("UTC"))
  print(clock.name())
}

let builder = ContainerBuilder()
let context = builder.persistentStore(at: .temporary, types: [Book.self])
builder.singleton(named: "books", { StoredBooks(context: $0) }, context)
builder.singleton(named: "noBooks", { NoBooks(context: $0) }, context)
builder.singleton(named: "clock", { WallClock() })
builder.aspect(
  named: "shift", on: .objects("clock", "books").methods("hour", "name", "count", "offset"),
  { Shift() })
let container = try builder.build()

func run() throws {
  let books = try container.object("books", as: BooksProxy.self)
  for (title, pages) in [("Solaris", 204), ("Eden", 300), ("Fiasco", 322)] {
    try books.insert { ($0.title, $0.pages) = (title, pages) }
  }
  try books.save()
  try use(books)
  try use(try container.object("noBooks", as: NoBooks.self))
  try use(try container.object("clock", as: ClockProxy.self))
  try use(WallClock())
}

try run()
try container.shutDown()
