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
    name: String, isSendable: Bool, isolation: ComponentIsolation, product: ProductTrait<Owner>,
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
      name: name, type: Owner.self, productType: product.productType, isolation: isolation,
      properties: properties.map {
        Property(
          name: $0.name, point: $0.access.anyPoint, isReadable: $0.access.isReadable,
          isOptional: $0.isOptional)
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
    of plan: ConstructionPlan, _ linker: Linker
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
    for property: ConstructionPlan.Property, on known: Known.Type, _ linker: Linker
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
    _ value: InjectionValue, on known: Known.Type, _ linker: Linker
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
