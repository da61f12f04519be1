/// A described class: links what was checked against it.
final class TypedComponent<Owner>: AnyComponent, @unchecked Sendable {
  // Sendable by argument, as its superclass.

  private let isSendable: Bool
  private let product: ProductTrait<Owner>
  private let initializerBodies: [any InitializerBody<Owner>]
  private let methodBodies: [any MethodBody<Owner>]
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
    initializerBodies = initializers.map { $0.body }
    methodBodies = methods.map { $0.body }
    descriptors = properties
    super.init(
      name: name, type: Owner.self, objectType: product.productType ?? Owner.self,
      isolation: isolation,
      properties: properties.map {
        PropertyShape(
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
    return try plain.flatMap { try initializerBodies[$0].plainObject() }
  }

  override func callback<Known>(_ name: String, on known: Known.Type) -> Callback<Known>? {
    guard let found = callbacks.first(where: { $0.name == name }) else { return nil }
    return { object in
      if let owner = object as? Owner { try found.call(owner) }
    }
  }

  // MARK: - Bindings

  override func binding(of plan: ObjectPlan, in context: BindingContext) -> AnyBinding {
    product.binding(
      ComponentParts(context: context, isOwnerSendable: isSendable) { linker in
        try self.assemble(plan, linker)
      })
  }

  override func binding(
    ofMethod number: Int, _ arguments: [Supply], properties: [PropertyAssignment],
    component: String, in context: BindingContext
  ) -> AnyBinding? {
    methodBodies[number].binding(
      arguments, properties: properties, of: component, in: context)
  }

  // MARK: - Linking

  private func assemble(_ plan: ObjectPlan, _ linker: Linker) throws -> Assembly<Owner> {
    Assembly(
      constructor: try initializerBodies[plan.initializer].constructor(plan.arguments, linker),
      injectors: try plan.properties.map { try injector(for: $0, on: Owner.self, linker) },
      callbacks: plan.callbacks?.callbacks(on: Owner.self) ?? Callbacks(),
      elsewhere: plan.elsewhere.map { planned in
        { linker in try planned().map { try self.injector(for: $0, on: Owner.self, linker) } }
      })
  }

  override func injector<Known>(
    for property: PlannedProperty, on known: Known.Type, _ linker: Linker
  ) throws -> Injector<Known> {
    guard let route = property.route, let first = route.steps.first else {
      return Self.injector(
        try descriptors[property.number].access.injector(for: property.supply, linker), on: known)
    }
    return try first.component.injector(
      along: route.steps[...], to: route.assignment, property.supply, on: known, linker)
  }

  override func injector<Known>(
    along path: ArraySlice<PropertyStep>, to assignment: PropertyAssignment, _ supply: Supply,
    on known: Known.Type, _ linker: Linker
  ) throws -> Injector<Known> {
    let access = descriptors[path[path.startIndex].number].access
    let rest = path.dropFirst()
    let own =
      rest.isEmpty
      ? try access.injector(for: supply, linker)
      : try access.injector(along: rest, to: assignment, supply, linker)
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
