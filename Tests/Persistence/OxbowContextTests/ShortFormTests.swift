import OxbowContext
import OxbowModel
import OxbowStore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Fetches and inserts without a request of their own, on a context and behind its protocol.
@Suite struct ShortFormTests {
  let context: ManagedObjectContext

  init() throws {
    context = try Library().context()
    let lem = try context.insert(Author.self) { $0.name = "Lem" }
    try context.insert(Book.self) { ($0.title, $0.pages, $0.author) = ("Eden", 200, lem) }
    try context.insert(Book.self) { ($0.title, $0.pages) = ("Ubik", 150) }
    try context.insert(Novel.self) { ($0.title, $0.pages, $0.author) = ("Solaris", 250, lem) }
  }

  @Test func `a class, a predicate, an order, a limit and an offset are a fetch`() throws {
    let thick: [Book] = try context.fetch(
      Book.self, where: #Predicate { $0.pages > 180 }, sortedBy: [.ascending(\.title)])
    #expect(thick.map(\.title) == ["Eden", "Solaris"])
    let second = try context.fetch(
      Book.self, where: .greater("pages", 10), sortedBy: [.descending(\.pages)], limit: 1, offset: 1
    )
    #expect(second.map(\.title) == ["Eden"])
    #expect(try context.fetch(Book.self).count == 3)
    #expect(try context.fetch(Novel.self).map(\.title) == ["Solaris"])
  }

  @Test func `numbers and IDs are asked for as objects are`() throws {
    #expect(try context.count(Book.self) == 3)
    #expect(try context.count(Book.self, where: #Predicate { $0.pages > 180 }) == 2)
    #expect(try context.count(Book.self, where: .less("pages", 180)) == 1)
    let books = try context.fetch(Book.self, sortedBy: [.ascending(\.title)])
    #expect(
      try context.fetchIDs(Book.self, sortedBy: [.ascending(\.title)]) == books.map(\.objectID))
    #expect(
      try context.fetchIDs(Book.self, where: #Predicate { $0.pages < 180 }) == [books[2].objectID])
  }

  @Test func `the short forms are those of every context`() throws {
    let any: any ObjectContext = context
    let book = try any.insert(Book.self) { $0.title = "Roadside Picnic" }
    #expect(try any.fetch(Book.self, where: .equal("title", "Roadside Picnic")) == [book])
    #expect(try any.fetch(Book.self, where: #Predicate { $0.pages == 0 }, limit: 1) == [book])
    #expect(try any.fetchIDs(Book.self, where: #Predicate { $0.pages == 0 }) == [book.objectID])
    #expect(try any.fetchIDs(Book.self, sortedBy: [.ascending(\.pages)]).first == book.objectID)
    #expect(try any.count(Book.self, where: #Predicate { $0.pages == 0 }) == 1)
    #expect(try any.count(Book.self) == 4)
  }

  @Test func `what a store cannot answer is an error of the short form too`() throws {
    #expect(
      code { _ = try context.fetch(Book.self, where: .equal("titel", "x")) } == .unknownProperty)
    #expect(
      code { _ = try context.count(Book.self, where: #Predicate { $0.title.count == 3 }) }
        == .unsupported)
  }

  struct Refusal: Error {}

  @Test func `an object whose filling fails is not there, and neither are its links`() throws {
    try context.save()
    let author = try #require(context.fetch(Author.self).first)
    let tag = try context.insert(Tag.self) { $0.name = "sea" }
    #expect(throws: Refusal.self) {
      try context.insert(Book.self) {
        $0.author = author
        $0.tags = [tag]
        throw Refusal()
      }
    }
    #expect(try context.count(Book.self) == 3)
    #expect(author.books.count == 2)
    #expect(tag.books.isEmpty)
    #expect(throws: Refusal.self) {
      let any: any ObjectContext = context
      try any.insert(Author.self) {
        $0.books = author.books
        throw Refusal()
      }
    }
    // The cascade of the author that was never there deletes no book.
    try context.save()
    #expect(try context.count(Book.self) == 3)
    #expect(try context.count(Author.self) == 1)
  }

  @Test func `an error that a getter recorded while an object was filled in is thrown later`()
    throws
  {
    try context.save()
    let other = try Library().context()
    #expect(throws: Refusal.self) {
      try other.insert(Book.self) {
        $0.author = try context.fetch(Author.self).first
        throw Refusal()
      }
    }
    #expect(code { _ = try other.count(Book.self) } == .foreignObject)
    #expect(try other.count(Book.self) == 0)
  }
}
