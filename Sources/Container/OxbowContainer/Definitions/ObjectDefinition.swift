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
  ///
  /// Nil where the class follows from something else: that of the ``parent``, or what the method of
  /// the ``factoryComponent`` makes.
  public var className: String?
  /// The name of the scope.
  public var scope: String
  /// Whether the object is built by its first use, behind a proxy.
  public var isLazy: Bool
  /// Whether the object is built by `build()`, once everything has been checked.
  public var isEager = false
  /// Whether the object is the one that counts where several fit a type.
  public var isPrimary = false
  /// Whether the definition only has parts for others, which name it as their ``parent``.
  public var isAbstract = false
  /// The definition whose class, initializer and properties this one takes over.
  ///
  /// A property of this definition goes before one of the same name there; an initializer of this
  /// definition replaces the one there. Scope and name are never taken over.
  public var parent: String?
  /// How the object is constructed; nil for an initializer whose labels are names of properties.
  public var initializer: InitializerCall?
  /// The object whose method constructs this one; the method is named by ``initializer``.
  public var factoryComponent: String?
  /// What properties are set to, in the order in which they are set.
  public var properties: [PropertyAssignment]
  /// The method without arguments that is called before properties are set.
  public var methodBeforeInjection: String?
  /// The method without arguments that is called when all properties are set.
  public var methodAfterInjection: String?
  /// What is set on the product when the class is a factory.
  public var product: ProductDefinition?
  /// How texts are read where a truth value is wanted.
  package var booleans = BooleanRule.plain
  /// What the file says about the object, for readers.
  public var summary: String?
  /// Where the definition is written.
  public var location: SourceLocation?
  /// Where the class is named; the definition's location when unknown.
  public var classLocation: SourceLocation?

  /// Creates a definition.
  public init(
    _ name: String, class className: String? = nil, scope: String = "singleton",
    isLazy: Bool = false, properties: [PropertyAssignment] = [],
    product: ProductDefinition? = nil, at location: SourceLocation? = nil,
    classAt classLocation: SourceLocation? = nil
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
  ///
  /// It replaces an earlier reference of the property; a value beats it, added before or after.
  public mutating func addReference(_ property: String, to object: String) {
    properties.removeAll { $0.name == property && $0.referencedObject != nil }
    guard self.property(property) == nil else { return }
    properties.append(.reference(property, to: object))
  }

  /// Adds a property that is set to a value, in place of what it was set to.
  public mutating func addValue(_ property: String, _ text: String) {
    properties.removeAll { $0.name == property }
    properties.append(.value(property, text))
  }

  package func property(_ name: String) -> PropertyAssignment? {
    properties.first { $0.name == name }
  }

  /// Everything that the definition sets: initializer arguments, properties, and those of the
  /// product.
  var assignments: [PropertyAssignment] {
    (initializer?.arguments ?? []) + properties + (product?.properties ?? [])
  }
}

/// What is set on the product of a factory.
public struct ProductDefinition: Sendable {
  /// The product's class; nil for the class that the factory declares.
  public var className: String?
  /// What properties are set to.
  public var properties: [PropertyAssignment]
  /// Where the part is written.
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

/// Another name of an object.
///
/// One object has both names: it is built once, and disposed of once. What refers to either gets
/// it.
public struct ObjectAlias: Sendable {
  /// The other name, unique in its container.
  public var name: String
  /// The name of the object, or another alias.
  public var target: String
  /// Where the alias is written.
  public var location: SourceLocation?

  /// Creates another name.
  public init(_ name: String, of target: String, at location: SourceLocation? = nil) {
    self.name = name
    self.target = target
    self.location = location
  }
}

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
  private(set) var needsObject = false

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
  func replacing(_ content: InjectedContent) -> PropertyAssignment {
    var other = PropertyAssignment(name, to: content, at: location, valueAt: valueLocation)
    other.needsObject = needsObject
    return other
  }

  /// The same assignment, at a place unless it has one.
  fileprivate func located(at place: SourceLocation) -> PropertyAssignment {
    var other = PropertyAssignment(
      name, to: content, at: location ?? place, valueAt: valueLocation ?? location ?? place)
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

  /// The property is set to the value of a text in its type.
  public static func value(
    _ name: String, _ text: String, at location: SourceLocation? = nil,
    valueAt valueLocation: SourceLocation? = nil
  ) -> PropertyAssignment {
    PropertyAssignment(name, to: .text(text), at: location, valueAt: valueLocation)
  }
}

extension ObjectDefinition {
  /// The same definition, everything in it at a place that has none.
  func located(at place: SourceLocation) -> ObjectDefinition {
    guard lacksPlaces else { return self }
    let place = location ?? place
    var result = mapContents { content, _ in
      guard case .definition(let inner) = content else { return content }
      return .definition(inner.located(at: place))
    }
    result.location = place
    result.classLocation = classLocation ?? place
    result.initializer?.location = initializer?.location ?? place
    result.product?.location = product?.location ?? place
    result.initializer?.arguments.locate(at: place)
    result.properties.locate(at: place)
    result.product?.properties.locate(at: place)
    return result
  }

  private var lacksPlaces: Bool {
    location == nil
      || holds { if case .definition(let inner) = $0 { inner.lacksPlaces } else { false } }
      || assignments.contains { $0.location == nil }
  }
}

extension [PropertyAssignment] {
  fileprivate mutating func locate(at place: SourceLocation) {
    self = map { $0.located(at: place) }
  }
}
