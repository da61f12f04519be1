internal import OxbowDocuments

/// What a component needs to turn one definition from a file into a blueprint, and where it reports.
package final class BlueprintContext {
  package let definition: ObjectDefinition
  package let blueprintName: String
  package let scope: any Scope
  package let classes: ClassRegistry
  package let values: ValueConverters
  package private(set) var problems: [ContainerError.Problem] = []
  /// Whether something is wrong, reported here or before.
  package private(set) var isFaulty = false

  package init(
    _ definition: ObjectDefinition, named name: String, scope: any Scope, classes: ClassRegistry,
    values: ValueConverters
  ) {
    self.definition = definition
    self.blueprintName = name
    self.scope = scope
    self.classes = classes
    self.values = values
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
