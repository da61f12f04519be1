public import OxbowDocuments

/// What one property or initializer argument is set to.
public struct PropertyAssignment: Sendable {
  /// The name of the property, or the label of the argument; a path such as `captain.name` sets a
  /// property of the object that a property holds.
  public let name: String
  /// What it is set to.
  public let content: InjectedContent
  /// Where the property is set.
  public let location: SourceLocation?
  /// Where the value stands.
  public let valueLocation: SourceLocation?
  /// Whether an object has to be found by type even where the property may be nil, as Typhoon has it.
  package private(set) var needsObject = false

  /// Sets a property.
  public init(
    _ name: String, to content: InjectedContent, at location: SourceLocation? = nil,
    valueAt valueLocation: SourceLocation? = nil
  ) {
    self.name = name
    self.content = content
    self.location = location
    self.valueLocation = valueLocation ?? location
  }

  /// The same assignment of something else.
  package func replacing(_ content: InjectedContent) -> PropertyAssignment {
    var other = PropertyAssignment(name, to: content, at: location, valueAt: valueLocation)
    other.needsObject = needsObject
    return other
  }

  /// The same assignment, by which an object has to be found.
  package func needingObject() -> PropertyAssignment {
    var other = self
    other.needsObject = true
    return other
  }

  /// The name of the object that the property is set to; nil for everything else.
  public var referencedObject: String? {
    if case .reference(let name) = content { return name }
    return nil
  }

  /// The property is set to another object.
  public static func reference(
    _ name: String, to object: String, at location: SourceLocation? = nil
  ) -> PropertyAssignment {
    PropertyAssignment(name, to: .reference(object), at: location)
  }

  /// The property is set to what a text stands for in its type.
  public static func value(
    _ name: String, _ text: String, at location: SourceLocation? = nil,
    valueAt valueLocation: SourceLocation? = nil
  ) -> PropertyAssignment {
    PropertyAssignment(name, to: .text(text), at: location, valueAt: valueLocation)
  }
}

/// What a file can set a property to.
public indirect enum InjectedContent: Sendable {
  /// The object with a name.
  case reference(String)
  /// What a text stands for in the property's type.
  ///
  /// `typeName` is the class that the file says the value has, if it says one; it is checked against the
  /// property's type where both are known.
  case text(String, typeName: String? = nil)
  /// The one object that fits the property's type; for a collection all that fit its elements.
  case byType
  /// An array or a set, by what the property is.
  case collection([InjectedElement], typeName: String? = nil)
  /// A dictionary whose keys are texts.
  case dictionary([InjectedEntry])
  /// An object that only this property refers to, defined in place; its name is not used.
  case definition(ObjectDefinition)

  /// The names of the objects that are referred to, at any depth outside of definitions in place.
  package var references: [String] {
    switch self {
    case .reference(let name): [name]
    case .text, .byType, .definition: []
    case .collection(let elements, _): elements.flatMap(\.content.references)
    case .dictionary(let entries): entries.flatMap(\.content.references)
    }
  }
}

/// One element of a collection in a file.
public struct InjectedElement: Sendable {
  /// What the element is.
  public let content: InjectedContent
  /// Where it stands.
  public let location: SourceLocation?

  /// Creates an element.
  public init(_ content: InjectedContent, at location: SourceLocation? = nil) {
    self.content = content
    self.location = location
  }
}

/// One entry of a dictionary in a file.
public struct InjectedEntry: Sendable {
  /// The key.
  public let key: String
  /// What the key stands for.
  public let content: InjectedContent
  /// Where the entry stands.
  public let location: SourceLocation?

  /// Creates an entry.
  public init(_ key: String, _ content: InjectedContent, at location: SourceLocation? = nil) {
    self.key = key
    self.content = content
    self.location = location
  }
}
