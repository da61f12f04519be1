import OxbowContext
import OxbowModel
import OxbowStore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Objects that a `#Predicate` captures, new and saved.
@Suite struct ObjectConstantTests {
  let context: ManagedObjectContext

  init() throws {
    context = try Library().context()
    let lem = try context.insert(Author.self) { $0.name = "Lem" }
    let sea = try context.insert(Tag.self) { $0.name = "sea" }
    try context.insert(Book.self) { ($0.title, $0.author, $0.tags) = ("Eden", lem, [sea]) }
    try context.insert(Book.self) { $0.title = "Ubik" }
  }

  private func titles(_ predicate: Predicate<Book>) throws -> [String] {
    try context.fetch(Book.self, where: predicate, sortedBy: [.ascending(\.title)]).map(\.title)
  }

  @Test(arguments: [false, true])
  func `an object is compared as it is, or by its ID`(isSaved: Bool) throws {
    if isSaved { try context.save() }
    let author = try #require(context.fetch(Author.self).first)
    let id = author.objectID
    #expect(try titles(#Predicate { $0.author == author }) == ["Eden"])
    #expect(try titles(#Predicate { $0.author != author }) == ["Ubik"])
    #expect(try titles(#Predicate { $0.author?.objectID == author.objectID }) == ["Eden"])
    #expect(try titles(#Predicate { $0.author?.objectID == id }) == ["Eden"])
    #expect(try titles(#Predicate { $0.author == author && $0.title == "Ubik" }) == [])
  }

  @Test(arguments: [false, true])
  func `an object or none is compared`(isSaved: Bool) throws {
    if isSaved { try context.save() }
    let author = try context.fetch(Author.self).first
    let nobody: Author? = nil
    #expect(try titles(#Predicate { $0.author == author }) == ["Eden"])
    #expect(try titles(#Predicate { $0.author == nobody }) == ["Ubik"])
    #expect(try titles(#Predicate { $0.author != nobody }) == ["Eden"])
  }

  @Test(arguments: [false, true])
  func `a relationship is asked for an object`(isSaved: Bool) throws {
    if isSaved { try context.save() }
    let author = try #require(context.fetch(Author.self).first)
    let tag = try #require(context.fetch(Tag.self).first)
    #expect(try titles(#Predicate { $0.tags.contains(tag) }) == ["Eden"])
    #expect(try titles(#Predicate { !$0.tags.contains(tag) }) == ["Ubik"])
    #expect(try titles(#Predicate { $0.tags.contains { $0 == tag } }) == ["Eden"])
    let book = try #require(context.fetch(Book.self, where: .equal("title", "Ubik")).first)
    #expect(try titles(#Predicate { $0 == book }) == ["Ubik"])
    #expect(try titles(#Predicate { $0.objectID != book.objectID }) == ["Eden"])
    #expect(
      try context.fetch(Book.self, where: .oneOf("author", [author])).map(\.title) == ["Eden"])
  }

  @Test func `an object of another class is refused`() throws {
    let book = try #require(context.fetch(Book.self, where: .equal("title", "Ubik")).first)
    let error = #expect(throws: PersistenceError.self) {
      try titles(#Predicate { $0.author == book })
    }
    #expect(error?.code == .invalidPredicate)
    #expect(
      error?.message == """
        a #Predicate compares the object '\(book)', a 'Book', with 'Optional<Author>'; compare it \
        with an object of its class
        """)
  }

  @Test func `five conditions beside an object still compile`() throws {
    let author = try #require(context.fetch(Author.self).first)
    let found = try titles(
      #Predicate {
        $0.author == author && $0.title == "Eden" && $0.pages >= 0 && $0.author?.name == "Lem"
          && $0.pages < 9
      })
    #expect(found == ["Eden"])
  }

  @Test func `a predicate with an object cannot be evaluated by itself`() throws {
    let book = try #require(context.fetch(Book.self).first)
    let predicate = #Predicate<Book> { $0 == book }
    #expect(code { _ = try predicate.evaluate(book) } == .unsupported)
  }
}
