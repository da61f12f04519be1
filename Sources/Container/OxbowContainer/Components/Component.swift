/// A class that describes itself, so that files can name it.
///
/// `@Component` writes the description. For
///
/// ```swift
/// @Component("lancelot", .singleton)
/// final class Knight {
///   @Inject("grail") var quest: (any Quest)?
///   var squires: [any Squire] = []
///   var herald: Provider<Herald>?
///   var horses: (any FactoryObject<Horse> & Sendable)?
///   init(name: String) { … }
///   static func errant() throws -> Knight { … }
///   func arm() throws { … }
///   @FactoryMethod func sword(of steel: String) -> Sword { … }
/// }
/// ```
///
/// it emits the following, and code that cannot use macros has the same by hand. Everything is
/// `nonisolated`, members and conformance; `Self` means the class's own name.
///
/// ```swift
/// extension Knight: nonisolated Component {
///   nonisolated static var componentDescriptor: ComponentDescriptor {
///     ComponentDescriptor(
///       Knight.self, name: "Knight", sendability: .of(), product: .of(),
///       initializers: [
///         InitializerDescriptor(
///           ParameterDescriptor(
///             "name", String.self, typeName: "String", sendability: .of(),
///             accepts: { $0 is String.Type })
///         ) { Knight(name: $0) },
///         InitializerDescriptor(method: "errant") { try Knight.errant() },
///       ],
///       properties: [
///         .property(
///           "quest", (any Quest).self, typeName: "any Quest", sendability: .of(),
///           isOptional: true, accepts: { $0 is any Quest.Type },
///           upcast: {
///             func open<_Object: Quest>(_ type: _Object.Type) -> Upcast {
///               Upcast { (object: _Object) -> any Quest in object }
///             }
///             return ($0 as? any Quest.Type).map { open($0) }
///           },
///           get: { $0.quest }, set: { $0.quest = $1 }, clear: { $0.quest = nil }),
///         .property(
///           "squires", [any Squire].self, typeName: "[any Squire]", sendability: .of(),
///           accepts: { $0 is any Squire.Type }, upcast: { … as for `quest` … },
///           get: { $0.squires }, set: { $0.squires = $1 }),
///         .property(
///           "herald", Provider<Herald>.self, typeName: "Provider<Herald>", sendability: .of(),
///           isOptional: true, accepts: { $0 is Herald.Type },
///           get: { $0.herald }, set: { $0.herald = $1 }, clear: { $0.herald = nil }),
///         .factory(
///           "horses", of: Horse.self, typeName: "any FactoryObject<Horse> & Sendable",
///           sendability: .of(), isOptional: true, accepts: { $0 is Horse.Type },
///           set: { $0.horses = $1 }, clear: { $0.horses = nil }),
///       ],
///       methods: [
///         MethodDescriptor(
///           "sword",
///           ParameterDescriptor(
///             "of", String.self, typeName: "String", sendability: .of(),
///             accepts: { $0 is String.Type }),
///           sendability: Sendability<Sword>.of()
///         ) { $0.sword(of: $1) },
///       ],
///       callbacks: [
///         CallbackDescriptor("arm") { try $0.arm() }
///       ],
///       annotations: ComponentAnnotations(
///         name: "lancelot", scope: "singleton",
///         assignments: [
///           .annotated(
///             "quest", .reference("grail"), file: "Tales/Knight.swift", line: 3)
///         ]))
///   }
/// }
/// // and in the class itself:
///   #if objectFormat(MachO)
///     @section("__DATA_CONST,__oxbow") @used
///   #elseif objectFormat(ELF)
///     @section("oxbow_components") @used
///   #endif
///   nonisolated private static let _record: ComponentRecord = (
///     version: 1,
///     describe: {
///       $0.assumingMemoryBound(to: RegistryEntry.self)
///         .initialize(to: .component(Knight.componentDescriptor))
///     }
///   )
/// ```
///
/// - `accepts` spells the property's type without `Optional` and without `Sendable`; for a
///   `Provider` or factory it spells the type that is provided or made, and for an array, a set or
///   a dictionary whose keys are texts the type of its elements.
/// - `upcast` finds how objects of a type are seen as what the place takes, where that is a
///   protocol; see ``Upcast``. It may be left out: then each object is cast.
/// - `sendability: .of()` and `product: .of()` are chosen by the compiler where the concrete type
///   is spelled; they say whether the type is `Sendable` and what it makes if it is a
///   ``FactoryObject``.
/// - An initializer or method with default arguments gives a descriptor for each choice of these.
/// - Static methods that return the class are described beside the initializers, methods that
///   return another object when they are marked `@FactoryMethod`, and methods that neither take nor
///   return anything as callbacks.
/// - What generated code cannot call or set is left out: private members and those of an actor,
///   `async`, generic and variadic ones, members that `@available` limits, members inside of `#if`,
///   failable initializers, constants, and properties whose type is neither written nor that of a
///   literal or of a plain new value.
/// - A parameter that may be nil is `ParameterDescriptor.optional(ParameterDescriptor(…))`.
/// - A class that inherits describes its own properties only; those of a described superclass are
///   found through it.
/// - A class of the main actor says `isolation: .mainActor` and describes no members. For any other
///   the macro passes `isolation: .of(…)`, which does not compile where the class belongs to an
///   actor.
/// - A class that declares no initializer and inherits describes its plain one by
///   `.inherited(Name.init)`, and has a private `init(_ none: NoInitializer)` for the case that it
///   inherits none. Those with parameters come from functions of the superclass, which the macro
///   writes for classes that are not final, and that are not written by hand (decision 0341).
public protocol Component: SendableMetatype {
  /// What files can do with the class.
  static var componentDescriptor: ComponentDescriptor { get }
}

/// Which actor a class belongs to.
public struct ComponentIsolation: Sendable, Hashable {
  let isMainActor: Bool

  /// None: any thread may construct an object.
  public static let nonisolated = ComponentIsolation(isMainActor: false)

  /// The main actor; such a class cannot be constructed from a file.
  public static let mainActor = ComponentIsolation(isMainActor: true)
}

extension ComponentIsolation {
  /// The type of functions that belong to no actor.
  ///
  /// Its name is what the compiler says it expected of a class that belongs to one.
  public typealias `none: declare it 'nonisolated', or write '@Component(isolation: .mainActor)'` =
    (@Sendable () -> Void).Type

  /// Of no actor; does not compile for a class of one.
  ///
  /// - Parameter probe: `type(of:)` a static function of the class that names no actor itself.
  /// - Returns: ``nonisolated``.
  public static func of(
    _ probe: `none: declare it 'nonisolated', or write '@Component(isolation: .mainActor)'`
  ) -> ComponentIsolation { .nonisolated }
}
