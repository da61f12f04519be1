import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import Testing

/// Every message of `@Entity`, `@Attribute` and `@Relationship`, with what its fix-it writes.
@Suite struct EntityDiagnosticsTests {
  @Test(arguments: classes + properties + relationships)
  func `what an entity cannot have is refused`(_ refusal: Refusal) {
    let found = diagnostics(of: refusal.source, applying: refusal.fixIt)
    #expect(found.messages == [refusal.message])
    #expect(found.fixIts == (refusal.fixIt.map { [$0] } ?? []))
    if let fixed = refusal.fixed { #expect(found.fixedSource == fixed) }
  }

  @Test func `a good property is generated beside a bad one`() {
    let found = diagnostics(of: "@Entity class A: ManagedObject {\n  var x = f()\n  var y: Int\n}")
    #expect(found.messages.count == 1)
    #expect(found.expansion.contains("_value(0)"))
    #expect(found.expansion.contains("[\"y\"]"))
  }

  @Test func `a class with mistakes gets the initializer that it would miss`() {
    let found = diagnostics(of: "@Entity class A: ManagedObject {\n  let x: Int\n}")
    #expect(found.messages.count == 1)
    #expect(found.expansion.contains("required init(_slab: RowSlab, row: Int, state: ObjectState)"))
    let whole = diagnostics(of: "@Entity class A: ManagedObject {\n  var x: Int\n}")
    #expect(!whole.expansion.contains("required init"))
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let source: String
    let message: String
    var fixIt: String?
    var fixed: String?

    var testDescription: String { source }
  }

  /// A class with one member.
  private static func member(_ member: String) -> String {
    "@Entity class A: ManagedObject {\n  \(member)\n}"
  }

  static let classes: [Refusal] = [
    Refusal(
      source: "@Entity struct A {}",
      message: "an entity's objects have identity, and 'A' is a struct; "
        + "declare 'final class A: ManagedObject'"),
    Refusal(
      source: "@Entity class A<T>: ManagedObject {}",
      message: "an entity has one set of properties, so 'A' cannot be generic"),
    Refusal(
      source: "@Entity class A {}",
      message: "'A' must inherit from 'ManagedObject' or from another entity",
      fixIt: "inherit from 'ManagedObject'", fixed: "@Entity class A: ManagedObject {}"),
    Refusal(
      source: "@Entity class A: Codable {}",
      message: "'A' must inherit from 'ManagedObject' or from another entity",
      fixIt: "inherit from 'ManagedObject'", fixed: "@Entity class A: ManagedObject, Codable {}"),
    Refusal(
      source: "@Entity class A: ManagedObject, Sendable {}",
      message: "'A' cannot be Sendable: a managed object belongs to its context; "
        + "send its 'objectID' and fetch it there",
      fixIt: "remove 'Sendable'", fixed: "@Entity class A: ManagedObject {}"),
    Refusal(
      source: "@Entity class A: ManagedObject, @unchecked Sendable, P {}",
      message: "'A' cannot be Sendable: a managed object belongs to its context; "
        + "send its 'objectID' and fetch it there",
      fixIt: "remove 'Sendable'", fixed: "@Entity class A: ManagedObject, P {}"),
    Refusal(
      source: member("deinit {}"),
      message:
        "'A' cannot have a deinitializer: the context drops objects that are not held anywhere and "
        + "brings them back as it likes; release what an object uses where the unit of work ends"),
    Refusal(
      source: member("init() {}"),
      message: "'A' cannot declare a designated initializer: contexts create objects; "
        + "write a convenience function that inserts one and sets its properties"),
    Refusal(
      source: member("override func awakeFromInsert() {}"),
      message:
        "'awakeFromInsert' overrides nothing: a class conforms to the protocol of each moment "
        + "that it wants to hear of; write 'AwakeFromInsertHook' after the superclass, and leave out "
        + "'override' and the call of 'super'"),
    Refusal(
      source: member("@NSManaged var title: String"),
      message: "'@Entity' writes the accessors of 'title'; remove '@NSManaged'"),
    Refusal(
      source: member("#if DEBUG\n  var x: Int\n  #endif"),
      message: "'@Entity' cannot see which branch of '#if' is compiled; "
        + "declare the property outside of it"),
  ]

  static let properties: [Refusal] = [
    Refusal(
      source: member("var tags: [String]"),
      message: "'tags' of type '[String]' is many values, and an attribute is one; write an entity "
        + "for them and a '@Relationship' to it, or an 'AttributeConvertible' type that holds them all"
    ),
    Refusal(
      source: member("var x: Int, y: Int"),
      message: "an entity's properties are declared one by one, each with its type"),
    Refusal(
      source: member("let x: Int"),
      message: "'x' is read from the store whenever its object is, so it cannot be a 'let'",
      fixIt: "use 'var'", fixed: member("var x: Int")),
    Refusal(
      source: member("lazy var x: Int = 1"),
      message: "'x' has no storage in the object that 'lazy' could apply to"),
    Refusal(
      source: member("weak var x: Other?"),
      message: "'x' has no storage in the object that 'weak' could apply to"),
    Refusal(
      source: member("var x: Int = 1 { didSet {} }"),
      message: "'x' has no storage in the object that could be observed; "
        + "add a computed property that changes both"),
    Refusal(
      source: member("var x = \"\""),
      message: "'x' needs a type annotation: a macro sees what is written, not what is inferred",
      fixIt: "add ': String'", fixed: member("var x: String = \"\"")),
    Refusal(
      source: member("var x = -1.5"),
      message: "'x' needs a type annotation: a macro sees what is written, not what is inferred",
      fixIt: "add ': Double'", fixed: member("var x: Double = -1.5")),
    Refusal(
      source: member("var x = make()"),
      message: "'x' needs a type annotation: a macro sees what is written, not what is inferred",
      fixIt: "add ': <#Type#>'", fixed: member("var x: <#Type#> = make()")),
    Refusal(
      source: member("var description: String"),
      message: "every managed object has a property 'description' already; choose another name"),
    Refusal(
      source: member("@Attribute @Relationship var x: Other?"),
      message: "'x' is either an attribute or a relationship; remove one of the two"),
    Refusal(
      source: member("var x: [String: Int]"),
      message: "'x' of type '[String: Int]' cannot be kept in a store; an attribute is a number, "
        + "Bool, String, Date, Data, UUID, URL or Decimal, an 'AttributeConvertible' type, or an "
        + "optional of one (type aliases of other spellings are not seen)"),
    Refusal(
      source: member("var x: Int??"),
      message: "'x' of type 'Int??' cannot be kept in a store; an attribute is a number, "
        + "Bool, String, Date, Data, UUID, URL or Decimal, an 'AttributeConvertible' type, or an "
        + "optional of one (type aliases of other spellings are not seen)"),
    Refusal(
      source: member("var books: Set<Book>"),
      message: "'books' of type 'Set<Book>' is a relationship to many objects; "
        + "mark it '@Relationship'",
      fixIt: "add '@Relationship'", fixed: member("@Relationship var books: Set<Book>")),
    Refusal(
      source: member("var made: Date = .now"),
      message: "the default of 'made' is evaluated once for the model, so every object would get "
        + "the same '.now'; make the attribute optional, or set it where the object is inserted"),
    Refusal(
      source: member("@Attribute(transient: flag) var x: Int"),
      message: "'transient' must be 'true' or 'false', spelled here"),
    Refusal(
      source: member("@Attribute(nilAs: 0) var x: Int?"),
      message: "'x' can be nil itself, so 'nilAs' has no use; remove it, or the '?' of the type"),
    Refusal(
      source: "class A {\n  @Attribute var x: Int\n}",
      message: "'@Attribute' belongs on a property of a class that is an '@Entity'"),
  ]

  static let relationships: [Refusal] = [
    Refusal(
      source: member("@Relationship var x: Set<Book>?"),
      message: "'x' leads to no object when it is empty; remove the '?'"),
    Refusal(
      source: member("@Relationship var x: (Book, Book)"),
      message: "'x' of type '(Book, Book)' is not a relationship; spell 'T?' for one object, "
        + "'Set<T>' for many, '[T]' for many in order (type aliases are not seen)"),
    Refusal(
      source: member("@Relationship var x: Book"),
      message: "'x' has no object before it is set and after its object is deleted, so its type "
        + "must be optional",
      fixIt: "make it optional", fixed: member("@Relationship var x: Book?")),
    Refusal(
      source: member("@Relationship var x: [Book] = [a]"),
      message: "a new object has no related objects yet, so 'x' can only start as '[]'"),
    Refusal(
      source: member(#"@Relationship(inverse: \.a.b) var x: Book?"#),
      message: #"the inverse of 'x' is spelled as '\.property', one property of the destination"#),
    Refusal(
      source: member(#"@Relationship(inverse: \Book.author) var x: Book?"#),
      message:
        #"spell the inverse '\.author': with the class in front, the two ends would refer to "#
        + "each other in a circle",
      fixIt: "leave the class out", fixed: member(#"@Relationship(inverse: \.author) var x: Book?"#)
    ),
    Refusal(
      source: "struct A {\n  @Relationship var x: Book?\n}",
      message: "'@Relationship' belongs on a property of a class that is an '@Entity'"),
  ]
}
