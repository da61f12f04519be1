/// What a document contains if objects lead to each other in a circle.
public enum GraphCycles: Sendable, Hashable {
  /// Each object is written once, where it is first met, and otherwise as a reference: `{"$ref":
  /// "x-oxbow://…"}`.
  ///
  /// Objects beyond the depth are references too. Nothing is lost: the document can be read again.
  case reference

  /// Relationships that lead back to an object on the path, or beyond the depth, are left out; an
  /// object that is met on several paths is written on each.
  case omit

  /// As ``omit``, but an object that leads back to one on the path is an error that names the path.
  case refuse
}

/// How existing objects are found for the objects of a document.
public struct JSONMatching: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt8

  /// Creates a choice from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// An object of this store with the same ID.
  public static let id = JSONMatching(rawValue: 1)

  /// An object with the same unique attributes.
  public static let uniqueValues = JSONMatching(rawValue: 2)
}

/// The relationships along which objects are copied.
public enum CopiedRelationships: Sendable, Hashable {
  /// Relationships with the delete rule cascade, whose objects are deleted with their owner.
  case owned

  /// All relationships.
  case all
}
