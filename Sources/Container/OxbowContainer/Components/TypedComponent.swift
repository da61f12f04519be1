/// A described class, its type forgotten.
///
/// Definitions are checked against what is known here; the types come back when a container is
/// linked.
class AnyComponent: @unchecked Sendable {
  // Sendable by argument: nothing changes, and everything that is kept is Sendable.

  /// A settable property, the type of its value forgotten.
  struct Property: Sendable {
    let name: String
    let point: AnyInjectionPoint
    /// Whether the property can be read, as paths through it need.
    let isReadable: Bool
    /// Whether the property may be nil.
    let isOptional: Bool
    /// Whether the property can be set to nil.
    let isClearable: Bool
  }

  /// A way to call something that makes objects: an initializer or a method.
  struct Call: Sendable {
    /// `init`, or the name of the method without labels.
    let name: String
    /// The names of the parameters: label, or name where there is no label.
    let labels: [String]
    /// What the parameters take.
    let points: [AnyInjectionPoint]
    /// The type of what is made.
    let productType: any Any.Type
  }

  let name: String
  let type: any Any.Type
  /// The type that a definition of this class has: the class, or the product of a factory.
  let objectType: any Any.Type
  /// Whether the class is a `FactoryObject`.
  let isFactory: Bool
  /// Whether the class belongs to the main actor, so that no file may construct it.
  let isMainActor: Bool
  /// The properties that can be set, inherited ones excluded.
  let properties: [Property]
  let propertyNames: [String]
  /// The initializers and static methods that make objects of the class.
  let initializers: [Call]
  /// The methods that make other objects.
  let methods: [Call]
  /// The methods that can be called around injection.
  let callbackNames: [String]

  init(
    name: String, type: any Any.Type, productType: (any Any.Type)?, isMainActor: Bool,
    properties: [Property], initializers: [Call], methods: [Call], callbackNames: [String]
  ) {
    self.name = name
    self.type = type
    self.objectType = productType ?? type
    self.isFactory = productType != nil
    self.isMainActor = isMainActor
    self.properties = properties
    self.propertyNames = properties.map { $0.name }
    self.initializers = initializers
    self.methods = methods
    self.callbackNames = callbackNames
  }

  /// The properties for tools, inherited ones excluded.
  var anyProperties: [AnyPropertyDescriptor] { preconditionFailure("abstract") }

  /// A new object by the initializer without parameters; nil where there is none.
  func newObject() throws -> Any? { preconditionFailure("abstract") }

  /// What a planned definition becomes.
  func binding(of plan: ConstructionPlan) -> AnyBinding { preconditionFailure("abstract") }

  /// What a planned definition becomes whose object a method makes, called on an object of this
  /// class.
  func binding(of plan: ConstructionPlan, ofMethodOf object: String) -> AnyBinding {
    preconditionFailure("abstract")
  }

  /// How a planned property is set on objects of the class that are known as `Known`.
  func injector<Known>(
    for property: ConstructionPlan.Property, on known: Known.Type, _ linker: any Linking
  ) throws -> Injector<Known> { preconditionFailure("abstract") }

  /// How the property at the end of a path is set.
  func injector<Known>(
    along path: ArraySlice<ConstructionPlan.Member>, to assignment: PropertyAssignment,
    _ value: InjectionValue, on known: Known.Type, _ linker: any Linking
  ) throws -> Injector<Known> { preconditionFailure("abstract") }

  /// The callback of a number for objects of the class that are known as `Known`.
  func callback<Known>(_ number: Int, on known: Known.Type) -> ((Known) throws -> Void)? {
    preconditionFailure("abstract")
  }
}

extension AnyComponent.Call {
  /// Whether it is an initializer and no method.
  var isInitializer: Bool { name == "init" }

  /// The name in Swift's spelling.
  var methodName: MethodName { MethodName(name, labels: labels) }

  /// How an initializer or static method is written in Swift.
  var spelling: String {
    let call = "\(name)(" + labels.map { "\($0):" }.joined() + ")"
    return isInitializer ? call : "static \(call)"
  }
}

/// A described class: links what was checked against it.
final class TypedComponent<Owner>: AnyComponent, @unchecked Sendable {
  // Sendable by argument, as its superclass.

