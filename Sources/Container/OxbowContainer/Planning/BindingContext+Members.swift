internal import OxbowDocuments

extension BindingContext {
  /// The planned values of the properties that assignments name on objects of a class, as far as
  /// they are without a problem.
  ///
  /// Messages list the known names.
  func planProperties(
    _ assignments: [PropertyAssignment], of component: AnyComponent, known: () -> [String]
  ) -> [ConstructionPlan.Property] {
    var planned: [ConstructionPlan.Property] = []
    planned.reserveCapacity(assignments.count)
    for assignment in assignments.withPathsLast {
      if let property = plan(assignment, of: component, known: known) { planned.append(property) }
    }
    return planned
  }

  private func plan(
    _ assignment: PropertyAssignment, of component: AnyComponent, known: () -> [String]
  ) -> ConstructionPlan.Property? {
    let property: AnyComponent.Property
    var path: ConstructionPlan.Path?
    let number = component.propertyNames.firstIndex(of: assignment.name)
    if let number {
      property = component.properties[number]
    } else {
      let steps = steps(
        to: Substring(assignment.name), of: component, for: assignment, known: known)
      guard let steps, let last = steps.last else { return nil }
      property = last.component.properties[last.number]
      path = ConstructionPlan.Path(assignment, steps)
    }
    let value =
      assignment.content.isNull && property.isClearable
      ? .nothing
      : value(
        of: assignment.content, for: property.point, when: .injection,
        at: InjectionSite(.property(assignment.name), of: assignment),
        isOptional: property.isOptional && !assignment.needsObject)
    return value.map { ConstructionPlan.Property(value: $0, number: number ?? 0, path: path) }
  }

  // MARK: - Paths

  /// The way to a property of a class, of its superclasses, or of what these properties hold, as in
  /// `captain.name`; nil when that is a problem.
  private func steps(
    to path: Substring, of component: AnyComponent, for assignment: PropertyAssignment,
    known: () -> [String]
  ) -> [ConstructionPlan.Member]? {
    let (head, rest) = path.firstStep
    guard let step = member(named: head, of: component) else {
      reportUnknownProperty(assignment, of: component, known: known())
      return nil
    }
    guard let rest else { return [step] }
    let property = step.component.properties[step.number]
    guard property.isReadable, let inner = classes.component(of: property.point.type) else {
      report(
        .noPath(
          assignment.name, through: property.name, typeName: property.point.typeName,
          of: definition.name, isReadable: property.isReadable
        ).at(assignment.location))
      return nil
    }
    let further = steps(to: rest, of: inner.body, for: assignment) {
      classes.propertyNames(of: inner).map { "\(property.name).\($0)" }
    }
    return further.map { [step] + $0 }
  }

  /// The property of a class, or of the nearest superclass that has it.
  private func member(
    named name: Substring, of component: AnyComponent
  ) -> ConstructionPlan.Member? {
    var current: AnyComponent? = component
    while let step = current {
      if let number = step.propertyNames.firstIndex(where: { $0 == name }) {
        return ConstructionPlan.Member(component: step, number: number)
      }
      current = classes.superclass(of: step.type)?.body
    }
    return nil
  }

  // MARK: - Unknown names

  func reportUnknownProperty(
    _ assignment: PropertyAssignment, of component: AnyComponent, known: [String]
  ) {
    if known.contains(assignment.name) {
      report(
        .unfitArgument(assignment.name, of: definition.name, className: component.name)
          .at(assignment.location))
      return
    }
    report(
      .unknownProperty(
        assignment.name, of: definition.name, className: component.name, known: known,
        base: classes.undescribedBase(of: component.type)
      ).at(assignment.location))
  }

  /// Every name that a definition of a class may use.
  func knownNames(of component: AnyComponent) -> [String] {
    var names = component.propertyNames
    for initializer in component.initializers where initializer.isInitializer {
      names += initializer.labels.filter { !names.contains($0) }
    }
    var parent = classes.superclass(of: component.type)
    while let step = parent {
      names += step.propertyNames.filter { !names.contains($0) }
      parent = classes.superclass(of: step.type)
    }
    return names
  }
}

extension [PropertyAssignment] {
  /// The assignments in order, but `widget.size` behind a `widget` that would replace what it was
  /// set on.
  fileprivate var withPathsLast: [PropertyAssignment] {
    guard let first = firstIndex(where: { $0.isPath }) else { return self }
    let later = Set(self[first...].lazy.filter { !$0.isPath }.map(\.name))
    guard contains(where: { $0.isPath && later.contains($0.head) }) else { return self }
    return filter { !$0.isPath } + filter { $0.isPath }
  }
}

