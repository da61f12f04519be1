internal import OxbowDocuments

extension AnyComponent {
  /// What a definition of the class becomes; nil when that is a problem.
  func binding(in context: BindingContext) -> AnyBinding? {
    let definition = context.definition
    guard isolation == .nonisolated else {
      context.report(
        .mainActorComponent(definition.name, className: name, at: definition.location))
      return nil
    }
    guard let choice = chooseInitializer(in: context) else { return nil }
    let arguments = context.supplies(of: choice.call, to: initializers[choice.number])
    let plan = ObjectPlan(
      initializer: choice.number, arguments: arguments,
      properties: context.plan(choice.call.rest(of: definition.properties), of: self) {
        knownNames(context)
      },
      callbacks: context.planCallbacks(of: type, className: name),
      elsewhere: argumentsAsProperties(of: choice, arguments, in: context))
    guard !context.isFaulty else { return nil }
    let binding = binding(of: plan, in: context)
    let isOwn = objectType == type && initializers[choice.number].isInitializer
    binding.objects = isOwn ? .exact : .open
    return binding
  }

  /// What a definition becomes whose object a method makes; the definition says which.
  func binding(ofMethodOf component: String, in context: BindingContext) -> AnyBinding? {
    guard let call = context.definition.initializer,
      let number = methods.firstIndex(where: { call.method.means($0.name, $0.labels) }),
      let bound = call.bind(to: methods[number].labels, in: context)
    else { return nil }
    context.needComponent(component, type)
    let binding = binding(
      ofMethod: number, context.supplies(of: bound, to: methods[number]),
      properties: bound.rest(of: context.definition.properties), component: component, in: context)
    binding?.objects = .open
    return binding
  }

  /// Plans the properties of a definition that its initializer takes, as properties; nil where there are
  /// none.
  ///
  /// Nobody needs it but `inject(into:)`, so it is put off to that.
  private func argumentsAsProperties(
    of choice: InitializerChoice, _ supplies: [Supply], in context: BindingContext
  ) -> (() throws -> [PlannedProperty])? {
    guard !choice.call.used.isEmpty else { return nil }
    return { [self] in
      try zip(choice.call.arguments, supplies).filter { $0.0.isProperty }.map {
        try property($0, insteadOf: $1, in: context.scratch())
      }
    }
  }

  private func property(
    _ argument: BoundArgument, insteadOf supply: Supply, in context: BindingContext
  ) throws -> PlannedProperty {
    let planned = context.plan([argument.assignment], of: self) { [] }
    guard let property = planned.first, !context.isFaulty else {
      throw ContainerError(
        .setByInitializerOnly(
          argument.label, of: context.definition.name, className: name,
          at: argument.assignment.location),
        task: "inject as \"\(context.definition.name)\"")
    }
    // What a request by type found is known under the argument's request.
    guard case .byType = argument.assignment.content else { return property }
    return PlannedProperty(supply: supply, number: property.number, route: property.route)
  }

  func reportUnknownNames(in context: BindingContext) {
    let known = knownNames(context)
    for property in context.definition.properties
    where !known.contains(String(Substring(property.name).firstStep.head)) {
      context.reportUnknownProperty(property, className: name, known: known)
    }
  }

  /// Every name that a definition of the class may use.
  private func knownNames(_ context: BindingContext) -> [String] {
    var names = propertyNames
    for initializer in initializers where initializer.isInitializer {
      names += initializer.labels.filter { !names.contains($0) }
    }
    var parent = context.classes.superclass(of: type)
    while let step = parent {
      names += step.propertyNames.filter { !names.contains($0) }
      parent = context.classes.superclass(of: step.type)
    }
    return names
  }
}

extension BindingContext {
  /// What fills the parameters of a call.
  fileprivate func supplies(of call: BoundCall, to shape: CallShape) -> [Supply] {
    zip(call.arguments, shape.points).compactMap { argument, point in
      supply(
        argument.assignment.content, to: point,
        at: SupplyPlace(argument.assignment, role: argument.role, when: .construction))
    }
  }

  /// Adds the object whose method makes the definition's.
  fileprivate func needComponent(_ component: String, _ type: any Any.Type) {
    _ = need(
      Dependency(
        target: component, use: .object, when: .construction, role: .other { "factory component" },
        location: definition.initializer?.location ?? definition.location, type: type,
        requiresSendable: false, fit: { _ in .fits }))
  }
}
