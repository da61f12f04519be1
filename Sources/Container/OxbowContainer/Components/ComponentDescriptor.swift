internal import OxbowDocuments

/// What files can do with a class: how its objects are constructed and which properties can be set.
///
/// See ``Component`` for the whole of what a macro or hand writes.
public struct ComponentDescriptor: Sendable {
  /// The class's name without its module.
  public let name: String

  /// The class's name with its module, unique in the program.
  public let qualifiedName: String

  /// Whether the objects may be used by several threads.
  public let isSendable: Bool

  /// Which actor the class belongs to.
  public let isolation: ComponentIsolation

  /// The names of the properties that can be set, inherited ones excluded.
  public var propertyNames: [String] { body.propertyNames }

  /// The names of the methods that can be called before and after injection.
  public var callbackNames: [String] { body.callbackNames }

  /// The methods that make other objects.
  public var methodNames: [MethodName] { body.methods.map { $0.methodName } }

  /// The labels of each initializer and static method.
  public var initializerLabels: [[String]] { body.initializers.map { $0.labels } }

  /// The class.
  public var type: any Any.Type { body.type }

  /// The type that a definition of this class has: the class, or the product of a factory.
  public var objectType: any Any.Type { body.objectType }

  /// What the annotations of the class say about its definition.
  public let annotations: ComponentAnnotations

  let body: AnyComponent

  /// Describes a class.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - name: Its name without the module.
  ///   - sendability: Write `.of()`.
  ///   - product: Write `.of()`.
  ///   - isolation: Which actor it belongs to.
  ///   - initializers: The initializers and static methods by which files may construct objects.
  ///   - properties: The properties that files may set.
  ///   - methods: The methods by which the objects make others for files.
  ///   - callbacks: The methods that files may have called before and after injection.
  ///   - annotations: What the annotations of the class say about its definition.
  public init<Owner>(
    _ type: Owner.Type, name: String, sendability: Sendability<Owner>,
    product: ProductTrait<Owner>, isolation: ComponentIsolation = .nonisolated,
    initializers: [InitializerDescriptor<Owner>] = [],
    properties: [PropertyDescriptor<Owner>] = [], methods: [MethodDescriptor<Owner>] = [],
    callbacks: [CallbackDescriptor<Owner>] = [],
    annotations: ComponentAnnotations = ComponentAnnotations()
  ) {
    self.name = name
    self.qualifiedName = String(reflecting: type)
    self.isSendable = sendability.isSendable
    self.isolation = isolation
    self.annotations = annotations
    self.body = TypedComponent(
      name: name, isSendable: sendability.isSendable, isMainActor: isolation.isMainActor,
      product: product,
      initializers: initializers, properties: properties, methods: methods, callbacks: callbacks)
  }
}

extension ComponentDescriptor {
  /// The definition that the annotations of the class make.
  func annotatedDefinition(named name: String?, at location: SourceLocation?) -> ObjectDefinition {
    var definition = ObjectDefinition(
      name ?? annotations.name ?? self.name, class: qualifiedName, scope: annotations.scope,
      isLazy: annotations.isLazy, at: location)
    definition.isPrimary = annotations.isPrimary
    return definition
  }
}

// MARK: - Objects

// For tools that know classes at run time only; the container itself links typed setters.

extension ComponentDescriptor {
  /// The properties that can be set, inherited ones excluded.
  public var properties: [AnyPropertyDescriptor] { body.anyProperties }

  /// Whether the class itself describes a property of a name.
  public func hasProperty(_ name: String) -> Bool { propertyNames.contains(name) }

  /// The property of a name.
  ///
  /// - Throws: ``ContainerError`` with the code `unknownProperty` and near names.
  public func property(_ name: String) throws -> AnyPropertyDescriptor {
    if let found = properties.first(where: { $0.name == name }) { return found }
    throw ContainerError(
      .noSuchProperty(name, className: self.name, known: propertyNames), task: "use a property")
  }

  /// Makes an object by the initializer without parameters; nothing is injected.
  ///
  /// - Returns: The object.
  /// - Throws: ``ContainerError`` with the code `noInitializer` when the class describes none, and
  ///   what the initializer throws.
  public func newObject() throws -> Any {
    if let object = try body.newObject() { return object }
    throw ContainerError(
      .noPlainInitializer(className: name, labels: initializerLabels), task: "make a \(name)")
  }
}

/// What the annotations of a class say about its definition.
///
/// A definition from a file, or in code, that names the class takes over what is annotated on
/// properties and initializers; what the definition says itself goes before that. Name, scope,
/// laziness and being primary count for definitions that are made from the class itself only.
public struct ComponentAnnotations: Sendable {
  /// The name of the object; nil for the name of the class.
  public var name: String?
  /// The name of the scope.
  public var scope: String
  /// Whether the object is built by its first use, behind a proxy.
  public var isLazy: Bool
  /// Whether the object is the one that counts where several fit a type.
  public var isPrimary: Bool
  /// What is set: properties, and arguments of the initializer.
  public var assignments: [PropertyAssignment]

  /// Creates annotations.
  public init(
    name: String? = nil, scope: String = "prototype", isLazy: Bool = false,
    isPrimary: Bool = false, assignments: [PropertyAssignment] = []
  ) {
    self.name = name
    self.scope = scope
    self.isLazy = isLazy
    self.isPrimary = isPrimary
    self.assignments = assignments
  }
}

extension PropertyAssignment {
  /// What an annotation on a property or initializer sets.
  ///
  /// - Parameters:
  ///   - name: The name of the property, or the label of the argument.
  ///   - content: What it is set to.
  ///   - file: The source file of the annotation, for messages.
  ///   - line: The line in that file.
  /// - Returns: The assignment.
  public static func annotated(
    _ name: String, _ content: InjectedContent, file: String = #fileID, line: Int = #line
  ) -> PropertyAssignment {
    PropertyAssignment(name, to: content, at: SourceLocation(file: file, line: line))
  }
}

/// What `@Component` says about the definition that is made from the class itself.
public struct ComponentTrait: Sendable, Hashable {
  private let name: String

  /// One object for the whole container; its class must be `Sendable`.
  public static let singleton = ComponentTrait(name: "singleton")
  /// A new object for each request, as without any trait.
  public static let prototype = ComponentTrait(name: "prototype")
  /// One object for each request from outside, shared by all that is built for it.
  public static let objectGraph = ComponentTrait(name: "objectGraph")
  /// One object for as long as somebody holds it; its class must be `Sendable`.
  public static let weakSingleton = ComponentTrait(name: "weakSingleton")
  /// One object for each thread.
  public static let thread = ComponentTrait(name: "thread")
  /// One object for each task scope.
  public static let task = ComponentTrait(name: "task")
  /// Built by its first use, behind a proxy.
  public static let lazy = ComponentTrait(name: "lazy")
  /// The one that counts where several objects fit a type.
  public static let primary = ComponentTrait(name: "primary")
}