extension PropertyAssignment {
  fileprivate var isPath: Bool {
    let point = UInt8(ascii: ".")
    return name.utf8.withContiguousStorageIfAvailable { $0.contains(point) }
      ?? name.utf8.contains(point)
  }

  fileprivate var head: String { String(Substring(name).firstStep.head) }
}

extension Substring {
  /// The text before the first point, and the one behind it.
  var firstStep: (head: Substring, rest: Substring?) {
    guard let point = firstIndex(of: ".") else { return (self, nil) }
    return (self[..<point], self[index(after: point)...])
  }
}

extension BindingContext {
  /// What is set and called on an object of a class; nil when that is nothing.
  func planMembers(
    _ properties: [PropertyAssignment], callbacksOf described: AnyComponent?,
    of component: AnyComponent, className: String, known: () -> [String]
  ) -> ConstructionPlan.Members? {
    let planned = planProperties(properties, of: component, known: known)
    let (before, after) =
      described.map { callbacks(of: $0.type, className: className) } ?? (nil, nil)
    if planned.isEmpty, before == nil, after == nil { return nil }
    return ConstructionPlan.Members(
      component: component, properties: planned, before: before, after: after)
  }

  /// The methods that the definition has called; reports those that its class does not describe.
  private func callbacks(
    of type: any Any.Type, className: String
  ) -> (before: ConstructionPlan.Member?, after: ConstructionPlan.Member?) {
    (
      definition.methodBeforeInjection.flatMap { callback($0, of: type, className: className) },
      definition.methodAfterInjection.flatMap { callback($0, of: type, className: className) }
    )
  }

  private func callback(
    _ name: String, of type: any Any.Type, className: String
  ) -> ConstructionPlan.Member? {
    if let found = classes.callback(name, of: type) { return found }
    report(
      .unknownCallback(
        name, of: definition.name, className: className, known: classes.callbackNames(of: type),
        base: classes.undescribedBase(of: type)
      ).at(definition.location))
    return nil
  }

  // MARK: - Products

  /// What the definition sets on the product of a factory; reports a `product` part of other
  /// classes.
  func planProduct(of component: AnyComponent) -> ConstructionPlan.Members? {
    guard component.isFactory else {
      refuseProduct(of: component.type)
      return nil
    }
    needAllBeforeConstruction()
    guard let part = definition.product,
      let product = productComponent(part.className, of: component.objectType, at: part.location)
    else { return nil }
    return planMembers(
      part.properties, callbacksOf: nil, of: product.body, className: product.name
    ) { classes.propertyNames(of: product) }
  }

  /// What the definition sets on what a method makes, and has called.
  ///
  /// Only a definition that sets or calls something needs the product's class to be described.
  func planMembers(
    _ properties: [PropertyAssignment], ofObjectsOf type: any Any.Type
  ) -> ConstructionPlan.Members? {
    let names = [definition.methodBeforeInjection, definition.methodAfterInjection]
    let isPlain = properties.isEmpty && names.allSatisfy { $0 == nil }
    if isPlain, definition.className == nil { return nil }
    refuseProduct(of: type)
    let product = productComponent(definition.className, of: type, at: definition.classLocation)
    guard let product else { return nil }
    return planMembers(
      properties, callbacksOf: product.body, of: product.body, className: product.name
    ) { classes.propertyNames(of: product) }
  }

  /// Reports a `product` part of a class that makes none.
  private func refuseProduct(of type: any Any.Type) {
    guard let part = definition.product else { return }
    report(.noFactory(definition.name, className: "\(type)").at(part.location))
  }

  private func productComponent(
    _ className: String?, of type: any Any.Type, at location: SourceLocation?
  ) -> ComponentDescriptor? {
    guard let className else {
      if let found = classes.component(of: type) { return found }
      report(.unknownClass("\(type)", of: definition.name, near: []).at(location))
      return nil
    }
    let found = classes.component(
      named: className, of: definition.name, at: location, report: { report($0) })
    guard let found else { return nil }
    if TypeFit.of(found.type, inAny: type) == .misfit {
      report(.wrongProduct(className, of: definition.name, typeName: "\(type)").at(location))
      return nil
    }
    return found
  }
}
