/// Turns text into values of one type: what ``ValueConverters`` takes, and what a file can bring.
///
/// A definition whose class conforms is no object of the container. The container makes it before
/// everything else and uses it for all texts of its definitions. There is one converter for a type.
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

  /// Returns the value that a text stands for; nil when it stands for none.
  ///
  /// - Throws: An error that says what is wrong with the text.
  func convert(_ text: String) throws -> Value?
}
