public import OxbowDocuments

/// A property whose objects are those that a condition finds, without a link.
///
/// In the condition, `$FETCH_SOURCE` is the object that has the property, and a path may go on
/// behind it:
///
/// ```swift
/// FetchedPropertyDescription(
///   "sequels", of: "Book", where: try FetchPredicate(format: "series == $FETCH_SOURCE.series"))
/// ```
///
/// `$FETCHED_PROPERTY.userInfo.key` is a text of the property's ``userInfo``.
///
/// `object.fetched("sequels")` fetches them. A fetched property is not part of a model's version.
public struct FetchedPropertyDescription: Sendable, Hashable {
  /// The property's name, unique among the properties of its entity.
  public var name: String

  /// The name of the entity whose objects it finds.
  public var destination: String

  /// The condition, or `nil` for all objects.
  public var predicate: FetchPredicate?

  /// The largest number of objects, or `nil` for no limit.
  public var limit: Int?

  /// Whether it is marked as optional, which documents say and nothing depends on.
  public var isOptional: Bool

  /// Free pairs of the model's author.
  public var userInfo: [String: String]

  /// Where the document declares it; no part of equality.
  public var location: SourceLocation?

  /// Creates a fetched property.
  public init(
    _ name: String, of destination: String, where predicate: FetchPredicate? = nil,
    limit: Int? = nil, isOptional: Bool = true, userInfo: [String: String] = [:],
    location: SourceLocation? = nil
  ) {
    self.name = name
    self.destination = destination
    self.predicate = predicate
    self.limit = limit
    self.isOptional = isOptional
    self.userInfo = userInfo
    self.location = location
  }

  /// Whether both describe the same property; locations do not count.
  public static func == (a: Self, b: Self) -> Bool {
    a.name == b.name && a.destination == b.destination && a.predicate == b.predicate
      && a.limit == b.limit && a.isOptional == b.isOptional && a.userInfo == b.userInfo
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
