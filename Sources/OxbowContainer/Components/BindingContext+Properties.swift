internal import OxbowDocuments

extension BindingContext {
  /// What fills the properties that assignments name on objects of a class.
  func plan(
    _ assignments: [PropertyAssignment], of component: AnyComponent, known: () -> [String]
  ) -> [PlannedProperty] {
    var planned: [PlannedProperty] = []
    planned.reserveCapacity(assignments.count)
    for assignment in assignments.withPathsLast {
      if let property = plan(assignment, of: component, known: known) { planned.append(property) }
    }
    return planned
  }

  private func plan(
    _ assignment: PropertyAssignment, of component: AnyComponent, known: () -> [String]
  ) -> PlannedProperty? {
    if let number = component.propertyNames.firstIndex(of: assignment.name) {
      return supply(assignment, to: component.properties[number]).map {
        PlannedProperty(supply: $0, number: number, route: nil)
      }
    }
    switch route(to: Substring(assignment.name), of: component, for: assignment) {
    case .found(let steps, let last):
      return supply(assignment, to: last).map {
        PlannedProperty(supply: $0, number: 0, route: PropertyRoute(assignment, steps))
      }
    case .faulty: break
    case .noSuchProperty:
      reportUnknownProperty(assignment, className: component.name, known: known())
    }
    return nil
  }

  private func supply(_ assignment: PropertyAssignment, to property: PropertyShape) -> Supply? {
    supply(
      assignment.content, to: property.point,
      at: SupplyPlace(
        assignment, role: .property(assignment.name), when: .injection,
        isOptional: property.isOptional && !assignment.needsObject))
  }

  // MARK: - Paths

  private enum FoundRoute {
    case found([PropertyStep], last: PropertyShape)
    /// What stands in the way is reported.
    case faulty
    case noSuchProperty
  }

  /// The way to a property of a class, of its superclasses, or of what these properties hold:
  /// `captain.name`.
  private func route(
    to path: Substring, of component: AnyComponent, for assignment: PropertyAssignment
  ) -> FoundRoute {
    let (head, rest) = path.firstStep
    guard let step = step(named: head, of: component) else { return .noSuchProperty }
    guard let rest else { return .found([step], last: step.property) }
    let property = step.property
    guard property.isReadable, let inner = classes.component(of: property.point.type) else {
      report(
        .noPath(
          assignment.name, through: property.name, typeName: property.point.typeName,
          of: definition.name, isReadable: property.isReadable, at: assignment.location))
      return .faulty
    }
    switch route(to: rest, of: inner.body, for: assignment) {
    case .found(let steps, let last): return .found([step] + steps, last: last)
    case .faulty: return .faulty
    case .noSuchProperty:
      reportUnknownProperty(
        assignment, className: inner.name,
        known: classes.propertyNames(of: inner).map { "\(property.name).\($0)" })
      return .faulty
    }
  }

  /// The property of a class, or of the nearest superclass that has it.
  private func step(named name: Substring, of component: AnyComponent) -> PropertyStep? {
    var current: AnyComponent? = component
    while let step = current {
      if let number = step.propertyNames.firstIndex(where: { $0 == name }) {
        return PropertyStep(component: step, number: number)
      }
      current = classes.superclass(of: step.type)?.body
    }
    return nil
  }
}

extension [PropertyAssignment] {
  /// The assignments in order, but `widget.size` behind a `widget` that would replace what it was set on.
  fileprivate var withPathsLast: [PropertyAssignment] {
    guard let first = firstIndex(where: { $0.isPath }) else { return self }
    let later = Set(self[first...].lazy.filter { !$0.isPath }.map(\.name))
    guard contains(where: { $0.isPath && later.contains($0.head) }) else { return self }
    return filter { !$0.isPath } + filter { $0.isPath }
  }
}

extension PropertyAssignment {
  fileprivate var isPath: Bool { name.utf8.contains(UInt8(ascii: ".")) }

  fileprivate var head: String { String(Substring(name).firstStep.head) }
}

extension Substring {
  /// What stands before the first point, and what behind it.
  var firstStep: (head: Substring, rest: Substring?) {
    guard let point = firstIndex(of: ".") else { return (self, nil) }
    return (self[..<point], self[index(after: point)...])
  }
}
