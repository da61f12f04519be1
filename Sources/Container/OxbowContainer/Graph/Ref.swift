package import OxbowDocuments

/// A typed reference to the object of a definition.
///
/// The builder returns one for each definition; `Ref<T>("name")` refers to a definition that comes
/// later, is written in a file, or is reached through one of its protocols. References are values:
/// what a definition needs is visible before any constructor runs.
///
/// ```swift
/// let clock = builder.singleton(SystemClock.init)
/// let greeter = builder.singleton(Greeter.init(clock:name:), clock, Ref.value("Ada"))
/// ```
///
/// Some forms deliver something else than the object itself: ``provider`` and ``factory`` a way to
/// get one later, ``optional`` nil where nothing is defined, ``all(_:_:)`` all objects of a type,
/// and `Ref.value(_:)` a constant. A container can be asked for what any of them delivers.
public struct Ref<T>: Sendable {
  /// The name of the definition; empty for a constant.
  public let name: String

  /// The number of the definition in the builder that made the reference.
  let handle: Handle?
  /// Where the reference was written down.
  package var location: SourceLocation?
  let use: ReferenceUse
  var requiresSendable: Bool
  /// How to link, for references that deliver something else than the object.
  let linking: (@Sendable (any Linking) throws -> ObjectProvider<T>)?
  /// How the definition's type is compared with the type that is wanted.
  var fit: @Sendable (any Any.Type) -> TypeFit
  /// What is asked for, where the reference says a type and no name.
  var request: TypeRequest?
  /// Whether nil is delivered where nothing is defined.
  var isOptional = false
  /// What is to be said of the text that the reference delivers.
  var text: InjectedText?

  /// A number in a builder's list of definitions.
  struct Handle: Sendable, Hashable {
    let builder: UInt64
    let index: Int
  }

  /// Creates a reference by name.
  ///
  /// The name is looked up when the container is built. A definition that is known not to fit is
  /// refused then; where only an object can tell, it is refused at the injection, and `check()` has
  /// a note.
  ///
  /// - Parameters:
  ///   - name: The name of the definition.
  ///   - file: The source file of the reference, for messages.
  ///   - line: The line in that file.
  public init(
    _ name: String, file: String = #fileID, line: Int = #line
  ) {
    self.init(name, handle: nil, requiresSendable: false)
    location = SourceLocation(file: file, line: line)
  }

  /// Creates a reference by name to an object that must be `Sendable`.
  public init(
    _ name: String, file: String = #fileID, line: Int = #line
  ) where T: Sendable {
    self.init(name, handle: nil, requiresSendable: true)
    location = SourceLocation(file: file, line: line)
  }

  init(_ name: String, handle: Handle?, requiresSendable: Bool) {
    self.name = name
    self.handle = handle
    self.use = .object
    self.requiresSendable = requiresSendable
    self.linking = nil
    self.fit = { TypeFit.of($0, in: T.self) }
  }

  init(
    _ name: String, use: ReferenceUse, requiresSendable: Bool = false,
    fit: @escaping @Sendable (any Any.Type) -> TypeFit,
    linking: (@Sendable (any Linking) throws -> ObjectProvider<T>)?
  ) {
    self.name = name
    self.handle = nil
    self.use = use
    self.requiresSendable = requiresSendable
    self.linking = linking
    self.fit = fit
  }

  /// A reference that delivers the value, for initializers that take more than objects.
  ///
  /// Write `Ref.value(3)`: beside other references the compiler cannot infer what `.value(3)` is.
  ///
  /// A text is taken as it is; ``text(_:as:)`` replaces placeholders.
  public static func value(_ value: T) -> Ref<T> where T: Sendable {
    var ref = constant(value)
    ref.text = InjectedText.of(value)
    return ref
  }

  /// A constant whose type was seen to be `Sendable` where it was spelled.
  static func constant(_ value: T) -> Ref<T> {
    let provider = ConstantProvider(value)
    return Ref("", use: .constant, fit: { _ in .fits }, linking: { _ in provider })
  }
}

extension Ref {
  /// The same reference, compared in another way with the type of its definition.
  package func fitting(_ fit: @escaping @Sendable (any Any.Type) -> TypeFit) -> Ref<T> {
    var ref = self
    ref.fit = fit
    return ref
  }
}

/// A type whose one value the container itself delivers, wherever it is wanted.
protocol ContainerProvided {
  static var delivery: Ref<Self> { get }
}

extension ContainerProvided {
  /// The reference, its type forgotten.
  static func delivered() -> Any { delivery }
}

/// What turns references into providers: `GraphLinker`, while a container is built and when it is
/// asked for what was not linked then.
protocol Linking {
  /// The way back to the container, for what asks for objects later.
  var container: WeakContainerReference { get }
  var services: ContainerServices { get }
  /// What texts mean.
  var texts: TextValues { get }

  /// The provider that a reference leads to.
  func provider<T>(of ref: Ref<T>) throws -> ObjectProvider<T>

  /// The provider of a definition, seen as one of `T`.
  ///
  /// The name may be a request; `upcast` finds the conversion of the definition's type, where the
  /// injection point knows one.
  ///
  /// - Throws: `missingReference`.
  func provider<T>(named name: String, as type: T.Type, by upcast: Upcast.Search?) throws
    -> ObjectProvider<T>

  /// Begins to link a definition, whose requests by type are answered from now on.
  func begin(_ name: String)

  /// The name of the object that a request by type found, or that an alias means; any other name is
  /// itself.
  func name(for request: String) -> String

  /// The names of the objects that a request by type found for the definition that is linked.
  func names(for request: String) -> [String]

  /// Whether nothing is defined that a reference leads to.
  func isAbsent(_ name: String) -> Bool

  /// Whether a definition's objects may be used by several threads.
  func isSendable(_ name: String) -> Bool

  /// Who may see a definition's objects.
  func sharing(_ name: String) -> Sharing?
}

extension Linking {
  func provider<T>(named name: String, as type: T.Type) throws -> ObjectProvider<T> {
    try provider(named: name, as: type, by: nil)
  }
}

extension Ref {
  /// A reference that delivers nil where nothing is defined.
  ///
  /// Of a reference by name the name may be missing; of one by type there may be no object that
  /// fits, while several are a problem as ever. A definition that is there and faulty is one, too.
  ///
  /// ```swift
  /// // init(log: (any Log)?)
  /// builder.singleton(named: "mailer", Mailer.init(log:), Ref<any Log>("log").optional)
  /// ```
  public var optional: Ref<T?> {
    let object = self
    let fit = fit
    var ref = Ref<T?>(name, use: use, requiresSendable: requiresSendable, fit: fit) { linker in
      if object.use != .constant, linker.isAbsent(object.name) { return ConstantProvider(nil) }
      let provider = try linker.provider(of: object)
      return provider.cast(to: T?.self, named: object.name)
    }
    ref.request = request
    ref.location = location
    ref.isOptional = true
    ref.text = text
    return ref
  }

  /// A reference by name that delivers nil where nothing has the name: `Ref<any
  /// Log>.optional("log")`.
  public static func optional(
    _ name: String, file: String = #fileID, line: Int = #line
  ) -> Ref<T?> {
    Ref(name, file: file, line: line).optional
  }

  /// A reference by name to an object that must be `Sendable`, or to nothing.
  public static func optional(
    _ name: String, file: String = #fileID, line: Int = #line
  ) -> Ref<T?> where T: Sendable {
    Ref(name, file: file, line: line).optional
  }
}
