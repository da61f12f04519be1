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
  /// Where the value is written.
  public let valueLocation: SourceLocation?
  /// Whether an object has to be found by type even where the property may be nil, as Typhoon has
  /// it.
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
