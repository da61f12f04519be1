import Testing

@Suite struct EntityMacroTests {
  @Test func `an entity gets accessors, its description, key paths and the conformance`() {
    assertExpansion(
      #"""
      @Entity public final class Author: ManagedObject {
        public var name: String = ""
        var age: Int?
        @Relationship(.cascade, inverse: \.author) var books: Set<Book> = []
        var upper: String { name.uppercased() }
        static var shared = 1
      }
      """#,
      to: #"""
        public final class Author: ManagedObject {
          public var name: String {
            get {
              _value(0)
            }
            set {
              _setValue(0, newValue)
            }
          }
          var age: Int? {
            get {
              _optionalValue(1)
            }
            set {
              _setValue(1, newValue)
            }
          }
          var books: Set<Book> {
            get {
              _objects(2)
            }
            set {
              _setObjects(2, newValue)
            }
          }
          var upper: String { name.uppercased() }
          static var shared = 1

          /// The name of the entity whose objects the class makes.
          nonisolated public class var entityName: String {
            "Author"
          }

          /// The entity as the class declares it, with its own properties only.
          nonisolated public class var entityDescription: EntityDescription {
            #sourceLocation(file: "test.swift", line: 4)
            let inverseOf_books = _inverseName("author", \Book.author)
            #sourceLocation()
            return EntityDescription(Author.entityName, className: "Author", attributes: [
                AttributeDescription("name", _attributeType(of: String.self), defaultValue: _attributeValue(("") as String)),
                AttributeDescription("age", _attributeType(of: Int.self), isOptional: true),
              ], relationships: [
                RelationshipDescription("books", to: Book.entityName, inverse: inverseOf_books, isToMany: true, deleteRule: .cascade),
              ])
          }

          /// The names of all properties in the order of their accessors, inherited ones first.
          nonisolated public class var _propertyNames: [String] {
            ["name", "age", "books"]
          }

          /// The number of all properties, which is where the accessors of a sub-entity begin.
          nonisolated public class var _propertyCount: Int {
            3
          }

          /// The key paths of all properties, inherited ones included, rooted in this class.
          nonisolated public class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
            _keptKeyPaths_Author
          }

          nonisolated(unsafe) private static let _keptKeyPaths_Author = _keyPaths_Author(Author.self)

          /// The key paths of the properties, rooted in a class that inherits them.
          nonisolated public static func _keyPaths_Author<R: Author>(_ root: R.Type) -> [(keyPath: AnyKeyPath, name: String)] {
            [
                (\R.name, "name"),
                (\R.age, "age"),
                (\R.books, "books"),
              ]
          }
        }

        nonisolated extension Author: ModelObject {
        }
        """#)
  }

  @Test func `options are passed on`() {
    assertExpansion(
      #"""
      @Entity(
        "Buch", abstract: true, renamedFrom: "Book", unique: [["isbn"]],
        indexes: [FetchIndexDescription("i", elements: [.init("isbn")])], hashModifier: "2",
        userInfo: ["a": "b"])
      open class Book: ManagedObject {
        @Attribute(renamedFrom: "number", rules: AttributeRules(maximumLength: 13)) var isbn: String
        @Attribute(transient: true, hashModifier: "x", userInfo: [:]) var isOpen: Bool = false
        @Attribute(transient: true) var mark: Int? = 3
        var `class`: Genre = .novel
        @Attribute(derivation: "author.limit", externalStorage: true) var limit: Optional<Model.Amount> = nil
        @Relationship(inverse: \.books, optional: false, renamedFrom: "writer", hashModifier: "y")
        var author: Author?
        @Relationship(.deny, inverse: \.book, minimumCount: 1, maximumCount: 9) var pages: [Page]
        @Relationship var tags: Set<Tag>
      }
      """#,
      to: #"""
        open class Book: ManagedObject {
          var isbn: String {
            get {
              _value(0)
            }
            set {
              _setValue(0, newValue)
            }
          }
          var isOpen: Bool {
            get {
              _transientValue(1)
            }
            set {
              _setValue(1, newValue)
            }
          }
          var mark: Int? {
            get {
              _slowValue(2)
            }
            set {
              _setValue(2, newValue)
            }
          }
          var `class`: Genre {
            get {
              _value(3)
            }
            set {
              _setValue(3, newValue)
            }
          }
          var limit: Optional<Model.Amount> {
            get {
              _optionalValue(4)
            }
            set {
              _setValue(4, newValue)
            }
          }
          var author: Author? {
            get {
              _object(5)
            }
            set {
              _setObject(5, newValue)
            }
          }
          var pages: [Page] {
            get {
              _orderedObjects(6)
            }
            set {
              _setOrderedObjects(6, newValue)
            }
          }
          var tags: Set<Tag> {
            get {
              _objects(7)
            }
            set {
              _setObjects(7, newValue)
            }
          }

          /// The name of the entity whose objects the class makes.
          nonisolated open class var entityName: String {
            "Buch"
          }

          /// The entity as the class declares it, with its own properties only.
          nonisolated open class var entityDescription: EntityDescription {
            #sourceLocation(file: "test.swift", line: 11)
            let inverseOf_author = _inverseName("books", \Author.books)
            #sourceLocation()
            #sourceLocation(file: "test.swift", line: 13)
            let inverseOf_pages = _inverseName("book", \Page.book)
            #sourceLocation()
            return EntityDescription(Book.entityName, className: "Book", isAbstract: true, attributes: [
                AttributeDescription("isbn", _attributeType(of: String.self), renamingIdentifier: "number", rules: AttributeRules(maximumLength: 13)),
                AttributeDescription("isOpen", _attributeType(of: Bool.self), isTransient: true, defaultValue: _attributeValue((false) as Bool), versionHashModifier: "x", userInfo: [:]),
                AttributeDescription("mark", _attributeType(of: Int.self), isOptional: true, isTransient: true, defaultValue: _optionalAttributeValue((3) as Int?)),
                AttributeDescription("class", _attributeType(of: Genre.self), defaultValue: _attributeValue((.novel) as Genre)),
                AttributeDescription("limit", _attributeType(of: Model.Amount.self), isOptional: true, derivation: "author.limit", allowsExternalStorage: true),
              ], relationships: [
                RelationshipDescription("author", to: Author.entityName, inverse: inverseOf_author, isOptional: false, renamingIdentifier: "writer", versionHashModifier: "y"),
                RelationshipDescription("pages", to: Page.entityName, inverse: inverseOf_pages, isToMany: true, isOrdered: true, deleteRule: .deny, minimumCount: 1, maximumCount: 9),
                RelationshipDescription("tags", to: Tag.entityName, isToMany: true),
              ], uniquenessConstraints: [["isbn"]], fetchIndexes: [FetchIndexDescription("i", elements: [.init("isbn")])], renamingIdentifier: "Book", versionHashModifier: "2", userInfo: ["a": "b"])
          }

          /// The names of all properties in the order of their accessors, inherited ones first.
          nonisolated open class var _propertyNames: [String] {
            ["isbn", "isOpen", "mark", "class", "limit", "author", "pages", "tags"]
          }

          /// The number of all properties, which is where the accessors of a sub-entity begin.
          nonisolated open class var _propertyCount: Int {
            8
          }

          /// The key paths of all properties, inherited ones included, rooted in this class.
          nonisolated open class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
            _keptKeyPaths_Book
          }

          nonisolated(unsafe) private static let _keptKeyPaths_Book = _keyPaths_Book(Book.self)

          /// The key paths of the properties, rooted in a class that inherits them.
          nonisolated public static func _keyPaths_Book<R: Book>(_ root: R.Type) -> [(keyPath: AnyKeyPath, name: String)] {
            [
                (\R.isbn, "isbn"),
                (\R.isOpen, "isOpen"),
                (\R.mark, "mark"),
                (\R.`class`, "class"),
                (\R.limit, "limit"),
                (\R.author, "author"),
                (\R.pages, "pages"),
                (\R.tags, "tags"),
              ]
          }
        }

