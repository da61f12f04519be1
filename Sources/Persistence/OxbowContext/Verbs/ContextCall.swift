/// A call of an ``ObjectContext``, for code that watches calls: the recorder of a test.
public struct ContextCall: Sendable {
  /// The verb with its labels, `fetch(_:batchSize:)`, or the name of a property.
  public let name: String

  /// The arguments in order, without options at the end of a long list.
  public let arguments: [Argument]

  /// An argument: always a text, and also the value if it is `Sendable`.
  public struct Argument: Sendable {
    /// The argument as text.
    public let text: String

    /// The argument, or `nil` if it may not leave its thread.
    public let value: (any Sendable)?

    static func of<T>(_ value: T) -> Argument {
      Argument(text: String(describing: value), value: nil)
    }

    static func of<T: Sendable>(_ value: T) -> Argument {
      Argument(text: String(describing: value), value: value)
    }
    static var function: Argument { Argument(text: "<function>", value: nil) }
  }
}
