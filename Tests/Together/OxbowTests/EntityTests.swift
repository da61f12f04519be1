import Oxbow
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Entity class Book: ManagedObject {
  var title: String
  var pages: Int32 = 0
  var genre: Genre = .novel
  @Attribute(transient: true) var isOpen: Bool = false
  @Relationship(inverse: \.books) var author: Author?
  @Relationship(inverse: \.books) var tags: Set<Tag> = []
}

@Entity final class Author: ManagedObject {
  var name: String = ""
  var age: Int?
  @Relationship(.cascade, inverse: \.author) var books: Set<Book> = []
  var isAdult: Bool { (age ?? 0) >= 18 }
}

@Entity final class AudioBook: Book {
  var minutes: Int = 60
  var speaker: String?
}

@Entity("Label") final class Tag: ManagedObject {
  @Attribute(renamedFrom: "text") var name: String
  @Relationship(inverse: \.tags) var books: [Book]
}

/// Without `@Entity`.
final class Paperback: Book {}

enum Genre: String, AttributeConvertible {
  case novel, crime
}

@Suite struct EntityTests {
  let model = ManagedObjectModel(types: [Author.self, Book.self, AudioBook.self, Tag.self])

  @Test func `a class declares its entity`() throws {
    let author = try #require(model.entity(named: "Author"))
    #expect(
      author.attributes == [
        AttributeDescription("name", .string, defaultValue: .string("")),
        AttributeDescription("age", .integer64, isOptional: true),
      ])
    #expect(
      author.relationships == [
        RelationshipDescription(
          "books", to: "Book", inverse: "author", isToMany: true, deleteRule: .cascade)
      ])
  }

  @Test func `names, renamings, raw values and order are taken over`() throws {
    let tag = try #require(model.entity(named: "Label"))
    #expect(tag.className == "Tag")
    #expect(tag.attributes == [AttributeDescription("name", .string, renamingIdentifier: "text")])
    #expect(tag.relationships.first?.isOrdered == true)
    let book = try #require(model.entity(named: "Book"))
    #expect(
      book.attributes[2] == AttributeDescription("genre", .string, defaultValue: .string("novel")))
    #expect(book.attributes[3].isTransient)
  }

  @Test func `a sub-entity names its parent and continues its accessors`() throws {
    #expect(model.entity(named: "AudioBook")?.parent == "Book")
    #expect(
      AudioBook._propertyNames == [
        "title", "pages", "genre", "isOpen", "author", "tags", "minutes", "speaker",
      ])
    #expect(AudioBook._propertyCount == 8)
  }

  @Test func `key paths of inherited properties are rooted in the class that is asked`() {
    let paths = Dictionary(
      AudioBook._keyPaths.map { ($0.keyPath, $0.name) }, uniquingKeysWith: { first, _ in first })
    #expect(paths[\AudioBook.title] == "title")
    #expect(paths[\AudioBook.speaker] == "speaker")
    #expect(paths[\Book.title] == nil)
    #expect(Book._keyPaths.contains { $0.keyPath == \Book.title && $0.name == "title" })
  }

  @Test func `a compiled model takes the classes`() throws {
    _ = try CompiledModel(model, classes: [Author.self, Book.self, AudioBook.self, Tag.self])
  }
}

@Suite struct EntityPredicateTests {
  @Test func `a class that the model does not have is refused with what to do`() throws {
    let store = try PersistentContainer(.temporary, types: [Author.self, Book.self, Tag.self])
    let error = #expect(throws: PersistenceError.self) {
      try store.perform { _ = try $0.count(FetchRequest<AudioBook>()) }
    }
    #expect(error?.code == .unknownEntity)
    #expect(
      error?.message
        == "the model has no entity 'AudioBook'; it has 'Author', 'Book', 'Label'; pass "
        + "'AudioBook.self' among the types when the store is opened, or add the entity to the "
        + "model's documents")
  }

  @Test func `a subclass without @Entity is refused with the reason`() throws {
    let types: [any ModelObject.Type] = [Author.self, Book.self, Tag.self]
    let store = try PersistentContainer(.temporary, types: types)
    let error = #expect(throws: PersistenceError.self) {
      try store.perform { _ = try $0.insert(Paperback.self) }
    }
    #expect(error?.code == .classMismatch)
    #expect(
      error?.message
        == "the class 'Paperback' does not have an entity of its own: 'Book' is that of 'Book'; mark "
        + "'Paperback' with @Entity")
  }

  @Test func `a predicate knows the properties of its class`() throws {
    let predicate = try FetchPredicate(#Predicate<Author> { $0.name == "Ada" && $0.age != nil })
    #expect("\(predicate)".contains("name"))
  }

  @Test func `a predicate of a sub-entity knows inherited properties and paths`() throws {
    let predicate = try FetchPredicate(
      #Predicate<AudioBook> { $0.title == "Kim" && $0.author?.name == "Kipling" && $0.minutes > 9 })
    for name in ["title", "author", "name", "minutes"] {
      #expect("\(predicate)".contains(name))
    }
  }
}
