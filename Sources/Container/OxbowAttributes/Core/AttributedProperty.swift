/// A property with an attribute: what an attribute and an initializer learn of it.
public struct AttributedProperty: Sendable, CustomStringConvertible {
  /// The property's name.
  public let name: String

  /// The type that declares it.
  public let owner: any Any.Type

  /// The type of its value; of an optional property the type of what may be there.
  public let type: any Any.Type

  /// The protocols of its type as it is written: two for `any Engine & Fueled`.
  public let protocols: [any Any.Type]

  /// Whether objects of a type fit; nil where the type itself tells.
  @usableFromInline let accepts: (@Sendable (any Any.Type) -> Bool)?

  /// Creates a description.
  ///
  /// - Parameters:
  ///   - name: The property's name.
  ///   - owner: The type that declares it.
  ///   - type: The type of its value, without `Optional`.
  ///   - protocols: The protocols of its type.
  ///   - accepts: Whether objects of a type fit: `{ $0 is any P.Type }`. For a protocol.
  @inlinable public init(
    _ name: String, of owner: any Any.Type, type: any Any.Type, protocols: [any Any.Type] = [],
    accepts: (@Sendable (any Any.Type) -> Bool)? = nil
  ) {
    self.name = name
    self.owner = owner
    self.type = type
    self.protocols = protocols
    self.accepts = accepts
  }

  /// The property with its type: `Car.engine`.
  public var description: String { "\(owner).\(name)" }
}

/// Stops the process where an accessor, which cannot throw, has no answer.
///
/// Not `preconditionFailure`, whose text a release build would not print.
@usableFromInline func refuse(_ text: String) -> Never { fatalError(text) }
