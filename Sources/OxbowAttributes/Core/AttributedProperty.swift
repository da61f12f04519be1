/// A property with an attribute: what an attribute and an initializer are told of it.
public struct AttributedProperty: Sendable, CustomStringConvertible {
  /// The property's name.
  public let name: String

  /// The type that declares it.
  public let owner: any Any.Type

  /// The type of its value; of an optional property the type of what may be there.
  public let type: any Any.Type

  /// The protocols of its type as it is written: two for `any Engine & Fueled`.
  public let protocols: [any Any.Type]

  /// Creates a description.
  public init(
    _ name: String, of owner: any Any.Type, type: any Any.Type, protocols: [any Any.Type] = []
  ) {
    self.name = name
    self.owner = owner
    self.type = type
    self.protocols = protocols
  }

  /// The property with its type: `Car.engine`.
  public var description: String { "\(owner).\(name)" }
}

/// Stops the process where an accessor, which cannot throw, has no answer.
///
/// Not `preconditionFailure`, whose text a release build would not print.
func refuse(_ text: String) -> Never { fatalError(text) }
