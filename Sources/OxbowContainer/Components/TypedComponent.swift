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
    initializerLabels = initializers.map { $0.labels }
  }

  func blueprint(in context: BlueprintContext) -> AnyBlueprint? {
    let definition = context.definition
    guard isolation == .nonisolated else {
      context.report(
        .mainActorComponent(definition.name, className: name, at: definition.location))
      return nil
    }
    guard let initializer = chooseInitializer(in: context) else { return nil }
    let (arguments, rest) = definition.split(by: initializer.labels)
    let recipe = initializer.body.recipe(arguments, in: context)
    var injections: [Injection<Owner>] = []
    for property in rest {
      if let injection = injection(of: property, in: context) { injections.append(injection) }
    }
    guard let recipe, injections.count == rest.count else { return nil }
    return product.blueprint(
      ComponentParts(
        name: context.blueprintName, scope: context.scope, location: definition.location,
        isOwnerSendable: isSendable, recipe: recipe, injections: injections, context: context))
  }

  func injection<Known>(
    _ assignment: PropertyAssignment, on known: Known.Type, in context: BlueprintContext
  ) -> FoundInjection<Known> {
    guard let number = propertyNames.firstIndex(of: assignment.name) else {
      return inheritedInjection(assignment, on: known, in: context)
    }
    let access = properties[number].access
    guard let injection = access.injection(assignment, in: context) else { return .faulty }
    // An heir's injection looks whether the object is one: not needed for the class's own.
    if let own = injection as? Injection<Known> { return .found(own) }
    return .found(injection.inherited(by: known))
  }

  private func inheritedInjection<Known>(
    _ assignment: PropertyAssignment, on known: Known.Type, in context: BlueprintContext
  ) -> FoundInjection<Known> {
    guard let parent = context.classes.superclass(of: Owner.self) else { return .noSuchProperty }
    return parent.body.injection(assignment, on: known, in: context)
  }

  private func injection(
    of assignment: PropertyAssignment, in context: BlueprintContext
  ) -> Injection<Owner>? {
    switch injection(assignment, on: Owner.self, in: context) {
    case .found(let injection): return injection
    case .faulty: return nil
    case .noSuchProperty:
      context.reportUnknownProperty(assignment, className: name, known: knownNames(context))
      return nil
    }
  }

  /// The initializer that uses most of the properties, among those whose labels are all there.
  private func chooseInitializer(in context: BlueprintContext) -> InitializerDescriptor<Owner>? {
    let definition = context.definition
    if let best = definition.mostArguments(among: initializerLabels) { return initializers[best] }
    for property in definition.properties where !knownNames(context).contains(property.name) {
      context.reportUnknownProperty(property, className: name, known: knownNames(context))
    }
    context.report(
      .noInitializer(
        of: definition.name, className: name, at: definition.classLocation,
        given: definition.properties.map(\.name),
        choices: initializers.map {
          "init(" + $0.labels.map { "\($0):" }.joined() + ")"
        }))
    return nil
  }

  /// Every name that a definition of the class may use.
  private func knownNames(_ context: BlueprintContext) -> [String] {
    var names = propertyNames
    for label in initializerLabels.joined() where !names.contains(label) { names.append(label) }
    var parent = context.classes.superclass(of: Owner.self)
    while let step = parent {
      names += step.propertyNames.filter { !names.contains($0) }
      parent = context.classes.superclass(of: step.type)
    }
    return names
  }
}

extension ObjectDefinition {
  /// The initializer that uses most of the properties, among those whose labels are all there.
  fileprivate func mostArguments(among initializers: [[String]]) -> Int? {
    var best: Int?
    for (number, labels) in initializers.enumerated() where labels.allSatisfy(sets) {
      if let before = best, initializers[before].count >= labels.count { continue }
      best = number
    }
    return best
  }

  private func sets(_ name: String) -> Bool { properties.contains { $0.name == name } }

  /// The properties that are an initializer's arguments, in its order, and the others.
  fileprivate func split(
    by labels: [String]
  ) -> (arguments: [PropertyAssignment], rest: [PropertyAssignment]) {
    if labels.isEmpty { return ([], properties) }
    let arguments = labels.compactMap { property($0) }
    return (arguments, properties.filter { !labels.contains($0.name) })
  }
}
