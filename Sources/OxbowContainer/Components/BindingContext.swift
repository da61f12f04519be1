internal import OxbowDocuments

/// What a component needs to turn one definition from a file into a binding, and where it reports.
package final class BindingContext {
  package let bindingName: String
  package let scope: any Scope
  private let shared: SharedDefinition
  private let tools: PlanningTools
  /// What the definition needs, as far as it is checked.
  package private(set) var dependencies: [Dependency] = []
  package private(set) var problems: [ContainerError.Problem] = []
  /// Whether something is wrong, reported here or before.
  package private(set) var isFaulty = false

  init(
    _ definition: SharedDefinition, named name: String, scope: any Scope, tools: PlanningTools
  ) {
    self.shared = definition
    self.bindingName = name
    self.scope = scope
    self.tools = tools
  }

  /// A context of the same definition, to plan something apart.
  func scratch() -> BindingContext {
    BindingContext(shared, named: bindingName, scope: scope, tools: tools)
  }

  package var definition: ObjectDefinition { shared.definition }
  package var classes: ClassRegistry { tools.classes }
  package var values: ValueConverters { tools.values }

  /// Adds an arrow to what the definition needs.
  func need(_ dependency: Dependency) -> Dependency {
    dependencies.append(dependency)
    return dependency
  }

  /// Has everything that is needed so far before the object exists.
  func needAllBeforeConstruction() {
    dependencies = dependencies.map { $0.neededBeforeConstruction() }
  }

  package func report(_ problem: ContainerError.Problem) {
    problems.append(problem)
    isFaulty = true
  }

  /// Says that something is wrong that is reported already.
  package func markFaulty() { isFaulty = true }

  package func reportUnknownProperty(
    _ assignment: PropertyAssignment, className: String, known: [String]
  ) {
    if known.contains(assignment.name) {
      report(
        .unfitArgument(
          assignment.name, of: definition.name, className: className, at: assignment.location))
      return
    }
    report(
      .unknownProperty(
        assignment.name, of: definition.name, className: className, at: assignment.location,
        known: known, near: nearNames(to: assignment.name, among: known)))
  }

  package func reportUnknownArgument(
    _ argument: PropertyAssignment, of call: InitializerCall, labels: [String]
  ) {
    report(
      .unknownArgument(
        argument.name, of: definition.name, method: call.method.description, labels: labels,
        at: argument.location ?? call.location,
        near: nearNames(to: argument.name, among: labels)))
  }
}

/// What definitions are checked with: the classes that files may name, and how text becomes values.
final class PlanningTools {
  let classes: ClassRegistry
  let values: ValueConverters

  init(classes: ClassRegistry, values: ValueConverters) {
    self.classes = classes
    self.values = values
  }
}
