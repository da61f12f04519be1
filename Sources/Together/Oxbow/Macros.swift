/// Makes a class the Swift side of an entity.
///
/// ```swift
/// @Entity final class Author: ManagedObject {
///   var name: String = ""
///   var age: Int?
///   @Relationship(.cascade, inverse: \.author) var books: Set<Book> = []
/// }
/// ```
///
/// Each stored property becomes a property of the entity and gets accessors that read the object's
/// row; its initial value becomes the default of new objects, evaluated once. Types must be
/// written, because a macro sees no inferred ones and no aliases. The macro writes the entity's
/// description, the key paths that predicates use, and the conformance to ``ModelObject``. A class
/// that inherits from another entity is a sub-entity.
///
/// - Parameters:
///   - name: The entity's name in the model; the class's name unless it is given.
///   - abstract: Whether the entity has no objects of its own.
///   - renamedFrom: The name that the entity had in the model before.
///   - unique: Sets of attributes whose values must be unique together.
///   - indexes: What speeds up fetches.
///   - hashModifier: Text that is mixed into the version hash, to force a new version.
///   - userInfo: Free pairs of the model's author.
@attached(member, names: arbitrary)
@attached(memberAttribute)
@attached(extension, conformances: ModelObject)
public macro Entity(
  _ name: String? = nil, abstract: Bool = false, renamedFrom: String? = nil,
  unique: [[String]] = [], indexes: [FetchIndexDescription] = [], hashModifier: String? = nil,
  userInfo: [String: String] = [:]
) = #externalMacro(module: "OxbowMacros", type: "EntityMacro")

/// Gives options to an attribute of an entity.
///
/// - Parameters:
///   - renamedFrom: The name that the attribute had in the model before, for migrations.
///   - transient: Whether the value lives in memory only.
///   - nilAs: What the property reads where the attribute has no value. The attribute is optional
///     then, and the type of the property is not, as the scalars of Core Data's classes are.
///     Reading stores nothing; conditions, orders and groups see the attribute without a value.
///   - rules: What a value must keep, checked at save.
///   - derivation: What the store computes the value from in each save, such as
///     `"books.@count"`; setting the property is an error then. See
///     `AttributeDescription.derivation`.
///   - externalStorage: Whether the store may keep large values in files beside it; for `Data` and
///     what is kept as data. See `AttributeDescription.allowsExternalStorage`.
///   - preservedAfterDeletion: Whether the history of a store keeps the value of a deleted object.
///   - search: How the store finds its texts without reading all of them. See
///     `AttributeDescription.search`.
///   - hashModifier: Text that is mixed into the version hash, to force a new version.
///   - userInfo: Free pairs of the model's author.
@attached(peer)
public macro Attribute(
  renamedFrom: String? = nil, transient: Bool = false, nilAs: (any AttributeConvertible)? = nil,
  rules: AttributeRules = AttributeRules(), derivation: String? = nil,
  externalStorage: Bool = false, preservedAfterDeletion: Bool = false,
  search: AttributeSearch = [], hashModifier: String? = nil, userInfo: [String: String] = [:]
) = #externalMacro(module: "OxbowMacros", type: "EntityOptionMacro")

/// Makes a property of an entity a relationship.
///
/// The type says how many objects it leads to: `T?` one, `Set<T>` many, `[T]` many in order.
///
/// - Parameters:
///   - deleteRule: What happens to the other end when the object is deleted.
///   - inverse: The property at the other end, as `\.name` without its class.
///   - optional: Whether it may lead nowhere when the object is saved; a to-many relationship that
///     is not optional may be empty too, unless it has a smallest number of objects.
///   - renamedFrom: The name that the relationship had in the model before, for migrations.
///   - minimumCount: The smallest number of objects of a to-many relationship, which may be empty
///     nevertheless if it is optional.
///   - maximumCount: The largest number of objects; 0 for no limit.
///   - hashModifier: Text that is mixed into the version hash, to force a new version.
///   - userInfo: Free pairs of the model's author.
@attached(peer)
public macro Relationship(
  _ deleteRule: DeleteRule = .nullify, inverse: KeyPath<InverseName, InverseName>? = nil,
  optional: Bool = true, renamedFrom: String? = nil, minimumCount: Int = 0, maximumCount: Int = 0,
  hashModifier: String? = nil, userInfo: [String: String] = [:]
) = #externalMacro(module: "OxbowMacros", type: "EntityOptionMacro")

