/// What a document does where objects lead to each other in a circle.
public enum GraphCycles: Sendable, Hashable {
  /// Each object is written once, where it is met first; elsewhere, a reference to it:
  /// `{"$ref": "x-oxbow://…"}`.
  ///
  /// Objects that are farther away than the depth are references as well. Nothing is lost: the
  /// document can be read again.
  case reference

  /// A relationship that leads back to an object on the way is left out, and so are those that are
  /// farther away than the depth; an object that is met on several ways is written on each.
  case omit

  /// As ``omit``, but an object that leads back to one on the way is an error that names the way.
  case refuse
}

/// How objects of a document find those that are there already.
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
  /// Those whose objects are deleted with their owner: the delete rule is cascade.
  case owned

  /// All.
  case all
}
