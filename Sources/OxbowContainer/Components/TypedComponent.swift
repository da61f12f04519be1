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
  var propertyNames: [String] { properties.map(\.name) }
  var initializerLabels: [[String]] { initializers.map(\.labels) }

  func blueprint(in context: BlueprintContext) -> AnyBlueprint? {
    let definition = context.definition
    guard isolation == .nonisolated else {
      context.report(
        .mainActorComponent(definition.name, className: name, at: definition.location))
      return nil
    }
    guard let initializer = chooseInitializer(in: context) else { return nil }
    let arguments = initializer.labels.compactMap(definition.property)
    let recipe = initializer.body.recipe(arguments, in: context)
    let injections = definition.properties.filter { !initializer.labels.contains($0.name) }
      .map { injection(of: $0, in: context) }
    guard let recipe, injections.allSatisfy({ $0 != nil }) else { return nil }
    return product.blueprint(
      ComponentParts(
        name: context.blueprintName, scope: context.scope, location: definition.location,
        isOwnerSendable: isSendable, recipe: recipe, injections: injections.compactMap(\.self),
        context: context))
  }

  func injection<Known>(
    _ assignment: PropertyAssignment, on known: Known.Type, in context: BlueprintContext
  ) -> FoundInjection<Known> {
    guard let property = properties.first(where: { $0.name == assignment.name }) else {
      return inheritedInjection(assignment, on: known, in: context)
    }
    guard let injection = property.access.injection(assignment, in: context) else { return .faulty }
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
    let given = Set(definition.properties.map(\.name))
    let fitting = initializers.filter { given.isSuperset(of: $0.labels) }
    if let best = fitting.max(by: { $0.labels.count < $1.labels.count }) { return best }
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
