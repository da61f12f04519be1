import OxbowContext
import OxbowModel
import OxbowStore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Objects as constants of predicates, new and saved.
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

  private func titles(where predicate: FetchPredicate) throws -> [String] {
    try context.fetch(Book.self, where: predicate, sortedBy: [.ascending(\.title)]).map(\.title)
  }

  @Test(arguments: [false, true])
  func `an object is compared as it is, or by its ID`(isSaved: Bool) throws {
    if isSaved { try context.save() }
    let author = try #require(context.fetch(Author.self).first)
    let noAuthor: Author? = nil
    let id = author.objectID
    #expect(try titles(where: .equal("author", author)) == ["Eden"])
    #expect(try titles(where: .notEqual("author", author)) == ["Ubik"])
    #expect(try titles(where: .equal("author", noAuthor)) == ["Ubik"])
    #expect(try titles(where: .oneOf("author", [author])) == ["Eden"])
    #expect(try titles(#Predicate { $0.author?.objectID == id }) == ["Eden"])
    #expect(try titles(#Predicate { $0.author?.objectID != id }) == ["Ubik"])
  }

  @Test(arguments: [false, true])
  func `a relationship or a list is asked for an object`(isSaved: Bool) throws {
    if isSaved { try context.save() }
    let tag = try #require(context.fetch(Tag.self).first)
    let tagID = tag.objectID
    let books = try context.fetchIDs(Book.self, where: .equal("title", "Ubik"))
    #expect(try titles(#Predicate { $0.tags.contains { $0.objectID == tagID } }) == ["Eden"])
    #expect(try titles(#Predicate { !$0.tags.contains { $0.objectID == tagID } }) == ["Ubik"])
    #expect(try titles(#Predicate { books.contains($0.objectID) }) == ["Ubik"])
    #expect(try titles(where: .any("tags", .equal("", tag))) == ["Eden"])
  }
}