/// Writes the accessors of an entity's property;
/// ``Entity(_:abstract:renamedFrom:unique:indexes:hashModifier:userInfo:)`` attaches it.
@attached(accessor)
public macro _EntityProperty(_ index: Int, after superclass: String? = nil) =
  #externalMacro(module: "OxbowMacros", type: "EntityPropertyMacro")

/// Lets `inverse: \.name` be written without naming the class.
///
/// Two relationships that name each other with their classes would be a circular reference; the
/// macro finds the class in the property's type and has the compiler check the name there.
@dynamicMemberLookup
public struct InverseName: Sendable {
  /// Any name.
  public subscript(dynamicMember name: String) -> InverseName { self }
}

/// The name of an inverse; the key path has the compiler check it, and is never formed.
public func _inverseName(_ name: String, _ check: @autoclosure () -> AnyKeyPath) -> String { name }

/// Makes a class known to files by its name, and to a container as it is annotated.
///
/// ```swift
/// @Component("knight", .singleton, .lazy) final class Knight: Sendable {
///   @Inject("grail") let quest: any Quest
/// }
/// ```
///
/// The macro writes a description of what a file can do with the class: initializers and static
/// methods that return the class, whose labels are the names of properties in a file; the
/// properties that code beside the class can set; methods without arguments and result, which can
/// be called before or after injection; and methods marked with ``FactoryMethod()``. A record in
/// the program lets the container find the class without registration.
///
/// A class that declares no initializer, and where all that lacks a value is injected, gets one
/// that takes it. That initializer is internal, calls no initializer of a superclass but a plain
/// `init()`, and sets no optional variables: these are set afterwards.
///
/// Parameters with a default may be left out, each for itself where there are up to four of them,
/// and so may optional ones, which are nil then.
///
/// A class that declares no initializer and inherits from a component has those of its superclass,
/// the first four that have parameters; of several with the same parameter types none. Whatever it
/// inherits from another class has to be written in it to be known: `override init(…)`.
///
/// Left out is what generated code cannot use: what is private, `async`, generic, variadic, bound
/// to an actor, inside of `#if` or limited by `@available`; what takes `sending`, `consuming` or
/// `borrowing` parameters; failable initializers; properties whose type is neither written nor that
/// of a literal or of a plain new value (`Point()`, `[Int]()`), and `let`s; everything of a
/// superclass (one that is a component describes its own).
///
/// - Parameters:
///   - name: The name of the object that is defined by the class itself; by default the class's
///     name.
///   - traits: Its scope, whether it is lazy, and whether it is the one that counts where several
///     fit a type; by default each request gets a new object.
///   - isolation: `.mainActor` for a class of an actor that is not written on the class, because it
///     is the module's default. Such a class is known and cannot be built by a container.
@attached(
  member, conformances: Component,
  names: named(componentDescriptor), named(_componentRecord), named(_isolationProbe),
  named(_InitializerOwner), named(_heritableInitializer0), named(_heritableInitializer1),
  named(_heritableInitializer2), named(_heritableInitializer3),
  named(init))
@attached(extension, conformances: Component)
public macro Component(
  _ name: String, _ traits: ComponentTrait..., isolation: ComponentIsolation = .nonisolated
) = #externalMacro(module: "OxbowMacros", type: "ComponentMacro")

/// Makes a class known to files by its name, and to a container as it is annotated.
///
/// As ``Component(_:_:isolation:)``, for an object that has the name of its class.
@attached(
  member, conformances: Component,
  names: named(componentDescriptor), named(_componentRecord), named(_isolationProbe),
  named(_InitializerOwner), named(_heritableInitializer0), named(_heritableInitializer1),
  named(_heritableInitializer2), named(_heritableInitializer3),
  named(init))
@attached(extension, conformances: Component)
public macro Component(
  _ traits: ComponentTrait..., isolation: ComponentIsolation = .nonisolated
) = #externalMacro(module: "OxbowMacros", type: "ComponentMacro")

