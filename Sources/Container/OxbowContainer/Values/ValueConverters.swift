internal import OxbowDocuments
internal import OxbowFoundation

/// How text becomes values, for one builder.
///
/// Files hold text; a property has a type. The built-in conversions are exact and know no locale:
/// every width of `Int` and `UInt`, `Bool` (`true`, `false`, `yes` and `no` in any case, 1 and 0),
/// `Float`, `Double`, `Decimal`, `String`, `Character`, `URL` (text without a scheme is a file
/// path), `Data`
/// (Base64), `Date` (ISO 8601), `UUID`, optionals of these, and every `RawRepresentable` whose raw
/// value is one of these. A property whose type is a class (`any Any.Type` or `AnyClass`) takes the
/// name of one.
///
/// ```swift
/// builder.values.register(Color.self, expected: "a colour as #RRGGBB") { Color(hex: $0) }
/// builder.values.registerJSON(Point.self)
/// ```
///
/// A file can bring a conversion of its own: see ``TypeConverter``.
public struct ValueConverters: Sendable {
  private var converters: [ObjectIdentifier: ValueConverter] = [:]

  /// Creates the built-in conversions.
  public init() {
    registerNumbers()
    registerFoundation()
  }

  /// Registers how text becomes a `Value`, replacing what was registered before.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - expected: What text is accepted, for messages.
  ///   - convert: Returns nil for text that is no such value.
  public mutating func register<Value: Sendable>(
    _ type: Value.Type, expected: String, _ convert: @escaping @Sendable (String) -> Value?
  ) {
    insert(TypedConverter(expected, convert))
  }

  /// Registers a converter, replacing what was registered for its type before.
  public mutating func register(_ converter: some TypeConverter) {
    insert(TypedConverter(converter.expected, converter.convert))
  }

  private mutating func insert<Value>(_ converter: TypedConverter<Value>) {
    converters[ObjectIdentifier(Value.self)] = converter
  }

  /// Lets text that is JSON become a `Value`.
  ///
  /// - Parameter type: The type of the values.
  public mutating func registerJSON<Value: Decodable & Sendable>(_ type: Value.Type) {
    insert(TypedConverter<Value>("JSON of a \(Value.self)") { try decodedJSON($0) })
  }

  /// Converts a text to the type of an injection point; where that takes anything, the name counts
  /// that the file has for the value's type.
  ///
  /// - Throws: Why the text has no such value.
  package func convert<Value>(
    _ text: String, to type: Value.Type, called name: String? = nil
  ) throws(Failure) -> Value {
    guard let converter = converter(for: type) ?? openConverter(type, called: name) else {
      throw .noConverter
    }
    var reason = ""
    do {
      if let value: Value = try converter.value(of: text) { return value }
    } catch {
      reason = (error as? DecodingError).map(oneLine) ?? "\(error)"
    }
    throw .notConvertible(
      Failure.Expectation(
        values: converter.expected, reason: reason, near: nearCases(text, of: type)))
  }

  /// Whether values of a type are classes.
  static func isClass(_ type: any Any.Type) -> Bool {
    let wrapped = (type as? any OptionalType.Type)?.wrapped ?? type
    typealias AnyType = any Any.Type
    return wrapped == AnyType.self || wrapped == AnyClass.self
  }

  /// Whether some text can become a `Value`.
  package func converts<Value>(to type: Value.Type) -> Bool { converter(for: type) != nil }

  /// Why a text did not become a value.
  package enum Failure: Error {
    case noConverter
    case notConvertible(Expectation)

    /// What a text should have been.
    package struct Expectation {
      let values: String
      /// What the converter says of the text, which it may quote.
      let reason: String
      /// Names that the text may have meant.
      package let near: [String]

      /// What text is accepted, and why this one is not.
      package var description: String { reason.isEmpty ? values : "\(values) (\(reason))" }
    }
  }

  /// Turns text into a number of no given type.
  private static let numbers: ValueConverter = TypedConverter<Any>(
    "a number with a point as decimal separator"
  ) { text in Int(text) ?? (ScalarText.number(text) as Double?) }