        nonisolated extension Book: ModelObject {
        }
        """#)
  }

  @Test func `P6: a value for nil makes the attribute optional, and the property not`() {
    let found = diagnostics(
      of: """
        @Entity final class A: ManagedObject {
          @Attribute(nilAs: Level.low) var level: Level = .high
          @Attribute(transient: true, nilAs: 0) var draft: Int32
          @Attribute(nilAs: nil) var plain: Int32
        }
        """)
    #expect(found.messages.isEmpty)
    let text = found.expansion
    #expect(text.contains("_optionalValue(0) ?? ((Level.low) as Level)"))
    #expect(text.contains("_slowValue(1) ?? ((0) as Int32)"))
    #expect(text.contains("_value(2)"))
    #expect(
      text.contains(
        "AttributeDescription(\"level\", _attributeType(of: Level.self), isOptional: true, "
          + "defaultValue: _optionalAttributeValue((.high) as Level?))"))
    #expect(
      text.contains("\"draft\", _attributeType(of: Int32.self), isOptional: true, isTransient"))
    #expect(text.contains("AttributeDescription(\"plain\", _attributeType(of: Int32.self))"))
  }

  @Test func `a sub-entity adds to what it inherits`() {
    assertExpansion(
      """
      @Entity final class Novel: Library.Book {
        var genre: String = "crime"
      }
      """,
      to: #"""
        final class Novel: Library.Book {
          var genre: String {
            get {
              _value(Library.Book._propertyCount + 0)
            }
            set {
              _setValue(Library.Book._propertyCount + 0, newValue)
            }
          }

          /// The name of the entity whose objects the class makes.
          nonisolated override class var entityName: String {
            "Novel"
          }

          /// The entity as the class declares it, with its own properties only.
          nonisolated override class var entityDescription: EntityDescription {
            EntityDescription(Novel.entityName, className: "Novel", parent: Library.Book.entityName, attributes: [
                AttributeDescription("genre", _attributeType(of: String.self), defaultValue: _attributeValue(("crime") as String)),
              ])
          }

          /// The names of all properties in the order of their accessors, inherited ones first.
          nonisolated override class var _propertyNames: [String] {
            Library.Book._propertyNames + ["genre"]
          }

          /// The number of all properties, which is where the accessors of a sub-entity begin.
          nonisolated override class var _propertyCount: Int {
            Library.Book._propertyCount + 1
          }

          /// The key paths of all properties, inherited ones included, rooted in this class.
          nonisolated override class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
            _keptKeyPaths_Novel
          }

          nonisolated(unsafe) private static let _keptKeyPaths_Novel = _keyPaths_Novel(Novel.self)

          /// The key paths of the properties, rooted in a class that inherits them.
          nonisolated static func _keyPaths_Novel<R: Novel>(_ root: R.Type) -> [(keyPath: AnyKeyPath, name: String)] {
            Library.Book._keyPaths_Book(root) + [
                (\R.genre, "genre"),
              ]
          }
        }

        nonisolated extension Novel: ModelObject {
        }
        """#)
  }
}