  private let isSendable: Bool
  private let product: ProductTrait<Owner>
  private let initializerDescriptors: [InitializerDescriptor<Owner>]
  private let methodDescriptors: [MethodDescriptor<Owner>]
  private let callbacks: [CallbackDescriptor<Owner>]
  private let descriptors: [PropertyDescriptor<Owner>]

  init(
    name: String, isSendable: Bool, isMainActor: Bool, product: ProductTrait<Owner>,
    initializers: [InitializerDescriptor<Owner>], properties: [PropertyDescriptor<Owner>],
    methods: [MethodDescriptor<Owner>], callbacks: [CallbackDescriptor<Owner>]
  ) {
    self.isSendable = isSendable
    self.product = product
    self.callbacks = callbacks
    initializerDescriptors = initializers
    methodDescriptors = methods
    descriptors = properties
    super.init(
      name: name, type: Owner.self, productType: product.productType, isMainActor: isMainActor,
      properties: properties.map {
        Property(
          name: $0.name, point: $0.access.anyPoint, isReadable: $0.access.isReadable,
          isOptional: $0.isOptional, isClearable: $0.access.isClearable)
      },
      initializers: initializers.map { $0.shape }, methods: methods.map { $0.shape },
      callbackNames: callbacks.map { $0.name })
  }

  override var anyProperties: [AnyPropertyDescriptor] {
    descriptors.map { AnyPropertyDescriptor($0) }
  }

  override func newObject() throws -> Any? {
    let plain = initializers.firstIndex { $0.isInitializer && $0.labels.isEmpty }
    return try plain.flatMap { try initializerDescriptors[$0].plainObject() }
  }

  override func callback<Known>(_ number: Int, on known: Known.Type) -> ((Known) throws -> Void)? {
    let found = callbacks[number]
    return { object in
      if let owner = object as? Owner { try found.call(owner) }
    }
  }

  // MARK: - Bindings

  override func binding(of plan: ConstructionPlan) -> AnyBinding {
    product.binding(plan, isSendable) { linker in try self.parts(of: plan, linker) }
  }

  override func binding(of plan: ConstructionPlan, ofMethodOf object: String) -> AnyBinding {
    methodDescriptors[plan.call].binding(plan, object)
  }

  // MARK: - Linking

  private func parts(
    of plan: ConstructionPlan, _ linker: any Linking
  ) throws -> Construction<Owner>.Parts {
    Construction.Parts(
      constructor: try initializerDescriptors[plan.call].constructor(plan.arguments, linker),
      injectors: try plan.members?.injectors(on: Owner.self, linker) ?? [],
      callbacks: plan.members?.callbacks(on: Owner.self) ?? Callbacks(),
      elsewhere: plan.elsewhere.map { planned in
        { linker in try planned().map { try self.injector(for: $0, on: Owner.self, linker) } }
      })
  }

  override func injector<Known>(
    for property: ConstructionPlan.Property, on known: Known.Type, _ linker: any Linking
  ) throws -> Injector<Known> {
    guard let path = property.path, let first = path.steps.first else {
      return Self.injector(
        try descriptors[property.number].access.injector(for: property.value, linker), on: known)
    }
    return try first.component.injector(
      along: path.steps[...], to: path.assignment, property.value, on: known, linker)
  }

  override func injector<Known>(
    along path: ArraySlice<ConstructionPlan.Member>, to assignment: PropertyAssignment,
    _ value: InjectionValue, on known: Known.Type, _ linker: any Linking
  ) throws -> Injector<Known> {
    let access = descriptors[path[path.startIndex].number].access
    let rest = path.dropFirst()
    let own =
      rest.isEmpty
      ? try access.injector(for: value, linker)
      : try access.injector(along: rest, to: assignment, value, linker)
    return Self.injector(own, on: known)
  }

  /// An injector for objects that are known as a `Known`, such as those of a class that inherits.
  private static func injector<Known>(
    _ own: @escaping Injector<Owner>, on known: Known.Type
  ) -> Injector<Known> {
    if let same = own as? Injector<Known> { return same }
    return { object, session in
      switch object {
      case let owner as Owner: try own(owner, session)
      default:
        throw ContainerError(
          .typeMismatch("product", object: object, wanted: "\(Owner.self)"), task: "inject")
      }
    }
  }
}