/// Has a container set a property to another object, or construct with other objects.
///
/// On a property of a ``Component(_:_:isolation:)`` it names the object; without a name, the object
/// is called like the property. On one initializer of the class it says that objects are
/// constructed by it, and with the objects that are called like its labels; parameters with a
/// default keep it. An annotation on a property goes before the one on the initializer, so a
/// constant can name its object.
///
/// What a definition says about the same property itself goes before the annotation.
@attached(peer)
public macro Inject(_ component: String? = nil) =
  #externalMacro(module: "OxbowMacros", type: "ComponentMarkerMacro")

/// Has a container set a property to a value.
///
/// - Parameter value: What the property's type is read from, as in a file: `"20"`,
///   `"${port:8080}"`.
@attached(peer)
public macro Inject(value: String) =
  #externalMacro(module: "OxbowMacros", type: "ComponentMarkerMacro")

/// Has a container set a property to the one object that fits its type, or a collection to all that
/// do.
///
/// On one initializer of the class it does so for each parameter without a default.
@attached(peer)
public macro Autowired() = #externalMacro(module: "OxbowMacros", type: "ComponentMarkerMacro")

/// Lets definitions name a method as what makes their object.
///
/// The method belongs to a ``Component(_:_:isolation:)``; a definition names the object as its
/// factory component, and the method in place of an initializer.
@attached(peer)
public macro FactoryMethod() = #externalMacro(module: "OxbowMacros", type: "ComponentMarkerMacro")

/// Generates a proxy for a protocol.
///
/// A proxy forwards to an object that is built at the first call, or to another one on each thread:
/// its source decides. For
///
/// ```swift
/// @Proxied public protocol Catalog {
///   func titles() throws -> [String]
/// }
/// ```
///
/// the macro writes the protocol `CatalogForwarding`, with a default for each requirement that asks
/// the proxy's target, and the Sendable class `CatalogProxy`. A protocol that `Catalog` refines
/// must be `@Proxied` too.
///
/// For a protocol that is neither `public` nor `package`, write the conformance below it: optimized
/// builds see only what the sources state. Without the line, the error contains it.
///
/// ```swift
/// extension CatalogProxy: CatalogForwarding {}
/// ```
///
/// `CatalogProxy.fixed(_:)`, `.lazy(_:)` and `.recording(into:_:)` make proxies without a
/// container.
///
/// Requirements should throw: a proxy whose target cannot be built throws from the
/// call, and stops the process where it may not throw.
///
/// A protocol with primary associated types gives a generic proxy. One that refines it binds them
/// (`protocol Numbers: Store<Int>`, `where Key == Int`) or hands them on (`protocol Big<Key>: Store
/// where Key: Hashable`); what the parent asks of a type that is handed on is repeated in the
/// `where` clause.
///
/// Where an extension of a protocol has a default for a requirement of its parent, declare the
/// requirement again in the protocol. Otherwise the default and the parent's forwarding member
/// match equally well, and the proxy does not conform to the parent.
///
/// A recording proxy sees the arguments of its calls, except functions, autoclosures and what
/// cannot be copied. Function types must be spelled out for that: behind an alias a macro does not
/// see them.
///
/// With `aspects: true`, aspects of a container can run around the methods. The macro then writes a
/// class for each method, whose objects are its calls; see `Aspect`.
///
/// - Parameters:
///   - protocols: The protocols, as `Name.self`, that this one refines through more than one
///     parent. Without them a call through the proxy would be ambiguous.
///   - aspects: Whether aspects can run around the methods: those with plain parameters, of a
///     protocol without associated types of its own.
@attached(peer, names: suffixed(Forwarding), suffixed(Proxy))
public macro Proxied(also protocols: Any.Type..., aspects: Bool = false) =
  #externalMacro(module: "OxbowMacros", type: "ProxiedMacro")

/// Writes the members that forward; ``Proxied(also:aspects:)`` puts it on the forwarding protocol.
@attached(extension, names: arbitrary)
public macro _ForwardingMembers(_ members: StaticString) =
  #externalMacro(module: "OxbowMacros", type: "ForwardingMembersMacro")