  /// A number is a whole one where it can be: `Any` says nothing of its width.
  private func openConverter<Value>(_ type: Value.Type, called name: String?) -> ValueConverter? {
    guard let name, TypeFit.of(type, named: name) == .unknown else { return nil }
    if name == "NSNumber" { return Self.numbers }
    return TypeFit.type(named: name).flatMap { anyConverter(for: $0) }
  }

  private func converter<Value>(for type: Value.Type) -> ValueConverter? {
    if let found = converters[ObjectIdentifier(type)] { return found }
    if let optional = type as? any OptionalType.Type { return anyConverter(for: optional.wrapped) }
    if let raw = type as? any RawRepresentable.Type { return rawConverter(raw) }
    return nil
  }

  private func anyConverter(for type: any Any.Type) -> ValueConverter? {
    func open<Value>(_ type: Value.Type) -> ValueConverter? { converter(for: type) }
    return _openExistential(type, do: open)
  }

  private func rawConverter<Raw: RawRepresentable>(_ type: Raw.Type) -> ValueConverter? {
    guard let raw = converter(for: Raw.RawValue.self) else { return nil }
    let cases = (type as? any CaseIterable.Type).map { caseTexts($0, near: nil) } ?? []
    return TypedConverter<Raw>(
      cases.isEmpty
        ? "\(raw.expected) that is a raw value of \(Raw.self)"
        : "one of " + quoted(cases)
    ) { text in
      let value: Raw.RawValue? = try raw.value(of: text)
      return value.flatMap(Raw.init(rawValue:))
    }
  }

  private func nearCases(_ text: String, of type: any Any.Type) -> [String] {
    (type as? any CaseIterable.Type).map { caseTexts($0, near: text) } ?? []
  }
}

/// Turns text into values of one type: what ``ValueConverters`` takes, and what a file can bring.
///
/// A definition whose class conforms is not an object of the container. The container makes it
/// before everything else and uses it for all texts of its definitions. There is one converter for
/// a type.
///
/// ```swift
/// @Component
/// final class ColorConverter: TypeConverter {
///   let expected = "a colour as #RRGGBB"
///   init() {}
///   func convert(_ text: String) -> Color? { Color(hex: text) }
/// }
/// ```
public protocol TypeConverter: Sendable {
  /// What it makes.
  associatedtype Value: Sendable

  /// What text is accepted, for messages.
  var expected: String { get }

  /// Returns the value of a text; nil when it has none.
  ///
  /// - Throws: An error that says what is wrong with the text.
  func convert(_ text: String) throws -> Value?
}

/// Turns text into one type of values, the type forgotten.
private class ValueConverter: @unchecked Sendable {
  // Sendable by argument: nothing changes, and what is kept is Sendable.

  let expected: String

  init(_ expected: String) { self.expected = expected }

  func convert(_ text: String) throws -> Any? { preconditionFailure("abstract") }

  /// The value of a text, if there is one.
  ///
  /// Most injection points have the type of their converter: nothing is put into a box and cast for
  /// them.
  final func value<Value>(of text: String) throws -> Value? {
    if let typed = self as? TypedConverter<Value> { return try typed.value(text) }
    return try convert(text).flatMap { $0 as? Value }
  }
}

/// Turns text into one type of values.
private final class TypedConverter<Value>: ValueConverter, @unchecked Sendable {
  // Sendable by argument, as its superclass.
  let value: (String) throws -> Value?

  init(_ expected: String, _ value: @escaping (String) throws -> Value?) {
    self.value = value
    super.init(expected)
  }

  override func convert(_ text: String) throws -> Any? { try value(text) }
}

/// The raw values of an enumeration as text, all of them or those near a text.
private func caseTexts<Cases: CaseIterable>(_ type: Cases.Type, near text: String?) -> [String] {
  let all = Cases.allCases.compactMap { ($0 as? any RawRepresentable).map { rawText($0) } }
  return text.map { nearNames(to: $0, among: all) } ?? all
}

private func rawText(_ value: some RawRepresentable) -> String { "\(value.rawValue)" }
