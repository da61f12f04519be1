#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// How text becomes values, for one builder.
///
/// Files hold text; a property has a type. The built-in conversions are exact and know no locale: every
/// width of `Int` and `UInt`, `Bool` (`true` and `false`), `Float`, `Double`, `Decimal`, `String`,
/// `Character`, `URL` (text without a scheme is a file path), `Data` (Base64), `Date` (ISO 8601),
/// `UUID`, optionals of these, and every `RawRepresentable` whose raw value is one of these.
///
/// ```swift
/// builder.values.register(Color.self, expected: "a colour as #RRGGBB") { Color(hex: $0) }
/// ```
public struct ValueConverters: Sendable {
  private var converters: [ObjectIdentifier: any ValueConverter] = [:]

  /// Creates the built-in conversions.
  public init() {
    registerNumbers()
    registerFoundation()
  }

  /// Registers how text becomes a `Value`, in place of what was registered before.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - expected: What text is accepted, for messages.
  ///   - convert: Returns nil for text that is no such value.
  public mutating func register<Value: Sendable>(
    _ type: Value.Type, expected: String, _ convert: @escaping @Sendable (String) -> Value?
  ) {
    converters[ObjectIdentifier(type)] = TypedConverter(expected: expected, convert: convert)
  }

  /// The value that a text stands for.
  package func convert<Value>(_ text: String, to type: Value.Type) throws(Failure) -> Value {
    let expected: String
    if let converter = converter(for: type) {
      if let value = converter.convert(text) as? Value { return value }
      expected = converter.expected
    } else {
      throw .noConverter
    }
    throw .notConvertible(expected: expected, near: nearCases(text, of: type))
  }

  /// Whether some text can become a `Value`.
  package func converts<Value>(to type: Value.Type) -> Bool { converter(for: type) != nil }

  /// Why a text did not become a value.
  package enum Failure: Error {
    case noConverter
    case notConvertible(expected: String, near: [String])
  }

  private func converter<Value>(for type: Value.Type) -> (any ValueConverter)? {
    if let found = converters[ObjectIdentifier(type)] { return found }
    if let optional = type as? any OptionalType.Type { return optional.wrappedConverter(in: self) }
    if let raw = type as? any RawRepresentable.Type { return rawConverter(raw) }
    return nil
  }

  fileprivate func anyConverter<Value>(for type: Value.Type) -> (any ValueConverter)? {
    converter(for: type)
  }

  private func rawConverter<Raw: RawRepresentable>(_ type: Raw.Type) -> (any ValueConverter)? {
    guard let raw = converter(for: Raw.RawValue.self) else { return nil }
    return RawConverter<Raw>(raw: raw)
  }

  private func nearCases(_ text: String, of type: any Any.Type) -> [String] {
    (type as? any CaseIterable.Type).map { caseTexts($0, near: text) } ?? []
  }
}

/// Turns text into one type of values.
private protocol ValueConverter: Sendable {
  var expected: String { get }
  func convert(_ text: String) -> Any?
}

private struct TypedConverter<Value: Sendable>: ValueConverter {
  let expected: String
  let convert: @Sendable (String) -> Value?

  func convert(_ text: String) -> Any? { convert(text) as Value? }
}

/// Turns text into a raw value and that into the value.
private struct RawConverter<Raw: RawRepresentable>: ValueConverter {
  let raw: any ValueConverter

  var expected: String {
    let cases = (Raw.self as? any CaseIterable.Type).map { caseTexts($0, near: nil) } ?? []
    guard cases.isEmpty else {
      return "one of " + cases.map { "\"\($0)\"" }.joined(separator: ", ")
    }
    return "\(raw.expected) that is a raw value of \(Raw.self)"
  }

  func convert(_ text: String) -> Any? {
    (raw.convert(text) as? Raw.RawValue).flatMap(Raw.init(rawValue:))
  }
}

private protocol OptionalType {
  static func wrappedConverter(in converters: ValueConverters) -> (any ValueConverter)?
}

extension Optional: OptionalType {
  fileprivate static func wrappedConverter(
    in converters: ValueConverters
  ) -> (any ValueConverter)? {
    converters.anyConverter(for: Wrapped.self)
  }
}
