public import OxbowDocuments

/// An entity: a kind of object, with its properties.
public struct EntityDescription: Sendable, Hashable {
  /// The entity's name, unique in its model.
  public var name: String

  /// The name of the Swift class of its objects; `nil` for plain managed objects.
  public var className: String?

  /// The name of the entity whose properties it inherits.
  public var parent: String?

  /// Whether it has no objects of its own.
  public var isAbstract: Bool

  /// Its own attributes, without inherited ones.
  public var attributes: [AttributeDescription]

  /// Its own relationships, without inherited ones.
  public var relationships: [RelationshipDescription]

  /// Its own fetched properties, without inherited ones; no part of the version.
  public var fetchedProperties: [FetchedPropertyDescription] = []

  /// The sets of attributes and to-one relationships whose values must be unique together.
  public var uniquenessConstraints: [[String]]

  /// The indexes that speed up fetches.
  public var fetchIndexes: [FetchIndexDescription]

  /// The name that it had in the model before, for migrations; `nil` when it was not renamed.
  public var renamingIdentifier: String?

  /// Text that is mixed into the version hash, to force a new version.
  public var versionHashModifier: String?

  /// Free pairs of the model's author.
  public var userInfo: [String: String]

  /// Where the document declares it; no part of equality.
  public var location: SourceLocation?

  /// Creates an entity.
  public init(
    _ name: String, className: String? = nil, parent: String? = nil, isAbstract: Bool = false,
    attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
    uniquenessConstraints: [[String]] = [], fetchIndexes: [FetchIndexDescription] = [],
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: String] = [:], location: SourceLocation? = nil
  ) {
    self.name = name
    self.className = className
    self.parent = parent
    self.isAbstract = isAbstract
    self.attributes = attributes
    self.relationships = relationships
    self.uniquenessConstraints = uniquenessConstraints
    self.fetchIndexes = fetchIndexes
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
    self.location = location
  }
}

/// An index of an entity.
///
/// Elements of the type ``ElementType/rTree`` make it an index of intervals, rectangles or boxes:
/// two elements are the begin and the end of an interval, four those of a rectangle, and so on up
/// to ten. It finds objects that overlap an interval without reading the others, which an ordinary
/// index cannot do. Points need an ordinary one.
public struct FetchIndexDescription: Sendable, Hashable {
  /// The index's name, unique in its entity.
  public var name: String

  /// The properties that it covers, in order.
  public var elements: [Element]

  /// Creates an index.
  public init(_ name: String, elements: [Element]) {
    self.name = name
    self.elements = elements
  }

  /// Creates an index of intervals or boxes from the properties with their ends, begin before end:
  /// `FetchIndexDescription("byTime", rTree: "begin", "end")`.
  public init(_ name: String, rTree properties: String...) {
    self.init(name, elements: properties.map { Element($0, type: .rTree) })
  }

  /// Whether it is an index of intervals or boxes.
  package var isRTree: Bool { elements.contains { $0.type == .rTree } }

  /// How an index has a property.
  public enum ElementType: String, Sendable, Hashable, CaseIterable {
    /// By the order of its values.
    case binary = "Binary"
    /// As one end of an interval: all elements of the index are of this type then. The property is
    /// a date or a number, not a decimal one.
    case rTree = "RTree"
  }

  /// One property of an index.
  public struct Element: Sendable, Hashable {
    /// The property's name.
    public var property: String

    /// Whether small values come first.
    public var isAscending: Bool

    /// How the index has it.
    public var type: ElementType

    /// Creates one property of an index by the order of its values.
    public init(_ property: String, isAscending: Bool = true) {
      self.init(property, isAscending: isAscending, type: .binary)
    }

    /// Creates one property of an index; the direction has no meaning for the ends of intervals.
    public init(_ property: String, isAscending: Bool = true, type: ElementType) {
      self.property = property
      self.isAscending = isAscending
      self.type = type
    }
  }
}

extension EntityDescription {
  /// Whether both describe the same entity; locations and the order of properties do not count.
  public static func == (a: Self, b: Self) -> Bool {
    a.name == b.name && a.className == b.className && a.parent == b.parent
      && a.isAbstract == b.isAbstract
      && a.attributes.sorted(by: \.name) == b.attributes.sorted(by: \.name)
      && a.relationships.sorted(by: \.name) == b.relationships.sorted(by: \.name)
      && a.fetchedProperties.sorted(by: \.name) == b.fetchedProperties.sorted(by: \.name)
      && Set(a.uniquenessConstraints) == Set(b.uniquenessConstraints)
      && Set(a.fetchIndexes) == Set(b.fetchIndexes)
      && a.renamingIdentifier == b.renamingIdentifier
      && a.versionHashModifier == b.versionHashModifier && a.userInfo == b.userInfo
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension [EntityDescription] {
  /// The entities by their names, the first of each.
  package var byName: [String: EntityDescription] {
    Dictionary(map { ($0.name, $0) }) { first, _ in first }
  }
}

extension [String: EntityDescription] {
  /// An entity and those that it inherits from, nearest first, up to a missing one or a circle.
  package func line(from entity: EntityDescription) -> [EntityDescription] {
    var line = [entity]
    while let next = line.last?.parent.flatMap({ self[$0] }),
      !line.contains(where: { $0.name == next.name })
    { line.append(next) }
    return line
  }
}

extension Array {
  func sorted(by name: (Element) -> String) -> [Element] {
    sorted { name($0) < name($1) }
  }
}
