public import OxbowDocuments

/// A relationship of an entity to another one, or to itself.
public struct RelationshipDescription: Sendable, Hashable {
  /// The relationship's name, unique among the properties of its entity.
  public var name: String

  /// The name of the entity at its other end.
  public var destination: String

  /// The name of the relationship that leads back, or `nil` for none.
  public var inverse: String?

  /// Whether it leads to many objects.
  public var isToMany: Bool

  /// Whether the order of its objects is kept.
  public var isOrdered: Bool

  /// Whether it may lead nowhere; even a to-many relationship that is not optional may be empty,
  /// unless it has a smallest number of objects.
  public var isOptional: Bool

  /// Whether it lives in memory only; no store opens a model with such a relationship yet.
  public var isTransient: Bool

  /// What happens to the other end when the object is deleted.
  public var deleteRule: DeleteRule

  /// The smallest number of objects of a to-many relationship, which may be empty nevertheless if
  /// it is optional; 0 for no limit.
  public var minimumCount: Int

  /// The largest number of objects; 0 for no limit.
  public var maximumCount: Int

  /// The name that it had in the model before, for migrations; `nil` when it was not renamed.
  public var renamingIdentifier: String?

  /// Text that is mixed into the version hash, to force a new version.
  public var versionHashModifier: String?

  /// Free pairs of the model's author.
  public var userInfo: [String: String]

  /// Where the document declares it; no part of equality.
  public var location: SourceLocation?

  /// Creates a relationship.
  public init(
    _ name: String, to destination: String, inverse: String? = nil, isToMany: Bool = false,
    isOrdered: Bool = false, isOptional: Bool = true, isTransient: Bool = false,
    deleteRule: DeleteRule = .nullify, minimumCount: Int = 0, maximumCount: Int = 0,
    renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil, userInfo: [String: String] = [:],
    location: SourceLocation? = nil
  ) {
    self.name = name
    self.destination = destination
    self.inverse = inverse
    self.isToMany = isToMany
    self.isOrdered = isOrdered
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.deleteRule = deleteRule
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
    self.location = location
  }
}

/// What happens to the other end of a relationship when an object is deleted.
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
  /// The other end no longer leads to the deleted object.
  case nullify = "Nullify"
  /// The other end is deleted too.
  case cascade = "Cascade"
  /// The deletion is refused while the other end exists.
  case deny = "Deny"
  /// Nothing: the other end may be left dangling.
  case noAction = "No Action"
}

extension RelationshipDescription {
  /// Whether both describe the same relationship; locations do not count.
  public static func == (a: Self, b: Self) -> Bool {
    a.name == b.name && a.destination == b.destination && a.inverse == b.inverse
      && a.isToMany == b.isToMany && a.isOrdered == b.isOrdered && a.isOptional == b.isOptional
      && a.isTransient == b.isTransient
      && a.deleteRule == b.deleteRule && a.minimumCount == b.minimumCount
      && a.maximumCount == b.maximumCount && a.renamingIdentifier == b.renamingIdentifier
      && a.versionHashModifier == b.versionHashModifier && a.userInfo == b.userInfo
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
