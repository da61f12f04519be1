/// What a builder knows when it makes a plan.
package struct PlanInput {
  package var entries: [ContainerBuilder.Entry]
  package var classes = ClassRegistry(entries: [])
  package var values = ValueConverters()
  package var placeholders = Placeholders()
  package var objectProcessors: [any ObjectPostProcessor] = []
  package var definitionProcessors: [any DefinitionPostProcessor] = []
  package var compatibility: Compatibility = []
  package var problems: [ContainerError.Problem] = []
  package var notes: [ContainerError.Note] = []

  package init(entries: [ContainerBuilder.Entry]) { self.entries = entries }
}

/// Why a name that is referred to has no object.
package enum Absence {
  /// Something is wrong with its definition, which is reported there.
  case faulty
  case abstract
  /// It is a converter or post-processor.
  case infrastructure
  /// It is an object, and the container is not that far.
  case later
}
