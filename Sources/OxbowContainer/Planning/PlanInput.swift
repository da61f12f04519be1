/// What a builder knows when it makes a plan.
package struct PlanInput {
  package var entries: [PlanEntry]
  package var classes = ClassRegistry(entries: [])
  package var values = ValueConverters()
  package var placeholders = Placeholders()
  package var objectProcessors: [any ObjectPostProcessor] = []
  package var definitionProcessors: [any DefinitionPostProcessor] = []
  package var compatibility: Compatibility = []
  package var problems: [ContainerError.Problem] = []
  package var notes: [ContainerError.Note] = []
  /// Names that somebody else defines: nothing is known of their objects.
  package var elsewhere: Set<String> = []

  package init(entries: [PlanEntry]) { self.entries = entries }
}
