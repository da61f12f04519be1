internal import OxbowDocuments

/// One definition from a file on its way to a binding: what is known, needed and wrong so far.
final class BindingContext {
  let definition: ObjectDefinition
  let bindingName: String
  let scope: any Scope
  let classes: ClassRegistry
  let values: ValueConverters
  let hiddenTexts: HiddenTexts
  /// The bindings that the definition's type may follow from.
  var planned = Planned()
  /// What the definition needs, as far as it is checked.
  private(set) var dependencies: [Dependency] = []
  private(set) var problems: [ContainerError.Problem] = []
  /// Whether something is wrong, reported here or before.
  private(set) var isFaulty = false

  init(
    _ definition: ObjectDefinition, named name: String, scope: any Scope, classes: ClassRegistry,
    values: ValueConverters, hiddenTexts: HiddenTexts
  ) {
    self.definition = definition
    self.bindingName = name
    self.scope = scope
    self.classes = classes
    self.values = values
    self.hiddenTexts = hiddenTexts
  }

  /// A context of the same definition, to plan something apart.
  func scratch() -> BindingContext {
    BindingContext(
      definition, named: bindingName, scope: scope, classes: classes, values: values,
      hiddenTexts: hiddenTexts)
  }

  /// Adds a dependency of the definition.
  func need(_ dependency: Dependency) -> Dependency {
    dependencies.append(dependency)
    return dependency
  }

  /// Marks all dependencies recorded so far as needed by the constructor.
  func needAllBeforeConstruction() {
    dependencies = dependencies.map { $0.neededBeforeConstruction() }
  }

  func report(_ problem: ContainerError.Problem) {
    problems.append(problem)
    isFaulty = true
  }

  /// Records that something is wrong that is reported already.
  func markFaulty() { isFaulty = true }
}

// MARK: - Plans

extension BindingContext {
  /// What the definition becomes, its class known; nil when that is a problem.
  func binding(of component: AnyComponent) -> AnyBinding? {
    guard !component.isMainActor else {
      report(
        .mainActorComponent(definition.name, className: component.name).at(definition.location))
      return nil
    }
    guard let call = chooseInitializer(of: component) else { return nil }
    let arguments = values(of: call, for: component.initializers[call.number])
    let members = planMembers(
      call.rest(of: definition.properties), callbacksOf: component, of: component,
      className: component.name
    ) { knownNames(of: component) }
    guard !isFaulty else { return nil }
    let product = planProduct(of: component)
    let plan = plan(
      call, arguments, members: members, product: product,
      elsewhere: argumentsAsProperties(of: call, arguments, component))
    let binding = component.binding(of: plan)
    let isOwn = !component.isFactory && component.initializers[call.number].isInitializer
    binding.objects = isOwn ? .exact : .open
    return binding
  }

  /// What the definition becomes whose object a method makes, called on an object of a class.
  func binding(ofMethodOf object: String, _ component: AnyComponent) -> AnyBinding? {
    guard let call = chooseMethod(of: component) else { return nil }
    needFactory(object, component.type)
    let method = component.methods[call.number]
    let arguments = values(of: call, for: method)
    let rest = call.rest(of: definition.properties)
    let members = planMembers(rest, ofObjectsOf: method.productType)
    guard !isFaulty else { return nil }
    let binding = component.binding(of: plan(call, arguments, members: members), ofMethodOf: object)
    binding.objects = .open
    return binding
  }

  private func plan(
    _ call: Call, _ arguments: [InjectionValue], members: ConstructionPlan.Members?,
    product: ConstructionPlan.Members? = nil,
    elsewhere: (() throws -> [ConstructionPlan.Property])? = nil
  ) -> ConstructionPlan {
    ConstructionPlan(
      name: bindingName, scope: scope, location: definition.location, dependencies: dependencies,
      call: call.number, arguments: arguments, members: members, product: product,
      elsewhere: elsewhere)
  }

  /// Adds the object whose method makes the definition's.
  private func needFactory(_ object: String, _ type: any Any.Type) {
    _ = need(
      Dependency(
        target: object, use: .object, when: .construction, role: .other { "factory component" },
        location: definition.initializer?.location ?? definition.location, type: type,
        requiresSendable: false, fit: { _ in .fits }))
  }

  // MARK: - Properties that the initializer takes

  /// Plans the properties of a definition that its initializer takes, as properties; nil where
  /// there are none.
  ///
  /// Only `inject(into:)` needs it, so it is put off to that.
  private func argumentsAsProperties(
    of call: Call, _ values: [InjectionValue], _ component: AnyComponent
  ) -> (() throws -> [ConstructionPlan.Property])? {
    guard call.takesProperties else { return nil }
    return { [self] in
      try zip(call.arguments, values).filter { $0.0.isProperty }.map {
        try scratch().property($0, insteadOf: $1, component)
      }
    }
  }

  private func property(
    _ argument: Call.Argument, insteadOf value: InjectionValue, _ component: AnyComponent
  ) throws -> ConstructionPlan.Property {
    let planned = planProperties([argument.assignment], of: component) { [] }
    guard let property = planned.first, !isFaulty else {
      throw ContainerError(
        .setByInitializerOnly(argument.label, of: definition.name, className: component.name)
          .at(argument.assignment.location),
        task: "inject as \"\(definition.name)\"")
    }
    // What a request by type found is known under the argument's request.
    guard case .byType = argument.assignment.content else { return property }
    return ConstructionPlan.Property(value: value, number: property.number, path: property.path)
  }
}
