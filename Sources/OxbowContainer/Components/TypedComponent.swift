internal import OxbowDocuments

/// A described class: turns a definition from a file into a blueprint, typed.
struct TypedComponent<Owner>: ComponentBody {
  let name: String
  let isSendable: Bool
  let isolation: ComponentIsolation
  let product: ProductTrait<Owner>
  let initializers: [InitializerDescriptor<Owner>]
  let properties: [PropertyDescriptor<Owner>]
  let methods: [MethodDescriptor<Owner>]
  let callbacks: [CallbackDescriptor<Owner>]

  var type: any Any.Type { Owner.self }
  var objectType: any Any.Type { product.productType ?? Owner.self }
  let propertyNames: [String]
  let initializerLabels: [[String]]
  private let accesses: [any PropertyAccess<Owner>]
  var callbackNames: [String] { callbacks.map { $0.name } }
  var methodNames: [MethodName] { methods.map { MethodName($0.name, labels: $0.labels) } }
  var places: [(type: any Any.Type, accepts: TypeTest)] {
    properties.map { ($0.access.acceptedType, $0.access.accepts) }
  }

  init(
    name: String, isSendable: Bool, isolation: ComponentIsolation, product: ProductTrait<Owner>,
    initializers: [InitializerDescriptor<Owner>], properties: [PropertyDescriptor<Owner>],
    methods: [MethodDescriptor<Owner>], callbacks: [CallbackDescriptor<Owner>]
  ) {
    self.name = name
    self.isSendable = isSendable
    self.isolation = isolation
    self.product = product
    self.initializers = initializers
    self.properties = properties
    self.methods = methods
    self.callbacks = callbacks
    propertyNames = properties.map { $0.name }
    accesses = properties.map { $0.access }
    initializerLabels = initializers.map { $0.labels }
  }

  var anyProperties: [AnyPropertyDescriptor] { properties.map { AnyPropertyDescriptor($0) } }

  func newObject() throws -> Any? {
    try initializers.first { $0.isInitializer && $0.labels.isEmpty }?.body.plainObject()
  }

  func blueprint(in context: BlueprintContext) -> AnyBlueprint? {
    let definition = context.definition
    guard isolation == .nonisolated else {
      context.report(
        .mainActorComponent(definition.name, className: name, at: definition.location))
      return nil
    }
    guard let choice = chooseInitializer(in: context) else { return nil }
    let recipe = choice.initializer.body.recipe(choice.call.arguments, in: context)
    let rest = choice.call.rest(of: definition.properties)
    var injections: [Injection<Owner>] = []
    injections.reserveCapacity(rest.count)
    for property in rest {
      if let injection = injection(of: property, in: context) { injections.append(injection) }
    }
    let callbacks = context.callbacks(on: Owner.self, of: type, className: name)
    guard let recipe, let callbacks, injections.count == rest.count else { return nil }
    return product.blueprint(
      ComponentParts(
        name: context.blueprintName, scope: context.scope, location: definition.location,
        isOwnerSendable: isSendable, recipe: recipe, injections: injections,
        callbacks: callbacks, context: context))
  }

  func callback<Known>(_ name: String, on known: Known.Type) -> Callback<Known>? {
    guard let found = callbacks.first(where: { $0.name == name }) else { return nil }
    return { object in
      if let owner = object as? Owner { try found.call(owner) }
    }
  }

  // MARK: - Properties

  func injection<Known>(
    _ assignment: PropertyAssignment, path: Substring, on known: Known.Type,
    in context: BlueprintContext
  ) -> FoundInjection<Known> {
    let (head, rest) = Self.split(path)
    guard let number = propertyNames.firstIndex(where: { $0 == head }) else {
      return inheritedInjection(assignment, path: path, on: known, in: context)
    }
    let access = accesses[number]
    let found =
      rest.map { access.injection(assignment, path: $0, in: context) }
      ?? access.injection(assignment, in: context)
    guard let found else { return .faulty }
    // An heir's injection looks whether the object is one: not needed for the class's own.
    if let own = found as? Injection<Known> { return .found(own) }
    return .found(found.inherited(by: known))
  }

  private static func split(_ path: Substring) -> (head: Substring, rest: Substring?) {
    guard path.utf8.contains(UInt8(ascii: ".")) else { return (path, nil) }
    guard let dot = path.firstIndex(of: ".") else { return (path, nil) }
    return (path[..<dot], path[path.index(after: dot)...])
  }

  private func inheritedInjection<Known>(
    _ assignment: PropertyAssignment, path: Substring, on known: Known.Type,
    in context: BlueprintContext
  ) -> FoundInjection<Known> {
    guard let parent = context.classes.superclass(of: Owner.self) else { return .noSuchProperty }
    return parent.body.injection(assignment, path: path, on: known, in: context)
  }

  private func injection(
    of assignment: PropertyAssignment, in context: BlueprintContext
  ) -> Injection<Owner>? {
    if let number = propertyNames.firstIndex(of: assignment.name) {
      // The fast path beside the rest, which finds paths and inherited properties too; suite K, xml.
      return accesses[number].injection(assignment, in: context)
    }
    let path = Substring(assignment.name)
    switch injection(assignment, path: path, on: Owner.self, in: context) {
    case .found(let injection): return injection
    case .faulty: return nil
    case .noSuchProperty:
      context.reportUnknownProperty(assignment, className: name, known: knownNames(context))
      return nil
    }
  }

  func reportUnknownNames(in context: BlueprintContext) {
    let known = knownNames(context)
    for property in context.definition.properties
    where !known.contains(String(Self.split(Substring(property.name)).head)) {
      context.reportUnknownProperty(property, className: name, known: known)
    }
  }

  /// Every name that a definition of the class may use.
  private func knownNames(_ context: BlueprintContext) -> [String] {
    var names = propertyNames
    for initializer in initializers where initializer.isInitializer {
      names += initializer.labels.filter { !names.contains($0) }
    }
    var parent = context.classes.superclass(of: Owner.self)
    while let step = parent {
      names += step.propertyNames.filter { !names.contains($0) }
      parent = context.classes.superclass(of: step.type)
    }
    return names
  }
}