/// Writes the methods of a repository from their names and labels.
///
/// ```swift
/// @Repository protocol Books: Repository<Book> {
///   func find(titleContains: String, limit: Int) throws -> [Book]
///   func find(author_name: String, pagesAtLeast pages: Int) throws -> [Book]
///   func count(author: Author) throws -> Int
///   func delete(publishedBefore date: Date) throws -> Int
///   @Query("author.name IN $names OR author == nil", sortedBy: "title")
///   func written(by names: [String]) throws -> [Book]
/// }
///
/// struct StoredBooks: Books, Stored {
///   let context: any ObjectContext & Sendable
/// }
/// ```
///
/// **Verbs** are the names of the methods: `find` returns `[Book]` or `[ManagedObjectID]`, `first`
/// one of them or `nil`, `count` an `Int`, `exists` a `Bool`, `stream` `FetchedObjects<Book>`,
/// `page` a `Page<Book>`, `slice` a `FetchedSlice<Book>`; `delete` marks the objects for deletion
/// and returns their number, or nothing.
///
/// **Labels** are conditions, all of which must hold: the path of a property, in which `_` steps
/// into the object of a to-one relationship, and an ending: none (equal), `IsNot`, `Contains`,
/// `BeginsWith`, `EndsWith`, `AtLeast`, `AtMost`, `Above` or `After`, `Below` or `Before`, `In` (an
/// array, a set or a closed range). `limit`, `offset`, `sortedBy` and `batchSize` are options, and
/// so are parameters of the types `PageRequest` and `PageToken`.
///
/// The compiler checks properties and types at the line of the label. What is left over,
/// ``Query(_:sortedBy:)`` says as text. A requirement that you write yourself is marked
/// ``Written()``.
@attached(extension, names: arbitrary)
@attached(peer, names: prefixed(_Queries))
public macro Repository() = #externalMacro(module: "OxbowMacros", type: "RepositoryMacro")

/// Says as text what a method of a `@Repository` asks.
///
/// The parameters of the method are variables of the text: `$name`. What is returned says what is
/// done: an array of objects, an optional object, `Int`, `Bool`, `FetchedObjects`, `Page` or
/// `FetchedSlice`; a name that begins with `delete` deletes. A container with such a repository
/// checks the text when it is built.
///
/// - Parameters:
///   - text: The condition, in the grammar of Core Data's format texts.
///   - order: Paths separated by commas, each with `ASC` or `DESC` where you like.
@attached(peer)
public macro Query(_ text: StaticString, sortedBy order: StaticString = "") =
  #externalMacro(module: "OxbowMacros", type: "RepositoryMarkerMacro")

/// Gives an order to a method of a `@Repository`.
///
/// - Parameter order: Paths separated by commas, each with `ASC` or `DESC` where you like.
@attached(peer)
public macro Query(sortedBy order: StaticString) =
  #externalMacro(module: "OxbowMacros", type: "RepositoryMarkerMacro")

/// Leaves a requirement of a `@Repository` to the type that conforms.
@attached(peer)
public macro Written() = #externalMacro(module: "OxbowMacros", type: "RepositoryMarkerMacro")

/// Fills the properties of a struct from configuration, under keys with a common beginning.
///
/// ```swift
/// @Configuration("http") struct HTTPSettings {
///   var host = "127.0.0.1"
///   var port: Int
///   @Secret var password: String?
/// }
///
/// let settings = builder.configuration(HTTPSettings.self)
/// ```
///
/// The property `port` is the value of the placeholder `http.port`, as `${http.port}` would be in a
/// file. A property with a value keeps it where nothing is configured, and an optional one is nil;
/// any other is a problem of `build()`. Constants with a value, computed and static properties are
/// left alone. The type of a property is written, unless its value is a literal.
///
/// - Parameter prefix: What the keys begin with; `""` for nothing.
@attached(extension, conformances: ConfigurationValue, names: named(_keyPrefix), named(_define))
public macro Configuration(_ prefix: String) =
  #externalMacro(module: "OxbowMacros", type: "ConfigurationMacro")

/// Marks a property of a `@Configuration` struct whose value nothing shows.
///
/// Errors, `explain` and graphs write `‹secret›` for it.
@attached(peer)
public macro Secret() = #externalMacro(module: "OxbowMacros", type: "ConfigurationMarkerMacro")
