/// A definition that is handed on while a plan is made: it has many parts, and copying one costs more
/// than looking at it.
package final class SharedDefinition: Sendable {
  package let definition: ObjectDefinition

  package init(_ definition: ObjectDefinition) { self.definition = definition }
}
