/// Has the first reader of a property make its value.
///
/// ```swift
/// final class Editor: Sendable {
///   @Lazy var speller: Speller
///   @Lazy var words: [String] = Speller.words(in: "en")
///   @Lazy var preview: Preview?
/// }
/// ```
///
/// The value is what the expression gives, and without one what the type's `init()` gives. In a
/// class or an actor it is made once: threads that read meanwhile wait for it.
/// A property can be assigned, before its first reader or later; an optional one that is set to nil
/// is made anew by the next reader, and so is any other after `$speller.reset()`.
///
/// In a struct, reading changes the struct, as with `lazy var`.
@attached(accessor)
@attached(peer, names: prefixed(_), prefixed(`$`))
public macro Lazy() = #externalMacro(module: "OxbowMacros", type: "PropertyAttributeMacro")

/// Has the first reader of a property make its value, of what the object has.
///
/// As ``Lazy()``: an initial value cannot use `self`, a function receives it.
///
/// ```swift
/// @Lazy({ (editor: Editor) in Speller(editor.language) }) var speller: Speller
/// ```
///
/// - Parameter make: Makes the value for an object, of whose class it names the type.
@attached(accessor)
@attached(peer, names: prefixed(_), prefixed(`$`))
public macro Lazy<Owner, Value>(_ make: (Owner) -> Value) =
  #externalMacro(module: "OxbowMacros", type: "PropertyAttributeMacro")

/// Has a registered initializer, or the container, give a property its value.
///
/// ```swift
/// final class Car {
///   @Injected var engine: Engine
///   @Injected var radio: (any Radio)?
/// }
///
/// let initializers = PropertyInitializers()
/// initializers.register(Engine.self) { _ in Engine() }
/// builder.add(initializers)
/// builder.prototype(named: "car", Car.init)
/// ```
///
/// The first reader of the property gets the value made, by the most specific initializer that is
/// registered for its name, its owner, its type or its protocols; where none is, by the container's
/// one object of the type. A container refuses to make an object one of whose properties would get
/// nothing, unless the property is optional. See `PropertyInitializers`.
///
/// `$engine` says whether the value is there, and has a method that throws what the property itself
/// can only stop the process with.
@attached(accessor)
@attached(peer, names: prefixed(_), prefixed(`$`))
public macro Injected() = #externalMacro(module: "OxbowMacros", type: "PropertyAttributeMacro")

/// Has a registered initializer, or the container, give a property its value, and calls a method
/// with it.
///
/// As ``Injected()``.
///
/// - Parameter didInject: The method, such as `Car.hear`; called before the value is stored.
@attached(accessor)
@attached(peer, names: prefixed(_), prefixed(`$`))
public macro Injected<Owner: AnyObject, Value>(didInject: (Owner) -> (Value) -> Void) =
  #externalMacro(module: "OxbowMacros", type: "PropertyAttributeMacro")

/// Lets a property be assigned once.
///
/// ```swift
/// final class Order: Sendable {
///   @Final var number: Int?
/// }
/// ```
///
/// The first assignment counts, and nil is not one. A second one stops the process, because a
/// setter cannot throw; `try order.$number.trySet(7)` throws instead. A property that is not
/// optional must be assigned before it is read. See `FinalAssignment` for tests.
@attached(accessor)
@attached(peer, names: prefixed(_), prefixed(`$`))
public macro Final() = #externalMacro(module: "OxbowMacros", type: "PropertyAttributeMacro")

/// Keeps the value of a property in the store of preferences.
///
/// ```swift
/// struct Settings {
///   @Preference var theme: String = "light"
///   @Preference("recent") var recentFiles: [String] = []
///   @Preference var owner: String?
/// }
/// ```
///
/// The value is read from the store each time, and the initial value is what counts where the store
/// has none. Nil removes an optional one. The key is the name of the type and of the property,
/// `Settings.theme`, unless one is given. A getter cannot throw: where the store fails, the default
/// counts and the store's `report` gets the error; `$theme.stored()` and `$theme.trySet(_:)` throw
/// it.
///
/// - Parameter key: What the value is called in the store.
@attached(accessor)
@attached(peer, names: prefixed(`$`))
public macro Preference(_ key: String? = nil) =
  #externalMacro(module: "OxbowMacros", type: "PropertyAttributeMacro")

/// Keeps the value of a property in a store.
///
/// As ``Preference(_:)``.
///
/// - Parameters:
///   - key: What the value is called in the store.
///   - store: The store.
@attached(accessor)
@attached(peer, names: prefixed(`$`))
public macro Preference(_ key: String? = nil, store: any PreferenceStore) =
  #externalMacro(module: "OxbowMacros", type: "PropertyAttributeMacro")

/// Keeps the value of a property in a store that the object has.
///
/// As ``Preference(_:)``.
///
/// - Parameters:
///   - key: What the value is called in the store.
///   - store: The property with the store, such as `\Settings.store`.
@attached(accessor)
@attached(peer, names: prefixed(`$`))
public macro Preference<Owner, Store>(_ key: String? = nil, store: KeyPath<Owner, Store>) =
  #externalMacro(module: "OxbowMacros", type: "PropertyAttributeMacro")

/// Lets a property be read and assigned through an attribute of your own.
///
/// ```swift
/// final class Radio {
///   @Attributed(Clamp(range: 0...11)) var volume: Int = 5
/// }
/// ```
///
/// - Parameter attribute: A value of a type that conforms to `PropertyAttribute`.
@attached(accessor)
@attached(peer, names: prefixed(_))
public macro Attributed<Attribute: PropertyAttribute>(_ attribute: Attribute) =
  #externalMacro(module: "OxbowMacros", type: "PropertyAttributeMacro")
