import OxbowContext
import OxbowModel
import OxbowStore

// Two entities written by hand, line for line what `@Entity` makes of
//
//   @Entity final class Author: ManagedObject {
//     var name: String = ""
//     var age: Int?
//     @Relationship(.cascade, inverse: \.author) var books: Set<Book> = []
//   }
//   @Entity class Book: ManagedObject {
//     var title: String
//     var pages: Int32 = 0
//     @Relationship(inverse: \.books) var author: Author?
//     @Relationship(inverse: \.books) var tags: Set<Tag> = []
//   }
//   @Entity final class Novel: Book { var genre: String? }
//   @Entity final class Tag: ManagedObject { … }

final class Author: ManagedObject, ModelObject {
  var name: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  var age: Int? {
    get { _optionalValue(1) }
    set { _setValue(1, newValue) }
  }
  var books: Set<Book> {
    get { _objects(2) }
    set { _setObjects(2, newValue) }
  }

  class var entityName: String { "Author" }

  class var entityDescription: EntityDescription {
    EntityDescription(
      "Author", className: "Author",
      attributes: [
        AttributeDescription(
          "name", String.attributeType, isOptional: false,
          defaultValue: ("" as String).attributeValue),
        AttributeDescription("age", Int.attributeType, isOptional: true),
      ],
      relationships: [
        RelationshipDescription(
          "books", to: Book.entityName, inverse: "author", isToMany: true, deleteRule: .cascade)
      ])
  }

  class var _propertyNames: [String] { ["name", "age", "books"] }
  class var _propertyCount: Int { 3 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { _keyPathsOfAuthor(Author.self) }

  static func _keyPathsOfAuthor<R: Author>(_: R.Type) -> [(keyPath: AnyKeyPath, name: String)] {
    [(\R.name, "name"), (\R.age, "age"), (\R.books, "books")]
  }
}

class Book: ManagedObject, ModelObject {
  var title: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  var pages: Int32 {
    get { _value(1) }
    set { _setValue(1, newValue) }
  }
  var author: Author? {
    get { _object(2) }
    set { _setObject(2, newValue) }
  }
  var tags: Set<Tag> {
    get { _objects(3) }
    set { _setObjects(3, newValue) }
  }

  class var entityName: String { "Book" }

  class var entityDescription: EntityDescription {
    EntityDescription(
      "Book", className: "Book",
      attributes: [
        AttributeDescription("title", String.attributeType, isOptional: false),
        AttributeDescription(
          "pages", Int32.attributeType, isOptional: false, defaultValue: (0 as Int32).attributeValue
        ),
      ],
      relationships: [
        RelationshipDescription("author", to: Author.entityName, inverse: "books"),
        RelationshipDescription("tags", to: Tag.entityName, inverse: "books", isToMany: true),
      ])
  }

  class var _propertyNames: [String] { ["title", "pages", "author", "tags"] }
  class var _propertyCount: Int { 4 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { _keyPathsOfBook(Book.self) }

  static func _keyPathsOfBook<R: Book>(_: R.Type) -> [(keyPath: AnyKeyPath, name: String)] {
    [(\R.title, "title"), (\R.pages, "pages"), (\R.author, "author"), (\R.tags, "tags")]
  }
}

final class Novel: Book {
  var genre: String? {
    get { _optionalValue(Book._propertyCount + 0) }
    set { _setValue(Book._propertyCount + 0, newValue) }
  }

  override class var entityName: String { "Novel" }

  override class var entityDescription: EntityDescription {
    EntityDescription(
      "Novel", className: "Novel", parent: Book.entityName,
      attributes: [AttributeDescription("genre", String.attributeType, isOptional: true)])
  }

  override class var _propertyNames: [String] { Book._propertyNames + ["genre"] }
  override class var _propertyCount: Int { Book._propertyCount + 1 }
  override class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    _keyPathsOfNovel(Novel.self)
  }

  static func _keyPathsOfNovel<R: Novel>(_: R.Type) -> [(keyPath: AnyKeyPath, name: String)] {
    _keyPathsOfBook(R.self) + [(\R.genre, "genre")]
  }
}

final class Tag: ManagedObject, ModelObject {
  var name: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  var books: [Book] {
    get { _orderedObjects(1) }
    set { _setOrderedObjects(1, newValue) }
  }

  class var entityName: String { "Tag" }

  class var entityDescription: EntityDescription {
    EntityDescription(
      "Tag", className: "Tag",
      attributes: [AttributeDescription("name", String.attributeType, isOptional: false)],
      relationships: [
        RelationshipDescription(
          "books", to: Book.entityName, inverse: "tags", isToMany: true, isOrdered: true)
      ])
  }

  class var _propertyNames: [String] { ["name", "books"] }
  class var _propertyCount: Int { 2 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { _keyPathsOfTag(Tag.self) }

  static func _keyPathsOfTag<R: Tag>(_: R.Type) -> [(keyPath: AnyKeyPath, name: String)] {
    [(\R.name, "name"), (\R.books, "books")]
  }
}
