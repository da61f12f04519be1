package import OxbowDocuments

/// A typed reference to the object of a definition.
///
/// The builder returns one for each definition; `Ref<T>("name")` refers to a definition that comes
/// later, is written in a file, or is reached through one of its protocols. References are values: what
/// a definition needs is visible before any constructor runs.
///
/// ```swift
/// let clock = builder.singleton("clock", SystemClock.init)
/// let greeter = builder.singleton("greeter", Greeter.init(clock:name:), clock, Ref.value("Ada"))
/// ```
///
/// Some forms deliver something else than the object itself: ``provider`` and ``factory`` a way to get one
/// later, ``optional`` nil where nothing is defined, ``all(_:_:)`` all objects of a type, and
/// `Ref.value(_:)` a constant. A container can be asked for what any of them delivers.
public struct Ref<T>: Sendable {
  /// The name of the definition; empty for a constant.
  public let name: String

  /// Where the definition stands in the builder that made the reference.
  package let handle: Handle?
  /// Where the reference was written down.
  package var location: SourceLocation?
  package let use: ReferenceUse
  package let requiresSendable: Bool
  /// How to link, for references that deliver something else than the object.
  package let linking: (@Sendable (Linker) throws -> ObjectProvider<T>)?
  /// How the definition's type is compared with what the place wants.
  package let fit: @Sendable (any Any.Type) -> TypeFit
  /// What is asked for, where the reference says a type in place of a name.
  package var request: TypeRequest?
  /// Whether nil is delivered where nothing is defined.
  package var isOptional = false

  /// A place in a builder's list of definitions.
  package struct Handle: Sendable, Hashable {
    package let builder: UInt64
    package let index: Int
  }

  /// Creates a reference by name.
  ///
  /// The name is looked up when the container is built. A definition that is known not to fit is refused
  /// then; where only an object can tell, it is refused at the injection, and `check()` has a note.
  ///
  /// - Parameters:
  ///   - name: The name of the definition.
  ///   - file: The source file of the reference, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  public init(
    _ name: String, file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    self.init(name, handle: nil, requiresSendable: false)
    location = SourceLocation(file: file, line: line, column: column)
  }

  /// Creates a reference by name to an object that must be `Sendable`.
  ///
  /// - Parameters:
  ///   - name: The name of the definition.
  ///   - file: The source file of the reference, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  public init(
    _ name: String, file: String = #fileID, line: Int = #line, column: Int = #column
  ) where T: Sendable {
    self.init(name, handle: nil, requiresSendable: true)
    location = SourceLocation(file: file, line: line, column: column)
  }

  package init(_ name: String, handle: Handle?, requiresSendable: Bool) {
    self.name = name
    self.handle = handle
    self.use = .object
    self.requiresSendable = requiresSendable
    self.linking = nil
    self.fit = { TypeFit.of($0, in: T.self) }
  }

  package init(
    _ name: String, use: ReferenceUse, requiresSendable: Bool = false,
    fit: @escaping @Sendable (any Any.Type) -> TypeFit,
    linking: (@Sendable (Linker) throws -> ObjectProvider<T>)?
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
  public static func value(_ value: T) -> Ref<T> where T: Sendable { constant(value) }

  /// A constant whose type was seen to be `Sendable` where it was spelled.
  package static func constant(_ value: T) -> Ref<T> {
    let provider = ConstantProvider(value)
    return Ref("", use: .constant, fit: { _ in .fits }, linking: { _ in provider })
  }
}
