/// The value of a property, whatever the property is.
///
/// Objects are named by their IDs, so a value can be kept, sent and compared.
public enum PropertyValue: Sendable, Hashable {
  /// No value, or no object.
  case null
  /// The value of an attribute.
  case attribute(AttributeValue)
  /// The object of a to-one relationship.
  case object(ManagedObjectID)
  /// The objects of a to-many relationship: in its order if it has one, else in that of their keys.
  case objects([ManagedObjectID])

  /// Creates the value of an attribute.
  public init(_ value: AttributeValue?) { self = value.map { .attribute($0) } ?? .null }

  /// Creates the value of a to-one relationship.
  public init(_ id: ManagedObjectID?) { self = id.map { .object($0) } ?? .null }

  /// The value of an attribute, `nil` for none and for a relationship.
  public var attribute: AttributeValue? {
    if case .attribute(let value) = self { value } else { nil }
  }

  /// The objects of a relationship, none for an attribute.
  public var objectIDs: [ManagedObjectID] {
    switch self {
    case .null, .attribute: []
    case .object(let id): [id]
    case .objects(let ids): ids
    }
  }
}

extension PropertyValue: CustomStringConvertible {
  /// The value as messages show it.
  public var description: String {
    switch self {
    case .null: "no value"
    case .attribute(let value): "\(value)"
    case .object(let id): "\(id.entityName)/p\(id.key)"
    case .objects(let ids):
      "[" + ids.map { "\($0.entityName)/p\($0.key)" }.joined(separator: ", ") + "]"
    }
  }
}
