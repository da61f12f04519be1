public import OxbowDocuments

/// A definition that names its class by text: what files hold, and what can be written in code for
/// classes that are known at run time only.
///
/// A definition is a singleton unless it says otherwise, as in the XML dialects; classes that are
/// annotated say it themselves.
public struct ObjectDefinition: Sendable {
  /// The name of the object, unique in its container.
  public var name: String
  /// The name of the class: bare, with its module, or as it was registered.
  public var className: String
  /// The name of the scope.
  public var scope: String
  /// Whether the object is built by its first use, behind a proxy.
  public var isLazy: Bool
  /// What properties are set to, in the order in which they are set.
  public var properties: [PropertyAssignment]
  /// What is set on the product when the class is a factory.
  public var product: ProductDefinition?
  /// Where the definition stands.
  public var location: SourceLocation?
  /// Where the class is named; the definition's place when unknown.
  public var classLocation: SourceLocation?

  /// Creates a definition.
  public init(
    _ name: String, class className: String, scope: String = "singleton", isLazy: Bool = false,
    properties: [PropertyAssignment] = [], product: ProductDefinition? = nil,
    at location: SourceLocation? = nil, classAt classLocation: SourceLocation? = nil
  ) {
    self.name = name
    self.className = className
    self.scope = scope
    self.isLazy = isLazy
    self.properties = properties
    self.product = product
    self.location = location
    self.classLocation = classLocation ?? location
  }

  /// Creates a definition from references and values by property name.
  ///
  /// References come before values. A value beats a reference to the same property.
  public init(
    name: String, class className: String, singleton: Bool = true, lazy: Bool = false,
    references: KeyValuePairs<String, String> = [:], values: KeyValuePairs<String, String> = [:]
  ) {
    let valued = Set(values.map(\.key))
    self.init(
      name, class: className, scope: singleton ? "singleton" : "prototype", isLazy: lazy,
      properties: references.filter { !valued.contains($0.key) }.map {
        .reference($0.key, to: $0.value)
      }
        + values.map { .value($0.key, $0.value) })
  }

  /// Adds a property that is set to another object.
  public mutating func addReference(_ property: String, to object: String) {
    properties.append(.reference(property, to: object))
  }

  /// Adds a property that is set to a value.
  public mutating func addValue(_ property: String, _ text: String) {
    properties.append(.value(property, text))
  }

  package func property(_ name: String) -> PropertyAssignment? {
    properties.first { $0.name == name }
  }
}

/// What one property is set to.
public struct PropertyAssignment: Sendable {
  package enum Content: Sendable {
    case reference(String)
    case text(String)
  }

  /// The property's name.
  public let name: String
  /// Where the property is set.
  public let location: SourceLocation?
  package let content: Content
  /// Where the value stands.
  package let valueLocation: SourceLocation?

  /// The name of the object that the property is set to; nil for a value.
  public var referencedObject: String? {
    if case .reference(let name) = content { return name }
    return nil
  }

  /// The property is set to another object.
  public static func reference(
    _ name: String, to object: String, at location: SourceLocation? = nil
  ) -> PropertyAssignment {
    PropertyAssignment(
      name: name, location: location, content: .reference(object), valueLocation: location)
  }

  /// The property is set to what a text stands for in its type.
  public static func value(
    _ name: String, _ text: String, at location: SourceLocation? = nil,
    valueAt valueLocation: SourceLocation? = nil
  ) -> PropertyAssignment {
    PropertyAssignment(
      name: name, location: location, content: .text(text),
      valueLocation: valueLocation ?? location)
  }
}

/// What is set on the product of a factory.
public struct ProductDefinition: Sendable {
  /// The product's class; nil for the class that the factory declares.
  public var className: String?
  /// What properties are set to.
  public var properties: [PropertyAssignment]
  /// Where the part stands.
  public var location: SourceLocation?

  /// Creates a product part.
  public init(
    class className: String? = nil, properties: [PropertyAssignment],
    at location: SourceLocation? = nil
  ) {
    self.className = className
    self.properties = properties
    self.location = location
  }
}
